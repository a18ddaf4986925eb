"""What one core of a server bears: `python benchmarks/load.py [--seconds 15] [--games 24] [--only form,api]`.

A site is made in a folder of its own (on the server of DATABASE_URL and with REDIS_URL where these are set), with games of
Troccas between four people with a day for each action; what each of them will do is worked out beforehand, so that the
client only sends and waits. The server, its worker in the same process, is pinned to one core, this client to another;
`--processes` of it, each with a core and a worker of its own, are measured on PostgreSQL and Redis; clients are spread over them.

Measured are, each for `--seconds`: `/healthz`; an action with its answer, the fragment that the page's script takes (`form`),
or the whole game as JSON (`api`), first as many as are answered, then at half of that; an action at a table that four people
have open, until the three others have their fragments (`open pages`); what sockets cost (`sockets`; 5,120 with `--games 40`); and pages that are read, eight a
second, alone and beside ten tables of computer players of each level that act at once (`computers`); twenty much read pages,
one after the other by one reader (`pages`); 200 tables of one person and computer players, each with a person who acts
every twenty seconds and somebody who looks on (`watched`); and an evening of 40 tables whose 160 phones open their table, write and confirm
within one minute (`evening`). Times are in milliseconds, work is the server's processor time for each, which depends little on what else the machine does.

`boardgame.io` measures that server on the same core, with a game that only counts and its games in files: how quick the machine
is; what stands beside the last kept table is measured by it. It needs Node.js and npm, which fetches the packages, and is left out where there is none.

The table is printed beside the last one that was kept, and kept as JSON in the file given by `--keep`.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.live import LiveSite, Sites, free_port, session_of  # noqa: E402  # only once the project is on the path

KEPT = ROOT / "benchmarks" / "load.json"
SEATS = 4
AT_ONCE = 8
"""How many actions are under way at a time where as many are sent as are answered."""
TICKS = os.sysconf("SC_CLK_TCK")
BESIDE = "boardgame.io"
MEASURES = (BESIDE, "healthz", "form", "api", "open pages", "sockets", "computers", "watched", "pages", "evening")
TABLES = 10
"""At how many tables computer players act while pages are read."""
WATCHED = 200
"""How many tables are looked on at."""
THINKS = 20
"""Seconds for which a person there thinks."""
PAGES_A_SECOND = 8
READ = 30
"""How often each page is read."""
PHONES = 160
SOCKETS_OF_ONE = 32
"""How many sockets a person opens where sockets are measured: with 40 games there are 5,120."""


SETTINGS = {"computers": {"DJANGO_SETTINGS_MODULE": "troccas_site.settings"}}
"""What a measure needs otherwise than tests have it: strong players are compiled, as on a real site."""


class Step(NamedTuple):
    """One action of a game: who does what."""

    seat: int
    text: str


@dataclass
class Planned:
    """A game whose actions are known: the sessions and tokens of its people, and what is still to be done. `held` is what the page
    of each seat says that it shows."""

    key: str
    sessions: list[str]
    tokens: list[str]
    number: int
    steps: list[Step]
    done: int = 0
    held: dict[int, str] = field(default_factory=dict)

    def next(self) -> Step | None:
        """What is done next; None when the deal is nearly over."""
        if self.done == len(self.steps):
            return None
        self.done += 1
        return self.steps[self.done - 1]

    def show(self, seat: int, answer: Answer) -> None:
        """What the page's script notes of an answer."""
        self.number = max(self.number, int(answer.headers["x-number"]))
        self.held[seat] = parts_of(answer)


# The site -----------------------------------------------------------------------------------------------------------


def lay(count: int, first: int = 0) -> list[Planned]:
    """So many games whose packs lie ready, each with one deal's actions worked out; their people are numbered from `first` on."""
    return [_planned(number) for number in range(first, first + count)]


