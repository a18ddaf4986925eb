"""What all services of a club share; founding, changing and closing a club; its house rules.

Every command first takes the lock on the club's row (SQLite: the one write lock), then checks. Everything happens in
one transaction, including the notices. A refusal changes nothing, and a repeated request does nothing twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, TypeVar

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext, override

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs import evenings
from clubs.exceptions import AccountNeeded, ClubError
from clubs.models import (
    NAME_LENGTH,
    SLUG_LENGTH,
    Club,
    ClubDate,
    ClubEvent,
    HouseRulesVersion,
    ImportDraft,
    JoinRequest,
    Member,
    MemberInvitation,
    News,
    Season,
)
from clubs.permissions import GRANTED, Act, check_may
from clubs.services import retention
from core.commands import Answered, command
from core.exceptions import Refusal
from core.text import fold
from domain.engine.ruleset import OptionError
from domain.engine.rulesets import RULESETS, UnknownRuleset, ruleset
from domain.errors import DomainError
from domain.standings.profile import HouseRules, from_plain, to_plain
from domain.tournament.odd_numbers import made_fair
from notices import outbox

M = TypeVar("M", bound=Model)


def locked(club_id: int) -> Club:
    """Lock the club's row and return it. Raises ``club-gone``."""
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None or club.closed_at is not None:
        raise ClubError("club-gone")
    return club


def answered(club: Club | None, actor: Player, request_id: uuid.UUID, what: str) -> ClubEvent | None:
    """The event of this request if it was accepted before; None for a new request.

    Raises ``request-reused`` if the id belongs to a different request.
    """
    before = ClubEvent.objects.select_related("club", "member").filter(actor=actor, request_id=request_id).first()
    if before is not None and (before.what != what or (club is not None and before.club_id != club.pk)):
        raise Refusal("request-reused")
    return before


def begin(
    club: Club,
    by: Player,
    what: str,
    request_id: uuid.UUID,
    act: Act | None = None,
    *,
    again: Callable[[ClubEvent], object] = lambda before: None,
) -> Club:
    """Begin a command: lock the club's row, check that `by` may do `act`, and return the club.

    Raises ``club-gone``, ``not-allowed``, Suspended, ``request-reused``. If the same request was accepted before,
    raises Answered with what `again` makes of its event.
    """
    row = locked(club.pk)
    before = answered(row, by, request_id, what)
    if before is not None:
        raise Answered(again(before))
    if act is not None:
        check_may(by, row, act)
    return row


def copy_fields(given: M, row: M, fields: Iterable[str]) -> None:
    """Copy these fields, and no others, from an instance that a form has filled in to the row."""
    for field in fields:
        setattr(row, field, getattr(given, field))


def log(
    club: Club,
    what: str,
    *,
    actor: Player | None,
    member: Member | None = None,
    data: Mapping[str, object] | None = None,
    request_id: uuid.UUID | None = None,
) -> ClubEvent:
    """Log an event. `data` must not name anybody: names are deleted in time, events are kept."""
    return ClubEvent.objects.create(
        club=club, what=what, actor=actor, member=member, data=dict(data or {}), request_id=request_id
    )


def first_of(rows: QuerySet[M], code: str) -> M:
    """The first of these rows. Raises ClubError with this code if there are none."""
    row = rows.first()
    if row is None:
        raise ClubError(code)
    return row


def member_of(club: Club, public_id: str) -> Member:
    """An entry of the club's list. Raises ``no-such-member``."""
    return first_of(Member.objects.select_related("player").filter(club=club, public_id=public_id), "no-such-member")


def member_of_event(event: ClubEvent) -> Member:
    """The entry that an event is about. Raises ``no-such-member`` if it has been deleted since."""
    if event.member is None:
        raise ClubError("no-such-member")
    return event.member


def who_may(club: Club, act: Act) -> list[Player]:
    """The people who may do this for the club: whom to tell that there is something to do."""
    able = [role for role, acts in GRANTED.items() if act in acts]
    entries = Member.objects.filter(club=club, role__in=able, left_on__isnull=True, player__isnull=False)
    return [entry.player for entry in entries.select_related("player") if entry.player is not None]


def notify_players(
    event: str, club: Club, players: Iterable[Player], *, by: Player | None = None, url: str = ""
) -> None:
    """Write a notice for each of the players except `by`, who did it. `url` is the page that shows it."""
    params = {"club": club.slug, "name": club.name, "url": url or reverse("club:home", args=[club.slug])}
    if by is not None:
        params["by"] = by.public_id
    for player in players:
        if by is None or player.pk != by.pk:
            outbox.put(event, player, params, topic=f"club:{club.slug}")


MOST_CLUBS: Final = 5
"""How many clubs one person may preside over."""
USUAL_RULES: Final = made_fair(HouseRules(), "threes")
"""The rules a club begins with. At a table of three everybody plays alone: there a deal brings 26 points on average,
and 36 at a table of four (docs/standings.md). The match points of three must be as many on average as those of two
sides."""


