"""What games and tables say in a letter or a message: true, in the reader's language, and never a card."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts import sessions
from accounts.models import Player
from domain.engine import CODES
from games.chat import services as chat_services
from games.lobby import notifications as table_notices
from games.models import Game
from games.mygames import selectors as mygames_selectors
from games.mygames import services as mygames_services
from games.mygames.models import CalendarAddress
from games.services import agreements, computers, ending, play, timing
from games.table import notifications as game_notices
from games.table.notifications import find_subject
from games.watching import services as watching_services
from notices import delivery, outbox, registry, selectors
from notices.models import Delivery, Outbox, Preference
from notices.registry import TurnMail
from tests.games import lobby_kit, pace_kit
from tests.games.plans_kit import at_position
from tests.games.table_kit import advised, laid, seat_of, sit, submit
from tests.notices import post_office
from tests.notices.post_office import member

pytestmark = pytest.mark.django_db
EVENTS = (
    "game.turn", "game.deadline", "game.finished", "game.timeout", "game.resumed", "game.paused", "game.asked",
    "game.remark", "game.declined",
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
        return game_notices.words(event, params, player, language)


def test_a_turn_is_true_for_whom_it_is(company):
    game, asked, other = company
    params = {"game": game.public_id}
    assert game_notices.still_true("game.turn", params, asked)
    assert not game_notices.still_true("game.turn", params, other)
    assert game_notices.still_true("game.finished", params, other)
    assert not game_notices.still_true("game.finished", params, member("Clau"))


def test_once_played_it_is_not_true_any_more(company):
    game, asked, _other = company
    number = game.number
    while game.to_act == seat_of(game, asked) and game.number < number + 40:
        submit(game, asked, advised(game, asked))
        game.refresh_from_db()
    assert not game_notices.still_true("game.turn", {"game": game.public_id}, asked)


def test_where_nobody_waits_nobody_is_told():
    player = member()
    game = laid(player)
    Game.objects.filter(pk=game.pk).update(to_act=seat_of(game, player))
    assert not game_notices.still_true("game.turn", {"game": game.public_id}, player)


@pytest.mark.parametrize("params", [{}, {"game": "zzzzzzzzzzz"}, {"game": None}, {"game": 7}])
def test_a_game_that_is_gone_says_nothing(params):
    player = member()
    assert not game_notices.still_true("game.turn", params, player)
    assert game_notices.words("game.turn", params, player, "en") is None


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.slow(but="game.deadline-rm-sursilv")
def test_every_event_has_words_and_leads_to_the_table(company, event, language):
    game, asked, _other = company
    told = words(event, asked, language, game=game.public_id, share="half", until="2026-11-25T20:00:00+01:00")
    assert "Beat" in told.subject or "Mengia" in told.subject
    assert "%" not in told.subject + told.line
    assert told.line
    assert told.url == f"/g/{game.public_id}/"
    assert len(told.subject) < 120


def test_who_is_told_again_reads_that_it_is_still_their_turn(company):
    game, asked, _other = company
    told = words("game.turn", asked, game=game.public_id, again=True, until="2026-11-25T20:00:00+01:00")
    assert told.subject.startswith("Still your turn: ")
    assert told.line.startswith("It is still your turn, until ")
    assert words("game.turn", asked, game=game.public_id, again=True).line == "It is still your turn."


def test_a_deadline_is_named_on_the_readers_clock(company, monkeypatch):
    game, asked, _other = company
    monkeypatch.setattr(timezone, "now", lambda: datetime.fromisoformat("2026-06-01T20:00+02:00"))
    until = {"game": game.public_id, "until": "2026-11-25T20:00:00+01:00"}
    assert words("game.deadline", asked, **until).line.endswith("You have until 25 November, 20:00 (Zurich time).")
    asked.time_zone = "America/Toronto"
    monkeypatch.setattr(timezone, "now", lambda: datetime.fromisoformat("2026-11-23T20:00+01:00"))
    told = words("game.deadline", asked, **until)
    assert told.line.endswith("You have until Wednesday 14:00.")
    assert told.until == datetime.fromisoformat("2026-11-25T20:00+01:00")


@pytest.mark.parametrize("until", ["", "soon", "2026-13-45T99:00:00Z", 5, "2026-11-25T20:00:00"])
def test_a_time_that_is_none_is_left_out(company, until):
    game, asked, _other = company
    assert words("game.turn", asked, game=game.public_id, until=until).until is None


def test_who_sits_there_finds_the_game_by_its_name(company):
    game, asked, other = company
    assert other.display_name in find_subject(asked, game.public_id).name
    assert find_subject(member("Clau"), game.public_id) is None
    assert find_subject(asked, "zzzzzzzzzzz") is None


def test_no_word_names_a_card(company):
    game, asked, _other = company
    for event in EVENTS:
        told = words(event, asked, game=game.public_id, number=game.number)
        text = f" {told.subject} {told.line} {told.tag} "
        assert not [code for code in CODES if f" {code} " in text]


def test_an_invitation_holds_until_the_table_is_given_up():
    player = member()
    soon = timezone.now() + timedelta(hours=1)
    assert table_notices.still_true("table.invited", INVITED | {"until": soon.isoformat()}, player)
    assert not table_notices.still_true("table.invited", INVITED | {"until": "2020-01-01T00:00:00Z"}, player)


@pytest.mark.parametrize("event", ["invited", "joined", "filled", "started", "expired", "left"])
def test_every_event_of_a_table_has_words(event):
    told = table_notices.words(f"table.{event}", INVITED, member(), "en")
    assert "Troccas" in told.subject
    assert "%" not in told.subject + told.line
    assert told.url == "/g/bcdf/"


@pytest.mark.parametrize("url", ["", "https://evil.example/", "//evil.example/", None])
def test_a_link_leads_nowhere_else(url):
    assert table_notices.words("table.invited", INVITED | {"url": url}, member(), "en") is None


def test_rooms_speak_for_their_events():
    assert registry.find_wording("game.turn") is game_notices
    assert registry.find_wording("table.invited") is table_notices


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
        for event in ("game.finished", "game.resumed", "game.vacation"):
            outbox.put(event, reader, {"game": game.public_id, "status": "over"})
        outbox.put("table.joined", reader, INVITED | {"table": f"t{game.public_id}", "by": other.public_id})
        outbox.put("club.left", reader, {"club": game.public_id, "url": "/c/x/", "by": other.public_id})
        outbox.put("tournament.moved", reader, {"tournament": game.public_id})
        outbox.put("rules.suggestion-accepted", reader, {"suggestion": game.pk})
        outbox.put("talk.removed", reader, {"game": game.public_id, "message": game.pk})
    Outbox.objects.update(shown=True)
    client.force_login(reader.user)
    client.get("/en/notices/")
    with django_assert_max_num_queries(20):
        page = client.get("/en/notices/")
    assert len(page.context["lines"]) == 12


# what is withdrawn, and what is told of seats


@pytest.fixture
def clock(monkeypatch):
    with pace_kit.turned(monkeypatch) as turned:
        yield turned


def news(player: Player) -> list[str]:
    """The events that stand unread in a player's list: as many as the head of the page says before it is opened."""
    outbox.tell_due()
    counted = selectors.unread(player)
    lines, _onward = selectors.lines(player)
    shown = {line.id for line in lines if line.unread}
    assert counted == selectors.unread(player) == len(shown)
    return list(Outbox.objects.filter(pk__in=shown).order_by("pk").values_list("event", flat=True))


