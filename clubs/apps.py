"""Configuration of `clubs`."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs: members, joining, calendar, news, seasons, house rules."""

    name = "clubs"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from clubs import sitemaps
        from clubs.notifications import CLUBS
        from clubs.privacy import BELONGING, subject
        from clubs.services import retention
        from clubs.tables import FOR_TABLES
        from games import hooks
        from notices import registry
        from rules.sitemaps import SITEMAPS

        accounts_registry.belongings.register(BELONGING)
        registry.wordings["club"] = CLUBS
        registry.subject_finders.register(subject)
        hooks.hourly_tasks.register(retention.forget)
        hooks.clubs.register(FOR_TABLES)
        SITEMAPS["clubs"] = sitemaps.Clubs
