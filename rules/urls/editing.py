"""Addresses of the encyclopedia: editing, history, suggestions, discussion."""

from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter

from rules.views import (
    editing,
    editing_changes,
    editing_history,
    editing_managing,
    editing_suggestions,
    editing_talk,
)


class KindConverter(StringConverter):
    """A kind of entry."""

    regex = "article|concept|source|place"


class KeyConverter(StringConverter):
    """The key of an entry, as `words.scart`."""

    regex = r"[a-z0-9]+(?:[-.][a-z0-9]+)*"


class LanguageConverter(StringConverter):
    """The language of an article, as `rm-sursilv`."""

    regex = "[a-z]{2,3}(?:-[a-z]{2,8})?"


register_converter(KindConverter, "entrykind")
register_converter(KeyConverter, "entrykey")
register_converter(LanguageConverter, "entrylanguage")

_ENTRY = "<entrykind:kind>/<entrykey:key>/"
_ARTICLE = f"{_ENTRY}<entrylanguage:language>/"

urlpatterns: list[URLPattern] = [
    path("new/concept/", editing.new, {"kind": "concept"}, name="suggest-word"),
    path("new/<entrykind:kind>/", editing.new, name="new"),
    path("edit/article/<entrykey:key>/<entrylanguage:language>/preview/", editing.preview, name="preview"),
    path(f"edit/{_ENTRY}", editing.edit, name="edit"),
    path(f"edit/{_ARTICLE}", editing.edit, name="edit"),
    path(f"history/{_ENTRY}", editing_history.history, name="history"),
    path(f"history/{_ENTRY}compare/", editing_history.diff, name="diff"),
    path(f"history/{_ENTRY}<int:number>/", editing_history.revision, name="revision"),
    path(f"history/{_ENTRY}<int:number>/revert/", editing_history.revert, name="revert"),
    path(f"history/{_ARTICLE}", editing_history.history, name="history"),
    path(f"history/{_ARTICLE}compare/", editing_history.diff, name="diff"),
    path(f"history/{_ARTICLE}<int:number>/", editing_history.revision, name="revision"),
    path(f"history/{_ARTICLE}<int:number>/revert/", editing_history.revert, name="revert"),
    path("suggestions/", editing_suggestions.mine, name="suggestions"),
    path("queue/", editing_suggestions.queue, name="queue"),
    path("queue/<int:number>/", editing_suggestions.suggestion, name="suggestion"),
    path(f"talk/{_ENTRY}", editing_talk.talk, name="talk"),
    path("talk/remark/<int:number>/hide/", editing_talk.hide, name="hide-remark"),
    path(f"manage/{_ENTRY}", editing_managing.manage, name="manage"),
    path(f"manage/{_ARTICLE}", editing_managing.manage, name="manage"),
    path("roles/", editing_managing.people, name="roles"),
    path("changes/", editing_changes.changes, name="changes"),
]
