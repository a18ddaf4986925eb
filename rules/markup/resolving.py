"""The parser, and the resolving of its tokens: citations, links, card names, terms, and directives.

A directive is written `::: name id` … `:::`. One with prose (`glance`, `note`, `question`, `mistake`) becomes tokens
like any other text, so that citations and terms work inside it. The others leave a token of type `directive` for
`rules.markup.render`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from core.sursilvan import capfirst
from core.text import unwrapped
from domain.engine.cards import CODES
from rules.markup.lexicon import Lexicon, emphasised, html, lexicon, link, linked_terms
from rules.markup.page import (
    MAX_NESTING,
    MAX_PARAGRAPH,
    PAGE,
    Broken,
    Citation,
    Heading,
    Links,
    Page,
    citations,
    clean,
    page_of,
    place_in_words,
    short_title,
    writable,
)
from rules.text import names

_FENCE: Final = ":::"
_OPENING: Final = re.compile(r":::[ \t]*([a-z]+)(?:[ \t]+([a-z0-9][a-z0-9-]{0,59}))?[ \t]*\Z", re.ASCII)
_AT_LINE: Final = re.compile(r" ?\(at line (\d+), column (\d+)\)")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}\Z", re.ASCII | re.IGNORECASE)

DIRECTIVE: Final = "directive"
HEADS: Final = "heads"
LATER: Final = ("values", "ranks", "packets", "deal", "trumps", "words", "sources", "example", "puzzle")
NOT_ON_SHEETS: Final = ("deal", "example", "puzzle", "mistake", "words", "sources")
_NEED_AN_ID: Final = ("question", "mistake", "example", "puzzle")


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive in the text; `line` is that of its opening, counted from 1."""

    name: str
    id: str
    body: str
    line: int


def directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The block rule: read from a line that begins with `:::` to the line that closes it."""
    if state.is_code_block(start) or not _line(state, start).startswith(_FENCE):
        return False
    if silent:
        return True
    page = page_of(state.env)
    opening = _OPENING.match(_line(state, start))
    last, closed = _extent(state, start, end)
    state.line = last + 1 if closed else last
    before = len(state.tokens), state.level
    try:
        if opening is None:
            raise Broken(_("A directive is three colons and its name, as in “::: note”."))
        if state.level:
            raise Broken(_("A directive cannot stand inside a list or a quotation."))
        if not closed:
            raise Broken(_("This directive is not closed: write “:::” on a line of its own where it ends."))
        lines = state.getLines(start + 1, last, 0, False)
        _push(state, page, Directive(opening[1], opening[2] or "", lines, start + 1), (start + 1, last))
    except Broken as broken:
        del state.tokens[before[0] :]
        state.level = before[1]
        _html(state, broken_html(page, start + 1 + broken.line, broken.message))
    return True


def toml(body: str) -> Mapping[str, Any]:
    """The body as TOML. Raises Broken, with the line inside the directive."""
    try:
        return tomllib.loads(body)
    except (ValueError, RecursionError) as error:  # TOML's errors are ValueErrors
        line = _AT_LINE.search(str(error))
        reason = _AT_LINE.sub("", str(error))
        message = _("The directive is not written as TOML: %(why)s") % {"why": reason}
        raise Broken(message, int(line[1]) if line else 0) from None


def broken_html(page: Page, line: int, message: str) -> str:
    """HTML in place of something that cannot be shown; notes the trouble in `page`.

    It tells the writer what is wrong and where, and readers that something is missing.
    """
    page.trouble(line, message)
    explanation = _("Line %(line)d: %(message)s") % {"line": line, "message": message}
    text = explanation if page.preview else _("Something cannot be shown here.")
    return format_html('<p class="broken">{}</p>\n', text)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _extent(state: StateBlock, start: int, end: int) -> tuple[int, bool]:
    """The line where a directive ends, and whether it is closed there.

    If it is not closed, it ends before the next directive or section, so that a forgotten line does not swallow the
    page.
    """
    for line in range(start + 1, end):
        text = _line(state, line)
        if text.strip() == _FENCE:
            return line, True
        if text.startswith((_FENCE, "## ")):
            return line, False
    return end, False


def _push(state: StateBlock, page: Page, directive: Directive, lines: tuple[int, int]) -> None:
    """Add the tokens of a directive. Raises Broken."""
    if directive.name in _NEED_AN_ID and not directive.id:
        raise Broken(_("This directive needs an id: write “::: %(name)s some-id”.") % {"name": directive.name})
    if page.sheet and directive.name in NOT_ON_SHEETS:
        return
    if directive.name in LATER:
        token = state.push(DIRECTIVE, "", 0)
        token.meta = {DIRECTIVE: directive}
        token.map = [directive.line - 1, lines[1]]
    elif directive.name == "note":
        _note(state, lines)
    elif directive.name in _WITH_PROSE:
        _WITH_PROSE[directive.name](state, page, directive)
    else:
        raise Broken(_("There is no directive “%(name)s”.") % {"name": directive.name})


# --- Directives with prose --------------------------------------------------------------------------------------------


def _html(state: StateBlock, html: str) -> None:
    """Add HTML of our own between the tokens: never what somebody typed, unless escaped."""
    state.push("html_block", "", 0).content = html


class _Text(NamedTuple):
    """A writer's text, to be parsed as one line; `heads`: it is a heading or label, where no terms are linked."""

    text: str
    heads: bool = False


