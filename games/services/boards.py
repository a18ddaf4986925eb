"""Deals that several tables play, as in duplicate bridge: the same pack and the same cut everywhere.

A set is created with all its packs. Each pack is promised like any other, but the players cannot add entropy: the
cards must be the same at every table. The answers that the engine would ask for before the cards are dealt (the cut,
and in how many packets) are the same at every table too. A deal stays sealed until every table of the set has played
it, or will not play it any more; then the worker opens it (`open_due`), and the statistics of its hands are written.
Until then nobody sees more of it than at their own table. Nobody ever plays a deal twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Player
from core.registry import Registry
from domain.engine import shuffle
from domain.engine.actions import Action as Move
from domain.engine.counting import tallies
from domain.engine.hand import Hand
from domain.engine.legal import LegalWords
from domain.engine.ruleset import OptionValue, Ruleset
from domain.engine.rulesets import ruleset
from games import broadcast, packs, projections
from games.exceptions import MetAlready
from games.models import Action, BoardSet, Deal, Game, GameHand
from games.selectors import log

MOST: Final = 16
"""How many deals a set may have: as many as one game."""
OFF: Final = ("demands", "throw_in")
"""Options by which the deals of one table could differ from those of the others; they are off wherever deals are
shared."""


def options_for(rules: Ruleset, count: int, wished: Mapping[str, object] | None = None) -> dict[str, OptionValue]:
    """The options of a game of `count` shared deals: those of `wished`, without any that would make tables differ.

    Raises OptionError.
    """
    names = {option.name for option in rules.options}
    off: dict[str, object] = {name: False for name in OFF if name in names}
    return rules.settled_options({**(wished or {}), **off, "hands": count})


def create_set(
    owner: str, ruleset_id: str, *, size: int, count: int, version: int | None = None,
    options: Mapping[str, object] | None = None,
) -> BoardSet:  # fmt: skip
    """The set of this owner: `count` (1 to 16) deals with promised packs for tables of `size`.

    Created by the first call.

    Raises UnknownRuleset, OptionError, ValueError for an impossible number of players or deals.
    """
    if not 1 <= count <= MOST:
        raise ValueError(f"1 to {MOST} deals, not {count}")
    rules = ruleset(ruleset_id, version, size)
    with transaction.atomic():
        boards, created = BoardSet.objects.get_or_create(
            owner=owner,
            defaults={
                "ruleset": rules.id,
                "ruleset_version": rules.version,
                "table_size": rules.seats,
                "options": options_for(rules, count, options),
                "boards": count,
            },
        )
        if created:
            Deal.objects.bulk_create(_new_deal(boards, rules, number) for number in range(1, count + 1))
    return boards


def _new_deal(boards: BoardSet, rules: Ruleset, number: int) -> Deal:
    deal = packs.sealed_deal(boards.public_id, number, Deal.Origin.SHARED)
    deal.pack = " ".join(packs.pack_of(deal, rules))
    # From the same seed as the pack, with a label of its own.
    deal.cut = shuffle.cut(packs.seed_of(deal, rules), rules.pack.bit_count())
    return deal


def _shared(set_id: str) -> QuerySet[Deal]:
    return Deal.objects.filter(table=set_id, origin=Deal.Origin.SHARED).order_by("ordinal")


def deals(boards: BoardSet) -> list[Deal]:
    """The deals of a set, in the order of their numbers. One query."""
    return list(_shared(boards.public_id))


def opened(set_id: str) -> dict[int, datetime | None]:
    """When each deal of the set with this public id was opened, by its number; None for a sealed one. One query."""
    return dict(_shared(set_id).values_list("ordinal", "opened_at"))


def with_sealed(set_ids: Iterable[str]) -> frozenset[str]:
    """The public ids, among `set_ids`, of the sets that have a sealed deal. One query."""
    rows = Deal.objects.filter(table__in=set_ids, origin=Deal.Origin.SHARED, opened_at=None)
    return frozenset(rows.values_list("table", flat=True).distinct())


def promises(boards: BoardSet) -> list[str]:
    """The commitments to the packs of a set, in the order of the deals' numbers. One query."""
    return list(_shared(boards.public_id).values_list("commitment", flat=True))


def delete_unplayed(boards: BoardSet) -> None:
    """Delete a set that no table has played, with its deals.

    Raises ProtectedError, and deletes nothing, for any other set.
    """
    with transaction.atomic():
        BoardSet.objects.filter(pk=boards.pk).delete()
        _shared(boards.public_id).delete()


def deal_of(game: Game, number: int) -> Deal | None:
    """The shared deal that a game plays as its hand `number`; None if the game has packs of its own. One query."""
    if game.board_set is None:
        return None
    return _shared(game.board_set.public_id).get(ordinal=number)


