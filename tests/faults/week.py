"""`python -m tests.faults.week --minutes 20`: a week of play, an evening and editing in some minutes, with all faults at random.

A site as `deploy/` has it, two processes that serve and two that work, on a PostgreSQL and a Redis of its own, behind a proxy
that sends some forms twice or late. People play by forms with a turned clock (`tests.judging`), programs by the API, a club
holds an evening with phones (`tests.tournaments.evenings`), somebody edits the encyclopedia. Meanwhile, drawn from the seed:
servers and workers are killed, all at once too; PostgreSQL is ended, or crashes; connections are cut in the middle of a
transaction; Redis is gone for a while; writers have to wait; the disk is full (where root may mount a small one). With
`--sqlite` one process that serves and one that works, and the faults that there are then.

Afterwards every action that was answered is in its log exactly once and nothing else is, `manage.py verify` finds nothing,
and no answer was 5xx but while the database was away. Exit status 0 if nothing was wrong.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.faults.proxy import Failure, Proxy
from tests.faults.servers import PostgreSQL, Redis
from tests.judging.sites import House

AFTER = 8.0
"""Seconds after a fault in which somebody may still be answered that it broke: who had to wait for what is gone."""
DISK = 900
"""Megabytes of the small disk; nothing fills it but the fault."""
EDITED = "overview"


@dataclass(slots=True)
class Part:
    """What people connect to: the proxy, in place of a server."""

    port: int

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"


@dataclass(slots=True)
class Front(House):
    """The site behind its proxy. `broken` are times (on the wall) in which the database was away."""

    proxy: Proxy | None = None
    broken: list[tuple[float, float]] = field(default_factory=list)
    without_redis: list[tuple[float, float]] = field(default_factory=list)
    """In which the log may say so; nobody is answered worse."""
    breaks: int = 0
    """How often something happened that ends what all processes are at, without killing them."""

    def server(self, chance: random.Random) -> Any:
        """The proxy: it chooses."""
        assert self.proxy is not None
        return Part(self.proxy.port)

    @property
    def deaths(self) -> int:
        """How often somebody may have been stopped over what they had in hand."""
        return sum(program.deaths for program in self.programs) + self.breaks * len(self.programs)

    def excused(self, begun: float, ended: float) -> bool:
        """Whether the database was away between two moments."""
        return _overlaps(self.broken, begun, ended)

    def logs(self) -> str:
        """What the programs have written, but for the times in which the database or Redis was away."""
        away = [*self.broken, *self.without_redis]
        kept = []
        for program in self.programs:
            fine = True
            text = program.log.read_text(encoding="utf-8", errors="replace") if program.log.exists() else ""
            for line in text.splitlines(keepends=True):
                if found := re.match(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d{3} ", line):
                    at = datetime.fromisoformat(found[1]).timestamp()  # as the programs' clocks on the wall
                    fine = not _overlaps(away, at - 1, at + 1)
                if fine:
                    kept.append(line)
        return "".join(kept)


def _overlaps(times: list[tuple[float, float]], begun: float, ended: float) -> bool:
    return any(begun < last + AFTER and first < ended for first, last in times)


@dataclass(slots=True)
class Club:
    """What an evening needs to know of a site."""

    house: Front

    @property
    def port(self) -> int:
        """Of the proxy."""
        return self.house.server(random.Random()).port

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Read with all other logs at the end."""
        return ""

    def manage(self, *arguments: str) -> str:
        """Run a management command; its output."""
        return self.house.manage(*arguments)


