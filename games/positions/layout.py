"""A position that somebody sets up, the record of a hand that leads to it, and the way back from any moment of a hand.

Nothing here decides what is legal. The deal is made so that everybody gets the cards they should have; the engine plays
it, and only what it accepts is a position. Earlier tricks that nobody named are made up as in the examples of the
encyclopedia (`rules.examples.composing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine import CODES, Action, Card, CardSet, Hand, IllegalAction, Record, Ruleset, cards_in, set_of
from domain.engine.actions import BARE, SAY
from domain.engine.cards import BAGAT, BIT, FOOL_BIT, FULL_PACK, LANES, TRUMPS
from domain.engine.record import RecordedHand, rewound
from domain.engine.state import NOBODY
from rules.examples import BadExample
from rules.examples.composing import (
    Composed,
    ComposedDeal,
    Requirements,
    Wanting,
    aside_wanting,
    compose,
    deal_for,
    distribute,
)
from rules.examples.reading import Contract, hand_size
from rules.text import legality

NAMES: Final = ("Anna", "Beat", "Clau", "Dora", "Emil", "Flurin", "Gita", "Hans")
"""The names of the seats in a position, where nobody sits."""
_ATTEMPTS: Final = 120
_PASTS: Final = 80  # how often earlier tricks are made up until the right player leads to the first of them
_IN_VAIN: Final = 12  # after this number of searches without a result, we give up
_BEFORE: Final = ("scart", "discard", "bid", "partner")


class BadPosition(ValueError):
    """The position is impossible. `message` says why in the active language; `field` is the part that is wrong."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A position as somebody sets it up.

    `hands` are by seat, before `plays`: those with which the play begins or, if each has only `left` cards, those at
    the beginning of a later trick, to which `leader` leads. `aside`: the Scart, or the Tappist's discards, or the Tapp
    that nobody has taken. `keeps`: the player who must discard still holds these cards. An empty `contract` in a game
    with bidding means that nobody has bid yet. `plays` are cards (king and companion as `CK+CJ`) and words of the
    record (`buob`, `give`, …) in order. `led`: the suits led before the trick (None: any). `fill`: deal the cards that
    are not placed at random.
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
        """Whether there were earlier tricks, which the layout does not contain."""
        return 0 < self.left < hand_size(self.rules)

    @property
    def lays_away(self) -> int:
        """The seat that discards; NOBODY if none does."""
        if self.rules.bidding is not None:
            return self.tappist if self.contract == "normal" else NOBODY
        return self.dealer if self.rules.scart else NOBODY

    def seat_at(self, place: int) -> int:
        """The seat of a place at a later trick; places count from its leader."""
        return (self.leader + place) % self.rules.seats


def record_of(layout: Layout, chance: Random) -> Record:
    """The record of a hand that leads to the position; cards that are not placed are dealt at random.

    Raises BadPosition.
    """
    if layout.is_later:
        return _record_of_later_trick(layout, chance)
    layout = _free_to_pass(layout)
    known, bans = list(layout.hands), [0] * layout.rules.seats
    for _attempt in range(_ATTEMPTS):
        held, aside = _filled(layout, known, bans, chance)
        leader = layout.tappist if layout.contract != "misere" else layout.dealer + 1
        deal = deal_for(layout.rules, held, aside, leader, 0, layout.contract, chance, dealer=layout.dealer)
        hand = Hand(layout.rules, deal.dealer, deal.pack, options=deal.options)
        _prepare(hand, deal, layout)
        rejected = _play(hand, layout.plays)
        if rejected is None:
            return _record(hand, deal)
        if not _add_constraint(layout, hand, rejected, known, bans):
            raise _rejection(hand, rejected)
    raise BadPosition(
        _("no way was found to give out the rest so that this can be played. Place more of the cards yourself.")
    )


def _free_to_pass(layout: Layout) -> Layout:
    """If all have passed, put aside the cards that would have forced their holder to play. Raises BadPosition."""
    rule = layout.rules.bidding
    if rule is None or layout.contract != "misere" or layout.rules.seats < rule.forced_from:
        return layout
    forcing = FOOL_BIT | BIT[BAGAT]
    if any(held & forcing for held in layout.hands):
        raise BadPosition(
            _("with so many players, whoever holds the Fool or the I must play: nobody plays Misere."), "contract"
        )
    return replace(layout, aside=layout.aside | forcing)


def _filled(
    layout: Layout, known: Sequence[CardSet], bans: Sequence[CardSet], chance: Random
) -> tuple[list[CardSet], CardSet]:
    """All hands and the cards aside, with the unplaced cards dealt at random. Raises BadPosition."""
    rules = layout.rules
    away = rules.scart or rules.tapp
    sizes = [hand_size(rules)] * rules.seats
    laid_by_a_player = layout.lays_away != NOBODY
    if layout.keeps and laid_by_a_player:
        sizes[layout.lays_away] += away
        away = 0
    places = []
    for seat, (held, size) in enumerate(zip(known, sizes, strict=True)):
        _check_size(held, size, f"hand{seat}", NAMES[seat])
        places.append(Wanting(size - held.bit_count(), FULL_PACK & ~bans[seat]))
    _check_size(layout.aside, away, "aside", "")
    aside = aside_wanting(away - layout.aside.bit_count(), laid_by_a_player=laid_by_a_player)
    rest = rules.pack & ~layout.aside
    for held in known:
        rest &= ~held
    if rest and not layout.fill:
        raise _unplaced_cards_error(rest)
    if not distribute(cards_in(rest), [*places, aside], chance):
        raise BadPosition(_("the rest of the cards cannot be given out: they do not fit what you have placed."))
    filled = [held | set_of(place.given) for held, place in zip(known, places, strict=True)]
    return filled, layout.aside | set_of(aside.given)


