"""What people do with their own entry: enter, leave, pause, and become a pair with somebody, without the desk.

For a pair, one of the two gives the other a link, and whoever enters by it is the partner. Locks: the club's row first,
then the tournament's. A refusal changes nothing; a repeated request does nothing twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from django.core import signing
from django.db import transaction
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs.exceptions import AccountNeeded
from clubs.models import Club, Member
from clubs.services import common
from clubs.services import members as club_members
from clubs.services.common import Person
from clubs.services.members import Details
from domain.tournament.payload import Plain
from domain.tournament.registering import needs_partner, next_id, seat_now
from domain.tournament.state import EXPECTED, GONE, HERE, MERGED, WITHDRAWN, Entrant, State
from tournaments import permissions
from tournaments.exceptions import EntryError, TournamentError
from tournaments.models import Tournament
from tournaments.online import substitutes
from tournaments.online.substitutes import plays_online
from tournaments.registration.services import adding, entered, may_pause
from tournaments.selectors import state_of
from tournaments.services import log
from tournaments.services.log import NewEvent, Receipt

NOBODY: Final = Person("", "", False)
"""Stands for somebody who is in the club's list already, whose names stay as they are there."""
_LONGEST: Final = 100
"""No token of ours has more characters."""


def own_entry(tournament: Tournament, state: State, player: Player | None) -> tuple[Member | None, str]:
    """The entry of this player in the club's list, if any, and the entrant they take part as ("" if none)."""
    if player is None:
        return None, ""
    member = Member.objects.filter(club_id=tournament.club_id, player=player).first()
    if member is None:
        return None, ""
    entrant = next(
        (
            each.id
            for each in state.entrants.values()
            if each.status not in (WITHDRAWN, MERGED) and member.public_id in each.members
        ),
        "",
    )
    return member, entrant


def may_enter(tournament: Tournament, state: State, player: Player | None, member: Member | None) -> None:
    """Raise ``account-needed``, ``entry-closed``, ``members-only`` or ``full`` unless this player may enter now."""
    if tournament.entry == Tournament.Entry.DESK or not substitutes.is_open(state):
        raise EntryError("entry-closed")
    if tournament.status == Tournament.Status.CANCELLED:
        raise EntryError("entry-closed")
    if player is None or not player.is_member:
        raise AccountNeeded
    belongs = member is not None and member.kind == Member.Kind.MEMBER and member.left_on is None
    if tournament.entry == Tournament.Entry.MEMBERS and not belongs:
        raise EntryError("members-only")
    if tournament.most and len(entered(state)) >= tournament.most:
        raise EntryError("full")


def enter_oneself(
    tournament: Tournament, player: Player, person: Person, *, partner: str = "", request_id: uuid.UUID
) -> Receipt:
    """Enter a player at their own request, as the pair of whoever asked them by the link with the token `partner`.

    If they are not in the club's list, they are added as a guest, named `person`.

    Online they count as here at once, because there is no entrance.

    Raises ``account-needed``, Suspended, ``entry-closed``, ``members-only``, ``full``, ``entered-already``,
    ``partner-taken``, ``name-missing``, Refused, ``request-reused``.
    """
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        state = state_of(row)
        member, entrant = own_entry(row, state, player)
        if member is not None:
            by = permissions.oneself(player, member.public_id)
            before = log.repeated(row, request_id, "enter-oneself", by)
            if before is not None:
                return before
        if entrant:
            raise EntryError("entered-already")
        may_enter(row, state, player, member)
        account_permissions.check_not_suspended(player)
        pairing = [_pairing(row, state, partner, next_id(state))] if partner else []
        if member is None or member.left_on is not None:
            member = _guest(club, player, person, member)
        by = permissions.oneself(player, member.public_id)
        here = plays_online(state)
        doings = [adding(row, [member], here=here), *pairing]
        return log.act(row.pk, doings, by=by, request_id=request_id, same="enter-oneself")


def play_with(tournament: Tournament, player: Player, partner: str, *, request_id: uuid.UUID) -> Receipt:
    """Make a player who has entered alone the pair of whoever asked them by the link with the token `partner`.

    Raises ``not-entered``, ``partner-taken``, Refused, ``request-reused``.
    """
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        state = state_of(row)
        member, entrant = own_entry(row, state, player)
        if member is None or not entrant:
            raise EntryError("not-entered")
        by, same = permissions.oneself(player, member.public_id), f"play-with|{partner}"
        before = log.repeated(row, request_id, same, by)
        if before is not None:
            return before
        return log.act(row.pk, [_pairing(row, state, partner, entrant)], by=by, request_id=request_id, same=same)


def _pairing(tournament: Tournament, state: State, partner: str, entrant: str) -> NewEvent:
    """The event by which this entrant becomes the pair of whoever asked. Raises ``partner-taken``."""
    asked_by = asking(tournament, state, partner)
    if asked_by is None:
        raise EntryError("partner-taken")
    return ("pairs.made", {"pairs": [[asked_by.id, entrant]], "substitutes": True})


def _guest(club: Club, player: Player, person: Person, before: Member | None) -> Member:
    """An entry for a player who enters by themselves. One who had left the club (`before`) comes back as a guest."""
    if not (person.first_name or person.last_name):
        raise EntryError("name-missing")
    if before is None:
        details = Details(person.first_name, person.last_name, kind=Member.Kind.GUEST, named=person.named)
        member = club_members.put(club, player, details)
        member.player = player
        member.save(update_fields=["player"])
    else:
        member = before
        member.first_name, member.last_name, member.reduced_at = person.first_name, person.last_name, None
        member.kind, member.left_on = Member.Kind.GUEST, None
        member.named, member.consent_at, member.consent_by = person.named, timezone.now(), player
        member.save()
    common.log(club, "member.entered", actor=player, member=member)
    return member


