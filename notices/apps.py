"""The room of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """What people are told, from rows written with the event itself."""

    name = "notices"

    def ready(self) -> None:
        """Tell `accounts` what players own here, and speak for our own events."""
        from accounts import protocols
        from notices import telling
        from notices.belongings import NOTICES
        from notices.trial import TRIAL

        protocols.register(NOTICES)
        telling.register("notices", TRIAL)
