"""Announcing tournaments, entering people (from the club's list, at the entrance), and what they pay.

Locks: the club's row first, then the tournament's. A refusal changes nothing; a repeated request does nothing twice.
Amounts in Rappen.
"""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, override

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs.exceptions import NotAllowed
from clubs.models import Club, HouseRulesVersion, Member, Season
from clubs.permissions import GRANTED, Act, check_may, may
from clubs.services import common
from clubs.services import members as club_members
from clubs.services.members import Details
from core.exceptions import Refusal
from core.text import fold
from domain.standings.till import TillBalance, TillEntry, till_balance
from domain.tournament import drawing
from domain.tournament.directing import plan_to
from domain.tournament.finishing import rounds_of
from domain.tournament.payload import Plain
from domain.tournament.registering import next_id, next_round
from domain.tournament.state import EXPECTED, GONE, HERE, MERGED, PAIR, WITHDRAWN, Entrant, Plan, State
from tournaments import permissions, signals
from tournaments.exceptions import Alike, EntryError, TournamentError
from tournaments.models import SeasonEvening, Tournament
from tournaments.online import notifications
from tournaments.online.substitutes import plays_online
from tournaments.permissions import Actor
from tournaments.selectors import state_of
from tournaments.services import log
from tournaments.services.log import NewEvent, Receipt

MARK_LENGTH: Final = 12


@dataclass(frozen=True, slots=True)
class WalkIn:
    """Somebody who comes to the entrance.

    `pay` in Rappen, 0 if not yet; `sure`: nobody of that name in the list is meant.

    `by_phone`: they entered themselves on their phone, and are expected until somebody has seen them.
    """

    first_name: str
    last_name: str
    named: bool = False
    pay: int = 0
    sure: bool = False
    by_phone: bool = False


def marks(tournament: Tournament, people: Iterable[Member]) -> list[str]:
    """Opaque marks of families and sub-clubs.

    The published draw names none of them; marks differ between tournaments.
    """
    secret = bytes(tournament.key_secret)
    groups = {fold(str(group)) for member in people for group in member.groups}
    return sorted(
        hmac.new(secret, f"group|{group}".encode(), hashlib.sha256).hexdigest()[:MARK_LENGTH] for group in groups
    )


def adding(tournament: Tournament, people: Sequence[Member], *, here: bool = False, by_phone: bool = False) -> NewEvent:
    """The event by which these people enter as one entrant."""
    data: dict[str, Plain] = {
        "members": [member.public_id for member in people],
        "groups": list(marks(tournament, people)),
    }
    if here:
        data["here"] = True
    if by_phone:
        data["by_phone"] = True
    return ("entrant.added", data)


def entered(state: State) -> set[str]:
    return {
        person for each in state.entrants.values() if each.status not in (WITHDRAWN, MERGED) for person in each.members
    }


def candidates(club: Club, state: State, name: str = "") -> QuerySet[Member]:
    """The people in the club's list who do not take part yet and whose name has all these words, by name."""
    coming = (each for each in state.entrants.values() if each.status in (HERE, EXPECTED))
    playing = {person for each in coming for person in each.people(*next_round(state))}
    rows = Member.objects.filter(club=club, left_on__isnull=True).exclude(public_id__in=entered(state) | playing)
    for word in fold(name).split():
        rows = rows.filter(sort_key__contains=word)
    return rows.order_by("sort_key", "pk")


def of_list(club: Club, public_ids: Sequence[str]) -> list[Member]:
    """The entries of the club's list with these public ids, in this order.

    Raises ``no-such-person``, ``nobody-chosen``.
    """
    if not public_ids:
        raise EntryError("nobody-chosen")
    rows = {each.public_id: each for each in Member.objects.filter(club=club, public_id__in=public_ids)}
    if len(rows) != len(set(public_ids)):
        raise EntryError("no-such-person")
    return [rows[public_id] for public_id in public_ids]


def enter(
    tournament: Tournament, people: Sequence[Member], *, by: Actor, request_id: uuid.UUID, here: bool = False
) -> Receipt:
    """Enter each of these people as a single person; online they count as here at once.

    Raises Refused, ``cancelled``, ``request-reused``.
    """
    here = here or plays_online(state_of(tournament))
    doings = [adding(tournament, [member], here=here) for member in people]
    return log.act(tournament.pk, doings, by=by, request_id=request_id)


