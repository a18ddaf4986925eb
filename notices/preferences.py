"""What a player wants to be notified of, on which channel and when, and the deliveries that follow for a notice.

Quiet hours and the hour of the daily mail are in the player's time zone, even when clocks change.

A page reports regularly that it is open, in focus and in use, which holds for `HOLDS` seconds. While a player is
looking at a table, deliveries about it are put off; they are sent soon afterwards if they are still true.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache as cache_of
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import get_language

from accounts.availability import zone_of
from accounts.models import Player
from core.prepared_queries import prepared, prepared_update
from notices import registry
from notices.models import Delivery, GamePreference, Outbox, Preference, PushSubscription
from notices.registry import Kind, TurnMail, TurnPush, Wish, superseded_by


@dataclass(frozen=True, slots=True)
class Wishes:
    """When to send one kind of notice: by mail, and as a message to a device (which is never a digest)."""

    mail: Wish
    push: Wish


_TURN_MAIL: Final = {
    TurnMail.EACH: (Wish.NOW, Wish.NOW),
    TurnMail.HOUR: (Wish.HOUR, Wish.NOW),
    TurnMail.DIGEST: (Wish.DIGEST, Wish.NOW),
    TurnMail.DEADLINE: (Wish.NEVER, Wish.NOW),
    TurnMail.NOTHING: (Wish.NEVER, Wish.NEVER),
}
"""For each choice: the wish at a turn, and the wish when time runs short."""
_TURN_PUSH: Final = {
    TurnPush.EACH: (Wish.NOW, Wish.NOW),
    TurnPush.DEADLINE: (Wish.NEVER, Wish.NOW),
    TurnPush.NOTHING: (Wish.NEVER, Wish.NEVER),
}


def preferences_of(player: Player) -> Preference:
    """The player's preferences, read once for each `player` object; unsaved defaults if the player never chose."""
    try:
        return player.notice_preference
    except Preference.DoesNotExist:
        return Preference(player=player)


def is_asked_how(player: Player) -> bool:
    """Whether the player has answered how they want to be notified, or has chosen that in the preferences."""
    return preferences_of(player).asked_how


def note_answer(player: Player, *, by_mail: bool = False) -> None:
    """Note that the player has answered how they want to be notified, so that they are not asked again.

    With `by_mail`, they are mailed about their turns within the hour.
    """
    general = preferences_of(player)
    values: dict[str, object] = {"asked_how": True}
    if by_mail and (general.mail_off or general.turn_mail in (TurnMail.NOTHING, TurnMail.DEADLINE, TurnMail.DIGEST)):
        values |= {"turn_mail": TurnMail.HOUR, "mail_off": False}
    player.notice_preference, _created = Preference.objects.update_or_create(player=player, defaults=values)


def of_game(player: Player, topic: str) -> GamePreference:
    """The player's preferences for one game; empty and unsaved if there are none."""
    rows = _of_game(player.pk, topic) if topic else []
    return rows[0] if rows else GamePreference(player=player, topic=topic)


@prepared
def _of_game(player: int, topic: str) -> QuerySet[GamePreference]:
    return GamePreference.objects.filter(player=player, topic=topic)


ROWS: Final = ("turn", "game", "table", "meeting", "talk", "message", "club", "other")
"""The rows of the preferences: the prefixes of the field names."""


def row_of(kind: Kind) -> str:
    """The one of `ROWS` in which a player chooses for this kind."""
    if kind in registry.ASKING:
        return "turn"
    own = (Kind.GAME, Kind.TABLE, Kind.MEETING, Kind.TALK, Kind.MESSAGE, Kind.CLUB)
    return str(kind) if kind in own else "other"


