"""Configuration of `tournaments`."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Evenings and tournaments of clubs, in the hall and online."""

    name = "tournaments"

    def ready(self) -> None:
        """Register with the apps below."""
        from accounts import registry as accounts_registry
        from clubs import evenings
        from games.mygames.services import namers
        from rules.sitemaps import SITEMAPS
        from tournaments import sitemaps
        from tournaments.club_evenings import EVENINGS
        from tournaments.online import signals
        from tournaments.online.my_tables import occasions
        from tournaments.privacy import BELONGING

        accounts_registry.belongings.register(BELONGING)
        evenings.sources.register(EVENINGS)
        signals.connect()
        SITEMAPS["tournaments"] = sitemaps.Tournaments
        namers.register(occasions)
