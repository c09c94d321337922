"""Make JavaScript text fit between ``<script>`` and ``</script>`` without changing what it does (PROTOCOL 10).

Two character sequences end or bend a script element wherever they stand: ``</script`` and ``<!--``. Inside a string, a
template, a regular expression or a comment both have another spelling; elsewhere they are refused. To tell these apart
the text is cut into tokens, which happens only where one of the two occurs, and to look for imports in a module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_DANGER: Final = re.compile(r"</script|<!--", re.IGNORECASE)
_REGEXP: Final = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_TEMPLATE: Final = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{|\Z)", re.DOTALL)
_TOKEN: Final = re.compile(
    r"""(?P<blank>[\s\ufeff]+)
      | (?P<comment>//[^\n\u2028\u2029]*|/\*.*?\*/)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<name>[\w$\#]+)
      | (?P<mark>\+\+|--|.)""",
    re.VERBOSE | re.DOTALL,
)
_BEFORE_REGEXP: Final = frozenset(
    (
        "await",
        "case",
        "delete",
        "do",
        "else",
        "in",
        "instanceof",
        "new",
        "of",
        "return",
        "throw",
        "typeof",
        "void",
        "yield",
    )
)
_HEADS: Final = frozenset(("if", "while", "for", "with"))
_RESPELLED: Final = frozenset(("comment", "string", "template", "regexp"))


class ScriptTextError(Exception):
    """A script that cannot be inlined; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class _Token(NamedTuple):
    kind: str  # blank, comment, string, template, raw (a tagged template), regexp, name or mark
    text: str
    start: int


def make_inline(text: str) -> str:
    """Spell a script so that an HTML parser ends it where it ends. Raises :class:`ScriptTextError`."""
    if not _DANGER.search(text):
        return text
    spelt = "".join(_respell(token.text) if token.kind in _RESPELLED else token.text for token in _Cutter(text))
    left = _DANGER.search(spelt)
    if left:
        line = spelt.count("\n", 0, left.start()) + 1
        raise ScriptTextError(line, f"{left[0]} cannot be inlined where it stands in code or in a tagged template")
    return spelt


def find_import(text: str) -> int | None:
    """Say in which line a module imports, or exports from, another; None: it stands alone."""
    code = [token for token in _Cutter(text) if token.kind not in ("blank", "comment")]
    for before, token, after in zip([None, *code], code, [*code[1:], None], strict=False):
        follower = after.text if after else ""
        imports = token.text == "import" and follower not in (".", ":") and not (before and before.text == ".")
        names_source = token.text == "from" and after is not None and after.kind == "string"
        if token.kind == "name" and (imports or names_source):
            return text.count("\n", 0, token.start) + 1
    return None


def _respell(text: str) -> str:
    r"""Both mean the same in strings, templates and regular expressions: ``\/`` is ``/``, ``\x2D`` is ``-``."""
    return re.sub(r"<(?=/script)", r"<\\", text.replace("<!--", r"<!-\x2D"), flags=re.IGNORECASE)


class _Cutter:
    """Cut a script into tokens, whose texts joined are the script. Text that is no JavaScript gives some tokens too."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._after_operand = False  # then "/" divides and a template is tagged
        self._last_name = ""
        self._opened: list[str] = []  # each open bracket: its mark, "head" after if and its like, or a template's kind

    def __iter__(self) -> Iterator[_Token]:
        position = 0
        while position < len(self._text):
            token = self._cut(position)
            yield token
            position += len(token.text)

    def _cut(self, position: int) -> _Token:
        mark = self._text[position]
        if mark == "`" or (mark == "}" and self._opened[-1:] in (["template"], ["raw"])):
            return self._cut_template(position)
        if mark == "/" and not self._after_operand and self._text[position + 1 : position + 2] not in ("/", "*"):
            match = _REGEXP.match(self._text, position)
            if match:
                self._after_operand = True
                return _Token("regexp", match[0], position)
        match = _TOKEN.match(self._text, position)
        token = _Token(match.lastgroup or "", match[0], position) if match else _Token("mark", mark, position)
        self._follow(token)
        return token

    def _cut_template(self, position: int) -> _Token:
        """Cut a template up to its end or its next ``${``."""
        opening = "raw" if self._after_operand else "template"
        kind = opening if self._text[position] == "`" else self._opened.pop()
        match = _TEMPLATE.match(self._text, position)
        text = match[0] if match else self._text[position:]
        if text.endswith("${"):
            self._opened.append(kind)
        self._after_operand = not text.endswith("${")
        return _Token(kind, text, position)

    def _follow(self, token: _Token) -> None:
        """Note what a slash or a template would mean after this token."""
        if token.kind in ("blank", "comment") or token.text in ("++", "--"):
            return
        if token.text in ("(", "[", "{"):
            self._opened.append("head" if token.text == "(" and self._last_name in _HEADS else token.text)
        closed = self._opened.pop() if token.text in (")", "]", "}") and self._opened else ""
        self._last_name = token.text if token.kind == "name" else ""
        if token.kind == "mark":
            self._after_operand = token.text in (")", "]") and closed != "head"
        else:
            self._after_operand = token.text not in _BEFORE_REGEXP
