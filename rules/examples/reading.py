"""Examples as plain data, and reading them from the TOML of a directive.

Equal data are the same example, whatever its title. Errors in the form of an example are reported here; the engine
reports the others. Recorded games of which articles may show tricks are in `rules/content/records/*.json`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.text import unwrapped
from domain.engine import (
    CODES,
    Card,
    CardSet,
    Hand,
    Match,
    Record,
    Ruleset,
    UnknownRuleset,
    card_of,
    parse_record,
    set_of,
)
from domain.engine.actions import parse_line
from domain.engine.cards import BIT, KINGS, LANE_OF, SUITS
from domain.engine.rulesets import ruleset as find_ruleset
from rules.models import Entry, Revision

Put: TypeAlias = tuple[Card, ...]
"""What one player put into the trick: a card, or a king with its companion."""

Contract: TypeAlias = Literal["", "normal", "solo", "misere"]
CONTRACTS: Final[tuple[Contract, ...]] = ("normal", "solo", "misere")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What all examples have: a title, a caption in Markdown ("" for none), and the game. Cards are in order of play.

    `why`, in Markdown, is shown with the answer, so that it gives nothing away before. Players are identified by their
    place: 0 leads to the trick, 1 plays next (the writer counts from 1).
    """

    ruleset: str
    seats: int
    title: str = field(default="", compare=False)
    caption: str = field(default="", compare=False)
    why: str = field(default="", compare=False)

    @property
    def rules(self) -> Ruleset:
        """The game at a table of this size."""
        return find_ruleset(self.ruleset, None, self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayExample(Example):
    """What may be played here? `hold` is the whole hand of the player on turn, after `trick`.

    `led_before`: the suits led earlier in this hand, None if it does not matter. `withheld`: the Fool was withheld.
    """

    hold: tuple[Card, ...]
    trick: tuple[Put, ...] = ()
    led_before: frozenset[int] | None = None
    contract: Contract = ""
    withheld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickExample(Example):
    """Who wins, and why? The trick is complete. `takes`: which card comes back to the player of king and companion."""

    trick: tuple[Put, ...]
    led_before: frozenset[int] | None = None
    contract: Contract = ""
    takes: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExample(Example):
    """What does a call lead to? `jack` is the place of the player with the called card, or where else it is.

    `answer` is what the holder of the Fool does with the jack, if that is to be decided.
    """

    trick: tuple[Put, ...]
    jack: int | Literal["scart", "played"]
    call: Literal["buob", "buob-sche"]
    answer: Literal["give", "keep"] = "give"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountExample(Example):
    """What do these cards of one side count? `laid` are those in the scart; `dealer_side`: it is the dealer's side."""

    cards: tuple[Card, ...]
    laid: CardSet = 0
    tricks: int | None = None
    dealer_side: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleExample(Example):
    """Who pays whom? `points` are those of the Tappist's side and of the others, or of each player in a Misere."""

    contract: Contract
    points: tuple[int, ...]
    tappist: int = 0
    partner: int | None = None
    no_trick: bool = False
    options: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderExample(Example):
    """How do these cards rank? All of one suit, or trumps and the Fool."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordExample(Example):
    """Tricks `first` to `last` of hand `hand` of a recorded game, all counted from 1."""

    record: str
    hand: int
    first: int
    last: int


class BadExample(Exception):
    """An example that cannot be shown. `message` says in the active language what is wrong and where.

    `field` names the line of the example concerned, empty for the whole; `line` counts from 1 inside the example, 0 if
    unknown.
    """

    def __init__(self, message: str, field: str = "", line: int = 0) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.message = str(self)
        self.field = field
        self.line = line


FOLDER: Final = Path(__file__).resolve().parent.parent / "content" / "records"
ALL_TRICKS: Final = 99  # more than any hand has
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}")


@cache
def record(name: str) -> Record | None:
    """The record with this name, None if there is none."""
    if not _NAME.fullmatch(name):
        return None
    path = FOLDER / f"{name}.json"
    return parse_record(path.read_bytes()) if path.is_file() else None


@cache
def hand_at(name: str, number: int, trick: int) -> Hand:
    """Hand `number` of an existing record, after `trick` tricks were gathered and settled; at the latest, at its end.

    All callers get the same hand: copy it before acting.
    """
    found = record(name)
    assert found is not None
    match = Match(found.ruleset, found.options, dealer=found.hands[0].dealer)
    for at, recorded in enumerate(found.hands[:number], 1):
        hand = match.deal(recorded.pack)
        for line in recorded.actions:
            if at == number and len(hand.tricks) == trick and hand.asked == "play":
                return hand
            match.push(parse_line(line)[1])
    return hand


def tricks_played(name: str, number: int) -> int:
    """How many tricks were played in a hand of an existing record; 0 if it was not played at all."""
    return len(hand_at(name, number, ALL_TRICKS).tricks)


_KEPT: Final = 200
LONGEST: Final = 4000  # characters of an example
LONGEST_TITLE: Final = 120
LONGEST_CAPTION: Final = 600
ASKING: Final = frozenset({"play", "trick", "call"})
"""The kinds whose answer is hidden until the reader opens it, and may have an explanation (`why`)."""
_AT_LINE: Final = re.compile(r"at line (\d+)")


@lru_cache(maxsize=_KEPT)
def read(text: str, *, ruleset: str | None, seats: int | None) -> Example:
    """The example that a directive's TOML describes; `ruleset` and `seats` are those of the article, if any.

    The same text is read once. Raises BadExample, in the active language. Violations of the rules of the game are only
    found when the example is answered or shown.
    """
    table = _Table(_toml(text))
    kind = table.text("kind", required=True)
    if kind not in KINDS:
        raise BadExample(_("there is no kind “%(kind)s”. Choose one of: %(kinds)s.") % {
            "kind": kind[:40], "kinds": ", ".join(KINDS),
        }, "kind")  # fmt: skip
    common = {
        "title": table.text("title", longest=LONGEST_TITLE),
        "caption": table.text("caption", longest=LONGEST_CAPTION),
    }
    if kind in ASKING:
        common["why"] = table.text("why", longest=LONGEST_CAPTION)
    game = table.text("ruleset") or ruleset or ""
    if kind == "record":
        example: Example = _record(table, common)
    else:
        rules = _game(table, game, seats)
        example = _OF_A_GAME[kind](table, rules, {"ruleset": rules.id, "seats": rules.seats, **common})
    table.finish()
    return example


def _toml(text: str) -> Mapping[str, Any]:
    if len(text) > LONGEST:
        raise BadExample(_("an example has at most %(number)d characters.") % {"number": LONGEST})
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = _AT_LINE.search(str(error))
        raise BadExample(
            _("this cannot be read as TOML: %(why)s") % {"why": error}, line=int(found[1]) if found else 0
        ) from None


class _Table:
    """The lines of an example: each is removed when it is read, so that `finish` can report unknown ones."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.left = dict(given)

    def has(self, name: str) -> bool:
        return name in self.left

    def text(self, name: str, *, required: bool = False, longest: int = LONGEST) -> str:
        value = self.left.pop(name, "")
        if not isinstance(value, str):
            raise BadExample(_("write a text in quotation marks."), name)
        if required and not value.strip():
            raise BadExample(_("this line is missing."), name)
        if len(value) > longest:
            raise BadExample(_("at most %(number)d characters.") % {"number": longest}, name)
        return unwrapped(value)

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self.left.pop(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadExample(_("write a number from %(low)d to %(high)d.") % {"low": low, "high": high}, name)
        return value

    def flag(self, name: str) -> bool:
        value = self.left.pop(name, False)
        if not isinstance(value, bool):
            raise BadExample(_("write true or false."), name)
        return value

    def numbers(self, name: str, count: int) -> tuple[int, ...]:
        value = self.left.pop(name, None)
        fits = isinstance(value, list) and len(value) == count
        if not fits or any(isinstance(one, bool) or not isinstance(one, int) or not 0 <= one <= 200 for one in value):
            raise BadExample(
                ngettext("write a list of %(count)d number.", "write a list of %(count)d numbers.", count)
                % {"count": count},
                name,
            )
        return tuple(value)

    def choice(self, name: str, choices: tuple[str, ...], default: str = "") -> str:
        value = self.text(name) or default
        if value and value not in choices:
            raise BadExample(_("write one of: %(choices)s.") % {"choices": ", ".join(choices)}, name)
        return value

    def finish(self) -> None:
        if self.left:
            name = str(next(iter(self.left)))[:40]
            raise BadExample(_("an example of this kind has no such line."), name)


class _Cards:
    """The cards that an example names, each at most once and all from the pack."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.seen = 0

    def card(self, code: str, field: str) -> Card:
        try:
            card = card_of(code)
        except ValueError:
            raise BadExample(
                _("there is no card “%(code)s”. Cards are written like CK, O10, T21 or F.") % {"code": code[:10]}, field
            ) from None
        if not self.rules.pack & BIT[card]:
            raise BadExample(_("%(code)s is not in the pack of this game.") % {"code": code}, field)
        if self.seen & BIT[card]:
            raise BadExample(_("%(code)s appears here twice.") % {"code": code}, field)
        self.seen |= BIT[card]
        return card

    def line(self, table: _Table, field: str, *, required: bool = False) -> tuple[Card, ...]:
        return tuple(self.card(code, field) for code in table.text(field, required=required).split())

    def trick(self, table: _Table, *, pair: int = 0) -> tuple[Put, ...]:
        """The puts of a trick; `pair` is the place (from 1) that must have played two cards, 0 if none must."""
        puts = []
        for text in table.text("trick").split():
            put = tuple(self.card(code, "trick") for code in text.split("+"))
            if len(put) > 2 or (len(put) == 2 and not self._companions(put)):
                raise BadExample(_("only a king and its companion are played together, as CK+CJ."), "trick")
            puts.append(put)
        if pair and (pair > len(puts) or len(puts[pair - 1]) != 2):
            raise BadExample(_("this place played one card only: write king and companion as CK+CJ."), "pair")
        return tuple(puts)

    def _companions(self, put: Put) -> bool:
        rule = self.rules.pair
        return rule is not None and bool(KINGS & BIT[put[0]]) and put[1] == put[0] - rule.below_king


# --- The kinds ---------------------------------------------------------------------------------------------------------


def _game(table: _Table, id: str, seats: int | None) -> Ruleset:
    if not id:
        raise BadExample(_('say which game this is, as ruleset = "troccas".'), "ruleset")
    wanted = table.number("seats", 3, 8) if table.has("seats") else seats
    try:
        sizes = find_ruleset(id).sizes
    except UnknownRuleset:
        raise BadExample(_("there is no game “%(id)s”.") % {"id": id[:40]}, "ruleset") from None
    if wanted is not None and wanted not in sizes:
        raise BadExample(_("this game is played by %(sizes)s.") % {"sizes": ", ".join(map(str, sizes))}, "seats")
    return find_ruleset(id, None, wanted)


def _led_before(table: _Table) -> frozenset[int] | None:
    if not table.has("led_before"):
        return None
    letters = table.text("led_before")
    if not set(letters) <= set(SUITS):
        raise BadExample(_("write the letters of suits, as “CS”."), "led_before")
    return frozenset(SUITS.index(letter) for letter in letters)


def _contract(table: _Table, rules: Ruleset) -> Contract:
    given = table.text("contract")
    if rules.bidding is None:
        if given:
            raise BadExample(_("in this game nobody bids."), "contract")
        return ""
    if not given:
        return "normal"
    has_misere = rules.bidding.if_none_takes == "misere"
    contracts = [contract for contract in CONTRACTS if contract != "misere" or has_misere]
    for contract in contracts:
        if contract == given:
            return contract
    raise BadExample(_("write one of: %(choices)s.") % {"choices": ", ".join(contracts)}, "contract")


def hand_size(rules: Ruleset) -> int:
    return sum(rules.batches[max(rules.batches)])


def _play(table: _Table, rules: Ruleset, base: dict[str, Any]) -> PlayExample:
    cards = _Cards(rules)
    hold = cards.line(table, "hold", required=True)
    if len(hold) > hand_size(rules):
        told = {"number": hand_size(rules)}
        raise BadExample(_("nobody holds more than %(number)d cards in this game.") % told, "hold")
    trick = cards.trick(table)
    if len(trick) >= rules.seats:
        raise BadExample(_("the trick is complete: nobody is asked for a card any more."), "trick")
    withheld = table.flag("withheld")
    contract = _contract(table, rules)
    if withheld and (rules.bidding is None or card_of("F") not in hold):
        raise BadExample(_("only the Fool of Troggu is withheld, by whoever holds it."), "withheld")
    led_before = _led_before(table)
    return PlayExample(**base, hold=hold, trick=trick, led_before=led_before, contract=contract, withheld=withheld)


def _complete_trick(table: _Table, rules: Ruleset, cards: _Cards) -> tuple[Put, ...]:
    pair = table.number("pair", 1, rules.seats) if table.has("pair") else 0
    trick = cards.trick(table, pair=pair)
    if len(trick) != rules.seats:
        told = {"players": rules.seats, "cards": len(trick)}
        raise BadExample(_("%(players)d play, but %(cards)d have put down a card.") % told, "trick")
    return trick


def _trick(table: _Table, rules: Ruleset, base: dict[str, Any]) -> TrickExample:
    trick = _complete_trick(table, rules, _Cards(rules))
    takes = _Cards(rules).card(table.text("takes"), "takes") if table.has("takes") else None
    led_before = _led_before(table)
    return TrickExample(**base, trick=trick, led_before=led_before, contract=_contract(table, rules), takes=takes)


def _call(table: _Table, rules: Ruleset, base: dict[str, Any]) -> CallExample:
    rule = rules.call
    if rule is None:
        raise BadExample(_("in this game nothing is called into a trick."), "kind")
    trick = _complete_trick(table, rules, _Cards(rules))
    led = next((LANE_OF[put[0]] for put in trick if LANE_OF[put[0]] >= 0), -1)
    laid = set_of(card for put in trick for card in put)
    king = next((card for card in range(78) if BIT[card] & KINGS and LANE_OF[card] == led), None)
    if king is None or not laid & BIT[king]:
        raise BadExample(_("the king of the suit that was led has to lie in the trick."), "trick")
    where = table.left.pop("jack", None)
    jack: Any = where - 1 if isinstance(where, int) and not isinstance(where, bool) else where
    if jack not in ("scart", "played") and not (isinstance(jack, int) and 0 <= jack < rules.seats):
        raise BadExample(
            _("write the place of its holder, from 1 to %(seats)d, or “scart” or “played”.") % {"seats": rules.seats},
            "jack",
        )
    calls = ("buob", "buob-sche") if rule.exempting else ("buob",)
    call: Any = table.choice("call", calls, "buob")
    answer: Any = table.choice("answer", ("give", "keep"), "give")
    return CallExample(**base, trick=trick, jack=jack, call=call, answer=answer)


def _count(table: _Table, rules: Ruleset, base: dict[str, Any]) -> CountExample:
    cards = _Cards(rules).line(table, "cards", required=True)
    laid = set_of(_Cards(rules).line(table, "scart"))
    if laid & ~set_of(cards):
        raise BadExample(_("the cards of the scart are among “cards” too."), "scart")
    most = hand_size(rules)
    tricks = table.number("tricks", 0, most) if table.has("tricks") else None
    return CountExample(**base, cards=cards, laid=laid, tricks=tricks, dealer_side=table.flag("dealer_side"))


def _settle(table: _Table, rules: Ruleset, base: dict[str, Any]) -> SettleExample:
    if rules.bidding is None:
        raise BadExample(_("in this game nobody pays."), "kind")
    contract = _contract(table, rules)
    misere = contract == "misere"
    points = table.numbers("points", rules.seats if misere else 2)
    if sum(points) > 114 or (sum(points) < 114 and not misere):
        raise BadExample(_("all cards together count 114."), "points")
    tappist = 0 if misere else table.number("tappist", 1, rules.seats, 1) - 1
    partner = None
    if table.has("partner"):
        partner = table.number("partner", 1, rules.seats) - 1
        if contract != "normal" or rules.seats < rules.bidding.partner_from or partner == tappist:
            raise BadExample(_("nobody has a partner here."), "partner")
    no_trick = table.flag("no_trick")
    agreed = [option for option in rules.options if option.name in ("stake", "double_at") and table.has(option.name)]
    options = [(option.name, table.number(option.name, option.low, option.high)) for option in agreed]
    base |= {"contract": contract, "tappist": tappist, "partner": partner}
    return SettleExample(**base, points=points, no_trick=no_trick, options=tuple(options))


def _order(table: _Table, rules: Ruleset, base: dict[str, Any]) -> OrderExample:
    cards = _Cards(rules).line(table, "cards", required=True)
    lanes = {LANE_OF[card] if CODES[card] != "F" else 4 for card in cards}
    if len(lanes) != 1:
        raise BadExample(_("only cards of one suit, or trumps, have an order among themselves."), "cards")
    return OrderExample(**base, cards=cards)


def _record(table: _Table, common: dict[str, Any]) -> RecordExample:
    name = table.text("record", required=True)
    game = record(name)
    if game is None:
        raise BadExample(_("there is no record “%(name)s”.") % {"name": name[:60]}, "record")
    hand = table.number("hand", 1, len(game.hands), 1)
    played = tricks_played(name, hand)
    if not played:
        raise BadExample(_("this hand was not played."), "hand")
    if table.has("trick"):
        first = last = table.number("trick", 1, played)
    else:
        first = table.number("from", 1, played)
        last = table.number("to", first, played)
    if table.has("seats"):
        table.number("seats", game.ruleset.seats, game.ruleset.seats)
    common |= {"ruleset": game.ruleset.id, "seats": game.ruleset.seats}
    return RecordExample(**common, record=name, hand=hand, first=first, last=last)


_OF_A_GAME: Final[dict[str, Callable[[_Table, Ruleset, dict[str, Any]], Example]]] = {
    "play": _play,
    "trick": _trick,
    "call": _call,
    "count": _count,
    "settle": _settle,
    "order": _order,
}
KINDS: Final = (*_OF_A_GAME, "record")


_EXAMPLE: Final = re.compile(
    r"^:::[ \t]*example[ \t]+([a-z0-9][a-z0-9-]*)[ \t]*\n(.*?)^:::[ \t]*$", re.MULTILINE | re.DOTALL
)


def examples_in(text: str) -> Iterator[tuple[str, str]]:
    """The id and the TOML of every example in an article's text, in order."""
    for match in _EXAMPLE.finditer(text.replace("\r\n", "\n")):
        yield match[1], match[2]


def published_example(article: str, language: str, id: str) -> Example | None:
    """An example of a published article, None if there is none with this id. Raises BadExample if it cannot be read."""
    of_article = {"publishes__kind": Entry.Kind.ARTICLE, "publishes__key": article, "publishes__language": language}
    document = Revision.objects.filter(**of_article).values_list("document", flat=True).first()
    if document is None:
        return None
    body = next((body for example_id, body in examples_in(document["text"]) if example_id == id), None)
    return read(body, ruleset=document.get("ruleset") or None, seats=None) if body is not None else None