def enter_pair(tournament: Tournament, people: Sequence[Member], *, by: Actor, request_id: uuid.UUID) -> Receipt:
    """Enter two people as a pair; online they count as here at once.

    Raises Refused, ``cancelled``, ``request-reused``.
    """
    here = plays_online(state_of(tournament))
    return log.act(tournament.pk, [adding(tournament, people, here=here)], by=by, request_id=request_id)


def enter_here(
    tournament: Tournament,
    member: Member,
    *,
    pay: int,
    by: Actor,
    request_id: uuid.UUID,
    same: str = "",
    by_phone: bool = False,
) -> Receipt:
    """Enter somebody from the list who is at the entrance: they are here and have paid `pay`.

    `by_phone` as for `WalkIn`.

    Raises Refused, ``request-reused``.
    """
    same = same or f"enter-here|{member.public_id}|{pay}"

    def make(state: State) -> list[NewEvent]:
        events = [adding(tournament, [member], here=not by_phone, by_phone=by_phone)]
        if pay:
            events.append(("money.entered", {"kind": "fee", "amount": pay, "who": next_id(state)}))
        return events

    return log.act(tournament.pk, make, by=by, request_id=request_id, same=same)


def walk_in(tournament: Tournament, who: WalkIn, *, by: Actor, request_id: uuid.UUID) -> tuple[Receipt, Member | None]:
    """Add a guest to the club's list and enter them as here, with `who.pay` paid.

    The member is None for a repeated request.

    Raises ``name-missing``, Alike (unless `sure`), ``list-full``, Refused, ``cancelled``, ``request-reused``.
    """
    if not (who.first_name or who.last_name):
        raise EntryError("name-missing")
    same = f"walk-in|{who.first_name}|{who.last_name}|{who.named}|{who.pay}"
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        before = log.repeated(tournament, request_id, same, by)
        if before is not None:
            return before, None
        if not who.sure:
            known = club_members.alike(club, who.first_name, who.last_name)
            if known:
                raise Alike(known)
        details = Details(who.first_name, who.last_name, kind=Member.Kind.GUEST, named=True if who.named else None)
        member = club_members.put(club, by.player, details)
        common.log(club, "member.entered", actor=by.player, member=member, data={"tournament": tournament.public_id})
        receipt = enter_here(
            tournament, member, pay=who.pay, by=by, request_id=request_id, same=same, by_phone=who.by_phone
        )
        return receipt, member


def substituting(state: State, entrant: str, old: str, new: str) -> list[NewEvent]:
    """The events by which `new` plays for `old` from now on; if they had left, their entrant takes part again."""
    back: list[NewEvent] = [("entrant.arrived", {"id": entrant})] if state.entrants[entrant].status == GONE else []
    return [*back, ("entrant.substituted", {"id": entrant, "old": old, "new": new})]


def substitute_guest(
    tournament: Tournament, entrant: str, old: str, first_name: str, last_name: str, *, by: Actor, request_id: uuid.UUID
) -> Receipt:
    """Let somebody who is not in the list play on for `old`, and add them to it. Raises as `walk_in`, except Alike."""
    if not (first_name or last_name):
        raise EntryError("name-missing")
    same = f"substitute|{entrant}|{old}|{first_name}|{last_name}"
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        before = log.repeated(tournament, request_id, same, by)
        if before is not None:
            return before
        member = club_members.put(club, by.player, Details(first_name, last_name, kind=Member.Kind.GUEST))
        common.log(club, "member.entered", actor=by.player, member=member, data={"tournament": tournament.public_id})
        doings = substituting(state_of(tournament), entrant, old, member.public_id)
        return log.act(tournament.pk, doings, by=by, request_id=request_id, same=same)


def is_pausing(state: State, entrant: Entrant) -> bool:
    phase, number = next_round(state)
    return f"{phase}.{number}" in entrant.pauses


def may_pause(state: State) -> bool:
    """Whether a next round is planned, which somebody can sit out; not in a knock-out, where that puts them out."""
    phase = state.current
    planned = phase is None or (not phase.finished and len(phase.rounds) < rounds_of(state, phase))
    return planned and (phase or state).plan.method != "knock-out"


def payer_of(state: State, who: str) -> str:
    """The entrant that an entrant's money belongs to now: the pair, if they became half of one."""
    entrant = state.entrants.get(who)
    return entrant.merged_into if entrant is not None and entrant.status == MERGED else who


def till_entries(state: State) -> list[TillEntry]:
    """All entries of the till, also cancelled ones, in the order in which they were made."""
    return [replace(each, who=payer_of(state, each.who)) for each in state.money]


