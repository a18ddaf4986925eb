"""What a page fills in by itself: tables from the engine, examples, the words it uses, the sources it cites.

Tables that the engine fills: what the cards are worth, how they rank, how they are dealt.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from markdown_it.token import Token

from domain.engine.cards import CODES, FOOL, LANES, SUITS, TRUMPS, CardSet, cards_in, value_of, values
from domain.engine.fool import HIGH_FOOL
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from rules import examples
from rules.markup.directives import DIRECTIVE, Directive, broken_html, toml
from rules.markup.lexicon import Lexicon, Word
from rules.markup.page import Broken, Page
from rules.markup.resolving import inline
from rules.text import names

_RANKS: Final = ("K", "Q", "N", "J")


def card_values(rules: Ruleset) -> SafeString:
    """What each card of this game's pack is worth, the dearest first."""
    by_value: dict[int, list[str]] = {}
    for card in cards_in(rules.pack):
        by_value.setdefault(value_of(card), []).append(CODES[card])
    rows = []
    for value in sorted(by_value, reverse=True):
        said = _("every other card") if value == 1 else " · ".join(_named(by_value[value]))
        rows.append((value, said, len(by_value[value])))
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
    """How the cards rank in this game, the highest first: suits that rank alike in one line, then the trumps."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for lane, suit in enumerate(SUITS):
        order = tuple(CODES[card][1:] for card in _high_to_low(rules.pack & LANES[lane]))
        alike.setdefault(order, []).append(suit)
    rows = [
        (", ".join(names.suit_name(suit) for suit in suits), _line(names.rank_name(rank) for rank in order))
        for order, suits in alike.items()
    ]
    trumps = [names.trump_numeral(int(CODES[card][1:])) for card in _high_to_low(rules.pack & LANES[TRUMPS])]
    if _fool_is_a_trump(rules):
        trumps.insert(0, names.card_short(CODES[FOOL]))
    rows.append((names.suit_name("T"), _line(trumps)))
    body = format_html_join("", "<div><dt>{}</dt><dd>{}</dd></div>", rows)
    return format_html('<dl class="ranks">{}</dl>', body)


def _high_to_low(cards: CardSet) -> list[int]:
    return sorted(cards_in(cards), reverse=True)


def _fool_is_a_trump(rules: Ruleset) -> bool:
    return rules.play is HIGH_FOOL


def _line(ranked: Iterable[str]) -> SafeString:
    items = format_html_join("", "<li>{}</li>", ((each,) for each in ranked))
    return format_html('<ol class="high-to-low" role="list">{}</ol>', items)


def packets(rules: Ruleset) -> SafeString:
    """How the cards are dealt: for each size of table, or for each number of rounds a side may ask for."""
    return _packets_with_tapp(rules) if rules.tables else _packets_in_rounds(rules)


def _packets_in_rounds(rules: Ruleset) -> SafeString:
    rows = []
    for rounds in sorted(rules.batches, reverse=True):
        batches = rules.batches[rounds]
        dealer = rules.dealer_extra
        last = f"{batches[-1]}" if not dealer else f"{batches[-1]} + {dealer}"
        row = [rounds, " + ".join(map(str, batches)), " + ".join([*map(str, batches[:-1]), last]), rules.scart]
        rows.append(row if rules.scart else row[:2])
    heads = [_("Rounds"), _("Each player"), _capital(names.word("dealer").text), _("Cards laid away")]
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _table(css: str, heads: Iterable[str], rows: Iterable[Iterable[object]]) -> SafeString:
    head = format_html_join("", '<th scope="col">{}</th>', ((each,) for each in heads))
    body = format_html_join(
        "", "<tr>{}</tr>", ((format_html_join("", "<td>{}</td>", ((each,) for each in row)),) for row in rows)
    )
    return format_html(
        '<div class="table-scroll"><table class="data {}"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>',
        css,
        head,
        body,
    )


_TABLES: Final = {
    "values": card_values,
    "ranks": ranks,
    "packets": packets,
}
WORDS: Final = "words"
SOURCES: Final = "sources"


def fill(tokens: Iterable[Token], page: Page) -> dict[str, str]:
    """Make the directives that were left for later into HTML, in place.

    Words and sources are known only when the whole page is: what stands for them is returned by name.
    """
    waiting: dict[str, str] = {}
    for token in tokens:
        if token.type != DIRECTIVE:
            continue
        found: Directive = token.meta[DIRECTIVE]
        token.type = "html_block"
        if found.name in (WORDS, SOURCES):
            token.content = waiting.setdefault(found.name, page.keep(""))
            continue
        try:
            token.content = page.keep(_made(found, page))
        except Broken as broken:
            page.trouble(found.line + broken.line, broken.message)
            token.content = broken_html(page, found.line + broken.line, broken.message)
    return waiting


def _made(found: Directive, page: Page) -> str:
    if found.name == "example":
        return _example(found, page)
    game = toml(found.body).get("ruleset") or page.ruleset
    if not isinstance(game, str) or not game:
        raise Broken(_('Say of which game: ruleset = "troccas".'))
    try:
        return _TABLES[found.name](ruleset(game))
    except UnknownRuleset:
        raise Broken(_("There is no game “%(id)s”.") % {"id": game}) from None


def _example(found: Directive, page: Page) -> str:
    if found.id in page.examples:
        raise Broken(_("There is an example “%(id)s” already.") % {"id": found.id})
    try:
        example = examples.read(found.body, ruleset=page.ruleset or None, seats=None)
        shown = examples.show(example, page.language, article_key=page.key, id=found.id)
    except examples.BadExample as bad:
        raise Broken(str(bad)) from None
    page.examples.append(found.id)
    return shown


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
    if language == page.language and not draft:
        return format_html("{}", text)
    return format_html('<span lang="{}"{}>{}</span>', language, css, text)
