"""THE door: every action at a table comes in here, from people, computer players, clocks and programs alike.

Each function takes the write lock on the game's row first (SQLite: the one write lock, taken at once), checks, asks the
engine, writes the log and its projections in the same transaction, and rings after the commit. A refusal changes nothing.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from games import bell, packs, shelf, speech
from games.engine import CODES, IllegalAction, MalformedAction, parse_action
from games.engine.hand import Hand
from games.engine.rulesets import ruleset as find_ruleset
from games.models import Action, Deal, Game, GameHand, Seat
from games.refusals import (
    CardNamed,
    Forbidden,
    GameEnded,
    Malformed,
    NotNow,
    NotYourSeat,
    NotYourTurn,
    RequestReused,
    Stale,
)
from notices import outbox

THINKING = timedelta(milliseconds=900)
"""How long a computer player seems to think. The same for every card, so that it tells nothing."""
LOOKING = timedelta(milliseconds=1500)
"""How long a finished trick lies there before a computer player leads."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to an accepted request: the number its first action got, the game's number then, and when."""

    number: int
    at: datetime


def start(
    ruleset: str,
    players: Sequence[Player],
    *,
    options: Mapping[str, object] | None = None,
    kind: Game.Kind = Game.Kind.PLAY,
    draws_partners: bool = False,
    pack: Sequence[str] | None = None,
    dealer: int = 0,
) -> Game:
    """A new game with `players` in order of arrival; the first deal's promise is made, nothing is dealt yet.

    `pack` gives a composed first deal (a lesson). Raises UnknownRuleset, OptionError, ValueError for a wrong number of
    players.
    """
    rules = find_ruleset(ruleset)
    if len(players) not in rules.sizes:
        raise ValueError(f"{rules.id} is not played by {len(players)}")
    rules = find_ruleset(ruleset, rules.version, len(players))
    settled = rules.settled_options(options or {})
    with transaction.atomic():
        game = Game.objects.create(
            kind=kind,
            ruleset=rules.id,
            ruleset_version=rules.version,
            options=settled,
            table_size=rules.seats,
            draws_partners=draws_partners,
            totals=[0] * rules.seats,
        )
        for number, player in enumerate(players):
            Seat.objects.create(game=game, number=number, player=player)
            _log(game, Action.Kind.EVENT, "sat", seat=number, player=player)
        if pack is None:
            _seal_next_deal(game, dealer)
        else:
            deal = Deal.objects.create(
                origin=Deal.Origin.COMPOSED, table=game.public_id, ordinal=1, pack=" ".join(pack)
            )
            game.hand_number = 1
            GameHand.objects.create(game=game, number=1, deal=deal, dealer=dealer)
        game.save()
        _ring(game)
    return game