def wishes(kind: Kind, general: Preference, game: GamePreference) -> Wishes:
    """When somebody with these preferences wants to be told about something of `kind` in this game.

    The preferences for the game override the general ones; "not at all" there silences everything about the game.
    """
    if kind is Kind.TEST:
        mail, push = Wish.NOW, Wish.NOW
    elif kind in registry.ASKING:
        index = 1 if kind is Kind.DEADLINE else 0
        mail = _TURN_MAIL[TurnMail(game.mail or general.turn_mail)][index]
        push = _TURN_PUSH[TurnPush(game.push or general.turn_push)][index]
    else:
        row = row_of(kind)
        mail = Wish(getattr(general, f"{row}_mail"))
        push = Wish.NOW if getattr(general, f"{row}_push") else Wish.NEVER
        if game.mail == TurnMail.NOTHING:
            mail = Wish.NEVER
        if game.push == TurnPush.NOTHING:
            push = Wish.NEVER
    return Wishes(Wish.NEVER if general.mail_off else mail, push)


def language_of(player: Player, general: Preference | None = None) -> str:
    """The language in which to write to the player: chosen in the account, else last used, else the site's."""
    chosen = player.language or (general or preferences_of(player)).language
    return chosen if chosen in dict(settings.INTERFACE_LANGUAGES) else settings.LANGUAGE_CODE


def note_language(player: Player) -> None:
    """Remember the language of this request as the one that the player reads. Only writes if it has changed."""
    language = get_language() or settings.LANGUAGE_CODE
    general = preferences_of(player)
    if general.language == language or language not in dict(settings.INTERFACE_LANGUAGES):
        return
    if general._state.adding:
        row, _created = Preference.objects.get_or_create(player=player, defaults={"language": language})
        player.notice_preference = row
    else:
        Preference.objects.filter(pk=general.pk).update(language=language)
        general.language = language


def at_local(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """The moment (in UTC) at which clocks in `zone` show `hour` on `day`.

    If that hour comes twice, the first one. If clocks jump over it, the time is moved by the length of the jump (02:30
    becomes 03:30).
    """
    return datetime.combine(day, hour, tzinfo=zone).astimezone(UTC)


def next_digest(moment: datetime, hour: int, zone: ZoneInfo) -> datetime:
    """The next time after `moment` at which it is `hour` o'clock in `zone`: once every day, even when clocks change."""
    day = moment.astimezone(zone).date()
    candidate = at_local(day, time(hour), zone)
    # Today's hour may be over; in a zone that skips a day, so may tomorrow's.
    while candidate <= moment:
        day += timedelta(days=1)
        candidate = at_local(day, time(hour), zone)
    return candidate


def quiet_until(moment: datetime, start: time | None, end: time | None, zone: ZoneInfo) -> datetime | None:
    """When the quiet hours end if `moment` is in them, else None.

    They last from `start` up to but not including `end`, over midnight if `end` is earlier. If either is None or both
    are equal, there are no quiet hours.
    """
    if start is None or end is None or start == end:
        return None
    local = moment.astimezone(zone)
    clock = local.time()
    over_midnight = end < start
    within = clock >= start or clock < end if over_midnight else start <= clock < end
    if not within:
        return None
    day = local.date() + timedelta(days=1 if over_midnight and clock >= start else 0)
    ends_at = at_local(day, end, zone)
    # If the hour of `end` comes twice, the first one may be over while the clock still shows less than `end`.
    return ends_at if ends_at > moment else datetime.combine(day, end, tzinfo=zone).replace(fold=1).astimezone(UTC)


GRACE: Final = timedelta(minutes=2)
"""How long a mail about a turn waits: a player who is at the table has played by then, and gets none."""
COLLECTED: Final = timedelta(minutes=20)
"""How long a mail "within the hour" waits for more notices."""
HOUR: Final = timedelta(hours=1)
NOT_WANTED: Final = "not wanted"
"""The reason for dropping a delivery that its reader no longer wants."""


def plan(row: Outbox, moment: datetime) -> None:
    """Create a notice's deliveries, and set on `row`, which is not saved here, in whose list it is shown.

    Call this inside a transaction. Repeating it adds nothing. There are no deliveries if the notice is no longer true,
    has expired, or has no words.
    """
    player = row.player.current
    if player.is_computer or player.retired_at is not None:
        return
    wording = registry.find_wording(row.event)
    if wording is None or (row.expires_at is not None and row.expires_at <= moment):
        return
    if not wording.still_true(row.event, row.params, player):
        return
    _supersede(row, player, moment)
    row.player, row.shown = player, row.kind != Kind.TEST
    general = preferences_of(player)
    wished = wishes(Kind(row.kind), general, of_game(player, row.topic))
    only = row.params.get("channel") if row.kind == Kind.TEST else None
    deliveries = []
    if player.is_member and wished.mail is not Wish.NEVER and only in (None, "mail"):
        channel, at = _by_mail(row, player, general, wished.mail, moment)
        deliveries.append(_delivery(row, player, channel, at))
    if wished.push is Wish.NOW and only in (None, "push"):
        deliveries += [_delivery(row, player, Delivery.Channel.PUSH, moment, device) for device in _devices(player.pk)]
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)


