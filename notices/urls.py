"""The URLs of pages about notices, below the language; and in `plain` those for scripts, without a language."""

from django.urls import path

from notices import views

app_name = "notices"
urlpatterns = [
    path("", views.notices, name="list"),
    path("read/", views.read, name="read"),
    path("preferences/", views.edit_preferences, name="preferences"),
    path("preferences/try/", views.try_out, name="try"),
    path("preferences/device/", views.forget_device, name="forget-device"),
    path("how/", views.how, name="how"),
    path("game/<slug:topic>/", views.of_game, name="game"),
    path("no-letters/<str:token>/", views.no_letters, name="no-letters"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
plain = [
    path("notices/bell.json", views.bell, name="notices-bell"),
    path("notices/push/key.json", views.key, name="push-key"),
    path("notices/push/subscribe/", views.subscribe, name="push-subscribe"),
    path("notices/push/unsubscribe/", views.unsubscribe_device, name="push-unsubscribe"),
    path("notices/looking/", views.looking, name="looking"),
]
