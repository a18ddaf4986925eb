"""Addresses of the encyclopedia: pages under the language. Each part lists its own; `plain` has those without a language."""

from rules.urls import editing, leaving, reading, searching, words

app_name = "rules"
urlpatterns = [
    *reading.urlpatterns,
    *words.urlpatterns,
    *searching.urlpatterns,
    *leaving.urlpatterns,
    *editing.urlpatterns,
]
