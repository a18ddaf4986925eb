"""Tags of constants: what Django would write, in each language, under each path; written once."""

from __future__ import annotations

import pytest
from django.template import Context, Engine, engines
from django.templatetags import static as django_static
from django.urls import get_script_prefix, reverse, set_script_prefix
from django.utils.translation import gettext, override

from core.sursilvan import END, OWN

TAGS = '{% load i18n static %}{% translate "Rules & words" %}|{% translate "Save" %}|{% url "home" %}|{% static "css/base.css" %}'


@pytest.fixture
def template():
    return engines["django"].from_string(TAGS)


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_they_say_what_django_says_each_time(template, language):
    usual = Engine(libraries={"i18n": "django.templatetags.i18n", "static": "django.templatetags.static"})
    with override(language):
        expected = usual.from_string(TAGS).render(Context())
        assert [template.render(), template.render()] == [expected] * 2


def test_a_language_does_not_get_the_words_of_another(template):
    words = []
    for language in ("en", "de", "en"):
        with override(language):
            words.append(template.render().split("|")[1:3])
            assert words[-1] == [gettext("Save"), reverse("home")]
    assert words[0] == words[2] != words[1]


def test_a_path_under_which_the_site_is_served_is_kept_apart(template):
    before, usual = get_script_prefix(), template.render()
    set_script_prefix("/cards/")
    try:
        assert template.render().split("|")[2] == reverse("home")
    finally:
        set_script_prefix(before)
    assert template.render() == usual


def test_what_is_escaped_in_one_place_is_not_in_another():
    tag = Engine.get_default().from_string('{% load i18n %}{% translate "Password" %}')
    with override("rm-sursilv"):
        for _again in range(2):
            assert tag.render(Context(autoescape=True)) == f"{OWN}Plaid-clav{END}"
            assert tag.render(Context(autoescape=False)) == "Plaid-clav"


def test_they_are_written_once(template, monkeypatch):
    with override("en"):
        first = template.render()
        for where in ("django.urls.reverse", "django.utils.translation.trans_real.gettext"):
            monkeypatch.setattr(where, lambda *_args, **_named: "another")
        monkeypatch.setattr(django_static.StaticNode, "handle_simple", lambda _path: "another")
        assert template.render() == first


def test_what_is_not_constant_is_asked_each_time():
    backend = engines["django"]
    changing = backend.from_string(
        '{% load i18n static %}{% translate word %}|{% translate "Save"|lower %}|{% url name %}|{% static path %}'
        '{% url "rules:article" key as address %}|{{ address }}'
    )
    for word, name, path, key in (
        ("Save", "home", "css/base.css", "troccas"),
        ("Send", "puzzles:list", "css/home.css", "x"),
    ):
        with override("de"):
            shown = changing.render({"word": word, "name": name, "path": path, "key": key})
            expected = [gettext(word), gettext("Save").lower(), reverse(name), django_static.static(path)]
            assert shown == "|".join([*expected, reverse("rules:article", args=[key])])
