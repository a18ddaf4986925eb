"""A position as somebody lays it, and the record of a hand in which it comes up; and back from any moment of a hand.

Nothing here says what is legal. The deal is made so that everybody gets the cards they are to have; the engine plays it, and
only what it accepts is a position. Where earlier tricks are wanted that nobody named, they are made up as in the examples of
the encyclopedia (`rules.examples.composing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine import CODES, Action, Card, CardSet, Hand, IllegalAction, Record, Ruleset, cards_in, set_of
from domain.engine.actions import BARE, SAY
from domain.engine.cards import BAGAT, BIT, FOOL_BIT, FULL_PACK, HONOURS, LANES, TRUMPS
from domain.engine.record import RecordedHand, rewound
from domain.engine.ruleset import OptionValue
from domain.engine.state import NOBODY
from rules.examples import BadExample
from rules.examples.composing import Laid, Wanted, Wanting, compose, give_out, lay
from rules.examples.reading import Contract, hand_size
from rules.text import legality

NAMES: Final = ("Anna", "Beat", "Clau", "Dora", "Emil", "Flurin", "Gita", "Hans")
"""What the seats are called in a position: nobody sits there."""
_ATTEMPTS: Final = 120
_PASTS: Final = 80  # how often a past is made up until the right player leads to its first trick
_IN_VAIN: Final = 12  # after so many searches that found none at all, there is none
_BEFORE: Final = ("scart", "discard", "bid", "partner")


class BadPosition(ValueError):
    """What was laid cannot come up. `message` says in the active language why; `field` is the part it is about."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What somebody lays. `hands` are by seat, before `plays`: those with which the play begins, or, where each has only
    `left` cards, those at the beginning of a later trick, to which `leader` leads.

    `aside`: the Scart, or what the Tappist laid away, or the Tapp nobody has taken up. `keeps`: whoever has to lay cards away
    still has them. No `contract` in a game with bidding: nobody has bid yet. `plays` are cards, king and companion as
    `CK+CJ`, and words of the record (`buob`, `give`, …) in order. `led`: the suits led before the trick (None: any).
    """

    rules: Ruleset
    hands: tuple[CardSet, ...]
    dealer: int = 0
    aside: CardSet = 0
    contract: Contract = ""
    tappist: int = 0
    called: Card | None = None
    keeps: bool = False
    plays: tuple[str, ...] = ()
    left: int = 0
    leader: int = 0
    led: frozenset[int] | None = None
    fill: bool = True

    @property
    def is_later(self) -> bool:
        """Whether tricks have been played that the layout does not name."""
        return 0 < self.left < hand_size(self.rules)

    @property
    def lays_away(self) -> int:
        """The seat that lays cards away; NOBODY if none does."""
        if self.rules.bidding is not None:
            return self.tappist if self.contract == "normal" else NOBODY
        return self.dealer if self.rules.scart else NOBODY


def record_of(layout: Layout, chance: Random) -> Record:
    """The record of a hand that leads to what is laid; cards not named are given out by chance. Raises BadPosition."""
    if layout.is_later:
        return _later(layout, chance)
    layout = _free_to_pass(layout)
    known, bans = list(layout.hands), [0] * layout.rules.seats
    for _attempt in range(_ATTEMPTS):
        held, aside = _filled(layout, known, bans, chance)
        deal = lay(
            layout.rules,
            held,
            aside,
            layout.tappist if layout.contract != "misere" else layout.dealer + 1,
            0,
            layout.contract,
            chance,
            dealer=layout.dealer,
        )
        hand = Hand(layout.rules, deal.dealer, deal.pack, options=deal.options)
        _prepare(hand, deal, layout)
        broken = _play(hand, layout.plays)
        if broken is None:
            return _record(layout.rules, deal.dealer, deal.pack, deal.options, hand)
        if not _mend(layout, hand, broken, known, bans):
            raise _refused(hand, broken)
    raise BadPosition(
        _("no way was found to give out the rest so that this can be played. Place more of the cards yourself.")
    )


def _free_to_pass(layout: Layout) -> Layout:
    """Where all have passed, nobody holds what would have made them play. Raises BadPosition."""
    rule = layout.rules.bidding
    if rule is None or layout.contract != "misere" or layout.rules.seats < rule.forced_from:
        return layout
    forcing = FOOL_BIT | BIT[BAGAT]
    if any(held & forcing for held in layout.hands):
        raise BadPosition(
            _("with so many players, who holds the Fool or the I must play: nobody plays Misere."), "contract"
        )
    return replace(layout, aside=layout.aside | forcing)


def _filled(
    layout: Layout, known: Sequence[CardSet], bans: Sequence[CardSet], chance: Random
) -> tuple[list[CardSet], CardSet]:
    """All hands and the cards aside, those that are open given out by chance. Raises BadPosition."""
    rules = layout.rules
    away = rules.scart or rules.tapp
    sizes = [hand_size(rules)] * rules.seats
    chosen = layout.lays_away != NOBODY
    if layout.keeps and chosen:
        sizes[layout.lays_away] += away
        away = 0
    places = []
    for seat, (held, size) in enumerate(zip(known, sizes, strict=True)):
        _check_size(held, size, f"hand{seat}", NAMES[seat])
        places.append(Wanting(size - held.bit_count(), FULL_PACK & ~bans[seat]))
    _check_size(layout.aside, away, "aside", "")
    aside = Wanting(away - layout.aside.bit_count(), FULL_PACK & ~HONOURS if chosen else FULL_PACK)
    rest = rules.pack & ~layout.aside
    for held in known:
        rest &= ~held
    if rest and not layout.fill:
        raise _not_laid(rest)
    if not give_out(cards_in(rest), [*places, aside], chance):
        raise BadPosition(_("the rest of the cards cannot be given out: they do not fit what you have placed."))
    filled = [held | set_of(place.given) for held, place in zip(known, places, strict=True)]
    return filled, layout.aside | set_of(aside.given)


def _not_laid(rest: CardSet) -> BadPosition:
    count = rest.bit_count()
    few = ", ".join(CODES[card] for card in list(cards_in(rest))[:6]) + (", …" if count > 6 else "")
    text = ngettext(
        "%(count)d card has no place yet: %(cards)s. Place it, or let chance give out the rest.",
        "%(count)d cards have no place yet: %(cards)s. Place them, or let chance give out the rest.",
        count,
    )
    return BadPosition(text % {"count": count, "cards": few}, "fill")


def _check_size(held: CardSet, size: int, field: str, name: str) -> None:
    if held.bit_count() > size:
        told = {"name": name, "count": held.bit_count(), "most": size}
        text = _("%(name)s would hold %(count)d cards; here it can be %(most)d.") if name else _(
            "%(count)d cards would lie there; here it can be %(most)d."
        )  # fmt: skip
        raise BadPosition(text % told, field)


def _prepare(hand: Hand, deal: Laid, layout: Layout) -> None:
    """Answer what is asked before the play, as far as the layout goes. Raises BadPosition."""
    while not hand.over and hand.asked != "play":
        asked = hand.asked
        open_question = (
            (asked == "bid" and not layout.contract)
            or (asked in ("scart", "discard") and layout.keeps)
            or (asked == "partner" and layout.called is None and not layout.plays)
        )
        if open_question:
            return
        action = deal.answer(hand)
        if asked == "partner" and layout.called is not None:
            action = Action("call", (layout.called,))
        try:
            hand.push(action)
        except IllegalAction as error:
            field = "aside" if asked in ("scart", "discard") else "called" if asked == "partner" else ""
            raise BadPosition(legality.why_illegal(error.illegality), field) from None


@dataclass(frozen=True, slots=True)
class _Broken:
    """What of `plays` the engine did not accept, and why; `action` is None for what is no card and no word."""

    text: str
    action: Action | None
    error: IllegalAction | None = None


def _play(hand: Hand, plays: Sequence[str]) -> _Broken | None:
    """Do `plays` one after the other; the first that cannot be done, None if all could."""
    if plays and hand.asked in _BEFORE:
        return _Broken(plays[0], None)
    at = 0
    while at < len(plays):
        if hand.over:
            return _Broken(plays[at], None)
        action, used = _action(hand, plays[at:])
        text = " ".join(plays[at : at + used])
        if action is None:
            return _Broken(text, None)
        try:
            hand.push(action)
        except IllegalAction as error:
            return _Broken(text, action, error)
        at += used
    return None


def _action(hand: Hand, plays: Sequence[str]) -> tuple[Action | None, int]:
    """What the next words stand for, and how many they are. A card after a complete trick says that nobody calls."""
    text = plays[0]
    following = plays[1] if len(plays) > 1 else ""
    if hand.asked == "take" and text == "take" and following in CODES:
        return Action("take", (CODES.index(following),)), 2
    codes = text.split("+")
    if not set(codes) <= set(CODES):
        return BARE.get(text), 1
    cards = tuple(CODES.index(code) for code in codes)
    if hand.asked == "take":
        return Action("take", cards), 1
    if hand.asked == "call":
        hand.push(BARE["quiet"])
    if following == "buob":
        calling = Action("play", cards, signal="buob")
        if hand.why_illegal(calling) is None:
            return calling, 2
    return Action("play", cards), 1


def _mend(layout: Layout, hand: Hand, broken: _Broken, known: list[CardSet], bans: list[CardSet]) -> bool:
    """Where only the cards given out by chance stand in the way, say what they must be; False where something else does."""
    if broken.action is None or broken.action.verb != "play":
        return False
    seat, wanted = hand.turn, set_of(broken.action.cards)
    missing = wanted & ~hand.hands[seat]
    if missing:
        taken = layout.aside
        for held in known:
            taken |= held
        if missing & taken:
            return False
        known[seat] |= missing
        return True
    lanes = LANES[hand.lane] if hand.lane >= 0 else LANES[TRUMPS]
    if hand.lane >= 0 and not wanted & (LANES[TRUMPS] | FOOL_BIT):
        lanes |= LANES[TRUMPS] | (FOOL_BIT if layout.rules.bidding is not None else 0)
    if not hand.hands[seat] & ~known[seat] & lanes:
        return False
    bans[seat] |= lanes
    return True


def _refused(hand: Hand, broken: _Broken) -> BadPosition:
    text = broken.text[:20]
    if broken.error is not None:
        told = {"name": NAMES[hand.turn], "text": text, "why": legality.why_illegal(broken.error.illegality)}
        return BadPosition(_("%(name)s, %(text)s: %(why)s") % told, "plays")
    if hand.over:
        return BadPosition(_("“%(text)s”: the hand is over before that.") % {"text": text}, "plays")
    if hand.asked == "bid":
        return BadPosition(_("say who plays what before any card is played."), "contract")
    if hand.asked in _BEFORE:
        return BadPosition(_("“%(text)s”: no card can be played before all is settled that comes before the play.") % {"text": text}, "plays")  # fmt: skip
    return BadPosition(_("“%(text)s” is no card and no word of the play.") % {"text": text}, "plays")


def _record(
    rules: Ruleset,
    dealer: int,
    pack: tuple[Card, ...],
    options: Mapping[str, OptionValue],
    hand: Hand,
) -> Record:
    lines = tuple(f"{seat} {action}" for seat, action in hand.history)
    return Record(rules, dict(options), NAMES[: rules.seats], (RecordedHand(dealer, pack, lines),))


# --- A later trick -----------------------------------------------------------------------------------------------------


def _later(layout: Layout, chance: Random) -> Record:
    """A position whose earlier tricks are made up. Raises BadPosition."""
    layout = _free_to_pass(layout)
    rules, seats, leader = layout.rules, layout.rules.seats, layout.leader
    if rules.bidding is not None and not layout.contract:
        raise BadPosition(_("say who plays what: tricks have been played already."), "contract")
    if layout.keeps:
        raise BadPosition(_("tricks have been played already: the cards have been laid away."), "keeps")
    _check_size(layout.aside, rules.scart or rules.tapp, "aside", "")
    for seat, held in enumerate(layout.hands):
        _check_size(held, layout.left, f"hand{seat}", NAMES[seat])
    puts = tuple(_puts(layout))
    known = [layout.hands[(leader + place) % seats] for place in range(seats)]
    for place, put in enumerate(puts):
        known[place] |= set_of(put)
    seen = layout.aside
    for held in known:
        if seen & held:
            told = {"code": CODES[next(cards_in(seen & held))]}
            raise BadPosition(_("%(code)s lies elsewhere, so it cannot be played here.") % told, "plays")
        seen |= held
    for place, held in enumerate(known):
        _check_size(held, layout.left, "plays", NAMES[(leader + place) % seats])
    if seen & ~rules.pack:
        raise BadPosition(
            _("%(code)s is not in the pack of this game.") % {"code": CODES[next(cards_in(seen & ~rules.pack))]},
            "plays",
        )
    if not layout.fill and any(held.bit_count() < layout.left for held in known):
        raise _not_laid(rules.pack & ~seen)
    wanted = Wanted(
        rules=rules,
        before=hand_size(rules) - layout.left,
        puts=puts,
        known=tuple(known),
        led=layout.led or frozenset(),
        fresh=frozenset(range(4)) - layout.led if layout.led is not None else frozenset(),
        contract=layout.contract,
        aside=layout.aside,
    )
    first = layout.dealer if rules.bidding is None else layout.tappist
    in_vain = 0
    for _attempt in range(_PASTS):
        try:
            found = compose(wanted, str(chance.random()))
        except BadExample as error:
            raise BadPosition(error.message, "plays") from None
        if found is None:
            in_vain += 1
            if in_vain == _IN_VAIN:
                break
            continue
        deal = found.deal
        dealer, tappist = (deal.dealer + leader) % seats, (deal.tappist + leader) % seats
        if layout.contract != "misere" and first != (dealer if rules.bidding is None else tappist):
            continue
        if layout.contract == "misere" and dealer != layout.dealer:
            continue
        hand = Hand(rules, dealer, deal.pack, options=deal.options)
        for _seat, action in found.hand.history:
            partner = action.verb == "call" and layout.called is not None
            hand.push(Action("call", (layout.called,)) if partner and layout.called is not None else action)
        broken = _play(hand, layout.plays)
        if broken is not None:
            raise _refused(hand, broken)
        return _record(rules, dealer, deal.pack, deal.options, hand)
    raise BadPosition(
        _("no earlier tricks were found that lead to this. Give fewer cards, or leave more cards in the hands.")
    )


def _puts(layout: Layout) -> Iterator[tuple[Card, ...]]:
    """The cards of the trick on the table, one put of each place from its leader, as far as they are cards."""
    for text in layout.plays[: layout.rules.seats]:
        codes = text.split("+")
        if not set(codes) <= set(CODES):
            return
        yield tuple(CODES.index(code) for code in codes)


# --- Back --------------------------------------------------------------------------------------------------------------


def layout_of(whole: Hand, pack: Sequence[Card], step: int) -> Layout:
    """What one would lay to come to this hand after `step` actions; before the play, to its first lead or as far as it came."""
    rules = whole.ruleset
    begins = next((at for at, (_seat, action) in enumerate(whole.history) if action.verb == "play"), len(whole.history))
    start = rewound(whole, pack, begins)
    keeps = start.asked in ("scart", "discard")
    normal = start.contract == "normal"
    plays = [
        _word(action)
        for _seat, action in whole.history[begins : max(step, begins)]
        if action.verb not in ("quiet", SAY)
    ]
    return Layout(
        rules=rules,
        hands=tuple(start.hands),
        dealer=start.dealer,
        aside=0 if keeps else start.scart if normal or not rules.tapp else start.tapp,
        contract=_CONTRACTS.get(start.contract, ""),
        tappist=max(start.tappist, 0),
        called=start.called,
        keeps=keeps,
        plays=tuple(" ".join(plays).split()),
    )


_CONTRACTS: Final[dict[str, Contract]] = {"normal": "normal", "solo": "solo", "misere": "misere"}


def _word(action: Action) -> str:
    if action.verb == "play":
        codes = "+".join(CODES[card] for card in action.cards)
        return f"{codes} buob" if action.signal == "buob" else codes
    return str(replace(action, words=""))
