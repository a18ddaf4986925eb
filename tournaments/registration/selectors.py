"""The entrants, as the lists of entries and of the entrance show them; and a dry run of the evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.sursilvan import joined
from core.text import fold
from domain.seating.dryrun import Evening, Outlook, dry_run
from domain.seating.field import tables_for
from domain.seating.methods.knockout import bracket
from domain.tournament.registering import needs_partner, seat_now
from domain.tournament.state import (
    DRAFT,
    EXPECTED,
    GONE,
    HERE,
    MERGED,
    PAIR,
    WITHDRAWN,
    Entrant,
    Phase,
    Plan,
    State,
    each_alone,
    settings_for,
)
from tournaments import text
from tournaments import text as tournaments_text
from tournaments.models import Tournament, TournamentEvent
from tournaments.online.substitutes import plays_online
from tournaments.read_models import Names, everybody
from tournaments.registration import services

CATEGORY: Final = "category:"
"""The prefix of the code that shows one category of the list."""
UNDO_SECONDS: Final = 10
"""For this long another tap undoes a tap; after that the page asks first."""


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """An entrant in a list. `offers`: the amounts that one tap pays; `undo`: the entry in the till that a tap cancels.

    `tap`: what a tap on the name does; `half`: a single person in a tournament of pairs.
    """

    id: str
    entrant: Entrant
    name: str
    status: str
    word: str
    notes: tuple[str, ...]
    fee: int
    paid: int
    owed: int
    offers: tuple[int, ...]
    undo: str
    tap: str
    half: bool
    made: bool
    played: bool
    pausing: bool
    categories: tuple[str, ...]

    @property
    def is_here(self) -> bool:
        return self.status == HERE

    @property
    def is_expected(self) -> bool:
        return self.status == EXPECTED

    @property
    def is_away(self) -> bool:
        return self.status in (GONE, WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Recent:
    """What was tapped in the last seconds: entrants who arrived or entered, and entries in the till."""

    arrived: frozenset[str] = field(default_factory=frozenset)
    money: frozenset[str] = field(default_factory=frozenset)


def recent_taps(tournament: Tournament, state: State) -> Recent:
    """What can still be undone with one tap. One query."""
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
    # Entrants and entries in the till are numbered in order, so the recent ones are the last.
    entrants = list(state.entrants)
    arrived.update(entrants[len(entrants) - added :])
    latest = [each.id for each in state.money[len(state.money) - paid :]]
    return Recent(frozenset(arrived), frozenset(latest))


def came_with(tournament: Tournament, state: State, entry: str) -> bool:
    """Whether the request that wrote this entry in the till also marked the payer as here. One query."""
    rows = TournamentEvent.objects.filter(tournament=tournament, number__lte=state.number).order_by("-number")
    later = len(state.money) - next(number for number, each in enumerate(state.money, 1) if each.id == entry)
    paid = 0
    kinds = ("entrant.arrived", "money.entered")
    for kind, request_id, data in rows.filter(kind__in=kinds).values_list("kind", "request_id", "data").iterator():
        if kind == "money.entered":
            paid += 1
            if paid == later + 1 and request_id is not None:
                return False  # a request of its own
        elif paid == later + 1:
            return bool(data["id"] == state.money[-1 - later].who)
    return False


def names_of(tournament: Tournament, state: State) -> Names:
    """The names of everybody who ever entered, as the director and helpers see them."""
    return Names(tournament, "staff", more=everybody(state))


def entrant_rows(
    state: State, names: Names, fresh: Recent | None = None, *, tell_apart: bool = False
) -> list[EntrantRow]:
    """All entrants but those of the house, by last name. People who became half of a pair are listed as the pair.

    `tell_apart`: where names are the same, a note has the groups and the year of birth, for those who keep the list.
    """
    paid, owed = services.paid(state), services.owed(state)
    fresh = fresh or Recent()
    made = {each.merged_into for each in state.entrants.values() if each.status == MERGED}
    undo = {
        services.payer_of(state, each.who): each.id
        for each in state.money
        if each.id in fresh.money and each.kind == "fee" and each.id not in state.money_cancelled
    }
    rows = []
    entrants = names.in_order(each for each in state.entrants.values() if each.status != MERGED and not each.house)
    alike = Counter(fold(names.entrant(each)) for each in entrants) if tell_apart else Counter()
    for entrant in entrants:
        about = _about(entrant, names) if alike[fold(names.entrant(entrant))] > 1 else ""
        open_amount = max(0, entrant.fee - paid.get(entrant.id, 0)) if entrant.status != WITHDRAWN else 0
        pausing = services.is_pausing(state, entrant)
        rows.append(
            EntrantRow(
                id=entrant.id,
                entrant=entrant,
                name=names.entrant(entrant),
                status=entrant.status,
                word=tournaments_text.entrant_state(entrant.status),
                notes=(*([about] if about else []), *_notes(state, entrant, names, pausing)),
                fee=entrant.fee,
                paid=paid.get(entrant.id, 0),
                owed=owed.get(entrant.id, 0),
                offers=_offers(entrant, open_amount),
                undo=undo.get(entrant.id, ""),
                tap=_tap(state, entrant, open_amount, undo.get(entrant.id, "") if entrant.id in fresh.arrived else ""),
                half=needs_partner(state, entrant),
                made=entrant.id in made,
                played=seat_now(state, entrant.id) is not None,
                pausing=pausing,
                categories=entrant.categories,
            )
        )
    return rows


def _offers(entrant: Entrant, open_amount: int) -> tuple[int, ...]:
    """The amount that is open and, for a pair, half of it, in case each pays for themselves."""
    if not open_amount:
        return ()
    half = open_amount // 2
    both = len(entrant.members) == 2 and open_amount == entrant.fee and half * 2 == open_amount and half % 5 == 0
    return (open_amount, half) if both else (open_amount,)


def _tap(state: State, entrant: Entrant, open_amount: int, paid_with_it: str) -> str:
    """What a tap on a name does: mark an expected entrant as here and paid, or undo a tap just made."""
    if entrant.status == HERE:
        if seat_now(state, entrant.id) is not None:
            return f"leave:{entrant.id}"
        return f"unpay:{paid_with_it}" if paid_with_it else f"not-here:{entrant.id}"
    pays = state.open and entrant.status == EXPECTED and open_amount
    return f"pay:{entrant.id}:{open_amount}" if pays else f"here:{entrant.id}"


def _about(entrant: Entrant, names: Names) -> str:
    """The groups and the year of birth of an entrant's members, as far as the list has them: "Trun, 1961"."""
    members = [names.members[person] for person in entrant.members if person in names.members]
    known = [[*each.groups, str(each.birth_year or "")] for each in members]
    return " & ".join(filter(None, (", ".join(filter(None, each)) for each in known)))