def ready(game_id: int, seat: int, *, entropy: str = "", expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """The player at `seat` is ready for the next deal, and adds 16 bytes of chance (hex) from their browser, or nothing.

    When every person is ready the pack is made and the deal begins. Raises Stale, NotNow, NotYourSeat, GameEnded,
    RequestReused, Malformed.
    """
    if entropy and not (len(entropy) == 32 and all(digit in "0123456789abcdef" for digit in entropy)):
        raise Malformed("entropy is 32 hexadecimal digits")
    data = {"entropy": entropy} if entropy else {}
    with transaction.atomic():
        game = _locked(game_id)
        table = shelf.open_table(game)
        _check_seat(table, seat, by)
        first = _answered(game, seat, request_id, "ready", data)
        if first is not None:
            return first
        _check_open(game, expected)
        if table.hand is not None or seat in shelf.ready_seats(game):
            raise NotNow
        entry = _log(game, Action.Kind.EVENT, "ready", seat=seat, player=by, request_id=request_id, data=data)
        if entropy:
            table.row.deal.entropy[str(seat)] = entropy
            table.row.deal.save(update_fields=["entropy"])
        ready = shelf.ready_seats(game)
        if all(other.player.is_computer or other.number in ready for other in table.seats):
            _begin(table)
        game.save()
        _ring(game)
        return Receipt(entry.number, entry.at)


def submit(game_id: int, seat: int, action: str, *, expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """Apply `action` (the record's words) for `seat` if the game still stands at action number `expected`.

    A request id seen before for this game and seat returns its first receipt. Raises Malformed (400), NotYourSeat (403),
    Stale (409), NotYourTurn, Forbidden, CardNamed, NotNow, GameEnded, RequestReused (422); then nothing is written.
    """
    try:
        move = parse_action(action)
    except MalformedAction as error:
        raise Malformed(str(error)) from None
    if move.words and speech.named_card(move.words):
        raise CardNamed
    with transaction.atomic():
        game = _locked(game_id)
        table = shelf.open_table(game)
        _check_seat(table, seat, by)
        first = _answered(game, seat, request_id, str(move), {})
        if first is not None:
            return first
        _check_open(game, expected)
        hand = table.hand
        if hand is None:
            raise NotNow
        if hand.turn != seat:
            raise NotYourTurn
        try:
            hand.push(move)
        except IllegalAction as error:
            raise Forbidden(error.illegality) from None
        entry = _log(game, Action.Kind.MOVE, str(move), seat=seat, player=by, request_id=request_id)
        _follow(table, hand)
        game.save()
        _ring(game)
        return Receipt(entry.number, entry.at)


def resign(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """The player at `seat` leaves; the game ends here. Raises NotYourSeat, GameEnded, RequestReused."""
    with transaction.atomic():
        game = _locked(game_id)
        table = shelf.open_table(game)
        _check_seat(table, seat, by)
        first = _answered(game, seat, request_id, "resigned", {})
        if first is not None:
            return first
        if game.status != Game.Status.PLAYING:
            raise GameEnded
        entry = _log(game, Action.Kind.EVENT, "resigned", seat=seat, player=by, request_id=request_id)
        _end(table, Game.Status.RESIGNED)
        game.save()
        _ring(game)
        return Receipt(entry.number, entry.at)


def expire(game_id: int) -> None:
    """End an unfinished game that nobody comes back to. Does nothing to a game that is over."""
    with transaction.atomic():
        game = _locked(game_id)
        if game.status != Game.Status.PLAYING:
            return
        _log(game, Action.Kind.EVENT, "expired")
        _end(shelf.open_table(game), Game.Status.EXPIRED)
        game.save()
        _ring(game)


# steps of the above; each expects the lock to be held


def _locked(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def _check_seat(table: shelf.Table, seat: int, by: Player) -> None:
    if table.seat_of(by.pk) != seat:
        raise NotYourSeat


def _check_open(game: Game, expected: int) -> None:
    if game.status != Game.Status.PLAYING:
        raise GameEnded
    if expected != game.number:
        raise Stale


def _answered(game: Game, seat: int, request_id: uuid.UUID, text: str, data: dict[str, Any]) -> Receipt | None:
    before = game.actions.filter(seat=seat, request_id=request_id).first()
    if before is None:
        return None
    if (before.text, before.data) != (text, data):
        raise RequestReused
    return Receipt(before.number, before.at)


def _log(
    game: Game,
    kind: Action.Kind,
    text: str,
    *,
    seat: int | None = None,
    player: Player | None = None,
    request_id: uuid.UUID | None = None,
    data: dict[str, Any] | None = None,
) -> Action:
    game.number += 1
    game.acted_at = timezone.now()
    return Action.objects.create(
        game=game,
        number=game.number,
        hand_number=game.hand_number,
        kind=kind,
        seat=seat,
        text=text,
        data=data or {},
        player=player,
        request_id=request_id,
        at=game.acted_at,
    )


def _seal_next_deal(game: Game, dealer: int) -> None:
    """Promise the next pack: from now on its secret cannot be changed unnoticed."""
    game.hand_number += 1
    deal = packs.sealed_deal(game, game.hand_number)
    deal.save()
    GameHand.objects.create(game=game, number=game.hand_number, deal=deal, dealer=dealer)
    game.to_act = None
    game.due_at = None


def _begin(table: shelf.Table) -> None:
    """Everybody is ready: draw for partners before the first deal, then open the hand."""
    game = table.game
    if game.draws_partners and table.row.number == 1:
        draw = packs.drawn_partners(table.row.deal, table.rules)
        _reseat(table, draw.seats)
        drawn = [(person, CODES[card]) for person, card in draw.drawn]
        _log(game, Action.Kind.EVENT, "drawn", data={
            "middle": CODES[draw.middle], "drawn": drawn, "seats": list(draw.seats),
        })  # fmt: skip
    table.row.status = GameHand.Status.OPEN
    table.row.save(update_fields=["status"])
    table.hand = shelf.replay_hand(table, table.row, [])
    _follow(table, table.hand)


def _reseat(table: shelf.Table, persons: Sequence[int]) -> None:
    """Move players to their drawn seats: `persons[seat]` is the seat at which that player arrived."""
    arrived = {seat.number: seat.player for seat in table.seats}
    for seat in table.seats:
        seat.player = arrived[persons[seat.number]]
        seat.save(update_fields=["player"])


def _follow(table: shelf.Table, hand: Hand) -> None:
    """Write what follows from the hand as it stands: the pack, whose turn it is, the end of the hand."""
    game = table.game
    if hand.needs_pack:
        packs.lay_pack(table.row.deal, table.rules, hand)
    if hand.result is not None:
        _finish_hand(table, hand)
        return
    game.to_act = hand.turn
    player = table.seats[hand.turn].player
    if player.is_computer:
        game.due_at = timezone.now() + _pause(table, hand)
    else:
        game.due_at = None
        outbox.put("game.turn", player, {"game": game.public_id, "number": game.number})


def _pause(table: shelf.Table, hand: Hand) -> timedelta:
    wanted = any(seat.player.bot_pause for seat in table.seats if not seat.player.is_computer)
    if not wanted:
        return timedelta(0)
    return LOOKING if hand.tricks and not hand.trick else THINKING


def _finish_hand(table: shelf.Table, hand: Hand) -> None:
    game, row, result = table.game, table.row, hand.result
    assert result is not None
    row.status = GameHand.Status(result.status)
    row.points, row.scores = list(result.points), list(result.scores)
    row.parties = [list(party) for party in result.parties]
    row.save(update_fields=["status", "points", "scores", "parties"])
    dealer = row.dealer
    if result.status != "thrown-in":
        game.totals = [total + score for total, score in zip(game.totals, result.scores, strict=True)]
        game.hands_played += 1
        dealer = (dealer + 1) % table.rules.seats
    if game.hands_played >= int(game.options["hands"]):
        _end(table, Game.Status.FINISHED)
    else:
        _seal_next_deal(game, dealer)


def _end(table: shelf.Table, status: Game.Status) -> None:
    game = table.game
    game.status = status
    game.ended_at = game.acted_at
    game.to_act = None
    game.due_at = None
    for seat in table.seats:
        if not seat.player.is_computer:
            outbox.put("game.finished", seat.player, {"game": game.public_id, "status": str(status)})
            if game.kind == Game.Kind.GUIDED and status == Game.Status.FINISHED:
                seat.player.note_guided_done()


def _ring(game: Game) -> None:
    public_id, number = game.public_id, game.number
    transaction.on_commit(lambda: bell.ring(public_id, number), robust=True)