@dataclass
class Faults:
    """What can go wrong, each for a few seconds; done by one thread, one after the other."""

    house: Front
    postgresql: PostgreSQL | None
    redis: Redis | None
    small_disk: Path | None
    happened: Counter[str] = field(default_factory=Counter)

    def all(self) -> list[Callable[[random.Random], None]]:
        """Those that can happen here."""
        found: list[Callable[[random.Random], None]] = [self.kill_one, self.kill_one, self.power_cut, self.slow]
        if self.postgresql is not None:
            found += [self.database_ends, self.cut, self.cut]
        if self.redis is not None:
            found.append(self.redis_gone)
        if self.small_disk is not None:
            found.append(self.disk_full)
        return found

    def one(self, chance: random.Random) -> None:
        """Any of them."""
        from django.db import connection

        fault = chance.choice(self.all())
        self.happened[fault.__name__] += 1
        fault(chance)
        connection.close()  # it may have been cut as well

    @contextmanager
    def _broken(self) -> Iterator[None]:
        begun = time.time()
        self.house.broken.append((begun, float("inf")))
        try:
            yield
        finally:
            self.house.broken[-1] = (begun, time.time())
            self.house.breaks += 1

    def kill_one(self, chance: random.Random) -> None:
        self.house.kill_one(chance)
        time.sleep(chance.uniform(0, 1))
        self.house.revive()

    def power_cut(self, chance: random.Random) -> None:
        self.house.kill_all()
        time.sleep(chance.uniform(0, 2))
        self.house.revive()

    def database_ends(self, chance: random.Random) -> None:
        assert self.postgresql is not None
        with self._broken():
            self.postgresql.stop(chance.choice((signal.SIGINT, signal.SIGQUIT)))
            time.sleep(chance.uniform(0, 6))
            self.postgresql.start()

    def cut(self, chance: random.Random) -> None:
        """As soon as somebody is in the middle of a transaction."""
        assert self.postgresql is not None
        with self._broken():
            for _try in range(200):
                if self.postgresql.cut(only_in_transaction=chance.random() < 0.999):
                    return
                time.sleep(0.01)

    def redis_gone(self, chance: random.Random) -> None:
        assert self.redis is not None
        begun = time.time()
        self.house.without_redis.append((begun, float("inf")))
        self.redis.kill()
        time.sleep(chance.uniform(1, 8))
        self.redis.start()
        self.house.without_redis[-1] = (begun, time.time())

    def slow(self, chance: random.Random) -> None:
        """Writers have to wait for some seconds; waiting may break nothing."""
        seconds = chance.uniform(2, 6)
        if self.postgresql is None:
            with closing(sqlite3.connect(self.house.folder / "site.sqlite3", timeout=60, isolation_level=None)) as lock:
                lock.execute("BEGIN IMMEDIATE")
                time.sleep(seconds)
                lock.execute("ROLLBACK")
            return
        import psycopg

        with psycopg.connect(self.house.own_database) as other, other.transaction():
            other.execute("LOCK TABLE games_action, tournaments_tournamentevent IN EXCLUSIVE MODE")
            time.sleep(seconds)

    def disk_full(self, chance: random.Random) -> None:
        assert self.small_disk is not None
        filling = self.small_disk / "filling"
        with self._broken():
            with suppress(OSError), filling.open("wb") as file:
                while True:
                    file.write(bytes(1 << 16))
                    file.flush()
            time.sleep(chance.uniform(2, 6))
            filling.unlink()
            if self.postgresql is not None:
                self.postgresql.restart()  # it ends by itself where its log has no room


