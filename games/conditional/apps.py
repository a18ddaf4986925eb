from django.apps import AppConfig


class ConditionalConfig(AppConfig):
    """Plans: what players have decided for actions to come."""

    name = "games.conditional"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.conditional import services
        from games.conditional.privacy import SAID_AHEAD

        accounts_registry.belongings.register(SAID_AHEAD)
        hooks.ahead.register(services)
