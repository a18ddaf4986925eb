"""Playing: all actions at a table go through here, whether from people, computer players, clocks or programs.

Each command first takes the write lock on the game's row (SQLite: the one write lock, taken immediately), checks,
asks the engine, writes the log and its projections in the same transaction, and rings after the commit. A refusal
changes nothing. Time is in `timing` and `agreements`, taking back in `undo`; their common building blocks are in
`common`.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from core.commands import command
from core.exceptions import Refusal
from domain.engine import Action as Move
from domain.engine import MalformedAction, parse_action
from domain.engine.actions import SAY
from domain.engine.ruleset import OptionValue, Ruleset
from domain.engine.rulesets import ruleset as find_ruleset
from domain.pace import State, Terms
from games import projections
from games.exceptions import GameError, Malformed, NotNow, Stale
from games.models import Action, BoardSet, Deal, Game, GameHand, Level, Memory, Seat
from games.selectors import log
from games.services import boards, common, ending, promises
from games.services.common import LOOKING, THINKING, Receipt
from notices import outbox

__all__ = [
    "LOOKING", "THINKING", "Receipt", "begin_alone", "enter", "expire", "go_on", "hint", "ready", "resign", "start", "submit",
]  # fmt: skip

LEFT = {"left": True}
"""In the log with "absent": the player, not the clock, gave the seat to a computer player."""
LEFT_AGAIN = LEFT | projections.AGAIN


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
    level: str = Level.BEGINNER,
    board_set: BoardSet | None = None,
) -> Game:
    """Create a game with `players` in order of arrival. The first deal is promised; nothing is dealt yet.

    `version` is that of the ruleset, by default the newest. `pack` gives a composed first deal (a lesson, or a
    position whose origin `practice` names). `memory` says which tricks of a running hand pages show, `level` how well
    computer players play for people who are away. With a `pace` nobody has to get ready: each deal begins by itself a
    little after its promise. With a `board_set` the table plays its deals, with its options; `dealer` then decides
    which seat gets which cards. Raises UnknownRuleset, OptionError, MetAlready if a player knows one of these deals,
    ValueError for a wrong number of players, a game other than that of the set, or a set that is open already.
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
            level=level,
            pace=pace.to_json() if pace is not None else {},
            totals=[0] * rules.seats,
        )
        game.moment = timezone.now()
        for number, player in enumerate(players):
            Seat.objects.create(game=game, number=number, player=player)
            days = common.days_of(game, player)
            common.log(game, Action.Kind.EVENT, "sat", seat=number, player=player, data=days)
        if pack is None:
            common.seal_next_deal(game, dealer)
        else:
            deal = Deal.objects.create(
                origin=Deal.Origin.COMPOSED, table=game.public_id, ordinal=1, pack=" ".join(pack)
            )
            game.hand_number = 1
            GameHand.objects.create(game=game, number=1, deal=deal, dealer=dealer)
            game.due_at = common.begins_at(game)
        common.done(game)
    return game


def begin_alone(game_id: int) -> None:
    """Begin the first deal at a table of computer players only, where nobody has to get ready.

    Raises NotNow at any other.
    """
    with transaction.atomic():
        game = common.locked(game_id)
        table = log.open_table(game)
        if table.hand is not None or game.hands_played or not all(seat.player.is_computer for seat in table.seats):
            raise NotNow
        common.begin(table)
        common.done(game)


def _shared_options(board_set: BoardSet, rules: Ruleset, players: Sequence[Player]) -> dict[str, OptionValue]:
    """The options of a table that plays shared deals. Raises MetAlready, and ValueError if it cannot play them."""
    played = (rules.id, rules.version, rules.seats)
    if played != (board_set.ruleset, board_set.ruleset_version, board_set.table_size):
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
    """Begin a practice game with everybody ready, and make `actions` (seat, text as in a record) up to its position.

    `then` are further deals, each with its pack and its actions, if the position depends on earlier deals: every deal
    but the last is played to its end. Each action is checked like any other and goes into the log. Raises NotNow once
    the game has begun, Malformed, ``not-your-turn``, Forbidden; then nothing is written.
    """
    with transaction.atomic():
        game = common.locked(game_id)
        table = log.open_table(game)
        if game.kind != Game.Kind.PRACTICE or table.hand is not None or game.hands_played or log.ready_seats(game):
            raise NotNow
        _enter_deal(table, actions)
        for pack, following in then:
            if game.to_act is not None or game.status != Game.Status.PLAYING:
                raise NotNow  # the previous deal is not over, or nothing can follow it
            table = log.open_table(game)
            table.row.deal.compose(pack)
            _enter_deal(table, following)
        game.practice["number"] = game.number
        common.done(game)


