"""THE door: every action at a table comes in here, from people, computer players, clocks and programs alike.

Each function takes the write lock on the game's row first (SQLite: the one write lock, taken at once), checks, asks the
engine, writes the log and its projections in the same transaction, and rings after the commit. A refusal changes nothing.
What has to do with time comes in by `timing` and `agreements`, taking back by `taking_back`; what they are all made of is in
`steps`.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from games import boards, clocks, shelf, speech, steps
from games.board_models import BoardSet
from games.engine import IllegalAction, MalformedAction, parse_action
from games.engine.ruleset import OptionValue, Ruleset
from games.engine.rulesets import ruleset as find_ruleset
from games.models import Action, Deal, Game, GameHand, Seat
from games.pace import State, Terms
from games.refusals import CardNamed, Forbidden, Malformed, NotNow, NotYourTurn
from games.steps import LOOKING, THINKING, Receipt
from games.watching_models import Memory
from notices import outbox

__all__ = ["LOOKING", "THINKING", "Receipt", "begin_alone", "enter", "expire", "ready", "resign", "start", "submit"]

LEFT = {"left": True}
"""In the log beside "absent": not the clock gave the seat to a computer player, its player did."""
LEFT_AGAIN = LEFT | clocks.AGAIN


def start(
    ruleset: str,
    players: Sequence[Player],
    *,
    version: int | None = None,
    options: Mapping[str, object] | None = None,
    kind: Game.Kind = Game.Kind.PLAY,
    draws_partners: bool = False,
    pack: Sequence[str] | None = None,
    dealer: int = 0,
    practice: Mapping[str, object] | None = None,
    pace: Terms | None = None,
    memory: str = Memory.LAST,
    board_set: BoardSet | None = None,
) -> Game:
    """A new game with `players` in order of arrival; the first deal's promise is made, nothing is dealt yet.

    `version` is that of the ruleset, the newest if it is not given. `pack` gives a composed first deal (a lesson, or a
    position, whose origin `practice` names). `memory` says what pages show of the tricks of a running hand. With a
    `pace` nobody has to sit down: each deal begins by itself a little after its promise. With a `board_set` the table plays
    its deals, with its options; all seats stand to the cards as `dealer` says. Raises UnknownRuleset, OptionError, MetAlready
    for who knows one of these deals, ValueError for a wrong number of players, another game than the set's, or a set that
    is open already.
    """
    rules = find_ruleset(ruleset, version)
    if len(players) not in rules.sizes:
        raise ValueError(f"{rules.id} is not played by {len(players)}")
    rules = find_ruleset(ruleset, rules.version, len(players))
    settled = rules.settled_options(options or {})
    with transaction.atomic():
        if board_set is not None:
            board_set = BoardSet.objects.select_for_update().get(pk=board_set.pk)
            settled = _shared_options(board_set, rules, players)
        game = Game.objects.create(
            board_set=board_set,
            kind=kind,
            ruleset=rules.id,
            ruleset_version=rules.version,
            options=settled,
            table_size=rules.seats,
            draws_partners=draws_partners,
            practice=dict(practice or {}),
            memory=memory,
            pace=pace.to_json() if pace is not None else {},
            totals=[0] * rules.seats,
        )
        game.moment = timezone.now()
        for number, player in enumerate(players):
            Seat.objects.create(game=game, number=number, player=player)
            days = steps.days_of(game, player)
            steps.log(game, Action.Kind.EVENT, "sat", seat=number, player=player, data=days)
        if pack is None:
            steps.seal_next_deal(game, dealer)
        else:
            deal = Deal.objects.create(
                origin=Deal.Origin.COMPOSED, table=game.public_id, ordinal=1, pack=" ".join(pack)
            )
            game.hand_number = 1
            GameHand.objects.create(game=game, number=1, deal=deal, dealer=dealer)
            game.due_at = steps.begins_at(game)
        steps.done(game)
    return game


def begin_alone(game_id: int) -> None:
    """Begin the first deal at a table of computer players alone, where nobody sits down. Raises NotNow at any other."""
    with transaction.atomic():
        game = steps.locked(game_id)
        table = shelf.open_table(game)
        if table.hand is not None or game.hands_played or not all(seat.player.is_computer for seat in table.seats):
            raise NotNow
        steps.begin(table)
        steps.done(game)


def _shared_options(board_set: BoardSet, rules: Ruleset, players: Sequence[Player]) -> dict[str, OptionValue]:
    """The options of a table that plays shared deals. Raises MetAlready; ValueError where it cannot."""
    asked = (rules.id, rules.version, rules.seats)
    if asked != (board_set.ruleset, board_set.ruleset_version, board_set.table_size):
        raise ValueError(f"{board_set} are not for this game")
    if board_set.opened_at is not None or not board_set.awaits:
        raise ValueError(f"{board_set} are not played any more")
    boards.check_new_to(players, board_set)
    return dict(board_set.options)


def enter(
    game_id: int,
    actions: Sequence[tuple[int, str]],
    *,
    then: Sequence[tuple[Sequence[str], Sequence[tuple[int, str]]]] = (),
) -> None:
    """Begin a practice game, everybody being ready, and do `actions` (seat, the record's words): the way to its position.

    `then` are further deals, each with its pack and its actions, where the position hangs on what was before it: every
    deal but the last is played to its end. Each action is checked like any other and goes into the log. Raises NotNow once
    the game has begun, Malformed, NotYourTurn, Forbidden; then nothing is written.
    """
    with transaction.atomic():
        game = steps.locked(game_id)
        table = shelf.open_table(game)
        if game.kind != Game.Kind.PRACTICE or table.hand is not None or game.hands_played or shelf.ready_seats(game):
            raise NotNow
        _enter_deal(table, actions)
        for pack, following in then:
            if game.to_act is not None or game.status != Game.Status.PLAYING:
                raise NotNow  # the deal before is not over, or nothing can follow it
            table = shelf.open_table(game)
            table.row.deal.compose(pack)
            _enter_deal(table, following)
        game.practice["number"] = game.number
        steps.done(game)


def _enter_deal(table: shelf.Table, actions: Sequence[tuple[int, str]]) -> None:
    """Open the deal that waits and do `actions`. Raises Malformed, NotYourTurn, Forbidden."""
    game = table.game
    try:
        moves = [(seat, parse_action(text)) for seat, text in actions]
    except MalformedAction as error:
        raise Malformed(str(error)) from None
    for seat in table.seats:
        if not seat.player.is_computer:
            steps.log(game, Action.Kind.EVENT, "ready", seat=seat.number, player=seat.player)
    table.row.status = GameHand.Status.OPEN
    table.row.save(update_fields=["status"])
    hand = table.hand = shelf.replay_hand(table, table.row, [])
    for number, move in moves:
        if hand.turn != number:
            raise NotYourTurn
        try:
            hand.push(move)
        except IllegalAction as error:
            raise Forbidden(error.illegality) from None
        steps.log(game, Action.Kind.MOVE, str(move), seat=number, player=table.seats[number].player)
    steps.follow(table, hand)


def ready(game_id: int, seat: int, *, entropy: str = "", expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """The player at `seat` is ready for the next deal, and adds 16 bytes of chance (hex) from their browser, or nothing.

    When every person is ready the pack is made and the deal begins. Raises Stale, NotNow, NotYourSeat, GameEnded,
    RequestReused, Malformed.
    """
    if entropy and not (len(entropy) == 32 and all(digit in "0123456789abcdef" for digit in entropy)):
        raise Malformed("entropy is 32 hexadecimal digits")
    with transaction.atomic():
        game = steps.locked(game_id)
        if game.board_set_id is not None:
            entropy = ""  # what a page offers by itself: the cards are the same at every table
        data = {"entropy": entropy} if entropy else {}
        table = shelf.open_table(game)
        steps.check_seat(table, seat, by)
        first = steps.answered(game, seat, request_id, ("ready", data))
        if first is not None:
            return first
        steps.check_open(game, expected)
        if table.hand is not None or seat in shelf.ready_seats(game):
            raise NotNow
        entry = steps.log(game, Action.Kind.EVENT, "ready", seat=seat, player=by, request_id=request_id, data=data)
        if entropy:
            table.row.deal.entropy[str(seat)] = entropy
            table.row.deal.given_by.pop(str(seat), None)  # the log says now whose it is
            table.row.deal.save(update_fields=["entropy", "given_by"])
        ready = shelf.ready_seats(game)
        if all(other.player.is_computer or other.number in ready for other in table.seats):
            steps.begin(table)
        steps.done(game)
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
        game = steps.locked(game_id)
        table = shelf.open_table(game)
        steps.check_seat(table, seat, by)
        first = steps.answered(game, seat, request_id, (str(move), {}))
        if first is not None:
            return first
        steps.check_open(game, expected)
        hand = table.hand
        if hand is None:
            raise NotNow
        if hand.turn != seat:
            raise NotYourTurn
        try:
            hand.push(move)
        except IllegalAction as error:
            raise Forbidden(error.illegality) from None
        steps.welcome_back(table, seat, by)
        entry = steps.log(game, Action.Kind.MOVE, str(move), seat=seat, player=by, request_id=request_id)
        if not by.is_computer:
            outbox.settle(by, game.public_id)
            if game.pace:
                clocks.tally(by, entry.at, actions=1)
        steps.follow(table, hand)
        steps.done(game)
        return Receipt(entry.number, entry.at)


def resign(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """The player at `seat` leaves; the game ends here. Raises NotYourSeat, GameEnded, RequestReused.

    At a table with a clock where others play on, a computer player acts for the seat instead, as when time is out.
    """
    with transaction.atomic():
        game = steps.locked(game_id)
        table = shelf.open_table(game)
        steps.check_seat(table, seat, by)
        first = steps.answered(game, seat, request_id, ("resigned", {}), ("absent", LEFT), ("absent", LEFT_AGAIN))
        if first is not None:
            return first
        steps.check_playing(game)
        if steps.others_here(table, seat):
            return _hand_over(table, seat, request_id, by)
        entry = steps.log(game, Action.Kind.EVENT, "resigned", seat=seat, player=by, request_id=request_id)
        steps.end(table, Game.Status.RESIGNED)
        steps.done(game)
        return Receipt(entry.number, entry.at)


def _hand_over(table: shelf.Table, seat: int, request_id: uuid.UUID, by: Player) -> Receipt:
    game = table.game
    if by.is_computer:
        raise NotNow
    here = clocks.state_of(game, seat) is State.HERE
    if here:
        clocks.tally(by, game.moment or timezone.now(), timeouts=1)
    data = LEFT if here else LEFT_AGAIN
    entry = steps.log(game, Action.Kind.EVENT, "absent", seat=seat, player=by, request_id=request_id, data=data)
    if game.to_act == seat:
        steps.ask_again(table)
    steps.done(game)
    return Receipt(entry.number, entry.at)


def expire(game_id: int) -> None:
    """End an unfinished game that nobody comes back to. Does nothing to a game that is over."""
    with transaction.atomic():
        game = steps.locked(game_id)
        if game.status != Game.Status.PLAYING:
            return
        steps.log(game, Action.Kind.EVENT, "expired")
        steps.end(shelf.open_table(game), Game.Status.EXPIRED)
        steps.done(game)
