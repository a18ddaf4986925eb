"""Configuration of `ratings`."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Who is rated, and what follows from the logs."""

    name = "ratings"

    def ready(self) -> None:
        """Register with the apps below."""
        from django.utils.translation import gettext_lazy as _

        from accounts import registry as accounts_registry
        from games import hooks
        from ratings import forms, selectors, tasks
        from ratings.consent import RATED
        from ratings.sitemaps import Ratings
        from rules.sitemaps import SITEMAPS

        accounts_registry.belongings.register(RATED)
        accounts_registry.facts.register(selectors.facts)
        accounts_registry.sections.register(accounts_registry.Section("ratings", _("Ratings"), forms.ConsentForm))
        hooks.chores.register(tasks.chore)
        SITEMAPS["ratings"] = Ratings