def paid(state: State) -> dict[str, int]:
    """What each entrant has paid, less what was refunded."""
    found: dict[str, int] = defaultdict(int)
    for each in till_entries(state):
        if each.id not in state.money_cancelled and each.kind in ("fee", "refund"):
            found[each.who] += each.amount if each.kind == "fee" else -each.amount
    return dict(found)


def due(entrant: Entrant, so_far: int) -> int:
    """What an entrant has to pay in all: the fee once they were here.

    Those who are only expected owe nothing yet, and what they paid in advance counts; those who do not come owe
    nothing.
    """
    if entrant.status in (HERE, GONE):
        return entrant.fee
    return min(entrant.fee, max(so_far, 0)) if entrant.status == EXPECTED else 0


def owed(state: State) -> dict[str, int]:
    """What each entrant still owes (positive) or gets back (negative). Entrants with nothing open are left out."""
    so_far = paid(state)
    amounts = {
        entrant.id: due(entrant, so_far.get(entrant.id, 0)) - so_far.get(entrant.id, 0)
        for entrant in state.entrants.values()
        if entrant.status != MERGED
    }
    return {who: amount for who, amount in amounts.items() if amount}


def books_of(state: State, prizes: Mapping[str, int] | None = None) -> TillBalance:
    """The current books. With `prizes` (the money each entrant wins) they also show what is still to be handed over."""
    so_far = paid(state)
    fees = {each.id: due(each, so_far.get(each.id, 0)) for each in state.entrants.values() if each.status != MERGED}
    return till_balance(
        state.opening,
        till_entries(state),
        tuple(state.money_cancelled),
        fees,
        prizes,
        state.counted,
    )


ANNOUNCED_FIELDS: Final = ("name", "starts", "ends", "place", "text", "language", "is_public", "entry", "most")
"""The fields of an announcement; `announce` and `change_announcement` take them from an unsaved `Tournament`."""


def announce(
    club: Club,
    by: Player,
    given: Tournament,
    plan: Plan,
    fee: int,
    *,
    rules: HouseRulesVersion | None,
    request_id: uuid.UUID,
) -> Tournament:
    """Create a tournament with its plan. Unless it is played online, it counts for the club's current seasons.

    `given` is unsaved and holds the announcement; `fee` is in Rappen. Takes the lock on the club's row.

    Raises ``club-gone``, ``not-allowed``, Suspended, Refused, ``request-reused``.
    """
    with transaction.atomic():
        row = common.locked(club.pk)
        before = common.answered(row, by, request_id, "tournament.announced")
        if before is not None:
            return Tournament.objects.get(public_id=str(before.data.get("tournament", "")))
        check_may(by, row, Act.PLAN_TOURNAMENTS)
        account_permissions.check_not_suspended(by)
        tournament = Tournament(club=row, house_rules=rules, created_by=by)
        _write_announcement(tournament, given)
        tournament.save()
        if plan.online is None:
            running = Season.objects.filter(club=row, ended_at__isnull=True)
            SeasonEvening.objects.bulk_create(SeasonEvening(season=each, tournament=tournament) for each in running)
        log.act(tournament.pk, [_planned(plan, fee)], by=permissions.director(by), request_id=request_id)
        common.log(
            row, "tournament.announced", actor=by, data={"tournament": tournament.public_id}, request_id=request_id
        )
        return tournament


def tonight(
    club: Club, by: Player, plan: Plan, *, rules: HouseRulesVersion | None, request_id: uuid.UUID
) -> Tournament:
    """Open the door of the club's evening of today, with all members expected. Announces the evening if necessary.

    Place, language and visibility are taken from the club's last evening; so is the fee if the house rules name none.
    Raises as `announce`, and Refused.
    """
    now = timezone.localtime()
    with transaction.atomic():
        row = common.locked(club.pk)
        check_may(by, row, Act.PLAN_TOURNAMENTS)
        tournament = evening_of_today(row) or _announced_now(row, by, plan, rules, now, request_id)
        state = state_of(tournament)
        director = permissions.director(by)
        if not state.open:
            promised = drawing.commitment(bytes(tournament.draw_secret))
            opened: NewEvent = ("tournament.opened", {"commitment": promised})
            log.act(tournament.pk, [opened], by=director, request_id=uuid.uuid5(request_id, "open"))
        if not state.entrants and state.plan.kind != PAIR:
            expected = [
                adding(tournament, [member]) for member in candidates(row, state).filter(kind=Member.Kind.MEMBER)
            ]
            for start in range(0, len(expected), log.MOST_AT_ONCE):
                batch = expected[start : start + log.MOST_AT_ONCE]
                log.act(tournament.pk, batch, by=director, request_id=uuid.uuid5(request_id, f"expect {start}"))
        return tournament


