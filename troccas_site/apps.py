"""Registers the site's system checks."""

from django.apps import AppConfig


class TroccasSiteConfig(AppConfig):
    """The wiring as an app: it has checks, but no models."""

    name = "troccas_site"

    def ready(self) -> None:
        """Importing the module registers its checks."""
        from troccas_site import checks  # noqa: F401