@prepared
def _devices(player: int) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(player=player)


def replan(player: Player, moment: datetime) -> None:
    """Plan the player's waiting mails again, because their preferences or time zone have changed.

    Nothing is lost: a mail that is not wanted any more is only dropped when it is due, and a notice that asks the
    player to act and was left out as not wanted is mailed if it is wanted now.
    """
    general = preferences_of(player)
    asking = {"kind__in": registry.ASKING, "shown": True, "read_at__isnull": True}
    with transaction.atomic():
        letters = Delivery.objects.filter(player=player, subscription__isnull=True, lease_until__isnull=True)
        left_out = Q(state=Delivery.State.DROPPED, reason=NOT_WANTED, **{f"outbox__{k}": v for k, v in asking.items()})
        changed = letters.filter(left_out | Q(state=Delivery.State.WAITING, attempts=0)).select_related("outbox")
        for letter in changed.exclude(channel=Delivery.Channel.PUSH).order_by("pk"):
            wished = wishes(Kind(letter.outbox.kind), general, of_game(player, letter.outbox.topic)).mail
            if wished is Wish.NEVER or (letter.channel == Delivery.Channel.MAIL and wished is Wish.NOW):
                continue
            if letter.told_before and wished is not Wish.DIGEST:
                continue
            letter.channel, letter.due_at = _by_mail(letter.outbox, player, general, wished, moment)
            letter.planned_for, letter.state, letter.reason, letter.ended_at = letter.due_at, "waiting", "", None
            letter.save(update_fields=["channel", "due_at", "planned_for", "state", "reason", "ended_at"])
        mailed = Delivery.objects.filter(outbox=OuterRef("pk"), subscription__isnull=True)
        for row in Outbox.objects.filter(~Exists(mailed), player=player, **asking).order_by("pk"):
            plan(row, moment)


def _by_mail(
    row: Outbox, player: Player, general: Preference, wished: Wish, moment: datetime
) -> tuple[Delivery.Channel, datetime]:
    """The channel of a notice that is wanted by mail (a mail of its own, or a digest), and when to send it."""
    if wished is Wish.NOW:
        waits = row.kind in (Kind.TURN, Kind.QUESTION)
        return Delivery.Channel.MAIL, moment + (GRACE if waits else timedelta())
    at = _collected_until(row, player, general, wished, moment)
    # What would be over by then goes out at once; a turn is told again when time runs short.
    too_late = row.expires_at is not None and row.expires_at <= at and row.kind != Kind.TURN
    return Delivery.Channel.DIGEST, moment if too_late else at


def _collected_until(row: Outbox, player: Player, general: Preference, wished: Wish, moment: datetime) -> datetime:
    """When to send the digest with this notice, whenever it expires."""
    zone = zone_of(player)
    if wished is Wish.DIGEST:
        return next_digest(moment, general.digest_hour, zone)
    if row.kind in (Kind.TABLE, Kind.MEETING):  # others are waiting for the player: only give devices time to show it
        at = moment + GRACE
        return quiet_until(at, general.quiet_from, general.quiet_to, zone) or at
    return _next_letter(player, general, zone, moment)


def _next_letter(player: Player, general: Preference, zone: ZoneInfo, moment: datetime) -> datetime:
    """When to send a mail "within the hour" about something that happened at `moment`, and everything until then.

    There is at least an hour between two such mails, and none is sent in the quiet hours.
    """
    letters = _letters_between(player.pk, moment - HOUR, moment + HOUR)
    coming = [at for at, state in letters if at > moment and state == Delivery.State.WAITING]
    sent = [at for at, state in letters if at <= moment and state == Delivery.State.SENT]
    send_at = min(coming) if coming else max([moment + COLLECTED, *(at + HOUR for at in sent)])
    return quiet_until(send_at, general.quiet_from, general.quiet_to, zone) or send_at


