"""Configuration of `accounts`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """People who play: users, guests, computer players."""

    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from allauth.account.auth_backends import AuthenticationBackend
        from allauth.usersessions.models import UserSession

        from accounts import security, services  # noqa: F401  # connect on import; models must be loaded first
        from accounts.sessions import SessionStore, signed_in

        UserSession._session_store = lambda _row, *key: SessionStore.of_key(*key)  # it passes keys of rows, not cookies
        AuthenticationBackend.get_user = signed_in
