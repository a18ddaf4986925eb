"""Looking back: a finished deal with all hands open, and the record of a game. The other half of the view.

A deal that is over may still be closed: while the next is dealt from its cards, unshuffled, or may come to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from accounts.models import Player
from games import clocks, packs, shelf, sitters
from games.engine import Record
from games.engine.record import Json, RecordedHand
from games.engine.review import needed_for
from games.engine.view import unshuffled
from games.models import Action, Game, GameHand
from games.opened import Opened, Sitter, replay_of
from games.seen import Chance, HandSheet, Overview, Replay, SittingThere

_ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


class NotOpen(LookupError):
    """That deal cannot be looked back at: it does not exist, or is not over, or the next one is dealt from its cards."""


def replay(game: Game, number: int, step: int | None, viewer: Player | None) -> Replay:
    """Deal `number` of `game` after `step` actions (None: its end), all hands open. Raises NotOpen."""
    table = shelf.steady_table(game)
    row = next((row for row in table.hands if row.number == number), None)
    if row is None or not may_look_back(table, row):
        raise NotOpen
    return replay_of(_opened(table, row, table.seat_of(viewer.pk) if viewer is not None else None), step)


def overview(game: Game, viewer: Player | None) -> Overview:
    """All deals of a game that are over, with their scores; which of them may be looked back at."""
    table = shelf.steady_table(game)
    over = [row for row in table.hands if row.status in _ENDED]
    return Overview(
        public_id=game.public_id,
        ruleset=table.rules.id,
        viewer=table.seat_of(viewer.pk) if viewer is not None else None,
        seats=tuple(SittingThere(seat.number, seat.player.display_name) for seat in table.seats),
        parties=table.rules.parties(table.rules.sides),
        sheets=tuple(sheet_of(table, row) for row in over),
        totals=tuple(shelf.running_before(table, table.row.number + 1)),
        rappen="stake" in game.options,
        playing=game.status == Game.Status.PLAYING,
        played_at=game.created_at,
    )


def record(game: Game) -> Record:
    """The record of a game: every deal that may be looked back at, with its proof, and what happened at the table."""
    return _record(shelf.steady_table(game))


def record_of_hand(game: Game, number: int) -> Record:
    """The record of one deal. Raises NotOpen.

    Where the deal hangs on those before it, because a losing side asked for another deal, they are in the record too.
    """
    table = shelf.steady_table(game)
    row = next((row for row in table.hands if row.number == number), None)
    if row is None or not may_look_back(table, row):
        raise NotOpen
    whole = _record(table)
    if number > len(whole.hands):
        raise NotOpen  # one before it is still closed
    kept = len(needed_for(whole, number))
    proofs = whole.proof[number - kept : number] if isinstance(whole.proof, list) else None
    return replace(
        whole,
        hands=whole.hands[number - kept : number],
        events=_events(game, range(number - kept + 1, number + 1)),
        proof=proofs if proofs and any(proof is not None for proof in proofs) else None,
        extra=whole.extra if number == kept else {},
    )


def _events(game: Game, deals: Iterable[int]) -> Json:
    """What happened at the table in these deals that was no move (deal 0: before the first), as the record tells it."""
    told = game.actions.filter(kind=Action.Kind.EVENT, hand_number__in=list(deals)).exclude(text__in=clocks.SILENT)
    return [{"after": entry.number - 1, "event": entry.text, "seat": entry.seat} for entry in told]


def _record(table: shelf.Table) -> Record:
    game = table.game
    shown = []
    for row in table.hands:
        if not may_look_back(table, row):
            break
        shown.append(row)
    hands, proofs = [], []
    for row in shown:
        moves = shelf.moves_of(game, row.number)
        pack = shelf.pack_of(row)
        assert pack is not None
        hands.append(RecordedHand(row.dealer, pack, tuple(f"{move.seat} {move.text}" for move in moves)))
        proofs.append(packs.proof_of(row.deal, table.rules, shelf.replay_hand(table, row, moves)))
    return Record(
        table.rules,
        game.options,
        tuple(seat.player.display_name for seat in table.seats),
        tuple(hands),
        events=_events(game, range(game.hand_number + 1)),
        proof=proofs if any(proof is not None for proof in proofs) else None,  # type: ignore[arg-type]  # plain JSON
        extra={"draw": packs.proof_of_draw(shown[0].deal, table.rules)} if shown and game.draws_partners else {},  # type: ignore[dict-item]  # plain JSON
    )


def may_look_back(table: shelf.Table, row: GameHand) -> bool:
    """Whether a deal may be replayed with open hands: it is over, and the next is not dealt from its cards.

    While the next deal may still become the one-round deal (not shuffled, only cut), the last one stays closed; so does a
    deal that other tables have still to play.
    """
    if row.status not in _ENDED or row.deal.is_sealed:
        return False
    following = next((other for other in table.hands if other.number == row.number + 1), None)
    if following is None or following.status in _ENDED or row.status != GameHand.Status.PLAYED:
        return True
    if table.game.status != Game.Status.PLAYING:
        return True
    if table.hand is not None and following.number == table.row.number:
        undecided = table.hand.asked == "deal"
        return not unshuffled(table.hand) if not undecided else min(table.hand.running) > -18
    return not table.game.options.get("demands", False) or min(table.game.totals) > -18


def sheet_of(table: shelf.Table, row: GameHand) -> HandSheet:
    """One deal on the score sheet."""
    return HandSheet(
        row.number,
        row.dealer,
        row.status,
        tuple(row.points),
        tuple(row.scores),
        open=may_look_back(table, row),
        parties=tuple(tuple(party) for party in row.parties) or table.rules.parties(table.rules.sides),
        sealed=row.deal.is_sealed,
    )


def _opened(table: shelf.Table, row: GameHand, viewer: int | None) -> Opened:
    moves = shelf.moves_of(table.game, row.number)
    whole = shelf.replay_hand(table, row, moves)
    numbers = [other.number for other in table.hands if may_look_back(table, other)]
    return Opened(
        public_id=table.game.public_id,
        number=row.number,
        whole=whole,
        pack=shelf.pack_of(row) or (),
        numbers=[move.number for move in moves],
        sitters=[Sitter(seat.player.display_name, seat.player.is_computer, seat.player.page) for seat in table.seats],
        sheet=sheet_of(table, row),
        totals=tuple(shelf.running_before(table, row.number + 1)),
        viewer=viewer,
        previous=max((number for number in numbers if number < row.number), default=None),
        following=min((number for number in numbers if number > row.number), default=None),
        chance=tuple(_chance(table, row, viewer)),
        proof=packs.proof_of(row.deal, table.rules, whole),
        sat=sitters.of(table.game, table.seats).at,
    )


def _chance(table: shelf.Table, row: GameHand, viewer: int | None) -> Iterator[Chance]:
    """Whose browser added what; the person, not the seat, says whose it is: seats may have been drawn afterwards."""
    own = table.seats[viewer].player.current.pk if viewer is not None else None
    events = table.game.actions.filter(hand_number=row.number, kind=Action.Kind.EVENT, text="ready")
    people = {event.seat: event.player for event in events.select_related("player__merged_into")}
    passing = Player.objects.filter(public_id__in=row.deal.given_by.values()).select_related("merged_into")
    by_id = {player.public_id: player for player in passing}
    people |= {int(seat): by_id.get(public_id) for seat, public_id in row.deal.given_by.items()}
    for seat, entropy in sorted((int(seat), entropy) for seat, entropy in row.deal.entropy.items()):
        player = people.get(seat)
        if player is not None:
            yield Chance(seat, player.display_name, own == player.current.pk, entropy)
