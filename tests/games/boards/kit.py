"""Tables with shared deals for tests, played by the door's own steps: all moves of a hand at once, as computers choose them."""

from __future__ import annotations

import random
import uuid
from datetime import timedelta
from typing import Any

from django.db import connection, transaction

from accounts.models import Player
from domain.engine import CODES, cards_in
from domain.engine.hand import Hand
from domain.engine.rulesets import ruleset
from domain.pace import Kind, Out, Terms
from games.models import Action, BoardSet, Deal, Game, GameHand
from games.selectors import log
from games.services import boards, common, play, rebuilding, timing
from games.services.computers import LEVEL
from tests.games.store_kit import pack_of, random_action
from tests.games.table_kit import rush

DAYS = Terms(Kind.DAYS, timedelta(days=2), out=Out.SUBSTITUTE)


def computer() -> Player:
    """A computer player of its own, who does not wait."""
    made = Player.objects.filter(computer=LEVEL).count()
    return Player.objects.create(computer=LEVEL, name=f"Computer {made}", bot_speed="at-once")


def laid(
    count: int = 2, ruleset: str = "troccas", size: int = 4, owner: str = "test:1", *, seed: int | None = None
) -> BoardSet:
    """A set of deals; with a `seed` always the same ones, where a test hangs on how they are played."""
    board_set = boards.create_set(owner, ruleset, size=size, count=count)
    if seed is not None:
        _choose(board_set, random.Random(seed))
    return board_set


def _choose(board_set: BoardSet, chance: random.Random) -> None:
    """Other packs and cuts than the secrets say; what they promised is not kept then."""
    for deal in boards.deals(board_set):
        pack = sorted(deal.pack.split())
        chance.shuffle(pack)
        Deal.objects.filter(pk=deal.pk).update(pack=" ".join(pack), cut=chance.randint(1, len(pack) - 1))


def table(board_set: BoardSet, dealer: int = 0, players: list[Player] | None = None, **how: Any) -> Game:
    """A table that plays the set; computer players take the seats for which nobody is named."""
    sitting = [*(players or []), *(computer() for _ in range(board_set.table_size - len(players or [])))]
    return play.start(board_set.ruleset, sitting, board_set=board_set, dealer=dealer, **how)


def begin(game: Game) -> None:
    """Let the deal that waits begin, all people being ready."""
    game.refresh_from_db()
    with transaction.atomic():
        locked = common.locked(game.pk)
        opened = log.open_table(locked)
        for seat in opened.seats:
            if not seat.player.is_computer:
                common.log(locked, Action.Kind.EVENT, "ready", seat=seat.number, player=seat.player)
        common.begin(opened)
        common.done(locked)


def play_hand(game: Game, moves: int = 1000) -> None:
    """Play the deal that waits, or goes on: so many moves, or to its end. In one transaction of the door."""
    game.refresh_from_db()
    if game.to_act is None:
        begin(game)
    rush(game, moves)


def play_out(game: Game) -> None:
    """Play all deals."""
    game.refresh_from_db()
    while game.status == Game.Status.PLAYING:
        play_hand(game)


def seek(game: Game, seat: int) -> None:
    """Look for a substitute in a seat, as when its time is over."""
    with transaction.atomic():
        locked = common.locked(game.pk)
        gone = locked.seats.get(number=seat).player
        common.log(locked, Action.Kind.EVENT, "substitute-asked", seat=seat, player=gone)
        common.ask_again(log.open_table(locked), seat)
        common.done(locked)
    game.refresh_from_db()


def take_seat(game: Game, seat: int, player: Player) -> None:
    """Look for a substitute in a seat, and let `player` take it."""
    seek(game, seat)
    timing.substitute(game.pk, seat, request_id=uuid.uuid4(), by=player)
    game.refresh_from_db()


# exchanging


def other_hand(game: Game, row: GameHand, seed: int, *, moves: int = 0) -> Hand:
    """Another deal in the place of this one, played at random: as far as this one if it goes on, else to its end.

    With `moves` of exactly as many moves.
    """
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    over = row.status != GameHand.Status.OPEN
    made = game.actions.filter(kind="move", hand_number=row.number).count()
    chance = random.Random(seed)
    for _ in range(500):
        pack = list(cards_in(rules.pack))
        chance.shuffle(pack)
        hand = Hand(rules, row.dealer, pack, options=game.options)
        while not hand.over and (over or len(hand.history) < made):
            hand.push(random_action(hand, chance))
        if hand.over == over and (not moves or len(hand.history) == moves):
            return hand
    raise AssertionError("no such hand")


def exchange_deal(game: Game, number: int, seed: int, *, count: bool = True) -> None:
    """Give this table another deal than the others: other cards, another cut, other moves and, with `count`, other points.

    Behind everybody's back, in the database. Without `count` there are as many moves as before, and the points stand as they
    were written: what is left to change is what nobody may look at.
    """
    game.refresh_from_db()
    row = game.hands.select_related("deal").get(number=number)
    moves = game.actions.filter(kind="move", hand_number=number).count()
    hand = other_hand(game, row, seed, moves=0 if count else moves)
    deal = Deal.objects.get(pk=row.deal_id)
    assert deal.pack != " ".join(CODES[card] for card in pack_of(hand))
    deal.pk = None
    deal.table, deal.secret, deal.commitment = f"x{seed}", bytes([seed % 256]) * 32, f"{seed:064x}"
    deal.pack, deal.cut = " ".join(CODES[card] for card in pack_of(hand)), hand.cut
    deal.save(force_insert=True)
    GameHand.objects.filter(pk=row.pk).update(deal=deal)
    rewrite(game, number, [(seat, str(action)) for seat, action in hand.history])
    if count:
        rebuilding.rebuild(game.pk)
    game.refresh_from_db()


def rewrite(game: Game, number: int, moves: list[tuple[int, str]]) -> None:
    """The log of a game with these moves in the place of those of one deal."""
    entries = list(game.actions.order_by("number"))
    there = [entry for entry in entries if entry.kind == Action.Kind.MOVE and entry.hand_number == number]
    sitting = {seat.number: seat.player_id for seat in game.seats.all()}
    new = []
    for place, (seat, text) in enumerate(moves):
        old = there[min(place, len(there) - 1)]
        player = old.player_id if old.seat == seat else sitting[seat]  # nobody makes the cut of a shared deal
        new.append(
            Action(
                game=game, hand_number=number, kind=Action.Kind.MOVE, seat=seat, text=text, player_id=player, at=old.at
            )
        )
    whole: list[Action] = []
    for entry in entries:
        if entry not in there:
            whole.append(entry)
        elif entry == there[-1]:
            whole += new
        elif len(new) > 1:
            whole.append(new.pop(0))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_action WHERE game_id = %s", [game.pk])
    for place, entry in enumerate(whole, 1):
        entry.pk, entry.number = None, place
        entry._state.adding = True
    Action.objects.bulk_create(whole)
