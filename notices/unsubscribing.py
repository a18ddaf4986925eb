"""The signed token by which a mail can be stopped without logging in (RFC 8058): what it names, and stopping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core import signing
from django.db import transaction

from accounts.models import Player
from notices.kinds import TurnMail
from notices.models import TOPIC_LENGTH, Delivery, GamePreference, Preference

_SALT: Final = "notices.unsubscribe"
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Subscription:
    """Whose mail it is and about which game; `topic` is empty for a daily mail."""

    player: Player
    topic: str


def token_for(player: Player, topic: str) -> str:
    """A token for a mail to `player` about `topic`. It does not expire: old mails must be able to stop new ones."""
    return signing.dumps([player.public_id, topic], salt=_SALT)


def read(token: str) -> Subscription | None:
    """What a token names; None for one that was not made here, or whose player is gone."""
    if len(token) > _LONGEST:
        return None
    try:
        public_id, topic = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    player = Player.objects.select_related("merged_into").filter(public_id=public_id).first()
    return Subscription(player.current, str(topic)[:TOPIC_LENGTH]) if player is not None else None


def stop_all(player: Player, *, stopped: bool = True) -> None:
    """No notices by mail any more (or again, with `stopped=False`). What waits to be sent is dropped when its turn comes."""
    Preference.objects.update_or_create(player=player, defaults={"mail_off": stopped})


def stop_game(player: Player, topic: str) -> None:
    """No mail about this one game any more."""
    with transaction.atomic():
        GamePreference.objects.update_or_create(player=player, topic=topic, defaults={"mail": TurnMail.NOTHING})
        Delivery.objects.filter(
            player=player,
            outbox__topic=topic,
            channel__in=(Delivery.Channel.MAIL, Delivery.Channel.DIGEST),
            state=Delivery.State.WAITING,
            lease_until__isnull=True,
        ).update(state=Delivery.State.DROPPED, reason="not wanted")