def evening_of_today(club: Club) -> Tournament | None:
    """The club's evening in the hall that begins today and is not over; None if none is announced."""
    today = timezone.localdate()
    rows = Tournament.objects.filter(club=club, status__in=(Tournament.Status.PLANNED, Tournament.Status.RUNNING))
    near = rows.filter(starts__gte=timezone.now() - timedelta(days=1), starts__lt=timezone.now() + timedelta(days=1))
    found = [each for each in near.order_by("starts") if timezone.localdate(each.starts) == today]
    return next((each for each in found if not plays_online(state_of(each))), None)


def _announced_now(
    club: Club, by: Player, plan: Plan, rules: HouseRulesVersion | None, now: datetime, request_id: uuid.UUID
) -> Tournament:
    held = Tournament.objects.filter(club=club).exclude(status=Tournament.Status.CANCELLED).order_by("-starts")
    last = next((each for each in held[:5] if not plays_online(state_of(each))), None)
    with override(club.language):
        name = gettext("Club evening, %(day)s") % {"day": date_format(now, "MONTH_DAY_FORMAT")}
    given = Tournament(name=name, starts=now.replace(second=0, microsecond=0))
    if last is not None:
        given.place, given.language, given.is_public = last.place, last.language, last.is_public
    fee = plan.rules.fee or (state_of(last).fee if last is not None else 0)
    return announce(club, by, given, plan, fee, rules=rules, request_id=request_id)


def change_announcement(
    tournament: Tournament,
    by: Player,
    given: Tournament,
    plan: Plan,
    fee: int,
    *,
    rules: HouseRulesVersion | None,
    request_id: uuid.UUID,
) -> None:
    """Change the announcement. A new plan applies from the next phase on. Entrants are notified of a new time or place.

    A new fee is for all who owe the one before. Whoever is expected in the hall is here online, where there is no door.

    Raises ``club-gone``, ``not-allowed``, Suspended, ``cancelled`` (cancelled), Refused, ``request-reused``.
    """
    with transaction.atomic():
        row = _locked(tournament, by)
        if common.answered(row.club, by, request_id, "tournament.changed") is not None:
            return
        account_permissions.check_not_suspended(by)
        state = state_of(row)
        if (state.plan, state.fee) != (plan, fee):
            doings = [_planned(plan, fee, fee_for_all=True), *_moved(state, plan)]
            log.act(row.pk, doings, by=permissions.director(by), request_id=request_id)
            row.refresh_from_db()
        moved = (row.starts, row.place) != (given.starts, given.place)
        row.house_rules = rules
        _write_announcement(row, given)
        row.sequence += 1
        row.save()
        over = state.closed or row.status == Tournament.Status.CANCELLED
        if moved and not over and row.starts > timezone.now():
            notifications.notify_entrants(notifications.MOVED, row, by=by)
        _log_announcement(row, "tournament.changed", by, request_id)


def choosable_seasons(player: Player, tournament: Tournament) -> QuerySet[Season]:
    """The seasons of clubs whose seasons the player manages, and those the tournament counts for already."""
    roles = [role for role, acts in GRANTED.items() if Act.SEASONS in acts]
    clubs = Member.objects.filter(
        player=player, role__in=roles, kind=Member.Kind.MEMBER, left_on__isnull=True, club__closed_at__isnull=True
    ).values("club")
    found = Season.objects.filter(Q(club__in=clubs) | Q(evenings__tournament=tournament))
    return found.select_related("club").distinct().order_by("-created_at", "-pk")


