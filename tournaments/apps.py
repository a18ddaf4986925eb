"""Configuration of `tournaments`."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Evenings and tournaments of clubs, in the hall and online."""

    name = "tournaments"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from clubs import evenings
        from games import hooks
        from games.mygames.services import namers
        from notices import registry
        from rules.sitemaps import SITEMAPS
        from tournaments import club_evenings, privacy, signals, sitemaps
        from tournaments.online import notifications, projections, selectors, substitutes, tasks

        accounts_registry.belongings.register(privacy)
        evenings.sources.register(club_evenings)
        signals.listeners.register(projections)
        hooks.may_sit.register(substitutes.check_may_sit)
        hooks.may_end.register(substitutes.check_may_end)
        hooks.due_tasks.register(tasks.do_due)
        registry.wordings["tournament"] = notifications
        registry.subject_finders.register(notifications.find_subject)
        SITEMAPS["tournaments"] = sitemaps.Tournaments
        namers.register(selectors.occasions)
