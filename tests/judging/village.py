"""The run: people come and go in several threads while the conductor turns the clock and kills what runs."""

from __future__ import annotations

import logging
import math
import random
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count

from tests.judging.archive import Archive
from tests.judging.bells import Bells
from tests.judging.clock import SharedClock
from tests.judging.lobby import Guest, Waiting
from tests.judging.offices import PostOffice
from tests.judging.people import Person
from tests.judging.sites import House
from tests.judging.wire import Closed, Device, Gone, Ledger
from tests.judging.witness import Witness

logger = logging.getLogger(__name__)

_FIRST = [
    "Anna",
    "Beat",
    "Clau",
    "Duri",
    "Emma",
    "Flurin",
    "Gieri",
    "Hanna",
    "Ida",
    "Jon",
    "Karin",
    "Luis",
    "Maria",
    "Nesa",
    "Onna",
    "Paul",
    "Rita",
    "Seraina",
    "Tina",
    "Ursin",
]
_LANGUAGES = ("en", "en", "de", "rm-sursilv")
_SETTLES = 0.7
"""Seconds for which workers and couriers get to look, after the clock was turned."""
_OVERSLEEP = 4.0
"""Seconds after which a courier that has not got on with what it has in hand is taken to be dead."""
_BUSY = 40.0
"""Seconds for which the clock is not turned because couriers are busy."""
_BEHIND = 20.0
"""Seconds for which the clock is not turned because workers are behind."""
_PATIENCE = 12.0
"""Seconds a host waits for people before beginning."""
_LONGEST = 2400.0
"""Seconds until it is given up that all games begin, or that they end."""
_SMALL = 20
_LEAVE = 0.004
"""How likely a visit ends with somebody leaving one of their games for good."""


@dataclass(slots=True)
class Plan:
    """How large a run is. `seconds` is for the part with people; what follows takes what it takes."""

    games: int
    seconds: float
    threads: int
    people: int
    kill_every: float
    """Seconds between two kills, more or less; 0: nobody is killed."""


