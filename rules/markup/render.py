"""From a document to HTML: parse, resolve, fill in what the engine and the term base know, render, clean.

Tables of a game, examples, and the lists of words and sources are filled in. A rule sheet is an article cut down to
what players want at the table: prose, tables and our reading of open questions. Examples, what each source says, words
and notes stay on the article's page; the sources that the sheet is based on are named once, at its foot.

`Mentions` links and explains the terms in sentences that the program writes, as in the account of a hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import override
from markdown_it.token import Token

from core.sursilvan import SURSILVAN, capfirst, joined
from domain.engine.cards import CODES, FOOL, LANES, SUITS, TRUMPS, CardSet, cards_in, value_of, values
from domain.engine.fool import HIGH_FOOL
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from rules import examples, registry, terms
from rules.markup import deal, trumps
from rules.markup.lexicon import WORD, Lexicon, Word, lexicon, link
from rules.markup.page import MAX_BYTES, PAGE, Broken, Citation, Heading, Links, Page, Trouble, clean, short_title
from rules.markup.resolving import DIRECTIVE, Directive, broken_html, inline, parser, resolve, toml
from rules.text import names

_RANKS: Final = ("K", "Q", "N", "J")


def card_values(rules: Ruleset) -> SafeString:
    """The values of the cards in this game's pack, the highest first."""
    by_value: dict[int, list[str]] = {}
    for card in cards_in(rules.pack):
        by_value.setdefault(value_of(card), []).append(CODES[card])
    rows = []
    for value in sorted(by_value, reverse=True):
        cards = _("every other card") if value == 1 else joined(" · ", _named(by_value[value]))
        rows.append((value, cards, len(by_value[value])))
    body = format_html_join(
        "", '<tr><th scope="row" class="number">{}</th><td>{}</td><td class="number">{}</td></tr>', rows
    )
    return format_html(
        '<div class="table-scroll"><table class="data engine-values"><thead><tr><th scope="col" class="number">{}</th>'
        '<th scope="col">{}</th><th scope="col" class="number">{}</th></tr></thead><tbody>{}</tbody>'
        '<tfoot><tr><th scope="row" class="number">{}</th><td>{}</td><td class="number">{}</td></tr></tfoot></table></div>',
        _("Value"),
        _("Card"),
        _("How many"),
        body,
        values(rules.pack),
        _("all values together"),
        rules.pack.bit_count(),
    )


def _named(codes: list[str]) -> list[str]:
    """Courts by their rank, trumps and the Fool by name, the highest first."""
    courts = [names.rank_name(rank) for rank in _RANKS if any(code[1:] == rank for code in codes)]
    trumps = [code for code in reversed(codes) if code[0] in "TF"]
    trumps.sort(key=lambda code: code == "F")
    return [*courts, *(names.card_name(code, in_sentence=True) for code in trumps)]


