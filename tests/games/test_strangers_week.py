"""A stranger's week: who signs up on a Monday with nobody there, opens a table of days, and what everybody is told until Sunday.

`pytest -s` prints every letter and message in order, to be read one by one.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail as post
from django.utils import timezone

from accounts.models import Player
from games.lobby.services import tables
from games.models import Game
from games.mygames import services as mygames
from games.table import notifications
from notices import delivery, preferences, push, selectors
from notices.models import Delivery, Outbox, Preference
from tests.games import lobby_kit, pace_kit
from tests.games.table_kit import advised, submit
from tests.long import quick
from tests.notices import post_office
from tests.notices.post_office import Browser

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 6, 1, 7, tzinfo=UTC)  # nine in Zurich
TICK = timedelta(hours=1)
LOOKS = (8, 13, 19)
"""The hours at which those who play look in."""


class Week:
    """Some people, their clock, and what has reached them."""

    def __init__(self, clock: pace_kit.Turned, browser: Browser, language: str) -> None:
        self.clock, self.browser = clock, browser
        self.people = [post_office.member(name, bot_speed="at-once") for name in ("Mengia", "Beat", "Clau", "Duri")]
        for player in self.people:
            Preference.objects.create(player=player, language=language)
        beat = self.people[1]
        push.subscribe(beat, browser.endpoint, browser.p256dh, browser.auth, language=language, device="")
        self.heard: list[tuple[str, str, str]] = []
        self.carried: set[int] = set()

    def work(self) -> None:
        """Let the worker and the courier do what is due, and note what went out, with whether it was true."""
        for _round in range(20):
            if not pace_kit.work_at(self.clock.now):
                break
        letters, messages = len(post.outbox), len(self.browser.bodies)
        delivery.deliver_due(self.clock.now)
        for row in Delivery.objects.filter(state="sent").exclude(pk__in=self.carried).order_by("pk"):
            self.carried.add(row.pk)
            self.heard.append((row.player.name, row.outbox.event, str(row.channel)))
            if row.outbox.event.startswith("game."):
                assert notifications.still_true(row.outbox.event, row.outbox.params, row.player)
        at = f"{timezone.localtime(self.clock.now):%a %H:%M}"
        for letter in post.outbox[letters:]:
            print(
                f"\n=== {at} letter to {letter.to[0]}\nSubject: {letter.subject}\n{letter.body.partition('-- ')[0].strip()}"
            )
        for number in range(messages, len(self.browser.bodies)):
            print(f"\n=== {at} message to Beat\n{self.browser.read(number)}")

    def until(self, hour: int, day: int = 0, act: Callable[[], object] = lambda: None) -> None:
        """Let time pass, tick by tick, up to an hour of a day of the week (Zurich); `act` is called at each hour."""
        goal = (MONDAY + timedelta(days=day)).replace(hour=hour - 2)
        while self.clock.now < goal:
            self.clock.now += TICK
            act()
            self.work()


def look_in(week: Week, game: Game, players: list[Player]) -> None:
    """Who plays looks in a few times a day, plays while asked, and goes away."""
    if timezone.localtime(week.clock.now).hour not in LOOKS:
        return
    for player in players:
        preferences.note_looking(player, game.public_id)
        for _action in range(12):
            week.work()
            fresh = pace_kit.fresh(game)
            if fresh.status != "playing" or fresh.to_act is None or pace_kit.asked(game) != player:
                break
            submit(fresh, player, advised(fresh, player))
        mygames.note(pace_kit.fresh(game), player, pace_kit.fresh(game).number, done=True)
        preferences.forget_looking(player, game.public_id)


@pytest.mark.parametrize("language", quick({"de"}, ["en", "de"]))
@pytest.mark.slow
def test_nothing_is_missing_stale_or_told_twice(monkeypatch, settings, language):
    settings.PUSH_TO_LOOPBACK = True
    with post_office.push_service() as push_service, pace_kit.turned(monkeypatch, MONDAY) as clock:
        week = Week(clock, push_service.browser(), language)
        mengia, beat, clau, duri = week.people
        table = lobby_kit.lay(mengia)
        week.until(18)
        lobby_kit.join(table, beat)
        week.until(8, day=1)
        tables.invite(table.pk, mengia, duri, request_id=uuid.uuid4())
        lobby_kit.join(table, clau)
        week.until(12, day=1)
        lobby_kit.join(table, duri)  # and is never seen again
        table.refresh_from_db()
        week.until(20, day=6, act=lambda: look_in(week, table.game, [mengia, beat, clau]))

    told = Counter((name, event) for name, event, _channel in week.heard)
    assert told["Mengia", "table.joined"] == 2
    assert told["Duri", "table.invited"] == 1
    assert {name for name, event in told if event == "table.started"} <= {"Mengia", "Beat", "Clau"}
    # Beat has a device: no letter tells what it has shown.
    assert {channel for name, _event, channel in week.heard if name == "Beat"} == {"push"}
    # Each notice reaches each of them once.
    rows = Delivery.objects.filter(state="sent", told_before=False).values_list("outbox", "player", "subscription")
    assert len(rows) == len(set(rows))
    # Who does not come is reminded, and told at the end that another acts; so are the others, but for who sees it there.
    assert told["Duri", "game.deadline"] >= 1
    assert told["Duri", "game.timeout"] == 1
    assert all(told[player.name, "game.timeout"] <= 1 for player in (mengia, beat, clau))
    # What was told to nobody had been seen to, or was shown by a device.
    reasons = set(Delivery.objects.filter(state="dropped").values_list("reason", flat=True))
    assert reasons <= {"superseded", "no longer true", "read already", "shown by a device"}
    assert not Delivery.objects.filter(state="given-up").exists()
    # Nothing waits unread that is over, for those who looked in.
    for player in (mengia, beat, clau):
        assert selectors.unread(player) <= 1
        unread = Outbox.objects.filter(player=player, shown=True, read_at__isnull=True)
        assert set(unread.values_list("event", flat=True)) <= {"game.turn", "game.deadline"}
