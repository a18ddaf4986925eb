"""Positions laid by hand: whatever is laid, the engine reaches it, or it is refused with the reason; the address holds all of it."""

from __future__ import annotations

import base64
import json
import random
import zlib
from dataclasses import replace
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from domain.bots.advice import advise
from domain.engine import CODES, Hand, card_of, set_of
from domain.engine.record import hands_of, rewound
from domain.engine.rulesets import ruleset
from games.models import Game
from games.positions.forms import PositionForm, initial_of, table_named, tables
from games.positions.layout import BadPosition, Layout, layout_of, record_of
from games.positions.selectors import LONGEST, address_of, edit_address, example_of, record_at
from games.selectors import replay as looking_back
from games.selectors import table as table_selector
from rules.examples import position as position_of_example
from rules.examples import read
from rules.examples.reading import PlayExample, examples_in
from tests.games.replay_kit import FEW, RULESETS, stored
from tests.games.table_kit import advised, laid, person, submit, wait
from tests.long import quick
from tests.rules.entries import article

QUICK = {"troccas:4", "troccas-6:6", "troggu:5", "troggu:8", "troccas-online:4"}


def cards(text: str) -> int:
    return set_of(map(card_of, text.split()))


def reached(layout: Layout, seed: int = 1) -> Hand:
    return hands_of(record_of(layout, Random(seed)))[0]


def contracts(rules):
    if rules.bidding is None:
        return [""]
    return ["", "normal", "solo"] + (["misere"] if rules.bidding.if_none_takes == "misere" else [])


@pytest.mark.parametrize("table", quick(QUICK, [value for value, _name in tables()]))
def test_every_game_at_every_table_can_be_laid_at_its_first_lead_and_later(table):
    rules = table_named(table)
    for contract in contracts(rules):
        layout = Layout(
            rules=rules,
            hands=(0,) * rules.seats,
            dealer=1,
            contract=contract,
            tappist=2,
            called=card_of("T20"),
            leader=2,
        )
        hand = reached(layout)
        assert hand.dealer == 1
        assert hand.asked == ("play" if contract or rules.bidding is None else "bid")
        if contract:
            hand = reached(replace(layout, left=3))
        if contract or rules.bidding is None:
            assert hand.contract == contract
            assert contract in ("", "misere") or hand.tappist == 2
        while not hand.over:
            hand.push(advise(hand.view(hand.turn)).action)


def test_the_cards_lie_where_they_were_laid_and_the_plays_have_been_played():
    hands = (cards("CK CQ T21"), cards("C1 F"), cards("C5 T1"), cards("CJ"))
    hand = reached(Layout(rules=ruleset("troccas"), hands=hands, dealer=3, aside=cards("S1 S2"), plays=("CK", "C1")))
    assert [CODES[card] for card in hand.trick] == ["CK", "C1"]
    assert hand.hands[0] & cards("CQ T21") == cards("CQ T21")
    assert hand.hands[2] & hands[2] == hands[2]
    assert hand.scart == cards("S1 S2")
    assert hand.turn == 2


def test_cards_that_are_only_played_come_from_the_hand_of_who_plays_them_and_that_hand_may_play_them():
    # Clau trumps a suit that he therefore cannot hold.
    plays = ("CK", "C1", "T5", "C2", "O10", "S7")
    hand = reached(Layout(rules=ruleset("troccas"), hands=(0,) * 4, dealer=3, plays=plays))
    assert hand.tricks[0].winner == 2
    assert not hand.hands[2] & cards("C1 C3 C4 C5 C6 C7 C8 C9 C10 CJ CN CQ")
    assert [CODES[card] for card in hand.trick] == ["O10", "S7"]
    assert not hand.hands[3] & cards("O1 O2 O3 OK T1 T21")


def test_what_somebody_else_holds_nobody_plays():
    with pytest.raises(BadPosition) as told:
        reached(Layout(rules=ruleset("troccas"), hands=(0, cards("CK"), 0, 0), dealer=3, plays=("CK",)))
    assert told.value.field == "plays"
    assert "Anna" in told.value.message


def test_the_rules_refuse_what_they_forbid():
    hands = (cards("CK"), cards("C1 T5"), 0, 0)
    with pytest.raises(BadPosition, match="follow"):
        reached(Layout(rules=ruleset("troccas"), hands=hands, dealer=3, plays=("CK", "T5")))
    with pytest.raises(BadPosition, match="who plays what") as told:
        reached(Layout(rules=ruleset("troggu", None, 4), hands=(0,) * 4, plays=("CK",)))
    assert told.value.field == "contract"
    with pytest.raises(BadPosition) as told:
        reached(Layout(rules=ruleset("troccas"), hands=(0,) * 4, aside=cards("CK C1")))
    assert told.value.field == "aside"
    with pytest.raises(BadPosition) as told:
        reached(Layout(rules=ruleset("troccas"), hands=(cards(" ".join(CODES[:25])), 0, 0, 0)))
    assert told.value.field == "hand0"


