from django.apps import AppConfig


class StatisticsConfig(AppConfig):
    """What the hands somebody has played come to."""

    name = "games.statistics"

    def ready(self) -> None:
        from django.utils.translation import gettext_lazy

        from accounts import registry as accounts_registry
        from games.statistics.permissions import COUNTED, AudienceForm

        accounts_registry.belongings.register(COUNTED)
        accounts_registry.sections.register(
            accounts_registry.Section("statistics", gettext_lazy("Statistics"), AudienceForm)
        )
