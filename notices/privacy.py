"""What players own among notices, told to `accounts`: it moves to the member a guest becomes, and goes with a guest."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from notices.models import Delivery, GamePreference, Outbox, Preference, PushSubscription


class Notices:
    def merge(self, guest: Player, member: Player) -> None:
        """Give the member what is the guest's; where both chose something, the member's choice stands."""
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

    def release(self, guest: Player) -> bool:
        """Forget everything; nothing here has to go on naming the guest."""
        for model in (Delivery, Outbox, PushSubscription, GamePreference, Preference):
            model.objects.filter(player=guest).delete()
        return False

    def export(self, player: Player) -> dict[str, object]:
        """What is kept for this player, as plain data: preferences, devices (without their keys), and notices."""
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


NOTICES = Notices()


def end_devices(player: Player) -> None:
    """No device is told anything any more, until its owner asks for it anew."""
    PushSubscription.objects.filter(player=player).delete()