def _put(state: StateBlock, line: int, *parts: str | _Text | Citation) -> None:
    """Add HTML of our own, a writer's texts, and names of sources with the numbers of their notes, in this order."""
    for part in parts:
        if isinstance(part, str):
            _html(state, part)
            continue
        if isinstance(part, Citation):
            source_name = state.push("source_name", "", 0)
            source_name.meta = {"source": part.source}
            source_name.map = [line - 1, line]
            part = _Text(f"[@{part}]")
        token = state.push("inline", "", 0)
        token.meta[HEADS] = part.heads
        token.content = unwrapped(part.text)
        token.children = []
        token.map = [line - 1, line]


def _note(state: StateBlock, lines: tuple[int, int]) -> None:
    state.push("note_open", "aside", 1).attrSet("class", "note")
    before = state.lineMax, state.line
    state.lineMax = lines[1]
    state.md.block.tokenize(state, *lines)
    state.lineMax, state.line = before
    state.push("note_close", "aside", -1)


def _glance(state: StateBlock, page: Page, directive: Directive) -> None:
    rows = [line.partition(":") for line in directive.body.splitlines() if line.strip()]
    if not rows or not all(text.strip() for _label, _colon, text in rows):
        raise Broken(_("Every line at a glance reads “Label: text”."))
    _html(state, '<dl class="glance">')
    for number, (label, _colon, text) in enumerate(rows, directive.line + 1):
        _put(state, number, "<div><dt>", _Text(label, heads=True), "</dt><dd>", _Text(text), "</dd></div>")
    _html(state, "</dl>\n")


def _question(state: StateBlock, page: Page, directive: Directive) -> None:
    body = toml(directive.body)
    title, reading = _text(body, "title"), _text(body, "reading")
    says = body.get("says")
    if not isinstance(says, list) or len(says) < 2 or not all(isinstance(each, dict) for each in says):
        raise Broken(_("An open question has at least two [[says]], one for each source."))
    statements = [_statement(each) for each in says]
    page.questions.append(directive.id)
    if page.sheet:
        # The question and our reading, as one paragraph.
        begin = format_html('<p class="reading"><span class="mark">{}</span> <em>', _("Our reading:"))
        _put(state, directive.line, begin, _Text(title, heads=True), "</em> ", _Text(reading), "</p>\n")
        return
    _put(
        state,
        directive.line,
        format_html('<section class="question" id="question-{0}" aria-labelledby="question-{0}-title">', directive.id),
        format_html('<p class="mark">{}</p>', _("Open question – our reading")),
        format_html('<h3 id="question-{}-title">', directive.id),
        _Text(title, heads=True),
        '</h3><dl class="says">',
    )
    for source, marks, text in statements:
        _put(state, directive.line, "<div><dt>", source, f"</dt><dd>{marks[0]}", _Text(text), f"{marks[1]}</dd></div>")
    mark = _("We play:") if page.ruleset else _("Our reading:")
    begin = format_html('</dl><p class="reading"><strong>{}</strong> ', mark)
    _put(state, directive.line, begin, _Text(reading), *_why(body), "</p>")
    if page.key:
        address = page.links.talk(page.key, directive.id)
        link = '<p class="talk"><a id="{0}-talk" aria-labelledby="{0}-talk {0}-title" href="{1}">{2}</a></p>'
        _html(state, format_html(link, f"question-{directive.id}", address, _("Discuss this question")))
    _html(state, "</section>\n")