def test_a_later_trick_has_a_past_made_up_for_it_and_these_cards():
    hands = (cards("CK T21 S1"), cards("C1 O1 B1"), cards("C2"), 0)
    layout = Layout(rules=ruleset("troccas"), hands=hands, dealer=2, left=3, leader=1, plays=("C1", "C2"))
    hand = reached(layout)
    assert (hand.dealer, hand.leader, hand.turn, len(hand.tricks)) == (2, 1, 3, 16)
    assert hand.hands[:2] == [hands[0], hands[1] & ~cards("C1")]
    assert [held.bit_count() for held in hand.hands] == [3, 2, 2, 3]


def test_before_the_scart_the_dealer_still_holds_all_cards():
    hand = reached(Layout(rules=ruleset("troccas"), hands=(cards("CK"), 0, 0, 0), keeps=True))
    assert (hand.asked, hand.turn, hand.hands[0].bit_count()) == ("scart", 0, 21)
    hand = reached(Layout(rules=ruleset("troggu", None, 4), hands=(0,) * 4, contract="normal", tappist=2, keeps=True))
    assert (hand.asked, hand.turn, hand.hands[2].bit_count()) == ("discard", 2, 23)


def test_without_chance_every_card_has_to_be_laid():
    with pytest.raises(BadPosition, match="77 cards have no place"):
        reached(Layout(rules=ruleset("troccas"), hands=(cards("CK"), 0, 0, 0), fill=False))


@pytest.mark.django_db
@pytest.mark.parametrize("id", quick(FEW, RULESETS))
def test_any_moment_of_a_hand_is_laid_as_it_was(id):
    game = stored(id, 5)
    written = looking_back.record(game)
    whole = hands_of(written)[0]
    moments = random.Random(id).sample(range(len(whole.history)), 6)
    for step in moments:
        layout = layout_of(whole, written.hands[0].pack, step)
        then_laid, then = reached(layout), rewound(whole, written.hands[0].pack, step)
        if then.asked == "play" and then.history[-1][1].verb == "play":
            assert (then_laid.hands, then_laid.trick, then_laid.turn, then_laid.sides) == (
                then.hands,
                then.trick,
                then.turn,
                then.sides,
            )
            assert [trick.cards for trick in then_laid.tricks] == [trick.cards for trick in then.tricks]
        form = PositionForm({"table": "", **_as_sent(initial_of(layout))}, rules=layout.rules)
        assert form.is_valid(), form.errors
        assert "position=" in edit_address(written, 1, step)


def _as_sent(initial):
    return {name: "on" if value is True else str(value) for name, value in initial.items() if value is not False}


def test_the_address_holds_the_position_and_nothing_else_is_one():
    record = record_of(Layout(rules=ruleset("troccas"), hands=(0,) * 4), Random(1))
    address = address_of(record)
    assert len(address) < LONGEST
    assert record_at(address) == record
    for strange in ("", "x", address[:-9], address + "A" * LONGEST, "é"):
        assert record_at(strange) is None
    strange_data: list[object] = [
        [],
        {},
        ["troccas", 1, {}, 4, []],
        ["troccas", 1, {}, 1e999, []],
        ["troccas", 1, {}, "4", [{}]],
    ]
    for data in strange_data:
        packed = zlib.compress(json.dumps(data).encode())
        assert record_at(base64.urlsafe_b64encode(packed).rstrip(b"=").decode()) is None
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 400_000)).rstrip(b"=").decode()
    assert len(bomb) < LONGEST
    assert record_at(bomb) is None
    tampered = record.to_json()
    tampered["hands"][0]["actions"].append("0 play CK CJ")  # type: ignore[index,call-overload]  # plain JSON
    parts = [*(tampered[name] for name in ("ruleset", "ruleset_version", "options")), 4, tampered["hands"]]
    packed = zlib.compress(json.dumps(parts).encode())
    assert record_at(base64.urlsafe_b64encode(packed).rstrip(b"=").decode()) is None


def test_the_text_for_an_article_is_an_example_with_the_same_hand():
    hands = (cards("CK CQ T21 S1 S2"), cards("C1"), 0, 0)
    record = record_of(Layout(rules=ruleset("troccas"), hands=hands, dealer=3, plays=("CQ", "C1")), Random(2))
    hand = hands_of(record)[0]
    ((_id, body),) = examples_in(example_of(record))
    example = read(body, ruleset=None, seats=None)
    found = position_of_example(example)
    assert found is not None
    assert isinstance(example, PlayExample)
    assert set(example.hold) == {card for card in range(78) if hand.hands[hand.turn] >> card & 1}
    assert [put[0] for put in example.trick] == hand.trick


