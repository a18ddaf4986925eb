"""What a table remembers of the hand that is played: the last trick only, or all, and that alike wherever it is told."""

from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse

from accounts import sessions
from accounts.models import Player
from domain.engine import CODES, Hand, ruleset, set_of
from games.lobby import text as paces
from games.lobby.forms import NewTableForm
from games.models import Game
from games.selectors import table
from tests.games.store_kit import exchange_stored, pack_of, random_hand, replayed, store, texts_of
from tests.games.table_kit import person
from tests.games.test_secrets import codes_in, outputs
from tests.long import LONG, quick

pytestmark = pytest.mark.django_db


def older_exchanged(hand: Hand, chance: random.Random) -> Hand | None:
    """The hand with two cards of older tricks exchanged, all else being as it was; None if none can be."""
    older = [card for trick in hand.tricks[:-1] for card in trick.cards]
    kept = (
        set_of(hand.tricks[-1].cards) | set_of(hand.trick) | set_of(card for card in hand.face_up if card is not None)
    )
    shown = {card for event in hand.happenings for card in (event.card, event.back)}
    free = [card for card in set(older) - shown if not kept & (1 << card) and card != (hand.pack or [None])[-1]]
    for _ in range(60):
        if len(free) < 2:
            return None
        one, other = chance.sample(free, 2)
        swap, words = {one: other, other: one}, {CODES[one]: CODES[other], CODES[other]: CODES[one]}
        pack = [swap.get(card, card) for card in pack_of(hand)]
        texts = [" ".join(words.get(word, word) for word in text.split()) for text in texts_of(hand)]
        twin = replayed(hand, pack, texts)
        if (
            twin is not None
            and twin.happenings == hand.happenings
            and [trick.winner for trick in twin.tricks] == [trick.winner for trick in hand.tricks]
            and twin.tricks[-1] == hand.tricks[-1]
            and twin.trick == hand.trick
            and twin.hands == hand.hands
            and twin.running == hand.running
        ):
            return twin
    return None


def hands_with_old_tricks(rules: str, wanted: int):
    """Hands in which cards of older tricks can be exchanged, each with its twin."""
    found = 0
    for seed in range(400):
        hand = random_hand(seed, 60 + seed % 30, rules=ruleset(rules))
        if hand.over or len(hand.tricks) < 4:
            continue
        twin = older_exchanged(hand, random.Random(seed))
        if twin is not None:
            found += 1
            yield hand, twin
        if found == wanted:
            return
    raise AssertionError("too few hands")


def stored(hand: Hand, memory: str) -> tuple[Game, list[Player]]:
    players = [Player.objects.create(name=f"P{number}") for number in range(hand.seats)]
    game = store(hand, players)
    Game.objects.filter(pk=game.pk).update(memory=memory)
    game.refresh_from_db()
    return game, players


@pytest.mark.parametrize("rules", quick({"troccas"}, ["troccas", "troccas-5"]))
def test_where_only_the_last_trick_is_remembered_older_cards_change_nothing_anybody_gets(rules):
    for hand, twin in hands_with_old_tricks(rules, 4 if LONG else 1):
        game, players = stored(hand, "last")
        viewers = [
            (players[0], sessions.issue_guest_token(players[0])),
            (players[1], sessions.issue_guest_token(players[1])),
            (None, ""),
        ]
        before = [outputs(game, viewer, raw) for viewer, raw in viewers]
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert [outputs(game, viewer, raw) for viewer, raw in viewers] == before


