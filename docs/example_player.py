#!/usr/bin/env python3
"""A program that plays whole games through the JSON API, without knowing any of their rules.

It needs Python 3.10 or newer and nothing else, and a token that may play (and write tables, for --lay and --join):

    python3 example_player.py https://troccas.example troccas_… --ruleset troggu --size 5
    python3 example_player.py https://troccas.example troccas_… --game bcdfghjkmnp
    python3 example_player.py https://troccas.example troccas_… --lay --ruleset troccas-3
    python3 example_player.py https://troccas.example troccas_… --join bcdfghjkmnp

The first begins a game against computer players, the second continues a game of yours, the third opens a table for others
and the fourth sits down at one. It plays legal actions at random: put something better into `choose`. Everything it knows
about the API is on the page /en/api/ of the site.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any, TextIO

Game = dict[str, Any]

PATH = "/api/v1/play"


class Refused(Exception):
    """The site has refused: `problem` says why, with a `code` for programs and a sentence (`detail`) for people."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem["detail"])
        self.problem = problem


class Site:
    """The API of one site, with a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/") + PATH
        self.headers = {"Authorization": "Bearer " + token, "Accept-Language": "en"}

    def ask(self, path: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
        """What GET answers, or POST (or another method) with a body. Waits and tries again where that helps.

        A request that carries an id may be sent again without harm: it is done once.
        """
        for attempt in range(8):
            try:
                with self.open(path, body, method, timeout=30) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                problem = json.load(error)
                if error.code == 429:
                    time.sleep(int(error.headers["Retry-After"]))
                elif error.code < 500:
                    raise Refused(problem) from None
                else:
                    time.sleep(2**attempt)
            except OSError:  # the site is not there for a moment
                time.sleep(2**attempt)
        raise SystemExit("The site does not answer.")

    def say(self, path: str, **body: Any) -> Any:
        """POST with a new request id."""
        return self.ask(path, {"request_id": str(uuid.uuid4()), **body})

    def follow(self, path: str) -> Iterator[Any]:
        """The data of the events of a stream, until it ends. If the connection breaks, it is opened again after the last event."""
        last = ""
        while True:
            try:
                with self.open(path, headers={"Last-Event-ID": last} if last else {}, timeout=60) as stream:
                    event = ""
                    for line in stream:
                        name, _, value = line.decode().rstrip("\r\n").partition(": ")
                        if name == "id":
                            last = value
                        elif name == "event":
                            event = value
                        elif name == "data" and event == "end":
                            return
                        elif name == "data":
                            yield json.loads(value)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 500, 502, 503):
                    raise Refused(json.load(error)) from None
                time.sleep(int(error.headers.get("Retry-After") or 2))
            except OSError:  # broken off, or nothing has come for too long
                time.sleep(1)

    def open(
        self,
        path: str,
        body: dict[str, Any] | None = None,
        method: str | None = None,
        headers: dict[str, str] | None = None,
        timeout: float = 30,
    ) -> Any:
        """Send a request and return the response."""
        data = None if body is None else json.dumps(body).encode()
        sent = {**self.headers, **(headers or {})}
        if data is not None:
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(self.address + path, data, sent, method=method)  # noqa: S310  # the given address
        return urllib.request.urlopen(request, timeout=timeout)  # noqa: S310


def choose(game: Game, chance: random.Random) -> str | None:
    """An action that is allowed, as text; None if nothing is asked of us. Knows the forms of `legal`, and no rule."""
    legal = game["legal"]
    kind = legal["kind"]
    if kind == "one-of":
        return chance.choice(legal["actions"])
    if kind == "number":
        return f"{legal['verb']} {chance.randint(legal['low'], legal['high'])}"
    if kind == "cards":
        return " ".join([legal["verb"], *chance.sample(legal["cards"], legal["count"])])
    if kind == "arrange":
        return "arrange"
    return None


def act(site: Site, game: Game, chance: random.Random) -> Game:
    """Act as long as we are asked to. Returns the game as it is then."""
    path = "/games/" + game["public_id"]
    while game["status"] == "playing":
        action = choose(game, chance)
        if action is None and game["legal"]["kind"] != "ready":
            break
        try:
            if action is None:
                entropy = f"{chance.getrandbits(128):032x}"
                game = site.say(path + "/ready", expected=game["number"], entropy=entropy)["game"]
            else:
                game = site.say(path + "/act", expected=game["number"], action=action)["game"]
        except Refused as refusal:
            if refusal.problem["code"] == "stale":  # somebody was quicker: look again, decide again
                game = refusal.problem["game"]
            elif refusal.problem["code"] in ("not-now", "not-your-turn", "game-ended"):
                game = site.ask(path)
            else:
                raise
    return game


def play(site: Site, key: str, chance: random.Random, out: TextIO) -> Game:
    """Play the game to its end. Returns the game as it is then."""
    printed = 0
    for event in site.follow(f"/games/{key}/events?state=true"):
        game = act(site, event["state"], chance)
        for line in game["lines"]:
            if line["number"] > printed and line["text"]:
                print(f"{line['number']:4}  {line['text']}", file=out)
        printed = max([printed, *[line["number"] for line in game["lines"]]])
    game = site.ask("/games/" + key)
    for seat in game["seats"]:
        print(f"{seat['name']:<20} {seat['total']:5}", file=out)
    return game


def wait_for_game(site: Site, table: dict[str, Any]) -> str | None:
    """Wait until the game of a table begins. Returns its public id, or None if it never does."""
    if not table["game"]:
        for event in site.follow(f"/tables/{table['public_id']}/events"):
            table["game"] = event["game"]
    return table["game"] or None


def main(argv: list[str] | None = None) -> int:
    """Play as the command line says. Returns 0 if a game was played to its end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("site", help="the address of the site, such as https://troccas.example")
    parser.add_argument("token")
    parser.add_argument("--game", help="the public id of a game of yours")
    parser.add_argument("--join", metavar="TABLE", help="the public id of a table that waits")
    parser.add_argument("--lay", action="store_true", help="open a table for others")
    parser.add_argument("--ruleset", default="troggu")
    parser.add_argument("--size", type=int, help="the number of players, if the game allows several")
    parser.add_argument("--hands", type=int, help="the number of hands")
    parser.add_argument("--seed", type=int, help="play the same game in the same way")
    arguments = parser.parse_args(argv)
    site, chance = Site(arguments.site, arguments.token), random.Random(arguments.seed)

    payload: dict[str, Any] = {"ruleset": arguments.ruleset}
    if arguments.size:
        payload["size"] = arguments.size
    if arguments.hands:
        payload["options"] = {"hands": arguments.hands}
    try:
        site.ask("/me", {"computers_speed": "at-once"}, "PATCH")  # nobody is watching, so they need not be slow
        if arguments.game:
            key = arguments.game
        elif arguments.join:
            key = wait_for_game(site, site.say(f"/tables/{arguments.join}/join"))
        elif arguments.lay:
            table = site.say("/tables", **payload)
            print("Table opened:", table["public_id"], flush=True)
            key = wait_for_game(site, table)
        else:
            key = site.ask("/games", payload)["public_id"]
        if key is None:
            print("Nobody came.")
            return 1
        print("The game:", key, flush=True)
        game = play(site, key, chance, sys.stdout)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        for error in refusal.problem["errors"]:
            print(f"  {error['where']}: {error['message']}", file=sys.stderr)
        return 1
    return 0 if game["status"] == "finished" else 1


if __name__ == "__main__":
    sys.exit(main())
