"""Standing wishes: making, keeping and withdrawing them, and seating people whose wishes fit together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
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
from games.meeting.matching import Apart, Candidate, Group, Offer, find_group
from games.meeting.models import Appointment, Reply, StandingWish
from games.meeting.services import appointments, common
from games.selectors import rulesets
from notices import outbox, preferences

MOST: Final = 5
"""Open wishes of one person."""
LASTS: Final = timedelta(days=30)
TOLD_BEFORE: Final = timedelta(days=3)
ENDING: Final = "meeting.ending"
SOONEST: Final = timedelta(hours=18)
"""A live game that wishes agree on is at least so far ahead, so that everybody learns of it …"""
LATEST: Final = timedelta(days=7)
"""… and at most so far."""
AROUND: Final = timedelta(hours=3)
"""Whoever has an appointment is asked to no other so shortly before or after it."""
OPEN: Final = StandingWish.State.OPEN


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody would play: any of these games and paces; `sizes` counts where a game is played by more or fewer."""

    games: Sequence[str]
    paces: Sequence[str]
    sizes: Sequence[int] = ()
    weekdays: Sequence[int] = ()
    hour: int = 20
    languages: Sequence[str] = ()


def make(player: Player, wanted: Wanted) -> StandingWish:
    """A new wish. Whoever fits it is seated at once: the row that is returned says whether.

    Raises ``account-needed``, ``name-needed``, ``too-many-wishes``, Suspended. Locks the player's row.
    """
    common.check_person(player)
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # counting them must be exact
        own = StandingWish.objects.filter(player=player, state=OPEN)
        fields = {name: list(getattr(wanted, name)) for name in ("games", "sizes", "paces", "weekdays", "languages")}
        same = own.filter(hour=wanted.hour, **fields).first()
        if same is not None:  # pressed twice
            return same
        if own.count() >= MOST:
            raise MeetingError("too-many-wishes")
        wish = StandingWish.objects.create(player=player, hour=wanted.hour, expires_at=timezone.now() + LASTS, **fields)
        _remind(wish)
    seat_those_who_fit()
    return StandingWish.objects.get(pk=wish.pk)


def withdraw(player: Player, public_id: str) -> None:
    """The wish ends. Raises ``wish-over`` if it is not open, or not the player's."""
    with transaction.atomic():
        _end(_own(player, public_id), StandingWish.State.WITHDRAWN)


def keep(player: Player, public_id: str) -> StandingWish:
    """The wish lasts from now on as long as a new one. Raises ``wish-over``."""
    with transaction.atomic():
        wish = _own(player, public_id)
        wish.expires_at = timezone.now() + LASTS
        wish.save(update_fields=["expires_at"])
        _remind(wish)
        return wish


def _own(player: Player, public_id: str) -> StandingWish:
    own = StandingWish.objects.select_for_update().filter(player=player, public_id=public_id, state=OPEN)
    wish = own.filter(expires_at__gt=timezone.now()).first()
    if wish is None:
        raise MeetingError("wish-over")
    return wish


def _end(wish: StandingWish, state: StandingWish.State) -> None:
    wish.state, wish.ended_at, wish.fresh = state, timezone.now(), False
    wish.save(update_fields=["state", "ended_at", "fresh", "game", "appointment"])


def _remind(wish: StandingWish) -> None:
    """Tell its player before it ends, so that they can keep it."""
    params = {"wish": wish.public_id, "until": wish.expires_at.isoformat()}
    due_at = wish.expires_at - TOLD_BEFORE
    outbox.put(ENDING, wish.player, params, due_at=due_at, expires_at=wish.expires_at, topic=wish.public_id)


# seating


def seat_those_who_fit(now: datetime | None = None) -> int:
    """Seat everybody whose wishes fit together; how many groups that were. Locks all open wishes, in order.

    A wish that is used is used up, in the same transaction as the game begins: nobody is seated twice by one wish.
    """
    moment = now or timezone.now()
    seated = 0
    with transaction.atomic():
        rows = StandingWish.objects.select_for_update().filter(state=OPEN, expires_at__gt=moment)
        wishes = {wish.pk: wish for wish in rows.order_by("pk")}
        people = _people(wishes.values())
        apart = apart_among(people)
        waiting = _candidates(wishes.values(), people, moment)
        while (group := find_group(waiting, apart)) is not None:
            _seat(group, [wishes[key] for key in group.keys], people)
            seated += 1
            # Who was asked to a live game may not be free for another one: look again what is left.
            left = StandingWish.objects.filter(pk__in=wishes, state=OPEN).order_by("pk")
            waiting = _candidates(left, people, moment)
        StandingWish.objects.filter(pk__in=wishes, fresh=True).update(fresh=False)
    return seated


