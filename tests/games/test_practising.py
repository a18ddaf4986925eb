"""A practice table: at the position of an example, for every game, and like any other table from then on."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from accounts import sessions
from domain.engine import parse_record, replay, ruleset
from domain.engine.rulesets import RULESETS
from games.exceptions import NotNow
from games.forms import ExampleKey
from games.models import Action, Game
from games.selectors import replay as looking_back
from games.selectors import table as table_selector
from games.services import play
from games.services.rebuilding import rebuild
from games.table import services
from rules.examples import position, read
from tests.games.table_kit import advised, laid, person, submit, wait
from tests.long import quick
from tests.refusals import refuses
from tests.rules.entries import article

pytestmark = pytest.mark.django_db

TABLES = [(game, seats) for (game, _version), rules in RULESETS.items() for seats in rules.sizes]
HOLD = "CK C2 OJ S8 T7 T3"
FOLLOW = f'kind = "play"\nhold = "{HOLD}"\ntrick = "C4 CQ"'


def text(body: str, name: str = "follow") -> str:
    return f"## Play {{#play}}\n\n::: example {name}\n{body}\n:::\n"


def opened(player, body: str = FOLLOW, game: str = "troccas", seats: int | None = None) -> Game:
    """A practice table at an example, without an article."""
    at = position(read(body, ruleset=game, seats=seats))
    assert at is not None
    return services.practice_table(player, ExampleKey("troccas", "en", "follow"), at)


def ask(client: Client, **data: str):
    return client.post(reverse("games:practice"), {"article": "troccas", "language": "en", "example": "follow"} | data)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_one_sits_where_the_card_is_asked_for(game, seats):
    player = person()
    seen = table_selector.sight_of(opened(player, game=game, seats=seats), player)
    assert seen.kind == "practice"
    assert seen.question.mine
    assert seen.question.asked == "play"
    assert {card.code for card in seen.cards} == set(HOLD.split())
    assert [card.code for card in seen.trick.cards] == ["C4", "CQ"]
    assert {card.code for card in seen.cards if card.playable} == {"CK", "C2"}


@pytest.mark.parametrize(
    ("game", "seats"), quick({"troccas-4", "troccas-3-3", "troggu-5", "troggu-graechen-4"}, TABLES)
)
def test_it_is_played_out_recorded_and_rebuilt_like_any_game(game, seats):
    player = person()
    table = opened(player, game=game, seats=seats)
    assert rebuild(table.pk) == []
    while table.status == Game.Status.PLAYING:
        submit(table, player, advised(table, player))
        wait(table, player)
    assert table.status == Game.Status.FINISHED
    assert table.hands_played == 1
    assert rebuild(table.pk) == []
    record = looking_back.record(table).to_json()
    assert replay(parse_record(json.dumps(record))).totals == table.totals
    assert "proof" not in record
    seen = looking_back.replay(table, 1, None, player)
    assert seen.last_step == table.actions.filter(kind=Action.Kind.MOVE).count()
    assert seen.proof is None


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ('kind = "call"\ntrick = "C9 CK C3 C2"\njack = 3', "call"),
        ('kind = "record"\nrecord = "troccas"\nhand = 1\ntrick = 4', "play"),
        ('kind = "play"\nhold = "CK CJ C4 S2"', "play"),
    ],
)
def test_calls_and_recorded_tricks_can_be_played_on_from(body, asked):
    player = person()
    table = opened(player, body)
    question = table_selector.sight_of(table, player).question
    assert (question.asked, question.mine) == (asked, True)


def test_nothing_is_promised_about_a_composed_pack():
    table = opened(person())
    seen = table_selector.sight_of(table, None)
    assert seen.sealed is None
    assert table.hands.get().deal.origin == "composed"


def test_the_button_of_an_article_opens_the_table():
    article("troccas", text(FOLLOW), ruleset="troccas", title="Troccas for four")
    client = Client()
    answer = ask(client)
    assert answer.status_code == 303
    page = client.get(answer["Location"]).content.decode()
    assert "Troccas for four" in page
    assert "/en/rules/troccas/#example-follow" in page


def test_asked_for_twice_it_is_the_same_table_until_a_card_falls():
    article("troccas", text(FOLLOW), ruleset="troccas")
    client, player = Client(), person()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    first = ask(client)["Location"]
    assert ask(client)["Location"] == first
    submit(Game.objects.get(), player, "play CK")
    assert ask(client)["Location"] != first


def test_a_changed_example_opens_another_table():
    article("troccas", text(FOLLOW), ruleset="troccas")
    client, player = Client(), person()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    first = ask(client)["Location"]
    article("troccas", text(FOLLOW.replace("S8", "S9")), ruleset="troccas")
    assert ask(client)["Location"] != first


@pytest.mark.parametrize(
    "data",
    [
        {"example": "nothing"},
        {"article": "nothing"},
        {"language": "de"},
        {"example": ""},
        {"article": "x" * 10_000},
        {"example": "counting"},
        {"example": "broken"},
    ],
)
def test_what_is_no_position_is_a_page_that_says_so(data):
    article(
        "troccas",
        text(FOLLOW) + text('kind = "count"\ncards = "CK"', "counting") + text('kind = "play"\nhold = "XX"', "broken"),
        ruleset="troccas",
    )
    answer = ask(Client(), **data)
    assert answer.status_code == 404
    assert "No such example" in answer.content.decode()
    assert not Game.objects.exists()


@pytest.mark.slow
def test_too_many_tables_are_refused(settings):
    article("troccas", text(FOLLOW), ruleset="troccas")
    answers = [ask(Client()).status_code for _ in range(40)]
    assert answers.count(429) >= 5
    assert answers[0] == 303


def test_the_page_says_where_to_go_when_the_hand_is_over():
    article("troccas", text(FOLLOW), ruleset="troccas", title="Troccas for four")
    player = person()
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    address = ask(client)["Location"]
    table = Game.objects.get()
    while table.status == Game.Status.PLAYING:
        submit(table, player, advised(table, player))
        wait(table, player)
    page = client.get(address).content.decode()
    assert "Back to the article" in page
    assert "Try it again" in page
    page = client.get(reverse("games:replay", args=[table.public_id, 1])).content.decode()
    assert "There is nothing to prove" in page


def test_an_article_that_is_gone_leaves_the_table_as_it_is():
    player = person()
    table = opened(player)
    origin = services.origin_of(table)
    assert (origin.url, origin.open) == ("", False)
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    page = client.get(reverse("games:table", args=[table.public_id])).content.decode()
    assert "no longer there" in page


def test_other_tables_come_from_no_article():
    player = person()
    assert services.origin_of(laid(player)) is None


def test_nobody_is_put_into_a_game_that_has_begun_or_is_no_practice():
    player = person()
    with pytest.raises(NotNow):
        play.enter(opened(player).pk, [])
    with pytest.raises(NotNow):
        play.enter(laid(player).pk, [])


@pytest.mark.parametrize(
    ("actions", "refusal"), [([(0, "cut 3"), (2, "play CK")], "illegal"), ([(1, "cut 3")], "not-your-turn")]
)
def test_the_way_to_a_position_is_checked_like_any_play(actions, refusal):
    player = person()
    at = position(read(FOLLOW, ruleset="troccas", seats=None))
    players = [player, *(seat.player for seat in laid(player).seats.all()[1:])]
    rules = ruleset("troccas")
    game = play.start(rules.id, players, kind=Game.Kind.PRACTICE, pack=at.pack, dealer=1, practice={"article": "x"})
    with refuses(refusal):
        play.enter(game.pk, actions)
    game.refresh_from_db()
    assert not game.actions.filter(kind=Action.Kind.MOVE).exists()
    assert game.number == 4
