"""Writing down what each seat did in a hand that is over, for statistics: a projection of the log like totals and clocks.

The door's step that ends a hand calls `write` in its own transaction; rebuilding compares with `differences`. A hand that
is still played, a lesson or a practice table leaves no rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Count, Max

from accounts.models import Player
from domain.engine.tally import SeatTally
from games.models import Action, Game, GameHand, PlayedSeat
from games.projections import seats


@dataclass(frozen=True, slots=True)
class Ended:
    """A hand that was played: when its last action was, and what each seat did."""

    at: datetime
    tallies: tuple[SeatTally, ...]


def write(game: Game, row: GameHand, ended: Ended) -> None:
    """Write the rows of a hand that has just ended. Call it with the game's lock, after the last action is logged.

    Three queries, one less where nothing counts; nothing while the deal is sealed (`unsealing` writes it then).
    """
    PlayedSeat.objects.bulk_create(_rows(game, row, ended))


def differences(game: Game, rows: Sequence[GameHand], ended: dict[int, Ended]) -> list[str]:
    """Make the rows of all hands of a game anew where they differ; says of which hands they did."""
    wanted = {row.number: _rows(game, row, ended[row.number]) if row.number in ended else [] for row in rows}
    stored: dict[int, list[PlayedSeat]] = {row.number: [] for row in rows}
    for found in PlayedSeat.objects.filter(hand__game=game).select_related("hand").order_by("hand", "seat"):
        stored[found.hand.number].append(found)
    changed = []
    for row in rows:
        if [_values(one) for one in stored[row.number]] != [_values(one) for one in wanted[row.number]]:
            PlayedSeat.objects.filter(hand=row).delete()
            PlayedSeat.objects.bulk_create(wanted[row.number])
            changed.append(f"hand {row.number}: played seats")
    return changed


_FIELDS: Final = tuple(field.attname for field in PlayedSeat._meta.concrete_fields if not field.primary_key)


def _values(row: PlayedSeat) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in _FIELDS)


def _rows(game: Game, row: GameHand, ended: Ended) -> list[PlayedSeat]:
    if game.kind != Game.Kind.PLAY or not ended.tallies or row.deal.is_sealed:
        return []
    players = _players(game, row.number)
    people_only = not any(player.is_computer for player, _shared in players.values())
    moment = ended.at.astimezone(UTC)
    return [
        PlayedSeat(
            hand=row,
            seat=seat,
            player=players[seat][0],
            shared=players[seat][1],
            at=ended.at,
            month=moment.year * 100 + moment.month,
            ruleset=game.ruleset,
            table_size=game.table_size,
            people_only=people_only,
            **asdict(tally),
        )
        for seat, tally in enumerate(ended.tallies)
    ]


def _players(game: Game, number: int) -> dict[int, tuple[Player, bool]]:
    """Who played each seat in a hand, and whether others made some of its moves: who made the most, or else the last.

    Not who sat there at the end: a hand that a substitute saved is theirs, and going away from a bad one does not help
    whoever has played most of it. What a claim plays for the others, nobody made; a seat without a move of its own has
    whoever sits there.
    """
    moves = game.actions.filter(
        kind=Action.Kind.MOVE, hand_number=number, seat__isnull=False, player__isnull=False
    ).order_by()
    counted = list(moves.values("seat", "player").annotate(moves=Count("pk"), last=Max("number")))
    keys = {each["player"] for each in counted}
    people = Player.objects.select_related("merged_into").in_bulk(keys)
    persons = {key: seats.person_of(game, player) for key, player in people.items()}
    found: dict[int, dict[int, list[int]]] = {}
    for each in counted:
        assert each["seat"] is not None
        own = found.setdefault(each["seat"], {}).setdefault(persons[each["player"]].pk, [0, 0])
        own[0] += each["moves"]
        own[1] = max(own[1], each["last"])
    by_key = {person.pk: person for person in persons.values()}
    sitting = {seat.number: (seat.player.current, False) for seat in game.seats.select_related("player__merged_into")}
    return sitting | {
        seat: (by_key[max(shares, key=shares.__getitem__)], len(shares) > 1)  # the most moves, then the last one
        for seat, shares in found.items()
    }
