"""What a club writes about itself, and its news: CommonMark without pictures and without HTML, made into clean HTML."""

from __future__ import annotations

from functools import cache
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rules.markup.cleaning import clean

_DEEPEST: Final = 20


@cache
def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True, "maxNesting": _DEEPEST})
    markdown.disable(["html_block", "html_inline", "image"])
    return markdown


def prose(text: str, *, below: int = 2) -> SafeString:
    """The text as HTML. Its headings begin one step below the heading `below`; links tell search engines nothing.

    Whatever the text holds, the answer is harmless.
    """
    tokens = _parser().parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, below + int(token.tag[1]))}"
        for child in token.children or ():
            _keep_out(child)
    html = _parser().renderer.render(tokens, _parser().options, {})
    return mark_safe(clean(html))  # noqa: S308  # cleaned


def _keep_out(token: Token) -> None:
    """A link that a club sets is not our recommendation."""
    if token.type == "link_open" and not str(token.attrGet("href") or "").startswith("/"):
        token.attrSet("rel", "nofollow ugc noopener")
