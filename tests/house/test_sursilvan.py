"""Sursilvan: what it does not say is German, a sentence is in one language with all that it names, and says in which."""

from __future__ import annotations

import json
import pickle

import pytest
from django.template import Context, Engine
from django.test import Client
from django.utils.translation import gettext, gettext_lazy, ngettext, override, pgettext

from accounts import sessions
from core.sursilvan import END, OWN, SURSILVAN, Own, StandIn, capfirst, joined, marked
from domain.engine.rulesets import ruleset
from domain.tournament.state import Plan
from games.meeting.models import Alert
from games.meeting.text import alert_words
from rules.markup.render import card_values
from rules.text import names
from tests.games.table_kit import person
from tests.sursilvan_kit import faults
from tournaments.registration.selectors import tables_in_words

SAID = "%(name)s plays %(cards)s."
UNSAID = "%(name)s holds %(card)s and keeps it: the queen or the cavalier was played for it."
"""A sentence that Sursilvan says, and one that it does not."""
PAGES = (
    "", "account/login/", "account/signup/", "api/", "clubs/", "daily/", "fair/", "games/", "my-games/", "notices/", "offline/",
    "puzzles/", "puzzles/troccas-1/", "ratings/", "records/", "rules/", "sources/", "tables/", "tables/new/", "watch/", "words/", "you/", "you/profile/",
    "you/statistics/",
)  # fmt: skip


@pytest.fixture(autouse=True)
def sursilvan():
    with override(SURSILVAN):
        yield


def page(template: str, **context: object) -> str:
    html = Engine.get_default().from_string("{% load i18n %}" + template)
    return marked(html.render(Context(context)))


def test_what_sursilvan_does_not_say_is_german():
    assert gettext("Your hand") == "Tias cartas"
    assert gettext("Notices") == "Mitteilungen"
    assert pgettext("game", "over") == "finiu"
    assert ngettext("%(number)d point", "%(number)d points", 3) % {"number": 3} == "3 puncts"
    assert ngettext("%(hands)d hand", "%(hands)d hands", 3) % {"hands": 3} == "3 Hände"
    assert str(gettext_lazy("Notices")) == "Mitteilungen"


def test_django_may_forget_its_catalogues(settings):
    settings.LANGUAGES = list(settings.LANGUAGES)
    with override(SURSILVAN):
        assert gettext("Notices") == "Mitteilungen"


def test_a_list_of_own_words_is_marked_as_a_whole():
    alert = Alert(games=["troccas"], pace="days")
    for text in (tables_in_words(Plan(), {4: 5, 3: 1}), alert_words(alert)):
        assert isinstance(text, Own | StandIn), text
    assert f"<td>{OWN}retg · " in card_values(ruleset("troccas"))


def test_english_stays_what_nobody_translates():
    assert gettext("no such message") == "no such message"
    assert pgettext("nowhere", "no such message") == "no such message"


def test_other_languages_are_as_they_were():
    with override("de"):
        assert type(gettext("Notices")) is str
    with override("en"):
        assert gettext("Your hand") == "Your hand"


def test_a_card_is_named_in_the_language_of_the_sentence():
    jack = {"name": "Mengia", "cards": names.card_object("BJ"), "card": names.card_object("BJ")}
    assert gettext(SAID) % jack == "Mengia gioga il buob da bastuns."
    assert (
        gettext(UNSAID) % jack == "Mengia hat den Stäbe-Buben und behält ihn: Königin oder Reiter wurde dafür gespielt."
    )


def test_a_sentence_that_quotes_what_is_german_is_german():
    said = gettext(SAID) % {"name": gettext("Notices"), "cards": names.card_object("BJ")}
    assert isinstance(said, StandIn)
    assert said == "Mitteilungen spielt den Stäbe-Buben."


def test_parts_may_be_worked_out_as_they_are_asked_for():
    class Facts(dict[str, str]):
        def __missing__(self, name: str) -> str:
            return gettext("Notices") if name == "name" else names.card_object("BJ")

    assert gettext(SAID) % Facts() == "Mitteilungen spielt den Stäbe-Buben."
    assert gettext(SAID) % Facts(name="Mengia") == "Mengia gioga il buob da bastuns."
    assert (
        gettext(UNSAID) % Facts(card=names.card_object("BJ"))
        == "Mitteilungen hat den Stäbe-Buben und behält ihn: Königin oder Reiter wurde dafür gespielt."
    )


def test_sentences_in_a_row_are_in_one_language():
    own, german = gettext("Your hand"), gettext("Notices")
    assert isinstance(joined(", ", [own, own]), Own)
    assert joined(", ", [own, german]) == "Deine Karten, Mitteilungen"
    assert type(joined(", ", ["Anna", "Beat"])) is str
    assert own + ", " + german == "Deine Karten, Mitteilungen"
    assert isinstance(capfirst(own), Own)
    assert isinstance(capfirst(german), StandIn)
    small = "{% load i18n %}{{ own|capfirst }}{{ german|capfirst }}{{ 7|capfirst }}"
    assert page(f"<p>{small}</p>", own=gettext("suits"), german=german) == (
        '<p><span lang="rm-sursilv">Colurs</span>Mitteilungen7</p>'
    )