def _unplaced_cards_error(rest: CardSet) -> BadPosition:
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
        fields = {"name": name, "count": held.bit_count(), "most": size}
        text = _("%(name)s would hold %(count)d cards, but may have at most %(most)d.") if name else _(
            "%(count)d cards would lie there; at most %(most)d may."
        )  # fmt: skip
        raise BadPosition(text % fields, field)


def _prepare(hand: Hand, deal: ComposedDeal, layout: Layout) -> None:
    """Do everything that comes before the play, as far as the layout says it. Raises BadPosition."""
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
            field = {"scart": "aside", "discard": "aside", "partner": "called"}.get(asked, "")
            raise BadPosition(legality.why_illegal(error.illegality), field) from None


@dataclass(frozen=True, slots=True)
class _RejectedPlay:
    """A part of `plays` that the engine rejected, and why; `action` is None if it is neither a card nor a word."""

    text: str
    action: Action | None
    error: IllegalAction | None = None


def _play(hand: Hand, plays: Sequence[str]) -> _RejectedPlay | None:
    """Do `plays` one after the other. Returns the first that cannot be done, or None if all could."""
    if plays and hand.asked in _BEFORE:
        return _RejectedPlay(plays[0], None)
    index = 0
    while index < len(plays):
        if hand.over:
            return _RejectedPlay(plays[index], None)
        action, used = _action(hand, plays[index:])
        text = " ".join(plays[index : index + used])
        if action is None:
            return _RejectedPlay(text, None)
        try:
            hand.push(action)
        except IllegalAction as error:
            return _RejectedPlay(text, action, error)
        index += used
    return None


def _action(hand: Hand, plays: Sequence[str]) -> tuple[Action | None, int]:
    """The action of the next words, and how many words it uses.

    A card after a complete trick means that nobody calls.
    """
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


def _add_constraint(
    layout: Layout, hand: Hand, rejected: _RejectedPlay, known: list[CardSet], bans: list[CardSet]
) -> bool:
    """If only the randomly dealt cards prevent the play, add to `known` or `bans` so that they fit next time.

    Returns False if something else prevents it.
    """
    if rejected.action is None or rejected.action.verb != "play":
        return False
    seat, cards = hand.turn, set_of(rejected.action.cards)
    missing = cards & ~hand.hands[seat]
    if missing:
        taken = layout.aside
        for held in known:
            taken |= held
        if missing & taken:
            return False
        known[seat] |= missing
        return True
    lanes = LANES[hand.lane] if hand.lane >= 0 else LANES[TRUMPS]
    if hand.lane >= 0 and not cards & (LANES[TRUMPS] | FOOL_BIT):
        lanes |= LANES[TRUMPS] | (FOOL_BIT if layout.rules.bidding is not None else 0)
    if not hand.hands[seat] & ~known[seat] & lanes:
        return False
    bans[seat] |= lanes
    return True


def _rejection(hand: Hand, rejected: _RejectedPlay) -> BadPosition:
    text = rejected.text[:20]
    if rejected.error is not None:
        fields = {"name": NAMES[hand.turn], "text": text, "why": legality.why_illegal(rejected.error.illegality)}
        return BadPosition(_("%(name)s, %(text)s: %(why)s") % fields, "plays")
    if hand.over:
        return BadPosition(_("“%(text)s”: the hand is over before that.") % {"text": text}, "plays")
    if hand.asked == "bid":
        return BadPosition(_("say who plays what before any card is played."), "contract")
    if hand.asked in _BEFORE:
        return BadPosition(_("“%(text)s”: no card can be played before all is settled that comes before the play.") % {"text": text}, "plays")  # fmt: skip
    return BadPosition(_("“%(text)s” is no card and no word of the play.") % {"text": text}, "plays")


def _record(hand: Hand, deal: ComposedDeal) -> Record:
    lines = tuple(f"{seat} {action}" for seat, action in hand.history)
    return Record(hand.ruleset, dict(deal.options), NAMES[: hand.seats], (RecordedHand(hand.dealer, deal.pack, lines),))


# --- A later trick ----------------------------------------------------------------------------------------------------


def _record_of_later_trick(layout: Layout, chance: Random) -> Record:
    """The record of a hand whose earlier tricks are made up. Raises BadPosition."""
    layout = _free_to_pass(layout)
    _check_later_layout(layout)
    composed = _compose_earlier_tricks(layout, _requirements(layout), chance)
    hand = _hand_at_seats(layout, composed)
    rejected = _play(hand, layout.plays)
    if rejected is not None:
        raise _rejection(hand, rejected)
    return _record(hand, composed.deal)