def said(player: Player, event: str):
    row = Outbox.objects.filter(player=player, event=event).latest("pk")
    with timezone.override("Europe/Zurich"):
        return game_notices.words(event, row.params, player, "en")


def seat(game: Game, player: Player) -> int:
    return game.seats.get(player=player).number


def test_a_proposal_is_told_with_who_and_until_when_and_withdrawn_with_the_answer(clock):
    anna, beat, clau, duri = pace_kit.people()
    game = pace_kit.table([anna, beat, clau, duri])
    until = clock.now + timedelta(days=3)
    agreements.propose_pause(game.pk, seat(game, anna), until, request_id=uuid.uuid4(), by=anna)
    assert "game.asked" in news(beat)
    assert "Anna proposes a pause until Thursday 12:00 (Zurich time), and waits" in said(beat, "game.asked").line
    agreements.answer(game.pk, seat(game, beat), agree=True, request_id=uuid.uuid4(), by=beat)
    assert "game.asked" not in news(beat)
    assert "game.asked" in news(clau)
    agreements.answer(game.pk, seat(game, clau), agree=False, request_id=uuid.uuid4(), by=clau)
    assert "game.asked" not in news(clau) + news(duri)


def test_a_question_that_was_answered_does_not_come_back_with_the_next_proposal(clock):
    anna, beat, clau, duri = pace_kit.people()
    game = pace_kit.table([anna, beat, clau, duri])
    until = clock.now + timedelta(days=3)
    for player in (anna, beat):
        agreements.propose_pause(game.pk, seat(game, player), until, request_id=uuid.uuid4(), by=player)
        ending.propose(game.pk, seat(game, player), counts=True, request_id=uuid.uuid4(), by=player)
        assert news(duri).count("game.asked") == 2
        agreements.answer(game.pk, seat(game, clau), agree=False, request_id=uuid.uuid4(), by=clau)
        ending.answer(game.pk, seat(game, clau), agree=False, request_id=uuid.uuid4(), by=clau)
    assert "game.asked" not in news(duri)
    agreements.propose_pause(game.pk, seat(game, beat), until, request_id=uuid.uuid4(), by=beat)
    ending.propose(game.pk, seat(game, beat), counts=False, request_id=uuid.uuid4(), by=beat)
    outbox.tell_due()
    lines, _onward = selectors.lines(duri)
    asked = [line.words.line for line in lines if line.words.subject.startswith("A question to you")]
    assert asked == [
        "Beat proposes to end the game here: it does not count. The game goes on until all have agreed.",
        "Beat proposes a pause until Thursday 12:00 (Zurich time), and waits for your answer.",
    ]