def week_of(given: argparse.Namespace, house: Front, faults: Faults, post_office: Any, clock: Any) -> Any:
    """The village, its evening, its editor and its programs, under all faults."""
    from tests.judging.archive import Archive
    from tests.judging.bells import Bells
    from tests.judging.people import Person
    from tests.judging.village import Plan, Village
    from tests.judging.wire import Closed, Entry
    from tests.judging.witness import Witness

    class Week(Village):
        """Its people, and who else is busy until the clock leaps."""

        def __post_init__(self) -> None:
            self.archive = Archive(given.folder / "archive")  # not on the disk that may be full
            self.bells = Bells(self.house, self.archive, self.clock.now, random.Random(self.seed + 1))
            self.evening: Any = None
            self.evening_held = False
            self.edits: list[str] = []
            self.api: Counter[str] = Counter()
            self.busy: list[threading.Thread] = []

        def go(self) -> None:
            """Begin what is done beside playing."""
            for what in (self.hold_evening, self.edit, self.play_by_program, self.play_by_program):
                thread = threading.Thread(target=self._try, args=(what,), name=what.__name__, daemon=True)
                self.busy.append(thread)
                thread.start()

        def _try(self, what: Callable[[], None]) -> None:
            try:
                what()
            except Exception:
                self.problems.append(f"{what.__name__}:\n" + traceback.format_exc())

        def hold_evening(self) -> None:
            from tests.tournaments.evenings.evening import Evening
            from tests.tournaments.evenings.evening import Plan as Evenings
            from tests.tournaments.evenings.helpers import Helper

            self.evening = Evening(Club(house), Evenings(given.evening, rounds=2, deals=2, kills=(), seed=self.seed))
            # A tap can be taken back for some seconds, and the database may be away for longer.
            with patch.object(Helper, "pay_by_mistake", lambda _helper, _entrant: None):
                self.evening.hold()
            self.evening_held = True

        def _early(self) -> bool:
            return not self.quiet and any(thread.is_alive() for thread in self.busy[:1])

        def edit(self) -> None:
            """Publish one summary of an article after the other, until the evening is over."""
            from tests.faults import test_processes
            from tests.games.test_sockets import Browser

            browser, number = Browser(Club(house)), 0
            browser.jar.set_cookie(test_processes.cookie("sessionid", _retried(test_processes.editor)))
            while self._early():
                number += 1
                try:
                    test_processes.edit(browser, number)
                except (OSError, http.client.HTTPException) as why:
                    if isinstance(why, urllib.error.HTTPError):
                        why.close()
                        if why.code not in (409, 422, 429):  # who comes second, also after oneself, is asked
                            raise
                    time.sleep(0.5)
                else:
                    self.edits.append(f"How it is played, {number}")
                time.sleep(1)

        def play_by_program(self) -> None:
            """A program plays games by the API, one after the other; what it was answered stands in the ledger."""
            from accounts import tokens
            from accounts.models import Player, User
            from docs import example_player

            chance = random.Random(self.seed + len(self.people))
            key = 10_000 + threading.get_ident() % 10_000
            email = f"program{key}@example.org"

            def token() -> str:
                user = User.objects.create_user(email)
                player, _made = Player.objects.get_or_create(user=user)
                Player.objects.filter(pk=player.pk).update(name=f"Program {key}")
                return tokens.issue_token(player, "week", [tokens.PLAY])[1]

            outer = self

            class Site(example_player.Site):
                def say(self, path: str, **body: Any) -> Any:
                    request_id = str(uuid.uuid4())
                    kind = path.rsplit("/", 1)[-1]
                    game = path.split("/")[2] if path.count("/") > 2 else ""
                    entry = Entry(key, f"/g/{game}/{kind}/", {}, request_id, kind, text=body.get("action", ""))
                    outer.ledger.open(entry)
                    while not outer.over:
                        entry.sent += 1
                        try:
                            answer = self.ask(path, {"request_id": request_id, **body})
                        except (OSError, http.client.HTTPException, SystemExit):
                            time.sleep(0.5)
                            continue
                        except example_player.Refused as refused:
                            entry.status = refused.problem["status"]
                            raise
                        entry.status = 200
                        outer.api[kind] += 1
                        return answer
                    raise Closed

            site = Site(f"http://127.0.0.1:{Club(house).port}", _retried(token))
            self.people.append(Person(key, f"Program {key}", email, [], chance, gone=True))
            while self._early():
                with suppress(OSError, http.client.HTTPException, SystemExit, Closed):
                    site.ask("/me", {"computers_speed": "at-once"}, "PATCH")
                    game = site.ask("/games", {"ruleset": chance.choice(["troccas", "troggu"])})
                    while game["status"] == "playing" and self._early():
                        game = example_player.act(site, site.ask("/games/" + game["public_id"]), chance)
                        time.sleep(0.2)

        def _kill(self, chance: random.Random) -> None:
            faults.one(chance)

        def _leap(self, seconds: float) -> None:
            # An evening and a program do not wait for days.
            if not self._early():
                super()._leap(seconds)

        def _with_people(self, chance: random.Random) -> None:
            while True:
                super()._with_people(chance)
                if not any(thread.is_alive() for thread in self.busy):
                    return
                self.plan.seconds += 30

        def _to_the_end(self, chance: random.Random) -> None:
            """First the evening is judged: nothing breaks any more."""
            self.quiet = True
            self.post_office.kill = None
            self.house.revive()
            while not all(server.answers() for server in self.house.servers):
                time.sleep(0.1)
            self._judge_evening()
            super()._to_the_end(chance)

        def _judge_evening(self) -> None:
            from tests.tournaments.evenings.judge import Judge

            if not self.evening_held:
                return  # and why not stands among the problems
            try:
                self.evening.secretary.sign_in()
                Judge(self.evening).judge()
            except Exception:
                self.problems.append("the evening cannot be judged:\n" + traceback.format_exc())
            self.evening.close()
            self.problems += [f"evening: {what}" for what in self.evening.wrong]

    witness = Witness()
    witness.settle()
    house.start()
    people = max(12, given.games * 2 // 3)
    plan = Plan(given.games, given.minutes * 60, given.threads, people, given.every)
    return Week(plan, house, clock, post_office, witness, given.seed)


def _retried(what: Callable[[], str]) -> str:
    """Do something on the database by oneself, where it may be away."""
    from django.db import Error, connection

    while True:
        try:
            return what()
        except Error:
            connection.close()
            time.sleep(1)


def judge(week: Any, house: Front, failures: list[Failure]) -> tuple[Counter[str], list[str]]:
    """What is wrong, on the stopped site."""
    from rules.models import Revision
    from tests.judging import checks

    judged = checks.Judged()
    checks.judge(week, judged)
    wrong = judged.wrong
    said = house.manage("verify").strip().splitlines()
    if said[-1] != "0 differences.":
        wrong += [f"verify: {line}" for line in said]
    rows = Revision.objects.filter(entry__key=EDITED, entry__language="en").exclude(author=None).order_by("number")
    published = Counter(row.document["summary"] for row in rows)
    wrong += [
        f"the edit {edit!r} was answered and stands {published[edit]} times"
        for edit in week.edits
        if published[edit] != 1
    ]
    wrong += [f"the edit {edit!r} stands {times} times" for edit, times in published.items() if times > 1]
    open_ended = [failure for failure in failures if not house.excused(failure.begun, failure.ended)]
    wrong += [f"{failure.what}, while nothing was away" for failure in open_ended]
    judged.numbers["edits answered"] = len(week.edits)
    judged.numbers["answers 5xx while the database was away"] = len(failures) - len(open_ended)
    judged.numbers |= Counter({f"by the API: {kind}": number for kind, number in week.api.items()})
    return judged.numbers, wrong


def grouped(wrong: list[str]) -> list[list[str]]:
    """What differs in numbers and names of games alone stands together, the rarest first."""
    found: dict[str, list[str]] = {}
    for line in wrong:
        found.setdefault(re.sub(r"\b[0-9a-z]*\d[0-9a-z]*\b|\W+", " ", line)[:200], []).append(line)
    return sorted(found.values(), key=len)


def main() -> int:
    """Run and judge; 1 if something was wrong."""
    given = _arguments()
    print(f"seed {given.seed}", flush=True)
    postgresql = redis = disk = None
    given.folder = folder = Path(tempfile.mkdtemp(prefix="troccas-week-"))
    house = Front(mail_port=0)
    if given.sqlite:
        disk = _small_disk(house.folder)
    else:
        house.servers_wanted = house.workers_wanted = 2
        postgresql, redis = PostgreSQL(), Redis(folder)
        disk = _small_disk(postgresql.folder)
        postgresql.make()
        postgresql.start()
        redis.start()
        house.postgres, house.redis = postgresql.url, redis.url
    try:
        return _run(given, house, Faults(house, postgresql, redis, disk))
    finally:
        if given.keep:
            house.stop()
            shutil.copytree(house.folder, folder, symlinks=True, dirs_exist_ok=True)
            if postgresql is not None:
                postgresql.dump(house.own_database, folder / "site.sql")
            print(f"kept: {folder}")
        house.remove()
        if postgresql is not None and redis is not None:
            postgresql.remove()
            redis.kill()
        if disk is not None:
            subprocess.run(["umount", "--lazy", str(disk)], check=False)
            shutil.rmtree(disk, ignore_errors=True)
        if not given.keep:
            shutil.rmtree(folder, ignore_errors=True)


def _small_disk(place: Path) -> Path | None:
    """Lay a small disk over a folder; None where that is not allowed."""
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=0700", "tmpfs", str(place)]
    done = subprocess.run(mounting, check=False, capture_output=True) if os.geteuid() == 0 else None
    if done is None or done.returncode:
        print("the disk cannot be filled here: no small one can be mounted", flush=True)
        return None
    return place


def _run(given: argparse.Namespace, house: Front, faults: Faults) -> int:
    from tests.judging.__main__ import _live_in, combinations

    _live_in(house)
    import django

    django.setup()
    from tests.judging.clock import SharedClock
    from tests.judging.keeping import keep
    from tests.judging.offices import PostOffice

    post_office = PostOffice(random.Random(given.seed + 7), how_often=0.01)
    house.mail_port = post_office.port
    clock = SharedClock(house.folder / "clock")
    house.proxy = Proxy(lambda: [server.port for server in house.servers], random.Random(given.seed + 9))
    begun = time.monotonic()
    try:
        house.prepare()
        week = week_of(given, house, faults, post_office, clock)
        week.settle(combinations())
        week.go()
        week.run()
        house.stop()
        week.witness.last_look()
        if given.keep:
            keep(week)
        numbers, wrong = judge(week, house, house.proxy.failures)
    finally:
        house.closing = True
        post_office.close()
        house.proxy.close()
    for name, number in sorted(numbers.items()):
        print(f"  {name}: {number}")
    print("evening:", "; ".join(week.evening.happened), f"({week.evening.entries} lines written)")
    print("faults:", ", ".join(f"{name} {times}" for name, times in sorted(faults.happened.items())))
    print(
        f"requests: {house.proxy.passed} passed on, {house.proxy.again} sent twice or late, {week.ledger.resent} sent again;"
        f" leaps: {week.leaps}, {clock.ahead.days} days; {time.monotonic() - begun:.0f} s"
    )
    print(f"wrong: {len(wrong)}")
    for findings in grouped(wrong):
        print(f"{len(findings)} of this sort:")
        for line in findings:
            print("-", line)
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.week", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10, help="how long people play; the end takes what it takes")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3)))
    parser.add_argument("--games", type=int, default=0, help="four a minute, if none are said")
    parser.add_argument("--evening", type=int, default=12, help="people at the club evening")
    parser.add_argument("--threads", type=int, default=4, help="visits at a time")
    parser.add_argument("--every", type=float, default=15, help="seconds between two faults, more or less")
    parser.add_argument("--sqlite", action="store_true", help="one process that serves and one that works, on SQLite")
    parser.add_argument("--keep", action="store_true", help="keep the data, the logs, and all that was received")
    given = parser.parse_args()
    given.games = given.games or max(4, int(given.minutes * 4))
    return given


if __name__ == "__main__":
    sys.exit(main())