def _why(body: Mapping[str, Any]) -> tuple[str | _Text, ...]:
    return ('</p><p class="why">', _Text(_text(body, "why"))) if body.get("why") else ()


def _statement(each: Mapping[str, Any]) -> tuple[Citation, tuple[str, str], str]:
    """One side of a question: its source, the HTML before and after its words, and the words."""
    source = _one_citation(_text(each, "source"))
    if each.get("silent") is True:
        return source, ('<em class="missing">', "</em>"), _("says nothing about it")
    if each.get("paraphrase"):
        return source, ("", ""), _text(each, "paraphrase")
    quoted = _text(each, "quote", _("Give what the source says as quote, paraphrase, or silent = true."))
    language = str(each.get("lang") or "")
    if language and not _LANGUAGE.match(language):
        raise Broken(_("“%(lang)s” is not a language tag: write en, de or rm-sursilv.") % {"lang": language})
    lang = format_html(' lang="{}"', language) if language else ""
    return source, (f'<q class="quotation"{lang}>', "</q>"), quoted


def _mistake(state: StateBlock, page: Page, directive: Directive) -> None:
    body = toml(directive.body)
    where = body.get("where")
    cited = [
        _one_citation(str(each)) for each in (where if isinstance(where, list) else _text(body, "where").split(";"))
    ]
    claim, truth = _text(body, "claim"), _text(body, "truth")
    _put(
        state,
        directive.line,
        format_html('<section class="mistake" id="mistake-{0}" aria-labelledby="mistake-{0}-claim">', directive.id),
        format_html('<h3 id="mistake-{}-claim"><span class="mark">{}</span> ', directive.id, _("It is said:")),
        _Text(claim, heads=True),
        format_html('</h3><p class="placed"><span class="mark">{}</span> ', _("Found in")),
    )
    for number, each in enumerate(cited):
        _put(state, directive.line, ", " if number else "", each)
    begin = format_html('</p><p class="truth"><strong>{}</strong> ', _("In fact:"))
    _put(state, directive.line, begin, _Text(truth), *_why(body), "</p></section>\n")


def _one_citation(text: str) -> Citation:
    """A single citation, with or without its @. Raises Broken for anything else."""
    cited = citations(text)
    if len(cited) != 1:
        raise Broken(
            _("“%(text)s” is not a citation: write a source’s key, or “key: part of the work”.") % {"text": text}
        )
    return cited[0]


def _text(body: Mapping[str, Any], name: str, otherwise: str = "") -> str:
    """A text of the body. Raises Broken if it is missing."""
    value = body.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Broken(otherwise or _("“%(name)s” is missing.") % {"name": name})
    return value


_WITH_PROSE: Final[Mapping[str, Callable[[StateBlock, Page, Directive], None]]] = {
    "glance": _glance,
    "question": _question,
    "mistake": _mistake,
}


TOO_LONG: Final = "too long"
_MAX_LEVEL: Final = 40  # where the parser stops by itself; our own limit is reported long before
_CITED: Final = re.compile(r"\[(@[^\]\n]{1,300})\]")
_TERM: Final = re.compile(r"\[\[([a-z][a-z0-9._-]{0,79})(?:\|([^\]\n]{1,200}))?\]\]", re.ASCII)
_CARD: Final = re.compile(r"\{([A-Z0-9]{1,3})\}", re.ASCII)
_HEADING_ID: Final = re.compile(r"\s*\{#([a-z][a-z0-9-]{0,59})\}\s*\Z", re.ASCII)


@cache
def parser() -> MarkdownIt:
    """The parser. It keeps no state between texts: the state of a text is in its environment."""
    markdown = MarkdownIt(
        "commonmark", {"html": False, "linkify": False, "typographer": False, "maxNesting": _MAX_LEVEL}
    )
    markdown.enable("table")
    markdown.disable(["html_block", "html_inline", "image"])
    markdown.validateLink = writable  # type: ignore[method-assign]  # how markdown-it is told which links it may make
    for name, pattern, read in _OURS:
        markdown.inline.ruler.before("link", name, partial(_read_ours, name, pattern, read))
    markdown.block.ruler.before("fence", "directive", directive, {"alt": ["paragraph", "blockquote", "list"]})
    markdown.core.ruler.before("inline", "heading_ids", _heading_ids)
    markdown.core.ruler.before("inline", "long_paragraphs", _long_paragraphs)
    return markdown


