"""How the points of a deal came about, by the count of its own game."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine import CODES, cards_in
from domain.engine.cards import HONOURS, set_of, values
from domain.engine.counting import DifferenceToPar
from domain.engine.hand import Hand
from domain.engine.state import Trick
from games.read_models import SideCount


def trick_points(hand: Hand, trick: Trick) -> int:
    """The points of a trick, counted by itself."""
    return hand.ruleset.count.worth(set_of(trick.cards))


def side_counts(hand: Hand) -> tuple[SideCount, ...]:
    """The count of each party of a deal that was played out; empty for any other deal."""
    if hand.result is None or hand.result.status != "played":
        return ()
    return tuple(_side_count(hand, side, party) for side, party in enumerate(hand.result.parties))


def _side_count(hand: Hand, side: int, party: Sequence[int]) -> SideCount:
    assert hand.result is not None
    held, points = hand.side_cards[side], hand.result.points[side]
    won = [trick for trick in hand.tricks if hand.sides[trick.winner] == side]
    tricks = sum(trick_points(hand, trick) for trick in won)
    laid_away = hand.scart or (hand.tapp if hand.contract == "solo" else 0)
    own_scart = held & laid_away  # the whole scart or none of it; in a Solo, the Tapp as it lay
    scart = hand.ruleset.count.worth(own_scart, hand.scart)
    fool = values(held) - values(own_scart) - sum(values(set_of(trick.cards)) for trick in won)
    has_par = isinstance(hand.ruleset.settlement, DifferenceToPar)
    return SideCount(
        won=len(won),
        honours=tuple(CODES[card] for card in cards_in(held & HONOURS)),
        tricks=tricks,
        scart=scart,
        fool=fool,
        rest=points - tricks - scart - fool,
        cards=held.bit_count(),
        values=values(held),
        points=points,
        par=points - hand.result.scores[party[0]] if has_par else None,
    )