def _enter_deal(table: log.Table, actions: Sequence[tuple[int, str]]) -> None:
    """Open the waiting deal and make `actions` in it. Raises Malformed, ``not-your-turn``, Forbidden."""
    game = table.game
    try:
        moves = [(seat, parse_action(text)) for seat, text in actions]
    except MalformedAction as error:
        raise Malformed(str(error)) from None
    for seat in table.seats:
        if not seat.player.is_computer:
            common.log(game, Action.Kind.EVENT, "ready", seat=seat.number, player=seat.player)
    table.row.status = GameHand.Status.OPEN
    table.row.save(update_fields=["status"])
    hand = table.hand = log.replay_hand(table, table.row, [])
    for number, move in moves:
        player = table.seats[number].player
        if move.verb == SAY:
            common.say(table, hand, number, move, player)
            continue
        if hand.turn != number:
            raise GameError("not-your-turn")
        common.push(table, hand, move, player)
    common.follow(table, hand)


@command
def ready(game_id: int, seat: int, *, entropy: str = "", expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """Mark the player at `seat` as ready for the next deal, optionally with 16 bytes of entropy (hex) from their
    browser.

    When every person is ready the pack is made and the deal begins. Others may have got ready since `expected`.
    Raises Stale if anything else has happened, NotNow, NotYourSeat, GameEnded, ``request-reused``, Malformed.
    """
    if entropy:
        promises.check_entropy(entropy)
    game = common.locked(game_id)
    if game.board_set_id is not None:
        entropy = ""  # pages always send some, but here the cards are the same at every table
    data = {"entropy": entropy} if entropy else {}
    if game.draws_partners:
        common.check_not_before_the_draw(game, by, request_id, data)
    table = common.enter(game, seat, by, request_id, ("ready", data))
    if game.actions.filter(number__gt=expected).exclude(text="ready").exists():
        raise Stale
    if table.hand is not None or seat in log.ready_seats(game):
        raise NotNow
    entry = common.log(game, Action.Kind.EVENT, "ready", seat=seat, player=by, request_id=request_id, data=data)
    if entropy:
        table.row.deal.entropy[str(seat)] = entropy
        table.row.deal.given_by.pop(str(seat), None)  # from now on the log says whose it is
        table.row.deal.save(update_fields=["entropy", "given_by"])
    ready = log.ready_seats(game)
    if all(other.player.is_computer or other.number in ready for other in table.seats):
        common.begin(table)
    return common.receipt(table, entry)


def submit(
    game_id: int,
    seat: int,
    action: str,
    *,
    expected: int,
    request_id: uuid.UUID,
    by: Player,
    known: Game | None = None,
    came: bool = True,
) -> Receipt:
    """Apply `action` (text as in a record) for `seat` if the last action of the game still has number `expected`.

    Unprompted talk (`say`) is accepted whoever's turn it is, and with any number of the running deal as `expected`.

    `known` is the game as the caller has read it, with its seats, to save a query. `came` is false if the action is
    made for the player, from a plan; if they make it themselves, their notifications about the game count as read.

    A request id seen before for this game and seat returns its first receipt. Raises Malformed (400), NotYourSeat
    (403), Stale (409), ``not-your-turn``, Forbidden, ``card-named``, NotNow, GameEnded, ``request-reused`` (422);
    then nothing is written.
    """
    try:
        move = parse_action(action)
    except MalformedAction as error:
        raise Malformed(str(error)) from None
    if move.words and common.named_card(move.words):
        raise GameError("card-named")
    try:
        return _submit(game_id, seat, move, expected, request_id, by, known, came=came, may_be_new=True)
    except IntegrityError:  # the request id was used before, for another action at another number
        return _submit(game_id, seat, move, expected, request_id, by, known, came=came, may_be_new=False)


@command
def _submit(
    game_id: int,
    seat: int,
    move: Move,
    expected: int,
    request_id: uuid.UUID,
    by: Player,
    known: Game | None,
    *,
    came: bool,
    may_be_new: bool,
) -> Receipt:
    """Apply a parsed action, as `submit` promises.

    An action raises the number of the game, so with `may_be_new` a request for the present number is taken to be new.
    Only if it is refused is that checked in the log; IntegrityError is raised if the id was used before.
    """
    game = common.locked(game_id)
    is_new = may_be_new and expected == game.number
    body: tuple[str, dict[str, Any]] = (str(move), {})
    table = common.enter(game, seat, by, request_id, body, known=known, is_new=is_new)
    try:
        return _act(table, seat, move, expected, request_id, by, came=came)
    except Refusal:
        if is_new:
            common.check_new(game, seat, request_id, body)
        raise


def _act(
    table: log.Table, seat: int, move: Move, expected: int, request_id: uuid.UUID, by: Player, *, came: bool
) -> Receipt:
    if move.verb == SAY:
        return _say(table, seat, move, expected, request_id, by)
    game, hand = table.game, table.hand
    common.check_expected(game, expected)
    if hand is None:
        raise NotNow
    if hand.turn != seat:
        raise GameError("not-your-turn")
    common.log_return(table, seat, by)
    entry = common.push(table, hand, move, by, request_id)
    if not by.is_computer:
        outbox.settle(by, game.public_id, came=came)
        if game.pace:
            projections.count_punctuality(by, entry.at, actions=1)
    common.follow(table, hand)
    return common.receipt(table, entry)


def _say(table: log.Table, seat: int, words: Move, expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """Log unprompted talk. `expected` may be any action number of the running deal; otherwise raises Stale.

    It is not a turn: the player on turn is not asked again, their time runs on, and it does not count for punctuality.
    """
    game, hand = table.game, table.hand
    if hand is None or game.kind == Game.Kind.GUIDED:
        raise NotNow
    if not table.moves or not table.moves[0].number <= expected <= game.number:
        raise Stale
    common.log_return(table, seat, by)
    return common.receipt(table, common.say(table, hand, seat, words, by, request_id))


def go_on(game_id: int, seat: int, *, by: Player) -> None:
    """Let the computer player on turn play, after the player at `seat` has looked at the trick.

    Calling it again changes nothing. Nothing is logged, because nothing depends on it. Raises NotYourSeat.
    """
    with transaction.atomic():
        game = common.locked(game_id)
        table = log.open_table(game)
        common.check_seat(table, seat, by)
        if table.hand is not None and game.status == Game.Status.PLAYING and game.asked == projections.GO_ON:
            game.asked, game.due_at = table.hand.asked, game.moment
            common.done(game)


@command
def hint(game_id: int, seat: int, *, expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """Log that the player at `seat`, alone with computer players, asks for a hint.

    The hand then counts in no statistics.

    Pages compute the hint from the player's view. Raises NotNow if there are no hints here or it is not their turn,
    Stale, NotYourSeat, GameEnded, ``request-reused``.
    """
    game = common.locked(game_id)
    table = common.enter(game, seat, by, request_id, (projections.HINTED, {}))
    common.check_expected(game, expected)
    if projections.hintable_seat(table) != seat:
        raise NotNow
    entry = common.log(game, Action.Kind.EVENT, projections.HINTED, seat=seat, player=by, request_id=request_id)
    return common.receipt(table, entry)


@command
def resign(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Resign for `seat`, which ends the game. Raises NotYourSeat, GameEnded, ``request-reused``.

    At a table with a clock where others play on, a computer player acts for the seat instead, as when its time has
    run out.
    """
    game = common.locked(game_id)
    bodies: tuple[tuple[str, Mapping[str, Any]], ...] = (("resigned", {}), ("absent", LEFT), ("absent", LEFT_AGAIN))
    table = common.enter(game, seat, by, request_id, *bodies)
    outbox.settle(by, game.public_id)
    if common.others_here(table, seat):
        return _hand_over(table, seat, request_id, by)
    entry = common.log(game, Action.Kind.EVENT, "resigned", seat=seat, player=by, request_id=request_id)
    common.end(table, Game.Status.RESIGNED)
    return common.receipt(table, entry)


def _hand_over(table: log.Table, seat: int, request_id: uuid.UUID, by: Player) -> Receipt:
    game = table.game
    if by.is_computer:
        raise NotNow
    was_here = projections.state_of(game, seat) is State.HERE
    if was_here:
        projections.count_punctuality(by, game.moment or timezone.now(), timeouts=1)
    data = LEFT if was_here else LEFT_AGAIN
    entry = common.log(game, Action.Kind.EVENT, "absent", seat=seat, player=by, request_id=request_id, data=data)
    if not ending.carry_out(table):
        common.ask_again(table, seat)
    return common.receipt(table, entry)


def expire(game_id: int) -> None:
    """End an unfinished game to which nobody comes back. Does nothing if it is over."""
    with transaction.atomic():
        game = common.locked(game_id)
        if game.status != Game.Status.PLAYING:
            return
        common.log(game, Action.Kind.EVENT, "expired")
        common.end(log.open_table(game), Game.Status.EXPIRED)
        common.done(game)
