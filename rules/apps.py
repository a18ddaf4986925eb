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
        from rules import notifications, privacy
        from rules.text.names import suit_name

        belongings.register(privacy)
        suit_names.register(suit_name)
        registry.wordings["rules"] = notifications


class ReadersConfig(AppConfig):
    """What readers contribute about words, and which pages they follow."""

    name = "rules.readers"

    def ready(self) -> None:
        from accounts import registry as accounts_registry
        from notices import registry
        from rules import services
        from rules.readers import following, notifications, privacy, selectors
        from rules.views import editing_base

        accounts_registry.belongings.register(privacy)
        registry.wordings["readers"] = notifications
        services.published.register(following.tell)
        editing_base.also_waiting.register(selectors.how_many_wait)
