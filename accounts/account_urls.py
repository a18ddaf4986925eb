"""Addresses of signing up, in and out, and of all that makes it safe: allauth's, some of them with a check of ours."""

from allauth.mfa.totp.views import activate_totp
from allauth.mfa.webauthn.views import add_webauthn
from django.urls import include, path

from accounts.views.security import sign_up, with_confirmed_address

# The names are allauth's own, so that its redirects find them; the first match answers.
urlpatterns = [
    path("signup/", sign_up, name="account_signup"),
    path("2fa/webauthn/add/", with_confirmed_address(add_webauthn), name="mfa_add_webauthn"),
    path("2fa/totp/activate/", with_confirmed_address(activate_totp), name="mfa_activate_totp"),
    path("2fa/", include("allauth.mfa.urls")),
    path("sessions/", include("allauth.usersessions.urls")),
    path("", include("allauth.account.urls")),
]