_Read: TypeAlias = Callable[[re.Match[str]], dict[str, Any]]


def _read_ours(name: str, pattern: re.Pattern[str], read: _Read, state: StateInline, silent: bool) -> bool:
    """An inline rule: a match becomes a token `name` with what `read` returns for it; if that is empty, it is text."""
    match = pattern.match(state.src, state.pos, state.posMax)
    meta = read(match) if match else {}
    if match is None or not meta:
        return False
    if not silent:
        state.push(name, "", 0).meta = meta
    state.pos = match.end()
    return True


_OURS: Final[tuple[tuple[str, re.Pattern[str], _Read], ...]] = (
    ("citation", _CITED, lambda match: {"citations": cited} if (cited := citations(match[1])) else {}),
    ("term", _TERM, lambda match: {"key": match[1], "label": (match[2] or "").strip()}),
    ("card", _CARD, lambda match: {"code": match[1]} if match[1] in CODES else {}),
)


def _heading_ids(state: StateCore) -> None:
    """Remove `{#deal}` from the end of a heading and make it the heading's id."""
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open" and inline.type == "inline":
            match = _HEADING_ID.search(inline.content)
            if match:
                inline.content = inline.content[: match.start()]
                opening.meta["id"] = match[1]


def _long_paragraphs(state: StateCore) -> None:
    """Exclude excessively long paragraphs from the search for links and emphasis; they are shown as typed."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_PARAGRAPH:
            token.meta[TOO_LONG] = token.content
            token.content = ""


_NESTING: Final = {"bullet_list_open": 1, "ordered_list_open": 1, "blockquote_open": 1} | dict.fromkeys(
    ("bullet_list_close", "ordered_list_close", "blockquote_close"), -1
)
_RESERVED: Final = ("main", "source-", "cited-", "question-", "mistake-", "example-")


def resolve(tokens: list[Token], page: Page, words: Lexicon) -> None:
    """Turn every token of our markup into HTML, in place; note troubles, headings and terms in `page`."""
    _look_up_sources(tokens, page)
    depth = 0
    heading: Token | None = None
    for number, token in enumerate(tokens):
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
            _name_source(token, page)
        elif token.type in ("td_open", "th_open"):
            _align(token)
            _give_scope(tokens, number)


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
    """Give a heading its id; list sections of the second level in the outline."""
    title = "".join(child.content for child in children if child.type in ("text", "code_inline")).strip()
    heading_id = opening.meta.get("id") or slugify(title) or "section"
    if heading_id in page.ids or heading_id.startswith(_RESERVED):
        page.trouble(line, _("The id “%(id)s” is taken; choose another.") % {"id": heading_id})
    free = _free(heading_id, page)
    opening.attrSet("id", free)
    if opening.tag == "h2" and opening.level == 0:
        page.outline.append(Heading(free, title))


def _free(heading_id: str, page: Page) -> str:
    """The id itself, or with a number appended if it is taken."""
    stem = f"section-{heading_id}" if heading_id.startswith(_RESERVED) else heading_id
    free, number = stem, page.ids.get(stem, 0)
    while free in page.ids:
        number += 1
        free = f"{stem}-{number}"
    page.ids[stem] = max(number, 1)
    page.ids.setdefault(free, 1)
    return free


def _align(cell: Token) -> None:
    """Mark columns of figures by a class: the site's content security policy allows no style attributes."""
    style = cell.attrs.pop("style", "")
    if style == "text-align:right":
        cell.attrSet("class", "number")


def _give_scope(tokens: list[Token], number: int) -> None:
    """Let the cells of a column, and those of a line, be read with the first one. An empty cell is no head of others."""
    opening, content, closing = tokens[number : number + 3]
    is_head = opening.type == "th_open" or tokens[number - 1].type == "tr_open"
    opening.tag = closing.tag = "th" if is_head and content.content.strip() else "td"
    if opening.tag == "th":
        opening.attrSet("scope", "col" if opening.type == "th_open" else "row")


# --- Inside a line -----------------------------------------------------------------------------------------------------