def ranks(rules: Ruleset) -> SafeString:
    """The rank of the cards in this game, the highest first: suits of the same order in one line, then the trumps."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for lane, suit in enumerate(SUITS):
        order = tuple(CODES[card][1:] for card in _high_to_low(rules.pack & LANES[lane]))
        alike.setdefault(order, []).append(suit)
    rows = [
        (joined(", ", [names.suit_name(suit) for suit in suits]), _line(names.rank_name(rank) for rank in order))
        for order, suits in alike.items()
    ]
    trumps = [names.trump_numeral(int(CODES[card][1:])) for card in _high_to_low(rules.pack & LANES[TRUMPS])]
    if rules.play is HIGH_FOOL:
        trumps.insert(0, names.card_short(CODES[FOOL]))
    rows.append((names.suit_name("T"), _line(trumps)))
    body = format_html_join("", "<div><dt>{}</dt><dd>{}</dd></div>", rows)
    return format_html('<dl class="ranks">{}</dl>', body)


def _high_to_low(cards: CardSet) -> list[int]:
    return sorted(cards_in(cards), reverse=True)


def _line(ranked: Iterable[str]) -> SafeString:
    items = format_html_join("", "<li>{}</li>", ((each,) for each in ranked))
    return format_html('<ol class="high-to-low" role="list">{}</ol>', items)


def packets(rules: Ruleset) -> SafeString:
    """How the cards are dealt: for each number of players, or for each number of rounds that a side may ask for."""
    return _packets_with_tapp(rules) if rules.tables else _packets_in_rounds(rules)


def _packets_in_rounds(rules: Ruleset) -> SafeString:
    rows = []
    for rounds in sorted(rules.batches, reverse=True):
        batches = rules.batches[rounds]
        dealer = rules.dealer_extra
        last = f"{batches[-1]}" if not dealer else f"{batches[-1]} + {dealer}"
        row = [rounds, " + ".join(map(str, batches)), " + ".join([*map(str, batches[:-1]), last]), rules.scart]
        rows.append(row if rules.scart else row[:2])
    heads = [_("Rounds"), _("Each player"), capfirst(names.word("dealer").text), _("Cards laid away")]
    return _table("engine-packets", heads if rules.scart else heads[:2], rows)


def _packets_with_tapp(rules: Ruleset) -> SafeString:
    rows = []
    for seats in rules.sizes:
        table = rules.tables[seats]
        before = table.tapp_after
        ways = table.packets or (table.batches,)
        for batches in ways:
            shown = [str(batch) for batch in batches]
            shown.insert(before, f"({table.tapp})")
            rows.append((seats, table.tapp, " + ".join(shown), sum(batches)))
    tapp = names.own_word("tapp").text
    heads = (_("How many players"), tapp, _("Packets, the %(tapp)s in brackets") % {"tapp": tapp}, _("Cards in hand"))
    return _table("engine-packets", heads, rows)


def _table(css: str, heads: Iterable[str], rows: Iterable[Iterable[object]]) -> SafeString:
    head = format_html_join("", '<th scope="col">{}</th>', ((each,) for each in heads))
    body = format_html_join(
        "",
        '<tr><th scope="row">{}</th>{}</tr>',
        ((first, format_html_join("", "<td>{}</td>", ((each,) for each in rest))) for first, *rest in rows),
    )
    return format_html(
        '<div class="table-scroll"><table class="data {}"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>',
        css,
        head,
        body,
    )


_TABLES: Final = {"values": card_values, "ranks": ranks, "packets": packets, "deal": deal.pictures}
WORDS: Final = "words"
SOURCES: Final = "sources"


def fill(tokens: Iterable[Token], page: Page) -> dict[str, str]:
    """Turn the directives that were left for later into HTML, in place.

    Words and sources are only known at the end of the page: returns the placeholders for them, by name.
    """
    waiting: dict[str, str] = {}
    for token in tokens:
        if token.type != DIRECTIVE:
            continue
        directive: Directive = token.meta[DIRECTIVE]
        token.type = "html_block"
        if directive.name in (WORDS, SOURCES):
            token.content = waiting.setdefault(directive.name, page.keep(""))
            continue
        try:
            token.content = page.keep(_html_of(directive, page))
        except Broken as broken:
            token.content = broken_html(page, directive.line + broken.line, broken.message)
    return waiting


def _html_of(directive: Directive, page: Page) -> str:
    if directive.name == "example":
        return _example(directive, page)
    if directive.name == "puzzle":
        return _puzzle(directive, page)
    if directive.name == "trumps":
        return trumps.table(page)
    game = toml(directive.body).get("ruleset") or page.ruleset
    if not isinstance(game, str) or not game:
        raise Broken(_('Say of which game: ruleset = "troccas".'))
    try:
        return engine_table(directive.name, game, page.language)
    except UnknownRuleset:
        raise Broken(_("There is no game “%(id)s”.") % {"id": game}) from None


@terms.cached_by_snapshot
def engine_table(name: str, game: str, language: str) -> SafeString:
    """A table of a game (`values`, `ranks`, `packets`, `deal`), in the active `language`. Raises UnknownRuleset."""
    return _TABLES[name](ruleset(game))


def _example(directive: Directive, page: Page) -> str:
    if directive.id in page.examples:
        raise Broken(_("There is an example “%(id)s” already.") % {"id": directive.id})
    try:
        example = examples.read(directive.body, ruleset=page.ruleset or None, seats=None)
        html = examples.show(example, page.language, id=directive.id)
    except examples.BadExample as bad:
        raise Broken(str(bad)) from None
    page.examples.append(directive.id)
    return html


def _puzzle(directive: Directive, page: Page) -> str:
    if directive.id in page.examples:
        raise Broken(_("There is an example “%(id)s” already.") % {"id": directive.id})
    rendered = (show(directive.id, page.language, page.links.language) for show in registry.puzzles)
    html = next(filter(None, rendered), None)
    if html is None:
        raise Broken(_("There is no puzzle “%(id)s”.") % {"id": directive.id})
    page.examples.append(directive.id)
    return html


def word_list(page: Page, words: Lexicon) -> SafeString:
    """The words a page uses, in the order of their first mention, each with what it means."""
    used = [words.words[key] for key in page.terms]
    items = format_html_join(
        "", '<div data-term="{}"><dt>{}</dt><dd{}>{}</dd></div>', (_row(word, page) for word in used)
    )
    return format_html('<dl class="word-list">{}</dl>', items) if used else SafeString("")


def _row(word: Word, page: Page) -> tuple[str, SafeString, SafeString, SafeString]:
    name = _name(word.text, word.lang, page, draft=word.draft)
    address = page.links.to("word", word.slug)
    if address:
        name = format_html('<a href="{}">{}</a>', address, name)
    if word.own and word.own.casefold() != word.text.casefold():
        name = format_html("{} <small>{}</small>", name, _name(word.own, word.own_lang, page))
    foreign = word.meaning and word.meaning_lang != page.language
    lang = format_html(' lang="{}"', word.meaning_lang) if foreign else SafeString("")
    meaning = inline(word.meaning, word.meaning_lang or page.language, reader=page.links.language)
    return word.key, name, lang, meaning


def _name(text: str, language: str, page: Page, *, draft: bool = False) -> SafeString:
    css = SafeString(' class="draft"') if draft else SafeString("")
    if language == page.language != SURSILVAN and not draft:  # around a Sursilvan text the page is in German
        return format_html("{}", text)
    return format_html('<span lang="{}"{}>{}</span>', language, css, text)


_NOTHING: Final = SafeString("")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as HTML, and what is in it.

    `outline`: the sections. `citations`: in the order of their numbers. `examples`, `questions`: ids. `terms`: keys of
    the concepts mentioned. `glossary`: their meanings, if the text has no section of words that shows them. `troubles`:
    what cannot be shown as intended, by line.
    """

    html: SafeString
    outline: tuple[Heading, ...] = ()
    citations: tuple[Citation, ...] = ()
    examples: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    glossary: SafeString = _NOTHING
    troubles: tuple[Trouble, ...] = ()


