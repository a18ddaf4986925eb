"""The door of clubs: founding one, changing what it says, closing it.

As at the other doors: the lock on the club's row first (SQLite: the one write lock), then the checks, everything in one
transaction, notices with it; a refusal changes nothing, and a repeated request does nothing twice. Its wings: `members`,
`joining`, `house_rules`, `calendar`, `news`, `seasons`, `importing`.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from itertools import count
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from accounts.models import Player
from clubs.room import evenings, keeping, rights, steps
from clubs.room.refusals import AccountNeeded, NameNeeded, TooManyClubs
from clubs.room.rights import Act
from clubs.room_models import (
    KEEPS_MONTHS,
    SLUG_LENGTH,
    Club,
    ClubDate,
    HouseRulesVersion,
    ImportDraft,
    JoinRequest,
    Member,
    MemberInvitation,
    News,
    Season,
)
from clubs.standings.profile import HouseRules, to_plain
from rules.search.fold import fold

MOST_CLUBS: Final = 5
"""Clubs of which one person may be president."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a club says about itself and how it deals with names, as its form has it."""

    name: str
    village: str = ""
    canton: str = ""
    about: str = ""
    language: str = "en"
    joining: str = Club.Joining.REQUEST
    list_for: str = Club.ListFor.STAFF
    found_by_search: bool = False
    keeps_months: int = KEEPS_MONTHS


@dataclass(frozen=True, slots=True)
class Person:
    """How somebody with an account enters the list themselves: their names, and whether they may be named in public."""

    first_name: str
    last_name: str
    named: bool = False


def found(player: Player, words: Words, person: Person, *, request_id: uuid.UUID) -> Club:
    """A new club with the player as its president, and the usual house rules as version 1.

    Raises AccountNeeded, Suspended, NameNeeded, TooManyClubs, RequestReused.
    """
    if not player.is_member:
        raise AccountNeeded
    if not (person.first_name or person.last_name):
        raise NameNeeded
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # counting their clubs must be exact
        before = steps.answered(None, player, request_id, "room.founded")
        if before is not None:
            return before.club
        rights.check_not_suspended(player)
        presides = Member.objects.filter(player=player, role=Member.Role.PRESIDENT, club__closed_at__isnull=True)
        if presides.count() >= MOST_CLUBS:
            raise TooManyClubs
        club = _founded(player, words)
        president = Member(
            club=club,
            player=player,
            first_name=person.first_name,
            last_name=person.last_name,
            role=Member.Role.PRESIDENT,
            named=person.named,
            consent_at=timezone.now(),
            consent_by=player,
        )
        president.save()
        HouseRulesVersion.objects.create(club=club, version=1, data=to_plain(HouseRules()), by=player)
        steps.log(club, "room.founded", actor=player, member=president, request_id=request_id)
        return club


def edit(club: Club, player: Player, words: Words, *, request_id: uuid.UUID) -> Club:
    """Change what the club says. Its address stays: it is printed on paper. Raises ClubGone, NotAllowed, Suspended, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        if steps.answered(row, player, request_id, "room.edited") is not None:
            return row
        rights.check(player, row, Act.EDIT)
        _write(row, words)
        row.save()
        steps.log(row, "room.edited", actor=player, request_id=request_id)
        return row


def close(club: Club, player: Player, *, request_id: uuid.UUID) -> bool:
    """Close the club; members are told. True if something of it stays: results of evenings, with initials.

    List, calendar, news, seasons, requests and invitations are deleted. House rules stay with the results they explain.
    Raises ClubGone, NotAllowed, RequestReused.
    """
    with transaction.atomic():
        row = steps.locked(club.pk)
        rights.check(player, row, Act.CLOSE)
        return shut(row, player, request_id)


def shut(club: Club, by: Player | None, request_id: uuid.UUID | None = None) -> bool:
    """As `close`, without asking whether somebody may. The lock on the club must be held."""
    people = Member.objects.filter(club=club, player__isnull=False, left_on__isnull=True).select_related("player")
    players = [entry.player for entry in people if entry.player is not None]
    evenings.source().closing(club)
    stays = evenings.source().keeps_results(club)
    steps.tell("club.closed", club, players, by=by, url="/")
    for model in (ClubDate, News, Season, JoinRequest, MemberInvitation, ImportDraft):
        model.objects.filter(club=club).delete()
    if not stays:
        club.delete()
        return False
    keeping.let_go(Member.objects.filter(club=club))
    club.about, club.found_by_search, club.closed_at = "", False, timezone.now()
    club.save()
    steps.log(club, "room.closed", actor=by, request_id=request_id)
    return True


def _founded(player: Player, words: Words) -> Club:
    """The row of a new club. Somebody else may found one of the same name at this very moment: then the next address is tried."""
    while True:
        club = Club(slug=_free_slug(words), created_by=player)
        _write(club, words)
        try:
            with transaction.atomic():
                club.save()
        except IntegrityError:
            if not Club.objects.filter(slug=club.slug).exists():
                raise
        else:
            return club


def _write(club: Club, words: Words) -> None:
    club.name, club.village, club.canton = words.name, words.village, words.canton
    club.about, club.language = words.about, words.language
    club.joining, club.list_for = words.joining, words.list_for
    club.found_by_search, club.keeps_months = words.found_by_search, words.keeps_months


def _free_slug(words: Words) -> str:
    """The name as an address; with the village, then with a number, where it is taken."""
    name = slugify(fold(words.name)) or "club"
    wanted = [name[:SLUG_LENGTH].strip("-")]
    if words.village and slugify(fold(words.village)) not in name:
        wanted.append(f"{name}-{slugify(fold(words.village))}"[:SLUG_LENGTH].strip("-"))
    for slug in wanted:
        if not Club.objects.filter(slug=slug).exists():
            return slug
    stem = wanted[0][: SLUG_LENGTH - 6].strip("-")
    return next(slug for slug in (f"{stem}-{n}" for n in count(2)) if not Club.objects.filter(slug=slug).exists())