def _planned(number: int, **options: object) -> Planned:
    from datetime import timedelta

    from accounts import tokens
    from accounts.models import ForcedCards, Player, User
    from domain.pace import Kind, Terms
    from games.models import Game
    from games.selectors import log
    from games.services import play, timing

    people = []
    for seat in range(SEATS):
        user = User.objects.create_user(f"{number}-{seat}@example.org", secrets.token_urlsafe())
        people.append(Player.objects.create(name=f"Person {number} {seat}", user=user, forced_cards=ForcedCards.ASK))
    day = timedelta(days=1)
    game = play.start("troccas", people, pace=Terms(Kind.DAYS, day, 3 * day), options={"throw_in": False, **options})
    timing.begin(game.pk, expected=game.number, now=Game.objects.get(pk=game.pk).due_at)
    table = log.open_table(Game.objects.get(pk=game.pk))
    hand, steps = table.hand, []
    assert hand is not None
    begun = table.game.number
    while not hand.over and not hand.needs_pack:
        action = _first(hand)
        steps.append(Step(hand.turn, str(action)))
        hand.push(action)
    sessions = [session_of(person.user) for person in people]
    issued = [tokens.issue_token(person, "load", [tokens.PLAY])[1] for person in people]
    return Planned(game.public_id, sessions, issued, begun, steps[:-1])


def _first(hand: Any) -> Any:
    """The first of the legal actions: quick to find, and as good as another for measuring."""
    from domain.engine import Action, cards_in
    from domain.engine.legal import LegalChoice, LegalCut

    legal = hand.legal
    if isinstance(legal, LegalChoice):
        return Action(legal.verb, tuple(list(cards_in(legal.cards))[: legal.count]))
    if isinstance(legal, LegalCut):
        return Action("cut", number=legal.most)
    return next(iter(legal))


# The client ---------------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def parts_of(answer: Answer) -> str:
    """The parts of the table that an answer shows, as a page says that it has them."""
    text = gzip.decompress(answer.body) if answer.headers.get("content-encoding") == "gzip" else answer.body
    return " ".join(map(":".join, re.findall(r'data-part="([a-z-]+)" data-key="([0-9a-f]+)"', text.decode())))


@dataclass
class Line:
    """A connection that is kept, as a browser keeps it: one request after the other."""

    port: int
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
        """Send a request and wait for all of its answer. Raises ConnectionError."""
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        got = {name.lower(): value for name, _, value in (each.partition(": ") for each in head[1:-2])}
        status = int(head[0].split()[1])
        return Answer(status, got, await self._body(status, got))

    async def _body(self, status: int, got: dict[str, str]) -> bytes:
        assert self.reader is not None
        if status == 204:
            return b""
        if "content-length" in got:
            return await self.reader.readexactly(int(got["content-length"]))
        body = b""
        while size := int(await self.reader.readline(), 16):
            body += await self.reader.readexactly(size)
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)
        return body

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


async def act_by_form(line: Line, game: Planned, step: Step) -> Answer:
    """As the page's script sends an action; the answer is the table as it stands then."""
    fields = {
        "action": step.text, "expected": game.number, "request_id": str(uuid.uuid4()), "csrfmiddlewaretoken": "x" * 32,
    }  # fmt: skip
    headers = _browser(game, step.seat) | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await line.ask("POST", f"/g/{game.key}/act/", headers, urlencode(fields).encode())
    if answer.status == 200:
        game.show(step.seat, answer)
    return answer


async def act_by_api(line: Line, game: Planned, step: Step) -> Answer:
    """As a program sends an action; the answer is the game."""
    body = {"action": step.text, "expected": game.number, "request_id": str(uuid.uuid4())}
    headers = {"Authorization": f"Bearer {game.tokens[step.seat]}", "Content-Type": "application/json"}
    answer = await line.ask("POST", f"/api/v1/play/games/{game.key}/act", headers, json.dumps(body).encode())
    if answer.status == 200:
        game.number = json.loads(answer.body)["game"]["number"]
    return answer


def _browser(game: Planned, seat: int) -> dict[str, str]:
    cookies = f"sessionid={game.sessions[seat]}; csrftoken={'x' * 32}; language=en"
    held = {"X-Parts": game.held[seat]} if seat in game.held else {}
    return {"Cookie": cookies, "HX-Request": "true", "Accept-Encoding": "gzip, br", **held}


Act = Callable[[Line, Planned, Step], Awaitable[Answer]]


