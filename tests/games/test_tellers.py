"""What games and tables say in a letter or a message: true, in the reader's language, and never a card."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone, translation

from accounts.models import Player
from domain.engine import CODES
from games.models import Game
from games.services import computers, play
from games.table.notifications import GAMES, TABLES, subject
from notices import delivery, outbox, registry
from notices.models import Delivery, Outbox, Preference
from notices.registry import TurnMail
from tests.games.table_kit import advised, laid, seat_of, sit, submit
from tests.notices import post_office
from tests.notices.post_office import member

pytestmark = pytest.mark.django_db
EVENTS = (
    "game.turn", "game.deadline", "game.finished", "game.timeout", "game.resumed", "game.paused", "game.asked",
    "game.remark",
)  # fmt: skip
INVITED = {"table": "bcdf", "url": "/g/bcdf/", "ruleset": "troccas", "who": "Beat"}


@pytest.fixture
def company():
    """Four-handed Troccas of two people and two computer players, everybody seated, and who is asked."""
    people = [member("Mengia", bot_speed="at-once"), member("Beat", bot_speed="at-once")]
    first, second = computers.computer_players(2)
    game = play.start("troccas", [people[0], first, people[1], second])
    for player in people:
        sit(game, player)
    game.refresh_from_db()
    while game.seats.get(number=game.to_act or 0).player.is_computer:
        assert computers.act_for(game)
        game.refresh_from_db()
    asked = game.seats.get(number=game.to_act or 0).player
    return game, asked, next(player for player in people if player != asked)


def words(event: str, player: Player, language: str = "en", **params: object):
    with translation.override(language):
        return GAMES.words(event, params, player, language)


def test_a_turn_is_true_for_whom_it_is(company):
    game, asked, other = company
    params = {"game": game.public_id}
    assert GAMES.still_true("game.turn", params, asked)
    assert not GAMES.still_true("game.turn", params, other)
    assert GAMES.still_true("game.finished", params, other)
    assert not GAMES.still_true("game.finished", params, member("Clau"))


def test_once_played_it_is_not_true_any_more(company):
    game, asked, _other = company
    number = game.number
    while game.to_act == seat_of(game, asked) and game.number < number + 40:
        submit(game, asked, advised(game, asked))
        game.refresh_from_db()
    assert not GAMES.still_true("game.turn", {"game": game.public_id}, asked)


def test_where_nobody_waits_nobody_is_told():
    player = member()
    game = laid(player)
    Game.objects.filter(pk=game.pk).update(to_act=seat_of(game, player))
    assert not GAMES.still_true("game.turn", {"game": game.public_id}, player)


@pytest.mark.parametrize("params", [{}, {"game": "zzzzzzzzzzz"}, {"game": None}, {"game": 7}])
def test_a_game_that_is_gone_says_nothing(params):
    player = member()
    assert not GAMES.still_true("game.turn", params, player)
    assert GAMES.words("game.turn", params, player, "en") is None


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
@pytest.mark.parametrize("event", EVENTS)
def test_every_event_has_words_and_leads_to_the_table(company, event, language):
    game, asked, _other = company
    told = words(event, asked, language, game=game.public_id, share="half", until="2026-11-25T20:00:00+01:00")
    assert "Beat" in told.subject or "Mengia" in told.subject
    assert "%" not in told.subject + told.line
    assert told.line
    assert told.url == f"/g/{game.public_id}/"
    assert len(told.subject) < 120


def test_a_deadline_is_named_on_the_readers_clock(company):
    game, asked, _other = company
    with timezone.override("America/Toronto"):
        told = words("game.deadline", asked, game=game.public_id, until="2026-11-25T20:00:00+01:00")
    assert "2 p.m." in told.line
    assert told.until == datetime.fromisoformat("2026-11-25T20:00+01:00")


@pytest.mark.parametrize("until", ["", "soon", "2026-13-45T99:00:00Z", 5, "2026-11-25T20:00:00"])
def test_a_time_that_is_none_is_left_out(company, until):
    game, asked, _other = company
    assert words("game.turn", asked, game=game.public_id, until=until).until is None


def test_who_sits_there_finds_the_game_by_its_name(company):
    game, asked, other = company
    assert other.display_name in subject(asked, game.public_id).name
    assert subject(member("Clau"), game.public_id) is None
    assert subject(asked, "zzzzzzzzzzz") is None


def test_no_word_names_a_card(company):
    game, asked, _other = company
    for event in EVENTS:
        told = words(event, asked, game=game.public_id, number=game.number)
        text = f" {told.subject} {told.line} {told.tag} "
        assert not [code for code in CODES if f" {code} " in text]


def test_an_invitation_holds_until_the_table_is_given_up():
    player = member()
    soon = timezone.now() + timedelta(hours=1)
    assert TABLES.still_true("table.invited", INVITED | {"until": soon.isoformat()}, player)
    assert not TABLES.still_true("table.invited", INVITED | {"until": "2020-01-01T00:00:00Z"}, player)


@pytest.mark.parametrize("event", ["invited", "joined", "filled", "started", "expired", "left"])
def test_every_event_of_a_table_has_words(event):
    told = TABLES.words(f"table.{event}", INVITED, member(), "en")
    assert "Troccas" in told.subject
    assert "%" not in told.subject + told.line
    assert told.url == "/g/bcdf/"


@pytest.mark.parametrize("url", ["", "https://evil.example/", "//evil.example/", None])
def test_a_link_leads_nowhere_else(url):
    assert TABLES.words("table.invited", INVITED | {"url": url}, member(), "en") is None


def test_rooms_speak_for_their_events():
    assert registry.find_wording("game.turn") is GAMES
    assert registry.find_wording("table.invited") is TABLES


def test_a_turn_at_a_real_table_becomes_a_letter(company, settings):
    game, asked, _other = company
    Preference.objects.create(player=asked, turn_mail=TurnMail.EACH, quiet_from=None, quiet_to=None)
    Delivery.objects.all().delete()
    outbox.tell_due()
    with post_office.mail_server() as server:
        post_office.use(settings, server)
        assert delivery.deliver_due(timezone.now() + timedelta(minutes=3)) == 1
    (letter,) = server.letters
    assert letter["Subject"].startswith("Your turn: Troccas with ")
    assert f"/g/{game.public_id}/" in letter.get_body(("plain",)).get_content()


def test_a_page_of_many_notices_takes_a_few_queries(client, django_assert_max_num_queries):
    reader, other = member("Mengia"), member("Beat")
    games = [play.start("troccas-3", [reader, other, *computers.computer_players(1)]) for _ in range(3)]
    for game in games:
        for event in ("game.finished", "game.resumed", "game.asked"):
            outbox.put(event, reader, {"game": game.public_id, "status": "over"})
        outbox.put("table.joined", reader, INVITED | {"table": f"t{game.public_id}", "by": other.public_id})
        outbox.put("club.left", reader, {"club": game.public_id, "url": "/c/x/", "by": other.public_id})
        outbox.put("tournament.moved", reader, {"tournament": game.public_id})
        outbox.put("rules.suggestion-accepted", reader, {"suggestion": game.pk})
        outbox.put("talk.removed", reader, {"game": game.public_id, "message": game.pk})
    Outbox.objects.update(shown=True)
    client.force_login(reader.user)
    client.get("/en/notices/")
    with django_assert_max_num_queries(15):
        page = client.get("/en/notices/")
    assert len(page.context["lines"]) == 12
