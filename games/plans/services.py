"""Saving visits: claiming the rest of a hand, and deciding in advance what to do. The locking rules are those of
`play`.

A plan never goes into the log: only its owner knows it until it is carried out. The services of a game only call
`schedule`, which notes that something is due; the worker carries it out as an ordinary action, at a moment drawn by
`due_at`.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from django.db import transaction
from django.db.models import Model, QuerySet

from accounts.models import ForcedCards, Player, SmallCards
from core.commands import command
from core.models import existence_query, only
from core.prepared_queries import prepared
from domain.engine import Action as Move
from domain.engine import View
from domain.engine.claims import forced, last_card, next_claimed, next_given, proven
from domain.pace import Kind, State
from games import packs, projections
from games.exceptions import GameError, Malformed, NotNow
from games.models import Action, Game
from games.plans.exceptions import PlanError
from games.plans.language import Plan, Talk, answer, chosen, first_impossible, read_plan, read_talk
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


NO_PLAN: Final = Plan()
NO_TALK: Final = Talk()
SMALL: Final = read_plan({"lines": [{"play": "spare"}], "lasts": True})
"""The plan at tables of days of players who let small cards be played for them, unless they have a plan of their
own."""
SMALL_AT_ONCE: Final = replace(SMALL, at_once=True)

# Why a plan is over.
USED: Final = "used"
NO_FIT: Final = "no-fit"
CARD_GONE: Final = "card-gone"
HAND_OVER: Final = "hand-over"


def plans_of(game: Game, player: Player) -> Plans | None:
    """The plans of the player in this game; None if they never planned anything.

    One query, or none if the game has noted that there is no row (`note_whether_planned`).
    """
    return None if player.current.pk in game.without_plans else only(rows_of(game, player))


def rows_of(game: Game, player: Player) -> QuerySet[Plans]:
    """A query for the row of the player's plans in this game."""
    return Plans.objects.filter(game=game, player=player.current)


def note_whether_planned(game: Game, player: Player, planned: bool) -> None:
    """Note on `game` whether `rows_of` the player finds a row, so that this step need not query it again."""
    others = tuple(key for key in game.without_plans if key != player.current.pk)
    game.without_plans = others if planned else (*others, player.current.pk)


def plan_of(row: Plans | None, hand_number: int, cards: int) -> Plan:
    """The player's own plan for a deal in which they hold that many cards; empty if there is none in force."""
    if row is None or row.plan_hand not in (0, hand_number):
        return NO_PLAN
    plan = read_plan(row.plan)
    return plan if plan.lasts or row.plan_cards == cards else NO_PLAN


def why_ended(row: Plans | None, hand_number: int, cards: int) -> str:
    """Why the last plan is over; empty while one is in force, and if there never was one."""
    if row is None or plan_of(row, hand_number, cards):
        return ""
    if row.plan:
        return USED if row.plan_hand == hand_number else HAND_OVER
    return row.plan_ended


def talk_of(row: Plans | None, hand_number: int) -> Talk:
    """The planned answers for the talk of a deal; an empty Talk if there are none."""
    return read_talk(row.talk) if row is not None and row.talk_hand in (0, hand_number) else NO_TALK


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


def plan_in_force(game: Game, player: Player, row: Plans | None, hand_number: int, cards: int) -> Plan:
    """The plan in force for a player with that many cards: their own, or the one for small cards if they use it."""
    own = plan_of(row, hand_number, cards)
    if own or not lets_small_cards_go(game, player):
        return own
    return SMALL_AT_ONCE if player.current.small_cards == SmallCards.SELF else SMALL


def lets_small_cards_go(game: Game, player: Player) -> bool:
    """Whether small cards are played for the player in this game, unless they have a plan of their own."""
    wish = player.current.small_cards
    by_default = wish == SmallCards.LATER and player.current.forced_cards != ForcedCards.ASK
    return (wish == SmallCards.SELF or by_default) and takes_days(game)


def is_small(game: Game, view: View | None) -> bool:
    """Whether the viewer is asked, at a table of days, for a card whose choice hardly matters."""
    if view is None or view.turn != view.seat or not takes_days(game):
        return False
    return chosen(SMALL, view) is not None and forced(view) is None


def acts_by_itself(game: Game, player: Player) -> bool:
    """Whether the site acts for the player in this game when they have no choice."""
    wish = player.current.forced_cards
    return wish == ForcedCards.ALWAYS or (wish == ForcedCards.DAYS and takes_days(game))