class OpenPages:
    """The pages that all people of a game have open: each is rung, and fetches what has happened."""

    def __init__(self, port: int, game: Planned) -> None:
        self.port, self.game = port, game
        self.lines = [Line(port) for _ in range(SEATS)]
        self.shown = [game.number] * SEATS
        self.acting = -1
        self.told: asyncio.Queue[float] = asyncio.Queue()
        self.sockets: list[Any] = []
        self.listening: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self.sockets = [await socket_of(self.port, self.game, seat) for seat in range(SEATS)]
        self.listening = [asyncio.create_task(self._listen(seat)) for seat in range(SEATS)]

    async def act(self, act: Act, step: Step) -> tuple[Answer, float]:
        """The answer to who acts, and after how many seconds the last of the others saw it."""
        self.acting, begun = step.seat, time.perf_counter()
        answer = await act(self.lines[step.seat], self.game, step)
        seen = [await asyncio.wait_for(self.told.get(), 30) for _ in range(SEATS - 1)]
        self.shown = [self.game.number] * SEATS
        return answer, max(seen) - begun

    async def _listen(self, seat: int) -> None:
        async for message in self.sockets[seat]:
            if seat != self.acting and json.loads(message).get("number", 0) > self.shown[seat]:
                address = f"/g/{self.game.key}/since/{self.shown[seat]}/?here=no"
                answer = await self.lines[seat].ask("GET", address, _browser(self.game, seat))
                if answer.status == 200:
                    self.shown[seat] = int(answer.headers["x-number"])
                    self.game.show(seat, answer)
                    self.told.put_nowait(time.perf_counter())

    async def close(self) -> None:
        for task in self.listening:
            task.cancel()
        for socket in self.sockets:
            await socket.close()
        for line in self.lines:
            line.close()


async def socket_of(port: int, game: Planned, seat: int, address: str = "127.0.0.1") -> Any:
    """The socket that a page of a game opens, from this address of the machine."""
    import websockets

    return await websockets.connect(
        f"ws://127.0.0.1:{port}/ws/g/{game.key}/",
        additional_headers={"Cookie": f"sessionid={game.sessions[seat]}"},
        origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]  # a text will do
        proxy=None,
        ping_interval=None,
        local_addr=(address, 0),
    )


# Measuring ----------------------------------------------------------------------------------------------------------


