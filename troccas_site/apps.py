"""Registers the site's system checks, its daily backup, the nightly verification of its logs, and the look for reports
that nobody may settle."""

from django.apps import AppConfig


class TroccasSiteConfig(AppConfig):
    """The wiring as an app: it has checks, but no models."""

    name = "troccas_site"

    def ready(self) -> None:
        """Register the checks, which happens on import, and the tasks; install Sursilvan."""
        from core import sursilvan
        from games import hooks
        from troccas_site import backups, monitoring, verifying
        from troccas_site import checks as _checks  # noqa: F401  # its checks register themselves on import

        hooks.hourly_tasks.register(backups.nightly)
        hooks.hourly_tasks.register(verifying.nightly)
        hooks.hourly_tasks.register(monitoring.look_for_reports)

        sursilvan.install()
