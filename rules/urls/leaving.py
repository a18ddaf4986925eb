"""Addresses of the encyclopedia: taking words along, and bringing some."""

from django.urls import URLPattern, path

from rules.views import bringing, leaving

urlpatterns: list[URLPattern] = [
    path("data/", leaving.data, name="data"),
    path("data/api/", leaving.api_description, name="data-api"),
    path("data/import/", bringing.bring, name="import"),
]
