"""Addresses of the encyclopedia: words. The fixed ones come first, so no concept can stand at `list`."""

from django.urls import URLPattern, path

from rules.views import words

urlpatterns: list[URLPattern] = [
    path("words/", words.words, name="words"),
    path("words/list/", words.word_list, name="word-list"),
    path("words/phrases/", words.phrase_book, name="phrase-book"),
    path("words/elsewhere/", words.elsewhere, name="elsewhere"),
    path("words/<slug:slug>/", words.word, name="word"),
]
