"""Directives: what a page has besides prose, and what becomes of one that is broken."""

from __future__ import annotations

import re

import pytest

from domain.engine.cards import values
from domain.engine.rulesets import RULESETS, ruleset
from rules.markup import Rendered, inline, render
from tests.rules import entries

pytestmark = pytest.mark.django_db

QUESTION = """
::: question cut-card
title = "Is the cut card *shown*?"
reading = "Yes [@pagat]."
why = "It is worth a trick."
[[says]]
source = "pagat: The Deal"
quote = "the card is turned"
lang = "en"
[[says]]
source = "jv"
silent = true
[[says]]
source = "lt"
paraphrase = "Only in some villages."
:::
"""


@pytest.fixture
def sources() -> None:
    for key in ("pagat", "jv", "lt"):
        entries.source(key)


def made(text: str, *, preview: bool = True, ruleset: str = "troccas", language: str = "en") -> Rendered:
    return render({"text": text, "ruleset": ruleset}, language, key="troccas", preview=preview)


def only_trouble(text: str) -> tuple[int, str]:
    [trouble] = made(text).troubles
    return trouble.line, trouble.message


# --- In words ----------------------------------------------------------------------------------------------------------


def test_a_glance_is_a_list_of_labels_with_markup_in_their_texts() -> None:
    html = made("::: glance\nPlayers: *four*, in pairs: two against two\n\nCards: 78\n:::").html
    assert html.strip() == (
        '<dl class="glance"><div><dt>Players</dt><dd><em>four</em>, in pairs: two against two</dd></div>'
        "<div><dt>Cards</dt><dd>78</dd></div></dl>"
    )


def test_a_note_holds_text_of_its_own() -> None:
    html = made("::: note\nOne.\n\n* a\n* b\n:::\n\nAfter.").html
    assert (
        re.sub(r"\s+", "", html) == '<asideclass="note"><p>One.</p><ul><li>a</li><li>b</li></ul></aside><p>After.</p>'
    )


def test_a_question_shows_what_each_source_says_and_our_reading(sources: None) -> None:
    rendered = made(QUESTION)
    assert rendered.questions == ("cut-card",)
    assert rendered.troubles == ()
    assert '<section class="question" id="question-cut-card"' in rendered.html
    assert "Is the cut card <em>shown</em>?" in rendered.html
    assert '<q class="quotation" lang="en">the card is turned</q>' in rendered.html
    assert "says nothing about it" in rendered.html
    assert "Only in some villages." in rendered.html
    assert len(rendered.citations) == 4


def test_what_leads_to_the_talk_about_a_question_is_named_with_it(sources: None) -> None:
    html = render({"text": QUESTION}, "en", key="troccas").html
    link = re.search(r'<a id="(.*?)" aria-labelledby="(.*?)" href="[^"]*">Discuss this question</a>', html)
    assert link is not None
    assert link[2].split() == [link[1], "question-cut-card-title"]
    assert 'id="question-cut-card-title"' in html


def test_french_keeps_its_no_break_spaces_in_questions_and_in_definitions(sources: None) -> None:
    told = QUESTION.replace("Is the cut card *shown*?", "La carte de coupe\u202f?").replace(
        "Only in", "Ici\u202f:\n   là"
    )
    html = made(told.replace('"Ici', '"""\nIci').replace('villages."', 'villages."""'), language="fr").html
    assert "La carte de coupe\u202f?" in html
    assert "Ici\u202f: là some villages." in html
    assert inline("Couleur ronde\u202f:\nl’as.", "fr") == "Couleur ronde\u202f: l’as."


def test_a_question_needs_two_sides(sources: None) -> None:
    one = '::: question x\ntitle = "T"\nreading = "R"\n[[says]]\nsource = "pagat"\nsilent = true\n:::'
    assert only_trouble(one) == (1, "An open question has at least two [[says]], one for each source.")


def test_a_side_of_a_question_says_something(sources: None) -> None:
    line, message = only_trouble(QUESTION.replace("silent = true", ""))
    assert (line, message) == (2, "Give what the source says as quote, paraphrase, or silent = true.")


def test_a_mistake_names_who_makes_it_and_what_is_true(sources: None) -> None:
    text = '::: mistake par\nclaim = "Par is 26."\nwhere = "jv; lt: Counting"\ntruth = "It is 36 [@pagat]."\n:::'
    html = made(text).html
    assert '<section class="mistake" id="mistake-par"' in html
    assert html.count('class="cite"') == 3
    assert "Par is 26." in html


def test_a_quotation_cannot_smuggle_an_attribute(sources: None) -> None:
    rendered = made(QUESTION.replace('lang = "en"', "lang = 'x\" onclick=\"alert(1)'"), preview=False)
    assert "onclick" not in rendered.html
    assert [trouble.line for trouble in rendered.troubles] == [2]


# --- From the engine ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted({known for known, _version in RULESETS}))
def test_every_game_has_its_tables(game: str) -> None:
    rendered = made("::: values\n:::\n\n::: ranks\n:::\n\n::: packets\n:::", ruleset=game)
    assert rendered.troubles == ()
    pack = ruleset(game).pack
    foot = re.search(r"<tfoot>.*?>(\d+)<.*?>(\d+)</td>", rendered.html, re.DOTALL)
    assert foot
    assert (int(foot[1]), int(foot[2])) == (values(pack), pack.bit_count())


