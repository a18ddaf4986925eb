"""Keeping what was said ahead, and noting when something is to be done for whom. Inside the door's transactions.

The door only asks for a note here (`schedule`); what is noted is carried out by the worker, as an ordinary action through
the door, at a moment that `moments` draws.
"""

from __future__ import annotations

import random
from typing import Final

from accounts.models import Player
from domain.engine import Action, View
from domain.engine.claims import forced
from domain.pace import State
from games import projections
from games.conditional.delays import due_at
from games.conditional.models import Scheduled, Standing
from games.conditional.plans import Plan, Talk, answer, chosen, read_plan, read_talk
from games.models import Game
from notices import outbox

# Why a plan holds no more.
USED: Final = "used"
NO_FIT: Final = "no-fit"
CARD_GONE: Final = "card-gone"
HAND_OVER: Final = "hand-over"


def said(game: Game, player: Player) -> Standing | None:
    """What the player has said ahead in this game; None for nothing ever. One query, unless `schedule` has just asked."""
    if game.said_ahead is not None and game.said_ahead[0] == player.current.pk:
        return game.said_ahead[1]
    return Standing.objects.filter(game=game, player=player.current).first()


def plan_of(row: Standing | None, hand_number: int, cards: int) -> Plan:
    """The plan that holds in a deal for a player who holds so many cards; an empty one for none."""
    if row is None or row.plan_hand != hand_number:
        return Plan()
    plan = read_plan(row.plan)
    return plan if plan.lasts or row.plan_cards == cards else Plan()


def why_ended(row: Standing | None, hand_number: int, cards: int) -> str:
    """Why the last plan holds no more; empty while one holds, and if there never was one."""
    if row is None or plan_of(row, hand_number, cards):
        return ""
    if row.plan:
        return USED if row.plan_hand == hand_number else HAND_OVER
    return row.plan_ended


def talk_of(row: Standing | None, hand_number: int) -> Talk:
    """What is to be said in the talk of a deal; nothing if nothing was said about it."""
    return read_talk(row.talk) if row is not None and row.talk_hand in (0, hand_number) else Talk()


def decided(player: Player, row: Standing | None, hand_number: int, view: View) -> Action | None:
    """What is to be done for the player now; None if they want to be asked."""
    action = answer(talk_of(row, hand_number), view) or chosen(plan_of(row, hand_number, view.held.bit_count()), view)
    if action is None and player.current.plays_forced:
        action = forced(view)
    return action


def schedule(game: Game, player: Player, view: View, chance: random.Random | None = None) -> bool:
    """Note that something is to be done for the player who is asked, if anything is; whether it is.

    Call it with the game's row locked, when the clock of the seat runs already. What no longer fits is let go.
    """
    if game.kind != Game.Kind.PLAY or view.seat is None:
        return False
    game.said_ahead = None
    row = said(game, player)
    game.said_ahead = player.current.pk, row
    if row is None and not player.current.plays_forced:
        Scheduled.objects.filter(game=game).delete()
        return False
    if row is not None:
        _let_go(row, game.hand_number, view)
    if decided(player, row, game.hand_number, view) is None:
        plan = plan_of(row, game.hand_number, view.held.bit_count())
        if row is not None and view.asked == "play" and plan and not plan.lasts:
            _end(row, NO_FIT)  # it was for this card; a plan for the whole hand waits for the next
        Scheduled.objects.filter(game=game).delete()
        return False
    Scheduled.objects.update_or_create(
        game=game,
        defaults={
            "player": player.current,
            "seat": view.seat,
            "hand_number": game.hand_number,
            "after": len(view.history),
            "due_at": due_at(game, player, view, chance),
        },
    )
    outbox.settle(player.current, game.public_id)
    return True


def is_scheduled(game: Game, player: Player) -> bool:
    """Whether something is noted to be done for the player, so that they need not come. Theirs to know alone."""
    return Scheduled.objects.filter(game=game, player=player.current).exists()


def forget(game: Game) -> None:
    """Nothing is to be done for anybody in this game any more. Expects the lock on its row."""
    Scheduled.objects.filter(game=game).delete()


def may_act(game: Game, row: Scheduled, view: View | None) -> bool:
    """Whether the position is still the one that was noted, and its player the one who is asked."""
    if view is None or game.status != Game.Status.PLAYING or game.to_act != row.seat or view.turn != row.seat:
        return False
    if (game.hand_number, len(view.history)) != (row.hand_number, row.after):
        return False
    return projections.state_of(game, row.seat) in (None, State.HERE)


# what people say ahead


def set_plan(game: Game, player: Player, plan: Plan, cards: int) -> None:
    """Keep a plan for the running deal in place of the one before; an empty one takes it back.

    `cards`: how many the player holds. Call it with the game's row locked.
    """
    row, _made = Standing.objects.get_or_create(game=game, player=player.current)
    row.plan, row.plan_hand, row.plan_ended = (plan.to_json() if plan else {}), game.hand_number, ""
    row.plan_cards = cards
    row.save(update_fields=["plan", "plan_hand", "plan_cards", "plan_ended"])


def set_talk(game: Game, player: Player, talk: Talk, *, every_deal: bool) -> None:
    """Keep what is to be said in the talk of this deal, or of every deal of the game; an empty talk takes it back.

    Call it with the game's row locked.
    """
    row, _made = Standing.objects.get_or_create(game=game, player=player.current)
    row.talk, row.talk_hand = (talk.to_json() if talk else {}), 0 if every_deal else game.hand_number
    row.save(update_fields=["talk", "talk_hand"])


def _let_go(row: Standing, hand_number: int, view: View) -> None:
    """End a plan that is over, and take the lines out whose card the player does not hold any more."""
    if not row.plan:
        return
    plan = plan_of(row, hand_number, view.held.bit_count())
    if not plan:
        _end(row, why_ended(row, hand_number, view.held.bit_count()))
        return
    left = plan.without(~view.held)
    if not left:
        _end(row, CARD_GONE)
    elif left != plan:
        row.plan = left.to_json()
        row.save(update_fields=["plan"])


def _end(row: Standing, why: str) -> None:
    row.plan, row.plan_ended = {}, why
    row.save(update_fields=["plan", "plan_ended"])
