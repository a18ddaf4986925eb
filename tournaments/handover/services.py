"""Save an evening as a file, hand it over to another computer, and open such a file.

One computer leads: while a tournament is elsewhere (`Tournament.elsewhere_since`), the log here refuses all events. The
log that comes back is taken over if it begins with the whole log here; its events pass the usual checks. Logs that have
diverged are never merged.

Locks: the club's row first, then the tournament's. A refusal changes nothing; a file opened twice does nothing twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs.exceptions import AccountNeeded
from clubs.models import Club, HouseRulesVersion, Member
from clubs.permissions import Act, check_may, may
from clubs.services import common
from core.limits import take
from domain.errors import DomainError
from domain.standings.profile import from_plain
from domain.tournament import drawing
from domain.tournament.events import Event
from domain.tournament.payload import Given, Plain, tidy
from domain.tournament.state import State
from tournaments import selectors, signals
from tournaments.exceptions import BothWentOn, FileError, Refused
from tournaments.handover import files
from tournaments.handover.files import MOST_PEOPLE, EveningFile
from tournaments.models import Tournament, TournamentEvent
from tournaments.selectors import event_of, state_of
from tournaments.services import log
from tournaments.services.log import LoggedEvent

_GIVEN: Final = ("name", "place", "text", "language", "entry")
_OF_A_CLUB: Final = ("name", "village", "canton", "language")
_OF_A_PERSON: Final = ("first_name", "last_name", "kind")


@dataclass(frozen=True, slots=True)
class Opened:
    """The result of opening a file: the tournament, and the number of events that were new here."""

    tournament: Tournament
    taken: int
    is_new: bool = False


# saving


def can_be_saved(tournament: Tournament, state: State) -> bool:
    """Whether the tournament can be continued from a file: no part of it is played online, and it is not cancelled."""
    plans = (state.plan, *(phase.plan for phase in state.phases))
    return tournament.status != Tournament.Status.CANCELLED and all(plan.online is None for plan in plans)


def file_of(tournament: Tournament) -> bytes:
    """The evening as a file. Raises ``played-online``, ``evening-over``."""
    state = state_of(tournament)
    _check_saved(tournament, state)
    return files.write(_head(tournament, state), log_of(tournament))


def log_of(tournament: Tournament) -> list[LoggedEvent]:
    """The log as it is in a file."""
    rows = TournamentEvent.objects.filter(tournament=tournament, number__lte=tournament.number).order_by("number")
    return [LoggedEvent(_in_utc(row), row.request_id, row.digest) for row in rows]


def hand_over(tournament: Tournament, by: Player) -> None:
    """Hand the tournament over to another computer, which continues it from its file.

    Raises ``not-allowed``, ``played-online``, ``evening-over``.
    """
    with transaction.atomic():
        club, row = _locked(tournament, by)
        _check_saved(row, state_of(row))
        if row.elsewhere_since is None:
            _set_elsewhere(row, timezone.now())
            common.log(club, "tournament.handed-over", actor=by, data={"tournament": row.public_id})


def take_back(tournament: Tournament, by: Player) -> None:
    """Continue the tournament here again, without what may have happened elsewhere. Raises ``not-allowed``."""
    with transaction.atomic():
        club, row = _locked(tournament, by)
        if row.elsewhere_since is not None:
            _set_elsewhere(row, None)
            common.log(club, "tournament.taken-back", actor=by, data={"tournament": row.public_id})


def _set_elsewhere(row: Tournament, since: datetime | None) -> None:
    row.elsewhere_since = since
    row.save(update_fields=["elsewhere_since"])
    public_id, number = row.public_id, row.number
    transaction.on_commit(lambda: signals.ring(public_id, number), robust=True)


def _check_saved(tournament: Tournament, state: State) -> None:
    if not can_be_saved(tournament, state):
        cancelled = tournament.status == Tournament.Status.CANCELLED
        raise FileError("evening-over" if cancelled else "played-online")


def _locked(tournament: Tournament, by: Player) -> tuple[Club, Tournament]:
    club = common.locked(tournament.club_id)
    check_may(by, club, Act.RUN_TOURNAMENTS)
    return club, Tournament.objects.select_for_update().get(pk=tournament.pk)


def _head(tournament: Tournament, state: State) -> dict[str, Plain]:
    club, rules = tournament.club, tournament.house_rules
    phase = state.phases[-1] if state.phases else None
    ends = tournament.ends
    given: dict[str, Plain] = {field: str(getattr(tournament, field)) for field in _GIVEN}
    described: dict[str, Plain] = {field: getattr(club, field) for field in _OF_A_CLUB}
    return {
        "site": settings.SITE_URL,
        "saved_at": timezone.now().isoformat(),
        "round": phase.rounds[-1].key if phase and phase.rounds else "",
        "handed_over": tournament.elsewhere_since is not None,
        "tournament": {
            "id": tournament.public_id,
            **given,
            "starts": tournament.starts.isoformat(),
            "ends": ends.isoformat() if ends else None,
            "is_public": tournament.is_public,
            "most": tournament.most,
            "draw_secret": bytes(tournament.draw_secret).hex(),
            "key_secret": bytes(tournament.key_secret).hex(),
        },
        "club": {**described, "keeps_months": club.keeps_months},
        "house_rules": {"version": rules.version, "data": rules.data, "note": rules.note} if rules else None,
        "people": [_person(each) for each in _people(club, state)],
        "earlier": list(log.evenings_before(tournament)),
    }


def _people(club: Club, state: State) -> list[Member]:
    """Everybody whom helpers at the door may look for, and everybody in the log."""
    named = persons_of(state)
    rows = Member.objects.filter(club=club).order_by("pk")
    return [each for each in rows if each.left_on is None or each.public_id in named]


def persons_of(state: State) -> set[str]:
    """The public ids of all entries that appear in the log."""
    persons: set[str] = set()
    for each in state.entrants.values():
        persons |= {*each.members, *(one.new for one in each.substitutions)}
    return persons


def _person(member: Member) -> dict[str, Plain]:
    fields: dict[str, Plain] = {field: getattr(member, field) for field in _OF_A_PERSON}
    return {"id": member.public_id, **fields, "groups": list(member.groups), "named": member.named}


def _in_utc(row: TournamentEvent) -> Event:
    event = event_of(row)
    return Event(event.number, row.at.astimezone(UTC).isoformat(), event.kind, event.data, event.by)


# opening


def open_evening(file: EveningFile, by: Player) -> Opened:
    """Continue an evening here from its file, as a new tournament or as the one of this site that the file comes from.

    Raises FileError (BothWentOn if both have gone on), and ``not-allowed``, ``account-needed``, ``club-gone``,
    Suspended.
    """
    with _as_damaged():
        public_id = file.public_id
    with transaction.atomic():
        existing = Tournament.objects.filter(public_id=public_id).first()
        return _bring_back(existing, file, by) if existing else _open_new(file, by)


def _bring_back(existing: Tournament, file: EveningFile, by: Player) -> Opened:
    club, row = _locked(existing, by)
    row.club = club
    if row.status == Tournament.Status.CANCELLED:
        raise FileError("evening-over")
    with _as_damaged():
        given = file.head.group("tournament")
        secrets = (_secret(given, "draw_secret"), _secret(given, "key_secret"))
        people = _people_in(file)
    if secrets != (bytes(row.draw_secret), bytes(row.key_secret)):
        raise FileError("other-evening")
    ours = log_of(row)
    same = files.same_until(ours, file.events)
    if same < len(ours):
        raise FileError("older-file") if same == len(file.events) else BothWentOn(same)
    new = file.events[same:]
    if new or row.elsewhere_since is not None:
        _enter(club, people, _persons_in(new), by, row)
        _go_on(row, new, after=same)
        data = {"tournament": row.public_id, "events": len(new)}
        common.log(club, "tournament.brought-back", actor=by, data=data)
        row.refresh_from_db()
    return Opened(row, len(new))


def _open_new(file: EveningFile, by: Player) -> Opened:
    if not by.is_member:
        raise AccountNeeded
    account_permissions.check_not_suspended(by)
    if not take(f"open-evening:{by.pk}", rate=20, per=3600):
        raise FileError("opened-too-often")
    with _as_damaged():
        people = _people_in(file)
        club = _club_for(file, people, by)
        tournament = _create_tournament(file, club, by)
    selectors.forget(tournament.public_id)
    _enter(club, people, people, by, tournament)
    state = _go_on(tournament, file.events, after=0)
    if state.open and state.commitment != drawing.commitment(bytes(tournament.draw_secret)):
        raise FileError("file-damaged")
    common.log(club, "tournament.opened-from-file", actor=by, data={"tournament": tournament.public_id})
    tournament.refresh_from_db()
    if not can_be_saved(tournament, state):
        raise FileError("played-online")
    return Opened(tournament, len(file.events), is_new=True)


def _go_on(row: Tournament, events: Sequence[LoggedEvent], *, after: int) -> State:
    try:
        return log.go_on(row.pk, events, after=after)
    except Refused as refusal:
        raise FileError("file-impossible", FileError.words["file-impossible"] % {"why": refusal}) from None


def _club_for(file: EveningFile, people: Collection[str], by: Player) -> Club:
    """The club of this site that has these people in its list, if `by` may plan evenings there.

    If no club has them, a new club is created for them.
    """
    clubs = list(Club.objects.filter(members__public_id__in=people).distinct()[:2])
    if clubs:
        if len(clubs) > 1 or not may(by, clubs[0], Act.PLAN_TOURNAMENTS):
            raise FileError("people-elsewhere")
        return common.locked(clubs[0].pk)
    given = file.head.group("club")
    club = Club(keeps_months=given.whole("keeps_months", 1, 1200), joining=Club.Joining.INVITATION)
    for field in _OF_A_CLUB:
        setattr(club, field, given.text(field, ""))
    if club.language not in dict(settings.INTERFACE_LANGUAGES):
        club.language = settings.LANGUAGE_CODE
    club.clean_fields(exclude=["slug", "name_key", "created_by"])
    return common.club_of_a_file(by, club)


def _create_tournament(file: EveningFile, club: Club, by: Player) -> Tournament:
    given = file.head.group("tournament")
    tournament = Tournament(club=club, created_by=by, public_id=file.public_id, opened_at=timezone.now())
    for field in _GIVEN:
        # Keep the line breaks of the announcement; the model checks the rest.
        setattr(tournament, field, str(given.data.get(field, "")))
    tournament.starts = datetime.fromisoformat(given.moment("starts"))
    tournament.ends = datetime.fromisoformat(given.moment("ends")) if given.has("ends") else None
    tournament.is_public, tournament.most = given.flag("is_public"), given.whole("most", 0, 32_767)
    tournament.draw_secret, tournament.key_secret = _secret(given, "draw_secret"), _secret(given, "key_secret")
    tournament.house_rules = _house_rules(file.head, club, by)
    tournament.opened_from = file.head.text("site", "", most=200)
    earlier = file.head.groups("earlier", most=log.MOST_EVENINGS)
    tournament.earlier = [tidy(dict(each.data)) for each in earlier]
    tournament.clean_fields(exclude=["club", "created_by", "house_rules"])
    tournament.save()
    return tournament


def _house_rules(head: Given, club: Club, by: Player) -> HouseRulesVersion | None:
    """The club's version of the house rules in the file, created if it has none."""
    if not head.has("house_rules"):
        return None
    given = head.group("house_rules")
    data = given.group("data").data
    from_plain(dict(data))
    versions = list(HouseRulesVersion.objects.filter(club=club))
    for each in versions:
        if each.data == data:
            return each
    number, taken = given.whole("version", 1, 100_000), {each.version for each in versions}
    return HouseRulesVersion.objects.create(
        club=club,
        version=number if number not in taken else max(taken) + 1,
        data=dict(data),
        note=given.text("note", "", most=200),
        by=by,
    )


