"""The draw for partners, as it lay on the table, and whether those at a table know each other."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import Player
from domain.engine.rulesets import ruleset
from games.lobby.models import OpenTable
from games.models import Action, Game


def among_friends(game: Game) -> bool:
    """Whether one comes to this table only by a link or an invitation: somebody has asked its guests to come."""
    return OpenTable.objects.filter(game=game, entry__in=(OpenTable.Entry.LINK, OpenTable.Entry.INVITED)).exists()


@dataclass(frozen=True, slots=True)
class Drawn:
    """One person at the draw: the cards they turned up, the last of them the trump that decided."""

    name: str
    own: bool
    cards: tuple[str, ...]
    seat: int
    team: str  # A or B
    deals: bool
    page: str  # public id of their page; empty where there is none


@dataclass(frozen=True, slots=True)
class DrawSeen:
    """The draw: the card in the middle, and the people in the order in which they came."""

    middle: str
    people: tuple[Drawn, ...]


def draw_of(game: Game, viewer: Player | None) -> DrawSeen | None:
    """The draw of a game; None where none was made (yet)."""
    if not game.draws_partners:
        return None
    events = game.actions.filter(kind=Action.Kind.EVENT, text__in=("sat", "drawn"))
    rows = list(events.select_related("player__merged_into"))
    drawn = next((row for row in rows if row.text == "drawn"), None)
    if drawn is None:
        return None
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    came = {row.seat: row.player for row in rows if row.text == "sat"}
    dealer = game.hands.get(number=1).dealer
    people = []
    for seat, person in sorted(enumerate(drawn.data["seats"]), key=lambda pair: pair[1]):
        player, cards = came[person], tuple(code for whose, code in drawn.data["drawn"] if whose == person)
        name, page = (player.display_name, player.page) if player is not None else ("", "")
        own = player is not None and viewer is not None and player.current.pk == viewer.current.pk
        people.append(Drawn(name, own, cards, seat, "AB"[rules.sides[seat]], seat == dealer, page))
    return DrawSeen(str(drawn.data["middle"]), tuple(people))
