"""What a player wants to be notified of, on which channel and when, and the deliveries that follow for a notice.

Quiet hours and the hour of the daily mail are in the player's time zone, also when clocks change.

A page says every twenty seconds that it is open, in focus, and in use; that holds for 45 seconds. Deliveries to whoever is
looking at the table are put off meanwhile, and made soon after if they are still true then.
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
    """For one kind of event: when by mail, when by message to a device (never a digest)."""

    mail: Wish
    push: Wish


_TURN_MAIL: Final = {
    TurnMail.EACH: (Wish.NOW, Wish.NOW),
    TurnMail.HOUR: (Wish.HOUR, Wish.NOW),
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


def is_asked_how(player: Player) -> bool:
    """Whether the player has been asked how to be told, and has answered, or has chosen by themselves."""
    return preferences_of(player).asked_how


def note_answer(player: Player, *, by_mail: bool = False) -> None:
    """The player has said how they want to be told, and is not asked again; `by_mail`: of their turns within the hour."""
    general = preferences_of(player)
    told: dict[str, object] = {"asked_how": True}
    if by_mail and (general.mail_off or general.turn_mail in (TurnMail.NOTHING, TurnMail.DEADLINE, TurnMail.DIGEST)):
        told |= {"turn_mail": TurnMail.HOUR, "mail_off": False}
    player.notice_preference, _made = Preference.objects.update_or_create(player=player, defaults=told)


def of_game(player: Player, topic: str) -> GamePreference:
    """What the player wants otherwise in one game; empty and unsaved if nothing."""
    found = _of_game(player.pk, topic) if topic else []
    return found[0] if found else GamePreference(player=player, topic=topic)


@prepared
def _of_game(player: int, topic: str) -> QuerySet[GamePreference]:
    return GamePreference.objects.filter(player=player, topic=topic)


ROWS: Final = ("turn", "game", "table", "meeting", "talk", "message", "club", "other")
"""The rows of the preferences; names of fields begin so."""


def row_of(kind: Kind) -> str:
    """Under which of `ROWS` one chooses how to be told of a kind."""
    if kind in registry.ASKING:
        return "turn"
    own = (Kind.GAME, Kind.TABLE, Kind.MEETING, Kind.TALK, Kind.MESSAGE, Kind.CLUB)
    return str(kind) if kind in own else "other"


def wishes(kind: Kind, general: Preference, game: GamePreference) -> Wishes:
    """When somebody with these preferences wants to be told of something of `kind` in this game.

    What was chosen for the game goes before what was chosen in general; "not at all" there silences everything about it.
    """
    if kind is Kind.TEST:
        mail, push = Wish.NOW, Wish.NOW
    elif kind in registry.ASKING:
        at = 1 if kind is Kind.DEADLINE else 0
        mail = _TURN_MAIL[TurnMail(game.mail or general.turn_mail)][at]
        push = _TURN_PUSH[TurnPush(game.push or general.turn_push)][at]
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
    """The language to write to the player in: chosen in their account, else last used, else the site's."""
    chosen = player.language or (general or preferences_of(player)).language
    return chosen if chosen in dict(settings.INTERFACE_LANGUAGES) else settings.LANGUAGE_CODE


def note_language(player: Player) -> None:
    """Remember the language of this request as the one the player reads; writes only when it has changed."""
    language = get_language() or settings.LANGUAGE_CODE
    general = preferences_of(player)
    if general.language == language or language not in dict(settings.INTERFACE_LANGUAGES):
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
COLLECTED: Final = timedelta(minutes=20)
"""So long a letter "within the hour" waits for more to tell."""
HOUR: Final = timedelta(hours=1)
NOT_WANTED: Final = "not wanted"
"""Why a delivery was dropped that its reader did not want any more."""


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
    if player.is_member and wished.mail is not Wish.NEVER and only in (None, "mail"):
        channel, at = _by_mail(row, player, general, wished.mail, moment)
        made.append(_delivery(row, player, channel, at))
    if wished.push is Wish.NOW and only in (None, "push"):
        made += [_delivery(row, player, Delivery.Channel.PUSH, moment, device) for device in _devices(player.pk)]
    Delivery.objects.bulk_create(made, ignore_conflicts=True)