FIELDS: Final = (
    "name", "village", "canton", "about", "language", "joining", "list_for", "keeps_months", "found_by_search",
    "demands_second_factor",
)  # fmt: skip
"""What a club says about itself and how it deals with names: fields that `create_club` and `edit` copy."""


@dataclass(frozen=True, slots=True)
class Person:
    """What people with an account enter in the list themselves: names, and whether they may be named in public."""

    first_name: str
    last_name: str
    named: bool = False


def create_club(player: Player, given: Club, person: Person, *, request_id: uuid.UUID) -> Club:
    """Found a club with the player as its president, and the usual house rules as version 1.

    Raises ``account-needed``, Suspended, ``name-needed``, ``too-many-clubs``, ``own-factor-first``, ``request-reused``.
    """
    if not player.is_member:
        raise AccountNeeded
    if not (person.first_name or person.last_name):
        raise ClubError("name-needed")
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # counting their clubs must be exact
        before = answered(None, player, request_id, "club.founded")
        if before is not None:
            return before.club
        account_permissions.check_not_suspended(player)
        presides = Member.objects.filter(
            player=player, role=Member.Role.PRESIDENT, club__closed_at__isnull=True, club__provisional=False
        )
        if presides.count() >= MOST_CLUBS:
            raise ClubError("too-many-clubs")
        _check_demand(player, given)
        return _create(player, given, person, request_id)


def evenings_without_club(player: Player, *, request_id: uuid.UUID) -> Club:
    """The provisional club of somebody who holds evenings without a club; created once for each person.

    Raises ``account-needed``, Suspended, ``name-needed``, ``request-reused``.
    """
    if not player.is_member:
        raise AccountNeeded
    first, _blank, last = player.name.partition(" ")
    if not first:
        raise ClubError("name-needed")
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        account_permissions.check_not_suspended(player)
        presided = Club.objects.filter(members__player=player, members__role=Member.Role.PRESIDENT)
        club = presided.filter(provisional=True, closed_at__isnull=True).first()
        if club is not None:
            return club
        given = Club(
            name=(gettext("Evenings of %(name)s") % {"name": player.name})[:NAME_LENGTH],
            language=get_language() or settings.LANGUAGE_CODE,
            joining=Club.Joining.INVITATION,
        )
        return _create(player, given, Person(first, last, False), request_id, provisional=True)


def club_of_a_file(player: Player, given: Club) -> Club:
    """Create the club for an evening opened from a file of another site.

    The club is in no list, and the player presides over it. Call it in a transaction. Raises ``name-needed``.
    """
    first, _blank, last = player.name.partition(" ")
    if not first:
        raise ClubError("name-needed")
    return _create(player, given, Person(first, last, False), None, provisional=True)


def _create(
    player: Player, given: Club, person: Person, request_id: uuid.UUID | None, *, provisional: bool = False
) -> Club:
    """Create a club with its president and its house rules."""
    club = _create_row(player, given)
    if provisional:
        club.provisional = True
        club.save(update_fields=["provisional"])
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
    with override(club.language):
        rules = replace(USUAL_RULES, name=gettext("House rules"))
    HouseRulesVersion.objects.create(club=club, version=1, data=to_plain(rules), by=player)
    log(club, "club.founded", actor=player, member=president, request_id=request_id)
    return club


@command
def edit(club: Club, player: Player, given: Club, *, request_id: uuid.UUID) -> Club:
    """Change what the club says about itself.

    Its address stays, since it is printed on paper. A provisional club becomes a real one and gets an address of its
    own. Raises ``club-gone``, ``not-allowed``, Suspended, ``own-factor-first``, ``request-reused``.
    """
    row = begin(club, player, "club.edited", request_id, Act.EDIT, again=lambda before: before.club)
    _check_demand(player, given)
    copy_fields(given, row, FIELDS)
    if row.provisional:
        row.provisional, row.slug = False, _free_slug(given)
    row.save()
    log(row, "club.edited", actor=player, request_id=request_id)
    return row


def _check_demand(player: Player, given: Club) -> None:
    """Refuse a demand for a second factor by somebody who has none: their own role would rest.

    Raises ``own-factor-first``.
    """
    if given.demands_second_factor and not account_permissions.has_second_factor(player):
        raise ClubError("own-factor-first")


def close(club: Club, player: Player, *, request_id: uuid.UUID) -> bool:
    """Close the club and tell its members. Returns whether anything of it is kept: results of evenings, with initials.

    The list, calendar, news, seasons, requests and invitations are deleted. The house rules stay with the results that
    they explain. Raises ``club-gone``, ``not-allowed``, ``request-reused``.
    """
    with transaction.atomic():
        row = locked(club.pk)
        check_may(player, row, Act.CLOSE)
        return shut(row, player, request_id)


