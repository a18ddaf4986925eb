"""Configuration of `clubs`."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs: members, joining, calendar, news, seasons, house rules."""

    name = "clubs"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from clubs import notifications, privacy, sitemaps, tables
        from clubs.services import retention
        from games import hooks
        from notices import registry as notices_registry
        from rules.sitemaps import SITEMAPS

        accounts_registry.belongings.register(privacy)
        accounts_registry.losses.register(privacy.losses_of)
        notices_registry.wordings["club"] = notifications
        notices_registry.subject_finders.register(privacy.find_subject)
        hooks.hourly_tasks.register(retention.forget)
        hooks.clubs.register(tables)
        SITEMAPS["clubs"] = sitemaps.Clubs
