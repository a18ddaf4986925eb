"""Registers the site's system checks, its daily backup and the nightly look at its logs."""

from django.apps import AppConfig


class TroccasSiteConfig(AppConfig):
    """The wiring as an app: it has checks, but no models."""

    name = "troccas_site"

    def ready(self) -> None:
        """Importing the module registers its checks."""
        from core import sursilvan
        from games import hooks
        from troccas_site import backups, verifying
        from troccas_site import checks as _checks  # noqa: F401  # its checks register themselves on import

        hooks.chores.register(backups.nightly)
        hooks.chores.register(verifying.nightly)

        sursilvan.install()
