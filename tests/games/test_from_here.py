"""Playing on from a moment of a hand looked back at: exactly that moment, in every game, against computer players."""

from __future__ import annotations

import json
import random
import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts import sessions
from accounts.middleware import GUEST_COOKIE
from domain.engine import parse_record, replay
from domain.engine.record import hands_of, needed_for, rewound
from games.models import Action, Game, GameHand
from games.selectors import replay as looking_back
from games.selectors import table as table_selector
from games.services import computers
from games.services.rebuilding import rebuild
from games.table import services
from games.table.services import Moment, NothingToPlay
from games.text.common import signed
from tests.domain.engine.kit import RECORDS
from tests.games.replay_kit import FEW, RULESETS, stored
from tests.games.table_kit import advised, laid, person, play_hand, submit, wait
from tests.long import quick

pytestmark = pytest.mark.django_db


def record(name: str):
    return parse_record((RECORDS / f"{name}.json").read_text())


def seen_by_all(game: Game) -> list[object]:
    return [table_selector.view_for(game, seat) for seat in range(game.table_size)]


@pytest.mark.parametrize("id", quick(FEW, RULESETS))
def test_the_table_stands_at_exactly_that_moment_and_can_be_played_out(id):
    game = stored(id, 5)
    written = looking_back.record(game)
    ended = hands_of(written)[0]
    step = random.Random(id).randrange(len(ended.history) // 3, len(ended.history) - 8)
    then = rewound(ended, written.hands[0].pack, step)
    player = person()
    table = services.table_from(player, written, Moment(game.public_id, 1, step, then.turn))
    for seat in range(then.seats):
        assert table_selector.view_for(table, seat) == then.view(seat)
    seen = table_selector.sight_of(table, player)
    assert (seen.kind, seen.viewer, seen.question.mine) == ("practice", then.turn, True)
    assert seen.undo is None  # what led here is not the player's to take back
    while table.status == Game.Status.PLAYING:
        submit(table, player, advised(table, player))
        wait(table, player)
    assert table.hands_played == 1
    assert rebuild(table.pk) == []
    again = parse_record(json.dumps(looking_back.record(table).to_json()))
    assert list(replay(again).totals) == table.totals


def test_at_the_end_it_says_what_the_hand_brought_now_and_what_it_had_brought():
    player = person()
    game = laid(player, options={"throw_in": False, "demands": False})
    for _hand in range(2):
        play_hand(game, player)
    written = looking_back.record(game)
    seat = game.seats.get(player=player).number
    table = services.table_from(player, written, Moment(game.public_id, 2, 60, seat))
    wait(table, player)
    while table.status == Game.Status.PLAYING:
        submit(table, player, advised(table, player))
        wait(table, player)
    client = Client()
    client.cookies[GUEST_COOKIE] = sessions.issue_guest_token(player)
    page = client.get(f"/g/{table.public_id}/").content.decode()
    now = GameHand.objects.get(game=table, number=table.hand_number).scores[seat]
    before = GameHand.objects.get(game=game, number=2).scores[seat]
    assert re.search(rf"Your side took \d+ of the 72 points: {re.escape(signed(now))}\.", page)
    assert f"In the game itself it was {signed(before)}." in page
    assert "wins the game" not in page
    assert f"/g/{table.public_id}/hand/{table.hand_number}/" in page


def test_computer_players_keep_their_names_and_seats():
    """So the log tells of the same person what they said and did before the moment."""
    game = laid(person(name="Ursina"), options={"throw_in": False, "demands": False}, draws_partners=True)
    play_hand(game, game.seats.get(player__computer="").player)
    written = looking_back.record(game)
    own = next(seat for seat, name in enumerate(written.players) if name == "Ursina")
    for seat in range(4):
        player = person(name="Beat")
        table = services.table_from(player, written, Moment(game.public_id, 1, 20, seat))
        names = [one.name for one in table_selector.sight_of(table, None).seats]
        expected = [name if at != seat else "Beat" for at, name in enumerate(written.players)]
        if seat != own:
            assert names[own] not in written.players, "a name of its own: the person is not there"
            expected[own] = names[own]
        assert names == expected


@pytest.mark.parametrize(
    "names", [("Gion", "Gion", "Clau", "Mengia"), ("Anna", "Beat", "Clau", "Duri"), tuple("abcdefgh")]
)
def test_whatever_a_record_calls_its_players_nobody_sits_there_twice(names):
    company = computers.company_like(names, 1)
    assert len({player.pk for player in company}) == len(names) - 1
    assert all(player.is_computer for player in company)


def demanding():
    """A recorded game with a hand that a losing side wanted dealt otherwise, and the number of that hand."""
    for path in sorted(RECORDS.rglob("*.json")):
        if path.name.endswith(".expected.json"):
            continue
        found = parse_record(path.read_text())
        for number, hand in enumerate(found.hands, 1):
            if any(line.split()[1] == "deal" and line.split()[2] != "3" for line in hand.actions):
                return found, number
    raise AssertionError("no record with a demand")


def test_a_deal_that_hangs_on_the_hands_before_brings_them_along():
    written, number = demanding()
    needed = needed_for(written, number)
    assert len(needed) == number > 1
    ended = hands_of(written)[number - 1]
    step = len(ended.history) // 2
    then = rewound(ended, written.hands[number - 1].pack, step)
    player = person()
    table = services.table_from(player, written, Moment("x", number, step, then.turn))
    assert table_selector.view_for(table, then.turn) == then.view(then.turn)
    assert tuple(table.totals) == then.running
    assert rebuild(table.pk) == []
    while table.status == Game.Status.PLAYING:
        submit(table, player, advised(table, player))
        wait(table, player)
    assert table.hand_number == number


def test_every_other_hand_stands_alone():
    written = record("troccas-oinkers")
    assert [len(needed_for(written, number)) for number in range(1, len(written.hands) + 1)] == [1] * len(written.hands)


def test_asked_for_twice_it_is_the_same_table_until_something_is_done():
    game, player = stored("troccas", 3), person()
    written = looking_back.record(game)
    seat = hands_of(written)[0].history[20][0]
    moment = Moment(game.public_id, 1, 20, seat)
    first = services.table_from(player, written, moment)
    assert services.table_from(player, written, moment) == first
    assert services.table_from(player, written, Moment(game.public_id, 1, 19, seat)) != first
    assert services.table_from(person(), written, moment) != first
    submit(first, player, advised(first, player))
    assert services.table_from(player, written, moment) != first


def test_what_somebody_said_in_their_own_words_is_not_taken_along():
    written = record("troccas")
    hand = written.hands[0]
    at = next(place for place, line in enumerate(hand.actions) if line.split()[1] in ("allow", "veto"))
    said = list(hand.actions)
    said[at] = " ".join(said[at].split()[:2]) + ' "what a hand"'
    from dataclasses import replace

    free = replace(
        written, options=dict(written.options) | {"talk": "free"}, hands=(replace(hand, actions=tuple(said)),)
    )
    table = services.table_from(person(), free, Moment("x", 1, at + 1, 0))
    assert not table.actions.filter(text__contains="what a hand").exists()
    assert table.actions.filter(kind=Action.Kind.MOVE).count() >= at + 1


@pytest.mark.parametrize(
    "moment",
    [
        Moment("x", 0, 0, 0),
        Moment("x", 99, 0, 0),
        Moment("x", 1, -1, 0),
        Moment("x", 1, 9999, 0),
        Moment("x", 1, 0, 4),
        Moment("x", 1, 0, -1),
    ],
)
def test_where_nothing_is_to_play_no_table_is_laid(moment):
    with pytest.raises(NothingToPlay):
        services.table_from(person(), record("troccas"), moment)
    assert not Game.objects.exists()


# over HTTP


def ask(game: Game, client: Client | None = None, **data: object):
    address = reverse("games:from_here", args=[game.public_id, 1])
    return (client or Client()).post(address, {"step": "30", "seat": "2"} | data)


def test_the_form_lays_a_table_that_says_where_it_comes_from():
    game, client = stored("troggu", 2), Client()
    answer = ask(game, client)
    assert answer.status_code == 303
    page = client.get(answer["Location"]).content.decode()
    assert f"{reverse('games:replay', args=[game.public_id, 1])}?step=30" in page
    assert "Nothing here is rated or counted" in page
    assert Game.objects.get(kind="practice").seats.get(number=2).player.computer == ""


@pytest.mark.parametrize("data", [{"step": "9999"}, {"seat": "17"}, {"step": "x"}, {"seat": ""}])
def test_a_moment_that_does_not_exist_is_a_page_that_says_so(data):
    answer = ask(stored("troccas", 3), **data)
    assert answer.status_code == 422
    assert "Nothing is left to play here" in answer.content.decode()
    assert not Game.objects.filter(kind="practice").exists()


def test_a_hand_that_is_still_closed_cannot_be_played_from():
    player = person()
    from tests.games.table_kit import laid, sit

    game = laid(player)
    sit(game, player)
    assert ask(game).status_code == 404


def test_a_table_that_is_closed_to_others_keeps_its_hands_while_it_plays():
    from games.models import TableWatching, WatchMode
    from tests.games.table_kit import laid, play_hand

    player = person()
    game = laid(player, options={"throw_in": False, "demands": False})
    play_hand(game, player)
    TableWatching.objects.update_or_create(game=game, defaults={"mode": WatchMode.CLOSED})
    mine = Client()
    mine.cookies["guest"] = sessions.issue_guest_token(player)
    assert ask(game).status_code == 403
    assert ask(game, mine).status_code == 303
    hand, whole = [game.public_id, 1], [game.public_id]
    addresses = [
        reverse("games:replay", args=hand),
        reverse("games:hand_record", args=hand),
        reverse("games:hands", args=whole),
        reverse("games:record", args=whole),
        reverse("games:picture", args=[*hand, "svg"]),
        reverse("games:picture", args=[*hand, "png"]),
    ]
    assert [Client().get(address).status_code for address in addresses] == [403] * 6
    assert [mine.get(address).status_code for address in addresses] == [200] * 6


@pytest.mark.slow
def test_too_many_tables_are_refused():
    game = stored("troccas", 3)
    answers = [ask(game).status_code for _ in range(33)]
    assert answers[0] == 303
    assert 429 in answers
