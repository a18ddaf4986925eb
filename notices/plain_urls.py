"""Addresses that scripts ask for; they carry no language."""

from django.urls import path

from notices import devices

urlpatterns = [
    path("notices/bell.json", devices.bell, name="notices-bell"),
    path("notices/push/key.json", devices.key, name="push-key"),
    path("notices/push/subscribe/", devices.subscribe, name="push-subscribe"),
    path("notices/push/unsubscribe/", devices.unsubscribe, name="push-unsubscribe"),
    path("notices/looking/", devices.looking, name="looking"),
]
