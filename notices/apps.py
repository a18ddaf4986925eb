"""The room of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """What people are told, from rows written with the event itself."""

    name = "notices"

    def ready(self) -> None:
        """Tell `accounts` what players own here, and speak for our own events."""
        from accounts import registry
        from notices import registry as notices_registry
        from notices.outbox import TRIAL
        from notices.privacy import NOTICES

        registry.belongings.register(NOTICES)
        notices_registry.speakers["notices"] = TRIAL