def dealt_move(deal: Deal, hand: Hand) -> Move | None:
    """The move that is made without asking in this shared deal, so that all tables are dealt the same cards; None if
    a player decides."""
    if hand.over or hand.pack is None:
        return None
    if hand.asked == "cut":
        assert deal.cut is not None
        return Move("cut", number=deal.cut)
    if hand.asked == "packets" and isinstance(hand.legal, LegalWords):
        return hand.legal.actions[0]
    return None


def complete(boards: BoardSet) -> None:
    """Let no further table begin with these deals: from now on each opens as soon as the last table has played it."""
    BoardSet.objects.filter(pk=boards.pk, opened_at=None).update(awaits=False, changed=True)


def mark_changed(game: Game) -> None:
    """Note that a deal was played at this table, or the game has ended, so that the worker checks whether a deal may
    open.

    Call it in the transaction of that step.
    """
    if game.board_set_id is not None:
        BoardSet.objects.filter(pk=game.board_set_id, opened_at=None).update(changed=True)


def has_met(player: Player, boards: BoardSet) -> bool:
    """Whether this person, as guest or member, has sat or acted at a table with these deals. One query."""
    return met_by(player).filter(game__board_set=boards).exists()


def met_by(player: Player) -> QuerySet[Action]:
    """What this person, as guest or member, has done in games with shared deals. Lazy: no query yet."""
    person = Q(player=player.current) | Q(player__merged_into=player.current) | Q(player=player)
    return Action.objects.filter(person, game__board_set__isnull=False)


Knows: TypeAlias = Callable[[Player, BoardSet], bool]
"""Whether somebody may have learnt about these deals in another way than by playing them."""

knowing: Final = Registry[Knows]()


def check_new_to(players: Iterable[Player], boards: BoardSet | None) -> None:
    """Raise MetAlready for a person who knows these deals from another table. Computer players remember nothing.

    Takes the lock on the set's row, after that of a game, so that nobody can take seats at two tables at once.
    """
    if boards is None:
        return
    list(BoardSet.objects.select_for_update().filter(pk=boards.pk).values_list("pk"))
    for player in players:
        if not player.is_computer and (has_met(player, boards) or any(knows(player, boards) for knows in knowing)):
            raise MetAlready


logger = logging.getLogger(__name__)
ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


def open_due(limit: int, now: datetime | None = None) -> int:
    """Open the deals that may be opened, in sets that have changed. Returns how many were opened.

    A set that raises an error stays sealed, and does not hold up the others.
    """
    # In the order of the partial index; otherwise SQLite reads all sets in the order of their keys.
    waiting = (
        BoardSet.objects.filter(changed=True, opened_at=None).order_by("changed", "pk").values_list("pk", flat=True)
    )
    return sum(_try_to_open(pk, now) for pk in waiting[:limit])


def _try_to_open(set_id: int, now: datetime | None) -> int:
    try:
        return open_ready_deals(set_id, now)
    except Exception:  # tried again at the next look
        logger.exception("could not open the deals of set %s", set_id)
        return 0


def open_ready_deals(set_id: int, now: datetime | None = None) -> int:
    """Open the deals of a set that no table has still to play, and write their statistics, in one transaction.

    Returns how many were opened. Takes the lock on the set's row.
    """
    with transaction.atomic():
        boards = BoardSet.objects.select_for_update().get(pk=set_id)
        if boards.opened_at is not None:
            return 0
        moment = now or timezone.now()
        boards.changed = False
        sealed = list(_shared(boards.public_id).filter(opened_at=None))
        ready = [] if boards.awaits else [deal for deal in sealed if not _is_awaited(boards, deal)]
        for deal in ready:
            deal.opened_at = moment
            deal.save(update_fields=["opened_at"])
            _count(deal)
        if len(ready) == len(sealed):
            boards.opened_at = moment
        boards.save(update_fields=["changed", "opened_at"])
        if ready:
            for public_id, number in boards.games.values_list("public_id", "number"):
                transaction.on_commit(partial(broadcast.ring, public_id, number), robust=True)
        return len(ready)


def _is_awaited(boards: BoardSet, deal: Deal) -> bool:
    """Whether a table whose game goes on has not played this deal yet."""
    playing = boards.games.filter(status=Game.Status.PLAYING)
    done = GameHand.objects.filter(deal=deal, status__in=ENDED)
    return playing.exclude(pk__in=done.values("game")).exists()


def _count(deal: Deal) -> None:
    """Write the statistics of this deal at every table, which nobody was allowed to see before."""
    for row in deal.hands.filter(status__in=ENDED).select_related("game", "deal"):
        table = log.open_table(row.game)
        hand = log.replay_hand(table, row, log.moves_of(row.game, row.number))
        last = row.game.actions.filter(kind=Action.Kind.MOVE, hand_number=row.number).order_by("number").last()
        assert last is not None
        projections.write_played(row.game, row, projections.EndedHand(last.at, tallies(hand)))
