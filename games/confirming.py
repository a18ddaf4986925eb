"""Asking once more before a card is played, where its player wishes so: at tables with days for each card.

The one place for it: the page asks in the same way with script and without. Nothing is written and nobody is told; what is
asked about is checked by the door like any other action once it is confirmed.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import Player
from games import clocks, sight
from games.engine import MalformedAction, parse_action
from games.engine.cards import CODES
from games.models import Game
from games.pace import Kind
from games.wording_people import listed
from rules import names


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What is asked: the action as it was sent, its first card, and the question in the reader's language."""

    action: str
    card: str
    question: str


def wished(game: Game, player: Player) -> bool:
    """Whether cards that `player` plays in this game are asked about: they wish it, and nobody is in a hurry here."""
    clock = clocks.of(game)
    return player.current.confirm_plays and clock is not None and clock.terms.kind is Kind.DAYS and not clock.live


def asked_about(game: Game, player: Player, action: str, expected: int) -> Confirmation | None:
    """The question to put before `action` is done; None where none is wished, or where the door has to answer anyway.

    That is so for what is no play of a card, for a card that may not be played, and for a page that is out of date.
    """
    if expected != game.number or not wished(game, player):
        return None
    try:
        move = parse_action(action)
    except MalformedAction:
        return None
    seen = sight.of(game, player)
    playable = {card.code for card in seen.cards if card.playable}
    if (
        move.verb != "play"
        or seen.question.asked != "play"
        or not seen.question.mine
        or CODES[move.cards[0]] not in playable
    ):
        return None
    cards = [CODES[card] for card in move.cards]
    return Confirmation(action, cards[0], _question(cards, move.signal))


def _question(cards: list[str], signal: str) -> str:
    fields = {"cards": listed([names.card_object(code) for code in cards])}
    if signal == "knock":
        return _("Play %(cards)s and knock?") % fields
    if signal == "buob":
        return _("Play %(cards)s and call: buob?") % fields
    return _("Play %(cards)s?") % fields
