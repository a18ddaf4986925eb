"""What a player wants to be notified of, on which channel and when, and the deliveries that follow for a notice.

Quiet hours and the hour of the daily mail are in the player's time zone, also when clocks change.

A page says every twenty seconds that it is open, in focus, and in use; that holds for 45 seconds. Deliveries to whoever is
looking at the table are put off meanwhile, and made soon after if they are still true then.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.utils.translation import get_language

from accounts.availability import zone_of
from accounts.models import Player
from notices import registry
from notices.models import Delivery, GamePreference, Outbox, Preference, PushSubscription
from notices.registry import Kind, TurnMail, TurnPush, Wish, superseded_by


@dataclass(frozen=True, slots=True)
class Wishes:
    """For one kind of event: when by mail, when by message to a device (never a digest)."""

    mail: Wish
    push: Wish


_TURN_MAIL: Final = {
    TurnMail.EACH: (Wish.NOW, Wish.NOW),
    TurnMail.DIGEST: (Wish.DIGEST, Wish.NOW),
    TurnMail.DEADLINE: (Wish.NEVER, Wish.NOW),
    TurnMail.NOTHING: (Wish.NEVER, Wish.NEVER),
}
"""Of each way: at a turn, when time runs short."""
_TURN_PUSH: Final = {
    TurnPush.EACH: (Wish.NOW, Wish.NOW),
    TurnPush.DEADLINE: (Wish.NEVER, Wish.NOW),
    TurnPush.NOTHING: (Wish.NEVER, Wish.NEVER),
}


def preferences_of(player: Player) -> Preference:
    """The player's preferences, asked for once for each `player` object; the defaults, unsaved, for who never chose."""
    try:
        return player.notice_preference
    except Preference.DoesNotExist:
        return Preference(player=player)


def of_game(player: Player, topic: str) -> GamePreference:
    """What the player wants otherwise in one game; empty and unsaved if nothing."""
    found = GamePreference.objects.filter(player=player, topic=topic).first() if topic else None
    return found or GamePreference(player=player, topic=topic)


def wishes(kind: Kind, general: Preference, game: GamePreference) -> Wishes:
    """When somebody with these preferences wants to be told of something of `kind` in this game.

    What was chosen for the game goes before what was chosen in general; "not at all" there silences everything about it.
    """
    if kind is Kind.TEST:
        mail, push = Wish.NOW, Wish.NOW
    elif kind in (Kind.TURN, Kind.DEADLINE):
        at = 0 if kind is Kind.TURN else 1
        mail = _TURN_MAIL[TurnMail(game.mail or general.turn_mail)][at]
        push = _TURN_PUSH[TurnPush(game.push or general.turn_push)][at]
    else:
        row = kind if kind in (Kind.GAME, Kind.TABLE, Kind.TALK) else Kind.OTHER
        mail = Wish(getattr(general, f"{row}_mail"))
        push = Wish.NOW if getattr(general, f"{row}_push") else Wish.NEVER
        if game.mail == TurnMail.NOTHING:
            mail = Wish.NEVER
        if game.push == TurnPush.NOTHING:
            push = Wish.NEVER
    return Wishes(Wish.NEVER if general.mail_off else mail, push)


def language_of(player: Player, general: Preference | None = None) -> str:
    """The language to write to the player in: chosen in their account, else last used, else the site's."""
    chosen = player.language or (general or preferences_of(player)).language
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def note_language(player: Player) -> None:
    """Remember the language of this request as the one the player reads; writes only when it has changed."""
    language = get_language() or settings.LANGUAGE_CODE
    general = preferences_of(player)
    if general.language == language or language not in dict(settings.LANGUAGES):
        return
    if general._state.adding:
        kept, _made = Preference.objects.get_or_create(player=player, defaults={"language": language})
        player.notice_preference = kept
    else:
        Preference.objects.filter(pk=general.pk).update(language=language)
        general.language = language


