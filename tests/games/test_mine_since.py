"""Coming back to a table: how far one has looked, and what one is told of the rest."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from domain.engine import CODES
from games.models import Game, GameHand
from games.mygames import privacy, services, since
from games.mygames.models import Seen
from games.mygames.services import Stretch
from games.read_models import Line, Sight
from games.selectors import table
from games.services import timing
from tests.games import pace_kit, table_kit
from tests.games.store_kit import random_hand, store
from tests.games.test_mine import asked_seat, browser_of
from tests.games.test_secrets import codes_in
from tests.games.unseen import unseen_by

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 10, tzinfo=UTC)
WEEKS = timedelta(weeks=3)


def a_game(number: int = 40) -> tuple[Game, Player]:
    anna = table_kit.person(name="Anna")
    game = table_kit.laid(anna)
    Game.objects.filter(pk=game.pk).update(number=number)
    game.refresh_from_db()
    return game, anna


# how far one has looked


def test_everything_is_news_to_who_was_never_here():
    game, anna = a_game()
    assert services.news_for(game, anna) == Stretch(0, 40, None)


def test_what_was_shown_is_news_no_more_and_what_happens_before_ones_eyes_is_none():
    game, anna = a_game(10)
    services.note(game, anna, 10, done=True, now=NOON)
    assert services.news_for(game, anna, NOON + timedelta(minutes=5)) is None
    game.number = 12
    assert services.news_for(game, anna, NOON + timedelta(minutes=9)) is None
    assert services.news_for(game, anna, NOON + WEEKS) == Stretch(10, 12, NOON)


def test_news_stays_while_one_looks_on_and_goes_when_one_says_so():
    game, anna = a_game(10)
    services.note(game, anna, 10, done=True, now=NOON)
    game.number = 30
    back = NOON + WEEKS
    services.note(game, anna, 30, now=back)
    game.number = 31
    services.note(game, anna, 31, now=back + timedelta(minutes=1))
    assert services.news_for(game, anna, back + timedelta(minutes=2)) == Stretch(10, 30, NOON)
    services.note(game, anna, 31, done=True, now=back + timedelta(minutes=2))
    assert services.news_for(game, anna, back + timedelta(minutes=3)) is None


def test_the_next_visit_tells_what_came_after_the_one_before():
    game, anna = a_game(10)
    services.note(game, anna, 10, now=NOON)
    game.number = 20
    services.note(game, anna, 20, now=NOON + timedelta(days=1))
    game.number = 25
    third = NOON + timedelta(days=2)
    assert services.news_for(game, anna, third) == Stretch(20, 25, NOON + timedelta(days=1))


def test_a_number_beyond_the_game_is_cut_and_an_older_one_changes_nothing():
    game, anna = a_game(10)
    services.note(game, anna, 99999, now=NOON)
    assert Seen.objects.get(player=anna).number == 10
    services.note(game, anna, 3, now=NOON + timedelta(minutes=1))
    assert Seen.objects.get(player=anna).number == 10


def test_opening_the_page_is_not_seeing_it_and_only_players_can_say_they_have():
    game, anna = a_game(0)
    client = browser_of(anna)
    client.get(reverse("games:table", args=[game.public_id]))
    assert not Seen.objects.exists()
    address = reverse("games:seen", args=[game.public_id])
    assert client.post(address, {"number": "0"}, headers={"HX-Request": "true"}).status_code == 204
    assert Seen.objects.filter(player=anna).exists()
    assert browser_of(table_kit.person()).post(address, {"number": "0"}).status_code == 404
    for bad in ("", "-1", "x", "9" * 40, "٣"):
        assert client.post(address, {"number": bad}).status_code == 302
    assert client.get(address).status_code == 405


def test_who_acts_has_taken_note_without_a_script():
    anna = table_kit.person(name="Anna")
    game = table_kit.laid(anna)
    table_kit.sit(game, anna)
    table_kit.wait(game, anna)
    game.refresh_from_db()
    sent = {"action": table_kit.advised(game, anna), "expected": game.number, "request_id": uuid.uuid4()}
    before = game.number
    assert browser_of(anna).post(reverse("games:act", args=[game.public_id]), sent).status_code == 303
    row = Seen.objects.get(player=anna)
    assert (row.number, row.since) == (before, row.until)


def test_who_comes_back_or_answers_a_proposal_has_taken_note_too(monkeypatch):
    people = pace_kit.people(4)
    with pace_kit.turned(monkeypatch) as clock:
        game = pace_kit.table(people, pace_kit.DAYS)
        absent = asked_seat(game)
        anna, client = people[absent], browser_of(people[absent])
        clock.to(game.deadline_at)
        assert timing.time_out(game.pk, expected=game.number)
        game.refresh_from_db()
        for wanted, name in (("back", "time"), ("drop", "end")):
            sent = {"do": wanted, "expected": game.number, "request_id": uuid.uuid4()}
            assert client.post(reverse(f"games:{name}", args=[game.public_id]), sent).status_code == 303
            row = Seen.objects.get(player=anna)
            assert (row.number, row.since) == (game.number, row.until)
            clock.to(timezone.now() + services.AWAY)
            game.refresh_from_db()


# what one is told


def told(game: Game, player: Player, after: int = 0) -> since.Since:
    game.refresh_from_db()
    found = since.account(table.sight_of(game, player), Stretch(after, game.number, None))
    assert found is not None
    return found


def sentences(found: since.Since) -> list[str]:
    return [sentence for part in found.parts for sentence in part.sentences]


def test_a_game_of_four_hands_fits_a_screen_and_says_how_each_ended():
    anna = table_kit.person(name="Anna")
    game = table_kit.laid(anna)
    while game.hands_played < 3:  # a deal that is thrown in is told, but is no hand: three of them leave no totals
        table_kit.play_hand(game, anna)
        game.refresh_from_db()
    table_kit.step(game, anna)
    found = told(game, anna)
    assert len(sentences(found)) <= 14
    assert max(map(len, sentences(found))) < 400
    played = [part.heading for part in found.parts if part.heading.startswith("Hand ")]
    assert played[:3] == ["Hand 1", "Hand 2", "Hand 3"]
    thrown_in = game.hands.filter(status=GameHand.Status.THROWN_IN).exists()
    assert any(part.heading == "Thrown in" for part in found.parts) is thrown_in
    assert found.totals.startswith("You and ")
    assert found.question


def test_only_what_happened_since_is_told():
    anna = table_kit.person(name="Anna")
    game = table_kit.laid(anna, options={"throw_in": False})  # a deal that is thrown in would not count as a hand
    table_kit.play_hand(game, anna)
    game.refresh_from_db()
    seen_up_to = game.number
    assert since.account(table.sight_of(game, anna), Stretch(seen_up_to, game.number, None)) is None
    table_kit.play_hand(game, anna)
    found = told(game, anna, seen_up_to)
    assert "Hand 1" not in [part.heading for part in found.parts]


def test_tricks_of_which_no_card_may_be_told_are_counted():
    for seed in range(60):
        hand = random_hand(seed, 75)
        if not hand.over and len(hand.tricks) >= 6:
            break
    players = [Player.objects.create(name=name) for name in ("Anna", "Beat", "Clau", "Duri")]
    game = store(hand, players)
    found = told(game, players[0])
    running = next(part for part in found.parts if part.heading == "Hand 1")
    assert any(sentence.startswith("Tricks 1 to ") for sentence in running.sentences)
    counted = next(sentence for sentence in running.sentences if sentence.startswith("Tricks 1 to "))
    last = int(counted.removeprefix("Tricks 1 to ").partition(":")[0])
    wins = [int(word.strip(".,")) for word in counted.partition(": ")[2].split() if word.strip(".,").isdigit()]
    assert sum(wins) == last == len(hand.tricks) - (2 if not hand.trick else 1)


@pytest.mark.parametrize("seat", [0, 2])
def test_no_card_is_told_that_its_reader_may_not_know(seat):
    told_anything = 0
    for seed in range(25):
        hand = random_hand(seed, 30 + 3 * seed)
        if hand.over:
            continue
        players = [Player.objects.create(name=f"P{number}") for number in range(4)]
        game = store(hand, players)
        seen = table.sight_of(game, players[seat])
        # The account has no other source than these lines; so it is enough that they are clean, and that it is made of them.
        hidden = {CODES[card] for card in unseen_by(hand, seat)}
        assert not hidden & set(codes_in([line.cards for line in seen.lines]))
        emptied = since.account(_without_lines(seen), Stretch(0, game.number, None))
        assert emptied is None
        told_anything += since.account(seen, Stretch(0, game.number, None)) is not None
    assert told_anything > 10


def _without_lines(seen: Sight) -> Sight:
    return replace(seen, lines=())


def test_a_watcher_is_told_nothing_of_the_kind():
    anna = table_kit.person()
    game = table_kit.laid(anna)
    table_kit.play_hand(game, anna)
    assert since.account(table.sight_of(game, None), Stretch(0, game.number, None)) is None
    assert since.for_viewer(game, None, table.sight_of(game, None)) is None


def test_who_is_missing_who_was_replaced_and_who_waits_for_whom(monkeypatch):
    people = pace_kit.people(5)
    with pace_kit.turned(monkeypatch) as clock:
        game = pace_kit.table(people[:4], pace_kit.SUBSTITUTE)
        absent = asked_seat(game)
        clock.to(game.deadline_at)
        assert timing.time_out(game.pk, expected=game.number)
        other = next(seat for seat in range(4) if seat != absent)
        found = told(game, people[other])
        name = people[absent].name
        assert f"A substitute is sought for the seat of {name}." in found.missing
        timing.substitute(game.pk, absent, request_id=uuid.uuid4(), by=people[4])
        found = told(game, people[other])
        assert found.missing == ()
        assert f"Emma takes the seat of {name} as a substitute." in sentences(found)
        assert not found.mine
        assert found.waiting == ""
        theirs = told(game, people[4])
        assert theirs.mine
        assert theirs.waiting.endswith(" wait for you.")
        assert theirs.time


def test_days_of_vacation_are_told_once():
    seen = table.sight_of(table_kit.laid(table_kit.person()), None)
    lines = tuple(Line(number, "vacation", 2, 1, until=f"2026-07-{number:02}") for number in range(1, 11))
    found = since.account(replace(seen, viewer=0, lines=lines), Stretch(0, 10, None))
    assert found is not None
    assert len(sentences(found)) == 1
    assert "10 July" in sentences(found)[0]


def test_the_table_tells_it_after_three_weeks_and_not_again_once_it_is_dismissed(monkeypatch):
    people = pace_kit.people()
    with pace_kit.turned(monkeypatch) as clock:
        game = pace_kit.table(people)
        anna = people[next(seat for seat in range(4) if seat != game.to_act)]
        client = browser_of(anna)
        address = reverse("games:table", args=[game.public_id])
        client.post(address + "seen/", {"number": str(game.number), "done": "1"})
        assert "Since you were here" not in client.get(address).content.decode()
        for _ in range(6):
            game.refresh_from_db()
            player = people[asked_seat(game)]
            if player == anna:
                break
            table_kit.submit(game, player, table_kit.advised(game, player))
        clock.on(weeks=3)
        page = client.get(address).content.decode()
        assert "Since you were here" in page
        assert "3 weeks" in page.replace("\xa0", " ")
        client.post(address + "seen/", {"number": str(game.number), "done": "1"})
        assert "Since you were here" not in client.get(address).content.decode()


def test_what_was_seen_follows_a_guest_who_becomes_a_member_and_goes_with_the_player():
    game, guest = a_game(10)
    member = table_kit.person(name="Beat")
    services.note(game, guest, 7)
    privacy.merge(guest, member)
    privacy.merge(guest, member)
    assert Seen.objects.get().player == member
    assert privacy.export(member)["looked_at"] == [{"game": game.public_id, "number": 7, "at": Seen.objects.get().at}]
    assert privacy.release(member) is False
    assert not Seen.objects.exists()


def test_an_older_hand_told_in_one_sentence_adds_up():
    anna = table_kit.person()
    game = table_kit.laid(anna, options={"hands": 8})
    while True:
        table_kit.play_hand(game, anna)
        game.refresh_from_db()
        if game.hands_played >= since.MOST_HANDS + 2:
            break
    found = told(game, anna)
    together = found.parts[0]
    assert together.heading == "Hands 1 to 2"
    rows = [row for row in game.hands.all() if row.scores][:2]
    seat = table_kit.seat_of(game, anna)
    score = sum(row.scores[seat] for row in rows)
    assert str(abs(score)) in together.sentences[0]


def won_by(*seats: int) -> list[Line]:
    return [Line(number, "trick-won", seat=seat, count=number) for number, seat in enumerate(seats, 1)]


def test_tricks_that_all_went_to_one_are_said_to_be_theirs():
    people = pace_kit.people()
    seen = table.sight_of(pace_kit.table(people), people[0])
    own = seen.viewer
    assert own is not None
    other = (own + 1) % 4
    name = seen.seats[other].name
    assert since._tricks(seen, won_by(own, own)) == "You won tricks 1 to 2."
    assert since._tricks(seen, won_by(other, other, other)) == f"{name} won tricks 1 to 3."
    assert since._tricks(seen, won_by(other, own, other)) == f"Tricks 1 to 3: You 1 and {name} 2."
