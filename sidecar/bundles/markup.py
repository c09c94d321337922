"""What markup a surface's page may hold: nothing that its CSP would break in silence (PROTOCOL 5 and 10)."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

Attributes = list[tuple[str, str | None]]

_NO_FRAMES: Final = "the CSP lets no other document into a surface"
_NO_MEDIA: Final = "the CSP lets no audio or video into a surface"
_NO_RAW_TEXT: Final = "browsers read what is in it in their own ways"
_ELEMENTS: Final = {
    **dict.fromkeys(("iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe"), _NO_FRAMES),
    **dict.fromkeys(("audio", "video", "source", "track"), _NO_MEDIA),
    **dict.fromkeys(("xmp", "plaintext", "noembed", "noframes"), _NO_RAW_TEXT),
    "base": "addresses in a surface stay relative to its folder",
    "noscript": "scripts always run in a surface",
}
_ADDRESSES: Final = frozenset(
    (
        "src",
        "srcset",
        "imagesrcset",
        "href",
        "xlink:href",
        "action",
        "formaction",
        "ping",
        "background",
        "data",
        "manifest",
    )
)
_IMAGES: Final = frozenset(
    (("img", "src"), ("input", "src"), ("image", "href"), ("image", "xlink:href"), ("link", "href"))
)
_INLINED: Final = frozenset((("script", "src"), ("link", "href")))


def find_faults(tag: str, attributes: Attributes) -> Iterator[str]:
    """Yield what a surface's page may not hold in this start tag."""
    if tag in _ELEMENTS:
        yield f"<{tag}> is refused: {_ELEMENTS[tag]}"
    names = [name for name, _ in attributes]
    if len(set(names)) < len(names):
        yield f"<{tag}> has an attribute twice"
    if any("<" in name or '"' in name or "'" in name for name in names):
        yield f"<{tag}> is not closed, or a quote in it is not"
    for name, value in attributes:
        yield from _find_attribute_faults(tag, name, (value or "").strip())
    if tag == "meta":
        yield from _find_meta_faults(dict(attributes))


def _find_attribute_faults(tag: str, name: str, value: str) -> Iterator[str]:
    if name.startswith("on"):
        yield f"{name} on <{tag}> would not run under the CSP: use addEventListener in a script"
    if name == "style":
        yield f"style on <{tag}> would not apply under the CSP: use a class and a style sheet"
    if name not in _ADDRESSES or (tag, name) in _INLINED or not value:
        return
    inside = name in ("href", "xlink:href") and value.startswith("#")
    image = (tag, name) in _IMAGES and value.lower().startswith("data:")
    if not inside and not image:
        yield f"{name} on <{tag}> leads out of the document: only scripts and style sheets are inlined"


def _find_meta_faults(attributes: dict[str, str | None]) -> Iterator[str]:
    charset = attributes.get("charset")
    if charset is not None and charset.strip().lower() not in ("utf-8", "utf8"):
        yield "<meta charset> must be utf-8"
    if "http-equiv" in attributes:
        yield "<meta http-equiv> is refused: the headers of a surface are the Runtime's"


def find_script_faults(attributes: dict[str, str | None]) -> Iterator[str]:
    """Yield what keeps a script element from being inlined, or from running as it stands."""
    yield from _find_unkept("script", attributes, ("src", "type", "defer", "async"))
    kind = script_kind(attributes)
    if not kind:
        yield "type on <script> must be left out, or be text/javascript, module, application/json or text/plain"
    if kind == "data" and "src" in attributes:
        yield "src on <script> is ignored by browsers for data: write the data into the page"


def script_kind(attributes: dict[str, str | None]) -> str:
    """``classic``, ``module``, ``data`` (never run), or empty for a type that a surface may not use."""
    match (attributes.get("type") or "text/javascript").strip().lower():
        case "text/javascript" | "application/javascript":
            return "classic"
        case "module":
            return "module"
        case "application/json" | "text/plain":
            return "data"
        case _:
            return ""


def find_link_faults(attributes: dict[str, str | None]) -> Iterator[str]:
    """Yield what keeps a link element from being inlined as a style sheet."""
    yield from _find_unkept("link", attributes, ("rel", "href", "type"))
    if (attributes.get("rel") or "").strip().lower() != "stylesheet":
        yield "rel on <link> must be stylesheet, or icon with a data: address"
    if (attributes.get("type") or "text/css").strip().lower() != "text/css":
        yield "type on <link> must be text/css"


def is_data_icon(attributes: dict[str, str | None]) -> bool:
    """Whether a link element is an icon that needs no inlining."""
    relation, address = ((attributes.get(name) or "").strip().lower() for name in ("rel", "href"))
    return relation == "icon" and address.startswith("data:")


def kept_attributes(attributes: dict[str, str | None]) -> str:
    """Write the attributes that stay on an element once it is inlined."""
    kept = [(name, value or "") for name, value in attributes.items() if _is_kept(name)]
    return "".join(f' {name}="{escape(value)}"' for name, value in kept)


def _find_unkept(tag: str, attributes: dict[str, str | None], known: tuple[str, ...]) -> Iterator[str]:
    for name in attributes:
        if name not in known and not _is_kept(name):
            yield f"{name} on <{tag}> has no meaning once it is inlined: remove it"


def _is_kept(name: str) -> bool:
    return name in ("id", "class", "media") or name.startswith("data-")
