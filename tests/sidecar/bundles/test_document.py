"""The one self-contained document of a surface (PROTOCOL 5 and 10)."""

from __future__ import annotations

import re
from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rpc_schema import limits
from sidecar.bundles.document import DocumentError, build_document, list_entries


class Shown(HTMLParser):
    """What a browser would run and apply: the texts of script and style elements, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.start_tags: list[str] = []
        self._inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.start_tags.append(self.get_starttag_text() or "")
        if tag in self.texts:
            self._inside = tag
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside][-1] += data


def hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def directives(csp: str) -> dict[str, str]:
    return dict(part.strip().partition(" ")[::2] for part in csp.split(";"))


def make(shelf: Any, page: str | bytes, entry: str = "index.html", **files: str | bytes) -> Any:
    folder = shelf.write(shelf.manifest(), shelf.surface(index_html=page, **files))
    return build_document(folder, entry)


def refuse(shelf: Any, page: str | bytes, **files: str | bytes) -> list[tuple[str, str]]:
    with pytest.raises(DocumentError) as caught:
        make(shelf, page, **files)
    return [(fault.path, fault.message) for fault in caught.value.faults]


def test_scripts_and_style_sheets_are_put_into_the_page(shelf: Any) -> None:
    document = make(shelf, shelf.page)
    assert document.html == (
        "<!doctype html><title>probe</title><style>p { color: red }\n</style><p>probe</p><script>const a = 1\n</script>"
    )
    assert document.sandbox == ["allow-scripts"]
    assert document.csp == (
        f"default-src 'none'; script-src {hashed(chr(99) + 'onst a = 1' + chr(10))}; "
        f"style-src {hashed('p { color: red }' + chr(10))}; img-src data: blob:; font-src data:; connect-src 'none'; "
        "form-action 'none'; base-uri 'none'; sandbox allow-scripts"
    )


def test_a_page_without_parts_runs_nothing(shelf: Any) -> None:
    document = make(shelf, "<p>hello &amp; <b>bye</b> &lt;script&gt; a < b &copy</p>")
    assert document.html == "<p>hello &amp; <b>bye</b> &lt;script&gt; a < b &copy</p>"
    policy = directives(document.csp)
    assert policy["script-src"] == policy["style-src"] == "'none'"


@pytest.mark.parametrize(
    ("page", "files"),
    [
        ("<script src=a.js></script><script>let b = 2</script><style>p {}</style><link rel=stylesheet href=s.css>", {}),
        ("<script>\r\nlet a = 'é😀'\r\n\tb()\r</script><style>\r\np {}\r\n</style>", {}),
        ("<script src=a.js></script>", {"a_js": "\ufefflet a = `x\r\ny`\r\n"}),
        ("<script src=a.js></script>", {"a_js": "let a = '</script><!--<script>' // </script>"}),
        ("<link rel=stylesheet href=s.css>", {"s_css": "p::after { content: '</style>é' }\r\n"}),
        ("<SCRIPT SRC='a.js'>\n</SCRIPT><Style>P {}</STYLE>", {}),
        ("<script>if (a < b && c > d) x('<!-- y -->')</script>", {}),
        ("<script></script><style></style><script> </script>", {}),
        ('<script type="module" src="a.js"></script><script type=module>let c</script>', {}),
        ("<html><head><script src=a.js defer></script></head><body><p>x</body></html>", {}),
        ("<template><script>let t</script></template>", {}),
        ("<script src='a.js'></script>", {"a_js": b"\xef\xbb\xbf// caf\xc3\xa9\r\nlet a\r"}),
    ],
)
def test_the_policy_names_exactly_what_a_browser_will_hash(shelf: Any, page: str, files: dict[str, Any]) -> None:
    document = make(shelf, page, **files)
    shown, policy = Shown(document.html), directives(document.csp)
    assert "\r" not in document.html
    assert "src=" not in document.html.lower()
    for tag in ("script", "style"):
        hashes = {hashed(text) for text in shown.texts[tag]}
        assert set(policy[f"{tag}-src"].split()) == (hashes or {"'none'"})


def test_text_of_a_script_cannot_end_its_element(shelf: Any) -> None:
    evil = "let a = '</script><img src=x onerror=alert(1)><script>'; let b = '<!--<script>'\n"
    document = make(shelf, "<script src=a.js></script><p>end</p>", a_js=evil)
    shown = Shown(document.html)
    assert shown.start_tags == ["<script>", "<p>"]
    assert shown.texts["script"] == [evil.replace("</", "<\\/").replace("<!--", "<!-\\x2D")]


def test_a_file_is_named_by_its_relative_path(shelf: Any) -> None:
    page = "<script src=./js/a%20b.js></script><script src=js/../a.js></script>"
    [fault] = refuse(shelf, page, **{"js/a b_js": "let deep"})
    assert fault == ("surface/index.html", 'line 1: "js/../a.js" leads out of surface/')
    assert "let deep" in make(shelf, "<script src=./js/a%20b.js></script>", **{"js/a b_js": "let deep"}).html


def test_what_waits_for_the_page_waits_still(shelf: Any) -> None:
    page = "<head><script defer src=a.js></script><script async src=b.js></script></head><body><p>x</body>\n"
    assert make(shelf, page, b_js="let b").html == (
        "<head></head><body><p>x<script>const a = 1\n</script><script>let b</script></body>\n"
    )
    assert make(shelf, "<script defer src=a.js></script><p>x").html == "<p>x<script>const a = 1\n</script>"


def test_attributes_that_still_mean_something_stay(shelf: Any) -> None:
    page = (
        "<script src=a.js type=text/javascript id=one data-x='a\"&amp;b' class=c></script>"
        "<script type=module src=a.js id=two></script>"
        "<link rel=stylesheet href=s.css type=text/css media=print id=three>"
    )
    assert Shown(make(shelf, page).html).start_tags == [
        '<script id="one" data-x="a&quot;&amp;b" class="c">',
        '<script type="module" id="two">',
        '<style media="print" id="three">',
    ]


def test_data_is_no_script(shelf: Any) -> None:
    page = '<script type="application/json">{"a": "<!-- x"}</script><script type=text/plain>x</script>'
    document = make(shelf, page)
    assert document.html == page
    assert directives(document.csp)["script-src"] == "'none'"


@pytest.mark.parametrize(
    "page",
    [
        '<img src="data:image/png;base64,AA==" alt="">',
        "<img alt=''>",
        "<a href='#top' class=x>up</a>",
        "<svg viewBox='0 0 1 1'><use href='#a'/><image href='data:image/png;base64,AA=='/><path d='M0 0'/></svg>",
        "<link rel=icon href=data:,>",
        "<form action=''><input name=online value=onclick></form>",
        "<meta charset=UTF-8><meta name=viewport content='width=device-width'>",
        "<!-- a comment - with > and <b> in it --><!---->",
        "<!doctype html><title>a &lt; b</title><textarea> text </textarea>",
        "<p data-src='https://example.org' title='x>y'>a<br/>b</p>",
        "<svg/><script>let after = 1</script>",
        "",
    ],
)
def test_harmless_markup_stays_as_it_was_written(shelf: Any, page: str) -> None:
    assert make(shelf, page).html == page


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("<script src=https://example.org/a.js></script>", "no relative path"),
        ("<script src=//example.org/a.js></script>", "no relative path"),
        ("<script src=/a.js></script>", "no relative path"),
        ("<script src=data:text/javascript,1></script>", "no relative path"),
        ("<script src=a.js?v=1></script>", "no relative path"),
        ("<script src=a.js#x></script>", "no relative path"),
        ("<script src='a\\b.js'></script>", "no relative path"),
        ("<script src></script>", "no relative path"),
        ("<script src=''></script>", "no relative path"),
        ("<script src=C:/a.js></script>", "no relative path"),
        ("<script src=../manifest.json></script>", "leads out of surface/"),
        ("<script src=%2e%2e/manifest.json></script>", "leads out of surface/"),
        ("<script src=js//a.js></script>", "leads out of surface/"),
        ("<script src=gone.js></script>", '"gone.js" is missing'),
        ("<script src=gone/a.js></script>", "is missing"),
        ("<link rel=stylesheet href=gone.css>", "is missing"),
        ("<link rel=stylesheet>", "no relative path"),
        ("<link rel=stylesheet href=https://example.org/a.css>", "no relative path"),
        ("<link rel=preload href=a.js>", "rel on <link> must be stylesheet"),
        ("<link rel=preconnect href=https://example.org>", "rel on <link> must be stylesheet"),
        ("<link rel='alternate stylesheet' href=s.css>", "rel on <link> must be stylesheet"),
        ("<link rel=icon href=https://example.org/a.ico>", "rel on <link> must be stylesheet"),
        ("<link rel=stylesheet href=s.css type=text/less>", "type on <link> must be text/css"),
        ("<link rel=stylesheet href=s.css disabled>", "disabled on <link> has no meaning"),
        ("<script src=a.js integrity=sha256-x></script>", "integrity on <script> has no meaning"),
        ("<script src=a.js nomodule></script>", "nomodule on <script> has no meaning"),
        ("<script nonce=x>1</script>", "nonce on <script> has no meaning"),
        ("<script src=a.js>let b</script>", "both src and text"),
        ("<script src=a.js type=application/json></script>", "ignored by browsers"),
        ("<script type=importmap>{}</script>", "type on <script> must be"),
        ("<script type=text/babel>1</script>", "type on <script> must be"),
        ("<script type=module>\nimport './a.js'</script>", "line 2: a module of a surface stands alone"),
        ("<script type=module>export * from './a.js'</script>", "a module of a surface stands alone"),
        ("<img src=a.png>", "src on <img> leads out of the document"),
        ("<img src=https://example.org/a.png>", "src on <img> leads out"),
        ("<img srcset='data:,x 1x'>", "srcset on <img> leads out"),
        ("<a href=https://example.org>x</a>", "href on <a> leads out"),
        ("<a href=other.html>x</a>", "href on <a> leads out"),
        ("<a href=javascript:alert(1)>x</a>", "href on <a> leads out"),
        ("<a href=' \tJavaScript:alert(1)'>x</a>", "href on <a> leads out"),
        ("<svg><a xlink:href=https://example.org /></svg>", "xlink:href on <a> leads out"),
        ("<form action=https://example.org></form>", "action on <form> leads out"),
        ("<button formaction=/x>x</button>", "formaction on <button> leads out"),
        ("<body background=a.png>", "background on <body> leads out"),
        ("<input type=image src=a.png>", "src on <input> leads out"),
        ("<iframe></iframe>", "<iframe> is refused"),
        ("<object data=a.svg></object>", "<object> is refused"),
        ("<embed src=a.svg>", "<embed> is refused"),
        ("<base href=https://example.org/>", "<base> is refused"),
        ("<audio></audio>", "<audio> is refused"),
        ("<video><source src=a.mp4></video>", "<video> is refused"),
        ("<noscript>x</noscript>", "<noscript> is refused"),
        ("<xmp><script></xmp>", "<xmp> is refused"),
        ("<meta http-equiv=refresh content='0;url=https://example.org'>", "<meta http-equiv> is refused"),
        ("<meta http-equiv=Content-Security-Policy content=x>", "<meta http-equiv> is refused"),
        ("<meta charset=latin1>", "<meta charset> must be utf-8"),
        ("<p onclick=alert(1)>x</p>", "onclick on <p> would not run under the CSP"),
        ("<svg onload=alert(1)></svg>", "onload on <svg> would not run"),
        ("<p ONCLICK>x</p>", "onclick on <p> would not run"),
        ("<p style='color: red'>x</p>", "style on <p> would not apply under the CSP"),
        ("<p id=a id=b>x</p>", "<p> has an attribute twice"),
        ("<svg><script>1</script></svg>", "inside <svg> or <math>"),
        ("<math><style>p{}</style></math>", "inside <svg> or <math>"),
        ("<script src=a.js />", "<script> cannot close itself"),
        ("<script>let a", "<script> is never closed"),
        ("<style>p {}", "<style> is never closed"),
        ("<textarea>x", "<textarea> is never closed"),
        ("<title>a <b>c</b></title>", "in <title> is text to a browser"),
        ("<title/>", "<title> cannot close itself"),
        ("<textarea><script src=a.js></script></textarea>", "in <textarea> is text to a browser"),
        ("<script>'<!--<script>'</script>", "ends is unclear"),
        ("<script>1</ script><p>", ""),
        ("<style>p{}</style x></style>", "unclear"),
        ("<!-- a -- > <b> -->", "a comment is written"),
        ("<!--> <script src=a.js></script> -->", "a comment is written"),
        ("<!-- a --!> <script src=a.js></script> -->", "a comment is written"),
        ("<!not a comment>", "a comment is written"),
        ("</ not an end tag>", "a comment is written"),
        ("<!-- never closed", ""),
        ("<p <b>x", "<p> is not closed"),
        ("<p title='a'b'>x", "<p> is not closed, or a quote"),
        ("<img alt='x", "cannot be read"),
        ("<?php echo 1 ?>", "<? is no HTML"),
        ("<![CDATA[x]]>", "<![ is no HTML"),
        ("<![nonsense", ""),
        ("<![if x]>", ""),
        ("<![nonsense[x]]>", ""),
        ("<style>p { background: url(a.png) }</style>", "url() may hold a data: address only"),
        ("<style>\n\n@import 'a.css';</style>", "line 3: @import cannot be inlined"),
    ],
)
def test_what_cannot_be_inlined_or_would_break_is_refused_with_its_reason(shelf: Any, page: str, reason: str) -> None:
    found = refuse(shelf, page)
    assert found[0][0] == "surface/index.html"
    assert any(reason in message and message.startswith("line ") for _, message in found), found


def test_an_unclear_character_reference_hides_no_script(shelf: Any) -> None:
    """Parsers of different ages read on after ``&#`` or give up; one that gave up is a refusal."""
    page = "a &# b <script src=a.js></script> &"
    folder = shelf.write(shelf.manifest(), shelf.surface(index_html=page))
    with suppress(DocumentError):
        assert "src=" not in build_document(folder).html


