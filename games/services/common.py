"""The building blocks of the commands of a game. Each function expects the lock on the game's row to be held.

A transaction happens at one moment, `Game.moment`: everything it writes carries the same time, so that clocks rebuilt
from the log equal those that were updated with it.
"""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import BotSpeed, Player
from core import metrics
from core.commands import Answered
from core.exceptions import Refusal
from core.models import only
from core.prepared_queries import prepared
from domain.engine import CODES, IllegalAction
from domain.engine import Action as Move
from domain.engine.actions import SAY
from domain.engine.counting import tallies
from domain.engine.hand import Hand
from domain.pace import Clock, State
from games import broadcast, hooks, packs, projections
from games.exceptions import Forbidden, GameEnded, GameError, MayNotMeet, NotYourSeat, Stale
from games.models import Action, Deal, Game, GameHand
from games.selectors import log as log_selector
from games.services import boards, promises
from notices import outbox
from rules.terms import cached_by_snapshot
from rules.text import names

THINKING = timedelta(milliseconds=900)
"""How long a computer player seems to think at normal speed. The same for every card, so that it reveals nothing."""
LOOKING = timedelta(milliseconds=1500)
"""How long a finished trick stays on the table before a computer player leads, at normal speed."""
BETWEEN_DEALS = timedelta(seconds=15)
"""How long a result is shown at a table of computer players only, while somebody watches."""
EASY: Final = 2
"""The factor by which everything takes longer at a table of computer players only."""
SLOWNESS: Final = {BotSpeed.SLOW: 2.0, BotSpeed.NORMAL: 1.0, BotSpeed.QUICK: 0.4, BotSpeed.AT_ONCE: 0.0}
"""The factor of `THINKING` and `LOOKING` at each speed."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of an accepted request: the number in the log of its first action, and when that was written.

    `table` is the present state of the game, if it is at hand, so that a page can be rendered from it.
    """

    number: int
    at: datetime
    table: log_selector.Table | None = field(default=None, compare=False, repr=False)


def locked(game_id: int, now: datetime | None = None) -> Game:
    """The game, with its row locked.

    Its `moment` is `now`, but never before the last action. Raises Game.DoesNotExist.
    """
    games = _locked(game_id)
    if not games:
        raise Game.DoesNotExist
    game = games[0]
    game.moment = max(now or timezone.now(), game.acted_at)
    game.entered = []
    return game


@prepared
def _locked(game_id: int) -> QuerySet[Game]:
    return Game.objects.select_for_update().filter(pk=game_id).order_by()


def check_seat(table: log_selector.Table, seat: int, by: Player) -> None:
    """Raise NotYourSeat unless `by` may act for the seat: as its player, or as a computer player while its player is
    away."""
    stands_in = by.is_computer and projections.state_of(table.game, seat) is State.AWAY
    if table.seat_of(by.pk) != seat and not stands_in:
        raise NotYourSeat


def check_may_take(table: log_selector.Table, clock: Clock, seat: int, by: Player) -> None:
    """Raise an error if `by` may not take over a seat.

    ``suspended``; MayNotMeet, also if they gave up another seat of this game and would know two hands; MetAlready if
    they know these deals from another table.
    """
    account_permissions.check_not_suspended(by)
    if not account_permissions.may_meet(by, [table.seats[number].player for number in clock.here() if number != seat]):
        raise MayNotMeet
    ids = {by.public_id, by.current.public_id}
    taken_over = table.game.actions.filter(kind=Action.Kind.EVENT, text="substituted").exclude(seat=seat)
    if any(data.get("of") in ids for data in taken_over.values_list("data", flat=True)):
        raise MayNotMeet
    boards.check_new_to([by], table.game.board_set)


def check_expected(game: Game, expected: int) -> None:
    """Raise Stale if anything has happened since `expected`, other than unprompted talk, which changes nothing for
    anybody."""
    if expected == game.number:
        return
    if expected > game.number or game.actions.filter(number__gt=expected).exclude(kind=Action.Kind.SAID).exists():
        raise Stale


def check_new(
    game: Game, seat: int, request_id: uuid.UUID, *bodies: tuple[str, Mapping[str, Any] | None], part: bool = False
) -> None:
    """Raise Answered with the first receipt if this request was accepted before.

    `bodies` are the possible texts and data of the logged action; None allows any data, and with `part` the action
    may have more data than given. Raises ``request-reused`` if the id belongs to another request.
    """
    before = only(game.actions.filter(seat=seat, request_id=request_id))
    if before is None:
        return
    for text, data in bodies:
        logged = {name: before.data.get(name) for name in data or ()} if part else before.data
        if before.text == text and data in (None, logged):
            raise Answered(Receipt(before.number, before.at))
    raise Refusal("request-reused")


