from django.apps import AppConfig


class DailyConfig(AppConfig):
    """One deal a day, the same for everybody."""

    name = "games.daily"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from games import hooks
        from games.daily import tasks
        from games.daily.notifications import DAILY, do_due, subject
        from games.daily.privacy import PLAYED
        from notices import registry

        accounts_registry.belongings.register(PLAYED)
        registry.speakers["daily"] = DAILY
        registry.finders.register(subject)
        hooks.due.register(tasks.do_due, do_due)
