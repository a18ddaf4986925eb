"""Putting a position that was played in the engine into the database, as the door would have stored it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from django.db import connection
from django.utils import timezone

from accounts.models import Player
from domain.engine import CODES, Action, Hand, IllegalAction, Ruleset, cards_in, parse_action, ruleset
from domain.engine.legal import LegalChoice, LegalCut, LegalWords
from games.models import Action as Entry
from games.models import Deal, Game, GameHand, Seat
from games.services.rebuilding import rebuild

TROCCAS = ruleset("troccas")


def random_action(hand: Hand, chance: random.Random) -> Action:
    """Any legal action, phrases of the talk included."""
    legal = hand.legal
    if isinstance(legal, LegalChoice):
        if legal.otherwise and chance.random() < 0.5:
            return legal.otherwise[0]
        whole = tuple(cards_in(legal.together)) if chance.random() < 0.5 else ()
        free = chance.sample(list(cards_in(legal.cards)), legal.count - len(whole))
        return Action(legal.verb, (*whole, *free))
    if isinstance(legal, LegalCut):
        return Action("cut", number=chance.randint(1, legal.most))
    action = chance.choice(list(legal))
    if isinstance(legal, LegalWords) and legal.talk and chance.random() < 0.5:
        return Action(action.verb, said=(chance.choice(sorted(legal.phrases)),))
    return action


def random_hand(seed: int, steps: int, options: dict[str, object] | None = None, rules: Ruleset = TROCCAS) -> Hand:
    """A hand after at most `steps` random actions; vetoes are frequent so that most hands are played."""
    chance = random.Random(seed)
    pack = list(cards_in(rules.pack))
    chance.shuffle(pack)
    hand = Hand(rules, chance.randrange(rules.seats), pack, options=rules.settled_options(options or {}))
    while steps and not hand.over:
        hand.push(random_action(hand, chance))
        steps -= 1
    return hand


def replayed(hand: Hand, pack: Sequence[int], texts: Sequence[str]) -> Hand | None:
    """The same actions with another pack; None if they would not have been legal."""
    other = Hand(hand.ruleset, hand.dealer, pack, options=hand.option)
    try:
        for text in texts:
            other.push(parse_action(text))
    except IllegalAction:
        return None
    return other


def texts_of(hand: Hand) -> list[str]:
    """The hand's actions as text."""
    return [str(action) for _, action in hand.history]


def pack_of(hand: Hand) -> list[int]:
    """The pack as it lay before the cut."""
    assert hand.pack is not None
    uncut = len(hand.pack) - hand.cut if hand.cut else 0
    return [*hand.pack[uncut:], *hand.pack[:uncut]]


def store(hand: Hand, players: Sequence[Player]) -> Game:
    """A game whose first deal is this hand."""
    rules = hand.ruleset
    game = Game.objects.create(
        ruleset=rules.id,
        ruleset_version=rules.version,
        options=dict(hand.option),
        table_size=rules.seats,
        totals=[0] * rules.seats,
    )
    deal = Deal.objects.create(
        table=game.public_id, ordinal=1, secret=bytes(32), commitment="0" * 64, pack=_codes(pack_of(hand))
    )
    GameHand.objects.create(game=game, number=1, deal=deal, dealer=hand.dealer)
    entries = []
    for seat, player in enumerate(players):
        Seat.objects.create(game=game, number=seat, player=player)
        entries.append(Entry(game=game, hand_number=0, kind="event", text="sat", seat=seat, player=player))
    entries += [
        Entry(game=game, hand_number=1, kind="event", text="ready", seat=seat, player=player)
        for seat, player in enumerate(players)
    ]
    entries += [
        Entry(game=game, hand_number=1, kind="move", text=str(action), seat=seat, player=players[seat])
        for seat, action in hand.history
    ]
    for number, entry in enumerate(entries, 1):
        entry.number, entry.at = number, timezone.now()
    Entry.objects.bulk_create(entries)
    rebuild(game.pk)
    game.refresh_from_db()
    return game


def exchange_stored(game: Game, pack: Sequence[int], texts: Sequence[str]) -> None:
    """Exchange hidden cards behind everybody's back: the pack and the moves, whose rows nobody may change otherwise."""
    Deal.objects.filter(table=game.public_id).update(pack=_codes(pack))
    numbers = game.actions.filter(kind="move").order_by("number").values_list("number", flat=True)
    with connection.cursor() as cursor:
        for number, text in zip(numbers, texts, strict=True):
            cursor.execute(
                "UPDATE games_action SET text = %s WHERE game_id = %s AND number = %s", [text, game.pk, number]
            )


def _codes(cards: Sequence[int]) -> str:
    return " ".join(CODES[card] for card in cards)