@dataclass(slots=True)
class Village:
    """All that a run shares."""

    plan: Plan
    house: House
    clock: SharedClock
    post_office: PostOffice
    witness: Witness
    seed: int
    archive: Archive = field(init=False)
    bells: Bells = field(init=False)
    ledger: Ledger = field(default_factory=Ledger)
    people: list[Person] = field(default_factory=list)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    wanted: deque[tuple[str, int]] = field(default_factory=deque)
    combinations: list[tuple[str, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    visits: int = 0
    leaps: int = 0
    power_cuts: int = 0
    overslept: set[str] = field(default_factory=set)
    """The leases of couriers that were still busy when the clock was turned all the same."""
    seen: set[str] = field(default_factory=set)
    """The leases of couriers that were seen before the clock was turned. Who took something after that look, and was still
    busy when it was turned, could not be waited for."""
    _in_hand: dict[str, tuple[int, float, int]] = field(default_factory=dict)
    """What couriers were last seen to hold: of each lease how much, since when so much, and how many deaths there had been
    when it was not there yet."""
    _deaths_seen: int = 0
    over: bool = False
    quiet: bool = False
    """Nobody lays tables any more, nobody is killed: what goes on is played to its end."""

    def __post_init__(self) -> None:
        self.archive = Archive(self.house.folder / "archive")
        self.bells = Bells(self.house, self.archive, self.clock.now, random.Random(self.seed + 1))

    def expect(self, ok: bool, problem: str) -> None:
        """Note a problem unless `ok`."""
        if not ok:
            self.problems.append(problem)

    # people

    def settle(self, combinations: list[tuple[str, int]]) -> None:
        """Make the people, and what they shall play: every ruleset at every size, again and again."""
        chance = random.Random(self.seed)
        for key in range(self.plan.people):
            name = f"{_FIRST[key % len(_FIRST)]} {chr(65 + key // len(_FIRST))}{chr(97 + key % 17)}{chr(97 + key % 13)}"
            member = chance.random() < 0.75
            email = f"person{key}@example.org" if member else ""
            own = random.Random(chance.getrandbits(64))
            language = chance.choice(_LANGUAGES)
            person = Person(key, name, email, [], own, language, reads=chance.choice([0.05, 0.1, 0.3]))
            for _ in range(2 if member and chance.random() < 0.25 else 1):
                address = f"10.{key // 250}.{key % 250}.7"
                device = Device(
                    self.house, self.archive, self.ledger, key, address, self.clock.now, own,
                    cookies={"language": language},
                )  # fmt: skip
                person.devices.append(device)
            self.people.append(person)
        self.combinations = list(combinations)
        chance.shuffle(self.combinations)
        while len(self.wanted) < self.plan.games:
            self.wanted.extend(self.combinations[: self.plan.games - len(self.wanted)])

    def some_members(self, but: Person, number: int) -> list[Person]:
        """Some people with accounts."""
        found = [person for person in self.people if person.email and person is not but and person.signed_up]
        return but.chance.sample(found, min(number, len(found)))

    # visits

    def live(self, number: int) -> None:
        """One thread: one visit after the other, by whoever is not busy, until the run is over."""
        chance = random.Random(self.seed * 1000 + number)
        while not self.over:
            person = self._somebody(chance)
            device = chance.choice(person.devices)
            if not device.busy.acquire(blocking=False):
                continue
            try:
                busy = self._visit(person, device, chance)
                self.visits += 1
                time.sleep(0 if busy else chance.uniform(0.2, 0.8))
            except Closed:
                pass
            except Gone:
                time.sleep(0.3)
            except Exception:
                self.problems.append("a visitor stumbled:\n" + traceback.format_exc())
            finally:
                if chance.random() < 0.3:
                    device.hang_up()
                device.busy.release()

    def _somebody(self, chance: random.Random) -> Person:
        """Rather somebody for whom a bell rang."""
        hot = [person for person in self.people if person.hot and not person.gone]
        if hot and chance.random() < 0.7:
            person = chance.choice(hot)
            person.hot = False
            return person
        here = [person for person in self.people if not person.gone]
        return chance.choice(here or self.people)

    def _visit(self, person: Person, device: Device, chance: random.Random) -> bool:
        """One visit; whether there was anything to do."""
        guest = Guest(self, person, device)
        if self.quiet:
            return guest.visit()
        busy = True
        draw = chance.random()
        if self.wanted and draw < 0.35 and len(self.waiting) < 30:
            try:
                ruleset, size = self.wanted.popleft()
            except IndexError:
                return False
            paces = ["live", "fast", "day", "day", "brisk", "slow"]
            # The slowest take months to their end, and a small run shall not.
            pace = chance.choice(paces if self.plan.games > _SMALL else paces[:-1])
            if not guest.lay(ruleset, size, pace):
                self.wanted.append((ruleset, size))
        elif self.waiting and draw < 0.65:
            self._around_tables(person, guest, chance)
        else:
            busy = guest.visit()
            if chance.random() < _LEAVE and person.games:
                guest.leave(chance.choice(sorted(person.games)))
                person.hot = True
        if chance.random() < 0.002:
            person.gone = True  # nobody knows why
        return busy

    def _around_tables(self, person: Person, guest: Guest, chance: random.Random) -> None:
        tables = list(self.waiting.values())
        own = [table for table in tables if table.host is person]
        late = [table for table in own if time.monotonic() - table.laid_at > _PATIENCE]
        if late:
            guest.begin(late[0])
        elif own and chance.random() < 0.5:
            guest.look(own[0].public_id)
        else:
            guest.join(chance.choice(tables).public_id)

    # the conductor

    def run(self) -> None:
        """Let everything happen until all games have ended and nothing is to be told any more."""
        chance = random.Random(self.seed + 2)
        self.post_office.kill = lambda: chance.choice(self.house.programs).kill()
        threads = [
            threading.Thread(target=self.live, args=(number,), name=f"visitor-{number}", daemon=True)
            for number in range(self.plan.threads)
        ]
        for thread in threads:
            thread.start()
        try:
            self._with_people(chance)
            self._to_the_end(chance)
        finally:
            self.over = True
            for thread in threads:
                thread.join(60)
            self.post_office.kill = None
        self._told(chance)
        self.bells.close()

    def _with_people(self, chance: random.Random) -> None:
        """People play; first by the real clock, so that live games are played, then days pass in between."""
        begun, kill_at, leap_at = time.monotonic(), self._later(chance), time.monotonic() + 4
        while True:
            since = time.monotonic() - begun
            passed, missing = since / self.plan.seconds, self.plan.games - self.witness.games()
            if (passed > 1 and missing <= 0) or since > max(_LONGEST, self.plan.seconds):
                return
            self.house.revive()
            self.witness.look()
            if missing > 0 and not self.wanted and not self._filling():
                self.wanted.extend(chance.sample(self.combinations, min(missing, len(self.combinations))))
            if time.monotonic() > kill_at:
                self._kill(chance)
                kill_at = self._later(chance)
            if time.monotonic() > leap_at:
                early = passed < 0.4 or missing > 0  # tables that wait shall not run out of time all together
                self._leap(chance.uniform(2, 60) if early else chance.choice([300, 3600, 6 * 3600, 20 * 3600]))
                leap_at = time.monotonic() + max(1.5, self.plan.seconds / 150)
            time.sleep(0.4)

    def _filling(self) -> bool:
        """Whether a table was laid lately. One that its host has forgotten, or that nobody may join, waits for days, and
        while days do not pass yet nothing would come of it."""
        return any(time.monotonic() - table.laid_at < 4 * _PATIENCE for table in list(self.waiting.values()))

    def _later(self, chance: random.Random) -> float:
        if not self.plan.kill_every:
            return math.inf
        longest = max(2.0, self.plan.seconds / 4)
        return time.monotonic() + min(longest, self.plan.kill_every * chance.uniform(0.4, 1.6))

    def _kill(self, chance: random.Random) -> None:
        """Kill one program, or all; who is away for a moment comes back."""
        if chance.random() < 0.2:
            self.house.kill_all()
            self.power_cuts += 1
        else:
            self.house.kill_one(chance)
        time.sleep(chance.uniform(0.0, 1.0))
        self.house.revive()

    def _leap(self, seconds: float) -> None:
        self._let_couriers_come_home()
        self.witness.look()
        self.clock.turn_on(timedelta(seconds=seconds))
        self.leaps += 1

    def _let_couriers_come_home(self) -> None:
        """Wait for who carries something: a courier that oversleeps its lease sends what another has sent, and only who
        dies over a letter may do that here. Who has died does not get on with it, and is not waited for; where nobody has
        died since, it is only slow."""
        begun = time.monotonic()
        while True:
            self.house.revive()
            now, deaths, before = time.monotonic(), self.house.deaths, self._in_hand
            self._in_hand = {}
            for lease, number in self.witness.carried().items():
                self.seen.add(lease)
                held, since, deaths_then = before.get(lease, (0, now, self._deaths_seen))
                self._in_hand[lease] = (number, since if held == number else now, deaths_then)
            self._deaths_seen = deaths
            moving = {
                lease
                for lease, (_number, since, deaths_then) in self._in_hand.items()
                if now - since < _OVERSLEEP or deaths == deaths_then
            }
            if not moving:
                return
            if now - begun > _BUSY:
                self.overslept |= moving
                return
            time.sleep(0.05)

    def _to_the_end(self, chance: random.Random) -> None:
        """The people still look in, but nothing new begins; days pass until every game has ended."""
        self.quiet = True
        for person in self.people:
            person.gone = person.gone or person.chance.random() < 0.3
        end = time.monotonic() + max(_LONGEST, self.plan.seconds)
        for number in count():
            self.house.revive()
            self.witness.look()
            if not self.witness.playing() and not self.witness.waiting_tables():
                return
            if time.monotonic() > end:
                self.problems.append(f"{self.witness.playing()} games have not ended")
                return
            self._leap(chance.choice([24, 48, 72, 96]) * 3600 if number % 6 else 60)
            self._let_workers_catch_up()

    def _let_workers_catch_up(self) -> None:
        """Wait until the games that are due have been seen to. Where a machine is slow, months passed over the same moves
        otherwise, and the couriers' daily letters of those months held up the moves still more."""
        begun = time.monotonic()
        time.sleep(_SETTLES)
        while self.witness.behind() and time.monotonic() - begun < _BEHIND:
            self.house.revive()
            time.sleep(_SETTLES)

    def _told(self, chance: random.Random) -> None:
        """Days pass until nothing is to be told any more."""
        for number in range(90):
            self.house.revive()
            self.witness.look()
            if number > 3 and not self.witness.untold():
                return
            self._leap(chance.choice([6, 12]) * 3600)
            time.sleep(_SETTLES)

    # what was seen in passing

    def note(self, what: Callable[[], object]) -> None:
        """Do something whose failure is a problem, not the end."""
        try:
            what()
        except Exception:
            self.problems.append(traceback.format_exc())
