"""House rules: versions, the form and back, words for everything, files."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation

from clubs import text
from clubs.forms.house_rules import RulesForm, leftover_choices
from clubs.services import common
from domain.engine.rulesets import ruleset
from domain.errors import DomainError
from domain.standings import profile
from domain.standings.criteria import CRITERIA
from domain.standings.profile import Given, HouseRules, MatchPoints, PenaltyKind, TableSize
from games.selectors.rulesets import ORDER
from tests.clubs import kit
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

FULL = HouseRules(
    name="Reglas",
    ruleset="troccas-5",
    talk="silent",
    deals=10,
    rounds=4,
    match=MatchPoints(3, 1, 0, ((8, 5, 2, 1, 0), (5, 3, 1))),
    drawn="extra-deal",
    bye=Given("fixed", 36, 1),
    late=Given("lowest"),
    absent=Given("field-average"),
    wrong_sum="split",
    unfinished="full-length",
    dropped=1,
    drop_missed=False,
    tie_breaks=("card-points", "head-to-head", "best-round", "lot"),
    head_to_head="mini-table",
    table_sizes=(TableSize(3, 6, 100, 10), TableSize(5, 0, 90, -2)),
    penalties=(
        PenaltyKind("late", "Coming late", 5),
        PenaltyKind("misdeal", "Dealt wrong", 0, 1),
        PenaltyKind("w", "Warning"),
    ),
    leavers="after",
    fewest_rounds=3,
    overdue="forfeit",
    odd_numbers="bye",
    fee=1500,
)


def publish(people, rules, expected=1, note=""):
    return common.publish_rules(people.club, people.secretary, rules, note, expected=expected, request_id=kit.rid())


def sent(form: RulesForm) -> dict[str, str]:
    """What a browser sends of the form as it is shown."""
    data = {}
    for field in form:
        value = field.value()
        if value is True:
            data[field.html_name] = "on"
        elif value is not None and value is not False:
            data[field.html_name] = str(value)
    return data


# versions


def test_a_version_is_added_and_none_is_changed(people):
    made = publish(people, replace(HouseRules(), rounds=4), note="Four are enough")
    assert made.version == 2
    assert common.rules_of(common.current_rules(people.club)).rounds == 4
    assert common.rules_of(common.rules_version(people.club, 1)).rounds == 5
    assert common.rules_of(made).version == 2


def test_who_did_not_see_the_latest_version_does_not_write_over_it(people):
    publish(people, HouseRules(rounds=4))
    with refuses("rules-moved"):
        publish(people, HouseRules(rounds=6))


def test_the_same_rules_make_no_version(people):
    with refuses("nothing-changed"):
        publish(people, common.rules_of(common.current_rules(people.club)))


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        (HouseRules(ruleset="jass"), "ruleset"),
        (HouseRules(options=(("throw_in", "perhaps"),)), "options.throw_in"),
        (HouseRules(options=(("stake", 5),)), "options.stake"),
    ],
)
def test_a_game_or_an_option_that_does_not_exist_is_refused(people, rules, field):
    with pytest.raises(DomainError) as refused:
        publish(people, rules)
    assert refused.value.field == field


# the form


@pytest.mark.parametrize("rules", [HouseRules(), FULL, *(HouseRules(ruleset=game) for game in ORDER)])
def test_what_the_form_shows_comes_back_as_it_was(rules):
    form = RulesForm(rules, sent(RulesForm(rules)))
    assert form.is_valid(), form.errors
    assert form.rules == replace(rules, options=tuple(form.rules.options))
    assert not form.rules.options  # all as usual


def test_an_answer_to_odd_numbers_fills_what_makes_it_fair_and_keeps_what_the_club_has_said():
    plain = HouseRules(odd_numbers="bye")
    form = RulesForm(plain, sent(RulesForm(plain)) | {"odd_numbers": "threes"})
    assert form.is_valid(), form.errors
    assert form.rules.table_sizes == (TableSize(3, per_deal=10),)
    assert form.rules.match.places == ((2, 1, 0),)
    own = replace(plain, table_sizes=(TableSize(3, 6, 100, 8),))
    form = RulesForm(own, sent(RulesForm(own)) | {"odd_numbers": "threes"})
    assert form.is_valid(), form.errors
    assert form.rules.table_sizes == own.table_sizes


def test_what_counts_first_is_one_question_and_the_rest_of_the_order_follows():
    rules = HouseRules()
    form = RulesForm(rules, sent(RulesForm(rules)) | {"tie_0": "card-points"})
    assert form.is_valid(), form.errors
    assert form.rules.tie_breaks == ("card-points", "difference", "best-round", "lot")


def test_the_page_asks_five_questions_and_has_every_field_under_more(people):
    page = kit.browser(people.secretary).get(f"/c/{people.club.slug}/rules/edit/").content.decode()
    questions, more = page.split('<details class="fold"><summary>More', 1)
    for name in ("ruleset", "rounds", "deals", "tie_0", "odd_numbers", "fee"):
        assert f'name="{name}"' in questions
    for field in RulesForm(HouseRules()).visible_fields():
        assert f'name="{field.name}"' in page, field.name
    assert 'name="match_win"' in more


@pytest.mark.parametrize("game", ORDER)
def test_every_option_of_every_game_has_its_field(game):
    form = RulesForm(HouseRules(ruleset=game))
    asked = {option.name for option in ruleset(game).options} - set(common.ELSEWHERE)
    assert {field.name.removeprefix("option_") for field in form.options()} == asked


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"rounds": "0"}, "rounds"),
        ({"deals": "900"}, "deals"),
        ({"dropped": "5"}, "dropped"),
        ({"fewest_rounds": "9"}, "fewest_rounds"),
        ({"match_loss": "5"}, "match_win"),
        ({"match_places": "8 5 x"}, "match_places"),
        ({"match_places": "1 5 8"}, "match_places"),
        ({"match_places": "5 3 1\n6 4 2"}, "match_places"),
        ({"bye_points": "9999999"}, "bye_points"),
        ({"tie_0": "wins"}, "tie_0"),
        ({"tie_3": "lot", "tie_4": "wins"}, "tie_0"),
        ({"tie_2": "match-points"}, "tie_2"),
        ({"size_3_deals": "500"}, "size_3_deals"),
        ({"size_5_percent": "0"}, "size_5_percent"),
        ({"penalty_1_points": "-4", "penalty_1_title": "x"}, "penalty_1_points"),
        ({"penalty_0_points": "4"}, "penalty_0_title"),
        ({"name": ""}, "name"),
        ({"ruleset": "jass"}, "ruleset"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(change, field):
    form = RulesForm(HouseRules(), sent(RulesForm(HouseRules())) | change)
    assert not form.is_valid()
    assert list(form.errors) == [field]


def test_a_penalty_keeps_its_code_when_its_title_changes():
    data = sent(RulesForm(FULL)) | {"penalty_0_title": "Coming far too late", "penalty_3_title": "Late, again"}
    form = RulesForm(FULL, data | {"penalty_4_title": "Late, again"})
    assert form.is_valid(), form.errors
    assert [each.code for each in form.rules.penalties] == ["late", "misdeal", "w", "late-again", "late-again-2"]


@pytest.mark.parametrize("code", ["Late", "table_talk", "Verspätet"])
def test_so_does_one_whose_code_came_with_a_file(code):
    form = RulesForm(FULL, sent(RulesForm(replace(FULL, penalties=(PenaltyKind(code, "Late"),)))))
    assert form.is_valid(), form.errors
    assert [each.code for each in form.rules.penalties] == [code]


def test_the_order_of_criteria_is_chosen_without_script(people):
    data = sent(RulesForm(HouseRules())) | {
        "tie_0": "card-points",
        "tie_1": "match-points",
        "tie_2": "",
        "tie_3": "wins",
        "tie_4": "",
    }
    form = RulesForm(HouseRules(), data)
    assert form.is_valid(), form.errors
    assert form.rules.tie_breaks == ("card-points", "match-points", "wins")


# pages


def test_the_page_publishes_a_version_and_tells_what_changed(people):
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/rules/"
    data = sent(RulesForm(HouseRules())) | {"rounds": "4", "note": "Four are enough", "version": "1"}
    assert kit.post(client, f"{path}edit/", **data).status_code == 303
    assert "Four are enough" in kit.browser(None).get(path).content.decode()
    compared = kit.browser(None).get(f"{path}compare/").content.decode()
    assert re.search(r"Rounds</th><td>5</td><td>4</td>", compared)
    again = kit.post(client, f"{path}edit/", **data)
    assert again.status_code == 409
    assert "while you were writing" in again.content.decode()


def test_another_game_is_shown_with_its_options_and_nothing_is_lost_or_saved(people):
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/rules/edit/"
    data = sent(RulesForm(HouseRules())) | {"ruleset": "troggu", "rounds": "77", "show": "yes", "version": "1"}
    page = kit.post(client, path, **data).content.decode()
    assert 'name="option_stake"' in page
    assert 'value="77"' in page
    assert "errorlist" not in page
    assert common.current_rules(people.club).version == 1


def test_rules_go_out_as_a_file_and_fill_the_form_again(people):
    publish(people, FULL)
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/rules/"
    file = kit.browser(None).get(f"{path}rules.json")
    assert profile.from_json(file.content.decode()) == replace(FULL, version=2)
    other = kit.club_of(kit.person("Otto Other"), "Other")
    client = kit.browser(other.members.get().player)
    sent_file = SimpleUploadedFile("rules.json", file.content)
    page = kit.post(client, f"/c/{other.slug}/rules/edit/", bring="yes", file=sent_file)
    assert page.status_code == 200
    assert 'value="Reglas"' in page.content.decode()
    assert common.current_rules(other).version == 1  # nothing is saved yet


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "cannot be read as JSON"),
        (b"\xff\xfe", "cannot be read as JSON"),
        (b'{"format": "x"}', "not a file of house rules"),
        (json.dumps({"format": profile.FORMAT, "rounds": 0}).encode(), "rounds: Write a number from 1 to 100."),
        (json.dumps({"format": profile.FORMAT, "ruleset": "jass"}).encode(), "ruleset: Choose one of"),
        (b"[" * 70_000, "too large"),
    ],
)
def test_a_file_that_is_no_house_rules_is_told(people, content, said):
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/rules/edit/"
    page = kit.post(client, path, bring="yes", file=SimpleUploadedFile("x.json", content))
    assert page.status_code == 422
    assert said in page.content.decode()


# words


@pytest.mark.parametrize("language", [code for code, _name in settings.INTERFACE_LANGUAGES])
def test_the_whole_profile_is_told_in_words(language):
    with translation.override(language):
        told = text.rules_in_words(FULL)
        assert len(told) == 7
        assert all(line.label and line.text for part in told for line in part.lines)


def test_every_criterion_and_choice_has_its_words():
    assert all(text.criterion(code).meaning for code in CRITERIA)
    fields = {
        "talk": profile.TALK,
        "given": profile.GIVEN,
        "wrong_sum": profile.WRONG_SUM,
        "unfinished": profile.UNFINISHED,
        "drawn": profile.DRAWN,
        "head_to_head": profile.HEAD_TO_HEAD,
        "leavers": profile.LEAVERS,
        "overdue": profile.OVERDUE,
    }
    for field, codes in fields.items():
        assert [code for code, _word in text.choices(field)] == list(codes)


def test_every_code_of_the_standings_has_a_sentence():
    standings = Path(settings.BASE_DIR, "domain", "standings")
    files = [*standings.glob("*.py"), Path(settings.BASE_DIR, "domain", "schema.py")]
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_text()))]
    at = {"DomainError": 0, "refuse_if": 1, "found": 1}
    named = [
        node.args[at[node.func.id]]
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in at
    ]
    codes = {code.value for code in named if isinstance(code, ast.Constant)}
    assert len(codes) > 30
    facts = {
        "low": 1, "high": 2, "id": "a", "rounds": 3, "choices": "x", "expected": 2, "given": 1,
        "coin": 7, "category": "c", "prize": "p", "name": "n",
    }  # fmt: skip
    for code in codes:
        told = text.standings_refusal(DomainError(code, "field", **facts))
        assert told
        assert "%(" not in told
    # … also with no more facts than the places that raise them give
    for code, given in (
        ("out-of-range", {"id": "a"}),
        ("twice", {}),
        ("negative", {}),
        ("bad-count", {"low": 1, "high": 2}),
    ):
        assert text.standings_refusal(DomainError(code, "field", **given))


def test_names_take_the_place_of_ids_in_a_sentence():
    refused = DomainError("unknown-id", "entrants", id="e12")
    assert text.standings_refusal(refused, {"e12": "Maria C."}.__getitem__) == "Maria C. does not take part here."


def test_an_answer_is_called_fair_only_where_the_rules_make_it_so():
    bare, usual = HouseRules(), common.USUAL_RULES
    assert "would be fair" in dict(leftover_choices(["threes"], bare, "threes"))["threes"]
    assert "Fair: they get 10" in dict(leftover_choices(["threes"], bare, "bye"))["threes"], "choosing it fills it in"
    fair = dict(leftover_choices(["threes"], usual, "threes"))["threes"]
    assert "Fair: they get 10" in fair
    assert "those whom the draw seats first deal once more than the others." in fair
    nine = replace(usual, table_sizes=(replace(usual.at(3), deals=9),))
    assert dict(leftover_choices(["threes"], nine, "threes"))["threes"] == fair, "the deals may be typed beside it"
    fixed = replace(bare, bye=Given("fixed", 36, 1))
    assert "36 points" in dict(leftover_choices(["bye"], fixed, "threes"))["bye"], "what the club has said stays"


@pytest.mark.parametrize(
    ("deals", "dealers", "look_on", "said"),
    [
        (8, 4, False, ""),
        (9, 4, False, "the person whom the draw seats first deals once more"),
        (8, 5, False, "the 3 people whom the draw seats first deal once more"),
        (11, 3, True, "the 2 people whom the draw seats first look on one deal more"),
        (10, 3, True, "the person whom the draw seats first looks on one deal more"),
    ],
)
def test_deals_that_do_not_go_round_are_said_to_be_shared_out_by_the_draw(deals, dealers, look_on, said):
    found = text.uneven_dealing(deals, dealers, look_on=look_on)
    assert (said in found) if said else not found
