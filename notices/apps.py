"""Configuration of `notices`."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_save
from django.utils import timezone


def _note_zone(instance: Any, update_fields: frozenset[str] | None, **_rest: object) -> None:
    """Plan waiting mails again for a player whose time zone has changed."""
    if "time_zone" in (update_fields or ()):
        from notices.preferences import replan

        replan(instance, timezone.now())


def _note_language(request: Any, user: Any, **_rest: object) -> None:
    """Write to players in the language in which they signed up or in, until they read in another or choose one."""
    from notices.preferences import note_language

    if visit := getattr(request, "visit", None):  # missing if a script logs somebody in
        note_language(visit.player)


class NoticesConfig(AppConfig):
    """Notices to people, written as rows together with the event itself."""

    name = "notices"

    def ready(self) -> None:
        """Register what players own here and the wording of our own event; connect the signals that tell of changes of
        the time zone and of signing in."""
        from accounts import registry
        from notices import notifications, privacy
        from notices import registry as notices_registry

        registry.belongings.register(privacy)
        registry.ways_in.register(privacy.end_devices)
        post_save.connect(_note_zone, sender="accounts.Player", dispatch_uid="notices.zone")
        user_logged_in.connect(_note_language, dispatch_uid="notices.language")
        notices_registry.wordings["notices"] = notifications
