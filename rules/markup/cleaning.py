"""The second wall: only these elements and attributes leave the renderer, whatever went in."""

from __future__ import annotations

from typing import Final

import nh3

_TAGS: Final = {
    "a", "abbr", "aside", "blockquote", "br", "cite", "code", "dd", "div", "dl", "dt", "em", "h2", "h3", "h4", "h5", "h6",
    "hr", "li", "ol", "p", "pre", "q", "section", "span", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES: Final = {
    "*": {"id", "lang", "class"},
    "a": {"href", "rel", "data-term", "role", "aria-label"},
    "aside": {"aria-label"},
    "div": {"aria-label"},
    "section": {"aria-labelledby"},
    "ol": {"start"},
}
_BOXES: Final = {
    "broken",
    "note",
    "question",
    "mistake",
    "mark",
    "says",
    "reading",
    "why",
    "talk",
    "placed",
    "claim",
    "truth",
}
_CLASSES: Final = {
    "a": {"term", "external", "cite"},
    "aside": _BOXES,
    "blockquote": _BOXES,
    "dd": _BOXES,
    "div": {"table-scroll"} | _BOXES,
    "dl": {"glance"} | _BOXES,
    "em": {"missing"},
    "p": _BOXES,
    "q": {"quotation"},
    "section": _BOXES,
    "span": {"card-name", "unknown-target", "unknown-source", "draft", "mark"},
    "sup": {"cite"},
    "table": {"data"},
    "td": {"number"},
    "th": {"number"},
}
_ROLES: Final = {"div": {"role": {"region"}, "tabindex": {"0"}}}


def clean(html: str) -> str:
    """The allowed part of `html`. Links go to the web by http(s), into this site, or nowhere."""
    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags={"script", "style", "template", "svg", "math", "iframe", "object"},
        attributes={tag: names - {"class"} for tag, names in _ATTRIBUTES.items()},
        allowed_classes=_CLASSES,
        tag_attribute_values=_ROLES,
        url_schemes={"http", "https"},
        link_rel=None,
    )