def _notes(state: State, entrant: Entrant, names: Names, pausing: bool) -> Iterable[str]:
    knocked_out = state.current is not None and state.current.plan.method == "knock-out"
    if entrant.status == HERE and entrant.came and entrant.came > (1, 1) and state.phases and not knocked_out:
        yield _("plays from round %(round)s") % {"round": entrant.came[1]}
    left_draft = state.round("{}.{}".format(*entrant.left)) if entrant.status == GONE and entrant.left else None
    if left_draft is not None and left_draft.status == DRAFT:
        yield _("has gone, but has a place in the draft of round %(round)s") % {"round": left_draft.number}
    elif entrant.status == GONE and entrant.left and entrant.left[1]:
        yield _("left after round %(round)s") % {"round": entrant.left[1]}
    if entrant.by_phone:
        yield _("by phone, not seen yet")
    if entrant.table:
        yield _("keeps table %(table)s") % {"table": entrant.table}
    if pausing and entrant.status == HERE:
        yield _("sits out the next round")
    yield from substitutes_of(state, entrant, names)


def substitutes_of(state: State, entrant: Entrant, names: Names) -> Iterable[str]:
    """A note for each member of an entrant for whom somebody else plays by now, or from the next round on."""
    for person in entrant.members:
        who, since = entrant.playing_for(person)
        if who != person and plays_online(state):  # also in running games
            yield _("%(substitute)s (for %(name)s)") % {"substitute": names.person(who), "name": names.person(person)}
        elif who != person:
            yield _("%(new)s for %(old)s from round %(round)s") % {
                "new": names.person(who),
                "old": names.person(person),
                "round": since,
            }


def fits_search(row: EntrantRow, query: str, show: str) -> bool:
    """Whether a row matches: its name and notes, which name substitutes, have all words, and it is of the kind `show`."""
    text = fold(" ".join((row.name, *row.notes)))
    if not all(word in text for word in fold(query).split()):
        return False
    return {
        "expected": row.is_expected,
        "here": row.is_here,
        "partner": row.half,
        "owing": row.owed > 0,
        "left": row.status == GONE,
        "not-coming": row.status == WITHDRAWN,
    }.get(show, show.removeprefix(CATEGORY) in row.categories if show.startswith(CATEGORY) else True)


def categories_of(rows: Iterable[EntrantRow]) -> list[tuple[str, int]]:
    """The categories of these entrants, with the number of entrants in each."""
    found = Counter(name for row in rows for name in row.categories)
    return sorted(found.items(), key=lambda each: fold(each[0]))


@dataclass(frozen=True, slots=True)
class HeadCount:
    """The number of people here, and of people here or expected. `owed` is in Rappen.

    `ready`: the entrants the next round would seat; `half`: the single people who need a partner.
    """

    here: int
    expected: int
    ready: int
    half: int
    owed: int


