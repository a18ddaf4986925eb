"""Seasons: evenings of one club or several, added up; and which entries are the same person."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Player
from clubs import evenings, naming
from clubs.evenings import Evening
from clubs.exceptions import ClubError
from clubs.models import Club, ClubEvent, Member, Season
from clubs.permissions import Act
from clubs.services import common
from core.commands import command
from domain.errors import DomainError
from domain.schema import Many, Record, Whole, Word
from domain.standings import season as standings
from domain.standings.season import BY, Counting, PastEvening, SeasonRow, SeasonRules

MOST_PLACES: Final = 100
MOST_NUMBER: Final = 10_000


SHAPE: Final = Record(
    SeasonRules,
    {
        "by": Word(BY),
        "place_points": Many(Whole(0, MOST_NUMBER), MOST_PLACES),
        "best": Whole(0, MOST_NUMBER),
        "attendance": Whole(0, MOST_NUMBER),
        "fewest": Whole(0, MOST_NUMBER),
    },
    defaults=True,
)
"""The rules of a season as they are stored. Fields that are left out have their defaults."""


def rules_of(season: Season) -> SeasonRules:
    return SHAPE.read(season.rules)


@command
def begin(club: Club, by: Player, name: str, rules: SeasonRules, *, request_id: uuid.UUID) -> Season:
    """Begin a season. Raises ``club-gone``, ``not-allowed``, ``name-taken``, ``request-reused``."""
    row = common.begin(club, by, "season.begun", request_id, Act.SEASONS, again=_season_before)
    season = Season(club=row, name=name, rules=SHAPE.write(rules))
    _save(season)
    common.log(row, "season.begun", actor=by, data={"season": season.public_id}, request_id=request_id)
    return season


@command
def change(club: Club, by: Player, public_id: str, name: str, rules: SeasonRules, *, request_id: uuid.UUID) -> Season:
    """Change the name and rules of a season; its ranking follows the new rules. Raises ``club-gone``, ``not-allowed``,
    ``no-such-entry``, ``season-ended``, ``name-taken``, ``request-reused``."""
    row = common.begin(club, by, "season.changed", request_id, Act.SEASONS, again=_season_before)
    season = _open(row, public_id)
    season.name, season.rules = name, SHAPE.write(rules)
    _save(season)
    common.log(row, "season.changed", actor=by, data={"season": public_id}, request_id=request_id)
    return season


@command
def end(club: Club, by: Player, public_id: str, *, ended: bool, request_id: uuid.UUID) -> Season:
    """Declare the ranking final, or open the season again. Raises ``club-gone``, ``not-allowed``, ``no-such-entry``,
    ``request-reused``."""
    row = common.begin(club, by, "season.ended", request_id, Act.SEASONS, again=_season_before)
    season = season_of(row, public_id)
    season.ended_at = timezone.now() if ended else None
    season.save(update_fields=["ended_at"])
    data = {"season": public_id, "ended": ended}
    common.log(row, "season.ended", actor=by, data=data, request_id=request_id)
    return season


@command
def remove(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Delete a season; its evenings stay. Raises ``club-gone``, ``not-allowed``, ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "season.removed", request_id, Act.SEASONS)
    season_of(row, public_id).delete()
    common.log(row, "season.removed", actor=by, data={"season": public_id}, request_id=request_id)


@command
def one_person(club: Club, by: Player, public_id: str, *, entry: str, of_entry: str, request_id: uuid.UUID) -> Season:
    """Note that `entry` is the same person as `of_entry` (public ids); an empty `of_entry` takes that back.

    Both must be in the club's own list or in an evening of the season, so that nobody can explore other clubs' lists by
    guessing ids. Raises ``club-gone``, ``not-allowed``, ``no-such-entry``, ``season-ended``, ``same-entry``,
    ``no-such-member``, ``same-evening``, ``request-reused``.
    """
    row = common.begin(club, by, "season.person", request_id, Act.SEASONS, again=_season_before)
    season = _open(row, public_id)
    if entry == of_entry:
        raise ClubError("same-entry")
    linked = evenings.source().of_season(season)
    if not ({entry, of_entry} - {""}) <= _known_to(season, linked, entry, of_entry):
        raise ClubError("no-such-member")
    same = {one: other for one, other in season.same.items() if one != entry}
    if of_entry:
        if same.get(of_entry) == entry:  # until now it was the other way round
            del same[of_entry]
        target = _last(same, of_entry)
        same = {one: (target if other == entry else other) for one, other in same.items()} | {entry: target}
    season.same = same
    if of_entry:
        try:
            ranking(season, [evening.past for evening in linked])
        except Clash as clash:
            evening = titles(linked)[clash.evening.id].label()
            raise ClubError("same-evening", clash_in_words(season, clash, evening, naming.STAFF)) from None
    season.save(update_fields=["same"])
    common.log(row, "season.person", actor=by, data={"season": public_id}, request_id=request_id)
    return season


def _known_to(season: Season, linked: Iterable[Evening], *entries: str) -> set[str]:
    """The public ids that the season may mention: those in its evenings or in `Season.same`, and those of `entries`
    that are in the club's own list."""
    own = Member.objects.filter(club=season.club_id, public_id__in=entries).values_list("public_id", flat=True)
    return {*own, *season.same, *(place.person for evening in linked for place in evening.past.places)}


