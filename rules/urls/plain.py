"""Addresses of the encyclopedia that carry no language: files, feeds, programs."""

from django.contrib.sitemaps.views import sitemap
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt

from rules.api import nothing_here, open_to_all, urls
from rules.feeds import ChangesFeed
from rules.sitemaps import SITEMAPS
from rules.views import leaving

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", urls()),
    path("api/", csrf_exempt(open_to_all(nothing_here))),
    path("api/<path:rest>", csrf_exempt(open_to_all(nothing_here))),
    path("words.tbx", leaving.words_file, {"name": "tbx"}, name="words-tbx"),
    path("words-v2.tbx", leaving.words_file, {"name": "tbx-v2"}, name="words-tbx-v2"),
    path("words.ttl", leaving.words_file, {"name": "ttl"}, name="words-ttl"),
    path("words.jsonld", leaving.words_file, {"name": "jsonld"}, name="words-jsonld"),
    path("words.csv", leaving.words_file, {"name": "csv"}, name="words-csv"),
    path("changes.atom", ChangesFeed(), name="changes-feed"),
    path("id/<str:key>", leaving.identifier, name="identifier"),
    path("robots.txt", leaving.robots, name="robots"),
    path(
        "sitemap.xml",
        cache_control(public=True, max_age=3600)(sitemap),
        {"sitemaps": SITEMAPS, "template_name": "rules/leaving/sitemap.xml"},
        name="sitemap",
    ),
]
