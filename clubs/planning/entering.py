"""Entering people into a tournament: from the club's list, at the door, and by themselves.

Locks: the club's row first, then the tournament's. A refusal changes nothing; a repeated request does nothing twice.
"""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Player
from clubs.evening.door import next_id
from clubs.evening.given import Plain
from clubs.evening.state import GONE, HERE, MERGED, WITHDRAWN, State
from clubs.online import entry
from clubs.online.substituting import plays_online
from clubs.planning.refusals import (
    Alike,
    EnteredAlready,
    EntryClosed,
    Full,
    MembersOnly,
    NameMissing,
    NobodyChosen,
    NoSuchPerson,
    NotEntered,
)
from clubs.room import members as room_members
from clubs.room import rights, steps
from clubs.room.door import Person
from clubs.room.members import Details
from clubs.room.refusals import AccountNeeded
from clubs.room_models import Club, Member
from clubs.tournament_models import Tournament
from clubs.tournaments import actors, door
from clubs.tournaments.actors import Actor
from clubs.tournaments.door import Doing, Receipt
from clubs.tournaments.reading import state_of
from rules.search.fold import fold

MARK_LENGTH: Final = 12
NOBODY: Final = Person("", "", False)
"""The names of somebody who is in the list already: they stay as they are there."""


@dataclass(frozen=True, slots=True)
class WalkIn:
    """Somebody who stands at the door. `pay` in Rappen, 0 for not yet; `sure`: nobody of that name in the list is meant."""

    first_name: str
    last_name: str
    named: bool = False
    pay: int = 0
    sure: bool = False


def marks(tournament: Tournament, people: Iterable[Member]) -> list[str]:
    """Opaque marks of families and sub-clubs: the published draw names none, and another tournament has other marks."""
    secret = bytes(tournament.key_secret)
    groups = {fold(str(group)) for member in people for group in member.groups}
    return sorted(
        hmac.new(secret, f"group|{group}".encode(), hashlib.sha256).hexdigest()[:MARK_LENGTH] for group in groups
    )


def adding(tournament: Tournament, people: Sequence[Member], *, here: bool = False) -> Doing:
    """The event by which these people enter as one entrant."""
    data: dict[str, Plain] = {
        "members": [member.public_id for member in people],
        "groups": list(marks(tournament, people)),
    }
    if here:
        data["here"] = True
    return ("entrant.added", data)


def entered(state: State) -> set[str]:
    """Public ids of everybody who takes part."""
    return {
        person for each in state.entrants.values() if each.status not in (WITHDRAWN, MERGED) for person in each.members
    }


def candidates(club: Club, state: State, name: str = "") -> QuerySet[Member]:
    """Who is in the club's list and does not take part yet, by name."""
    rows = Member.objects.filter(club=club, left_on__isnull=True).exclude(public_id__in=entered(state))
    for word in fold(name).split():
        rows = rows.filter(sort_key__contains=word)
    return rows.order_by("sort_key", "pk")


def of_list(club: Club, public_ids: Sequence[str]) -> list[Member]:
    """Entries of the list, in this order. Raises NoSuchPerson, NobodyChosen."""
    if not public_ids:
        raise NobodyChosen
    rows = {each.public_id: each for each in Member.objects.filter(club=club, public_id__in=public_ids)}
    if len(rows) != len(set(public_ids)):
        raise NoSuchPerson
    return [rows[public_id] for public_id in public_ids]


def enter(
    tournament: Tournament, people: Sequence[Member], *, by: Actor, request_id: uuid.UUID, here: bool = False
) -> Receipt:
    """Each of them enters as a single person; online they are here at once. Raises Refused, NotOpen, RequestReused."""
    here = here or plays_online(state_of(tournament))
    doings = [adding(tournament, [member], here=here) for member in people]
    return door.act(tournament.pk, doings, by=by, request_id=request_id)


def enter_pair(tournament: Tournament, people: Sequence[Member], *, by: Actor, request_id: uuid.UUID) -> Receipt:
    """Two enter as a pair; online they are here at once. Raises Refused, NotOpen, RequestReused."""
    here = plays_online(state_of(tournament))
    return door.act(tournament.pk, [adding(tournament, people, here=here)], by=by, request_id=request_id)


