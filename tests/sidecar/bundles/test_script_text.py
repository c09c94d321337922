"""Scripts inside HTML: spelt so that they end where they end, and mean what they meant."""

from __future__ import annotations

import pytest

from sidecar.bundles.script_text import ScriptTextError, find_import, make_inline


@pytest.mark.parametrize(
    "text",
    [
        "",
        "let a = 1\n",
        "a < /script/.test(b)",
        "'<script>'",
        "'<\\/script>'",
        "a --> b",
        "'é😀\\\\'",
        "x = `${a}`",
        "'</style>'",
    ],
)
def test_a_harmless_script_stays_as_it_is(text: str) -> None:
    assert make_inline(text) == text


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("a = '</script>'", "a = '<\\/script>'"),
        ('a = "</SCRIPT"', 'a = "<\\/SCRIPT"'),
        ("a = '\\</script>'", "a = '\\<\\/script>'"),
        ("a = '\\\\</script>'", "a = '\\\\<\\/script>'"),
        ("a = 'it\\'s </script>'", "a = 'it\\'s <\\/script>'"),
        ("a = 'x\\\n</script>'", "a = 'x\\\n<\\/script>'"),
        ("a = '<!-- x -->'", "a = '<!-\\x2D x -->'"),
        ("a = `</script>${b}<!--`", "a = `<\\/script>${b}<!-\\x2D`"),
        ("a = `${ {b: `</script>`}.b }</script>`", "a = `${ {b: `<\\/script>`}.b }<\\/script>`"),
        ("a = `\\`</script>${'}'}`", "a = `\\`<\\/script>${'}'}`"),
        ("return `</script>`", "return `<\\/script>`"),
        ("// </script> <!--\na", "// <\\/script> <!-\\x2D\na"),
        ("/* </script>\n<!-- */ a", "/* <\\/script>\n<!-\\x2D */ a"),
        ("a = /[</script>]/", "a = /[<\\/script>]/"),
        ("a = /(?<!--)x/", "a = /(?<!-\\x2D)x/"),
        ("a = /[<!--a]/u", "a = /[<!-\\x2Da]/u"),
        ("a.replace(/\"/g, '</script>')", "a.replace(/\"/g, '<\\/script>')"),
        ("return /'/.test('</script>')", "return /'/.test('<\\/script>')"),
        ("a / 2 / b; '</script>'", "a / 2 / b; '<\\/script>'"),
        ("a++ / 2; '</script>' / 1", "a++ / 2; '<\\/script>' / 1"),
        ("(a) / 2 + '</script>' / 1", "(a) / 2 + '<\\/script>' / 1"),
        ("[a][0] / 2 + '</script>' / 1", "[a][0] / 2 + '<\\/script>' / 1"),
        ("if (a) /'/.test('</script>')", "if (a) /'/.test('<\\/script>')"),
        ("function f() {}\n/'/.test('</script>')", "function f() {}\n/'/.test('<\\/script>')"),
        ("a = 1 / 2 // '</script>", "a = 1 / 2 // '<\\/script>"),
        ("a = ) ] } '</script>'", "a = ) ] } '<\\/script>'"),
    ],
)
def test_both_sequences_are_respelt_where_another_spelling_means_the_same(text: str, spelt: str) -> None:
    assert make_inline(text) == spelt


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a</script/i", 1),
        ("a\nb</script>/.test(c)", 2),
        ("<!-- hidden from old browsers\na", 1),
        ("a = b\n\n<!-- c", 3),
        ("'<!--' + \n String.raw`</script>`", 2),
        ("html`<p>${a}\n</script>`", 2),
        ("f()`</script>`", 1),
        ("a = 'unclosed </script>\n", 1),
        ('a = "unclosed <!--', 1),
        ("\\</script>", 1),
    ],
)
def test_elsewhere_they_are_refused_with_their_line(text: str, line: int) -> None:
    with pytest.raises(ScriptTextError, match="cannot be inlined") as caught:
        make_inline(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import './a.js'", 1),
        ("let a\nimport b from './b.js'", 2),
        ("export * from './b.js'", 1),
        ("export { c } from\n'./c.js'", 1),
        ("\nawait import('./d.js')", 2),
        ("`${import('e')}`", None),
        ("let a = 'import b'", None),
        ("// import b from 'c'", None),
        ("import.meta.url", None),
        ("a.import('b')", None),
        ("a = {import: 1}", None),
        ("export const a = 1", None),
        ("Array.from('abc')", None),
        ("", None),
    ],
)
def test_a_modules_imports_are_found(text: str, line: int | None) -> None:
    if text.startswith("`"):
        text, line = text.strip("`"), None
        assert find_import(f"`{text}`") == 1
        return
    assert find_import(text) == line
