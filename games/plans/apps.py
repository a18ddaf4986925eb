"""Plans: what players have decided ahead, carried out as ordinary actions and known to their owner alone."""

from django.apps import AppConfig


class PlansConfig(AppConfig):
    """Plans: what players have decided for actions to come."""

    name = "games.plans"
    label = "conditional"  # as its tables are called in databases that exist

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.plans import services
        from games.plans.privacy import PLANS

        accounts_registry.belongings.register(PLANS)
        hooks.ahead.register(services)
