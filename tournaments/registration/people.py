"""Everybody who has entered, as the lists of the entries and of the door show them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from core.text import fold
from domain.tournament.registering import next_round, seat_now
from domain.tournament.state import EXPECTED, GONE, HERE, MERGED, PAIR, WITHDRAWN, Entrant, State
from tournaments import text as tournaments_text
from tournaments.models import Tournament, TournamentEvent
from tournaments.read_models import Names, everybody
from tournaments.registration import services

UNDO_SECONDS: Final = 10
"""So long a tap is taken back by another one; after that the page asks."""
SHOW: Final = ("all", "expected", "here", "partner", "owing", "away")


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant in a list. `offers` are amounts one tap pays; `undo` is the entry of the till that one more tap takes
    back; `half`: single in a tournament of pairs."""

    id: str
    entrant: Entrant
    name: str
    sort: str
    status: str
    word: str
    notes: tuple[str, ...]
    fee: int
    paid: int
    owed: int
    offers: tuple[int, ...]
    undo: str
    half: bool
    made: bool
    played: bool
    pausing: bool
    categories: tuple[str, ...]

    @property
    def is_here(self) -> bool:
        """Whether they are in the hall."""
        return self.status == HERE

    @property
    def is_expected(self) -> bool:
        """Whether they have entered and not come yet."""
        return self.status == EXPECTED

    @property
    def is_away(self) -> bool:
        """Whether they went home, or do not come."""
        return self.status in (GONE, WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Recent:
    """What was tapped in the last seconds: entrants who arrived or came in anew, and entries of the till."""

    arrived: frozenset[str] = field(default_factory=frozenset)
    money: frozenset[str] = field(default_factory=frozenset)


def recent(tournament: Tournament, state: State) -> Recent:
    """What may still be taken back with one tap. One query."""
    since = timezone.now() - timedelta(seconds=UNDO_SECONDS)
    rows = TournamentEvent.objects.filter(
        tournament=tournament,
        at__gte=since,
        number__lte=state.number,
        kind__in=("entrant.arrived", "entrant.added", "money.entered"),
    )
    arrived, added, paid = set(), 0, 0
    for kind, data in rows.values_list("kind", "data"):
        if kind == "entrant.arrived":
            arrived.add(str(data.get("id", "")))
        elif kind == "entrant.added":
            added += 1
        else:
            paid += 1
    # Entrants and entries of the till are numbered as they come: the last ones are the recent ones.
    everybody = list(state.entrants)
    arrived.update(everybody[len(everybody) - added :])
    latest = [each.id for each in state.money[len(state.money) - paid :]]
    return Recent(frozenset(arrived), frozenset(latest))


def names_of(tournament: Tournament, state: State) -> Names:
    """The names of everybody who ever entered, as the desk and the door read them."""
    return Names(tournament, "staff", more=everybody(state))


def rows(state: State, names: Names, fresh: Recent | None = None) -> list[Row]:
    """Everybody, by last name; who became half of a pair stands with it."""
    paid, owed = services.paid(state), services.owed(state)
    fresh = fresh or Recent()
    made = {each.merged_into for each in state.entrants.values() if each.status == MERGED}
    upcoming = next_round(state)
    undo = {
        services.whose(state, each.who): each.id
        for each in state.money
        if each.id in fresh.money and each.kind == "fee" and each.id not in state.money_cancelled
    }
    found = []
    for entrant in state.entrants.values():
        if entrant.status == MERGED:
            continue
        open_amount = max(0, entrant.fee - paid.get(entrant.id, 0)) if entrant.status != WITHDRAWN else 0
        pausing = f"{upcoming[0]}.{upcoming[1]}" in entrant.pauses
        found.append(
            Row(
                id=entrant.id,
                entrant=entrant,
                name=names.entrant(entrant),
                sort=" ".join(names.members[who].sort_key for who in entrant.members if who in names.members),
                status=entrant.status,
                word=tournaments_text.entrant_state(entrant.status),
                notes=tuple(_notes(state, entrant, names, pausing)),
                fee=entrant.fee,
                paid=paid.get(entrant.id, 0),
                owed=owed.get(entrant.id, 0),
                offers=_offers(entrant, open_amount),
                undo=undo.get(entrant.id, ""),
                half=state.plan.kind == PAIR and len(entrant.members) == 1 and entrant.status in (HERE, EXPECTED),
                made=entrant.id in made,
                played=seat_now(state, entrant.id) is not None,
                pausing=pausing,
                categories=entrant.categories,
            )
        )
    return sorted(found, key=lambda row: (row.sort, row.id))


def _offers(entrant: Entrant, open_amount: int) -> tuple[int, ...]:
    """What is open, and for a pair who pay each for themselves the half of it."""
    if not open_amount:
        return ()
    half = open_amount // 2
    both = len(entrant.members) == 2 and open_amount == entrant.fee and half * 2 == open_amount and half % 5 == 0
    return (open_amount, half) if both else (open_amount,)


def _notes(state: State, entrant: Entrant, names: Names, pausing: bool) -> Iterable[str]:
    if entrant.status == HERE and entrant.came and entrant.came > (1, 1) and state.phases:
        yield _("plays from round %(round)s") % {"round": entrant.came[1]}
    if entrant.status == GONE and entrant.left:
        yield _("left after round %(round)s") % {"round": entrant.left[1]}
    if pausing and entrant.status == HERE:
        yield _("sits out the next round")
    for each in entrant.substitutions:
        yield _("%(new)s for %(old)s from round %(round)s") % {
            "new": names.person(each.new),
            "old": names.person(each.old),
            "round": each.round,
        }


def fits(row: Row, query: str, show: str) -> bool:
    """Whether a row is what is looked for: all words of the query in its names, and of that kind."""
    text = fold(row.name)
    if not all(word in text for word in fold(query).split()):
        return False
    return {
        "expected": row.is_expected,
        "here": row.is_here,
        "partner": row.half,
        "owing": row.owed > 0,
        "away": row.is_away,
    }.get(show, True)


@dataclass(frozen=True, slots=True)
class Count:
    """How many persons are here and expected in all, how many entrants the next round would seat, and how many single
    persons look for a partner."""

    here: int
    expected: int
    ready: int
    half: int
    owed: int


def count(found: Collection[Row]) -> Count:
    """The numbers above a list of everybody."""
    coming = [row for row in found if row.status in (HERE, EXPECTED)]
    here = [row for row in coming if row.is_here]
    return Count(
        here=sum(len(row.entrant.members) for row in here),
        expected=sum(len(row.entrant.members) for row in coming),
        ready=sum(1 for row in here if not row.half and not row.pausing),
        half=sum(1 for row in coming if row.half),
        owed=sum(max(0, row.owed) for row in found),
    )
