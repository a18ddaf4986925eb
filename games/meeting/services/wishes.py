"""Standing wishes: making, keeping and withdrawing them, and seating people whose wishes fit together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts import availability
from accounts.models import Block, Player
from accounts.permissions import standing
from domain.engine.rulesets import ruleset
from domain.pace import Kind
from games.lobby import text
from games.lobby.models import OpenTable
from games.lobby.services import tables
from games.meeting.exceptions import MeetingError
from games.meeting.matching import Blocks, Candidate, Group, Offer, find_group
from games.meeting.models import Appointment, Reply, StandingWish
from games.meeting.services import appointments, common
from games.selectors import rulesets
from notices import outbox, preferences

MOST: Final = 5
"""Open wishes of one person."""
LASTS: Final = timedelta(days=30)
TOLD_BEFORE: Final = timedelta(days=3)
KEPT: Final = timedelta(days=30)
ENDING: Final = "meeting.ending"
SOONEST: Final = timedelta(hours=18)
"""A live game that comes of wishes begins at the earliest this far ahead, so that everybody hears of it in time."""
LATEST: Final = timedelta(days=7)
"""A live game that comes of wishes begins at the latest this far ahead."""
AROUND: Final = timedelta(hours=3)
"""Players are not asked to another appointment within this time before or after one of theirs."""
OPEN: Final = StandingWish.State.OPEN


def open_wishes(moment: datetime) -> QuerySet[StandingWish]:
    """The wishes that are open at `moment`. One whose time is over keeps its state until the worker ends it."""
    return StandingWish.objects.filter(state=OPEN, expires_at__gt=moment)


@dataclass(frozen=True, slots=True)
class WishTerms:
    """What somebody would play: any of these games and paces.

    `sizes` only matters for games with several table sizes.
    """

    games: Sequence[str]
    paces: Sequence[str]
    sizes: Sequence[int] = ()
    weekdays: Sequence[int] = ()
    hour: int = 20
    languages: Sequence[str] = ()


def make(player: Player, terms: WishTerms) -> StandingWish:
    """Make a new wish, and seat people at once if it completes a group; the state of the returned row shows it.

    An open wish with the same content is returned instead. Raises ``account-needed``, ``name-needed``,
    ``too-many-wishes``, Suspended. Locks the player's row.
    """
    common.check_person(player)
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # the count of open wishes must be exact
        own = open_wishes(timezone.now()).filter(player=player)
        fields = {name: list(getattr(terms, name)) for name in ("games", "sizes", "paces", "weekdays", "languages")}
        same = own.filter(hour=terms.hour, **fields).first()
        if same is not None:  # pressed twice
            return same
        if own.count() >= MOST:
            raise MeetingError("too-many-wishes")
        wish = StandingWish.objects.create(player=player, hour=terms.hour, expires_at=timezone.now() + LASTS, **fields)
        _remind(wish)
    seat_matching_wishes()
    return StandingWish.objects.get(pk=wish.pk)


def withdraw(player: Player, public_id: str) -> None:
    """End the wish. Raises ``wish-over`` if it is not open, or not the player's."""
    with transaction.atomic():
        _end(_own(player, public_id), StandingWish.State.WITHDRAWN)


def keep(player: Player, public_id: str) -> StandingWish:
    """Renew the wish for the time that a new one lasts. Raises ``wish-over``."""
    with transaction.atomic():
        wish = _own(player, public_id)
        wish.expires_at = timezone.now() + LASTS
        wish.save(update_fields=["expires_at"])
        _remind(wish)
        return wish


def _own(player: Player, public_id: str) -> StandingWish:
    wish = open_wishes(timezone.now()).select_for_update().filter(player=player, public_id=public_id).first()
    if wish is None:
        raise MeetingError("wish-over")
    return wish


def _end(wish: StandingWish, state: StandingWish.State) -> None:
    wish.state, wish.ended_at, wish.fresh = state, timezone.now(), False
    wish.save(update_fields=["state", "ended_at", "fresh", "game", "appointment"])