@pytest.mark.parametrize(
    ("service", "mode", "sentence", "part"),
    [
        (
            watching_services,
            "closed",
            "Anna proposes who may watch: nobody but those who play. It holds when everybody has agreed.",
            "watching",
        ),
        (
            chat_services,
            "closed",
            "Anna proposes for the chat: not at all. It takes effect when everybody agrees.",
            "chat",
        ),
    ],
)
def test_a_proposal_about_the_table_is_told_to_those_whose_consent_it_needs(clock, service, mode, sentence, part):
    anna, beat, clau, duri = pace_kit.people()
    game = pace_kit.table([anna, beat, clau, duri])
    service.propose(game.pk, anna, mode)
    assert "game.asked" not in news(anna)
    assert "game.asked" in news(duri)
    told = said(beat, "game.asked")
    assert (told.line, told.url) == (sentence, f"/g/{game.public_id}/#{part}")
    service.answer(game.pk, beat, agree=True)
    assert "game.asked" not in news(beat)
    assert "game.asked" in news(clau)
    service.answer(game.pk, clau, agree=False)
    assert "game.asked" not in news(clau) + news(duri)
    clock.on(minutes=1)
    service.propose(game.pk, anna, mode)
    assert news(duri).count("game.asked") == 1, "an earlier one does not come back"
    for player in (beat, clau, duri):
        service.answer(game.pk, player, agree=True)
    assert "game.asked" not in news(duri)


def test_where_one_plays_alone_nobody_is_asked_about_the_table():
    game = laid(anna := member("Anna"))
    watching_services.propose(game.pk, anna, "open")
    assert not Outbox.objects.filter(event="game.asked").exists()


def test_a_pause_is_told_with_its_end(clock):
    anna, *others = pace_kit.people()
    game = pace_kit.table([anna, *others])
    until = clock.now + timedelta(days=3)
    agreements.propose_pause(game.pk, seat(game, anna), until, request_id=uuid.uuid4(), by=anna)
    for player in others:
        agreements.answer(game.pk, seat(game, player), agree=True, request_id=uuid.uuid4(), by=player)
    assert "game.paused" in news(anna)
    line = "All agreed to a pause until Thursday 12:00 (Zurich time); nobody’s time runs."
    assert said(anna, "game.paused").line == line


def test_who_proposed_is_told_that_another_declined(clock):
    anna, beat, *others = pace_kit.people()
    game = pace_kit.table([anna, beat, *others])
    here = seat(game, anna)

    def propose_and_answer(player: Player, *, agree: bool) -> None:
        agreements.propose_pause(game.pk, here, clock.now + timedelta(days=3), request_id=uuid.uuid4(), by=anna)
        agreements.answer(game.pk, seat(game, player), agree=agree, request_id=uuid.uuid4(), by=player)

    propose_and_answer(anna, agree=False)
    assert "game.declined" not in news(anna), "whoever withdraws a proposal knows that it is gone"
    propose_and_answer(beat, agree=False)
    assert said(anna, "game.declined").line == "Beat does not agree to the pause: the game goes on."
    assert "game.declined" in news(anna)
    assert "game.declined" not in news(beat) + news(others[0])
    ending.propose(game.pk, here, counts=True, request_id=uuid.uuid4(), by=anna)
    ending.answer(game.pk, seat(game, beat), agree=False, request_id=uuid.uuid4(), by=beat)
    assert said(anna, "game.declined").line == "Beat does not agree to end the game: it goes on."
    assert news(anna).count("game.declined") == 1, "the latest alone"


