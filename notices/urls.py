"""Addresses of pages about notices, under the language."""

from django.urls import path

from notices import views

app_name = "notices"
urlpatterns = [
    path("", views.listed, name="list"),
    path("read/", views.read, name="read"),
    path("preferences/", views.wanted, name="preferences"),
    path("preferences/try/", views.try_out, name="try"),
    path("preferences/device/", views.forget_device, name="forget-device"),
    path("game/<slug:topic>/", views.of_game, name="game"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
