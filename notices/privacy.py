"""For `accounts`: how notices, preferences and devices move from a guest to a member, are deleted, and are exported."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from notices.models import Delivery, GamePreference, Outbox, Preference, PushSubscription


def merge(guest: Player, member: Player) -> None:
    """Give everything of the guest to the member. Where both have chosen something, the member's choice wins."""
    Outbox.objects.filter(player=guest).update(player=member)
    Delivery.objects.filter(player=guest).update(player=member)
    PushSubscription.objects.filter(player=guest).update(player=member)
    decided = GamePreference.objects.filter(player=member).values("topic")
    GamePreference.objects.filter(player=guest).exclude(topic__in=decided).update(player=member)
    GamePreference.objects.filter(player=guest).delete()
    if Preference.objects.filter(player=member).exists():
        Preference.objects.filter(player=guest).delete()
    else:
        Preference.objects.filter(player=guest).update(player=member)


def release(guest: Player) -> bool:
    """Delete everything: nothing here has to keep a reference to the guest."""
    for model in (Delivery, Outbox, PushSubscription, GamePreference, Preference):
        model.objects.filter(player=guest).delete()
    return False


def export(player: Player) -> dict[str, object]:
    """The player's preferences, devices (without their keys) and notices, as plain data."""
    hidden = {"id", "player_id"}
    chosen: Mapping[str, object] = Preference.objects.filter(player=player).values().first() or {}
    return {
        "preferences": {name: value for name, value in chosen.items() if name not in hidden},
        "games": list(GamePreference.objects.filter(player=player).values("topic", "mail", "push")),
        "devices": list(
            PushSubscription.objects.filter(player=player).values("device", "endpoint", "created_at", "used_at")
        ),
        "notices": list(
            Outbox.objects.filter(player=player).order_by("pk").values("event", "params", "created_at", "read_at")
        ),
    }


def end_devices(player: Player) -> None:
    """Stop messages to all devices of the player until they subscribe again."""
    PushSubscription.objects.filter(player=player).delete()
