"""One line of markup: a caption, a definition, a note."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from rules.markup.cleaning import clean
from rules.markup.lexicon import lexicon
from rules.markup.links import Links
from rules.markup.page import PAGE, Page
from rules.markup.resolving import resolve
from rules.markup.syntax import parser


def inline(text: str, language: str, *, reader: str = "") -> SafeString:
    """One line of markup, for captions and definitions: citations become links to their sources in the line."""
    text = " ".join(text.split())
    if not any(mark in text for mark in "*_`[]{}\\<&"):
        return format_html("{}", text)
    page = Page(language, Links(reader or language), one_line=True)
    with override(language):
        markdown = parser()
        env = {PAGE: page}
        tokens = markdown.parseInline(text, env)
        resolve(tokens, page, lexicon(language))
        return mark_safe(clean(markdown.renderer.render(tokens, markdown.options, env)))  # noqa: S308  # cleaned