def test_an_offer_that_lapsed_and_a_pause_that_is_over_are_told_no_more(clock):
    anna, beat, *others = pace_kit.people()
    game = pace_kit.table([anna, beat, *others])
    agreements.offer_live(game.pk, seat(game, anna), request_id=uuid.uuid4(), by=anna)
    assert "game.asked" in news(beat)
    clock.on(minutes=11)
    assert "game.asked" not in news(beat)
    until = clock.now + timedelta(days=3)
    agreements.propose_pause(game.pk, seat(game, anna), until, request_id=uuid.uuid4(), by=anna)
    for player in (beat, *others):
        agreements.answer(game.pk, seat(game, player), agree=True, request_id=uuid.uuid4(), by=player)
    assert "game.paused" in news(beat)
    agreements.resume(game.pk, seat(game, anna), request_id=uuid.uuid4(), by=anna)
    assert "game.paused" not in news(beat)
    assert "game.resumed" in news(beat)


def test_who_is_away_while_a_substitute_is_sought_is_told_so_and_who_is_replaced_too(clock, client):
    people = pace_kit.people()
    game = pace_kit.table(people, pace=pace_kit.SUBSTITUTE)
    gone, number = pace_kit.asked(game), pace_kit.fresh(game).to_act
    other = next(player for player in people if player != gone)
    was_due = pace_kit.due(game)
    clock.to(was_due + timedelta(seconds=1))
    pace_kit.work_at(clock.now)
    assert "game.timeout" in news(gone)
    assert said(gone, "game.turn").until == was_due, "their own time, not that of the search"
    assert (
        said(gone, "game.timeout").line == "Somebody else is sought for your seat. Until it is taken you can come back."
    )
    assert "Somebody else is sought for the seat." in said(other, "game.timeout").line
    outbox.tell_due()
    eva = Player.objects.create(name="Eva")
    timing.substitute(game.pk, number, request_id=uuid.uuid4(), by=eva)
    assert news(gone) == ["game.replaced"]
    assert "Eva plays in your seat from now on." in said(gone, "game.replaced").line
    assert "game.timeout" not in news(other)
    client.cookies["guest"] = sessions.issue_guest_token(gone)
    page = client.get("/en/my-games/finished/").text
    assert "Eva has your seat since" in page
    assert f"/g/{game.public_id}/" in page


def test_a_turn_that_was_taken_is_not_listed_again_with_the_next_one(clock):
    game = pace_kit.table(pace_kit.people(), options={"throw_in": False})
    player = pace_kit.asked(game)
    clock.to(pace_kit.fresh(game).remind_at)
    pace_kit.work_at(clock.now)
    before = {line.id for line in selectors.lines(player)[0]}
    assert len(before) == 2, "the turn, and the turn once more"
    pace_kit.act(game)
    pace_kit.until(game, player)
    outbox.tell_due()
    listed = selectors.lines(player)[0]
    assert [line.kind for line in listed] == ["turn"]
    assert before.isdisjoint(line.id for line in listed)


def test_no_turn_is_told_whose_time_is_just_past(clock):
    """Between the end of somebody's time and the look of the worker that acts on it."""
    game = pace_kit.table(pace_kit.people(), options={"throw_in": False})
    player = pace_kit.asked(game)
    assert "game.turn" in news(player)
    clock.to(pace_kit.due(game) + timedelta(seconds=1))
    assert not game_notices.still_true("game.turn", {"game": game.public_id}, player)
    assert not game_notices.still_true("game.deadline", {"game": game.public_id}, player)
    assert selectors.lines(player)[0] == []
    pace_kit.work_at(clock.now)
    assert news(player) == ["game.timeout"]


def test_who_is_back_is_not_told_that_they_are_away(clock):
    people = pace_kit.people()
    game = pace_kit.table(people)
    gone, number = pace_kit.asked(game), pace_kit.fresh(game).to_act
    clock.to(pace_kit.due(game) + timedelta(seconds=1))
    pace_kit.work_at(clock.now)
    other = next(player for player in people if player != gone)
    assert "game.timeout" in news(gone)
    assert "game.timeout" in news(other)
    timing.come_back(game.pk, number, request_id=uuid.uuid4(), by=gone)
    assert "game.timeout" not in news(gone) + news(other)


def test_a_turn_letter_says_what_was_played_since_and_no_hidden_card(clock):
    game = pace_kit.table(pace_kit.people(), options={"throw_in": False})
    while pace_kit.fresh(game).asked != "play":
        pace_kit.act(game)
    led = pace_kit.act(game)
    reader = pace_kit.asked(game)
    told = game_notices.words("game.turn", {"game": game.public_id}, reader, "en")
    assert told is not None
    assert told.more is not None
    (line,) = told.more()
    assert line.startswith(f"{led.name} leads ")
    assert "leads" not in told.line + told.subject