def at_local(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """The moment (in UTC) at which clocks in `zone` show `hour` on `day`.

    The first of the two where that hour comes twice; where clocks jump over it, as long after the jump as it lies
    after its beginning (02:30 is then 03:30).
    """
    return datetime.combine(day, hour, tzinfo=zone).astimezone(UTC)


def next_digest(moment: datetime, hour: int, zone: ZoneInfo) -> datetime:
    """The next time after `moment` at which it is `hour` o'clock in `zone`: once on every day, also when clocks change."""
    day = moment.astimezone(zone).date()
    found = at_local(day, time(hour), zone)
    # Across the date line, or in a zone that skips a day, the first guess may lie behind.
    while found <= moment:
        day += timedelta(days=1)
        found = at_local(day, time(hour), zone)
    return found


def quiet_until(moment: datetime, start: time | None, end: time | None, zone: ZoneInfo) -> datetime | None:
    """When the quiet hours end if `moment` lies in them, else None.

    They go from `start` up to but not including `end`, over midnight if `end` is earlier. None and equal times mean
    that there are none.
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
    found = at_local(day, end, zone)
    # The hour that comes twice: its first coming may be over while the clock still shows less than `end`.
    return found if found > moment else datetime.combine(day, end, tzinfo=zone).replace(fold=1).astimezone(UTC)


GRACE: Final = timedelta(minutes=2)
"""Mail about a turn waits so long: whoever is playing has then played, and gets none."""


def plan(row: Outbox, moment: datetime) -> None:
    """Make a notice's deliveries, and set on `row` (not saved here) whose list it belongs to.

    Runs inside a transaction; repeating it adds nothing. Nothing is made of what is no longer true, has expired, or for which nobody has words.
    """
    player = row.player.current
    if player.is_computer or player.retired_at is not None:
        return
    speaker = registry.find_wording(row.event)
    if speaker is None or (row.expires_at is not None and row.expires_at <= moment):
        return
    if not speaker.still_true(row.event, row.params, player):
        return
    _supersede(row, player, moment)
    row.player, row.shown = player, row.kind != Kind.TEST
    general = preferences_of(player)
    wished = wishes(Kind(row.kind), general, of_game(player, row.topic))
    only = row.params.get("channel") if row.kind == Kind.TEST else None
    made = []
    if player.is_member and wished.mail is Wish.NOW and only in (None, "mail"):
        made.append(
            _delivery(row, player, Delivery.Channel.MAIL, moment + (GRACE if row.kind == Kind.TURN else timedelta()))
        )
    elif player.is_member and wished.mail is Wish.DIGEST:
        at = next_digest(moment, general.digest_hour, zone_of(player))
        made.append(_delivery(row, player, Delivery.Channel.DIGEST, at))
    if wished.push is Wish.NOW and only in (None, "push"):
        made += [
            _delivery(row, player, Delivery.Channel.PUSH, moment, device)
            for device in PushSubscription.objects.filter(player=player)
        ]
    Delivery.objects.bulk_create(made, ignore_conflicts=True)


def reschedule_digests(player: Player, moment: datetime) -> None:
    """The player's hour or time zone has changed: what waits for the daily mail goes out at the new one."""
    at = next_digest(moment, preferences_of(player).digest_hour, zone_of(player))
    Delivery.objects.filter(
        player=player, channel=Delivery.Channel.DIGEST, state=Delivery.State.WAITING, attempts=0
    ).update(planned_for=at, due_at=at)


def _delivery(
    row: Outbox, player: Player, channel: Delivery.Channel, at: datetime, device: PushSubscription | None = None
) -> Delivery:
    return Delivery(outbox=row, player=player, channel=channel, subscription=device, planned_for=at, due_at=at)


def _supersede(row: Outbox, player: Player, moment: datetime) -> None:
    """Take back the earlier notices about the same thing that say nothing any more."""
    kinds = superseded_by(row.event)
    if not kinds or not row.topic:
        return
    about = {"player": player, "topic": row.topic, "kind__in": kinds, "pk__lt": row.pk}
    waiting = Delivery.objects.filter(
        Q(lease_until__isnull=True) | Q(lease_until__lt=moment),
        player=player,
        state=Delivery.State.WAITING,
        **{f"outbox__{name}": value for name, value in about.items()},
    )
    # Looked up first: mostly there is none, and then nothing has to be written.
    if keys := list(waiting.values_list("pk", flat=True)):
        Delivery.objects.filter(pk__in=keys, state=Delivery.State.WAITING).update(
            state=Delivery.State.DROPPED, ended_at=moment, reason="superseded"
        )
    Outbox.objects.filter(**about, shown=True, read_at__isnull=True).update(read_at=moment)


HOLDS: Final = 45  # seconds


def note_looking(player: Player, topic: str) -> None:
    """`player` has `topic` (the public id of a game or table) open and in focus."""
    cache.set(_key(player, topic), 1, timeout=HOLDS)


def forget_looking(player: Player, topic: str) -> None:
    cache.delete(_key(player, topic))


def is_looking(player: Player, topic: str) -> bool:
    """Whether `player` is looking at `topic`: at that very table, not just at the site."""
    return bool(topic) and cache.get(_key(player, topic)) is not None


def _key(player: Player, topic: str) -> str:
    return f"looking:{player.pk}:{topic}"
