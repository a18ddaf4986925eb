"""What the table's page holds beside the game: the chats and the notes of its viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accounts import availability
from accounts.models import Player
from games.chat import selectors as chat_selectors
from games.chat import services
from games.chat.text import greetings
from games.models import Game
from games.read_models import Sight


@dataclass(frozen=True, slots=True)
class NotesSeen:
    """The two notes at hand: about the game, and about the trick that lies there."""

    hand: int
    trick: int
    game: str
    here: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel for one viewer. `chat` is None where there is nobody to write to, `notes` for strangers and in lessons."""

    chat: chat_selectors.Chat | None
    notes: NotesSeen | None
    zone: str
    greetings: Mapping[str, str]

    def __bool__(self) -> bool:
        return self.chat is not None or self.notes is not None


def panel_of(game: Game, viewer: Player | None, sight: Sight) -> Panel:
    """The panel beside the table as `sight` shows it."""
    wanted = game.kind != Game.Kind.GUIDED
    return Panel(
        chat_selectors.chats_of(game, viewer) if wanted else None,
        _notes(game, viewer, sight) if wanted and viewer is not None else None,
        zone_of(viewer),
        greetings(),
    )


def unread(game: Game, viewer: Player | None, sight: Sight) -> int:
    """How many messages the viewer has not read, for the mark above the board."""
    alone = sight.viewer is not None and sight.clock is None and all(seat.own or seat.computer for seat in sight.seats)
    if game.kind != Game.Kind.PLAY or (alone and sight.status == Game.Status.PLAYING):
        return 0  # nobody else sits here, or ever has, and who watches is not read before the end
    return chat_selectors.unread(game, viewer)


def zone_of(viewer: Player | None) -> str:
    """The time zone in which the viewer reads times."""
    return availability.zone_of(viewer).key if viewer is not None else ""


def trick_of(sight: Sight) -> int:
    """The trick a note belongs to: the one that lies on the table, else the one gathered last; 0 before the play."""
    return sight.trick.number if sight.trick is not None else sight.trick_count


def _notes(game: Game, viewer: Player, sight: Sight) -> NotesSeen:
    trick = trick_of(sight)
    about, here = services.notes_at(game, viewer, sight.hand, trick)
    return NotesSeen(sight.hand, trick, about, here)
