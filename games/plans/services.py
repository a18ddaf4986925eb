"""Saving visits: claiming the rest of a hand, and deciding in advance what to do. The locking rules are those of
`play`.

A plan never goes into the log: only its owner knows it until it is carried out. The services of a game only call
`schedule`, which notes that something is due; the worker carries it out as an ordinary action, at a moment drawn by
`due_at`.
"""

from __future__ import annotations

import random
import uuid

from django.db import transaction
from django.db.models import Model, QuerySet

from accounts.models import Player, SmallCards
from core.commands import command
from core.models import existence_query
from core.prepared_queries import prepared
from domain.engine import View
from domain.engine.claims import next_claimed, next_given, proven
from domain.pace import State
from games import projections
from games.exceptions import GameError, Malformed, NotNow
from games.models import Action, Game
from games.plans import selectors
from games.plans.exceptions import PlanError
from games.plans.language import Plan, Talk, chosen, first_impossible
from games.plans.models import Plans, Scheduled
from games.plans.moments import due_at
from games.selectors import log
from games.services import common
from games.services.common import Receipt
from notices import outbox

CLAIMED = "claimed"
"""In the log: the player who leads has shown that all remaining tricks are theirs; the moves that end the hand
follow."""


@command
def claim(game_id: int, seat: int, *, expected: int, request_id: uuid.UUID, by: Player) -> Receipt:
    """Claim all remaining tricks for the player at `seat`, who leads, and play the hand to its end.

    Raises ``not-proven`` unless the player's own cards prove the claim; ``not-your-turn``, NotNow, Stale, NotYourSeat,
    GameEnded, ``request-reused``.
    """
    game = common.locked(game_id)
    table = common.enter(game, seat, by, request_id, (CLAIMED, {}))
    common.check_expected(game, expected)
    hand = table.hand
    if hand is None or game.kind == Game.Kind.GUIDED:
        raise NotNow
    if hand.turn != seat:
        raise GameError("not-your-turn")
    if not proven(hand.view(seat)):
        raise GameError("not-proven")
    common.log_return(table, seat, by)
    entry = common.log(game, Action.Kind.EVENT, CLAIMED, seat=seat, player=by, request_id=request_id)
    own = 0
    while not hand.over:
        turn = hand.turn
        view = hand.view(turn)
        move = next_claimed(view) if turn == seat else next_given(view)
        own += turn == seat
        # The others did not play these cards themselves, so their punctuality does not count them.
        common.push(table, hand, move, by if turn == seat else None)
    if not by.is_computer:
        outbox.settle(by, game.public_id)
        if game.pace:
            projections.count_punctuality(by, entry.at, actions=own)
    common.follow(table, hand)
    return common.receipt(table, entry)


def save_plan(game_id: int, seat: int, plan: Plan, *, by: Player, every_deal: bool = False) -> None:
    """Save the plan of the player at `seat` for the current hand; an empty plan deletes it.

    Nothing about it goes into the log or to anybody else. With `every_deal` it also applies to later hands; such a plan
    must last and name no card. Raises PlanError for a line that can never be played, Malformed for a plan that cannot
    be for every deal, NotNow before the play of the cards, NotYourSeat, GameEnded.
    """
    if every_deal and (not plan.lasts or any(line.card is not None or line.fallen for line in plan.lines)):
        raise Malformed("a plan for every deal lasts and names no card", where="lines")
    with transaction.atomic():
        table, view = _own_table(game_id, seat, by)
        if view is None or view.asked not in ("play", "call", "fool", "take"):
            raise NotNow
        never = first_impossible(plan, view)
        if never is not None:
            raise PlanError(never)
        set_plan(table.game, by, plan, view.held.bit_count(), every_deal=every_deal)
        _schedule_if_asked(table, seat, view, by)


def save_talk_plan(game_id: int, seat: int, talk: Talk, *, every_deal: bool, by: Player) -> None:
    """Save how the player at `seat` answers in the talk of this deal, or of every deal.

    Raises NotNow if the game has no talk, NotYourSeat, GameEnded.
    """
    with transaction.atomic():
        table, view = _own_table(game_id, seat, by)
        if not table.rules.asks_to_throw_in(table.game.options):
            raise NotNow
        set_talk(table.game, by, talk, every_deal=every_deal)
        _schedule_if_asked(table, seat, view, by)


def _own_table(game_id: int, seat: int, by: Player) -> tuple[log.Table, View | None]:
    game = common.locked(game_id)
    table = log.open_table(game)
    common.check_seat(table, seat, by)
    common.check_playing(game)
    return table, table.hand.view(seat) if table.hand is not None else None


def _schedule_if_asked(table: log.Table, seat: int, view: View | None, by: Player) -> None:
    """Schedule the action for a player whose turn it already is, after they changed a plan."""
    if view is not None and view.turn == seat and projections.state_of(table.game, seat) in (None, State.HERE):
        schedule(table.game, by, view)


