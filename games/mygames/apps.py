from django.apps import AppConfig


class MyGamesConfig(AppConfig):
    """The games of one player: what waits for them, and what is over."""

    name = "games.mygames"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games.mygames.privacy import REMEMBERED, end_calendar

        accounts_registry.belongings.register(REMEMBERED)
        accounts_registry.ways_in.register(end_calendar)
