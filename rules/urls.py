"""Addresses of the encyclopedia: pages have a language prefix; `plain` has those without one: files, feeds, the API."""

from django.urls import URLPattern, URLResolver, path, register_converter
from django.urls.converters import StringConverter

from core.http import ImportedLate
from rules.feeds import ChangesFeed
from rules.views import editing, exchange, history, kept, pictures, reading, suggestions


class KindConverter(StringConverter):
    regex = "article|concept|source|place"


class KeyConverter(StringConverter):
    regex = r"[a-z0-9]+(?:[-.][a-z0-9]+)*"


class LanguageConverter(StringConverter):
    regex = "[a-z]{2,3}(?:-[a-z]{2,8})?"


register_converter(KindConverter, "entrykind")
register_converter(KeyConverter, "entrykey")
register_converter(LanguageConverter, "entrylanguage")

_ENTRY = "<entrykind:kind>/<entrykey:key>/"
_ARTICLE = f"{_ENTRY}<entrylanguage:language>/"

app_name = "rules"
urlpatterns = [
    path("rules/", reading.contents, name="contents"),
    path("rules/<slug:slug>/", reading.article, name="article"),
    path("rules/<slug:slug>/sheet/", reading.sheet, name="sheet"),
    path("sources/", reading.sources, name="sources"),
    path("sources/<slug:slug>/", reading.source, name="source"),
    path("places/<slug:slug>/", reading.place, name="place"),
    path("words/", reading.words, name="words"),
    # The fixed addresses come first, so no concept can have the address `list`.
    path("words/list/", reading.word_list, name="word-list"),
    path("words/phrases/", reading.phrase_book, name="phrase-book"),
    path("words/elsewhere/", reading.elsewhere, name="elsewhere"),
    path("words/<slug:slug>/", reading.word, name="word"),
    path("kept/", kept.page, name="kept"),
    path("search/", reading.search, name="search"),
    path("search/suggest/", reading.suggest, name="search-suggest"),
    path("data/", exchange.data, name="data"),
    path("data/api/", exchange.api_description, name="data-api"),
    path("data/import/", exchange.import_words, name="import"),
    path("new/concept/", editing.new, {"kind": "concept"}, name="suggest-word"),
    path("new/<entrykind:kind>/", editing.new, name="new"),
    path("edit/article/<entrykey:key>/<entrylanguage:language>/preview/", editing.preview, name="preview"),
    path(f"edit/{_ENTRY}", editing.edit, name="edit"),
    path(f"edit/{_ARTICLE}", editing.edit, name="edit"),
    path(f"history/{_ENTRY}", history.history, name="history"),
    path(f"history/{_ENTRY}compare/", history.diff, name="diff"),
    path(f"history/{_ENTRY}<int:number>/", history.revision, name="revision"),
    path(f"history/{_ENTRY}<int:number>/revert/", history.revert, name="revert"),
    path(f"history/{_ARTICLE}", history.history, name="history"),
    path(f"history/{_ARTICLE}compare/", history.diff, name="diff"),
    path(f"history/{_ARTICLE}<int:number>/", history.revision, name="revision"),
    path(f"history/{_ARTICLE}<int:number>/revert/", history.revert, name="revert"),
    path("suggestions/", suggestions.mine, name="suggestions"),
    path("queue/", suggestions.queue, name="queue"),
    path("queue/<int:number>/", suggestions.suggestion, name="suggestion"),
    path(f"talk/{_ENTRY}", history.talk, name="talk"),
    path("talk/remark/<int:number>/hide/", history.hide, name="hide-remark"),
    path(f"manage/{_ENTRY}", suggestions.manage, name="manage"),
    path(f"manage/{_ARTICLE}", suggestions.manage, name="manage"),
    path("roles/", suggestions.people, name="roles"),
    path("changes/", history.changes, name="changes"),
]

plain: list[URLPattern | URLResolver] = [
    ImportedLate("api/", "rules.api"),
    path("words.tbx", exchange.words_file, {"name": "tbx"}, name="words-tbx"),
    path("words-v2.tbx", exchange.words_file, {"name": "tbx-v2"}, name="words-tbx-v2"),
    path("words.ttl", exchange.words_file, {"name": "ttl"}, name="words-ttl"),
    path("words.jsonld", exchange.words_file, {"name": "jsonld"}, name="words-jsonld"),
    path("words.csv", exchange.words_file, {"name": "csv"}, name="words-csv"),
    path("changes.atom", ChangesFeed(), name="changes-feed"),
    path("id/<str:key>", exchange.identifier, name="identifier"),
    path("kept/<entrylanguage:language>.json", kept.file, name="kept-file"),
    path("pictures/<entrylanguage:language>/<slug:kind>/<slug:slug>.png", pictures.picture, name="page-picture"),
    path("robots.txt", exchange.robots, name="robots"),
    path("sitemap.xml", exchange.site_map, name="sitemap"),
]
