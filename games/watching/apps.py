from django.apps import AppConfig


class WatchingConfig(AppConfig):
    """Who may watch a table, and how many do."""

    name = "games.watching"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.watching.computers import forget
        from games.watching.privacy import WATCHED

        accounts_registry.belongings.register(WATCHED)
        hooks.chores.register(forget)
