"""Addresses that scripts ask for; they carry no language."""

from django.urls import path

from notices import views

urlpatterns = [
    path("notices/bell.json", views.bell, name="notices-bell"),
    path("notices/push/key.json", views.key, name="push-key"),
    path("notices/push/subscribe/", views.subscribe, name="push-subscribe"),
    path("notices/push/unsubscribe/", views.unsubscribe_device, name="push-unsubscribe"),
    path("notices/looking/", views.looking, name="looking"),
]
