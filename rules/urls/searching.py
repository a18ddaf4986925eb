"""Addresses of the encyclopedia: searching."""

from django.urls import URLPattern, path

from rules.views import searching

urlpatterns: list[URLPattern] = [
    path("search/", searching.search, name="search"),
    path("search/suggest/", searching.suggest, name="search-suggest"),
]