# the pages


@pytest.fixture
def client(db):
    return Client()


SENT = {
    "table": "troccas:4",
    "dealer": "3",
    "left": "19",
    "leader": "0",
    "fill": "on",
    "hand0": "ck, t21",
    "plays": "CK",
}


def test_a_position_is_laid_looked_at_pictured_recorded_and_played(client):
    answer = client.post("/en/positions/", SENT)
    assert answer.status_code == 303
    page = client.get(answer["Location"])
    assert page.status_code == 200
    assert b"Troccas, a position" in page.content
    assert page["X-Robots-Tag"] == "noindex"
    assert Game.objects.count() == 0
    assert client.get(answer["Location"] + "?step=2&fragment=1").status_code == 200
    assert client.get(answer["Location"] + "picture.svg").content.startswith(b"<svg")
    assert client.get(answer["Location"] + "picture.png")["Content-Type"] == "image/png"
    record = json.loads(client.get(answer["Location"] + "record.json").content)
    assert record["format"] == "troccas-record"
    step = len(record["hands"][0]["actions"])
    table = client.post(answer["Location"] + "from-here/", {"step": step, "seat": 1})
    game = Game.objects.get()
    assert table["Location"] == reverse("games:table", args=[game.public_id])
    assert game.kind == Game.Kind.PRACTICE
    player = game.seats.get(number=1).player
    seen = table_selector.sight_of(game, player)
    assert seen.question.mine
    assert b"a position that was set up" in client.get(table["Location"]).content
    while game.status == Game.Status.PLAYING:
        submit(game, player, advised(game, player))
        wait(game, player)
    edited = client.get(answer["Location"] + "edit/", follow=True)
    assert b'name="plays"' in edited.content
    assert b"CK</textarea>" in edited.content


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"hand1": "CK"}, "CK is there twice."),
        ({"hand0": "CX"}, "There is no card “CX”."),
        ({"plays": "C1 T5", "hand1": "C2"}, "follow"),
        ({"plays": "hello"}, "is no card and no word"),
        ({"aside": "OK"}, "You may not lay away"),
        ({"table": "troggu:5", "hand0": "S1", "plays": "", "left": "11"}, "S1 is not in the pack"),
        ({"left": "3", "leader": "0", "plays": "CK", "hand2": "CK", "hand0": ""}, "lies elsewhere"),
        ({"dealer": "9"}, "Choose one of the options"),
        ({"hand0": "CK " * 200}, "at most 300"),
        ({"fill": ""}, "no place yet"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(client, changed, told):
    answer = client.post("/en/positions/", SENT | changed)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert Game.objects.count() == 0


def test_a_thrown_together_request_is_answered_not_broken(client):
    for data in (
        {},
        {"table": "x"},
        {"table": "troccas:99"},
        {"table": "troggu:³"},
        {"table": "troccas:4", "left": "-1"},
    ):
        assert client.post("/en/positions/", data).status_code == 422
    assert client.get("/en/positions/?table=troggu:8").status_code == 200
    for path in ("/en/positions/?position=x", "/p/x/", "/p/x/record.json", "/p/x/picture.svg", "/p/x/edit/"):
        assert client.get(path).status_code == 404
    assert client.post("/p/x/from-here/").status_code == 404


@pytest.mark.django_db
def test_a_replay_and_a_brought_record_lead_to_the_editor(client):
    game = stored("troccas", 5)
    answer = client.get(f"/g/{game.public_id}/hand/1/edit/?step=30", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/en/positions/?position=")
    assert b"</textarea>" in answer.content


def test_a_running_deal_cannot_be_edited(client):
    game = laid(person())
    assert client.get(f"/g/{game.public_id}/hand/1/edit/").status_code == 404


@pytest.mark.django_db
def test_an_example_of_an_article_leads_to_the_editor(client):
    body = '::: example follow\nkind = "play"\nhold = "CK C2 OJ S8 T7 T3"\ntrick = "C4 CQ"\n:::\n'
    article("troccas", f"## Play {{#play}}\n\n{body}", ruleset="troccas")
    sent = {"article": "troccas", "language": "en", "example": "follow"}
    answer = client.post("/p/example/", sent, follow=True)
    assert answer.status_code == 200
    assert "C4 CQ</textarea>" in answer.content.decode()
    assert client.post("/p/example/", sent | {"example": "two"}).status_code == 404
