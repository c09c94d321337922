"""Style sheets inside HTML: ended where they end, with nothing to fetch."""

from __future__ import annotations

import pytest

from sidecar.bundles.style_text import find_fetches, make_inline


def test_the_end_of_the_element_is_respelt() -> None:
    assert make_inline("p { color: red }") == "p { color: red }"
    assert make_inline("p::after { content: '</style>' } /* </STYLE */") == (
        "p::after { content: '<\\/style>' } /* <\\/STYLE */"
    )


@pytest.mark.parametrize(
    "text",
    [
        "p { color: red }",
        "p { background: url(data:image/png;base64,AA==) }",
        "p { background: url( 'data:image/svg+xml,<svg/>' ) }",
        '@font-face { src: url("data:font/woff2;base64,AA==") }',
        "p { filter: url(#blur); mask: url() }",
        "/* @import 'a.css'; url(b.png) */",
        "p::after { content: '@import url(b.png)' }",
        "p { --my-url: 1; --curl(: 2 }",
    ],
)
def test_a_sheet_without_foreign_addresses_has_no_fault(text: str) -> None:
    assert list(find_fetches(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "@import 'a.css';",
        "@IMPORT url(a.css);",
        "p { background: url(a.png) }",
        "p { background: url( 'a.png' ) }",
        'p { background: URL("https://example.org/a.png") }',
        "@font-face { src: url(//example.org/a.woff2) }",
        "p { background: image-set('a.png' 1x) }",
        "p { background: -webkit-image-set(url(a.png) 1x) }",
    ],
)
def test_what_a_sheet_would_fetch_is_found_with_its_line(text: str) -> None:
    assert next(find_fetches(f"a {{}}\n/* \n */ {text}"))[0] == 3