def check_not_before_the_draw(game: Game, by: Player, request_id: uuid.UUID, data: Mapping[str, Any]) -> None:
    """Raise Answered with the first receipt if this request to be ready was accepted at any seat.

    For the draw for partners, which moves players to other seats. Raises ``request-reused`` if the id belongs to
    another request. Expects the lock on the game's row.
    """
    before = only(game.actions.filter(player=by, request_id=request_id, text="ready"))
    if before is not None and before.seat is not None:
        check_new(game, before.seat, request_id, ("ready", data))


def enter(
    game: Game,
    seat: int,
    by: Player,
    request_id: uuid.UUID,
    *bodies: tuple[str, Mapping[str, Any] | None],
    part: bool = False,
    known: Game | None = None,
    is_new: bool = False,
) -> log_selector.Table:
    """The table of a locked game, for a request of `by` for `seat`. `bodies` and `part` are those of `check_new`.

    `known` is the game as the caller has read it, with its seats. `is_new` skips the check whether the request was
    accepted before: if it was, writing it raises IntegrityError. Raises NotYourSeat, Answered, ``request-reused``,
    GameEnded.
    """
    table = log_selector.open_table(game, known)
    check_seat(table, seat, by)
    if not is_new:
        check_new(game, seat, request_id, *bodies, part=part)
    check_playing(game)
    return table


