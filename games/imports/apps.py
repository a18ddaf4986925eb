from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Records of games that somebody brought along to look at."""

    name = "games.imports"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.imports.privacy import IMPORTED
        from games.imports.services import forget

        accounts_registry.belongings.register(IMPORTED)
        hooks.chores.register(forget)