def set_small_cards(game_id: int, seat: int, wish: SmallCards, *, by: Player) -> None:
    """Set what happens to small cards of the player at `seat`, in this and all other games of days from now on.

    If they are asked for one in this game now, it is scheduled. Raises NotYourSeat, GameEnded.
    """
    with transaction.atomic():
        table, view = _own_table(game_id, seat, by)
        player = by.current
        player.small_cards = wish
        player.save(update_fields=["small_cards"])
        _schedule_if_asked(table, seat, view, player)


def schedule(game: Game, player: Player, view: View, chance: random.Random | None = None) -> bool:
    """Schedule what a plan or preference of the player on turn does for them. Returns whether anything is scheduled.

    Call it with the game's row locked, when the clock of the seat is running already. Plans that no longer fit are
    ended, and what was scheduled before and is outdated is deleted.
    """
    if game.kind == Game.Kind.GUIDED or view.seat is None:
        return False
    scheduled = Scheduled.objects.filter(game=game)
    planned, is_due = _whether_planned_and_due(game.pk, player.current.pk)[0]
    selectors.note_whether_planned(game, player, planned)
    row = selectors.plans_of(game, player)
    if not _has_action(game, player, row, view):
        if is_due:
            scheduled.delete()
        return False
    Scheduled.objects.update_or_create(
        game=game,
        defaults={
            "player": player.current,
            "seat": view.seat,
            "hand_number": game.hand_number,
            "after": view.acted,
            "due_at": due_at(game, player, view, chance, at_once=_wants_it_at_once(game, player, row, view)),
        },
    )
    outbox.settle(player.current, game.public_id, came=False)
    return True


def _has_action(game: Game, player: Player, row: Plans | None, view: View) -> bool:
    """Whether a plan or preference of the player on turn does something for them now. Ends a plan that no longer
    fits."""
    if row is None and not selectors.acts_by_itself(game, player) and not selectors.lets_small_cards_go(game, player):
        return False
    if row is not None:
        _drop_played_cards(row, game.hand_number, view)
    if selectors.planned_action(game, player, row, game.hand_number, view) is not None:
        return True
    plan = selectors.plan_of(row, game.hand_number, view.held.bit_count())
    if row is not None and view.asked == "play" and plan and not plan.lasts:
        _end_plan(row, selectors.NO_FIT)  # the plan was for this card; one for the whole hand waits for the next card
    return False


@prepared
def _whether_planned_and_due(game: int, player: int) -> QuerySet[Model, tuple[bool, ...]]:
    here = Game(pk=game)
    return existence_query(here, selectors.rows_of(here, Player(pk=player)), Scheduled.objects.filter(game=here))


def _wants_it_at_once(game: Game, player: Player, row: Plans | None, view: View) -> bool:
    """Whether the action comes from a plan that is to be carried out at once."""
    plan = selectors.plan_in_force(game, player, row, game.hand_number, view.held.bit_count())
    return plan.at_once and chosen(plan, view) is not None


def is_scheduled(game: Game, player: Player) -> bool:
    """Whether an action is scheduled for the player, so that they need not come. Only they may know."""
    return bool(selectors.scheduled_games([game.public_id], player))


def forget(game: Game) -> None:
    """Delete what is scheduled in this game. Expects the lock on its row."""
    Scheduled.objects.filter(game=game).delete()


# saving plans


def set_plan(game: Game, player: Player, plan: Plan, cards: int, *, every_deal: bool = False) -> None:
    """Save a plan for the current deal, or for every deal, in place of the one before; an empty one deletes it.

    `cards` is the number of cards the player holds. Call it with the game's row locked.
    """
    row, _created = Plans.objects.get_or_create(game=game, player=player.current)
    row.plan = plan.to_json() if plan else {}
    row.plan_hand = 0 if every_deal else game.hand_number
    row.plan_cards = cards
    row.plan_ended = ""
    row.save(update_fields=["plan", "plan_hand", "plan_cards", "plan_ended"])


def set_talk(game: Game, player: Player, talk: Talk, *, every_deal: bool) -> None:
    """Save the answers for the talk of this deal, or of every deal of the game; an empty talk deletes them.

    Call it with the game's row locked.
    """
    row, _created = Plans.objects.get_or_create(game=game, player=player.current)
    row.talk = talk.to_json() if talk else {}
    row.talk_hand = 0 if every_deal else game.hand_number
    row.save(update_fields=["talk", "talk_hand"])


def _drop_played_cards(row: Plans, hand_number: int, view: View) -> None:
    """End a plan that is over, and remove lines whose card the player no longer holds."""
    if not row.plan:
        return
    plan = selectors.plan_of(row, hand_number, view.held.bit_count())
    if not plan:
        _end_plan(row, selectors.why_ended(row, hand_number, view.held.bit_count()))
        return
    left = plan.without(~view.held)
    if not left:
        _end_plan(row, selectors.CARD_GONE)
    elif left != plan:
        row.plan = left.to_json()
        row.save(update_fields=["plan"])


def _end_plan(row: Plans, why: str) -> None:
    row.plan, row.plan_ended = {}, why
    row.save(update_fields=["plan", "plan_ended"])
