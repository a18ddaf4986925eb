"""Looking back: a finished deal with all hands open, and the record of a game. The other half of the view.

A deal that is over may still be closed: while the next is dealt from its cards, unshuffled, or may come to be.
"""

from __future__ import annotations

from collections.abc import Iterator

from accounts.models import Player
from games import clocks, lines, packs, shelf
from games.engine import CODES, Record, cards_in
from games.engine.cards import FOOL, value_of, values
from games.engine.hand import Hand, Trick
from games.engine.record import RecordedHand
from games.engine.view import unshuffled
from games.models import Action, Game, GameHand
from games.seen import (
    Chance,
    HandSheet,
    OpenSeat,
    Replay,
    SideCount,
    Step,
    TrickPoints,
)
from games.showing import code_of, codes_of, open_trick, team_of, trick_of

_ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


class NotOpen(LookupError):
    """That deal cannot be looked back at: it does not exist, or is not over, or the next one is dealt from its cards."""


def replay(game: Game, number: int, step: int | None, viewer: Player | None) -> Replay:
    """Deal `number` of `game` after `step` actions (None: its end), all hands open. Raises NotOpen."""
    table = shelf.steady_table(game)
    row = next((row for row in table.hands if row.number == number), None)
    if row is None or not may_look_back(table, row):
        raise NotOpen
    return _replay(table, row, step, table.seat_of(viewer.pk) if viewer is not None else None)


def record(game: Game) -> Record:
    """The record of a game: every deal that may be looked back at, with its proof, and what happened at the table."""
    table = shelf.steady_table(game)
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
        events=[
            {"after": entry.number - 1, "event": entry.text, "seat": entry.seat}
            for entry in game.actions.filter(kind=Action.Kind.EVENT).exclude(text__in=clocks.SILENT)
        ],
        proof=proofs if any(proof is not None for proof in proofs) else None,  # type: ignore[arg-type]  # plain JSON
        extra={"draw": packs.proof_of_draw(shown[0].deal, table.rules)} if shown and game.draws_partners else {},  # type: ignore[dict-item]  # plain JSON
    )


def may_look_back(table: shelf.Table, row: GameHand) -> bool:
    """Whether a deal may be replayed with open hands: it is over, and the next is not dealt from its cards.

    While the next deal may still become the one-round deal (not shuffled, only cut), the last one stays closed.
    """
    if row.status not in _ENDED:
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
    )


def _replay(table: shelf.Table, row: GameHand, step: int | None, viewer: int | None) -> Replay:
    moves = shelf.moves_of(table.game, row.number)
    last = len(moves)
    at = last if step is None else max(0, min(step, last))
    whole = shelf.replay_hand(table, row, moves)
    hand = shelf.replay_hand(table, row, moves[:at])
    told = lines.entries(whole.view(None), [move.number for move in moves], row.number)
    seats = table.rules.seats
    base = viewer or 0
    numbers = [other.number for other in table.hands if may_look_back(table, other)]
    gathered_at = [place for place, entry in enumerate(told, 1) if entry.ends_trick]
    pack = shelf.pack_of(row)
    view = hand.view(base)
    return Replay(
        public_id=table.game.public_id,
        hand=row.number,
        ruleset=table.rules.id,
        clockwise=table.rules.clockwise,
        viewer=viewer,
        dealer=row.dealer,
        step=at,
        last_step=last,
        steps=tuple(Step(place, entry.lines, entry.trick) for place, entry in enumerate(told, 1)),
        seats=tuple(_open_seat(table, hand, row, number, base) for number in range(seats)),
        parties=whole.parties,
        trick=open_trick(view) if hand.trick else None,
        last_trick=trick_of(hand.tricks[-1], len(hand.tricks), base, seats) if hand.tricks else None,
        scart=codes_of(hand.scart),
        cut_card=code_of(hand.pack[-1]) if hand.cut and hand.pack is not None else "",
        tricks=tuple(
            TrickPoints(number, trick.winner, _worth(trick), gathered_at[number - 1])
            for number, trick in enumerate(whole.tricks, 1)
        ),
        count=tuple(_count(whole, side) for side in range(len(row.points))) if row.points else (),
        sheet=sheet_of(table, row),
        totals=tuple(shelf.running_before(table, row.number + 1)),
        chance=tuple(_chance(table, row, viewer)),
        proof=packs.proof_of(row.deal, table.rules, whole),
        pack=tuple(CODES[card] for card in pack or ()),
        gathered=unshuffled(whole),
        previous=max((number for number in numbers if number < row.number), default=None),
        following=min((number for number in numbers if number > row.number), default=None),
        contract=hand.contract,
        called=code_of(hand.called),
        tapp=codes_of(hand.tapp),
        rappen="stake" in table.game.options,
    )


def _count(hand: Hand, side: int) -> SideCount:
    assert hand.result is not None
    held = hand.side_cards[side]
    tricks = sum(_worth(trick) for trick in hand.tricks if hand.sides[trick.winner] == side)
    laid_away = hand.scart or (hand.tapp if hand.contract == "solo" else 0)
    scart = values(held & laid_away)  # the whole scart or nothing of it; in a Solo, the Tapp as it lay
    points = hand.result.points[side]
    return SideCount(tricks, scart, values(held) - tricks - scart, held.bit_count(), values(held) - points, points)


def _worth(trick: Trick) -> int:
    return sum(value_of(card) for card in trick.cards)


def _chance(table: shelf.Table, row: GameHand, viewer: int | None) -> Iterator[Chance]:
    """Whose browser added what; the person, not the seat, says whose it is: seats may have been drawn afterwards."""
    own = table.seats[viewer].player.current.pk if viewer is not None else None
    events = table.game.actions.filter(hand_number=row.number, kind=Action.Kind.EVENT, text="ready")
    for event in events.select_related("player__merged_into").order_by("seat"):
        entropy = row.deal.entropy.get(str(event.seat), "")
        if entropy and event.seat is not None and event.player is not None:
            yield Chance(event.seat, event.player.display_name, own == event.player.current.pk, entropy)


def _open_seat(table: shelf.Table, hand: Hand, row: GameHand, number: int, base: int) -> OpenSeat:
    side = hand.sides[number]
    held = sorted(cards_in(hand.hands[number]), key=lambda card: (min(card // 14, 4) if card != FOOL else 5, -card))
    return OpenSeat(
        number=number,
        place=(number - base) % table.rules.seats,
        side=side,
        name=table.seats[number].player.display_name,
        computer=table.seats[number].player.is_computer,
        dealer=number == row.dealer,
        turn=hand.turn == number,
        cards=tuple(CODES[card] for card in held),
        points=values(hand.side_cards[side]),
        tricks=hand.side_tricks[side],
        team=team_of(number, hand.sides),
        tappist=hand.tappist == number,
        called=hand.partner == number,
    )
