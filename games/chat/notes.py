"""Private notes: about a game as a whole, or about one trick of a deal. Nobody but their owner ever reads them."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Player
from games.chat import text
from games.chat.refusals import TooLong, TooManyNotes
from games.chat_models import NOTE_LENGTH, Note
from games.models import Game
from games.refusals import Malformed

MOST: Final = 300
"""Notes one player may keep of one game."""
MOST_TRICKS: Final = 30
"""More tricks than any deal of any game has."""


def write(game: Game, player: Player, words: str, *, hand: int = 0, trick: int = 0, number: int | None = None) -> None:
    """Keep `words` as the player's note at this place, instead of what stood there; nothing left deletes it.

    `hand` 0 is the game as a whole, else the deal; `trick` 0 is before the play. `number` is the action of the game after
    which a new note stands, by default the last; one that is changed stays where it was begun. Two pages that write at
    once: the later one stands. Raises TooLong, TooManyNotes, Malformed for a place the game has not reached.
    """
    written = text.lines(words)
    if len(written) > NOTE_LENGTH:
        raise TooLong(NOTE_LENGTH, len(written) - NOTE_LENGTH)
    reached = 0 <= hand <= game.hand_number and 0 <= trick <= (MOST_TRICKS if hand else 0)
    if not reached or (number is not None and not 0 <= number <= game.number):
        raise Malformed("a note stands at a deal and a trick of its game")
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)  # counting must be exact, and two new notes one
        own = Note.objects.filter(game=game, player=player)
        here = own.filter(hand=hand, trick=trick)
        if not written:
            here.delete()
        elif not here.update(text=written, written_at=timezone.now()):
            if own.count() >= MOST:
                raise TooManyNotes
            at = game.number if number is None else number
            Note.objects.create(game=game, player=player, hand=hand, trick=trick, number=at, text=written)


def notes_at(game: Game, player: Player, hand: int, trick: int) -> tuple[str, str]:
    """What the player has noted about the game, and at this place of it; empty if nothing. One query."""
    places = Q(hand=0, trick=0) | Q(hand=hand, trick=trick)
    found = Note.objects.filter(places, game=game, player=player).values_list("hand", "trick", "text")
    texts = {(in_hand, in_trick): words for in_hand, in_trick, words in found}
    return texts.get((0, 0), ""), texts.get((hand, trick), "")


def all_notes(game: Game, player: Player) -> list[Note]:
    """All the player's notes in a game: the one about the game first, then deal by deal."""
    return list(Note.objects.filter(game=game, player=player).order_by("hand", "trick"))