def test_faults_inside_files_name_the_file(shelf: Any) -> None:
    page = "<link rel=stylesheet href=s.css>\n<script src=a.js></script>\n<script type=module src=m.js></script>"
    found = refuse(shelf, f"{page}<img src=x>", s_css="\n@import 'x';", a_js="a\nb</script/.test(c)", m_js="import 'x'")
    assert [(path, re.sub(":.*", "", message)) for path, message in found] == [
        ("surface/s.css", "line 2"),
        ("surface/a.js", "line 2"),
        ("surface/m.js", "line 1"),
        ("surface/index.html", "line 3"),
    ]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"caf\xe9", b"a\0b"])
def test_text_is_utf_8_without_nul(shelf: Any, content: bytes) -> None:
    assert "UTF-8" in refuse(shelf, content)[0][1] or "NUL" in refuse(shelf, content)[0][1]
    assert refuse(shelf, shelf.page, a_js=content)[0][0] == "surface/index.html"


def test_nothing_is_read_through_a_link(shelf: Any, tmp_path: Path) -> None:
    folder = shelf.write(shelf.manifest(), shelf.surface())
    (tmp_path / "outside.js").write_text("let secret")
    (folder / "surface/a.js").unlink()
    (folder / "surface/a.js").symlink_to(tmp_path / "outside.js")
    with pytest.raises(DocumentError, match=r'"a.js" is reached through a symbolic link'):
        build_document(folder)
    (folder / "surface").rename(tmp_path / "moved")
    (folder / "surface").symlink_to(tmp_path / "moved")
    with pytest.raises(DocumentError, match=r"surface/index.html: is reached through a symbolic link"):
        build_document(folder)


