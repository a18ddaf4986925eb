"""A sealed deal tells nothing: exchange it at one table for another deal, and nobody who does not sit there gets another byte.

Other cards, another cut, other moves and other points are put behind everybody's back where they lie. Every address of the
site is asked, by name from the resolver: one that is added later is asked too, or has to be listed here with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from games.models import BoardSet, Deal
from tests.games.api_kit import Program
from tests.games.boards import kit, seal_kit
from tests.games.boards.seal_kit import Address, Scene
from tests.long import quick

pytestmark = pytest.mark.django_db

NOT_ASKED: Final = {
    "rules:": "the encyclopedia: its rooms may not import games (import-linter)",
    "api:": "the encyclopedia for programs",
    "words": "the encyclopedia's files",
    "changes-feed": "the encyclopedia's changes",
    "identifier": "the encyclopedia's words",
    "account_": "signing in: knows nothing of games",
    "mfa_": "signing in: knows nothing of games",
    "usersessions": "signing in: knows nothing of games",
    "play-api:": "asked below as programs ask it, with a token",
    "api-example": "a file of the source",
    "api-record-format": "the same",
    "javascript-catalog": "translations",
    "set_language": "changes the language",
    "lobby:": "tables that have not begun, or have been laid for a game of their own: never for shared deals (tests/games/test_lobby.py)",
    "imported:": "records that somebody brought along",
    "position:": "the address itself is all there is (tests/games/test_positions.py)",
    "tournament:": "what the director's log says; travellers have their own exchange in tests/clubs/online_pages",
    "club-tournaments:": "announces a tournament",
    "club:": "with more than the club in it: members, dates, news; made of what people wrote",
    "ratings:": "of one ruleset or person: made of what is open (tests/ratings/test_sources.py)",
    "ratings-json": "made of what is open (tests/ratings/test_sources.py)",
    "puzzles:puzzle": "a stored position: of no game that is played, with an exchange of its own in tests/games/puzzles",
    "daily:day": "the deal of one day, with an exchange of its own in tests/games/daily",
    "my-calendar-feed": "needs the secret of its owner, and has the deadlines of their own games (tests/games/test_mine_calendar.py)",
    "accounts:": "of one's own sessions, tokens, absences and reports, by their keys",
    "webhooks:": "where one's programs are told, by their keys: the addresses one wrote oneself",
    "notices:no-letters": "needs the secret of a letter",
    "notices:unsubscribe": "needs the secret of its owner",
    "meeting:": "wishes, appointments and alerts, by their keys: of no game that is played",
    "kept-file": "rules and words: the encyclopedia, which is left out as a whole",
    "page-picture": "the same",
    "recording": "a word that a reader has spoken",
    "webhooks:change": "of one's own webhooks, by their keys",
}
"""Addresses, or how their names begin, that are not asked, and why. Of the rooms named with a colon only those which need
something else than the game, its people and the club are left out, and the encyclopedia as a whole."""
WHOLE: Final = ("rules:", "api:", "words", "account_", "mfa_", "usersessions", "play-api:")
"""Rooms that are left out with all their addresses."""
KNOWN: Final = {"public_id", "number", "kind", "message", "topic", "slug", "other_id", "step"}
LEFT_OUT: Final = {"games:leave", "accounts:export", "accounts:delete", "accounts:forget", "sitemap", "healthz"}
"""Asked by one viewer only: they change something, count against a limit, or are slow."""


def asked() -> list[Address]:
    """The addresses that are asked."""
    return [address for address in seal_kit.addresses() if not _left_out(address)]


def _left_out(address: Address) -> bool:
    if not address.name:
        return True  # what is there for whatever is nowhere else
    if address.name.startswith(WHOLE):
        return True
    strange = bool(address.fills - KNOWN) or address.name.startswith(("lobby:", "imported:", "tournament:"))
    if address.name.startswith(("club:", "ratings:")) and address.fills - {"slug"}:
        strange = True
    if address.name.startswith("accounts:") and address.fills - {"public_id"}:
        strange = True
    return strange or any(address.name == known for known in NOT_ASKED)


def test_every_address_is_asked_or_left_out_for_a_reason():
    asked_names = {address.name for address in asked()}
    for address in seal_kit.addresses():
        if address.name and address.name not in asked_names:
            assert any(address.name.startswith(known) for known in NOT_ASKED), address
    assert len(asked_names) > 80
    assert {"games:table", "games:replay", "statistics:hands", "mine:finished", "watch", "daily:today"} <= asked_names


def core(names: list[Address]) -> list[Address]:
    """Those that have to do with games; the rest is asked by one viewer only."""
    return [
        address
        for address in names
        if address.name.startswith(("games:", "mine:", "statistics:", "tables:", "daily:", "my-"))
        or address.name in ("home", "watch", "notices:list", "notices:game", "accounts:person", "accounts:you")
    ]


CURIOUS: Final = "who has the deal before them"
"""Who is asked for everything; the others for what has to do with games."""


class Watch:
    """All that several people get, again and again, each with their own browser and program."""

    def __init__(self, scene: Scene, names: list[Address], who: tuple[str, ...] = ()) -> None:
        self.scene, self.names = scene, [address for address in names if address.name not in LEFT_OUT]
        self.people = {name: player for name, player in scene.others.items() if name in (who or scene.others)}
        self.clients = {name: seal_kit.browser(player) for name, player in self.people.items()}
        self.programs = {
            name: Program(player) if player is not None and player.is_member else None
            for name, player in self.people.items()
        }

    def look(self) -> dict[tuple[str, str], object]:
        """Everything now, by who gets it and where."""
        found: dict[tuple[str, str], object] = {}
        for name, player in self.people.items():
            names = self.names if name == CURIOUS else core(self.names)
            methods = ("get", "post") if name == CURIOUS else ("get",)
            got = seal_kit.answers(self.scene, player, names, self.clients[name], methods)
            got |= seal_kit.programs(self.scene, self.programs[name])
            got |= seal_kit.told(self.scene, player)
            got["socket"] = seal_kit.frames(self.scene, self.clients[name])
            found |= {(name, where): said for where, said in got.items()}
        return found


def differing(before: Mapping[Any, object], after: Mapping[Any, object]) -> dict[Any, tuple[str, str]]:
    """What is not the same, as far as it differs, for a failing test to show."""
    return {key: _difference(before[key], after.get(key)) for key in before if before[key] != after.get(key)}


def assert_same(before: Mapping[Any, object], after: Mapping[Any, object]) -> None:
    """Nothing differs; else it is said briefly where."""
    found = differing(before, after)
    assert not found, "\n".join(f"{key}: {one!r} / {other!r}" for key, (one, other) in found.items())


def _difference(one: object, other: object) -> tuple[str, str]:
    first, second = repr(one), repr(other)
    at = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), 0)
    return first[max(at - 60, 0) : at + 60], second[max(at - 60, 0) : at + 60]


def assert_tells_nothing(scene: Scene, watch: Watch) -> None:
    watch.look()  # whatever a first visit changes
    before, points = watch.look(), list(scene.table.totals)
    for number in (1, 2):
        kit.exchange_deal(scene.table, number, number)
    assert scene.table.totals != points, "the exchange changes what was made of it"
    assert_same(before, watch.look())


@pytest.mark.parametrize("who", quick({"the most curious"}, ["the most curious", "everybody"]))
def test_a_sealed_deal_may_be_another_and_nobody_else_gets_another_byte(who: str):
    scene = seal_kit.scene()
    assert_tells_nothing(scene, Watch(scene, asked(), (CURIOUS,) if who == "the most curious" else ()))


@pytest.mark.long
@pytest.mark.parametrize(("game", "size", "over"), [("troccas", 4, True), ("troggu", 4, False), ("troccas-3", 3, True)])
def test_the_same_when_the_game_is_over_and_in_other_games(game: str, size: int, over: bool):
    scene = seal_kit.scene(game, size, over=over)
    assert_tells_nothing(scene, Watch(scene, core(asked()), ("a stranger", CURIOUS, "who gave up the seat")))


def test_the_exchange_would_be_seen_if_the_deals_were_open():
    """The test can fail: for those who sit there, and for all when the set is open, the pages do change."""
    scene = seal_kit.scene(over=True)
    names = [address for address in asked() if address.name in ("games:hands", "games:state", "games:replay")]
    anna, stranger = seal_kit.browser(scene.anna), seal_kit.browser(None)
    before = seal_kit.answers(scene, scene.anna, names, anna), seal_kit.answers(scene, None, names, stranger)
    kit.exchange_deal(scene.table, 1, 4)
    after = seal_kit.answers(scene, scene.anna, names, anna), seal_kit.answers(scene, None, names, stranger)
    assert (before[0] == after[0], before[1] == after[1]) == (False, True)
    Deal.objects.filter(hands__game=scene.table).update(opened_at=scene.table.ended_at)
    BoardSet.objects.update(opened_at=scene.table.ended_at)
    opened = seal_kit.answers(scene, None, names, stranger)
    assert opened != after[1]
    kit.exchange_deal(scene.table, 1, 5)
    assert seal_kit.answers(scene, None, names, stranger) != opened
