"""Registers the site's system checks, its daily backup and the nightly verification of its logs."""

from django.apps import AppConfig


class TroccasSiteConfig(AppConfig):
    """The wiring as an app: it has checks, but no models."""

    name = "troccas_site"

    def ready(self) -> None:
        """Register the checks, which happens on import, and the nightly tasks; install Sursilvan."""
        from core import sursilvan
        from games import hooks
        from troccas_site import backups, verifying
        from troccas_site import checks as _checks  # noqa: F401  # its checks register themselves on import

        hooks.hourly_tasks.register(backups.nightly)
        hooks.hourly_tasks.register(verifying.nightly)

        sursilvan.install()