Oneself = tuple[str, tuple[str, ...], Mapping[str, Plain]]
_ONESELF: Final[Mapping[str, Oneself]] = {
    "withdraw": ("entrant.withdrawn", (), {}),
    "leave": ("entrant.left", (HERE,), {}),
    "return": ("entrant.arrived", (GONE, HERE), {}),
    "pause": ("entrant.paused", (HERE,), {"off": False}),
    "play-on": ("entrant.paused", (HERE,), {"off": True}),
    "part": ("pair.parted", (), {"substitutes": True}),
}
"""What players do with their own entry: the kind of event, the statuses that allow it in an online season (none: it is
allowed anywhere), and more of its data."""


def do_oneself(tournament: Tournament, player: Player, do: str, *, request_id: uuid.UUID) -> Receipt:
    """Change a player's own entry, or that of their pair. Raises ``not-entered``, ``has-substitute``, ``no-pause``,
    Refused, ``request-reused``.

    `do` is `withdraw` if they do not come: a partner who entered by themselves stays, alone. `part` makes two single
    people of such a pair (``cannot-part`` once they are in the hall). During an online season it can be `leave` (their
    games go to substitutes or computer players, later rounds are drawn without them, results stay), `return` (they play
    again from the next draw on), `pause` (they sit out the next round), and `play-on` (cancels the pause).
    """
    same, (kind, statuses, data) = f"{do}-oneself", _ONESELF[do]
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        state = state_of(row)
        member, entrant = own_entry(row, state, player)
        if member is not None:
            by = permissions.oneself(player, member.public_id)
            before = log.repeated(row, request_id, same, by)
            if before is not None:
                return before
        if member is None or not entrant:
            raise EntryError("not-entered")
        own = state.entrants[entrant]
        if statuses and (own.status not in statuses or not plays_online(state)):
            raise EntryError("not-entered")
        if statuses and own.playing_for(member.public_id)[0] != member.public_id:
            raise EntryError("has-substitute")
        if do == "pause" and not may_pause(state):
            raise EntryError("no-pause")
        if do == "part" and not may_part(state, own, member.public_id):
            raise EntryError("cannot-part")
        doings: list[NewEvent] = [(kind, {"id": entrant, **data})]
        if do == "withdraw":
            doings = withdrawing(state, own, member.public_id)
        return log.act(row.pk, doings, by=by, request_id=request_id, same=same)


def withdrawing(state: State, entrant: Entrant, person: str) -> list[NewEvent]:
    """The events by which a person takes themselves off the list; a partner who entered by themselves stays, alone.

    Raises ``has-substitute`` for a substitute, and for whoever is replaced by one: the other of the two comes.
    """
    if entrant.playing_for(person)[0] != person or person not in entrant.members:
        raise EntryError("has-substitute")
    half = half_of(state, entrant, person)
    parted: list[NewEvent] = [("pair.parted", {"id": entrant.id, "substitutes": True})] if half else []
    return [*parted, ("entrant.withdrawn", {"id": half or entrant.id})]


def give_up_place(tournament: Tournament, player: Player) -> None:
    """Withdraw a player whose account is deleted.

    The director decides about those who are in the hall, have played, or have a substitute, where a partner who did not
    enter by themselves would be taken along, and in an evening that is on another computer.
    """
    state = state_of(tournament)
    member, entrant = own_entry(tournament, state, player)
    if member is None or not entrant:
        return
    own = state.entrants[entrant]
    is_coming = own.status == EXPECTED or plays_online(state)
    if is_coming and (len(own.members) == 1 or half_of(state, own, member.public_id)):
        with suppress(EntryError, TournamentError):
            do_oneself(tournament, player, "withdraw", request_id=uuid.uuid4())


def substitution_of(state: State, person: str) -> tuple[str, str]:
    """For whom this person plays from the next round on, and who plays for them; "" for nobody."""
    for entrant in state.entrants.values():
        if entrant.status in (HERE, EXPECTED):
            for own in entrant.members:
                playing, _since = entrant.playing_for(own)
                if own != playing and person in (own, playing):
                    return (own, "") if person == playing else ("", playing)
    return "", ""


# partners


def token_of(tournament: Tournament, member: str) -> str:
    """The token in the link by which this person (the public id of a member) asks somebody to play with them."""
    return _signer(tournament).sign(member)


def asking(tournament: Tournament, state: State, token: str) -> Entrant | None:
    """The single entrant whose link has this token. None if they have a partner by now or do not come, and for a token
    that is not ours."""
    try:
        person = _signer(tournament).unsign(token[:_LONGEST])
    except signing.BadSignature:
        return None
    return next(
        (
            each
            for each in state.entrants.values()
            if each.members == (person,) and needs_partner(state, each) and not seat_now(state, each.id)
        ),
        None,
    )


def half_of(state: State, entrant: Entrant, member: str) -> str:
    """The entrant that this member of a pair will be when the pair is parted.

    "" if the two entered as a pair, or sit at a table already: then they stay together.
    """
    if seat_now(state, entrant.id):
        return ""
    other = next((each.id for each in state.entrants.values() if each.merged_into == entrant.id), "")
    return other and (entrant.id if entrant.members[0] == member else other)


def may_part(state: State, entrant: Entrant, member: str) -> bool:
    """Whether this member of a pair may part it: not once the two are in the hall, where pairs are also drawn."""
    return bool(half_of(state, entrant, member)) and (entrant.status == EXPECTED or plays_online(state))


def _signer(tournament: Tournament) -> signing.Signer:
    return signing.Signer(salt=f"tournaments.partner.{tournament.public_id}")
