"""Send what is due: mails to the mail server, messages to push services. Notices are put into words only now.

`run` is for a thread or process of its own, because a server that does not answer may take half a minute, and nobody at
a table should wait for it. Any number of them may run at the same time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Final

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import DatabaseError, close_old_connections
from django.utils import timezone, translation

from accounts.availability import zone_of
from accounts.models import Player
from core.http import database_is_away
from core.registry import Registry
from notices import leases, mail, preferences, push, registry
from notices.leases import Never, Undelivered, Unreachable
from notices.models import Delivery, Preference
from notices.registry import Kind, Wish, Words

logger = logging.getLogger(__name__)

LOOK_EVERY: Final = 1.0  # seconds
_AT_ONCE: Final = 200
_LETTERS_AT_ONCE: Final = 100
"""How many mails are sent over one connection; many mail servers hang up after more."""
LOOKING_AGAIN: Final = timedelta(seconds=60)
"""How long a delivery is put off while its player is looking at the table. After that it is sent if it is still true
and they are no longer looking."""
DEVICES_FIRST: Final = timedelta(seconds=5)
"""How long a mail waits for a message to a device that has not been tried yet and would make the mail unnecessary."""
_FAR: Final = datetime.max.replace(tzinfo=UTC)


senders: Final[Registry[Callable[[datetime | None, int], int]]] = Registry()
"""What else this thread sends: functions of the moment and the limit, which return how much they delivered."""


def deliver_due(now: datetime | None = None) -> int:
    """Send what is due, at most about `_AT_ONCE` on each channel. Returns how many mails and messages went out."""
    # Messages first: if a device has shown something, no mail "within the hour" is needed.
    count = _messages(now) + _letters(now) + _digests(now)
    for send in senders:
        try:
            count += send(now, _AT_ONCE)
        except Exception:  # an error in one app must not hold up the mails
            logger.exception("sending by %s failed", send.__module__)
    return count


def run(stop: threading.Event) -> None:
    """Send what is due until `stop` is set. An unexpected error is logged and does not end this."""
    while not stop.is_set():
        close_old_connections()
        try:
            count = deliver_due()
        except Exception:
            logger.exception("sending failed and goes on")
            count = 0
        if not count:
            stop.wait(LOOK_EVERY)
    close_old_connections()


def start(stop: threading.Event) -> threading.Thread:
    """Start `run` in a thread of its own, until `stop` is set."""
    thread = threading.Thread(target=run, args=(stop,), name="courier", daemon=True)
    thread.start()
    return thread


# the channels


def _letters(now: datetime | None) -> int:
    with _mail_server() as connection:
        return _carry(Delivery.Channel.MAIL, now, _LETTERS_AT_ONCE, partial(_letter, connection, now))


def _digests(now: datetime | None) -> int:
    with _mail_server() as connection:
        return _carry(Delivery.Channel.DIGEST, now, _LETTERS_AT_ONCE, partial(_digest, connection, now))


def _messages(now: datetime | None) -> int:
    return _carry(Delivery.Channel.PUSH, now, _AT_ONCE, partial(_message, set()))


def _carry(
    channel: Delivery.Channel, now: datetime | None, limit: int, send: Callable[[list[Delivery], datetime], bool]
) -> int:
    """Lease what is due on a channel and `send` it, all parts of one mail together.

    Returns how many mails or messages went out. `send` returns whether anything went out. For a digest it also notes
    the outcome of each part.
    """
    # Each channel looks at the clock before it leases anything. Otherwise the leases of a later channel would count
    # from the beginning of an earlier one, and be over while its messages go out, so that others would send them too.
    began = timezone.now()
    moment = now or began
    leased, count = leases.take(channel, moment, limit), 0
    is_digest = channel == Delivery.Channel.DIGEST
    leased.sort(key=_day if is_digest else _planned)
    mailings = [list(parts) for _key, parts in groupby(leased, key=_day if is_digest else _planned)]
    for index, parts in enumerate(mailings):
        rest = [part for others in mailings[index + 1 :] for part in others]
        if leases.expired(parts[0], began, moment):
            _put_off([*parts, *rest], moment, "the courier was held up")
            break
        try:
            went_out = send(parts, moment)
        except Undelivered as error:
            for part in parts:
                leases.failed(part, error, moment)
            if isinstance(error, Unreachable) and channel != Delivery.Channel.PUSH:
                # The others need not be tried, and must not be given up because of the server.
                _put_off(rest, moment + leases.WAITS[0], str(error))
                break
        except Exception as error:
            for part in parts:
                _note_error(part, error, moment)
        else:
            count += went_out
            if went_out and not is_digest:
                leases.sent(parts[0])  # first: any failure before this is committed makes it go out a second time
                _note_use(parts[0], moment)
    return count


def _planned(part: Delivery) -> tuple[datetime, int]:
    return part.planned_for, part.pk


def _day(part: Delivery) -> tuple[datetime, int]:
    return part.planned_for, part.player_id


def _letter(connection: BaseEmailBackend, written_at: datetime | None, parts: list[Delivery], moment: datetime) -> bool:
    (delivery,) = parts
    words = _words_if_due(delivery, moment)
    if words is None:
        return False
    to = _address(delivery.player)
    with _speaking_to(delivery.player):
        message = mail.mail_for(_name(delivery), delivery.player, to, _item(delivery, words), written_at)
    mail.send(message, connection)
    return True


def _digest(connection: BaseEmailBackend, written_at: datetime | None, parts: list[Delivery], moment: datetime) -> bool:
    """Send a player's digest, the most urgent part first.

    Parts that an earlier digest has told are repeated, but are not sent alone.
    """
    worded = []
    for part in parts:
        words = _words_if_due(part, moment)
        if words is not None:
            worded.append((part, words))
    included = {(part.outbox.event, part.outbox.topic) for part, _words in worded}
    for part, words in list(worded):
        if (registry.IMPLIED.get(part.outbox.event), part.outbox.topic) in included:
            leases.drop(part, "superseded")
            worded.remove((part, words))
    worded.sort(key=lambda pair: (pair[1].until or _FAR, pair[0].pk))
    new = [_item(part, words) for part, words in worded if not part.told_before]
    if new:
        player = parts[0].player
        to = _address(player)
        old = [_item(part, words) for part, words in worded if part.told_before]
        # One digest for a player and a moment: a second try has the same name, whatever has become untrue in the
        # meantime.
        name = f"day-{player.pk}-{parts[0].planned_for:%Y%m%d%H%M%S%f}"
        with _speaking_to(player):
            message = mail.digest(name, player, to, new, old, written_at)
        mail.send(message, connection)
    for part, _words in worded:
        general = preferences.preferences_of(part.player)
        if part.outbox.kind == Kind.TURN and _wish_of(part, general) is Wish.DIGEST:
            leases.again(part, preferences.next_digest(moment, general.digest_hour, zone_of(part.player)))
        else:
            leases.sent(part)
    return bool(new)


def _message(silent: set[str], parts: list[Delivery], moment: datetime) -> bool:
    """Post one message. `silent` collects the push services that have not answered."""
    (delivery,) = parts
    words = _words_if_due(delivery, moment)
    if words is None:
        return False
    assert delivery.subscription is not None
    service = push.service_of(delivery.subscription)
    if service in silent:
        leases.put_off(delivery, moment + leases.WAITS[0], "the push service does not answer")
        return False
    language = delivery.subscription.language or preferences.language_of(delivery.player)
    try:
        push.send(delivery, words, language, moment, urgent=delivery.outbox.kind == Kind.DEADLINE)
    except Unreachable:
        silent.add(service)
        raise
    return True


def _note_use(delivery: Delivery, moment: datetime) -> None:
    """Note when a device last accepted a message.

    An error does not matter: it only decides which device makes room for a new one, and must not hold up other
    deliveries.
    """
    if delivery.subscription is None:
        return
    try:
        push.note_use(delivery.subscription, moment)
    except DatabaseError as error:
        logger.warning("the use of a device was not noted: %s", type(error).__name__)


# checks before sending, for all channels


_WISHES_SENT: Final = {
    Delivery.Channel.MAIL: (Wish.NOW,),
    Delivery.Channel.PUSH: (Wish.NOW,),
    Delivery.Channel.DIGEST: (Wish.HOUR, Wish.DIGEST),
}
"""The wishes with which a delivery on each channel goes out."""


def _wish_of(delivery: Delivery, general: Preference) -> Wish:
    row = delivery.outbox
    wishes = preferences.wishes(Kind(row.kind), general, preferences.of_game(delivery.player, row.topic))
    return wishes.push if delivery.channel == Delivery.Channel.PUSH else wishes.mail


def _words_if_due(delivery: Delivery, moment: datetime) -> Words | None:
    """The words of a delivery that is to go out now. Otherwise drop it or put it off, and return None."""
    row = delivery.outbox
    player = delivery.player
    wording = registry.find_wording(row.event)
    general = preferences.preferences_of(player)
    if wording is None or player.retired_at is not None or (row.expires_at is not None and row.expires_at <= moment):
        leases.drop(delivery, "too late")
        return None
    wish = _wish_of(delivery, general)
    if wish not in _WISHES_SENT[Delivery.Channel(delivery.channel)]:
        leases.drop(delivery, preferences.NOT_WANTED)
        return None
    if row.read_at is not None and row.kind not in registry.ASKING:
        leases.drop(delivery, "read already")
        return None
    if not wording.still_true(row.event, row.params, player):
        leases.drop(delivery, "no longer true")
        return None
    # The last reminder may come twice; an early one need not.
    early = wish is Wish.HOUR or row.params.get("share") == "half"
    if early and delivery.channel != Delivery.Channel.PUSH:
        devices = Delivery.objects.filter(outbox=row, channel=Delivery.Channel.PUSH)
        if devices.filter(state=Delivery.State.SENT).exists():
            leases.drop(delivery, "shown by a device")
            return None
        # Both may have been planned after the messages of this round were sent.
        if devices.filter(state=Delivery.State.WAITING, due_at__lte=moment, attempts=0).exists():
            is_digest = delivery.channel == Delivery.Channel.DIGEST
            leases.put_off(delivery, moment + DEVICES_FIRST, "devices come first", alone=is_digest)
            return None
    if wish is not Wish.DIGEST and row.kind != Kind.TEST:
        reason = _reason_to_wait(delivery, general, moment)
        if reason is not None:
            leases.put_off(delivery, *reason, alone=delivery.channel == Delivery.Channel.DIGEST)
            return None
    language = _language(delivery, general)
    with _speaking_to(player, language):
        words = wording.words(row.event, row.params, player, language)
    if words is None:
        leases.drop(delivery, "nothing to say")
    return words


def _reason_to_wait(delivery: Delivery, general: Preference, moment: datetime) -> tuple[datetime, str] | None:
    """Until when and why a delivery has to wait; None if it can be sent now."""
    row = delivery.outbox
    if preferences.is_looking(delivery.player, row.topic):
        return moment + LOOKING_AGAIN, "looking at it"
    zone = zone_of(delivery.player)
    quiet = preferences.quiet_until(moment, general.quiet_from, general.quiet_to, zone)
    if quiet is None:
        return None
    # A mail wakes nobody: one that would be too late in the morning is sent at night.
    too_late = row.expires_at is not None and row.expires_at <= quiet
    return None if too_late and delivery.channel == Delivery.Channel.MAIL else (quiet, "quiet hours")


def _language(delivery: Delivery, general: Preference) -> str:
    device = delivery.subscription
    return (device.language if device is not None else "") or preferences.language_of(delivery.player, general)


@contextmanager
def _speaking_to(player: Player, language: str = "") -> Iterator[None]:
    with (
        translation.override(language or preferences.language_of(player)),
        timezone.override(zone_of(player)),
    ):
        yield


def _address(player: Player) -> str:
    to = mail.address_of(player)
    if not to:
        raise Never("no confirmed address")
    return to


def _item(delivery: Delivery, words: Words) -> mail.Item:
    return mail.Item(words, Kind(delivery.outbox.kind), delivery.outbox.topic)


def _name(delivery: Delivery) -> str:
    return f"notice-{delivery.pk}-{delivery.planned_for:%Y%m%d%H%M%S}"


@contextmanager
def _mail_server() -> Iterator[BaseEmailBackend]:
    """One connection for many mails, opened with the first. An error on closing does not make the mails fail."""
    connection = get_connection(fail_silently=False)
    try:
        yield connection
    finally:
        try:
            connection.close()
        except Exception as error:
            logger.info("the mail server left without a word: %s", type(error).__name__)


def _put_off(deliveries: Iterable[Delivery], until: datetime, reason: str) -> None:
    for delivery in deliveries:
        leases.put_off(delivery, until, reason)


def _note_error(delivery: Delivery, error: Exception, moment: datetime) -> None:
    """Note an unexpected error, which must not hold up other deliveries and is not tried for ever.

    If the database was away, the try does not count.
    """
    logger.error("delivery %s could not be made", delivery.pk, exc_info=error)
    if database_is_away(error):
        leases.put_off(delivery, moment + leases.WAITS[0], "the database was away")
        return
    leases.failed(delivery, Undelivered(f"error ({type(error).__name__})"), moment)
