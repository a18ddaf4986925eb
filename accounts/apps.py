"""The accounts app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """People who play: users, guests, computer players."""

    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from accounts import security, services  # noqa: F401  # connect on import; models must be loaded first