def render(
    document: Mapping[str, Any], language: str, *, key: str, preview: bool = False, reader: str = ""
) -> Rendered:
    """An article's document as HTML.

    `language` is that of the text, `reader` that of its reader if it differs: links lead to pages in it. Whatever the
    text contains, the result is harmless HTML; with `preview`, it shows what is wrong with the text.
    """
    text = str(document.get("text", ""))
    page = Page(
        language, Links(reader or language), key=key, ruleset=str(document.get("ruleset") or ""), preview=preview
    )
    with override(language):
        if len(text.encode()) > MAX_BYTES:
            message = _("This text is too long: %(most)d kB are the most.") % {"most": MAX_BYTES // 1000}
            return Rendered(format_html('<p class="broken">{}</p>', message), troubles=(Trouble(0, message),))
        return _render(text, page)


def troubles(document: Mapping[str, Any], language: str, *, key: str) -> tuple[Trouble, ...]:
    """What is wrong with an article's text, in the order of its lines; empty if it can be published as it is."""
    return render(document, language, key=key, preview=True).troubles


def _render(text: str, page: Page) -> Rendered:
    markdown = parser()
    env: dict[str, Any] = {PAGE: page}
    words = lexicon(page.language)
    tokens = markdown.parse(text, env)
    resolve(tokens, page, words)
    waiting = fill(tokens, page)
    html = clean(markdown.renderer.render(wrapped(tokens), markdown.options, env))
    used = word_list(page, words)
    notes = page.notes.html({source: page.links.to("source", source) for source in page.notes.works})
    for name, shown in ((WORDS, used), (SOURCES, notes)):
        if name in waiting:
            html = html.replace(waiting[name].rstrip("\n"), shown, 1)
    html = page.put_back(html)
    if notes and SOURCES not in waiting:
        html += format_html('<h2 id="sources">{}</h2>\n{}', _("Sources"), notes)
        page.outline.append(Heading("sources", _("Sources")))
    return Rendered(
        mark_safe(html),  # noqa: S308  # cleaned; what was put back comes from templates and format_html
        tuple(page.outline),
        tuple(page.notes.numbers),
        tuple(page.examples),
        tuple(page.questions),
        tuple(page.terms),
        _NOTHING if WORDS in waiting else used,
        tuple(sorted(page.troubles)),
    )


def wrapped(tokens: list[Token]) -> list[Token]:
    """The tokens with each table in a box that scrolls by itself, so that the page never does."""
    result: list[Token] = []
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("class", "data")
            # Focusable and named, because it scrolls by itself.
            box = format_html('<div class="table-scroll" role="region" tabindex="0" aria-label="{}">', _("Table"))
            result.append(Token("html_block", "", 0, content=box))
        result.append(token)
        if token.type == "table_close":
            result.append(Token("html_block", "", 0, content="</div>\n"))
    return result


_SECTIONS_LEFT_OUT: Final = ("example", "puzzles", "words", "sources")
_NO_HEADING: Final = 7


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rule sheet as HTML, and the sources it is based on: a short title and the language of each."""

    html: SafeString
    sources: tuple[tuple[str, str], ...] = ()


def sheet(document: Mapping[str, Any], language: str, *, key: str, reader: str = "") -> Sheet:
    """The rule sheet of an article's document in `language`; its links lead to pages in the language `reader`."""
    text = str(document.get("text", ""))
    if len(text.encode()) > MAX_BYTES:
        return Sheet(SafeString(""))
    links = Links(reader or language)
    page = Page(language, links, key=key, ruleset=str(document.get("ruleset") or ""), sheet=True)
    markdown = parser()
    env: dict[str, Any] = {PAGE: page}
    with override(language):
        tokens = _without_empty_sections(_without_sections(markdown.parse(text, env)))
        resolve(tokens, page, lexicon(language))
        fill(tokens, page)
        html = page.put_back(clean(markdown.renderer.render(wrapped(tokens), markdown.options, env)))
    works = [page.notes.works[source] for source in dict.fromkeys(each.source for each in page.notes.numbers)]
    sources = tuple((short_title(work), str(work.get("language") or "")) for work in works)
    return Sheet(mark_safe(html), sources)  # noqa: S308  # cleaned; what was put back is made by format_html


def _without_sections(tokens: list[Token]) -> list[Token]:
    """The text without the sections that a sheet has no room for."""
    kept: list[Token] = []
    leaving_out = False
    for token in tokens:
        if token.type == "heading_open" and token.tag in ("h1", "h2") and token.level == 0:
            leaving_out = token.meta.get("id") in _SECTIONS_LEFT_OUT
        if not leaving_out:
            kept.append(token)
    return kept


def _without_empty_sections(tokens: list[Token]) -> list[Token]:
    """The text without headings that have nothing left below them."""
    kept: list[Token] = []
    # Backwards: the level of the next heading that is kept, and whether there is text before that heading.
    below, has_text = _NO_HEADING, False
    at = len(tokens)
    while at:
        at -= 1
        token = tokens[at]
        if token.type == "heading_close" and token.level == 0:
            level = int(token.tag[1])
            if has_text or level < below < _NO_HEADING:
                kept += (token, tokens[at - 1], tokens[at - 2])
                below = level
            has_text = False
            at -= 2
        else:
            kept.append(token)
            has_text = True
    kept.reverse()
    return kept


FIRST, LAST = "\ue100", "\ue101"
_CARDS: Final = ("ranks.", "suits.", "trumps.")
_KEPT: Final = re.compile(f"{FIRST}(\\d+){LAST}")


@dataclass(slots=True)
class Mentions:
    """The terms in the sentences of one page in `language`, about the game of `ruleset`.

    Within a chapter, each term is linked at its first mention; `chapter` begins a new one. The names of cards, which
    may occur in every sentence, are linked only once on the whole page. Names of people and what they said must never
    be taken for a term: put `keep(text)` into the sentence instead.
    """

    language: str
    ruleset: str
    _page: Page = field(init=False)
    _words: Lexicon = field(init=False)
    _chapter: set[str] = field(default_factory=set)
    _kept: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._page = Page(self.language, Links(self.language), ruleset=self.ruleset)
        self._words = lexicon(self.language)

    def keep(self, text: str) -> str:
        """A placeholder for `text` until the sentence is linked. Equal texts have equal placeholders."""
        if text not in self._kept:
            self._kept.append(text)
        return f"{FIRST}{self._kept.index(text)}{LAST}"

    def chapter(self) -> None:
        """Begin a chapter: from here on, every term is linked again, except the names of cards."""
        self._chapter = {key for key in self._chapter if key.startswith(_CARDS)}

    def linked(self, sentence: str) -> SafeString:
        parts: list[SafeString] = []
        at = 0
        for start, end, word in self._found(sentence):
            parts.append(self._text(sentence[at:start]))
            parts.append(link(self._page, word, sentence[start:end], language=self._foreign(word, sentence[start:end])))
            self._chapter.add(word.key)
            at = end
        parts.append(self._text(sentence[at:]))
        return format_html_join("", "{}", ((part,) for part in parts))

    def plain(self, sentence: str) -> str:
        """The sentence as text, with placeholders replaced by what was kept."""
        return _KEPT.sub(lambda mark: self._kept[int(mark[1])], sentence)

    def glossary(self) -> SafeString:
        """The terms mentioned, each with its meaning; empty if there are none."""
        return word_list(self._page, self._words)

    def _found(self, sentence: str) -> list[tuple[int, int, Word]]:
        """The terms to link, in their order: words of the language, and the players' own words."""
        game = self._page.game
        matches = list(self._words.matches(sentence, game))
        taken = [range(start, end) for start, end, _word in matches]
        for match in WORD.finditer(sentence):
            own = self._words.own_word(match[0], game)
            if own is not None and own[0].own and not any(match.start() in part for part in taken):
                matches.append((match.start(), match.end(), own[0]))
        chosen: list[tuple[int, int, Word]] = []
        linked = set(self._chapter)
        for start, end, word in sorted(matches, key=lambda each: each[0]):
            if word.key not in linked:
                linked.add(word.key)
                chosen.append((start, end, word))
        return chosen

    def _foreign(self, word: Word, label: str) -> str:
        """The language of the label if it is the players' own word in another language; else empty."""
        own = self._words.own_word(label, self._page.game) if word.own.casefold() == label.casefold() else None
        return own[1] if own and own[0] is word and own[1] != self.language else ""

    def _text(self, text: str) -> SafeString:
        return format_html("{}", self.plain(text))