def _children(children: list[Token], page: Page, words: Lexicon, line: int, *, in_heading: bool) -> Iterator[Token]:
    """The tokens of one line, with ours turned into HTML. Terms are not linked in headings, links and code."""
    closing: list[str] = []  # what closes the links we are in
    seen = ""  # the text before, to know the beginning of a sentence
    for at, token in enumerate(children):
        if token.type == "text" and _is(children, at + 1, "citation"):
            token.content = token.content.rstrip()  # no space between a word and the number of its note
        plain = not in_heading and not closing and not page.one_line
        if token.type == "link_open":
            opening, close = _opened(token, page, words, line)
            closing.append(close)
            yield opening
        elif token.type == "link_close":
            yield html(closing.pop())
        elif token.type == "citation":
            yield html(_cited(token.meta["citations"], page, line, linked=not closing))
        elif token.type == "term":
            yield html(_term(token, page, words, line, linked=not closing and not in_heading))
        elif token.type == "card":
            yield html(_card(token.meta["code"], page.language, begins=not seen.strip() or seen.rstrip()[-1] in ".!?"))
        elif token.type == "text" and plain:
            is_emphasised = _emphasis(children, at)
            own = emphasised(page, words, token.content) if is_emphasised else None
            yield from [own] if own else linked_terms(page, words, token.content) or [token]
        else:
            yield token
        if token.type == "text" and token.content:
            seen = token.content
        elif not token.nesting:
            seen = "…"


def _emphasis(children: list[Token], at: int) -> bool:
    """Whether this text is all that is between two marks of emphasis."""
    return at > 0 and _is(children, at - 1, "em_open") and _is(children, at + 1, "em_close")


def _is(children: list[Token], at: int, sort: str) -> bool:
    return at < len(children) and children[at].type == sort


def _opened(token: Token, page: Page, words: Lexicon, line: int) -> tuple[Token, str]:
    """The beginning of a link and its end; a mark instead if the link leads nowhere."""
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
    elif page.one_line:
        at = place_in_words(citation.locator) or citation.locator
        label = format_html("{}: {}", short_title(work), at) if at else short_title(work)
        address = page.links.to("source", citation.source) if linked else ""
        return format_html(' (<a class="cite" href="{}">{}</a>)' if address else " ({1})", address, label)
    elif not linked:
        return format_html('<sup class="cite">[{}]</sup>', page.notes.mention(citation)[0])
    return page.notes.mark(citation)


def _name_source(token: Token, page: Page) -> None:
    work = page.notes.works.get(token.meta["source"])
    token.type = "html_block"
    token.content = _titled(work, page) if work else ""


def _titled(work: Mapping[str, Any], page: Page) -> SafeString:
    language = work.get("language") or page.language
    lang = format_html(' lang="{}"', language) if language != page.language else SafeString("")
    return format_html("<span{}>{}</span> ", lang, short_title(work))


def _term(token: Token, page: Page, words: Lexicon, line: int, *, linked: bool) -> SafeString:
    """A term linked by hand, by its key or the part after `words.`; its label is by default the term's name."""
    key, label = token.meta["key"], token.meta["label"]
    word = words.words.get(key) or words.words.get(f"words.{key}")
    if word is None:
        page.trouble(line, _("There is no word “%(key)s”.") % {"key": key})
        return format_html('<span class="unknown-target">{}</span>', label or key)
    text, language = (label, "") if label else (word.text, word.lang)
    if not linked:
        return format_html("{}", text)
    return link(page, word, text, language=language)


def _card(code: str, language: str, *, begins: bool) -> SafeString:
    term = names.card_term(code, language, "running")
    text = capfirst(term.text) if begins else term.text
    lang = format_html(' lang="{}"', term.lang) if term.lang != language else SafeString("")
    return format_html('<span class="card-name"{}>{}</span>', lang, text)


def inline(text: str, language: str, *, reader: str = "") -> SafeString:
    """One line of markup, for captions and definitions: citations become inline links to their sources."""
    text = unwrapped(text)
    if not any(mark in text for mark in "*_`[]{}\\<&"):
        return format_html("{}", text)
    page = Page(language, Links(reader or language), one_line=True)
    with override(language):
        markdown = parser()
        env = {PAGE: page}
        tokens = markdown.parseInline(text, env)
        resolve(tokens, page, lexicon(language))
        return mark_safe(clean(markdown.renderer.render(tokens, markdown.options, env)))  # noqa: S308  # cleaned