@prepared
def _devices(player: int) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(player=player)


def replan(player: Player, moment: datetime) -> None:
    """The player's wishes, hours or time zone have changed: letters that wait go out as they are wanted now.

    Nothing is lost by it: what is not wanted any more is dropped only when its time comes, and what asks the player to act
    and was left out, because it was not wanted, is told if it is wanted now.
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
        told = Delivery.objects.filter(outbox=OuterRef("pk"), subscription__isnull=True)
        for row in Outbox.objects.filter(~Exists(told), player=player, **asking).order_by("pk"):
            plan(row, moment)


def _by_mail(
    row: Outbox, player: Player, general: Preference, wished: Wish, moment: datetime
) -> tuple[Delivery.Channel, datetime]:
    """In which sort of letter a notice goes that is wanted by mail, and when that is to be sent."""
    if wished is Wish.NOW:
        waits = row.kind in (Kind.TURN, Kind.QUESTION)
        return Delivery.Channel.MAIL, moment + (GRACE if waits else timedelta())
    zone = zone_of(player)
    if wished is Wish.DIGEST:
        return Delivery.Channel.DIGEST, next_digest(moment, general.digest_hour, zone)
    if row.kind in (Kind.TABLE, Kind.MEETING):  # somebody is awaited there: it waits only for a device to show it
        at = moment + GRACE
        return Delivery.Channel.DIGEST, quiet_until(at, general.quiet_from, general.quiet_to, zone) or at
    return Delivery.Channel.DIGEST, _next_letter(player, general, zone, moment)


def _next_letter(player: Player, general: Preference, zone: ZoneInfo, moment: datetime) -> datetime:
    """When what happened at `moment` is told by a letter "within the hour", with all that happens until then.

    There is an hour between two such letters; in the quiet hours there is none.
    """
    letters = _letters_between(player.pk, moment - HOUR, moment + HOUR)
    coming = [at for at, state in letters if at > moment and state == Delivery.State.WAITING]
    sent = [at for at, state in letters if at <= moment and state == Delivery.State.SENT]
    found = min(coming) if coming else max([moment + COLLECTED, *(at + HOUR for at in sent)])
    return quiet_until(found, general.quiet_from, general.quiet_to, zone) or found


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
    """Take back the earlier notices about the same thing that say nothing any more."""
    kinds, events = superseded_by(row.event), registry.earlier_events(row.event)
    if not (kinds or events) or not row.topic:
        return
    waiting, read = _superseding(kinds, events)
    # Looked up first: mostly there are few, and then little has to be written.
    for (key,) in waiting(player.pk, row.topic, row.pk, moment):
        _drop(key, moment)
    read(player.pk, row.topic, row.pk, moment)


@cache_of
def _superseding(
    kinds: frozenset[Kind], events: frozenset[str]
) -> tuple[Callable[[int, str, int, datetime], list[tuple[int]]], Callable[[int, str, int, datetime], int]]:
    """Two queries about notices of these kinds and events, by player, topic, the notice that comes after them, and moment: which
    of their deliveries wait, and that they are read."""

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


HOLDS: Final = 90  # seconds; a page says it again every 40


def note_looking(player: Player, topic: str) -> None:
    """`player` has `topic` (the public id of a game or table) open and in focus."""
    cache.set(_key(player, topic), 1, timeout=HOLDS)


def forget_looking(player: Player, topic: str) -> None:
    cache.delete(_key(player, topic))


def is_looking(player: Player, topic: str) -> bool:
    """Whether `player` is looking at `topic`: at that very table, not just at the site."""
    return bool(topic) and cache.get(_key(player, topic)) is not None


def all_look(players: Collection[Player], topic: str) -> bool:
    """Whether all of them are looking at `topic`. Asks for them together."""
    keys = {_key(player, topic) for player in players}
    return bool(topic) and len(cache.get_many(keys)) == len(keys)


def _key(player: Player, topic: str) -> str:
    return f"looking:{player.pk}:{topic}"
