"""The rules app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RulesConfig(AppConfig):
    """The encyclopedia: what things are called, the phrase book, the pictures of the cards."""

    name = "rules"
    verbose_name = _("Rules and words")

    def ready(self) -> None:
        from accounts.registry import belongings, suit_names
        from notices import registry
        from rules.notifications import ENCYCLOPEDIA
        from rules.privacy import CONTRIBUTIONS
        from rules.text.names import suit_name

        belongings.register(CONTRIBUTIONS)
        suit_names.register(suit_name)
        registry.speakers["rules"] = ENCYCLOPEDIA