def enter_here(
    tournament: Tournament, member: Member, *, pay: int, by: Actor, request_id: uuid.UUID, same: str = ""
) -> Receipt:
    """Somebody of the list who stands at the door: enters, is here, and has paid `pay`. Raises Refused, RequestReused."""
    same = same or f"enter-here|{member.public_id}|{pay}"
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        before = door.repeated(row, request_id, same, by)
        if before is not None:
            return before
        state = state_of(row)
        doings = [adding(row, [member], here=True)]
        if pay:
            doings.append(("money.entered", {"kind": "fee", "amount": pay, "who": next_id(state)}))
        return door.act(row.pk, doings, by=by, request_id=request_id, expected=state.number, same=same)


def walk_in(tournament: Tournament, who: WalkIn, *, by: Actor, request_id: uuid.UUID) -> tuple[Receipt, Member | None]:
    """A guest comes in: an entry in the club's list, enters, is here, has paid. The member is None for a repeated request.

    Raises NameMissing, Alike (unless `sure`), ListFull, Refused, NotOpen, RequestReused.
    """
    if not (who.first_name or who.last_name):
        raise NameMissing
    same = f"walk-in|{who.first_name}|{who.last_name}|{who.named}|{who.pay}"
    with transaction.atomic():
        club = steps.locked(tournament.club_id)
        before = door.repeated(tournament, request_id, same, by)
        if before is not None:
            return before, None
        if not who.sure:
            known = room_members.alike(club, who.first_name, who.last_name)
            if known:
                raise Alike(known)
        details = Details(who.first_name, who.last_name, kind=Member.Kind.GUEST, named=True if who.named else None)
        member = room_members.put(club, by.player, details)
        steps.log(club, "member.entered", actor=by.player, member=member, data={"tournament": tournament.public_id})
        receipt = enter_here(tournament, member, pay=who.pay, by=by, request_id=request_id, same=same)
        return receipt, member


def substitute_guest(
    tournament: Tournament, entrant: str, old: str, first_name: str, last_name: str, *, by: Actor, request_id: uuid.UUID
) -> Receipt:
    """Somebody who is not in the list plays on for `old`: an entry is made for them. Raises as `walk_in`, but Alike."""
    if not (first_name or last_name):
        raise NameMissing
    same = f"substitute|{entrant}|{old}|{first_name}|{last_name}"
    with transaction.atomic():
        club = steps.locked(tournament.club_id)
        before = door.repeated(tournament, request_id, same, by)
        if before is not None:
            return before
        member = room_members.put(club, by.player, Details(first_name, last_name, kind=Member.Kind.GUEST))
        steps.log(club, "member.entered", actor=by.player, member=member, data={"tournament": tournament.public_id})
        doing: Doing = ("entrant.substituted", {"id": entrant, "old": old, "new": member.public_id})
        return door.act(tournament.pk, [doing], by=by, request_id=request_id, same=same)


# by oneself


def own_entry(tournament: Tournament, state: State, player: Player | None) -> tuple[Member | None, str]:
    """The entry of this person in the club's list, if any, and the entrant they take part as ("" for none)."""
    if player is None:
        return None, ""
    member = Member.objects.filter(club_id=tournament.club_id, player=player).first()
    if member is None:
        return None, ""
    found = next(
        (
            each.id
            for each in state.entrants.values()
            if each.status not in (WITHDRAWN, MERGED) and member.public_id in each.members
        ),
        "",
    )
    return member, found


def may_enter(tournament: Tournament, state: State, player: Player | None, member: Member | None) -> None:
    """Raise AccountNeeded, EntryClosed, MembersOnly or Full unless this person may enter by themselves now."""
    if tournament.entry == Tournament.Entry.DESK or not entry.is_open(state):
        raise EntryClosed
    if tournament.status == Tournament.Status.CANCELLED:
        raise EntryClosed
    if player is None or not player.is_member:
        raise AccountNeeded
    belongs = member is not None and member.kind == Member.Kind.MEMBER and member.left_on is None
    if tournament.entry == Tournament.Entry.MEMBERS and not belongs:
        raise MembersOnly
    if tournament.most and len(entered(state)) >= tournament.most:
        raise Full