def _people_in(file: EveningFile) -> dict[str, Member]:
    """The people in the file as unsaved entries, by their public ids."""
    people = {}
    for each in file.head.groups("people", most=MOST_PEOPLE):
        member = Member(public_id=each.text("id", most=40), named=each.flag("named"))
        for field in _OF_A_PERSON:
            setattr(member, field, each.text(field, ""))
        member.groups = list(each.texts("groups", most=50))
        member.clean_fields(exclude=["club", "player", "consent_by"])
        people[member.public_id] = member
    return people


def _persons_in(events: Sequence[LoggedEvent]) -> set[str]:
    """The public ids of the people whom these events enter, as members or substitutes."""
    persons: set[str] = set()
    for each in events:
        members, new = each.event.data.get("members"), each.event.data.get("new")
        persons |= {str(one) for one in members} if isinstance(members, list) else set()
        persons |= {new} if isinstance(new, str) else set()
    return persons


def _enter(club: Club, people: dict[str, Member], persons: Collection[str], by: Player, tournament: Tournament) -> None:
    """Add those of `persons` who are not in the club's list yet. Raises ``people-elsewhere``."""
    clubs = dict(Member.objects.filter(public_id__in=persons).values_list("public_id", "club"))
    if any(each != club.pk for each in clubs.values()):
        raise FileError("people-elsewhere")
    for public_id in persons:
        member = people.get(public_id)
        if public_id in clubs or member is None:
            continue
        member.club = club
        if member.named:
            member.consent_at, member.consent_by = timezone.now(), by
        member.save()
        common.log(club, "member.entered", actor=by, member=member, data={"tournament": tournament.public_id})


def _secret(given: Given, field: str) -> bytes:
    secret = bytes.fromhex(given.text(field))
    if len(secret) != 32:
        raise ValueError(field)
    return secret


@contextmanager
def _as_damaged() -> Iterator[None]:
    """Treat invalid contents of a file's head as damage. Raises ``file-damaged``."""
    try:
        yield
    except (DomainError, ValidationError, ValueError):
        raise FileError("file-damaged") from None