def _worked(process: Path) -> float:
    """Seconds of processor time that a process has used, which the system tells of at this place."""
    fields = process.joinpath("stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@dataclass
class Load:
    """A server that is measured, and the games that are left to be played on it."""

    site: LiveSite
    games: list[Planned]
    seconds: float
    refused: list[str] = field(default_factory=list)
    servers: list[LiveSite] = field(default_factory=list)
    """All servers of the site; `site` is the first."""

    def port(self, number: int) -> int:
        """Where a client of this number asks: they are spread over the servers."""
        return self.servers[number % len(self.servers)].port

    def processes(self) -> list[Path]:
        """Where the system tells of the server and of all processes that it has started."""
        begun = {server.process.pid for server in self.servers if server.process is not None}
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                group = place.joinpath("stat").read_text().rpartition(")")[2].split()[2]
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(group) in begun:
                found.append(place)
        return found

    def work(self) -> float:
        """Seconds of processor time that the server has used so far."""
        return sum(map(_worked, self.processes()))

    def memory(self) -> float:
        """MB of memory that the server holds."""
        held = [place.joinpath("status").read_text().partition("VmRSS:")[2].split()[0] for place in self.processes()]
        return sum(map(int, held)) / 1024

    async def of(
        self, one: Callable[[int], Callable[[], Awaitable[float | None]]], *, rate: float = 0
    ) -> dict[str, float]:
        """Let `AT_ONCE` clients do `one` again and again, or begin `rate` of them a second; each tells its seconds, None at
        its end."""
        times: list[float] = []
        begun, worked = time.perf_counter(), self.work()
        end = begun + self.seconds

        async def client(number: int) -> None:
            do = one(number)
            due = begun + (number / rate if rate else 0)
            while (now := time.perf_counter()) < end:
                if rate:
                    await asyncio.sleep(max(0, due - now))
                taken = await do()
                if taken is None:
                    return
                # Where something comes each so often, what waits for its turn waits too.
                times.append((time.perf_counter() - due if rate else taken) * 1000)
                due += AT_ONCE / rate if rate else 0

        await asyncio.gather(*(client(number) for number in range(AT_ONCE)))
        spent = time.perf_counter() - begun
        return figures(times, spent, (self.work() - worked) / max(1, len(times)))

    def acting(self, act: Act) -> Callable[[int], Callable[[], Awaitable[float | None]]]:
        """Clients that each play games of their own."""

        def client(number: int) -> Callable[[], Awaitable[float | None]]:
            line, own = Line(self.port(number)), self.games[number::AT_ONCE]

            async def one() -> float | None:
                own.append(own.pop(0))  # each time at another table, as in life
                step = own[-1].next()
                if step is None:
                    return None
                begun = time.perf_counter()
                answer = await act(line, own[-1], step)
                if answer.status != 200:
                    self.refused.append(f"{answer.status} {answer.body[:300]!r}")
                    return None
                return time.perf_counter() - begun

            return one

        return client


def figures(times: list[float], spent: float, work: float) -> dict[str, float]:
    """A row of the table, of times in milliseconds."""
    times = sorted(times) or [0.0]
    return {
        "rate": len(times) / spent,
        "p50": times[len(times) // 2],
        "p95": times[int(len(times) * 0.95)],
        "p99": times[int(len(times) * 0.99)],
        "work": work * 1000,
    }


async def measure_healthz(load: Load) -> dict[str, dict[str, float]]:
    def client(_number: int) -> Callable[[], Awaitable[float | None]]:
        line = Line(load.site.port)

        async def one() -> float | None:
            begun = time.perf_counter()
            answer = await line.ask("GET", "/healthz", {})
            assert answer.status == 200, answer
            return time.perf_counter() - begun

        return one

    return {"healthz": await load.of(client)}


async def measure_acts(load: Load, name: str, act: Act) -> dict[str, dict[str, float]]:
    full = await load.of(load.acting(act))
    return {name: full, f"{name}, half load": await load.of(load.acting(act), rate=full["rate"] / 2)}


async def measure_open_pages(load: Load) -> dict[str, dict[str, float]]:
    """At `AT_ONCE` tables that all have open: the answer to who acts, and until the others see it."""
    tables = [OpenPages(load.port(number), game) for number, game in enumerate(load.games[:AT_ONCE])]
    for table in tables:
        await table.open()

    def client(number: int) -> Callable[[], Awaitable[float | None]]:
        table = tables[number]

        async def one() -> float | None:
            step = table.game.next()
            if step is None:
                return None
            answer, seen = await table.act(act_by_form, step)
            if answer.status != 200:
                load.refused.append(f"{answer.status} {answer.body[:300]!r}")
                return None
            return seen

        return one

    full = await load.of(client)
    half = await load.of(client, rate=full["rate"] / 2)
    for table in tables:
        await table.close()
    return {"four open pages": full, "four open pages, half load": half}


async def measure_sockets(load: Load) -> dict[str, dict[str, float]]:
    """What it costs to open sockets, what they hold, and what they cost in a minute in which nothing happens.

    `SOCKETS_OF_ONE` are opened by each person, from as many addresses as the site wants to see so many from.
    """
    places = [(game, seat) for game in load.games for seat in range(SEATS)]
    for game, seat in places[:40]:  # what the first ones leave behind is not theirs
        await (await socket_of(load.site.port, game, seat)).close()
    before, worked, begun = load.memory(), load.work(), time.perf_counter()
    sockets = []
    for number in range(SOCKETS_OF_ONE * len(places)):
        game, seat = places[number % len(places)]
        sockets.append(await socket_of(load.site.port, game, seat, f"127.0.0.{2 + number // (3 * len(places))}"))
        await sockets[-1].recv()  # which says that it is heard
    opened, spent = len(sockets), time.perf_counter() - begun
    row = figures([], spent, (load.work() - worked) / opened)
    row |= {"rate": opened / spent, "KB": (load.memory() - before) * 1024 / opened}
    print(f"{opened} sockets are open: {load.memory():.0f} MB, before them {before:.0f} MB")
    worked = load.work()
    await asyncio.sleep(60)
    idle = figures([], 60, (load.work() - worked) / opened)
    for socket in sockets:
        await socket.close()
    return {"sockets": row, "one that is open, a minute": idle}


def lay_with_computers(level: str, tables: int = TABLES) -> list[tuple[Planned, int]]:
    """Tables of one person and computer players that act at once, before their first deal, and the seat of the person."""
    from accounts import tokens
    from accounts.models import BotSpeed, Player, User
    from games.services import computers, play

    laid = []
    for number in range(tables):
        user = User.objects.create_user(f"{level}-{number}@example.org", secrets.token_urlsafe())
        person = Player.objects.create(name=f"{level} {number}", user=user, bot_speed=BotSpeed.AT_ONCE)
        game = play.start(
            "troccas", [person, *computers.computer_players(SEATS - 1, level)], options={"throw_in": False}
        )
        seat = game.seats.get(player=person).number
        session, token = session_of(user), tokens.issue_token(person, "load", [tokens.PLAY])[1]
        laid.append((Planned(game.public_id, [session] * SEATS, [token] * SEATS, game.number, []), seat))
    return laid


async def play_on(
    port: int, game: Planned, seat: int, answers: list[int], thinks: float = 1, times: list[float] | None = None
) -> None:
    """Do the first thing that is allowed, some seconds after one is asked, without end; `answers` has what came of each, `times` after
    how many seconds."""
    headers = {"Authorization": f"Bearer {game.tokens[seat]}", "Content-Type": "application/json"}
    path, socket = f"/api/v1/play/games/{game.key}", await socket_of(port, game, seat)

    async def ask(method: str, where: str, body: bytes = b"") -> Answer:
        line = Line(port)  # one that waits too long is closed
        try:
            return await line.ask(method, where, headers, body)
        finally:
            line.close()

    try:
        while True:
            told = json.loads((await ask("GET", path)).body)
            if (action := allowed(told["legal"])) is None:
                await socket.recv()
                continue
            await asyncio.sleep(thinks)
            body = {"expected": told["number"], "request_id": str(uuid.uuid4())}
            act, said = ("ready", body) if action == "ready" else ("act", body | {"action": action})
            begun = time.perf_counter()
            answers.append((await ask("POST", f"{path}/{act}", json.dumps(said).encode())).status)
            if times is not None:
                times.append(time.perf_counter() - begun)
    finally:
        await socket.close()


def allowed(legal: dict[str, Any]) -> str | None:
    """The first thing that the API offers."""
    match legal["kind"]:
        case "none":
            return None
        case "ready":
            return "ready"
        case "number":
            return f"{legal['verb']} {legal['high']}"
        case "cards":
            cards = legal["together"] + legal["cards"] if len(legal["together"]) <= legal["count"] else legal["cards"]
            return " ".join([legal["verb"], *cards[: legal["count"]]])
        case "arrange":
            return str(legal["verb"])
    return str(legal["actions"][0])


async def measure_computers(load: Load) -> dict[str, dict[str, float]]:
    """Pages, read alone and beside tables of computer players."""
    pages = ["/en/", "/en/words/", f"/g/{load.games[0].key}/"]

    def client(number: int) -> Callable[[], Awaitable[float | None]]:
        line, headers = Line(load.site.port), _browser(load.games[0], 0)
        headers.pop("HX-Request")

        async def one() -> float | None:
            pages.append(pages.pop(0))
            begun = time.perf_counter()
            answer = await line.ask("GET", pages[-1], headers)
            if answer.status != 200:
                load.refused.append(f"{answer.status} {pages[-1]}")
            return time.perf_counter() - begun

        return one

    rows = {}
    for level in ("", "beginner", "strong"):
        laid = await asyncio.to_thread(load.site.call, lay_with_computers, level) if level else []
        answers: list[int] = []
        playing = [asyncio.create_task(play_on(load.site.port, game, seat, answers)) for game, seat in laid[:1]]
        while level == "strong" and "think compiled now" not in load.site.log:
            await asyncio.sleep(1)
        playing += [asyncio.create_task(play_on(load.site.port, game, seat, answers)) for game, seat in laid[1:]]
        await asyncio.sleep(load.seconds)
        row = await load.of(client, rate=PAGES_A_SECOND)
        rows[f"pages beside {level} players" if level else "pages alone"] = row
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        load.refused += [repr(each) for each in ended if not isinstance(each, asyncio.CancelledError)]
        load.refused += [f"{status} for an action" for status in answers if status not in {200, 409}]
        print(f"{len(answers)} actions of people beside {level or 'no'} players")
    return rows


async def look_on(port: int, game: Planned, answers: list[int], times: list[float]) -> None:
    """Be a stranger who has the table open, and fetch what has happened each time it rings."""
    import websockets

    address, shown, held = f"ws://127.0.0.1:{port}/ws/g/{game.key}/", game.number, ""
    line = Line(port)
    origin: Any = f"http://127.0.0.1:{port}"
    # A hall has one address; a site whose pages are read all over the world has many.
    local = (f"127.0.{secrets.randbelow(200)}.{2 + secrets.randbelow(200)}", 0)
    async with websockets.connect(address, origin=origin, proxy=None, local_addr=local) as socket:
        async for message in socket:
            if json.loads(message).get("number", 0) <= shown:
                continue
            begun = time.perf_counter()
            headers = {"HX-Request": "true", "Accept-Encoding": "gzip, br", "Cookie": "language=en", "X-Parts": held}
            answer = await line.ask("GET", f"/g/{game.key}/since/{shown}/?here=", headers)
            times.append(time.perf_counter() - begun)
            answers.append(answer.status)
            if answer.status == 200:
                shown = int(answer.headers["x-number"])
                held = parts_of(answer)


async def measure_watched(load: Load) -> dict[str, dict[str, float]]:
    """`WATCHED` tables at which somebody plays with computers, and somebody looks on."""
    laid = await asyncio.to_thread(load.site.call, lay_with_computers, "beginner", WATCHED)
    acted: list[float] = []
    seen: list[float] = []
    answers: list[int] = []
    begun, worked = time.perf_counter(), load.work()
    port, tasks = load.site.port, []
    for game, seat in laid:  # they do not all begin at once
        tasks.append(asyncio.create_task(play_on(port, game, seat, answers, THINKS, acted)))
        tasks.append(asyncio.create_task(look_on(port, game, answers, seen)))
        await asyncio.sleep(THINKS / len(laid))
    await asyncio.sleep(4 * load.seconds)
    spent, work = time.perf_counter() - begun, load.work() - worked
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    load.refused += [repr(each) for each in ended if not isinstance(each, asyncio.CancelledError)]
    load.refused += [f"{status}" for status in answers if status not in {200, 204, 409}]
    rows = {}
    for name, times in ((f"{WATCHED} tables: actions", acted), (f"{WATCHED} tables: who looks on", seen)):
        rows[name] = figures([1000 * each for each in times], spent, work / max(1, len(acted)))
        print(f"{name}: the longest answer took {1000 * max(times, default=0):.0f} ms")
    print(f"{work / spent:.2f} of a core")
    return rows


# Pages, and an evening ----------------------------------------------------------------------------------------------


def lay_pages(game: Planned) -> list[tuple[str, str, dict[str, str]]]:
    """The pages that are read: what each is called, its address, and the cookies of who reads it.

    The encyclopedia is there, the deal of `game` is in its middle, another game of one deal is over, and a tournament of 40
    people has played three rounds.
    """
    from django.core.management import call_command

    from games.models import Game
    from tests.games import table_kit
    from tests.tournaments.services.kit import Night

    call_command("content", verbosity=0)
    ended = _planned(10_000, hands=1)  # before the next deal, some deals may not be looked back at
    table_kit.rush(Game.objects.get(public_id=ended.key))
    table_kit.rush(Game.objects.get(public_id=game.key), until=lambda hand: len(hand.tricks) == 8)
    night = Night.at(40, rules={"rounds": 3, "deals": 2})
    night.begin()
    for number in range(3):
        night.draw()
        night.play_round(f"1.{number + 1}")
    assert night.director.user is not None
    director = session_of(night.director.user)
    event = f"/e/{night.tournament.public_id}"
    addresses = {
        "home": "/en/",
        "article": "/en/rules/troccas/",
        "contents": "/en/rules/",
        "word": "/en/words/scart/",
        "words": "/en/words/",
        "word list": "/en/words/list/",
        "phrase book": "/en/words/phrases/",
        "search": "/en/search/?q=how+many+cards+do+I+discard{other}",
        "search, asked before": "/en/search/?q=how+many+cards+do+I+discard",
        "lobby": "/en/tables/",
        "watch list": "/en/watch/",
        "daily deal": "/en/daily/",
        "puzzles": "/en/puzzles/",
        "ratings": "/en/ratings/",
        "standings of 40": f"{event}/",
    }
    own = {
        "home of a player": "/en/",
        "my games": "/en/my-games/",
        "notices": "/en/notices/",
        "table": f"/g/{game.key}/",
    }
    rows: list[tuple[str, str, dict[str, str]]] = [(name, address, {}) for name, address in addresses.items()]
    rows += [(name, address, {"sessionid": game.sessions[0]}) for name, address in own.items()]
    rows.append(("replay", f"/g/{ended.key}/hand/1/", {"sessionid": ended.sessions[0]}))
    return [*rows, ("desk of 40", f"{event}/rounds/", {"sessionid": director})]


async def measure_pages(load: Load) -> dict[str, dict[str, float]]:
    """Each page `READ` times by one reader, after it was read twice."""
    rows: dict[str, dict[str, float]] = {}
    for name, address, cookies in await asyncio.to_thread(load.site.call, lay_pages, load.games[0]):
        line, times, worked = Line(load.site.port), [], 0.0
        headers = {
            "Cookie": "; ".join(f"{key}={value}" for key, value in {"language": "en", **cookies}.items()),
            "Accept-Encoding": "gzip, br",
        }
        for number in range(READ + 2):
            if number == 2:
                worked = load.work()
            begun = time.perf_counter()
            # Another question of the same words each time: nothing that was found before answers it.
            answer = await line.ask("GET", address.replace("{other}", "%3F" * (number + 1)), headers)
            times.append((time.perf_counter() - begun) * 1000)
            if answer.status != 200:
                load.refused.append(f"{answer.status} {address}")
        line.close()
        rows[name] = figures(times[2:], sum(times[2:]) / 1000, (load.work() - worked) / READ)
    return rows


def lay_evening() -> list[tuple[list[str], str]]:
    """The tables of a first round of 160 people: the addresses of each, by side, and a deal that adds up."""
    from tests.tournaments.services.kit import Night, even
    from tournaments.services import codes

    night = Night.at(PHONES, rules={"rounds": 4, "deals": 2})
    night.begin()
    night.draw()
    state, found = night.state, night.state.round("1.1")
    assert found is not None
    laid = []
    for number in found.tables:
        key = f"1.1.{number}"
        table = state.table(key)
        assert table is not None
        places = [codes.table_code(night.tournament, state, key, side[0]) for side in table.sides]
        addresses = [f"/e/{night.tournament.public_id}/s/{code}/" for code in places]
        laid.append((addresses, ",".join(map(str, even(table)))))
    return laid


async def measure_evening(load: Load) -> dict[str, dict[str, float]]:
    """160 phones at 40 tables, beginning at moments spread over one minute: each opens its table; one of each table writes two
    deals and hands in, and one of the other side confirms."""
    tables = await asyncio.to_thread(load.site.call, lay_evening)
    opened: list[float] = []
    written: list[float] = []
    begun, worked = time.perf_counter(), load.work()

    async def ask(line: Line, kind: list[float], method: str, path: str, **fields: object) -> Answer:
        headers = {"Cookie": "language=en", "Accept-Encoding": "gzip, br", "Accept": "text/html"}
        if method == "POST":
            headers |= {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
            fields["request_id"] = uuid.uuid4()
        sent = time.perf_counter()
        answer = await line.ask(method, path, headers, urlencode(fields).encode())
        kind.append((time.perf_counter() - sent) * 1000)
        if answer.status != 200:
            load.refused.append(f"{answer.status} {path} {answer.body[:200]!r}")
        return answer

    async def play(number: int, addresses: list[str], deal: str) -> None:
        lines = [Line(load.site.port) for _ in range(SEATS)]
        await asyncio.sleep(max(0.0, begun + 50 * number / len(tables) - time.perf_counter()))
        for place, line in enumerate(lines):
            await ask(line, opened, "GET", addresses[place % len(addresses)])
        seen = []
        for which in (1, 2):
            await asyncio.sleep(3)
            scores = {f"s{side}": score for side, score in enumerate(deal.split(","))}
            await ask(lines[0], written, "POST", f"{addresses[0]}write/", deal=which, seen="", extra="", **scores)
            seen.append(f"{which}:{deal}")
        await ask(lines[0], written, "POST", f"{addresses[0]}hand-in/", seen=";".join(seen))
        await ask(lines[1], written, "POST", f"{addresses[1]}confirm/", seen=";".join(seen))
        for line in lines:
            line.close()

    await asyncio.gather(*(play(number, *table) for number, table in enumerate(tables)))
    spent, work = time.perf_counter() - begun, load.work() - worked
    each = work / (len(opened) + len(written))
    return {"160 phones: pages": figures(opened, spent, each), "160 phones: entries": figures(written, spent, each)}


def measure_beside(seconds: float, cores: list[int]) -> dict[str, dict[str, float]]:
    """As many moves as boardgame.io's server answers `AT_ONCE` people."""
    if shutil.which("npm") is None:
        print(f"{BESIDE} is not measured: there is no npm")
        return {}
    with tempfile.TemporaryDirectory() as place:
        folder = shutil.copytree(Path(__file__).parent / "boardgame_io", Path(place) / "server")
        subprocess.run(["npm", "install", "--no-package-lock", "--silent"], cwd=folder, check=True)  # noqa: S607  # whichever there is
        port = str(free_port())
        os.sched_setaffinity(0, cores[:1])
        server = subprocess.Popen(["node", "server.js", port, place + "/games"], cwd=folder, stdout=subprocess.PIPE)  # noqa: S607
        try:
            assert server.stdout is not None
            server.stdout.readline()  # it says that it serves
            os.sched_setaffinity(0, cores[1:] or cores)
            worked = _worked(Path(f"/proc/{server.pid}"))
            client = ["node", "client.js", port, str(AT_ONCE), str(seconds)]
            times = json.loads(subprocess.run(client, cwd=folder, check=True, stdout=subprocess.PIPE).stdout)
            worked = _worked(Path(f"/proc/{server.pid}")) - worked
        finally:
            server.kill()
            server.wait()
    return {BESIDE: figures(times, seconds, worked / max(1, len(times)))}


async def measure(load: Load, name: str) -> dict[str, dict[str, float]]:
    if name == "healthz":
        return await measure_healthz(load)
    if name == "sockets":
        return await measure_sockets(load)
    if name == "computers":
        return await measure_computers(load)
    if name == "watched":
        return await measure_watched(load)
    if name == "pages":
        return await measure_pages(load)
    if name == "evening":
        return await measure_evening(load)
    if name == "open pages":
        return await measure_open_pages(load)
    return await measure_acts(load, name, act_by_api if name == "api" else act_by_form)


def table_of(rows: dict[str, dict[str, float]], before: dict[str, dict[str, float]]) -> str:
    """The rows as they are printed; beside the rate how many times that of `before` it is.

    Where both tables have boardgame.io, that is measured by it: a machine that is half as quick counts as the same.
    """
    machine = {"rate": 1.0, "work": 1.0}
    if BESIDE in rows and BESIDE in before:
        machine = {each: rows[BESIDE][each] / before[BESIDE][each] for each in machine}
    lines = [f"{'':28}{'a second':>10}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'work ms':>9}"]
    for name, row in rows.items():
        line = f"{name:28}{row['rate']:10.1f}{row['p50']:9.1f}{row['p95']:9.1f}{row['p99']:9.1f}{row['work']:9.2f}"
        if "KB" in row:
            line += f"  {row['KB']:.0f} KB each"
        if name in before and name != BESIDE:
            more, dearer = (row[each] / before[name][each] / machine[each] for each in machine)
            line += f"  {more:.2f} times as many, {dearer:.2f} of the work"
        lines.append(line)
    if machine["rate"] != 1:
        lines.append(f"The machine, by {BESIDE}: {machine['rate']:.2f} times as quick as for the table beside.")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--only", default=",".join(MEASURES))
    parser.add_argument(
        "--processes", type=int, default=1, help="servers, each on a core; needs DATABASE_URL and REDIS_URL"
    )
    parser.add_argument("--keep", type=Path, help="a file for the table, as JSON")
    parser.add_argument("--against", type=Path, default=KEPT, help="a table that was kept (default: %(default)s)")
    wished = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.conf import settings

    cores = sorted(os.sched_getaffinity(0))
    rows: dict[str, dict[str, float]] = {}
    for name in wished.only.split(","):  # each on fresh data, and with a server that has done nothing yet
        if name == BESIDE:
            rows |= measure_beside(wished.seconds, cores)
            continue
        sites = Sites(secret_key=settings.DATA_DIR / "secret_key")
        try:
            servers: list[LiveSite] = []
            for core in (cores * wished.processes)[: wished.processes]:
                os.sched_setaffinity(0, [core])
                if not servers:
                    servers.append(sites.start(WEB_PROCESSES=str(wished.processes), **SETTINGS.get(name, {})))
                    continue
                servers.append(LiveSite(servers[0].data, servers[0].extra))
                sites.started.append(servers[-1])
                servers[-1].start()
            os.sched_setaffinity(0, cores[wished.processes :] or cores)
            site = servers[0]
            load = Load(site, site.call(lay, wished.games), wished.seconds, servers=servers)
            rows |= asyncio.run(measure(load, name))
            for refused in load.refused[:3]:
                print("refused:", refused)
        finally:
            sites.close_all()
    print(table_of(rows, json.loads(wished.against.read_text()) if wished.against.exists() else {}))
    if wished.keep:
        wished.keep.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
