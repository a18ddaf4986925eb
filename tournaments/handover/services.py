"""Saving an evening as a file, handing it over to another computer, and opening such a file.

One computer leads: while a tournament is elsewhere (`Tournament.elsewhere_since`), the log refuses everything here. What comes
back is the log as it went on there: it is taken over if it begins with all that stands here, through the same checks as
everything else; two logs that have parted are never mixed.

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
from tournaments.services.log import Told

_GIVEN: Final = ("name", "place", "text", "language", "entry")
_OF_A_CLUB: Final = ("name", "village", "canton", "language")
_OF_A_PERSON: Final = ("first_name", "last_name", "kind")


@dataclass(frozen=True, slots=True)
class Opened:
    """What opening a file brought: the tournament, and how many events were new here."""

    tournament: Tournament
    taken: int
    is_new: bool = False


# saving


def can_be_saved(tournament: Tournament, state: State) -> bool:
    """Whether it can go on from a file: nothing of it is played online, and it takes place."""
    plans = (state.plan, *(phase.plan for phase in state.phases))
    return tournament.status != Tournament.Status.CANCELLED and all(plan.online is None for plan in plans)


def file_of(tournament: Tournament) -> bytes:
    """The evening as a file. Raises ``played-online``, ``evening-over``."""
    state = state_of(tournament)
    _check_saved(tournament, state)
    return files.write(_head(tournament, state), told_of(tournament))


def told_of(tournament: Tournament) -> list[Told]:
    """The log, as a file tells it."""
    rows = TournamentEvent.objects.filter(tournament=tournament, number__lte=tournament.number).order_by("number")
    return [Told(_in_utc(row), row.request_id, row.digest) for row in rows]


def hand_over(tournament: Tournament, by: Player) -> None:
    """From now on it goes on at another computer, from its file. Raises ``not-allowed``, ``played-online``, ``evening-over``."""
    with transaction.atomic():
        club, row = _locked(tournament, by)
        _check_saved(row, state_of(row))
        if row.elsewhere_since is None:
            _lead(row, elsewhere_since=timezone.now())
            common.log(club, "tournament.handed-over", actor=by, data={"tournament": row.public_id})


def take_back(tournament: Tournament, by: Player) -> None:
    """It goes on here again, without what may have happened elsewhere. Raises ``not-allowed``."""
    with transaction.atomic():
        club, row = _locked(tournament, by)
        if row.elsewhere_since is not None:
            _lead(row, elsewhere_since=None)
            common.log(club, "tournament.taken-back", actor=by, data={"tournament": row.public_id})


def _lead(row: Tournament, *, elsewhere_since: datetime | None) -> None:
    row.elsewhere_since = elsewhere_since
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
    """Everybody whom the door may look for, and everybody whom the log names."""
    named = persons_of(state)
    rows = Member.objects.filter(club=club).order_by("pk")
    return [each for each in rows if each.left_on is None or each.public_id in named]


def persons_of(state: State) -> set[str]:
    """The public ids of all entries that stand in the log."""
    found: set[str] = set()
    for each in state.entrants.values():
        found |= {*each.members, *(one.new for one in each.substitutions)}
    return found


def _person(member: Member) -> dict[str, Plain]:
    told: dict[str, Plain] = {field: getattr(member, field) for field in _OF_A_PERSON}
    return {"id": member.public_id, **told, "groups": list(member.groups), "named": member.named}


def _in_utc(row: TournamentEvent) -> Event:
    event = event_of(row)
    return Event(event.number, row.at.astimezone(UTC).isoformat(), event.kind, event.data, event.by)


# opening


def open_evening(file: EveningFile, by: Player) -> Opened:
    """Let the evening go on here, from where the file stands: as a new one, or as that of this site to which the file returns.

    Raises FileError (BothWentOn where both have gone on), and ``not-allowed``, ``account-needed``, ``club-gone``, Suspended.
    """
    with _as_damaged():
        public_id = file.public_id
    with transaction.atomic():
        known = Tournament.objects.filter(public_id=public_id).first()
        return _returned(known, file, by) if known else _begun(file, by)


def _returned(known: Tournament, file: EveningFile, by: Player) -> Opened:
    club, row = _locked(known, by)
    row.club = club
    if row.status == Tournament.Status.CANCELLED:
        raise FileError("evening-over")
    with _as_damaged():
        given = file.head.group("tournament")
        secrets = (_secret(given, "draw_secret"), _secret(given, "key_secret"))
        people = _people_told(file)
    if secrets != (bytes(row.draw_secret), bytes(row.key_secret)):
        raise FileError("other-evening")
    ours = told_of(row)
    same = files.same_until(ours, file.events)
    if same < len(ours):
        raise FileError("older-file") if same == len(file.events) else BothWentOn(same)
    new = file.events[same:]
    if new or row.elsewhere_since is not None:
        _enter(club, people, _named(new), by, row)
        _go_on(row, new, after=same)
        data = {"tournament": row.public_id, "events": len(new)}
        common.log(club, "tournament.brought-back", actor=by, data=data)
        row.refresh_from_db()
    return Opened(row, len(new))


def _begun(file: EveningFile, by: Player) -> Opened:
    if not by.is_member:
        raise AccountNeeded
    account_permissions.check_not_suspended(by)
    if not take(f"open-evening:{by.pk}", rate=20, per=3600):
        raise FileError("opened-too-often")
    with _as_damaged():
        people = _people_told(file)
        club = _club_for(file, people, by)
        made = _announced(file, club, by)
    selectors.forget(made.public_id)
    _enter(club, people, people, by, made)
    state = _go_on(made, file.events, after=0)
    if state.open and state.commitment != drawing.commitment(bytes(made.draw_secret)):
        raise FileError("file-damaged")
    common.log(club, "tournament.opened-from-file", actor=by, data={"tournament": made.public_id})
    made.refresh_from_db()
    if not can_be_saved(made, state):
        raise FileError("played-online")
    return Opened(made, len(file.events), is_new=True)


def _go_on(row: Tournament, events: Sequence[Told], *, after: int) -> State:
    try:
        return log.go_on(row.pk, events, after=after)
    except Refused as why:
        raise FileError("file-impossible", FileError.words["file-impossible"] % {"why": why}) from None


def _club_for(file: EveningFile, people: Collection[str], by: Player) -> Club:
    """The club of this site whose list these people stand in, if `by` plans evenings there; else one that is made for them."""
    theirs = list(Club.objects.filter(members__public_id__in=people).distinct()[:2])
    if theirs:
        if len(theirs) > 1 or not may(by, theirs[0], Act.PLAN_TOURNAMENTS):
            raise FileError("people-elsewhere")
        return common.locked(theirs[0].pk)
    given = file.head.group("club")
    club = Club(keeps_months=given.whole("keeps_months", 1, 1200), joining=Club.Joining.INVITATION)
    for field in _OF_A_CLUB:
        setattr(club, field, given.text(field, ""))
    if club.language not in dict(settings.INTERFACE_LANGUAGES):
        club.language = settings.LANGUAGE_CODE
    club.clean_fields(exclude=["slug", "name_key", "created_by"])
    return common.club_of_a_file(by, club)


def _announced(file: EveningFile, club: Club, by: Player) -> Tournament:
    given = file.head.group("tournament")
    made = Tournament(club=club, created_by=by, public_id=file.public_id, opened_at=timezone.now())
    for field in _GIVEN:
        # Line breaks of the announcement stay; the rest is checked by the model.
        setattr(made, field, str(given.data.get(field, "")))
    made.starts = datetime.fromisoformat(given.moment("starts"))
    made.ends = datetime.fromisoformat(given.moment("ends")) if given.has("ends") else None
    made.is_public, made.most = given.flag("is_public"), given.whole("most", 0, 32_767)
    made.draw_secret, made.key_secret = _secret(given, "draw_secret"), _secret(given, "key_secret")
    made.house_rules = _house_rules(file.head, club, by)
    made.opened_from = file.head.text("site", "", most=200)
    earlier = file.head.groups("earlier", most=log.MOST_EVENINGS)
    made.earlier = [tidy(dict(each.data)) for each in earlier]
    made.clean_fields(exclude=["club", "created_by", "house_rules"])
    made.save()
    return made


def _house_rules(head: Given, club: Club, by: Player) -> HouseRulesVersion | None:
    """The club's version of these rules, made where it has none."""
    if not head.has("house_rules"):
        return None
    given = head.group("house_rules")
    data = given.group("data").data
    from_plain(dict(data))
    known = list(HouseRulesVersion.objects.filter(club=club))
    for each in known:
        if each.data == data:
            return each
    number, taken = given.whole("version", 1, 100_000), {each.version for each in known}
    return HouseRulesVersion.objects.create(
        club=club,
        version=number if number not in taken else max(taken) + 1,
        data=dict(data),
        note=given.text("note", "", most=200),
        by=by,
    )