def takes_days(game: Game) -> bool:
    """Whether the game is played at a pace of days."""
    return game.pace.get("kind") == Kind.DAYS


def planned_action(game: Game, player: Player, row: Plans | None, hand_number: int, view: View) -> Move | None:
    """The action to do for the player now; None if they want to be asked."""
    action = answer(talk_of(row, hand_number), view) or chosen(
        plan_in_force(game, player, row, hand_number, view.held.bit_count()), view
    )
    if action is None and acts_by_itself(game, player):
        action = forced(view) or last_card(view)
        if action is None and view.asked == "cut" and takes_days(game):
            action = Move("cut", number=packs.cut_of(game, hand_number, view.ruleset))
    return action


def schedule(game: Game, player: Player, view: View, chance: random.Random | None = None) -> bool:
    """Schedule what a plan or preference of the player on turn does for them. Returns whether anything is scheduled.

    Call it with the game's row locked, when the clock of the seat is running already. Plans that no longer fit are
    ended, and what was scheduled before and is outdated is deleted.
    """
    if game.kind == Game.Kind.GUIDED or view.seat is None:
        return False
    scheduled = Scheduled.objects.filter(game=game)
    planned, is_due = _whether_planned_and_due(game.pk, player.current.pk)[0]
    note_whether_planned(game, player, planned)
    row = plans_of(game, player)
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
    if row is None and not acts_by_itself(game, player) and not lets_small_cards_go(game, player):
        return False
    if row is not None:
        _drop_played_cards(row, game.hand_number, view)
    if planned_action(game, player, row, game.hand_number, view) is not None:
        return True
    plan = plan_of(row, game.hand_number, view.held.bit_count())
    if row is not None and view.asked == "play" and plan and not plan.lasts:
        _end_plan(row, NO_FIT)  # the plan was for this card; one for the whole hand waits for the next card
    return False


@prepared
def _whether_planned_and_due(game: int, player: int) -> QuerySet[Model, tuple[bool, ...]]:
    here = Game(pk=game)
    return existence_query(here, rows_of(here, Player(pk=player)), Scheduled.objects.filter(game=here))


def _wants_it_at_once(game: Game, player: Player, row: Plans | None, view: View) -> bool:
    """Whether the action comes from a plan that is to be carried out at once."""
    plan = plan_in_force(game, player, row, game.hand_number, view.held.bit_count())
    return plan.at_once and chosen(plan, view) is not None


def is_scheduled(game: Game, player: Player) -> bool:
    """Whether an action is scheduled for the player, so that they need not come. Only they may know."""
    return bool(scheduled_games([game.public_id], player))


def scheduled_games(public_ids: Collection[str | int], player: Player) -> dict[str | int, bool]:
    """True for each of these games in which an action is scheduled for the player; others are missing. One query."""
    if len(public_ids) == 1:
        (key,) = public_ids
        return {key: True} if _scheduled_in(str(key), player.current.pk) else {}
    rows = Scheduled.objects.filter(game__public_id__in=public_ids, player=player.current)
    return dict.fromkeys(rows.values_list("game__public_id", flat=True), True)


@prepared
def _scheduled_in(key: str, player: int) -> QuerySet[Scheduled, tuple[int]]:
    return Scheduled.objects.filter(game__public_id=key, player=player).order_by().values_list("pk")


def forget(game: Game) -> None:
    """Delete what is scheduled in this game. Expects the lock on its row."""
    Scheduled.objects.filter(game=game).delete()


def may_act(game: Game, row: Scheduled, view: View | None) -> bool:
    """Whether the position is still the one that was noted, with its player to act and present."""
    if view is None or game.status != Game.Status.PLAYING or game.to_act != row.seat or view.turn != row.seat:
        return False
    if (game.hand_number, view.acted) != (row.hand_number, row.after):
        return False
    return projections.state_of(game, row.seat) in (None, State.HERE)


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
    plan = plan_of(row, hand_number, view.held.bit_count())
    if not plan:
        _end_plan(row, why_ended(row, hand_number, view.held.bit_count()))
        return
    left = plan.without(~view.held)
    if not left:
        _end_plan(row, CARD_GONE)
    elif left != plan:
        row.plan = left.to_json()
        row.save(update_fields=["plan"])


def _end_plan(row: Plans, why: str) -> None:
    row.plan, row.plan_ended = {}, why
    row.save(update_fields=["plan", "plan_ended"])