def all_seasons(club: Club) -> QuerySet[Season]:
    """The seasons, the latest first."""
    return Season.objects.filter(club=club).order_by("-created_at", "-pk")


def _season_before(event: ClubEvent) -> Season:
    return season_of(event.club, str(event.data.get("season", "")))


def season_of(club: Club, public_id: str) -> Season:
    """One season. Raises ``no-such-entry``."""
    return common.first_of(
        Season.objects.select_related("club").filter(club=club, public_id=public_id), "no-such-entry"
    )


# the ranking


class Clash(DomainError):
    """Two entries that count as one person were at the same evening: then nothing can be added up."""

    def __init__(self, evening: PastEvening, entries: tuple[str, str], people: Mapping[str, Member]) -> None:
        super().__init__("twice", f"evenings[{evening.id}]")
        self.evening, self.entries, self.people = evening, entries, people


def clash_in_words(season: Season, clash: Clash, evening: str, to: naming.Audience) -> str:
    """A sentence with the names of the two as `to` may read them. `evening` is the label of their evening."""
    one, other = (name_in(season, clash.people, entry, to) for entry in clash.entries)
    words = gettext("%(one)s and %(other)s cannot count as one person: both were at this evening: %(evening)s.")
    return words % {"one": one, "other": other, "evening": evening}


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of a season, and the people for whom the last evening changed which evenings count."""

    rows: tuple[SeasonRow, ...]
    changes: tuple[Counting, ...]
    people: Mapping[str, Member]
    """The entries of the persons in the rows, by their public ids."""


def ranking(season: Season, past: Sequence[PastEvening]) -> Ranking:
    """The ranking of the season over these evenings, whose persons are public ids of entries.

    Entries of the same person count together: those of one account, and those that the club has joined (`one_person`).
    Raises Clash if a person would then appear twice in one evening.
    """
    rules = rules_of(season)
    keys = {place.person for evening in past for place in evening.places}
    members = {
        member.public_id: member
        for member in Member.objects.select_related("club").filter(public_id__in=keys | set(season.same.values()))
    }
    person = persons(season, members.values())
    merged = []
    for evening in past:
        entries: dict[str, str] = {}
        for place in evening.places:
            entry = entries.setdefault(person.get(place.person, place.person), place.person)
            if entry != place.person:
                raise Clash(evening, (entry, place.person), members)
        places = tuple(replace(place, person=who) for who, place in zip(entries, evening.places, strict=True))
        merged.append(replace(evening, places=places))
    rows = standings.season(merged, rules)
    if len(merged) < 2:
        return Ranking(rows, (), members)
    last = max(merged, key=lambda evening: (evening.date, evening.id))
    before = standings.season([evening for evening in merged if evening.id != last.id], rules)
    ranked_before = {row.person for row in before}
    # It is no news that the newest evening counts for somebody, but it is that another one no longer does.
    changes = tuple(
        each
        for each in standings.counting_changes(before, rows)
        if each.person in ranked_before and (each.no_longer or set(each.now) - {last.id})
    )
    return Ranking(rows, changes, members)


def persons(season: Season, members: Iterable[Member]) -> dict[str, str]:
    """For each entry, the entry it counts for.

    Of one account's entries that is the one of the season's club, else the oldest.
    """
    entries = sorted(members, key=lambda member: (member.club_id != season.club_id, member.pk))
    of_account: dict[int, str] = {}
    counts_for: dict[str, str] = {}
    for member in entries:
        key = member.public_id
        if member.player_id is not None:
            key = of_account.setdefault(member.player_id, key)
        counts_for[member.public_id] = key
    return {entry: _last(season.same, _last(season.same, entry, counts_for), counts_for) for entry in counts_for}


def _last(same: Mapping[str, str], entry: str, also: Mapping[str, str] | None = None) -> str:
    """Follow the links from entry to entry to the last one; a circle ends where it would begin again."""
    seen = {entry}
    while True:
        following = same.get(entry) or (also or {}).get(entry) or entry
        if following in seen:
            return entry
        seen.add(following)
        entry = following


def name_in(season: Season, people: Mapping[str, Member], person: str, to: naming.Audience) -> str:
    """The name of a person in the ranking, as `to` may read it. `people` are entries by their public ids.

    Members of one club may not read the list of another.
    """
    member = people.get(person)
    if member is None:
        return ""
    if to == naming.HALL and member.club_id != season.club_id:
        to = naming.PUBLIC
    return naming.shown_name(member, to, on=timezone.localdate(season.ended_at) if season.ended_at else None)


def titles(linked: Iterable[Evening]) -> dict[str, Evening]:
    """The evenings by the ids that a ranking uses for them (`PastEvening.id`)."""
    return {evening.past.id: evening for evening in linked}


def _open(club: Club, public_id: str) -> Season:
    season = season_of(club, public_id)
    if season.ended_at is not None:
        raise ClubError("season-ended")
    return season


def _save(season: Season) -> None:
    try:
        with transaction.atomic():
            season.save()
    except IntegrityError:
        raise ClubError("name-taken") from None
