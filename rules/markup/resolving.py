"""From what was parsed to what is shown: numbers for citations, addresses for links, names for cards, terms found.

The parser: CommonMark and tables, without HTML, with citations, term links, card names and directives added.

One line of markup: a caption, a definition, a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from domain.engine.cards import CODES
from rules.markup import term_links
from rules.markup.citations import Citation, citations, short_title
from rules.markup.directives import HEADS, directive
from rules.markup.lexicon import Lexicon, lexicon
from rules.markup.links import Links, clean, writable
from rules.markup.page import MAX_NESTING, MAX_PARAGRAPH, PAGE, Heading, Page
from rules.markup.term_links import html
from rules.text import names

TOO_LONG: Final = "too long"
_MAX_LEVEL: Final = 40  # where the parser stops by itself; our own limit speaks up long before
_CITED: Final = re.compile(r"\[(@[^\]\n]{1,300})\]")
_TERM: Final = re.compile(r"\[\[([a-z][a-z0-9._-]{0,79})(?:\|([^\]\n]{1,200}))?\]\]", re.ASCII)
_CARD: Final = re.compile(r"\{([A-Z0-9]{1,3})\}", re.ASCII)
_HEADING_ID: Final = re.compile(r"\s*\{#([a-z][a-z0-9-]{0,59})\}\s*\Z", re.ASCII)


@cache
def parser() -> MarkdownIt:
    """The parser. It keeps nothing between texts: what belongs to one is in its environment."""
    markdown = MarkdownIt(
        "commonmark", {"html": False, "linkify": False, "typographer": False, "maxNesting": _MAX_LEVEL}
    )
    markdown.enable("table")
    markdown.disable(["html_block", "html_inline", "image"])
    markdown.validateLink = writable  # type: ignore[method-assign]  # how markdown-it is told which links it may make
    markdown.inline.ruler.before("link", "citation", _citation)
    markdown.inline.ruler.before("link", "term", _parse_term)
    markdown.inline.ruler.before("link", "card", _parse_card)
    markdown.block.ruler.before("fence", "directive", directive, {"alt": ["paragraph", "blockquote", "list"]})
    markdown.core.ruler.before("inline", "heading_ids", _heading_ids)
    markdown.core.ruler.before("inline", "long_paragraphs", _long_paragraphs)
    return markdown


def _citation(state: StateInline, silent: bool) -> bool:
    match = _CITED.match(state.src, state.pos, state.posMax)
    cited = citations(match[1]) if match else ()
    if match is None or not cited:
        return False
    if not silent:
        state.push("citation", "", 0).meta = {"citations": cited}
    state.pos = match.end()
    return True


def _parse_term(state: StateInline, silent: bool) -> bool:
    match = _TERM.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("term", "", 0).meta = {"key": match[1], "label": (match[2] or "").strip()}
    state.pos = match.end()
    return True


def _parse_card(state: StateInline, silent: bool) -> bool:
    match = _CARD.match(state.src, state.pos, state.posMax)
    if match is None or match[1] not in CODES:
        return False
    if not silent:
        state.push("card", "", 0).meta = {"code": match[1]}
    state.pos = match.end()
    return True


def _heading_ids(state: StateCore) -> None:
    """Take `{#deal}` off the end of a heading and make it the heading's id."""
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open" and inline.type == "inline":
            match = _HEADING_ID.search(inline.content)
            if match:
                inline.content = inline.content[: match.start()]
                opening.meta["id"] = match[1]


