"""The draw for partners as everybody saw it: who turned up which cards, and how they came to sit."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import Player
from domain.engine.rulesets import ruleset
from games.models import Action, Game


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
    events = game.actions.filter(kind=Action.Kind.EVENT, text__in=("sat", "drawn")).select_related(
        "player__merged_into"
    )
    rows = list(events)
    drawn = next((row for row in rows if row.text == "drawn"), None)
    if drawn is None:
        return None
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    came = {row.seat: row.player for row in rows if row.text == "sat"}
    dealer = game.hands.get(number=1).dealer
    people = []
    for seat, person in sorted(enumerate(drawn.data["seats"]), key=lambda pair: pair[1]):
        player = came[person]
        people.append(
            Drawn(
                name=player.display_name if player is not None else "",
                own=player is not None and viewer is not None and player.current.pk == viewer.current.pk,
                cards=tuple(code for whose, code in drawn.data["drawn"] if whose == person),
                seat=seat,
                team="AB"[rules.sides[seat]],
                deals=seat == dealer,
                page=player.page if player is not None else "",
            )
        )
    return DrawSeen(str(drawn.data["middle"]), tuple(people))