def test_a_document_is_bounded_as_the_message_that_carries_it(shelf: Any) -> None:
    half = "x" * (limits.MAX_DOCUMENT // 2)
    assert len(make(shelf, shelf.page, a_js=f"let a = '{half}'").html) > limits.MAX_DOCUMENT // 2
    assert "over 4194304" in refuse(shelf, shelf.page, a_js=f"let a = '{half}'", s_css=f"/* {half} */")[0][1]
    assert "over 4194304" in refuse(shelf, shelf.page, a_js=f"let a = '{'é' * (limits.MAX_DOCUMENT // 4)}'")[0][1]
    assert "more than 4194304 bytes" in refuse(shelf, shelf.page, a_js="x" * (limits.MAX_DOCUMENT + 1))[0][1]
    assert "more than 4194304 bytes" in refuse(shelf, "x" * (limits.MAX_DOCUMENT + 1))[0][1]


def test_another_page_may_be_the_entry(shelf: Any) -> None:
    assert make(shelf, shelf.page, "other.html", other_html="<p>other").html == "<p>other"


@pytest.mark.parametrize(
    "entry", ["", "a.js", "../index.html", "x/index.html", "/etc/passwd.html", ".html", ".x.html", "index.html\n"]
)
def test_an_entry_is_the_plain_name_of_a_page(shelf: Any, entry: str) -> None:
    with pytest.raises(DocumentError, match=r"an entry is the name of an .html file"):
        make(shelf, shelf.page, entry)


def test_a_page_that_is_not_there_is_refused(shelf: Any) -> None:
    with pytest.raises(DocumentError, match=r"surface/gone.html: is missing"):
        make(shelf, shelf.page, "gone.html")


def test_the_entries_are_the_pages_of_the_surface(shelf: Any) -> None:
    assert list_entries(shelf.write(shelf.manifest())) == []
    files = shelf.surface(b_html="x", **{"deep/c_html": "x", ".d_html": "x"})
    assert list_entries(shelf.write(shelf.manifest(), files)) == ["b.html", "index.html"]