def test_they_are_texts_like_any_other():
    own = gettext("Your hand")
    assert json.dumps([own, gettext("Notices")]) == '["Tias cartas", "Mitteilungen"]'
    assert pickle.loads(pickle.dumps(own)) == own  # noqa: S301  # our own
    assert f"{own}!" == "Tias cartas!"


def test_the_page_is_german_and_what_is_sursilvan_there_is_marked():
    assert page('<html lang="rm-sursilv"><p>{% translate "Notices" %}</p>') == '<html lang="de"><p>Mitteilungen</p>'
    assert page('<p class="a">{% translate "Your hand" %}</p>') == '<p class="a" lang="rm-sursilv">Tias cartas</p>'
    assert page('<p>7 {% translate "Your hand" %}</p>') == '<p>7 <span lang="rm-sursilv">Tias cartas</span></p>'
    assert page("<p>{{ text }}</p>", text=gettext_lazy("Your hand")) == '<p lang="rm-sursilv">Tias cartas</p>'


def test_where_no_mark_can_stand_none_does():
    own = {"own": gettext("Your hand")}
    assert page('<a title="{{ own }}: 7">x</a>', **own) == '<a title="Tias cartas: 7">x</a>'
    assert page("<title>{{ own }} – x</title>", **own) == '<title lang="rm-sursilv">Tias cartas – x</title>'
    assert page("<title>{{ own }}: {{ other }}</title>", other=gettext("Notices"), **own) == (
        "<title>Tias cartas: Mitteilungen</title>"
    )
    assert page("<option>x {{ own }}</option>", **own) == "<option>x Tias cartas</option>"
    assert page("<option>{{ own }}</option>", **own) == '<option lang="rm-sursilv">Tias cartas</option>'


def test_an_attribute_is_in_the_language_of_its_element():
    texts = {"own": gettext("Your hand"), "other": gettext("Notices")}
    assert page('<p title="{{ other }}">{{ own }}</p>', **texts) == (
        '<p title="Mitteilungen"><span lang="rm-sursilv">Tias cartas</span></p>'
    )
    assert page('<p title="{{ own }}">{{ own }}</p>', **texts) == (
        '<p title="Tias cartas" lang="rm-sursilv">Tias cartas</p>'
    )
    assert page('<img alt="{{ own }}" src="x">', **texts) == '<img lang="rm-sursilv" alt="Tias cartas" src="x">'
    assert page('<input title="{{ own }}" placeholder="{{ other }}">', **texts) == (
        '<input title="Tias cartas" placeholder="Mitteilungen">'
    )
    assert page('<nav aria-label="{{ own }}">x</nav>', **texts) == '<nav aria-label="Tias cartas">x</nav>'


def test_what_a_word_is_marked_as_already_is_not_marked_again():
    assert (
        page('<b lang="rm-sursilv">{{ own }}</b>', own=gettext("Your hand")) == '<b lang="rm-sursilv">Tias cartas</b>'
    )


def test_a_block_is_in_one_language_with_what_it_names():
    block = "{% blocktranslate %}Back to {{ title }}{% endblocktranslate %}"
    assert page(f"<p>{block}</p>", title="Anna") == '<p lang="rm-sursilv">Anavos: Anna</p>'
    assert page(f"<p>{block}</p>", title=gettext("Notices")) == "<p>Zurück zu: Mitteilungen</p>"
    assert page(
        "{% blocktranslate asvar x %}Back to {{ title }}{% endblocktranslate %}<p>{{ x }}</p>", title="Anna"
    ) == ('<p lang="rm-sursilv">Anavos: Anna</p>')


def test_what_somebody_writes_is_escaped_and_marks_nothing():
    typed = f"<b>{OWN}{END}{END}</b>"
    assert page("<p>{{ text }} a</p>", text=gettext(SAID) % {"name": typed, "cards": ""}).count("<span") == 1
    assert "<b>" not in page("<p>{{ text }}</p>", text=gettext(SAID) % {"name": typed, "cards": ""})
    assert page("<p>{{ typed }}</p>", typed=f"a{END}{OWN}b") == "<p>ab</p>"


@pytest.mark.django_db
def test_the_scripts_say_in_german_what_sursilvan_does_not():
    words = Client().get("/rm-sursilv/jsi18n/").content.decode()
    assert '"Time is up.": "Die Zeit ist um."' in words
    assert '"%(step)s of %(last)s": "%(step)s da %(last)s"' in words
    assert '"Pause": "Pause"' in words


@pytest.mark.django_db
def test_no_page_says_anything_in_english_or_in_another_language_than_it_says():
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(person())
    found = {}
    for path in PAGES:
        answer = client.get(f"/{SURSILVAN}/{path}", follow=True)
        assert answer.status_code == 200, path
        found[path] = faults(answer.content.decode())
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
