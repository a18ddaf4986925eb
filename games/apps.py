"""The room of games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games as they are stored, played and seen."""

    name = "games"

    def ready(self) -> None:
        """Tell the lower rooms what they must know of this one."""
        from accounts import protocols
        from games.belongings import SEATS
        from games.tellers import ring_list
        from notices import outbox

        protocols.register(SEATS)
        outbox.register(ring_list)