def shut(club: Club, by: Player | None, request_id: uuid.UUID | None = None) -> bool:
    """Close the club like `close`, without checking permissions. The lock on the club must be held."""
    people = Member.objects.filter(club=club, player__isnull=False, left_on__isnull=True).select_related("player")
    players = [entry.player for entry in people if entry.player is not None]
    evenings.source().closing(club)
    stays = evenings.source().keeps_results(club)
    notify_players("club.closed", club, players, by=by, url="/")
    for model in (ClubDate, News, Season, JoinRequest, MemberInvitation, ImportDraft):
        model.objects.filter(club=club).delete()
    if not stays:
        club.delete()
        return False
    retention.delete_or_reduce(Member.objects.filter(club=club))
    club.about, club.found_by_search, club.closed_at = "", False, timezone.now()
    club.save()
    forget_name(club)
    log(club, "club.closed", actor=by, request_id=request_id)
    return True


def forget_name(club: Club) -> None:
    """Take away the name of a provisional club, which is that of the person whose evenings it holds, and its address."""
    if not club.provisional:
        return
    with override(club.language):
        club.name = gettext("Evening without a club")
    club.slug = _free_slug(club)
    club.save()


def _create_row(player: Player, given: Club) -> Club:
    """Create the row of a new club; if somebody founds one of the same name at the same time, try the next address."""
    while True:
        club = Club(slug=_free_slug(given), created_by=player)
        copy_fields(given, club, FIELDS)
        try:
            with transaction.atomic():
                club.save()
        except IntegrityError:
            if not Club.objects.filter(slug=club.slug).exists():
                raise
        else:
            return club


def _free_slug(given: Club) -> str:
    """The name as an address. If that is taken, the village is added, then a number."""
    name = slugify(fold(given.name)) or "club"
    candidates = [name[:SLUG_LENGTH].strip("-")]
    if given.village and slugify(fold(given.village)) not in name:
        candidates.append(f"{name}-{slugify(fold(given.village))}"[:SLUG_LENGTH].strip("-"))
    for slug in candidates:
        if not Club.objects.filter(slug=slug).exists():
            return slug
    stem = candidates[0][: SLUG_LENGTH - 6].strip("-")
    return next(slug for slug in (f"{stem}-{n}" for n in count(2)) if not Club.objects.filter(slug=slug).exists())


MOST_BYTES: Final = 64 * 1024
"""The largest size of a file of house rules; a long one has ten thousand bytes."""
ELSEWHERE: Final = ("hands", "talk")
"""Options of a ruleset for which the house rules have fields of their own (`deals`, `talk`)."""


def current_rules(club: Club) -> HouseRulesVersion:
    """The version in force. Every club has one from its founding on."""
    return HouseRulesVersion.objects.filter(club=club).select_related("by").order_by("-version")[0]


def rules_version(club: Club, number: int) -> HouseRulesVersion:
    """One version. Raises ``no-such-entry``."""
    return first_of(HouseRulesVersion.objects.filter(club=club, version=number).select_related("by"), "no-such-entry")


def rules_of(row: HouseRulesVersion) -> HouseRules:
    """The rules of a version, with its number as `version`."""
    return replace(from_plain(row.data), version=row.version)


def _version_before(event: ClubEvent) -> HouseRulesVersion:
    return rules_version(event.club, int(event.data.get("version", 0)))


def check_game(rules: HouseRules) -> None:
    """Raise DomainError unless the game exists and has these options."""
    try:
        game = ruleset(rules.ruleset)
    except UnknownRuleset:
        games = ", ".join(sorted({known for known, _version in RULESETS}))
        raise DomainError("not-a-choice", "ruleset", choices=games) from None
    try:
        game.settled_options(dict(rules.options))
    except OptionError as error:
        raise DomainError("bad-option", f"options.{error.name}") from None


@command
def publish_rules(
    club: Club, by: Player, rules: HouseRules, note: str, *, expected: int, request_id: uuid.UUID
) -> HouseRulesVersion:
    """Publish a new version, if version `expected` is still in force. Tournaments keep the version they were played by.

    Raises ``club-gone``, ``not-allowed``, DomainError (no such game), ``rules-moved``, ``nothing-changed``,
    ``request-reused``.
    """
    check_game(rules)
    row = begin(club, by, "rules.published", request_id, Act.HOUSE_RULES, again=_version_before)
    latest = current_rules(row)
    if latest.version != expected:
        raise ClubError("rules-moved")
    number = latest.version + 1
    if to_plain(replace(rules, version=latest.version)) == to_plain(rules_of(latest)):
        raise ClubError("nothing-changed")
    version = HouseRulesVersion.objects.create(
        club=row, version=number, data=to_plain(replace(rules, version=number)), note=note, by=by
    )
    log(row, "rules.published", actor=by, data={"version": number}, request_id=request_id)
    return version