def choose_seasons(
    tournament: Tournament, player: Player, public_ids: Collection[str], *, request_id: uuid.UUID
) -> None:
    """Let the tournament count for these seasons (public ids), and for no others that the player may choose.

    Takes the lock of the tournament's club. Writes to the club's log. Raises ``not-allowed``, ``season-ended``,
    ``request-reused``.
    """
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        check_may(player, club, Act.SEASONS)
        if common.answered(club, player, request_id, "season.evenings") is not None:
            return
        seasons = {each.public_id: each for each in choosable_seasons(player, tournament)}
        if not set(public_ids) <= set(seasons):
            raise NotAllowed
        linked = {row.season.public_id: row for row in tournament.seasons.select_related("season")}
        new, gone = set(public_ids) - set(linked), set(linked) - set(public_ids)
        mine = {id for id in new | gone if may(player, seasons[id].club, Act.SEASONS)}
        if any(seasons[id].ended_at for id in new) or any(seasons[id].ended_at for id in gone & mine):
            raise TournamentError("season-ended")
        SeasonEvening.objects.bulk_create(
            SeasonEvening(season=seasons[id], tournament=tournament) for id in sorted(new & mine)
        )
        SeasonEvening.objects.filter(pk__in=[linked[id].pk for id in gone & mine]).delete()
        data = {"tournament": tournament.public_id, "seasons": sorted(public_ids)}
        common.log(club, "season.evenings", actor=player, data=data, request_id=request_id)


def cancel_tournament(tournament: Tournament, by: Player, *, cancelled: bool, request_id: uuid.UUID) -> None:
    """Cancel the tournament, or hold it after all. Its entrants stay in the list and are notified.

    Raises ``club-gone``, ``not-allowed``, ``cannot-cancel`` (rounds were drawn), ``request-reused``.
    """
    with transaction.atomic():
        row = _locked(tournament, by)
        if common.answered(row.club, by, request_id, "tournament.cancelled") is not None:
            return
        state = state_of(row)
        if state.closed or any(phase.rounds for phase in state.phases):
            raise EntryError("cannot-cancel")
        if cancelled:
            row.status = Tournament.Status.CANCELLED
        else:
            row.status = Tournament.Status.RUNNING if state.open else Tournament.Status.PLANNED
        row.sequence += 1
        row.changed_at = timezone.now()
        row.save(update_fields=["status", "sequence", "changed_at"])
        if row.starts > timezone.now():
            notifications.notify_entrants(notifications.CANCELLED if cancelled else notifications.HELD, row, by=by)
        _log_announcement(row, "tournament.cancelled", by, request_id, cancelled=cancelled)


def can_delete_tournament(state: State) -> bool:
    """Whether nothing has happened yet that would be lost."""
    return not (state.open or state.entrants or state.money or state.phases)


def delete_tournament(tournament: Tournament, by: Player, *, request_id: uuid.UUID) -> None:
    """Delete a tournament in which nothing has happened. Does nothing if this request was accepted before.

    Raises ``club-gone``, ``not-allowed``, ``has-begun``, ``request-reused``.
    """
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        before = common.answered(club, by, request_id, "tournament.deleted")
        if before is not None:
            if before.data.get("tournament") != tournament.public_id:
                raise Refusal("request-reused")
            return
        row = _locked(tournament, by)
        if not can_delete_tournament(state_of(row)):
            raise EntryError("has-begun")
        data = {"tournament": row.public_id}
        common.log(club, "tournament.deleted", actor=by, data=data, request_id=request_id)
        row.delete()


def _locked(tournament: Tournament, by: Player) -> Tournament:
    """The tournament, with its row and its club's locked, if `by` may plan it.

    Raises ``elsewhere`` if it is elsewhere.
    """
    club = common.locked(tournament.club_id)
    check_may(by, club, Act.PLAN_TOURNAMENTS)
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    row.club = club
    if row.elsewhere_since is not None:
        raise TournamentError("elsewhere")
    return row


def _planned(plan: Plan, fee: int, **more: Plain) -> log.NewEvent:
    data: dict[str, Plain] = {"plan": plan_to(plan), "fee": fee, **more}
    return ("tournament.planned", data)


def _moved(state: State, plan: Plan) -> list[NewEvent]:
    """The events by which people who have entered are here once it is played online, and expected once in the hall."""
    if state.phases or (state.plan.online is None) == (plan.online is None):
        return []
    before, kind = (HERE, "entrant.not-arrived") if plan.online is None else (EXPECTED, "entrant.arrived")
    return [(kind, {"id": each.id}) for each in state.entrants.values() if each.status == before]


def _log_announcement(row: Tournament, what: str, by: Player, request_id: uuid.UUID, **data: object) -> None:
    entry: Mapping[str, object] = {"tournament": row.public_id, **data}
    common.log(row.club, what, actor=by, data=entry, request_id=request_id)
    public_id, number = row.public_id, row.number
    transaction.on_commit(lambda: signals.ring(public_id, number), robust=True)


def _write_announcement(row: Tournament, given: Tournament) -> None:
    common.copy_fields(given, row, ANNOUNCED_FIELDS)
    row.changed_at = timezone.now()