def _remind(wish: StandingWish) -> None:
    """Write a notice that reminds the player before the wish ends, so that they can keep it."""
    params = {"wish": wish.public_id, "until": wish.expires_at.isoformat()}
    due_at = wish.expires_at - TOLD_BEFORE
    outbox.put(ENDING, wish.player, params, due_at=due_at, expires_at=wish.expires_at, topic=wish.public_id)


# seating


def seat_matching_wishes(now: datetime | None = None) -> int:
    """Seat everybody whose wishes fit together. Returns the number of groups. Locks all open wishes, in order.

    A wish ends in the same transaction in which its game begins, so nobody is seated twice by one wish.
    """
    moment = now or timezone.now()
    groups = 0
    with transaction.atomic():
        wishes = {wish.pk: wish for wish in open_wishes(moment).select_for_update().order_by("pk")}
        people = _people(wishes.values())
        blocks = blocks_among(people)
        waiting = _candidates(wishes.values(), people, moment)
        while (group := find_group(waiting, blocks)) is not None:
            _seat(group, [wishes[key] for key in group.keys], people)
            groups += 1
            # Players who were asked to a live game may not be free for another, so match the remaining wishes again.
            left = StandingWish.objects.filter(pk__in=wishes, state=OPEN).order_by("pk")
            waiting = _candidates(left, people, moment)
        StandingWish.objects.filter(pk__in=wishes, fresh=True).update(fresh=False)
    return groups


def _people(wishes: Iterable[StandingWish]) -> dict[int, Player]:
    """The players with these wishes, without those who may not begin a game now."""
    keys = {wish.player_id for wish in wishes}
    players = Player.objects.filter(pk__in=keys, retired_at__isnull=True, user__isnull=False).exclude(name="")
    people = {player.pk: player for player in players}
    suspended = standing(people.values())
    return {key: player for key, player in people.items() if key not in suspended}


def blocks_among(people: Collection[int]) -> Blocks:
    """For each of these people, those among them whom they block or are blocked by. Others are missing. One query."""
    blocks: dict[int, set[int]] = {}
    for one, other in Block.objects.filter(player__in=people, blocked__in=people).values_list("player", "blocked"):
        blocks.setdefault(one, set()).add(other)
        blocks.setdefault(other, set()).add(one)
    return blocks


def _candidates(wishes: Iterable[StandingWish], people: dict[int, Player], moment: datetime) -> list[Candidate]:
    """The wishes as candidates for matching, those that have waited longest first. One query."""
    taken: dict[int, list[datetime]] = {}
    coming = Reply.objects.filter(player__in=people, appointment__state=Appointment.State.PLANNED)
    for player, at in coming.exclude(answer=Reply.Answer.NO).values_list("player", "appointment__starts_at"):
        taken.setdefault(player, []).append(at)
    listed = sorted(wishes, key=lambda wish: (wish.created_at, wish.pk))
    return [
        candidate_of(wish, people[wish.player_id], moment, taken.get(wish.player_id, ()))
        for wish in listed
        if wish.player_id in people
    ]


def candidate_of(wish: StandingWish, player: Player, moment: datetime, taken: Sequence[datetime] = ()) -> Candidate:
    """The wish as a candidate for matching; `taken` are the moments of the player's appointments."""
    moments = [at for at in _evenings(wish, player, moment) if all(abs(at - other) >= AROUND for other in taken)]
    offers = set()
    for game, size in variants_of(wish):
        for pace in wish.paces:
            if is_live(pace):
                offers |= {Offer(game, size, pace, at) for at in moments}
            elif text.pace_of(pace) is not None:
                offers.add(Offer(game, size, pace))
    return Candidate(wish.pk, wish.player_id, frozenset(offers), frozenset(wish.languages))


def candidates(rows: Sequence[StandingWish], moment: datetime) -> list[Candidate]:
    """Open wishes as candidates for matching, without those of players who may not begin a game now. Three queries."""
    return _candidates(rows, _people(rows), moment)


