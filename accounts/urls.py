"""The URLs of the player's own pages and of pages about others; `signing_in`: allauth's, some with our checks."""

from allauth.mfa.totp.views import activate_totp
from allauth.mfa.webauthn.views import add_webauthn
from django.urls import include, path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("you/", views.you, name="you"),
    path("you/forget/", views.forget, name="forget"),
    path("you/profile/", views.profile, name="profile"),
    path("you/preferences/", views.preferences, name="preferences"),
    path("you/blocked/", views.blocked, name="blocked"),
    path("you/sessions/<int:session>/end/", views.end_session, name="end-session"),
    path("you/programs/", views.programs, name="programs"),
    path("you/programs/mark/", views.mark_program, name="mark-program"),
    path("you/programs/<int:token>/revoke/", views.revoke, name="revoke-token"),
    path("you/export/", views.export, name="export"),
    path("you/delete/", views.delete, name="delete"),
    path("people/<slug:public_id>/", views.person, name="person"),
    path("people/<slug:public_id>/block/", views.block, name="block"),
    path("people/<slug:public_id>/unblock/", views.unblock, name="unblock"),
    path("people/<slug:public_id>/report/", views.report, name="report"),
    path("reports/", views.reports, name="reports"),
    path("reports/<int:report>/settle/", views.settle, name="settle"),
    path("reports/suspended/", views.suspended, name="suspended"),
    path("reports/suspended/<slug:public_id>/lift/", views.lift, name="lift"),
]

# The names are allauth's own, so that its redirects work; the first match counts.
signing_in = [
    path("signup/", views.sign_up, name="account_signup"),
    path("confirm-email/<str:key>/", views.confirm_email, name="account_confirm_email"),
    path("2fa/webauthn/add/", views.with_confirmed_address(add_webauthn), name="mfa_add_webauthn"),
    path("2fa/totp/activate/", views.with_confirmed_address(activate_totp), name="mfa_activate_totp"),
    path("2fa/", include("allauth.mfa.urls")),
    path("sessions/", include("allauth.usersessions.urls")),
    path("", include("allauth.account.urls")),
]