@prepared
def _letters_between(player: int, after: datetime, until: datetime) -> QuerySet[Delivery, tuple[datetime, str]]:
    letters = Delivery.objects.filter(player=player, channel=Delivery.Channel.DIGEST)
    own = letters.filter(Q(state=Delivery.State.WAITING, told_before=False) | Q(state=Delivery.State.SENT))
    return own.filter(planned_for__gt=after, planned_for__lte=until).values_list("planned_for", "state").distinct()


def _delivery(
    row: Outbox, player: Player, channel: Delivery.Channel, at: datetime, device: PushSubscription | None = None
) -> Delivery:
    return Delivery(outbox=row, player=player, channel=channel, subscription=device, planned_for=at, due_at=at)


def _supersede(row: Outbox, player: Player, moment: datetime) -> None:
    """Withdraw the earlier notices about the same topic that this one makes pointless."""
    kinds, events = superseded_by(row.event), registry.earlier_events(row.event)
    if not (kinds or events) or not row.topic:
        return
    waiting, read = _superseding(kinds, events)
    # Looked up first: usually there are few, so little has to be written.
    for (key,) in waiting(player.pk, row.topic, row.pk, moment):
        _drop(key, moment)
    read(player.pk, row.topic, row.pk, moment)


@cache_of
def _superseding(
    kinds: frozenset[Kind], events: frozenset[str]
) -> tuple[Callable[[int, str, int, datetime], list[tuple[int]]], Callable[[int, str, int, datetime], int]]:
    """Two prepared queries about earlier notices of these kinds and events: one returns their waiting deliveries, the
    other marks them as read. Both take the player, the topic, the key of the later notice, and the moment."""

    def earlier(player: int, topic: str, before: int) -> QuerySet[Outbox]:
        pointless = Q(kind__in=kinds) | Q(event__in=events)
        return Outbox.objects.filter(pointless, player=player, topic=topic, pk__lt=before)

    @prepared
    def waiting(player: int, topic: str, before: int, moment: datetime) -> QuerySet[Delivery, tuple[int]]:
        free = Q(lease_until__isnull=True) | Q(lease_until__lt=moment)
        rows = Delivery.objects.filter(free, player=player, state=Delivery.State.WAITING)
        return rows.filter(outbox__in=earlier(player, topic, before)).order_by().values_list("pk")

    @prepared_update
    def read(player: int, topic: str, before: int, moment: datetime) -> tuple[QuerySet[Outbox], Mapping[str, object]]:
        return earlier(player, topic, before).filter(shown=True, read_at__isnull=True), {"read_at": moment}

    return waiting, read


@prepared_update
def _drop(key: int, moment: datetime) -> tuple[QuerySet[Delivery], Mapping[str, object]]:
    rows = Delivery.objects.filter(pk=key, state=Delivery.State.WAITING)
    return rows, {"state": Delivery.State.DROPPED, "ended_at": moment, "reason": "superseded"}


HOLDS: Final = 90  # seconds; a page reports again every 40


def note_looking(player: Player, topic: str) -> None:
    """Note that `player` has `topic` (the public id of a game or table) open and in focus."""
    cache.set(_key(player, topic), 1, timeout=HOLDS)


def forget_looking(player: Player, topic: str) -> None:
    cache.delete(_key(player, topic))


def is_looking(player: Player, topic: str) -> bool:
    """Whether `player` is looking at `topic`: at that table, not just at the site."""
    return bool(topic) and cache.get(_key(player, topic)) is not None


def all_look(players: Collection[Player], topic: str) -> bool:
    """Whether all of these players are looking at `topic`. One query of the cache."""
    keys = {_key(player, topic) for player in players}
    return bool(topic) and len(cache.get_many(keys)) == len(keys)


def _key(player: Player, topic: str) -> str:
    return f"looking:{player.pk}:{topic}"
