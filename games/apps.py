from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games as they are stored, played and seen."""

    name = "games"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.lessons import services as lessons
        from games.privacy import SEATS

        accounts_registry.belongings.register(SEATS)
        hooks.waits.register(lessons.waits)
