"""Configuration of `clubs`."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs: members, joining, calendar, news, seasons, house rules."""

    name = "clubs"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from clubs import sitemaps
        from clubs.notifications import CLUBS
        from clubs.privacy import BELONGINGS, find_subject, losses_of
        from clubs.services import retention
        from clubs.tables import CLUBS_FOR_TABLES
        from games import hooks
        from notices import registry as notices_registry
        from rules.sitemaps import SITEMAPS

        accounts_registry.belongings.register(BELONGINGS)
        accounts_registry.losses.register(losses_of)
        notices_registry.wordings["club"] = CLUBS
        notices_registry.subject_finders.register(find_subject)
        hooks.hourly_tasks.register(retention.forget)
        hooks.clubs.register(CLUBS_FOR_TABLES)
        SITEMAPS["clubs"] = sitemaps.Clubs
