"""What people have in online tournaments beside their entries, told to `accounts`: invitations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from accounts.models import Player
from clubs.online_models import TournamentInvitation


class Invited:
    """The invitations somebody was sent, and those they sent."""

    def merge(self, guest: Player, member: Player) -> None:
        """Nothing: guests are not invited, and invite nobody."""

    def release(self, player: Player) -> bool:
        """Forget whereto the player was invited; those they invited stay so."""
        TournamentInvitation.objects.filter(player=player).delete()
        TournamentInvitation.objects.filter(by=player).update(by=None)
        return False

    def export(self, player: Player) -> Mapping[str, object]:
        """Whereto the player was invited."""
        rows = TournamentInvitation.objects.filter(player=player).select_related("tournament").order_by("pk")
        return {
            "invitations_to_tournaments": [
                {"tournament": row.tournament.public_id, "name": row.tournament.name, "at": row.at} for row in rows
            ]
        }


INVITED: Final = Invited()
