"""A player's own tables against computer players: finding the open one, laying a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.models import Q

from accounts.models import Player
from games import choosing, computers, lessons, looking_back, play, sight
from games.engine.ruleset import OptionValue, Ruleset
from games.models import Game, GameHand
from games.seen import Sight
from games.watching_models import Memory

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
    draws = choosing.draws_partners(rules)
    return play.start(rules.id, players, options=options, draws_partners=draws, memory=memory)


def lesson_of(game: Game, seen: Sight) -> lessons.Advice | None:
    """What the teacher says now; None at any other table, and for who only watches."""
    if game.kind != Game.Kind.GUIDED or seen.viewer is None:
        return None
    if seen.status == Game.Status.FINISHED:
        return lessons.advice(seen, None, looking_back.replay(game, seen.hand, None, None))
    return lessons.advice(seen, sight.view_for(game, seen.viewer))


def lesson_done(player: Player) -> None:
    """Do not offer the lesson any more."""
    player.note_guided_done()
