"""Addresses of the encyclopedia: reading."""

from django.urls import URLPattern, path

from rules.views import reading

urlpatterns: list[URLPattern] = [
    path("rules/", reading.contents, name="contents"),
    path("rules/<slug:slug>/", reading.article, name="article"),
    path("rules/<slug:slug>/sheet/", reading.sheet, name="sheet"),
    path("sources/", reading.sources, name="sources"),
    path("sources/<slug:slug>/", reading.source, name="source"),
    path("places/<slug:slug>/", reading.place, name="place"),
]
