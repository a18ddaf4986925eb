"""Which files of this project one request enters: `python tools/trace_request.py card|score|edit [--files]`.

`card` is one card, from the POST to the fragment of the table that answers it; `score` one deal written on a phone in the
hall; `edit` one change of an article that is published. Counted are Python files of the project itself in which a function
is called while the request is answered (templates, libraries and this tool are not), and database queries. The request
is sent once before, so that what a process does only once does not count.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOT_PRODUCT = (".venv", "tests", "tools", "benchmarks")

Request = Callable[[], Any]
Prepare = Callable[[], Request]
"""Brings the world to where the request can be sent (again)."""


def main() -> None:
    """Make a small world in a database of its own, trace the request that was asked for, print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["card", "score", "edit"])
    parser.add_argument("--files", action="store_true", help="name every file, with how often it was entered")
    asked = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import CaptureQueriesContext, setup_test_environment

    setup_test_environment()
    connection.creation.create_test_db(verbosity=0)
    prepare = {"card": a_card, "score": a_score, "edit": an_edit}[asked.what]()
    prepare()()
    request = prepare()
    with CaptureQueriesContext(connection) as queries:
        entered = traced(request)
    print(f"{asked.what}: {len(entered)} files, {sum(entered.values())} calls, {len(queries)} queries")
    if asked.files:
        for name, calls in sorted(entered.items()):
            print(f"{calls:7} {name}")


def traced(request: Request) -> Counter[str]:
    """The product's files that are entered while `request` runs, with the number of calls in each."""
    entered: Counter[str] = Counter()
    known: dict[str, str | None] = {}

    def named(path: str) -> str | None:
        if path.startswith("<") or not Path(path).is_relative_to(ROOT):
            return None
        name = Path(path).relative_to(ROOT)
        return None if name.parts[0] in NOT_PRODUCT else str(name)

    def look(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            path = frame.f_code.co_filename
            if path not in known:
                known[path] = named(path)
            name = known[path]
            if name is not None:
                entered[name] += 1

    sys.setprofile(look)
    try:
        answer = request()
    finally:
        sys.setprofile(None)
    assert answer.status_code in (200, 302, 303), answer.status_code
    return entered


def a_card() -> Prepare:
    """A table of one person and three computer players, at the play."""
    import uuid

    from django.test import Client

    from accounts.middleware import GUEST_COOKIE
    from accounts.sessions import issue_guest_token
    from tests.games import table_kit

    player = table_kit.person(forced_cards="ask")
    game = table_kit.laid(player, options={"throw_in": False})
    table_kit.sit(game, player)
    seat = table_kit.seat_of(game, player)
    client = Client()
    client.cookies[GUEST_COOKIE] = issue_guest_token(player)
    from games.selectors import table

    def prepare() -> Request:
        while True:
            table_kit.wait(game, player)
            game.refresh_from_db()
            view = table.view_for(game, seat)
            if view is not None and view.asked == "play":
                break
            table_kit.step(game, player)
        sent = {"action": table_kit.advised(game, player), "expected": game.number, "request_id": str(uuid.uuid4())}
        return lambda: client.post(f"/g/{game.public_id}/act/", sent, headers={"HX-Request": "true"})

    return prepare


def a_score() -> Prepare:
    """A table of four in the hall, whose phone writes one deal after the other."""
    from tests.tournaments.live.kit import PhoneKit, evening

    phone = PhoneKit(evening(), "1.1.1")
    deals = iter(range(1, 100))

    def prepare() -> Request:
        deal = next(deals)
        return lambda: phone.write(deal, 40, 32)

    return prepare


def an_edit() -> Prepare:
    """An editor who publishes a new definition of a word."""
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from tests.live import session_of
    from tests.rules import door_kit, editing_kit

    call_command("content", verbosity=0)
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(door_kit.editor().user)
    address = "/en/edit/article/counting/en/"
    numbers = iter(range(10))

    def prepare() -> Request:
        form = editing_kit.filled(client, address, comment="for the count")
        sent = {**form, "do": "publish", "text": f"{form['text']}\n\nFor the count, {next(numbers)}."}
        return lambda: client.post(address, sent)

    return prepare


if __name__ == "__main__":
    main()