def _check_later_layout(layout: Layout) -> None:
    """Raise BadPosition if the layout leaves open what is settled before the first trick, or has too many cards."""
    rules = layout.rules
    if rules.bidding is not None and not layout.contract:
        raise BadPosition(_("say who plays what: tricks have been played already."), "contract")
    if layout.keeps:
        raise BadPosition(_("tricks have been played already: the cards have been laid away."), "keeps")
    _check_size(layout.aside, rules.scart or rules.tapp, "aside", "")
    for seat, held in enumerate(layout.hands):
        _check_size(held, layout.left, f"hand{seat}", NAMES[seat])


def _requirements(layout: Layout) -> Requirements:
    """What the earlier tricks must lead to. Raises BadPosition."""
    puts = tuple(_puts(layout))
    known = [layout.hands[layout.seat_at(place)] for place in range(layout.rules.seats)]
    for place, put in enumerate(puts):
        known[place] |= set_of(put)
    _check_known_cards(layout, known)
    return Requirements(
        rules=layout.rules,
        before=hand_size(layout.rules) - layout.left,
        puts=puts,
        known=tuple(known),
        led=layout.led or frozenset(),
        fresh=frozenset(range(4)) - layout.led if layout.led is not None else frozenset(),
        contract=layout.contract,
        aside=layout.aside,
    )


def _check_known_cards(layout: Layout, known: Sequence[CardSet]) -> None:
    """Raise BadPosition unless the players, by place, can all hold their `known` cards when the trick begins."""
    placed = layout.aside
    for held in known:
        if placed & held:
            fields = {"code": CODES[next(cards_in(placed & held))]}
            raise BadPosition(_("%(code)s lies elsewhere, so it cannot be played here.") % fields, "plays")
        placed |= held
    for place, held in enumerate(known):
        _check_size(held, layout.left, "plays", NAMES[layout.seat_at(place)])
    if placed & ~layout.rules.pack:
        fields = {"code": CODES[next(cards_in(placed & ~layout.rules.pack))]}
        raise BadPosition(_("%(code)s is not in the pack of this game.") % fields, "plays")
    if not layout.fill and any(held.bit_count() < layout.left for held in known):
        raise _unplaced_cards_error(layout.rules.pack & ~placed)


def _compose_earlier_tricks(layout: Layout, requirements: Requirements, chance: Random) -> Composed:
    """Make up earlier tricks until one composition fits the seats of the layout. Raises BadPosition."""
    in_vain = 0
    for _attempt in range(_PASTS):
        try:
            composed = compose(requirements, str(chance.random()))
        except BadExample as error:
            raise BadPosition(error.message, "plays") from None
        if composed is None:
            in_vain += 1
            if in_vain == _IN_VAIN:
                break
        elif _fits_seats(layout, composed.deal):
            return composed
    raise BadPosition(
        _("no earlier tricks were found that lead to this. Give fewer cards, or leave more cards in the hands.")
    )


def _fits_seats(layout: Layout, deal: ComposedDeal) -> bool:
    """Whether the dealer, or the Tappist of a game with bidding, sits where the layout says."""
    if layout.rules.bidding is None or layout.contract == "misere":
        return layout.seat_at(deal.dealer) == layout.dealer
    return layout.seat_at(deal.tappist) == layout.tappist


def _hand_at_seats(layout: Layout, composed: Composed) -> Hand:
    """The composed hand, which is played by places, at the seats of the layout."""
    deal = composed.deal
    hand = Hand(layout.rules, layout.seat_at(deal.dealer), deal.pack, options=deal.options)
    for _place, action in composed.hand.history:
        if action.verb == "call" and layout.called is not None:
            action = Action("call", (layout.called,))
        hand.push(action)
    return hand


def _puts(layout: Layout) -> Iterator[tuple[Card, ...]]:
    """The cards of the trick on the table, player by player from its leader, up to the first word that is no card."""
    for text in layout.plays[: layout.rules.seats]:
        codes = text.split("+")
        if not set(codes) <= set(CODES):
            return
        yield tuple(CODES.index(code) for code in codes)


# --- Back -------------------------------------------------------------------------------------------------------------


def layout_of(whole: Hand, pack: Sequence[Card], step: int) -> Layout:
    """The layout of this hand after `step` actions, but not before its first lead (or its end, without one)."""
    rules = whole.ruleset
    first_play = next(
        (index for index, (_seat, action) in enumerate(whole.history) if action.verb == "play"), len(whole.history)
    )
    start = rewound(whole, pack, first_play)
    keeps = start.asked in ("scart", "discard")
    aside = start.scart if start.contract == "normal" or not rules.tapp else start.tapp
    plays = [
        _word(action)
        for _seat, action in whole.history[first_play : max(step, first_play)]
        if action.verb not in ("quiet", SAY)
    ]
    return Layout(
        rules=rules,
        hands=tuple(start.hands),
        dealer=start.dealer,
        aside=0 if keeps else aside,
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