def count_people(rows: Collection[EntrantRow], phase: Phase | None) -> HeadCount:
    """The counts of a list, before the next round of `phase` is drawn."""
    chosen = phase.entrants if phase is not None else None
    coming = [row for row in rows if row.status in (HERE, EXPECTED)]
    here = [row for row in coming if row.is_here]
    return HeadCount(
        here=sum(len(row.entrant.members) for row in here),
        expected=sum(len(row.entrant.members) for row in coming),
        ready=sum(1 for row in here if not row.half and not row.pausing and (chosen is None or row.id in chosen)),
        half=sum(1 for row in coming if row.half),
        owed=sum(max(0, row.owed) for row in rows),
    )


_DAY: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round of a dry run: its times and tables, how many sit out, and the repeated partners and opponents."""

    number: int
    starts: str
    ends: str
    tables: str
    out: int
    partners: int
    opponents: int


@dataclass(frozen=True, slots=True)
class OutlookShown:
    """A dry run for one number. `burdens`: lines such as "5 people: twice at an odd table or sitting out"."""

    number: int
    who: str
    ends: str
    rounds: tuple[RoundShown, ...]
    burdens: tuple[str, ...]
    warnings: tuple[str, ...]


def dry_runs(
    plan: Plan, numbers: Sequence[int], *, rounds: int, deals: int, minutes_per_deal: int, between: int, start: time
) -> list[OutlookShown]:
    settings = settings_for(plan)
    outlooks = []
    for number in numbers:
        evening = Evening(
            entrants=number,
            rounds=rounds,
            method=plan.method,
            deals=deals,
            minutes_per_deal=minutes_per_deal,
            between_rounds=between,
            start=start.hour * 60 + start.minute,
            clock=plan.minutes,
        )
        outlooks.append(_outlook_shown(plan, number, dry_run(evening, settings)))
    return outlooks


def minutes_per_deal(plan: Plan) -> int:
    """The minutes for a deal by the clock of the plan; six if there is no clock."""
    return max(1, -(-plan.minutes // plan.rules.deals)) if plan.minutes else 6


def would_be(plan: Plan, entrants: int) -> tuple[str, int]:
    """The tables for this number of entrants in a first round, in words, and how many would sit out."""
    if plan.method == "knock-out":
        if entrants < 2:
            return tables_in_words(plan, {}), 0
        out = len(bracket(entrants)) - entrants
        return tables_in_words(plan, {2: (entrants - out) // 2}), out
    shapes, out = tables_for(entrants, settings_for(plan))
    sizes: dict[int, int] = {}
    for shape in shapes:
        sizes[shape.size] = sizes.get(shape.size, 0) + 1
    return tables_in_words(plan, sizes), out


def tables_in_words(plan: Plan, sizes: Mapping[int, int]) -> str:
    """ "5 tables of 4, 1 table of 3"; for pairs, the number of pairs at each table."""
    pairs = plan.kind == PAIR
    lines = []
    for size, number in sorted(sizes.items(), key=lambda each: (-each[1], each[0])):
        if pairs:
            line = ngettext("%(number)s table of %(size)s pairs", "%(number)s tables of %(size)s pairs", number)
        else:
            line = ngettext("%(number)s table of %(size)s", "%(number)s tables of %(size)s", number)
        lines.append(line % {"number": number, "size": size})
    return joined(", ", lines) if lines else _("no table")


def _outlook_shown(plan: Plan, number: int, outlook: Outlook) -> OutlookShown:
    pairs = plan.kind == PAIR
    who = ngettext("%(number)s pair", "%(number)s pairs", number) if pairs else ngettext(
        "%(number)s person", "%(number)s people", number
    )  # fmt: skip
    alone = each_alone(plan.rules.ruleset)
    return OutlookShown(
        number=number,
        who=who % {"number": number},
        ends=_clock(outlook.ends),
        rounds=tuple(
            RoundShown(
                number=each.number,
                starts=_clock(each.starts),
                ends=_clock(each.ends),
                tables=tables_in_words(plan, each.sizes),
                out=each.out,
                partners=0 if pairs or alone else each.partners,
                opponents=each.opponents,
            )
            for each in outlook.rounds
        ),
        burdens=tuple(_burden(times, people, pairs) for times, people in outlook.burdens.items()),
        warnings=tuple(text.warning(code) for code in outlook.warnings),
    )


def _burden(times: int, people: int, pairs: bool) -> str:
    who = (
        ngettext("%(people)s pair", "%(people)s pairs", people)
        if pairs
        else ngettext("%(people)s person", "%(people)s people", people)
    )
    often = (
        ngettext(
            "once at a table of unusual size or sitting out",
            "%(times)s times at a table of unusual size or sitting out",
            times,
        )
        if times
        else _("never at a table of unusual size, never sitting out")
    )
    return f"{who % {'people': people}}: {often % {'times': times}}"


def _clock(minutes: int) -> str:
    """Minutes after midnight as a time of day; after 24 hours it starts again from 0:00."""
    return f"{minutes % _DAY // 60}:{minutes % 60:02}"
