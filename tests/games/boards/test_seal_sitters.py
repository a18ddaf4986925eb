"""Those who sit at a sealed table learn what they played there, and no more: not of the deals of the past, not of hidden cards."""

from __future__ import annotations

import random

import pytest

from domain.engine import CODES, cards_in
from games.models import Deal, Game
from games.selectors import log, replay, table
from tests.games.api_kit import API, Program
from tests.games.boards import kit, seal_kit
from tests.games.boards.test_seal import asked, assert_same, core
from tests.games.store_kit import pack_of, texts_of
from tests.games.test_secrets import codes_in, exchanged
from tests.games.unseen import unseen_by
from tests.long import LONG, quick

pytestmark = pytest.mark.django_db


def looks(scene: seal_kit.Scene) -> dict[tuple[str, str], object]:
    """All that those who sit at the table get of it; they only look."""
    found: dict[tuple[str, str], object] = {}
    names = [address for address in core(asked()) if address.name not in ("games:seen", "games:pause", "games:notes")]
    names = [address for address in names if "games:" not in address.name or address.name in LOOKED_AT]
    for player in (scene.anna, scene.clau) if LONG else (scene.anna,):
        client = seal_kit.browser(player)
        got = seal_kit.answers(scene, player, names, client, methods=("get",))
        got |= seal_kit.told(scene, player)
        del got["export"]  # it has what they did themselves, move by move
        program = Program(player)
        for path in ("", "/record", "/events?seconds=0&state=true"):
            answer = program.client.get(f"{API}/games/{scene.table.public_id}{path}", headers=program.headers)
            got[path] = answer.status_code, seal_kit.body_of(answer)
        got["sight"] = table.sight_of(scene.table, player)
        got["overview"] = replay.overview(scene.table, player)
        found |= {(player.name, key): value for key, value in got.items()}
    return found


LOOKED_AT = frozenset(
    f"games:{name}"
    for name in (
        "table",
        "since",
        "state",
        "why",
        "hands",
        "replay",
        "hand_record",
        "picture",
        "record",
        "watching",
        "chat",
    )
)


@pytest.mark.parametrize("over", quick({"while it goes on"}, [False, True], ["while it goes on", "when it is over"]))
def test_what_was_played_in_a_sealed_deal_is_shown_to_nobody_not_even_there(over: bool):
    """With the points as they were written, cards and moves of the past deal are exchanged: every byte stays the same."""
    scene = seal_kit.scene(over=over)
    looks(scene)
    before = looks(scene)
    kit.exchange_deal(scene.table, 1, 6, count=False)
    after = looks(scene)
    assert_same(before, after)


@pytest.mark.parametrize("seat", quick({"0"}, [0, 1]))
def test_hidden_cards_of_the_running_deal_change_nothing_for_who_sits_there(seat: int):
    scene = seal_kit.scene()
    player = (scene.anna, scene.clau)[seat]
    hand = log.open_table(scene.table).hand
    assert hand is not None
    compared = 0
    for seed in range(20):
        twin, pairs = exchanged(hand, seat, random.Random(seed))
        if not pairs:
            continue
        hidden = {CODES[card] for card in unseen_by(hand, seat)}
        assert not hidden & set(codes_in(table.sight_of(scene.table, player).as_json()))
        names = [address for address in core(asked()) if address.name in LOOKED_AT]
        client = seal_kit.browser(player)
        before = seal_kit.answers(scene, player, names, client, methods=("get",)) | seal_kit.told(scene, player)
        deal = scene.table.hands.get(number=2).deal
        Deal.objects.filter(pk=deal.pk).update(pack=" ".join(CODES[card] for card in pack_of(twin)))
        moves = scene.table.actions.filter(kind="move", hand_number=2)
        assert [move.text for move in moves] == texts_of(hand)
        kit.rewrite(scene.table, 2, [(at, str(action)) for at, action in twin.history])
        scene.table.refresh_from_db()
        assert set(cards_in(twin.hands[seat])) == set(cards_in(hand.hands[seat]))
        after = seal_kit.answers(scene, player, names, client, methods=("get",)) | seal_kit.told(scene, player)
        assert_same(before, after)
        hand, compared = twin, compared + 1
        if compared == (2 if LONG else 1):
            return
    raise AssertionError("no cards could be exchanged")


def test_the_record_and_the_export_of_who_sat_there_have_no_sealed_deal():
    scene = seal_kit.scene(over=True)
    game = Game.objects.get(pk=scene.table.pk)
    assert replay.record(game).hands == ()
    assert '"pack"' not in str(seal_kit.told(scene, scene.anna)["export"])
    with pytest.raises(replay.NotOpen):
        replay.record_of_hand(game, 1)