def _people_told(file: EveningFile) -> dict[str, Member]:
    """The people of the file as entries that are not saved, by their public ids."""
    found = {}
    for each in file.head.groups("people", most=MOST_PEOPLE):
        member = Member(public_id=each.text("id", most=40), named=each.flag("named"))
        for field in _OF_A_PERSON:
            setattr(member, field, each.text(field, ""))
        member.groups = list(each.texts("groups", most=50))
        member.clean_fields(exclude=["club", "player", "consent_by"])
        found[member.public_id] = member
    return found


def _named(events: Sequence[Told]) -> set[str]:
    """The people whom these events bring in."""
    found: set[str] = set()
    for each in events:
        members, new = each.event.data.get("members"), each.event.data.get("new")
        found |= {str(one) for one in members} if isinstance(members, list) else set()
        found |= {new} if isinstance(new, str) else set()
    return found


def _enter(club: Club, people: dict[str, Member], wanted: Collection[str], by: Player, tournament: Tournament) -> None:
    """Enter into the club's list who is wanted and does not stand there. Raises ``people-elsewhere``."""
    known = dict(Member.objects.filter(public_id__in=wanted).values_list("public_id", "club"))
    if any(each != club.pk for each in known.values()):
        raise FileError("people-elsewhere")
    for public_id in wanted:
        member = people.get(public_id)
        if public_id in known or member is None:
            continue
        member.club = club
        if member.named:
            member.consent_at, member.consent_by = timezone.now(), by
        member.save()
        common.log(club, "member.entered", actor=by, member=member, data={"tournament": tournament.public_id})


def _secret(given: Given, field: str) -> bytes:
    found = bytes.fromhex(given.text(field))
    if len(found) != 32:
        raise ValueError(field)
    return found


@contextmanager
def _as_damaged() -> Iterator[None]:
    """A head that does not say what it should is that of a file that was touched. Raises ``file-damaged``."""
    try:
        yield
    except (DomainError, ValidationError, ValueError):
        raise FileError("file-damaged") from None