def test_where_all_is_remembered_they_are_shown_to_everybody():
    for hand, twin in hands_with_old_tricks("troccas", 2):
        game, players = stored(hand, "all")
        for viewer in (players[0], None):
            game.refresh_from_db()
            seen = table.sight_of(game, viewer)
            told = [tuple(CODES[card] for card in trick.cards) for trick in hand.tricks]
            assert [tuple(card.code for card in trick.cards) for trick in seen.gathered] == told
            assert [trick.winner for trick in seen.gathered] == [trick.winner for trick in hand.tricks]
            in_lines = {code for line in seen.lines for code in line.cards}
            assert in_lines >= {code for trick in told for code in trick}
        before = table.sight_of(game, None)
        exchange_stored(game, pack_of(twin), texts_of(twin))
        assert table.sight_of(Game.objects.get(pk=game.pk), None) != before


def test_what_has_been_played_is_told_suit_by_suit_as_far_as_the_table_remembers():
    for hand, _twin in hands_with_old_tricks("troccas", 2):
        laid = {card for trick in hand.tricks for card in trick.cards} | set(hand.trick)
        whole, players = stored(hand, "all")
        seen = table.sight_of(whole, players[0])
        told = {CODES[card] for card in laid}
        assert {code for suit in seen.played for code in suit.cards} >= told
        own = {card.code for card in seen.cards} | set(seen.scart)
        for suit in seen.played:
            of_it = [code for code in CODES if code[0] == (suit.suit or "F")]
            assert suit.unseen == len(set(of_it) - own - set(suit.cards))
        last, players = stored(hand, "last")
        recent = {CODES[card] for card in [*hand.tricks[-1].cards, *hand.trick]}
        seen = table.sight_of(last, players[0])
        assert recent <= {code for suit in seen.played for code in suit.cards}
        assert {suit.unseen for suit in seen.played} == {None}


def test_no_older_card_is_named_in_what_leaves_a_table_that_forgets():
    for hand, _twin in hands_with_old_tricks("troccas", 3):
        game, players = stored(hand, "last")
        recent = {*hand.tricks[-1].cards, *hand.trick}
        first = {card for event in hand.happenings for card in (event.card, event.back)}
        older = {CODES[card] for trick in hand.tricks[:-1] for card in trick.cards if card not in recent | first}
        seen = table.sight_of(game, players[0])
        mine = {card.code for card in seen.cards}
        spoken = {code for line in seen.lines if line.number <= 0 for code in line.cards}
        assert not (older - mine - spoken) & set(codes_in(seen.as_json()))
        assert seen.gathered == ()


def test_the_page_shows_all_tricks_where_they_are_remembered():
    hand, _twin = next(iter(hands_with_old_tricks("troccas", 1)))
    for memory, shown in (("all", True), ("last", False)):
        game, players = stored(hand, memory)
        client = Client()
        client.cookies["guest"] = sessions.issue_guest_token(players[0])
        page = client.get(reverse("games:table", args=[game.public_id])).content.decode()
        assert ('id="tricks-fold"' in page) is shown
        assert (f"Trick {len(hand.tricks)}, to " in page) is shown


def test_alone_with_computer_players_all_that_was_played_can_be_looked_at_and_among_people_the_last_trick():
    client = Client()
    for address, form in (
        ("games:play_now", {}),
        ("choose", {"game": "troccas-online", "hands": "4"}),
    ):
        answer = client.post(reverse(address), form)
        assert answer.status_code == 303, answer.content.decode()[:2000]
    assert set(Game.objects.values_list("memory", flat=True)) == {"all"}
    assert '<option value="all" selected>' in client.get(reverse("choose")).content.decode()
    lays = NewTableForm(ruleset("troccas"), paces.offered_paces()[0], None)
    assert lays["memory"].initial == "last"


def test_it_is_chosen_when_a_table_against_computers_is_laid():
    player = person()
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    for memory in ("all", "last", "all", ""):
        answer = client.post("/en/games/", {"game": "troccas-online", "hands": "4", "memory": memory})
        assert answer.status_code == 303, answer.content.decode()[:2000]
    assert sorted(Game.objects.values_list("memory", flat=True)) == ["all", "last"]
    assert client.post("/en/games/", {"game": "troccas-online", "hands": "4", "memory": "some"}).status_code == 422