def test_the_values_are_those_the_sources_give() -> None:
    text = re.sub(r"<[^>]+>", "|", made("::: values\n:::").html)
    rows = re.findall(r"\|(\d)\|\|([^|]+)\|\|(\d+)\|", text)
    assert rows == [
        ("5", "king · XXI, the World · I, the Magician · the Fool", "7"),
        ("4", "queen", "4"),
        ("3", "cavalier", "4"),
        ("2", "jack", "4"),
        ("1", "every other card", "59"),
    ]


def test_round_suits_run_down_to_the_ten_and_long_ones_to_the_one() -> None:
    lines = re.findall(r"<ol.*?</ol>", made("::: ranks\n:::").html, re.DOTALL)
    ranked = [re.findall(r"<li>([^<]+)</li>", line) for line in lines]
    assert ranked[0][:6] == ["king", "queen", "cavalier", "jack", "1", "2"]
    assert ranked[1][3:] == ["jack", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
    assert ranked[2][0] == "XXI"
    assert len(ranked[2]) == 21


def test_in_troggu_the_fool_is_the_highest_trump_and_low_cards_are_out() -> None:
    lines = re.findall(r"<ol.*?</ol>", made("::: ranks\n:::", ruleset="troggu").html, re.DOTALL)
    ranked = [re.findall(r"<li>([^<]+)</li>", line) for line in lines]
    assert ranked[0][-1] == "6"
    assert ranked[1][-1] == "5"
    assert ranked[2][:2] == ["Fool", "XXI"]


def test_the_deal_of_troccas_depends_on_the_rounds_asked_for() -> None:
    html = made("::: packets\n:::").html
    assert re.findall(r'<th scope="row">([^<]*)</th>', html) == ["3", "2", "1"]
    cells = re.findall(r"<t[dh](?: scope=.row.)?>([^<]*)<", html)
    assert cells == ["3", "6 + 6 + 7", "6 + 6 + 7 + 2", "2", "2", "9 + 10", "9 + 10 + 2", "2", "1", "19", "19 + 2", "2"]


def test_the_deal_of_troggu_depends_on_how_many_play() -> None:
    cells = re.findall(r"<t[dh](?: scope=.row.)?>([^<]*)<", made('::: packets\nruleset = "troggu"\n:::').html)
    assert cells[:8] == ["3", "8", "(8) + 6 + 6 + 6", "18", "4", "10", "(10) + 4 + 4 + 5", "13"]


def test_tables_speak_the_language_of_the_text() -> None:
    assert "König" in made("::: values\n:::", language="de").html


# --- Broken ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted({known for known, _version in RULESETS}))
def test_the_deal_is_drawn_for_every_number_of_players_with_all_cards(game: str) -> None:
    html = made("::: deal\n:::", ruleset=game).html
    pictures = re.findall(r'<figure class="deal.*?</figure>', html, re.DOTALL)
    rules = ruleset(game)
    assert len(pictures) == len(rules.sizes)
    for seats, picture in zip(rules.sizes, pictures, strict=True):
        at = rules.at(seats) if rules.tables else rules
        drawn = re.findall(r">([0-9+]+)</text>", picture)
        cards = sum(int(number) for packet in drawn for number in packet.split("+"))
        assert cards == at.pack.bit_count()
        assert f"{seats} players" in picture


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Fine.\n\n::: nonsense\n:::", 3, "There is no directive “nonsense”."),
        (":::\n", 1, "A directive is three colons and its name, as in “::: note”."),
        ("::: note\nNever closed.", 1, "This directive is not closed: write “:::” on a line of its own where it ends."),
        ("::: example\n:::", 1, "This directive needs an id: write “::: example some-id”."),
        ("::: glance\nno colon\n:::", 1, "Every line at a glance reads “Label: text”."),
        ('::: values\nruleset = "whist"\n:::', 1, "There is no game “whist”."),
        ("* item\n\n  ::: values\n  :::", 3, "A directive cannot stand inside a list or a quotation."),
    ],
)
def test_a_broken_directive_is_told_with_its_line(text: str, line: int, message: str) -> None:
    assert only_trouble(text) == (line, message)


def test_broken_toml_is_told_with_the_line_it_breaks_in() -> None:
    line, message = only_trouble('Text.\n\n::: question x\ntitle = "T"\nreading = nothing\n:::')
    assert line == 5
    assert message.startswith("The directive is not written as TOML: ")


def test_who_writes_sees_what_is_wrong_and_who_reads_only_that_something_is_missing() -> None:
    text = "Before.\n\n::: nonsense\n:::\n\nAfter."
    assert "Line 3: There is no directive “nonsense”." in made(text).html
    html = made(text, preview=False).html
    assert "nonsense" not in html
    assert '<p class="broken">Something cannot be shown here.</p>' in html
    assert "After." in html


def test_a_forgotten_end_does_not_swallow_the_next_section() -> None:
    rendered = made("::: note\nOops.\n\n## Deal {#deal}\n\nText.")
    assert [heading.id for heading in rendered.outline] == ["deal"]
    assert "<p>Text.</p>" in rendered.html


def test_a_directive_inside_another_breaks_the_outer_one_only() -> None:
    rendered = made("::: note\n::: values\n:::\n\nAfter.")
    assert "engine-values" in rendered.html
    assert [trouble.line for trouble in rendered.troubles] == [1]


def test_a_question_that_breaks_half_way_leaves_nothing_open(sources: None) -> None:
    rendered = made(QUESTION.replace('why = "It is worth a trick."', "why = 3") + "\nAfter.")
    assert "<section" not in rendered.html
    assert "<p>After.</p>" in rendered.html