def log(
    game: Game,
    kind: Action.Kind,
    text: str,
    *,
    seat: int | None = None,
    player: Player | None = None,
    request_id: uuid.UUID | None = None,
    data: dict[str, Any] | None = None,
) -> Action:
    """Write an entry of the log, and update the clocks and the open proposals (to take back, to end the game) with
    it."""
    game.number += 1
    game.acted_at = game.moment or timezone.now()
    entry = Action.objects.create(
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
    if game.entered is not None:
        game.entered.append(entry)
    transaction.on_commit(metrics.actions.labels(kind).inc, robust=True)
    projections.update_clock(game, entry, player)
    projections.update_undo(game, entry)
    projections.update_ending(game, entry)
    if text == "substituted":
        # The previous player may have the table open; if it is closed to watchers, their page must stop following it.
        transaction.on_commit(partial(broadcast.ring_watching, game.public_id), robust=True)
    return entry


def done(game: Game) -> None:
    """Finish a step: start the right clock, save the game, and ring after the commit."""
    projections.settle_clock(game)
    projections.settle_turn(game)
    game.save()
    ring = partial(broadcast.ring, game.public_id, game.number, due_at=game.due_at, is_over=game.to_act is None)
    transaction.on_commit(ring, robust=True)


def receipt(table: log_selector.Table, entry: Action) -> Receipt:
    """Finish a step with `done`. Returns the receipt of the request whose first entry in the log is `entry`."""
    done(table.game)
    over = table.hand is not None and table.hand.over
    if not over and table.game.entered is not None:
        log_selector.keep_after_commit(table, table.game.entered)
    return Receipt(entry.number, entry.at, None if over else table)


def seal_next_deal(game: Game, dealer: int) -> None:
    """Promise the next pack, unless that was done before, and add its deal, which waits to begin."""
    game.hand_number += 1
    deal = promises.sealed_deal(game, game.hand_number)
    GameHand.objects.create(game=game, number=game.hand_number, deal=deal, dealer=dealer)
    game.to_act = None
    game.due_at = begins_at(game)


def begins_at(game: Game) -> datetime | None:
    """When the waiting deal begins by itself; None at a table where everybody has to be ready first."""
    if game.kind == Game.Kind.COMPUTERS:
        return timezone.now() + (LOOKING if game.hand_number == 1 else BETWEEN_DEALS)
    terms = projections.terms_of(game)
    return None if terms is None else timezone.now() + projections.PROMISE_STANDS[terms.kind]


def begin(table: log_selector.Table) -> None:
    """Begin the waiting deal: draw for partners before the first one, then open the hand."""
    game = table.game
    if game.draws_partners and table.row.number == 1:
        draw = packs.drawn_partners(table.row.deal, table.rules)
        reseat(table, draw.seats)
        drawn = [(person, CODES[card]) for person, card in draw.drawn]
        log(game, Action.Kind.EVENT, "drawn", data={
            "middle": CODES[draw.middle], "drawn": drawn, "seats": list(draw.seats),
        })  # fmt: skip
    table.row.status = GameHand.Status.OPEN
    table.row.save(update_fields=["status"])
    table.hand = log_selector.replay_hand(table, table.row, [])
    promises.seal_ahead(table)
    follow(table, table.hand)


def reseat(table: log_selector.Table, persons: Sequence[int]) -> None:
    """Move players to their drawn seats: `persons[seat]` is the seat at which that player arrived."""
    arrived = {seat.number: seat.player for seat in table.seats}
    for seat in table.seats:
        seat.player = arrived[persons[seat.number]]
        seat.save(update_fields=["player"])


def push(
    table: log_selector.Table, hand: Hand, move: Move, player: Player | None, request_id: uuid.UUID | None = None
) -> Action:
    """Make `move` for the seat whose turn it is, in the engine and in the log. Raises Forbidden."""
    return _write(table, hand, hand.turn, move, player, request_id)


def say(
    table: log_selector.Table, hand: Hand, seat: int, words: Move, player: Player, request_id: uuid.UUID | None = None
) -> Action:
    """Log what the player at `seat` says unprompted. Nobody is asked again because of it, and no clock changes.

    Raises Forbidden.
    """
    return _write(table, hand, seat, words, player, request_id)


def _write(
    table: log_selector.Table, hand: Hand, seat: int, move: Move, player: Player | None, request_id: uuid.UUID | None
) -> Action:
    try:
        hand.push_of(seat, move)
    except IllegalAction as error:
        raise Forbidden(error.illegality) from None
    kind = Action.Kind.SAID if move.verb == SAY else Action.Kind.MOVE
    entry = log(table.game, kind, str(move), seat=seat, player=player, request_id=request_id)
    table.moves.append(log_selector.Move(entry.number, seat, entry.text))
    return entry


def follow(table: log_selector.Table, hand: Hand) -> None:
    """Write what follows from the present state of the hand: the pack, whose turn it is, the end of the hand."""
    if hand.needs_pack:
        packs.make_pack(table.row.deal, table.rules, hand)
    if table.row.deal.origin == Deal.Origin.SHARED:
        while (move := boards.dealt_move(table.row.deal, hand)) is not None:
            push(table, hand, move, None)
    if hand.result is not None:
        finish_hand(table, hand)
    else:
        ask(table, hand)


def ask(table: log_selector.Table, hand: Hand, *, by_themselves: bool = False) -> None:
    """Ask the seat whose turn it is: notify its person, or schedule its computer player.

    Neither while a substitute is sought, nor while a computer player waits for the learner of a lesson. With
    `by_themselves` the person has to choose, and nothing they have planned is carried out.
    """
    game, seat = table.game, hand.turn
    player, state = table.seats[seat].player, projections.state_of(game, seat)
    game.to_act, game.asked = seat, hand.asked
    game.due_at = None
    is_trick_shown = looks_at_trick(table, hand)
    if is_trick_shown and player.is_computer:
        game.asked = projections.GO_ON
    elif player.is_computer or state is State.AWAY:
        is_waiting = game.kind == Game.Kind.GUIDED and any(waits(game) for waits in hooks.waits)
        game.due_at = None if is_waiting else timezone.now() + pause(table, hand)
    elif state is not State.SOUGHT:
        log_rhythm_change(game, seat, player)
        projections.settle_clock(game)
        may_be_planned = not (by_themselves or is_trick_shown)
        if may_be_planned and any(ahead.schedule(game, player, hand.view(seat)) for ahead in hooks.ahead):
            return  # their plan will be carried out: they need not be notified
        until = {"until": game.deadline_at.isoformat()} if game.deadline_at is not None else {}
        outbox.put("game.turn", player, {"game": game.public_id, "number": game.number, **until})


def reschedule(table: log_selector.Table) -> None:
    """Settle the clock after a change of how time passes (a pause, playing on live), and reschedule what the player
    on turn has planned."""
    game, hand = table.game, table.hand
    if hand is None or game.to_act is None:
        return
    projections.settle_clock(game)
    player = table.seats[game.to_act].player
    for ahead in hooks.ahead:
        if ahead.is_scheduled(game, player):
            ahead.schedule(game, player, hand.view(game.to_act))


def log_rhythm_change(game: Game, seat: int, player: Player) -> None:
    """Log the player's days (waking hours, absences) if they have changed since they were last logged."""
    data = projections.rhythm_change(game, seat, player)
    if data is not None:
        log(game, Action.Kind.EVENT, "rhythm", seat=seat, player=player, data=data)


def ask_again(table: log_selector.Table, seat: int) -> None:
    """Ask `seat` again if it is its turn: somebody else acts for it from now on."""
    if table.hand is not None and table.game.to_act == seat:
        ask(table, table.hand)


def give_seat(
    table: log_selector.Table,
    seat: int,
    player: Player,
    *,
    request_id: uuid.UUID | None = None,
    by: Player | None = None,
) -> Action:
    """Give a seat to `player`, who learns everything that it knows.

    `by`, the person who decided it, is kept in the log.
    """
    row = table.seats[seat]
    gone, row.player = row.player, player
    row.save(update_fields=["player"])
    if not gone.is_computer:
        outbox.put("game.replaced", gone, {"game": table.game.public_id, "by": player.public_id})
    outbox.withdraw("game.timeout", table.game.public_id, seat=seat)
    decided_by = {"by": by.public_id} if by is not None else {}
    data = {"of": gone.public_id, **decided_by, **days_of(table.game, player)}
    event = Action.Kind.EVENT
    entry = log(table.game, event, "substituted", seat=seat, player=player, request_id=request_id, data=data)
    ask_again(table, seat)
    return entry


def log_return(table: log_selector.Table, seat: int, by: Player, request_id: uuid.UUID | None = None) -> Action | None:
    """Log that the player of a seat is back, for whom others have acted. None if they were not away."""
    game = table.game
    if by.is_computer or projections.state_of(game, seat) not in (State.AWAY, State.SOUGHT):
        return None
    outbox.settle(by, game.public_id)
    outbox.withdraw("game.timeout", game.public_id, seat=seat)
    return log(game, Action.Kind.EVENT, "returned", seat=seat, player=by, request_id=request_id, data=days_of(game, by))


def days_of(game: Game, player: Player) -> dict[str, Any]:
    """The player's days as logged with "sat", "returned" and "substituted" at a table with days to move; else
    nothing."""
    is_counted = game.pace.get("kind") == "days" and not player.is_computer
    return {"rhythm": projections.rhythm_of(player).to_json()} if is_counted else {}


def others_here(table: log_selector.Table, seat: int) -> bool:
    """Whether another person plays on if the one at `seat` leaves. Only at a table with a clock."""
    clock = projections.clock_of(table.game)
    return clock is not None and any(number != seat for number in clock.here())


def pause(table: log_selector.Table, hand: Hand) -> timedelta:
    """How long a computer player waits before it acts: by the slowest speed that the people present have chosen; zero
    without people."""
    if table.game.kind == Game.Kind.COMPUTERS:
        return EASY * (LOOKING if hand.tricks and not hand.trick else THINKING)
    clock = projections.clock_of(table.game)
    people = [seat.player for seat in table.seats if not seat.player.is_computer]
    if clock is not None:
        people = [table.seats[number].player for number in clock.here()]
    slowness = max((SLOWNESS[BotSpeed(player.current.bot_speed)] for player in people), default=0)
    return slowness * (LOOKING if hand.tricks and not hand.trick else THINKING)


def looks_at_trick(table: log_selector.Table, hand: Hand) -> bool:
    """Whether a trick has just been completed and the only person here wants to look at it until they go on.

    Never in a lesson, which waits where it has something to say.
    """
    seat, game = projections.lone_seat(table), table.game
    is_complete = hand.asked == "play" and bool(hand.tricks) and not hand.trick
    if not is_complete or seat is None or game.pace or game.kind == Game.Kind.GUIDED:
        return False
    return table.seats[seat].player.current.waits_after_trick


def finish_hand(table: log_selector.Table, hand: Hand) -> None:
    """Write the result of a hand; promise the next deal, or end the game."""
    game, row, result = table.game, table.row, hand.result
    assert result is not None
    row.status = GameHand.Status(result.status)
    row.points, row.scores = list(result.points), list(result.scores)
    row.parties = [list(party) for party in result.parties]
    row.save(update_fields=["status", "points", "scores", "parties"])
    projections.write_played(game, row, projections.EndedHand(game.acted_at, tallies(hand)))
    boards.mark_changed(game)
    for hand_over in hooks.deal_over:
        hand_over(game)
    dealer = row.dealer
    if result.status != "thrown-in":
        game.totals = [total + score for total, score in zip(game.totals, result.scores, strict=True)]
        game.hands_played += 1
        dealer = (dealer + 1) % table.rules.seats
    if game.hands_played >= int(game.options["hands"]):
        end(table, Game.Status.FINISHED)
    else:
        seal_next_deal(game, dealer)


def end(table: log_selector.Table, status: Game.Status, *, reason: str = "") -> None:
    """End the game: nothing is due any more, and everybody is notified, with `reason` in place of `status` if given."""
    game = table.game
    game.status = status
    game.ended_at = game.acted_at
    game.to_act = None
    game.due_at = None
    promises.drop_promises(game)
    boards.mark_changed(game)
    for hand_over in hooks.deal_over:
        hand_over(game)
    for seat in table.seats:
        if not seat.player.is_computer:
            outbox.put("game.finished", seat.player, {"game": game.public_id, "status": reason or str(status)})
            if game.kind == Game.Kind.GUIDED and status == Game.Status.FINISHED:
                seat.player.note_guided_done()


# tables with a clock


def clocked(game_id: int, now: datetime | None = None) -> tuple[Game, Clock]:
    """The game, with its row locked, and its clocks. Raises ``no-clock`` if it has none."""
    game = locked(game_id, now)
    clock = projections.clock_of(game)
    if clock is None:
        raise GameError("no-clock")
    return game, clock


def check_playing(game: Game) -> None:
    if game.status != Game.Status.PLAYING:
        raise GameEnded


def seat_here(table: log_selector.Table, clock: Clock, by: Player) -> int:
    """The seat at which `by` plays in person. Raises NotYourSeat if there is none."""
    seat = table.seat_of(by.pk)
    if seat is None or seat not in clock.here():
        raise NotYourSeat
    return seat


def notify_table(
    table: log_selector.Table,
    event: str,
    *,
    but: int | None = None,
    expires_at: datetime | None = None,
    **params: str | int,
) -> None:
    """Notify the people who play at a table of an event, except the one at seat `but`, who caused it; not after
    `expires_at`."""
    clock = projections.clock_of(table.game)
    for number in clock.here() if clock is not None else ():
        if number != but:
            data = {"game": table.game.public_id, **params}
            outbox.put(event, table.seats[number].player, data, expires_at=expires_at)


WITHDRAWN: Final[dict[str, Any]] = {"withdrawn": True}
"""What is logged with a proposal that is declined by whoever made it."""


def notify_declined(table: log_selector.Table, by: int, seat: int, what: str) -> None:
    """Notify the player at `by` that `seat` has declined their proposal; nobody if they have withdrawn it
    themselves."""
    if by != seat:
        params = {"game": table.game.public_id, "what": what, "by": table.seats[seat].player.public_id}
        outbox.put("game.declined", table.seats[by].player, params)


_LANGUAGES: Final = ("en", "de", "rm-sursilv")
_SPOKEN_OF: Final = ("T21", "F")
_SMALL_WORDS: Final = frozenset({"il", "la", "igl", "ils", "las", "the", "der", "die", "das", "of", "and", "da", "de"})


def named_card(words: str) -> str:
    """The first word in free talk that names a suit or a card, as it was written; empty if there is none."""
    for word in re.findall(r"[^\W_]+", words):
        if _folded(word) in _forbidden_words():
            return word
    return ""


@cached_by_snapshot
def _forbidden_words() -> frozenset[str]:
    allowed = {_folded(word) for code in _SPOKEN_OF for word in _words_of(code)}
    naming: set[str] = set()
    for language in _LANGUAGES:
        for suit in "COSB":
            naming.update(map(_folded, re.findall(r"[^\W_]+", names.suit_name(suit, language))))
        for rank in "KQNJ":
            naming.update(map(_folded, re.findall(r"[^\W_]+", names.rank_name(rank, language))))
    for number in range(1, 21):
        naming.update(map(_folded, _words_of(f"T{number}")))
    # A single letter or numeral names nothing by itself, and "the" is not a card.
    return frozenset(word for word in naming - allowed - _SMALL_WORDS if len(word) > 2 and not _is_numeral(word))


def _words_of(code: str) -> list[str]:
    return [word for language in _LANGUAGES for word in re.findall(r"[^\W_]+", names.card_name(code, language))]


def _is_numeral(word: str) -> bool:
    return not set(word) - set("ivx")


def _folded(word: str) -> str:
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(letter)
    )