def _people(wishes: Iterable[StandingWish]) -> dict[int, Player]:
    """Whose wishes they are, without those who may begin nothing now."""
    keys = {wish.player_id for wish in wishes}
    found = Player.objects.filter(pk__in=keys, retired_at__isnull=True, user__isnull=False).exclude(name="")
    people = {player.pk: player for player in found}
    kept_away = standing(people.values())
    return {key: player for key, player in people.items() if key not in kept_away}


def apart_among(people: Collection[int]) -> Apart:
    """Who keeps apart from whom among these people, in both directions. One query."""
    apart: dict[int, set[int]] = {}
    for one, other in Block.objects.filter(player__in=people, blocked__in=people).values_list("player", "blocked"):
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    return apart


def _candidates(wishes: Iterable[StandingWish], people: dict[int, Player], moment: datetime) -> list[Candidate]:
    """The wishes as they are matched, those that wait longest first. One query."""
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
    """The wish as it is matched; `taken` are the hours of the player's appointments."""
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
    """Open wishes as they are matched, without those whose people may begin nothing now. Three queries."""
    return _candidates(rows, _people(rows), moment)


def variants_of(wish: StandingWish) -> list[tuple[str, int]]:
    """The games it names that are still offered, and for how many."""
    offered = [(game, ruleset(game).sizes) for game in wish.games if game in rulesets.ORDER]
    return [(game, size) for game, sizes in offered for size in sizes if len(sizes) == 1 or size in wish.sizes]


def fits_table(wish: StandingWish, table: OpenTable) -> bool:
    """Whether an open table of days is what somebody wishes: one of the games, as much time for a move as at one of the paces, one
    of the languages. A table without a language is for speakers of any."""
    terms = text.terms_of(table)
    if terms is None or terms.kind is not Kind.DAYS:
        return False
    wanted = [offered.terms for pace in wish.paces if (offered := text.pace_of(pace)) is not None]
    return (
        (table.ruleset, table.table_size) in variants_of(wish)
        and any(each is not None and (each.kind, each.action) == (terms.kind, terms.action) for each in wanted)
        and (not wish.languages or table.language in ("", *wish.languages))
    )


def fulfil(table: OpenTable) -> None:
    """The game of a table begins: whoever plays there with people alone has what they wished, and is not seated by that wish again.

    In its transaction.
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
    """The moments at which the player would play live, soonest first."""
    zone = availability.zone_of(player)
    first = moment.astimezone(zone).date()
    days = [first + timedelta(days=ahead) for ahead in range(LATEST.days + 2)]
    found = [preferences.at_local(day, time(wish.hour), zone) for day in days if day.weekday() in wish.weekdays]
    return [at for at in found if moment + SOONEST <= at <= moment + LATEST]


def _seat(group: Group, wishes: list[StandingWish], people: dict[int, Player]) -> None:
    """The game of days begins; people who would play live are asked whether they come. Their wishes are used up."""
    seated = [people[wish.player_id] for wish in wishes]
    offer = group.offer
    wanted = common.table_of(offer.ruleset, offer.size, offer.pace, group.language)
    if offer.at is None:
        game, appointment = tables.seat_all(seated, wanted).game, None
    else:
        game, appointment = None, appointments.ask(seated, wanted, offer.pace, offer.at)
    for wish in wishes:
        wish.game, wish.appointment = game, appointment
        _end(wish, StandingWish.State.SEATED)


# what the worker does


def do_due(moment: datetime) -> int:
    """Look at wishes that nobody has looked at, and end those whose time is over. Two queries where there is nothing."""
    over = StandingWish.objects.filter(state=OPEN, expires_at__lte=moment)
    ended = over.update(state=StandingWish.State.EXPIRED, ended_at=moment, fresh=False) if over.exists() else 0
    fresh = StandingWish.objects.filter(Q(state=OPEN, fresh=True)).exists()
    return ended + (seat_those_who_fit(moment) if fresh else 0)


def url_of(wish: StandingWish) -> str:
    """The page of all wishes, at this one."""
    return f"{reverse('meeting:overview')}#wish-{wish.public_id}"
