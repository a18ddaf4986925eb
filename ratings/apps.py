"""Configuration of `ratings`."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Ratings of the people who want to be shown."""

    name = "ratings"

    def ready(self) -> None:
        from django.utils.translation import gettext_lazy as _

        from accounts import registry as accounts_registry
        from games import hooks
        from notices import registry
        from ratings import forms, notifications, privacy, selectors, services
        from ratings.sitemaps import Ratings
        from rules.sitemaps import SITEMAPS

        accounts_registry.belongings.register(privacy)
        accounts_registry.facts.register(selectors.facts)
        accounts_registry.sections.register(accounts_registry.Section("ratings", _("Ratings"), forms.ConsentForm))
        hooks.hourly_tasks.register(services.compute_if_due)
        registry.wordings["ratings"] = notifications
        SITEMAPS["ratings"] = Ratings
