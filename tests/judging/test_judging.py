"""The judge in a small version, and whether it would notice what it looks for."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from accounts import sessions
from accounts.models import GuestToken, Player
from domain.engine import CODES, Hand, cards_in, parse_action, ruleset, set_of
from games import packs
from games.models import Game
from games.selectors import log, table
from games.services import timing
from notices import leases
from notices.models import Delivery, Outbox, PushSubscription
from tests.games import pace_kit
from tests.games.store_kit import random_hand, store
from tests.games.table_kit import advised, laid, person, sit, step, submit, wait_for_worker
from tests.judging import checks, pages, register, scanning, village
from tests.judging.archive import Letter
from tests.judging.checks import Judged
from tests.judging.clock import SharedClock
from tests.judging.people import Person, Visitor
from tests.judging.truth import WATCHER, Reading
from tests.judging.wire import Entry, Ledger
from tests.judging.witness import Witness
from tests.live import ROOT, site_environment

NOON = datetime.fromisoformat("2026-11-24T12:00+01:00")
SECONDS = 5000
"""Until a run that has hung is given up; one takes about a minute on an idle machine."""


def run(*given: str) -> str:
    """What the judge prints, who must have found nothing wrong."""
    command = [sys.executable, "-m", "tests.judging", *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    assert "\nwrong: 0" in done.stdout
    return done.stdout


def judge(games: int, *more: str, people: int = 9) -> str:
    """The real thing, small: `python -m tests.judging` with its default of 200 games is the large one."""
    said = run("--games", str(games), "--people", str(people), "--seed", "4", *more)
    found = re.search(r"\n  games: (\d+)\n", said)
    assert found
    assert int(found[1]) >= games
    return said


EIGHT = ("--threads", "4", "--minutes", "0.4", "--kill-every", "8")


@pytest.mark.slow
def test_a_game_in_one_thread_in_which_nothing_dies():
    judge(1, "--threads", "1", "--minutes", "0.1", "--kill-every", "0", people=6)


@pytest.mark.long
def test_eight_games_at_once_through_deaths_and_turned_clocks():
    said = judge(8, *EIGHT, "--keep")
    (kept,) = re.findall(r"\nkept: (.+)\n", said)
    try:
        again = run("--again", kept)
        counts = "cards seen on them", "requests found in the log", "letters", "messages noted as sent"
        for count in counts:
            assert re.findall(rf"\n  {count}: \d+", again) == re.findall(rf"\n  {count}: \d+", said)
    finally:
        shutil.rmtree(kept)


@pytest.mark.services
@pytest.mark.long
def test_the_same_with_two_servers_and_two_workers():
    if "DATABASE_URL" not in os.environ or "REDIS_URL" not in os.environ:
        pytest.skip("several processes need PostgreSQL and Redis")
    addresses = (f"--postgres={os.environ['DATABASE_URL']}", f"--redis={os.environ['REDIS_URL']}")
    judge(8, *EIGHT, "--servers", "2", "--workers", "2", *addresses)


# the clock


def told_by(settings: str, clock: Path, data: Path) -> datetime:
    """What a program with these settings says the time is."""
    extra = {"DJANGO_SETTINGS_MODULE": settings, "JUDGING_CLOCK": str(clock), "DATABASE_URL": ""}
    line = (
        "from django.utils import timezone; from notices.models import Outbox; print(Outbox().created_at.isoformat())"
    )
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", line],
        env=site_environment(data, extra),
        check=True,
        capture_output=True,
        text=True,
    )
    return datetime.fromisoformat(done.stdout.strip())


@pytest.mark.slow
def test_only_a_site_with_the_judges_settings_follows_its_clock(tmp_path: Path):
    clock = SharedClock(tmp_path / "clock")
    clock.turn_on(timedelta(days=400))
    soon = datetime.now(UTC) + timedelta(days=1)
    assert told_by("troccas_site.settings", tmp_path / "clock", tmp_path) < soon
    assert told_by("tests.judging.settings", tmp_path / "clock", tmp_path) > soon + timedelta(days=300)


def test_the_clock_does_not_go_back(tmp_path: Path):
    with pytest.raises(ValueError, match="forward"):
        SharedClock(tmp_path / "clock").turn_on(timedelta(seconds=-1))


# cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ('<button data-card="CK" value="play CK">', {"CK"}),
        ('<svg><use href="/static/deck/deck.svg#T21"></use></svg>', {"T21"}),
        ('<input id="card-F" value="F">', {"F"}),
        ("<p>Anna plays the king of cups.</p>", {"CK"}),
        ("<p>Anna spielt den Becher-König.</p>", {"CK"}),
        ("<p>Anna &amp; Beat have <b>5</b> points; C-major, SOS, B52.</p>", set()),
        ('<input name="csrfmiddlewaretoken" value="aCKb-CK-T5">', set()),
    ],
)
@pytest.mark.django_db
def test_cards_are_found_by_code_and_by_name(text: str, cards: set[str]):
    assert scanning.in_page(text) == cards


def test_cards_are_found_in_data():
    data = {"cards": [{"code": "CK"}], "choices": [{"action": "play T5 buob"}], "words": "CQ", "number": 3}
    assert scanning.in_data(data) == {"CK", "T5"}


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_what_one_seat_sees_would_be_noticed_at_another(seed: int):
    hand = random_hand(seed, 30)
    players = [Player.objects.create(name=f"P{number}") for number in range(4)]
    game = store(hand, players)
    reading = Reading(game)
    for seat, player in enumerate(players):
        seen = scanning.in_data(table.sight_of(game, player).as_json())
        assert reading.seats_of({player.pk}, game.number) == {seat}
        assert not seen & reading.forbidden(game.number, seat)
        held = {code for card, code in enumerate(CODES) if hand.hands[seat] >> card & 1}
        for other in (*(one for one in range(4) if one != seat), WATCHER):
            assert held & reading.forbidden(game.number, other)


def pair_on_the_table(seed: int) -> Hand:
    """A game in which king and cavalier are played together, with both of them on the table."""
    rules = ruleset("troccas-oinkers")
    while True:
        seed += 1
        for steps in range(10, 40):
            hand = random_hand(seed, steps, rules=rules)
            if hand.over:
                break
            if hand.asked == "play" and hand.legal.pairs:
                king = next(cards_in(hand.legal.pairs))
                hand.push(parse_action(f"play {CODES[king]} {CODES[king - 2]}"))
                if hand.pair_at >= 0:
                    return hand


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [0, 100, 200])
def test_a_cavalier_beside_its_king_is_no_secret_and_the_jack_of_the_suit_is_one(seed: int):
    hand = pair_on_the_table(seed)
    king = hand.trick[hand.pair_at]
    players = [Player.objects.create(name=f"P{number}") for number in range(4)]
    game = store(hand, players)
    reading = Reading(game)
    for seat, player in enumerate(players):
        seen = scanning.in_data(table.sight_of(game, player).as_json())
        assert CODES[king - 2] in seen
        assert not seen & reading.forbidden(game.number, seat)
    jack = CODES[king - 3]
    holder = next((seat for seat in range(4) if hand.hands[seat] >> king - 3 & 1), None)
    lies_open = 1 << king - 3 & set_of([*hand.trick, *(card for trick in hand.tricks for card in trick.cards)])
    if not lies_open:
        others = {seat for seat in range(4) if seat not in (holder, hand.scartist)}
        assert all(jack in reading.forbidden(game.number, seat) for seat in others)


def test_who_may_call_any_trump_is_shown_no_secret_unless_one_is_missing():
    trumps = [f"T{number}" for number in range(1, 21)]
    choices = [{"action": f"call {code}", "verb": "call", "card": code} for code in trumps]
    buttons = [
        f'<button name="action" value="call {code}"><use href="deck.svg#{code}"></use></button>' for code in trumps
    ]
    assert scanning.in_data({"question": {"choices": choices}, "cards": [{"code": "T3"}]}) == {"T3"}
    assert scanning.in_page("".join(buttons) + '<i data-card="T3"></i>') == {"T3"}
    assert scanning.in_data({"question": {"choices": choices[1:]}}) == set(trumps[1:])
    assert scanning.in_page("".join(buttons[1:])) == set(trumps[1:])


@pytest.mark.django_db
def test_the_question_for_a_partner_as_the_site_asks_it_shows_no_secret():
    rules = ruleset("troggu", None, 7)
    players = [Player.objects.create(name=f"P{number}") for number in range(7)]
    hands = (random_hand(seed, steps, rules=rules) for seed in range(500) for steps in (8, 9, 10))
    hand = next(hand for hand in hands if not hand.over and hand.asked == "partner")
    game = store(hand, players)
    reading, asked = Reading(game), players[hand.turn]
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(asked)
    page = client.get(f"/g/{game.public_id}/").content.decode()
    data = client.get(f"/g/{game.public_id}/state.json").json()
    assert [choice["verb"] for choice in data["question"]["choices"]] == ["call"] * 20
    forbidden = reading.forbidden(game.number, hand.turn)
    assert {"T2", "T3", "T4"} & forbidden
    assert not scanning.in_data(data) & forbidden
    assert not scanning.in_page(page) & forbidden


@pytest.mark.django_db
@pytest.mark.slow
def test_the_draw_is_no_secret_in_later_deals_and_what_is_no_draw_is_one(monkeypatch: pytest.MonkeyPatch):
    # Thirty cards are drawn with this seed: more than anybody sees of a deal, so that some of them must be hidden.
    monkeypatch.setattr(packs, "seed_of", lambda deal, rules: bytes([116]) * 32)
    player = person(name="Anna")
    game = laid(player, draws_partners=True, options={"hands": 2})
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    hands = set()
    while 2 not in hands:
        step(game, player, wait_for_worker)
        game.refresh_from_db()
        hand = log.open_table(game).hand
        if hand is None or hand.pack is None or game.hand_number in hands:
            continue  # before the pack lies there (the cut, how it is dealt) no card is anybody's
        hands.add(game.hand_number)
        reading = Reading(game)
        assert len(reading.drawn) == 30
        (seat,) = reading.seats_of({player.pk}, game.number)
        data = client.get(f"/g/{game.public_id}/state.json").json()
        page = client.get(f"/g/{game.public_id}/").content.decode()
        forbidden = reading.forbidden(game.number, seat)
        assert reading.drawn & forbidden
        assert not scanning.in_data(data, reading.drawn) & forbidden
        assert not scanning.in_page(page, reading.drawn) & forbidden
        assert scanning.in_data(data) & forbidden
        assert ("draw-fold" in page) == bool(scanning.in_page(page) & forbidden)
        leak = min(reading.drawn & forbidden)
        assert leak in scanning.in_data(data | {"scart": [leak]}, reading.drawn)
        assert leak in scanning.in_page(page + f'<i data-card="{leak}"></i>', reading.drawn)


def test_cards_of_the_draw_lie_in_the_middle_of_the_table():
    middle = '<ol class="trick no-margin drawn" role="list"><li class="laid" data-laid="T5"></li></ol>'
    assert scanning.in_page(middle, {"T5"}) == set()
    assert scanning.in_page(middle, {"T6"}) == {"T5"}
    assert scanning.in_page(middle + '<i data-card="T5"></i>', {"T5"}) == {"T5"}


@pytest.mark.django_db
@pytest.mark.slow
def test_a_page_that_comes_when_the_next_deal_has_begun_shows_what_was_known_when_it_was_asked_for():
    player = person(name="Anna")
    game = laid(player, options={"hands": 2, "throw_in": False})
    marks = []  # a moment of each deal, and what Anna may not see then
    for deal in (1, 2):
        while game.hand_number < deal or (hand := log.open_table(game).hand) is None or hand.pack is None:
            step(game, player, wait_for_worker)
            game.refresh_from_db()
        reading = Reading(game)
        (seat,) = reading.seats_of({player.pk}, game.number)
        marks.append((reading.entries[-1].at, reading.forbidden(game.number, seat)))
    (first, before), (second, now) = marks
    later = second + timedelta(minutes=1)

    def complaints(card: str, asked: datetime) -> list[str]:
        page = f'<i data-card="{card}"></i>'
        letter = Letter(1, "page", f"/g/{game.public_id}/why/", 200, "text/html", asked, later, 0, len(page))
        kept = SimpleNamespace(archive=SimpleNamespace(body=lambda _letter: page))
        return [*checks._one(kept, letter, {game.public_id: reading}, {player.pk}, Judged())]

    own, never = min(now - before), min(now & before)
    assert complaints(own, first) == []
    assert complaints(own, later)
    assert complaints(never, later)
    assert complaints(never, later - timedelta(seconds=1))


# people


def test_only_what_a_person_can_write_into_is_filled_in():
    page = pages.parse(
        '<form method="post" action="/g/x/ready/"><input type="hidden" name="entropy" value=""><input name="name" value="">'
        '<input type="date" name="until" value=""><textarea name="text"></textarea><button>Go</button></form>'
    )
    (button,) = pages.buttons(page, "/g/x/")
    asked: list[dict[str, str]] = []

    def insist(path: str, fields: dict[str, str], **_more: str) -> SimpleNamespace:
        asked.append(fields)
        return SimpleNamespace(status=303)

    device = SimpleNamespace(insist=insist)
    chance = SimpleNamespace(random=lambda: 0.0)
    visitor = Visitor(SimpleNamespace(expect=lambda *_: None), SimpleNamespace(chance=chance), device)
    assert visitor.press("x", button)
    (fields,) = asked
    assert fields == {"entropy": "", "until": "", "name": "Bien di", "text": "Bien di"}


def somebody(name: str, *cookies: str) -> Person:
    """A person without an account whose browser was once the guests with these cookies."""
    devices: list[Any] = [SimpleNamespace(guests=set(cookies))]
    return Person(7, name, "", devices, random.Random(1))


@pytest.mark.django_db
def test_a_guest_is_known_by_their_cookie_before_they_have_a_name_and_after_they_were_let_go():
    helper, named, other = Player.objects.create(), Player.objects.create(name="Anna"), Player.objects.create()
    raw, others = sessions.issue_guest_token(helper), sessions.issue_guest_token(other)
    witness = Witness()
    witness.look()
    GuestToken.objects.all().delete()
    assert checks.players_of(somebody("Anna", raw), witness.guests) == {helper.pk, named.pk}
    assert checks.players_of(somebody("Beat", others, "unknown"), witness.guests) == {other.pk}
    Player.objects.filter(pk=other.pk).update(merged_into=named)
    assert checks.players_of(somebody("Anna"), witness.guests) == {named.pk, other.pk}


# what is told


@pytest.fixture
def register_open(db: None) -> None:
    register.open_register()


def told(player: Player, kind: str = "push") -> Delivery:
    """A notice on its way."""
    device = None
    if kind == "push":
        device = PushSubscription.objects.create(player=player, endpoint="https://push.example/1", digest="1")
    notice = Outbox.objects.create(event="game.turn", kind="turn", player=player, done_at=NOON)
    return Delivery.objects.create(
        outbox=notice, player=player, channel=kind, subscription=device, planned_for=NOON, due_at=NOON
    )


def test_of_two_couriers_the_one_that_did_not_come_back_is_remembered(register_open: None):
    delivery = told(Player.objects.create())
    (first,) = leases.take(Delivery.Channel.PUSH, NOON, 10)
    assert leases.take(Delivery.Channel.PUSH, NOON, 10) == []
    (second,) = leases.take(Delivery.Channel.PUSH, NOON + timedelta(minutes=6), 10)
    leases.sent(second)
    assert register.lost_leases() == {first.lease_by: [delivery.pk]}


def test_a_courier_that_gives_back_what_it_has_is_not_missed(register_open: None):
    told(Player.objects.create())
    (first,) = leases.take(Delivery.Channel.PUSH, NOON, 10)
    leases.put_off(first, NOON + timedelta(minutes=1), "later")
    (second,) = leases.take(Delivery.Channel.PUSH, NOON + timedelta(minutes=9), 10)
    leases.sent(second)
    assert register.lost_leases() == {}


def test_what_is_deleted_between_two_looks_is_known_as_it_was_in_the_end(register_open: None):
    delivery = told(Player.objects.create())
    witness = Witness()
    witness.look()
    (taken,) = leases.take(Delivery.Channel.PUSH, NOON, 10)
    leases.sent(taken)
    Outbox.objects.all().delete()
    witness.last_look()
    assert witness.deliveries[delivery.pk]["state"] == "sent"
    assert witness.deliveries[delivery.pk]["planned_for"] == NOON
    assert (witness.forgotten, witness.lost) == (1, {})


def waited_for(held: list[dict[str, int]], deaths: int = 1) -> set[str]:
    """Which couriers were still busy when the clock was turned, if one saw them hold this, the last again and again, after
    so many deaths."""
    looks = iter(held)
    seen = {"now": held[0]}

    def carried() -> dict[str, int]:
        seen["now"] = next(looks, seen["now"])
        return seen["now"]

    conductor = SimpleNamespace(
        house=SimpleNamespace(revive=lambda: 0, deaths=deaths),
        witness=SimpleNamespace(carried=carried),
        overslept=set(),
        seen=set(),
        _in_hand={},
        _deaths_seen=0,
    )
    village.Village._let_couriers_come_home(conductor)
    assert next(looks, None) is None
    return set(conductor.overslept)


def test_the_clock_waits_for_a_courier_that_gets_on_and_not_for_a_dead_one(monkeypatch: pytest.MonkeyPatch):
    passed = [0.0]  # seconds, as the conductor's watch has them: how slow the machine is must not count

    def sleep(seconds: float) -> None:
        passed[0] += seconds

    monkeypatch.setattr(village, "time", SimpleNamespace(monotonic=lambda: passed[0], sleep=sleep))
    monkeypatch.setattr(village, "_OVERSLEEP", 0.3)
    assert waited_for([{"alive": number} for number in range(9, 0, -1)] + [{}]) == set()
    assert waited_for([{"dead": 3}] * 4) == set()
    assert waited_for([{"slow": 3}] * 30 + [{}], deaths=0) == set()
    monkeypatch.setattr(village, "_BUSY", 0.2)
    assert waited_for([{"alive": number, "dead": 4} for number in range(5, 1, -1)]) == {"alive", "dead"}


def twice(
    came: int, lost: dict[str, list[int]], deaths: int = 9, letters: int = 1, seen: set[str] | None = None
) -> list[str]:
    """What is wrong when of two messages that were sent so many came, and so many copies of one letter."""
    device = PushSubscription.objects.create(
        player=Player.objects.create(), endpoint="https://push.example/1", digest="1"
    )
    rows = {key: {"pk": key, "channel": "push", "subscription": device.pk, "state": "sent"} for key in (1, 2)}
    browser = SimpleNamespace(endpoint=device.endpoint, bodies=[b""] * came)
    office = SimpleNamespace(letters=lambda: Counter({"<a>": letters}), push=SimpleNamespace(browsers={"": browser}))
    told_there = SimpleNamespace(
        witness=SimpleNamespace(lost=lost, deliveries=rows),
        post_office=office,
        house=SimpleNamespace(deaths=deaths),
        overslept=set(),
        seen=set(lost) if seen is None else seen,
    )
    return list(checks._twice(told_there, SimpleNamespace(numbers=Counter())))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("came", "lost", "letters", "problems"),
    [
        (2, {}, 1, 0),
        (1, {}, 1, 1),  # one was lost
        (3, {}, 1, 2),  # nobody had died over it
        (3, {"a": [1, 2]}, 1, 0),
        (3, {"a": [9]}, 1, 1),  # somebody died over another
        (4, {"a": [1, 2]}, 1, 1),  # one death lets one come again, not all that was in hand
        (4, {"a": [1], "b": [2]}, 1, 0),
        (3, {"a": [1]}, 2, 1),  # a message and a letter over one death
    ],
)
def test_a_death_excuses_one_copy(came: int, lost: dict[str, list[int]], letters: int, problems: int):
    assert len(twice(came, lost, letters=letters)) == problems


@pytest.mark.parametrize(
    ("copies", "lost", "problems"),
    [
        (1, {}, 0),
        (2, {}, 1),
        (2, {"a": [9]}, 1),
        (2, {"a": [2]}, 0),
        (3, {"a": [1, 2]}, 1),
        (3, {"a": [1], "b": [2]}, 0),
    ],
)
def test_a_letter_comes_again_once_for_each_death_over_it(copies: int, lost: dict[str, list[int]], problems: int):
    assert len(list(checks._too_often({"<a>": copies}, {"<a>": {1, 2}}, lost))) == problems


@pytest.mark.django_db
def test_leases_that_ran_out_without_a_death_would_be_noticed():
    assert twice(2, {"a": [1], "b": [2]}, deaths=1)


@pytest.mark.django_db
def test_a_lease_that_nobody_saw_before_the_clock_was_turned_is_excused():
    assert not twice(2, {"a": [1], "b": [2]}, deaths=1, seen={"a"})


# actions


def judged(game: Game, players: set[int], entries: list[Entry]) -> list[str]:
    """What the check of actions finds wrong."""
    asked = SimpleNamespace(ledger=Ledger(entries))
    found = SimpleNamespace(numbers=Counter())
    return list(checks._actions(asked, {game.public_id: Reading(game)}, {7: players}, found))


def sent(game: Game, text: str, status: int, request_id: uuid.UUID) -> Entry:
    return Entry(7, f"/g/{game.public_id}/act/", {}, str(request_id), "act", status=status, sent=1, text=text)


@pytest.mark.django_db
def test_an_action_that_is_lost_invented_or_somebody_elses_would_be_noticed():
    player = person(name="Anna")
    game = laid(player)
    sit(game, player)
    wait_for_worker(game, player)
    given = uuid.uuid4()
    action = advised(game, player)
    submit(game, player, action, request_id=given)
    game.refresh_from_db()
    mine = {player.pk}
    good = sent(game, action, 303, given)
    others = [row for row in game.actions.exclude(request_id=None) if row.player == player and row.request_id != given]
    rest = [sent(game, row.text, 303, row.request_id) for row in others]
    for entry in rest:
        entry.path = entry.path.replace("act", "ready")
    assert judged(game, mine, [good, *rest]) == []
    assert judged(game, mine, [sent(game, action, 422, given), *rest])  # refused, and done all the same
    too_late = sent(game, action, 403, given)
    assert judged(game, mine, [too_late, *rest])
    too_late.sent = 2  # the first answer was lost, and then the session had ended
    assert judged(game, mine, [too_late, *rest]) == []
    assert judged(game, mine, [good, sent(game, action, 303, uuid.uuid4()), *rest])  # accepted, and lost
    assert judged(game, mine, [sent(game, "cut 1", 303, given), *rest])  # done otherwise than it was said
    assert judged(game, mine, rest)  # nobody had sent it
    assert judged(game, {0}, [good, *rest])  # somebody else had


# turns


def owed(game: Game, *but: int) -> list[str]:
    """What the check finds wrong with turns in a game that goes on, if these notices had never been written."""
    witness = Witness()
    witness.look()
    for key in but:
        del witness.notices[key]
    village = SimpleNamespace(witness=witness)
    found = checks._owed(village, {game.public_id: Reading(game)}, SimpleNamespace(numbers=Counter()))
    return [line for line in found if "of the turn" in line]  # it is not over


@pytest.mark.django_db
def test_a_turn_that_nobody_was_told_of_would_be_noticed_unless_they_come_back_with_the_move(
    monkeypatch: pytest.MonkeyPatch,
):
    with pace_kit.turned(monkeypatch) as clock:
        game = pace_kit.table(pace_kit.people())
        anna = pace_kit.asked(game)
        clock.to(pace_kit.due(game))
        timing.time_out(game.pk, expected=game.number)
        pace_kit.work_at(clock.now)
        pace_kit.until(game, anna)
        pace_kit.act(game)  # before the computer player that sits in for her
        beat = pace_kit.act(game)
    game = pace_kit.fresh(game)
    assert [text for text in pace_kit.texts(game) if text != "rhythm"] == ["absent", "returned"]
    assert owed(game) == []
    moved = game.actions.filter(kind="move", player=beat).last()
    notices = Outbox.objects.filter(event="game.turn", player=beat).order_by("-pk")
    told = next(row for row in notices if row.params["number"] < moved.number)  # another if they are asked again
    assert owed(game, told.pk) == [
        f"game {game.public_id}: nobody told player {beat.pk} of the turn before {moved.number}"
    ]