def test_a_turn_letter_tells_how_a_card_came_back(clock):
    """Else the same card would be played twice in it."""

    def has_come_back(hand):
        return hand.turn == 0 and not hand.over and any(told.kind == "jack-given" for told in hand.happenings[-1:])

    people = pace_kit.people()
    game = at_position(people, has_come_back)
    told = game_notices.words("game.turn", {"game": game.public_id}, people[0], "en")
    assert told is not None
    assert told.more is not None
    assert any("gives the jack" in line or "takes back" in line for line in told.more())


def test_who_has_something_done_for_them_is_told_all_the_same_that_it_begins(clock):
    """The cut goes by itself; whoever it is done for has not come for that."""
    table = lobby_kit.lay(member("Anna"), options={"throw_in": False})
    for name, place in (("Beat", 3), ("Clau", 2), ("Duri", 1)):
        lobby_kit.join(table, member(name), place)
    table.refresh_from_db()
    for _look in range(3):
        clock.on(minutes=1)
        pace_kit.work_at(clock.now)
    assert table.game is not None
    assert table.game.actions.filter(kind="move").exists()
    told = list(Outbox.objects.filter(event="table.started", topic=table.game.public_id))
    assert [row.read_at for row in told] == [None] * 3  # Duri, who came last, was led to the game
    words = table_notices.words("table.started", told[0].params, told[0].player, "en")
    assert words is not None
    assert words.more is not None
    assert words.more()[-1] == "At the table: Anna, Duri, Clau and Beat"


# how one is told


def test_the_question_how_to_be_told_is_asked_once(client, clock):
    game = pace_kit.table(pace_kit.people())
    reader = game.seats.get(number=0).player
    client.cookies["guest"] = sessions.issue_guest_token(reader)
    table = reverse("games:table", args=[game.public_id])
    mygames_services.note(game, reader, game.number, done=True)
    assert "How shall we tell you?" in client.get(table, follow=True).text
    answer = client.post("/en/notices/how/", {"how": "later", "next": table})
    assert answer["Location"] == table
    assert "How shall we tell you?" not in client.get(table, follow=True).text


@pytest.mark.parametrize("onward", ["https://evil.example/", "//evil.example", ""])
def test_the_answer_leads_nowhere_else(client, onward):
    client.force_login(member().user)
    answer = client.post("/en/notices/how/", {"how": "mail", "next": onward})
    assert answer["Location"] == "/en/notices/preferences/"
    assert Preference.objects.get().asked_how


def test_one_press_asks_for_the_calendar_and_is_an_answer(client):
    player = member()
    client.force_login(player.user)
    client.post("/en/my-games/calendar/", {"do": "renew", "asked": "1"})
    assert CalendarAddress.objects.filter(player=player).exists()
    assert Preference.objects.get().asked_how


def test_only_who_has_a_way_to_be_told_is_promised_to_be_told(client):
    guest, anna = Player.objects.create(name="Gion"), member("Anna")
    for host, promised in ((guest, False), (anna, True)):
        open_table = lobby_kit.lay(host)
        page = visit_as(host).get(reverse("lobby:table", args=[open_table.public_id])).text
        assert ("you are told when it begins" in page) is promised
        assert ("You are not notified outside this site yet" in page) is not promised


def test_a_proposal_stands_in_the_list_and_waits_for_the_answer(client, clock):
    people = pace_kit.people()
    anna, game = people[0], pace_kit.table(people)
    other = next(player for player in people if player != pace_kit.asked(game) and player != anna)
    clock.on(minutes=5)
    until = clock.now + timedelta(days=3)
    agreements.propose_pause(game.pk, seat(game, anna), until, request_id=uuid.uuid4(), by=anna)
    assert mygames_selectors.waiting(other) == 1
    (line,) = mygames_selectors.foremost(other, 3)
    assert line.yours
    assert line.line.startswith("Anna proposes a pause until Thursday 12:05: do you agree?")
    agreements.answer(game.pk, seat(game, other), agree=True, request_id=uuid.uuid4(), by=other)
    (line,) = mygames_selectors.foremost(other, 3)
    assert not line.yours
    assert line.line.startswith("A pause until Thursday 12:05 is proposed; not everybody has answered yet.")


def visit_as(player: Player) -> Client:
    """A browser of theirs."""
    client = Client()
    if player.user is not None:
        client.force_login(player.user)
    else:
        client.cookies["guest"] = sessions.issue_guest_token(player)
    return client
