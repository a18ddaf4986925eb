"""Addresses of the player's own page; signing up, in and out are allauth's."""

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [path("you/", views.you, name="you"), path("you/forget/", views.forget, name="forget")]
