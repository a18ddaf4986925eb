"""A player's own tables against computer players: finding the open one, laying a new one. And asking once more before a card is
played, where its player wishes so: at tables with days for each card. The page asks in the same way with script and
without; nothing is written and nobody is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Player
from domain.engine import MalformedAction, parse_action
from domain.engine.cards import CODES
from domain.engine.ruleset import OptionValue, Ruleset
from domain.pace import Kind
from games import projections
from games.lessons import lesson as lessons
from games.models import Game, GameHand, Memory
from games.read_models import Sight
from games.selectors import replay, rulesets, table
from games.services import computers, play
from games.text.common import in_a_row
from rules.text import names

RULESET: Final = "troccas"


def open_table_of(player: Player, kind: Game.Kind) -> Game | None:
    """The unfinished game of this kind that `player` plays against computer players with cards of their own, the latest first."""
    others = Q(seats__player__computer="") & ~Q(seats__player=player)
    games = Game.objects.filter(kind=kind, status=Game.Status.PLAYING, seats__player=player, board_set=None)
    return games.exclude(pk__in=Game.objects.filter(others).values("pk")).order_by("-acted_at").first()


def new_table(player: Player, kind: Game.Kind) -> Game:
    """A new table for `player` and three computer players: a whole game, or the lesson."""
    if kind == Game.Kind.GUIDED:
        lesson = lessons.FIRST
        players = [player, *computers.computer_players(3)]
        return play.start(RULESET, players, options=lesson.options, kind=kind, pack=lesson.pack, dealer=lesson.dealer)
    return play.start(RULESET, [player, *computers.computer_players(3)], kind=kind, draws_partners=True)


def table_of(player: Player, rules: Ruleset, options: Mapping[str, OptionValue], memory: Memory = Memory.LAST) -> Game:
    """A new table of any game for `player` and computer players; or the same table if it waits and nothing is dealt."""
    waiting = Game.objects.filter(
        kind=Game.Kind.PLAY,
        status=Game.Status.PLAYING,
        ruleset=rules.id,
        ruleset_version=rules.version,
        table_size=rules.seats,
        memory=memory,
        board_set=None,
        hand_number=1,
        hands__status=GameHand.Status.WAITING,
        seats__player=player,
    )
    same = next((game for game in waiting if game.options == dict(options)), None)
    if same is not None:
        return same
    players = [player, *computers.computer_players(rules.seats - 1)]
    draws = rulesets.draws_partners(rules)
    return play.start(rules.id, players, options=options, draws_partners=draws, memory=memory)


def lesson_of(game: Game, seen: Sight) -> lessons.Advice | None:
    """What the teacher says now; None at any other table, and for who only watches."""
    if game.kind != Game.Kind.GUIDED or seen.viewer is None:
        return None
    if seen.status == Game.Status.FINISHED:
        return lessons.advice(seen, None, replay.replay(game, seen.hand, None, None))
    return lessons.advice(seen, table.view_for(game, seen.viewer))


def lesson_done(player: Player) -> None:
    """Do not offer the lesson any more."""
    player.note_guided_done()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What is asked: the action as it was sent, its first card, and the question in the reader's language."""

    action: str
    card: str
    question: str


def wished(game: Game, player: Player) -> bool:
    """Whether cards that `player` plays in this game are asked about: they wish it, and nobody is in a hurry here."""
    clock = projections.clock_of(game)
    return player.current.confirm_plays and clock is not None and clock.terms.kind is Kind.DAYS and not clock.live


def asked_about(game: Game, player: Player, action: str, expected: int) -> Confirmation | None:
    """The question to put before `action` is done; None where none is wished, or where `submit` has to answer anyway.

    That is so for what is no play of a card, for a card that may not be played, and for a page that is out of date.
    """
    if expected != game.number or not wished(game, player):
        return None
    try:
        move = parse_action(action)
    except MalformedAction:
        return None
    seen = table.sight_of(game, player)
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
    fields = {"cards": in_a_row([names.card_object(code) for code in cards])}
    if signal == "knock":
        return _("Play %(cards)s and knock?") % fields
    if signal == "buob":
        return _("Play %(cards)s and call: buob?") % fields
    return _("Play %(cards)s?") % fields