def _long_paragraphs(state: StateCore) -> None:
    """Keep paragraphs that nobody writes from the search for links and emphasis; they are shown as they are typed."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_PARAGRAPH:
            token.meta[TOO_LONG] = token.content
            token.content = ""


_NESTING: Final = {"bullet_list_open": 1, "ordered_list_open": 1, "blockquote_open": 1} | dict.fromkeys(
    ("bullet_list_close", "ordered_list_close", "blockquote_close"), -1
)
_SCHEMES: Final = {"words": "word", "sources": "source"}
_RESERVED: Final = ("main", "source-", "cited-", "question-", "mistake-", "example-")


def resolve(tokens: list[Token], page: Page, words: Lexicon) -> None:
    """Make every token of our markup into HTML, in place; notes troubles, headings and terms in `page`."""
    _look_up_sources(tokens, page)
    depth = 0
    heading: Token | None = None
    for token in tokens:
        line = token.map[0] + 1 if token.map else 0
        depth += _NESTING.get(token.type, 0)
        if depth == MAX_NESTING + 1 and _NESTING.get(token.type) == 1:
            page.trouble(line, _("Lists and quotations may be nested %(most)d deep.") % {"most": MAX_NESTING})
        if token.type == "heading_open":
            heading = token
            token.tag = "h2" if token.tag == "h1" else token.tag
        elif token.type == "heading_close":
            token.tag = "h2" if token.tag == "h1" else token.tag
            heading = None
        elif token.type == "inline":
            children = token.children or []
            if TOO_LONG in token.meta:
                page.trouble(line, _("A paragraph may have %(most)d characters.") % {"most": MAX_PARAGRAPH})
                token.children = [Token("text", "", 0, content=token.meta[TOO_LONG])]
                continue
            heads = heading is not None or token.meta.get(HEADS, False)
            token.children = list(_children(children, page, words, line, in_heading=heads))
            if heading is not None:
                _name_heading(heading, children, page, line)
        elif token.type == "source_name":
            _name_source(token, page, line)
        elif token.type in ("td_open", "th_open"):
            _align(token)


def _look_up_sources(tokens: Iterable[Token], page: Page) -> None:
    cited: set[str] = set()
    for token in tokens:
        for child in token.children or ():
            if child.type == "citation":
                cited |= {citation.source for citation in child.meta["citations"]}
        if token.type == "source_name":
            cited.add(token.meta["source"])
    page.notes.look_up(cited)


# --- Headings and tables -----------------------------------------------------------------------------------------------


def _name_heading(opening: Token, children: list[Token], page: Page, line: int) -> None:
    """Give a heading its id; sections of the second level are listed in the outline."""
    title = "".join(child.content for child in children if child.type in ("text", "code_inline")).strip()
    wanted = opening.meta.get("id") or slugify(title) or "section"
    if wanted in page.ids or wanted.startswith(_RESERVED):
        page.trouble(line, _("The id “%(id)s” is taken; choose another.") % {"id": wanted})
    free = _free(wanted, page)
    opening.attrSet("id", free)
    if opening.tag == "h2" and opening.level == 0:
        page.outline.append(Heading(free, title))


def _free(wanted: str, page: Page) -> str:
    """The id itself, or with a number behind it if it is taken."""
    stem = f"section-{wanted}" if wanted.startswith(_RESERVED) else wanted
    free, number = stem, page.ids.get(stem, 0)
    while free in page.ids:
        number += 1
        free = f"{stem}-{number}"
    page.ids[stem] = max(number, 1)
    page.ids.setdefault(free, 1)
    return free


def _align(cell: Token) -> None:
    """Columns of figures carry a class: the policy of the site knows no style attributes."""
    style = cell.attrs.pop("style", "")
    if style == "text-align:right":
        cell.attrSet("class", "number")


# --- Inside a line -----------------------------------------------------------------------------------------------------


def _children(children: list[Token], page: Page, words: Lexicon, line: int, *, in_heading: bool) -> Iterator[Token]:
    """The tokens of one line, ours made into HTML. Terms are not sought in headings, links and code."""
    closing: list[str] = []  # what closes the links we are in
    seen = ""  # what stands before, to know the beginning of a sentence
    for at, token in enumerate(children):
        if token.type == "text" and _is(children, at + 1, "citation"):
            token.content = token.content.rstrip()  # the number of a note stands close to its word
        plain = not in_heading and not closing and not page.one_line
        if token.type == "link_open":
            made, close = _opened(token, page, words, line)
            closing.append(close)
            yield made
        elif token.type == "link_close":
            yield html(closing.pop())
        elif token.type == "citation":
            yield html(_cited(token.meta["citations"], page, line, linked=not closing))
        elif token.type == "term":
            yield html(_term(token, page, words, line, linked=not closing and not in_heading))
        elif token.type == "card":
            yield html(_card(token.meta["code"], page.language, begins=not seen.strip() or seen.rstrip()[-1] in ".!?"))
        elif token.type == "text" and plain:
            between = _emphasis(children, at)
            own = term_links.emphasised(page, words, token.content) if between else None
            yield from [own] if own else term_links.linked(page, words, token.content) or [token]
        else:
            yield token
        seen = token.content if token.type == "text" and token.content else seen if token.nesting else "…"


def _emphasis(children: list[Token], at: int) -> bool:
    """Whether this text is all that stands in italics."""
    return at > 0 and _is(children, at - 1, "em_open") and _is(children, at + 1, "em_close")


def _is(children: list[Token], at: int, sort: str) -> bool:
    return at < len(children) and children[at].type == sort


def _opened(token: Token, page: Page, words: Lexicon, line: int) -> tuple[Token, str]:
    """The beginning of a link and what ends it; a mark instead where it leads nowhere."""
    url = str(token.attrs.get("href", ""))
    scheme, _colon, target = url.partition(":")
    if url.startswith("#"):
        return html(format_html('<a href="{}">', url)), "</a>"
    if scheme.lower() in ("http", "https"):
        return html(format_html('<a class="external" rel="nofollow ugc noopener" href="{}">', url)), "</a>"
    address = _inside(scheme.lower(), target, page, words)
    if address:
        return html(format_html('<a href="{}">', address)), "</a>"
    page.trouble(line, _("“%(link)s” leads nowhere.") % {"link": url})
    return html('<span class="unknown-target">'), "</span>"


def _inside(scheme: str, target: str, page: Page, words: Lexicon) -> str:
    """The address of `rules:troggu#deal`, `words:scart` (key, slug or the end of the key) or `sources:pagat`."""
    if scheme == "rules":
        return page.links.article(target)
    if scheme == "sources":
        return page.links.source(target)
    word = words.words.get(target) or words.words.get(f"words.{target}")
    if word is None:
        word = next((each for each in words.words.values() if each.slug == target), None)
    return page.links.to("word", word.slug) if word else ""


def _cited(cited: tuple[Citation, ...], page: Page, line: int, *, linked: bool) -> SafeString:
    if page.sheet:
        for citation in cited:
            if citation.source in page.notes.works:
                page.notes.mention(citation)
        return SafeString("")
    between = "" if page.one_line else mark_safe("<sup>,</sup>")
    return format_html_join(between, "{}", ((_one_cited(citation, page, line, linked=linked),) for citation in cited))


def _one_cited(citation: Citation, page: Page, line: int, *, linked: bool) -> SafeString:
    work = page.notes.works.get(citation.source)
    if work is None:
        page.trouble(line, _("There is no source “%(key)s”.") % {"key": citation.source})
        return format_html('<span class="unknown-source">[{}]</span>', _("source?"))
    if page.one_line:
        label = format_html("{}: {}", short_title(work), citation.locator) if citation.locator else short_title(work)
        address = page.links.to("source", citation.source) if linked else ""
        return format_html(' (<a class="cite" href="{}">{}</a>)' if address else " ({1})", address, label)
    number, mention = page.notes.mention(citation)
    if not linked:
        return format_html('<sup class="cite">[{}]</sup>', number)
    return format_html(
        '<sup class="cite" id="cited-{0}-{1}"><a href="#source-{0}" role="doc-noteref" aria-label="{2}">{0}</a></sup>',
        number,
        mention,
        _("Source %(number)d: %(title)s") % {"number": number, "title": short_title(work)},
    )


def _name_source(token: Token, page: Page, line: int) -> None:
    work = page.notes.works.get(token.meta["source"])
    token.type, token.content = "html_block", _titled(work, page) if work else ""


def _titled(work: Mapping[str, Any], page: Page) -> SafeString:
    language = work.get("language") or page.language
    lang = format_html(' lang="{}"', language) if language != page.language else SafeString("")
    return format_html("<span{}>{}</span> ", lang, short_title(work))


def _term(token: Token, page: Page, words: Lexicon, line: int, *, linked: bool) -> SafeString:
    """A term linked by hand: by its key, or by what follows `words.`; without a label, by the name of the language."""
    key, label = token.meta["key"], token.meta["label"]
    word = words.words.get(key) or words.words.get(f"words.{key}")
    if word is None:
        page.trouble(line, _("There is no word “%(key)s”.") % {"key": key})
        return format_html('<span class="unknown-target">{}</span>', label or key)
    text, language = (label, "") if label else (word.text, word.lang)
    if not linked:
        return format_html("{}", text)
    return term_links.link(page, word, text, language=language)


def _card(code: str, language: str, *, begins: bool) -> SafeString:
    term = names.card_term(code, language, "running")
    text = term.text[:1].upper() + term.text[1:] if begins else term.text
    lang = format_html(' lang="{}"', term.lang) if term.lang != language else SafeString("")
    return format_html('<span class="card-name"{}>{}</span>', lang, text)


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
