"""Looking back: a finished deal with all hands open, at one of its steps, and the record of a game.

Works for stored games and for records that somebody uploaded. A deal that is over may still be closed: while the next
deal is dealt from its cards, unshuffled, or might be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from accounts.models import Player
from domain.engine import CODES, Record
from domain.engine.cards import Card, in_hand_order
from domain.engine.hand import Hand
from domain.engine.record import Json, RecordedHand, hands_of, needed_for, rewound
from domain.engine.view import unshuffled
from games import packs, projections
from games.models import Action, Game, GameHand
from games.read_models import (
    Chance,
    HandSheet,
    OpenSeat,
    Overview,
    Replay,
    Sat,
    SittingThere,
    Step,
    TrickPoints,
)
from games.selectors import log
from games.selectors.counting import side_counts, trick_points
from games.selectors.lines import Entry, code_of, codes_of, hand_entries, with_sitters
from games.selectors.table import may_look_back, open_trick, ordinals, sheet_of, team_of, trick_of


@dataclass(frozen=True, slots=True)
class Sitter:
    name: str
    computer: bool = False
    page: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """The data for a replay: the deal at its end (`whole`), its pack before the cut, the players.

    `numbers[i]` is the number of action i: the one in the game's log, or simply i + 1. `totals` are those after the
    deal; `previous` and `following` are the numbers of the nearest deals that may be looked at.
    """

    public_id: str
    number: int
    whole: Hand
    pack: tuple[Card, ...]
    numbers: Sequence[int]
    sitters: Sequence[Sitter]
    sheet: HandSheet
    totals: tuple[int, ...]
    viewer: int | None = None
    previous: int | None = None
    following: int | None = None
    chance: tuple[Chance, ...] = ()
    proof: dict[str, Any] | None = None
    sitters_then: projections.Sitters = field(default_factory=projections.Sitters)
    """Who sat in the seats over the log of the game."""


FIRST_CARD: Final = -1
"""The step before the first card is led; for a deal that was not played, its end."""


def replay_of(opened: Opened, step: int | None) -> Replay:
    """The deal after `step` actions (None: its end; or FIRST_CARD), with all hands open."""
    whole = opened.whole
    rules = whole.ruleset
    last = len(whole.history)
    entries = hand_entries(whole.view(None), opened.numbers, opened.number)
    if step == FIRST_CARD:
        step = next((index for index, entry in enumerate(entries) if entry.trick), None)
    step = last if step is None else max(0, min(step, last))
    hand = rewound(whole, opened.pack, step)
    base = opened.viewer or 0
    gathered_at = [number for number, entry in enumerate(entries, 1) if entry.ends_trick]
    view = hand.view(base)
    so_far = rules.count.points(hand)
    sat_then = opened.sitters_then.at(opened.numbers[max(step, 1) - 1]) if opened.numbers else ()
    was_present = all(sat.present or sat.seat != opened.viewer for sat in sat_then)
    return Replay(
        public_id=opened.public_id,
        hand=opened.number,
        ruleset=rules.id,
        clockwise=rules.clockwise,
        viewer=opened.viewer if was_present else None,
        dealer=whole.dealer,
        step=step,
        last_step=last,
        steps=tuple(_step(opened, number, entry) for number, entry in enumerate(entries, 1)),
        seats=tuple(_open_seat(opened, hand, number, base, sat_then, so_far) for number in range(rules.seats)),
        parties=whole.parties,
        trick=open_trick(view) if hand.trick else None,
        last_trick=trick_of(hand.tricks[-1], len(hand.tricks), base, rules.seats) if hand.tricks else None,
        scart=codes_of(hand.scart),
        cut_card=code_of(hand.pack[-1]) if rules.cut_card_shown and hand.cut and hand.pack is not None else "",
        tricks=tuple(
            TrickPoints(number, trick.winner, trick_points(whole, trick), gathered_at[number - 1])
            for number, trick in enumerate(whole.tricks, 1)
            if number <= len(gathered_at)
        ),
        count=side_counts(whole),
        sheet=opened.sheet,
        totals=opened.totals,
        chance=opened.chance,
        proof=opened.proof,
        pack=tuple(CODES[card] for card in opened.pack),
        gathered=unshuffled(whole),
        previous=opened.previous,
        following=opened.following,
        contract=hand.contract,
        called=code_of(hand.called),
        tapp=codes_of(hand.tapp),
        rappen="stake" in whole.option,
    )


def _step(opened: Opened, number: int, entry: Entry) -> Step:
    lines = tuple(with_sitters(line, opened.sitters_then) for line in entry.lines)
    return Step(number, lines, entry.trick, opened.numbers[number - 1])


def _open_seat(
    opened: Opened, hand: Hand, number: int, base: int, sat_then: Sequence[Sat], so_far: Sequence[int]
) -> OpenSeat:
    side = hand.sides[number]
    sat: Sat | Sitter = next((one for one in sat_then if one.seat == number), opened.sitters[number])
    return OpenSeat(
        number=number,
        place=(number - base) % hand.seats,
        side=side,
        name=sat.name,
        computer=opened.sitters[number].computer,
        dealer=number == hand.dealer,
        turn=hand.turn == number,
        cards=tuple(CODES[card] for card in in_hand_order(hand.hands[number])),
        points=so_far[side],
        tricks=hand.side_tricks[side],
        team=team_of(number, hand.sides),
        tappist=hand.tappist == number,
        called=hand.partner == number,
        page=sat.page,
    )


def replay_of_record(record: Record, number: int, step: int | None, public_id: str) -> Replay | None:
    """Hand `number` of a record after `step` actions (None: its end); None if the record has no such hand."""
    if not 1 <= number <= len(record.hands):
        return None
    hands = hands_of(record)
    whole = hands[number - 1]
    proofs = record.proof if isinstance(record.proof, list) else []
    proof = proofs[number - 1] if number <= len(proofs) else None
    opened = Opened(
        public_id=public_id,
        number=number,
        whole=whole,
        pack=record.hands[number - 1].pack,
        numbers=range(1, len(whole.history) + 1),
        sitters=[Sitter(name) for name in record.players],
        sheet=sheets_of_recorded(hands)[number - 1],
        totals=tuple(totals_of(hands[:number])),
        previous=number - 1 if number > 1 else None,
        following=number + 1 if number < len(hands) else None,
        chance=tuple(_chance_recorded(proof)) if isinstance(proof, dict) else (),
        proof=proof if isinstance(proof, dict) else None,
    )
    return replay_of(opened, step)


UNFINISHED = "unfinished"


def sheets_of_recorded(hands: Sequence[Hand]) -> tuple[HandSheet, ...]:
    """The scores of all deals of a record, from the first."""
    counted = ordinals(UNFINISHED if hand.result is None else hand.result.status for hand in hands)
    return tuple(_sheet(*each) for each in zip(range(1, len(hands) + 1), counted, hands, strict=True))


def _sheet(number: int, ordinal: int, hand: Hand) -> HandSheet:
    result, dealer = hand.result, hand.dealer
    if result is None:
        return HandSheet(number, ordinal, dealer, UNFINISHED, (), (), open=True, parties=hand.parties)
    parties = result.parties or hand.parties
    return HandSheet(number, ordinal, dealer, result.status, result.points, result.scores, open=True, parties=parties)


def totals_of(hands: Sequence[Hand]) -> list[int]:
    totals = [0] * hands[0].seats
    for hand in hands:
        for seat, score in enumerate(hand.result.scores if hand.result is not None else ()):
            totals[seat] += score
    return totals


def _chance_recorded(proof: Mapping[str, object]) -> list[Chance]:
    """The entropy from each player's browser.

    A record does not say in which order the players arrived, so they are only numbered.
    """
    recorded = proof.get("entropy")
    entropy = recorded.items() if isinstance(recorded, dict) else ()
    return [Chance(int(seat), str(int(seat) + 1), False, str(added)) for seat, added in entropy]


_ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


class NotOpen(LookupError):
    """The deal cannot be looked back at: it does not exist, is not over, or the next one is dealt from its cards."""


def open_deal(game: Game, number: int) -> tuple[log.Table, GameHand]:
    """The table, and the row of deal `number` if it may be looked back at. Raises NotOpen."""
    table = log.steady_table(game)
    row = next((row for row in table.hands if row.number == number), None)
    if row is None or not may_look_back(table, row):
        raise NotOpen
    return table, row


def replay(game: Game, number: int, step: int | None, viewer: Player | None) -> Replay:
    """Deal `number` of `game` after `step` actions (None: its end), with all hands open. Raises NotOpen."""
    table, row = open_deal(game, number)
    return replay_of(_opened(table, row, table.seat_of(viewer.pk) if viewer is not None else None), step)


def overview(game: Game, viewer: Player | None) -> Overview:
    """All deals of a game that are over, with their scores, and whether each may be looked back at."""
    table = log.steady_table(game)
    over = [row for row in table.hands if row.status in _ENDED]
    return Overview(
        public_id=game.public_id,
        ruleset=table.rules.id,
        viewer=table.seat_of(viewer.pk) if viewer is not None else None,
        seats=tuple(SittingThere(seat.number, seat.player.display_name) for seat in table.seats),
        parties=table.rules.parties(table.rules.sides),
        sheets=tuple(sheet_of(table, row) for row in over),
        totals=tuple(log.totals_before(table, table.row.number + 1)),
        rappen="stake" in game.options,
        playing=game.status == Game.Status.PLAYING,
    )


def record(game: Game) -> Record:
    """The record of a game: its first deals that may be looked back at, with their proofs, and the events at the
    table."""
    return _record(log.steady_table(game))


def record_of_hand(game: Game, number: int) -> Record:
    """The record of one deal. Raises NotOpen.

    If the deal depends on earlier ones, because a losing side asked for another way of dealing, they are in the
    record too.
    """
    table, _row = open_deal(game, number)
    whole = _record(table)
    if number > len(whole.hands):
        raise NotOpen  # an earlier one is still closed
    part = part_of(whole, number)
    kept = len(part.hands)
    events = _events(game, range(number - kept + 1, number + 1))
    names = _names(table, range(number - kept + 1, number + 1))
    return replace(part, players=names, events=events, extra=whole.extra if number == kept else {})


def part_of(whole: Record, number: int) -> Record:
    """The record of one hand, with the earlier ones on which it depends and their proofs."""
    hands = needed_for(whole, number)
    proofs = whole.proof[number - len(hands) : number] if isinstance(whole.proof, list) else []
    return replace(whole, hands=hands, proof=proofs if any(proof is not None for proof in proofs) else None)


def _names(table: log.Table, deals: Sequence[int]) -> tuple[str, ...]:
    """The name of the player at each seat in these deals; of several, all in the order of their coming."""
    sitters = projections.sitters_of(table.game, table.seats)
    moves = table.game.actions.filter(kind=Action.Kind.MOVE, hand_number__in=deals).order_by("number")
    numbers = moves.values_list("number", flat=True) if sitters.now else ()
    sat = [one for number in numbers for one in sitters.at(number)]
    return tuple(
        " / ".join(dict.fromkeys(one.name for one in sat if one.seat == seat.number)) or seat.player.display_name
        for seat in table.seats
    )


def _events(game: Game, deals: Sequence[int]) -> Json:
    """The events at the table in these deals (0: before the first), in the form of a record."""
    events = game.actions.filter(kind=Action.Kind.EVENT, hand_number__in=deals)
    shown = events.exclude(text__in=projections.SILENT)
    return [{"after": entry.number - 1, "event": entry.text, "seat": entry.seat} for entry in shown]


def _record(table: log.Table) -> Record:
    game = table.game
    shown = []
    for row in table.hands:
        if not may_look_back(table, row):
            break
        shown.append(row)
    hands, proofs = [], []
    for row in shown:
        moves = log.moves_of(game, row.number)
        pack = log.pack_of(row)
        assert pack is not None
        hands.append(RecordedHand(row.dealer, pack, tuple(f"{move.seat} {move.text}" for move in moves)))
        proofs.append(packs.proof_of(row.deal, table.rules, log.replay_hand(table, row, moves)))
    return Record(
        table.rules,
        game.options,
        _names(table, [row.number for row in shown]),
        tuple(hands),
        events=_events(game, range(game.hand_number + 1)),
        proof=proofs if any(proof is not None for proof in proofs) else None,  # type: ignore[arg-type]  # plain JSON
        extra={"draw": packs.proof_of_draw(shown[0].deal, table.rules)} if shown and game.draws_partners else {},  # type: ignore[dict-item]  # plain JSON
    )


def _opened(table: log.Table, row: GameHand, viewer: int | None) -> Opened:
    moves = log.moves_of(table.game, row.number)
    whole = log.replay_hand(table, row, moves)
    numbers = [other.number for other in table.hands if may_look_back(table, other)]
    return Opened(
        public_id=table.game.public_id,
        number=row.number,
        whole=whole,
        pack=log.pack_of(row) or (),
        numbers=[move.number for move in moves],
        sitters=[Sitter(seat.player.display_name, seat.player.is_computer, seat.player.page) for seat in table.seats],
        sheet=sheet_of(table, row),
        totals=tuple(log.totals_before(table, row.number + 1)),
        viewer=viewer,
        previous=max((number for number in numbers if number < row.number), default=None),
        following=min((number for number in numbers if number > row.number), default=None),
        chance=tuple(_chance(table, row, viewer)),
        proof=packs.proof_of(row.deal, table.rules, whole),
        sitters_then=projections.sitters_of(table.game, table.seats),
    )


def _chance(table: log.Table, row: GameHand, viewer: int | None) -> Iterator[Chance]:
    """The entropy from each player's browser.

    It belongs to the person, not the seat, as seats may have been drawn since.
    """
    own = table.seats[viewer].player.current.pk if viewer is not None else None
    events = table.game.actions.filter(hand_number=row.number, kind=Action.Kind.EVENT, text="ready")
    people = {event.seat: event.player for event in events.select_related("player__merged_into")}
    givers = Player.objects.filter(public_id__in=row.deal.given_by.values()).select_related("merged_into")
    by_id = {player.public_id: player for player in givers}
    people |= {int(seat): by_id.get(public_id) for seat, public_id in row.deal.given_by.items()}
    for seat, entropy in sorted((int(seat), entropy) for seat, entropy in row.deal.entropy.items()):
        player = people.get(seat)
        if player is not None:
            yield Chance(seat, player.display_name, own == player.current.pk, entropy)