def variants_of(wish: StandingWish) -> list[tuple[str, int]]:
    """The games and table sizes of the wish that are still offered."""
    offered = [(game, ruleset(game).sizes) for game in wish.games if game in rulesets.ORDER]
    return [(game, size) for game, sizes in offered for size in sizes if len(sizes) == 1 or size in wish.sizes]


def fits_table(wish: StandingWish, table: OpenTable) -> bool:
    """Whether an open table of days fulfils a wish.

    It must have one of its games and languages, and the time for a move of one of its paces. A table without a language
    fits every language.
    """
    terms = text.terms_of(table)
    if terms is None or terms.kind is not Kind.DAYS:
        return False
    accepted = [offered.terms for pace in wish.paces if (offered := text.pace_of(pace)) is not None]
    return (
        (table.ruleset, table.table_size) in variants_of(wish)
        and any(each is not None and (each.kind, each.action) == (terms.kind, terms.action) for each in accepted)
        and (not wish.languages or table.language in ("", *wish.languages))
    )


def end_fulfilled_wishes(table: OpenTable) -> None:
    """End the wishes that this table fulfils, since its game begins. Locks them.

    Does nothing if a computer player sits at the table. Call it in the transaction that begins the game.
    """
    sitting = [chair.player for chair in table.chairs.select_related("player")]
    if any(player.is_computer for player in sitting):
        return
    for wish in StandingWish.objects.select_for_update().filter(state=OPEN, player__in=sitting).order_by("pk"):
        if fits_table(wish, table):
            wish.game = table.game
            _end(wish, StandingWish.State.SEATED)


def is_live(pace: str) -> bool:
    offered = text.pace_of(pace)
    return offered is not None and offered.kind is Kind.LIVE


def _evenings(wish: StandingWish, player: Player, moment: datetime) -> list[datetime]:
    """The moments at which the player would play live, earliest first."""
    zone = availability.zone_of(player)
    first = moment.astimezone(zone).date()
    days = [first + timedelta(days=ahead) for ahead in range(LATEST.days + 2)]
    evenings = [preferences.at_local(day, time(wish.hour), zone) for day in days if day.weekday() in wish.weekdays]
    return [at for at in evenings if moment + SOONEST <= at <= moment + LATEST]


def _seat(group: Group, wishes: list[StandingWish], people: dict[int, Player]) -> None:
    """Begin the game of a group, or make an appointment if it plays live, and end the wishes of its members."""
    members = [people[wish.player_id] for wish in wishes]
    offer = group.offer
    table = common.wish_for_table(offer.ruleset, offer.size, offer.pace, group.language)
    if offer.at is None:
        game, appointment = tables.seat_all(members, table).game, None
    else:
        game, appointment = None, appointments.ask(members, table, offer.pace, offer.at)
    for wish in wishes:
        wish.game, wish.appointment = game, appointment
        _end(wish, StandingWish.State.SEATED)


# for the worker


def match_again(moment: datetime) -> None:
    """Match all wishes again, and delete those that ended more than `KEPT` ago. Called once an hour.

    Wishes can fit that did not before: evenings have come nearer, suspensions and blocks have ended.
    """
    seat_matching_wishes(moment)
    StandingWish.objects.filter(ended_at__lt=moment - KEPT).delete()


def do_due(moment: datetime) -> int:
    """Match new wishes, and end those whose time is over. Two queries if there is nothing to do.

    Returns the number of ended wishes plus the number of seated groups.
    """
    over = StandingWish.objects.filter(state=OPEN, expires_at__lte=moment)
    ended = over.update(state=StandingWish.State.EXPIRED, ended_at=moment, fresh=False) if over.exists() else 0
    fresh = StandingWish.objects.filter(state=OPEN, fresh=True).exists()
    return ended + (seat_matching_wishes(moment) if fresh else 0)


def url_of(wish: StandingWish) -> str:
    """The address of this wish on the page of the player's wishes."""
    return f"{reverse('meeting:overview')}#wish-{wish.public_id}"