def enter_oneself(tournament: Tournament, player: Player, person: Person, *, request_id: uuid.UUID) -> Receipt:
    """Somebody enters themselves. Who is not in the club's list gets an entry of a guest, with the names in `person`. Online
    they are here at once: there is no door to come in by.

    Raises AccountNeeded, Suspended, EntryClosed, MembersOnly, Full, EnteredAlready, NameMissing, Refused, RequestReused.
    """
    with transaction.atomic():
        club = steps.locked(tournament.club_id)
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        state = state_of(row)
        member, known = own_entry(row, state, player)
        if member is not None:
            by = actors.oneself(player, member.public_id)
            before = door.repeated(row, request_id, "enter-oneself", by)
            if before is not None:
                return before
        if known:
            raise EnteredAlready
        may_enter(row, state, player, member)
        rights.check_not_suspended(player)
        if member is None or member.left_on is not None:
            member = _guest(club, player, person, member)
        by = actors.oneself(player, member.public_id)
        here = plays_online(state)
        doing = adding(row, [member], here=here)
        return door.act(row.pk, [doing], by=by, request_id=request_id, same="enter-oneself")


def _guest(club: Club, player: Player, person: Person, before: Member | None) -> Member:
    """An entry for somebody who enters by themselves; who had left the club comes back as a guest."""
    if not (person.first_name or person.last_name):
        raise NameMissing
    if before is None:
        details = Details(person.first_name, person.last_name, kind=Member.Kind.GUEST, named=person.named)
        member = room_members.put(club, player, details)
        member.player = player
        member.save(update_fields=["player"])
    else:
        member = before
        member.first_name, member.last_name, member.reduced_at = person.first_name, person.last_name, None
        member.kind, member.left_on = Member.Kind.GUEST, None
        member.named, member.consent_at, member.consent_by = person.named, timezone.now(), player
        member.save()
    steps.log(club, "member.entered", actor=player, member=member)
    return member


def withdraw_oneself(tournament: Tournament, player: Player, *, request_id: uuid.UUID) -> Receipt:
    """Somebody says that they do not come. Of a pair, the pair. Raises NotEntered, Refused, RequestReused."""
    state = state_of(tournament)
    member, entrant = own_entry(tournament, state, player)
    if member is not None:
        by = actors.oneself(player, member.public_id)
        before = door.repeated(tournament, request_id, "withdraw-oneself", by)
        if before is not None:
            return before
    if member is None or not entrant:
        raise NotEntered
    doing: Doing = ("entrant.withdrawn", {"id": entrant})
    return door.act(tournament.pk, [doing], by=by, request_id=request_id, same="withdraw-oneself")


def leave_oneself(tournament: Tournament, player: Player, *, request_id: uuid.UUID) -> Receipt:
    """Somebody goes in the middle of an online season: their games go to substitutes or computer players, later rounds are
    drawn without them, results stay. Who has not played yet does not come. Of a pair, the pair.

    Raises NotEntered, Refused, RequestReused.
    """
    return _of_oneself(tournament, player, "leave-oneself", "entrant.left", (HERE,), request_id)


def return_oneself(tournament: Tournament, player: Player, *, request_id: uuid.UUID) -> Receipt:
    """Somebody who had gone plays again from the next draw on. Raises NotEntered, Refused, RequestReused."""
    return _of_oneself(tournament, player, "return-oneself", "entrant.arrived", (GONE, HERE), request_id)


def pause_oneself(tournament: Tournament, player: Player, *, off: bool = False, request_id: uuid.UUID) -> Receipt:
    """Somebody sits out the next round, or takes that back (`off`). Raises NotEntered, Refused, RequestReused."""
    what, data = f"pause-oneself|{off}", {"off": off}
    return _of_oneself(tournament, player, what, "entrant.paused", (HERE,), request_id, data)


def _of_oneself(
    tournament: Tournament,
    player: Player,
    same: str,
    kind: str,
    statuses: tuple[str, ...],
    request_id: uuid.UUID,
    data: Mapping[str, Plain] | None = None,
) -> Receipt:
    """What somebody says of their own entry in an online tournament."""
    tournament.refresh_from_db()
    state = state_of(tournament)
    member, entrant = own_entry(tournament, state, player)
    if member is not None:
        by = actors.oneself(player, member.public_id)
        before = door.repeated(tournament, request_id, same, by)
        if before is not None:
            return before
    if member is None or not entrant or state.entrants[entrant].status not in statuses or not plays_online(state):
        raise NotEntered
    doing: Doing = (kind, {"id": entrant, **(data or {})})
    return door.act(tournament.pk, [doing], by=by, request_id=request_id, same=same)
