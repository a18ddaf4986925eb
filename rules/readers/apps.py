from django.apps import AppConfig


class ReadersConfig(AppConfig):
    """What readers tell about words, and which pages they follow."""

    name = "rules.readers"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from notices import registry
        from rules import services
        from rules.readers import following, selectors
        from rules.readers.notifications import READERS
        from rules.readers.privacy import TOLD
        from rules.views import editing_base

        accounts_registry.belongings.register(TOLD)
        registry.speakers["readers"] = READERS
        services.published.register(following.tell)
        editing_base.also_waiting.register(selectors.how_many_wait)
