"""How people and sides are called in a sentence, and how scores are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from django.utils.translation import gettext as _

from games.read_models import Overview, Replay, Sat, Sight

Company: TypeAlias = Sight | Replay | Overview
"""Who sits there and who reads: a running game, a deal looked back at, or the list of its deals."""


def name_of(seat: int, sight: Company) -> str:
    """The name of the player at `seat`, as they are called at the table."""
    return sight.seats[seat].name


def is_you(seat: int | None, sight: Company) -> bool:
    """Whether a sentence about `seat` speaks to its reader."""
    return seat is not None and seat == sight.viewer


def as_it_was(company: Company, then: Sequence[Sat]) -> Company:
    """The company of another moment: its own names, and no word to a reader who did not sit there yet."""
    if not then:
        return company
    named = {sat.seat: sat.name for sat in then}
    there = all(sat.present or sat.seat != company.viewer for sat in then)
    viewer = company.viewer if there else None
    if isinstance(company, Sight):
        seats = tuple(replace(seat, name=named.get(seat.number, seat.name)) for seat in company.seats)
        return replace(company, seats=seats, viewer=viewer)
    if isinstance(company, Replay):
        open_seats = tuple(replace(seat, name=named.get(seat.number, seat.name)) for seat in company.seats)
        return replace(company, seats=open_seats, viewer=viewer)
    return company  # a list of hands tells no lines


def own_side(sight: Company) -> int:
    """The party whose view is taken: the viewer's, the first for a watcher."""
    if sight.viewer is None:
        return 0
    return next(at for at, party in enumerate(sight.parties) if sight.viewer in party)


def side_names(sight: Company, side: int) -> str:
    """The players of a party joined as in a sentence: "You and Beat", "Anna and Clau"."""
    return seats_named(sight.parties[side], sight)


def everyone_alone(sight: Company) -> bool:
    """Whether nobody shares a side with another."""
    return all(len(party) == 1 for party in sight.parties)


def seats_named(seats: Sequence[int], sight: Company) -> str:
    """Some players joined as in a sentence, the reader first."""
    ordered = sorted(seats, key=lambda seat: (seat != sight.viewer, seat))
    return in_a_row([_("You") if is_you(seat, sight) else name_of(seat, sight) for seat in ordered])


def scores_of(seats: Sequence[int], scores: Sequence[int], sight: Company) -> str:
    """What some players scored: one figure if it is the same for all, else one for each with the name."""
    if len({scores[seat] for seat in seats}) == 1:
        return amount(scores[seats[0]], sight)
    return ", ".join(f"{seats_named((seat,), sight)} {amount(scores[seat], sight)}" for seat in seats)


def in_a_row(items: Sequence[str]) -> str:
    """Items as a sentence lists them: "a", "a and b", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return _("%(first)s and %(last)s") % {"first": ", ".join(items[:-1]), "last": items[-1]}


def signed(score: int) -> str:
    """A score with its sign: "+4", "−4" (a true minus), "0"."""
    return f"+{score}" if score > 0 else f"−{-score}" if score else "0"


def amount(score: int, sight: Company) -> str:
    """A score as it is settled: points with their sign, or Rappen."""
    return _("%(score)s Rappen") % {"score": signed(score)} if sight.rappen else signed(score)
