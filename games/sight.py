"""THE view: what one viewer may know of a game, as plain data. Everything that leaves the house is made from it.

Only this module and the door open hands and packs. Its proof is a test that exchanges the cards a viewer cannot see and
finds everything unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accounts.models import Player
from games import lines, packs, shelf
from games.engine import CODES, Illegality, Record, cards_in
from games.engine import Action as Move
from games.engine.actions import PLAYS
from games.engine.cards import BIT, FOOL, FOOL_BIT, LANE_OF, TRUMPS, value_of, values
from games.engine.hand import NOBODY, Hand, Trick
from games.engine.kernel import winning_place
from games.engine.legal import LegalArrangement, LegalChoice, LegalCut, LegalPlays, LegalWords
from games.engine.record import RecordedHand
from games.engine.view import View, unshuffled
from games.models import Action, Game, GameHand
from games.seen import (
    CardSeen,
    Chance,
    Choice,
    HandSheet,
    Line,
    OpenSeat,
    Question,
    Replay,
    Said,
    Sealed,
    SeatSeen,
    SideCount,
    Sight,
    Step,
    TrickCard,
    TrickPoints,
    TrickSeen,
    Why,
)

_ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)
_SUITS = "COSBT"


class NotOpen(LookupError):
    """That deal cannot be looked back at: it does not exist, or is not over, or the next one is dealt from its cards."""


def of(game: Game, viewer: Player | None) -> Sight:
    """What `viewer` (None: a stranger) may know of `game` now."""
    table = _steady(game)
    seat = table.seat_of(viewer.pk) if viewer is not None else None
    return _sight(table, seat)


def view_for(game: Game, seat: int) -> View | None:
    """The engine's view of the open hand for the computer player at `seat`; None while no hand is open."""
    table = _steady(game)
    return None if table.hand is None else table.hand.view(seat)


def replay(game: Game, number: int, step: int | None, viewer: Player | None) -> Replay:
    """Deal `number` of `game` after `step` actions (None: its end), all hands open. Raises NotOpen."""
    table = _steady(game)
    row = next((row for row in table.hands if row.number == number), None)
    if row is None or not _may_look_back(table, row):
        raise NotOpen
    return _replay(table, row, step, table.seat_of(viewer.pk) if viewer is not None else None)


def record(game: Game) -> Record:
    """The record of a game: every deal that may be looked back at, with its proof, and what happened at the table."""
    table = _steady(game)
    shown = []
    for row in table.hands:
        if not _may_look_back(table, row):
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
            for entry in game.actions.filter(kind=Action.Kind.EVENT)
        ],
        proof=proofs if any(proof is not None for proof in proofs) else None,  # type: ignore[arg-type]  # plain JSON
    )


def why_of(illegality: Illegality) -> Why:
    """A broken rule as plain data."""
    return Why(
        str(illegality.rule),
        CODES[illegality.card] if illegality.card is not None else "",
        _suit(illegality.lane) if illegality.lane is not None else "",
        illegality.number,
        illegality.asked,
        illegality.phrase,
    )


def _steady(game: Game) -> shelf.Table:
    """The table with all its rows read at one number: who acts in the meantime makes us read again."""
    while True:
        table = shelf.open_table(game)
        now = Game.objects.get(pk=game.pk)
        if now.number == game.number:
            return table
        game = now


# the table


def _sight(table: shelf.Table, seat: int | None) -> Sight:
    game, rules, hand = table.game, table.rules, table.hand
    view = hand.view(seat) if hand is not None else None
    ready = _ready(table)
    playing = game.status == Game.Status.PLAYING
    sheets = tuple(_sheet(table, row) for row in table.hands)
    ended = [sheet for sheet in sheets if sheet.status != GameHand.Status.OPEN]
    return Sight(
        public_id=game.public_id,
        number=game.number,
        status=game.status,
        kind=game.kind,
        ruleset=rules.id,
        clockwise=rules.clockwise,
        options=tuple(game.options.items()),
        hands=int(game.options["hands"]),
        hands_played=game.hands_played,
        viewer=seat,
        created_at=game.created_at,
        parties=rules.parties(rules.sides),
        seats=tuple(_seat(table, view, number, seat, ready) for number in range(rules.seats)),
        hand=table.row.number,
        dealer=table.row.dealer,
        rounds=view.rounds if view is not None else max(rules.batches),
        dealt=view.dealt if view is not None else 0,
        question=_question(view, seat) if view is not None and playing else _waiting(seat, ready, playing=playing),
        cards=_cards(hand, seat) if hand is not None and seat is not None else (),
        trick=_open_trick(view) if view is not None and view.trick else None,
        last_trick=_last_trick(table, view, seat or 0),
        trick_count=len(view.tricks) if view is not None else 0,
        cut_card=_code(view.cut_card) if view is not None and not view.tricks else "",
        scart=_codes(view.scart or 0) if view is not None else (),
        fool_owed=view.fool_owed if view is not None else False,
        totals=tuple(game.totals),
        sheets=tuple(sheet for sheet in sheets if sheet.status not in (GameHand.Status.WAITING, GameHand.Status.OPEN)),
        last_result=_last_result(ended) if hand is None else None,
        sealed=_sealed(table) if playing else None,
        lines=tuple(_lines(table, view)),
        winners=_winners(table),
    )


def _seat(table: shelf.Table, view: View | None, number: int, viewer: int | None, ready: set[int]) -> SeatSeen:
    player = table.seats[number].player
    sides = table.rules.sides
    shown = view is not None and not view.tricks
    return SeatSeen(
        number=number,
        place=(number - (viewer or 0)) % table.rules.seats,
        side=sides[number],
        name=player.display_name,
        player=player.public_id,
        computer=player.is_computer,
        own=number == viewer,
        partner=viewer is not None and number != viewer and sides[number] == sides[viewer],
        dealer=number == table.row.dealer and table.game.status == Game.Status.PLAYING,
        turn=view is not None and view.turn == number,
        ready=player.is_computer or number in ready,
        tricks=view.side_tricks[sides[number]] if view is not None else 0,
        cards=view.counts[number] if view is not None else 0,
        total=table.game.totals[number],
        face_up=_code(view.face_up[number]) if view is not None and shown else "",
        saying=tuple(_said(spoken.round, spoken.seat, spoken.action) for spoken in view.spoken if spoken.seat == number)
        if view is not None
        else (),
    )


def _said(round_: int, seat: int, action: Move) -> Said:
    return Said(round_, seat, action.verb, action.said, action.words)


def _waiting(seat: int | None, ready: set[int], *, playing: bool) -> Question:
    if not playing:
        return Question("", None, mine=False)
    return Question("sit", None, mine=seat is not None and seat not in ready)


def _question(view: View, seat: int | None) -> Question:
    mine = seat is not None and view.turn == seat
    legal = view.legal
    if not mine:
        return Question(view.asked, view.turn, mine=False, suit=_suit(view.lane))
    if isinstance(legal, LegalPlays):
        return Question(
            "play",
            seat,
            mine=True,
            suit=_suit(view.lane),
            reason=_reason(view, legal),
            fool=bool(legal.cards & FOOL_BIT) and legal.cards != view.held,
        )
    if isinstance(legal, LegalCut):
        return Question("cut", seat, mine=True, most=legal.most)
    if isinstance(legal, LegalChoice):
        choices = tuple(Choice(str(action), action.verb) for action in legal.otherwise)
        return Question(legal.asked, seat, mine=True, choices=choices, choose=legal.count)
    if isinstance(legal, LegalArrangement):
        return Question("arrange", seat, mine=True, pile=tuple(CODES[card] for card in legal.pile))
    assert isinstance(legal, LegalWords)
    choices = tuple(
        Choice(str(action), action.verb, CODES[action.cards[0]] if action.cards else "", action.number)
        for action in legal
    )
    return Question(legal.asked, seat, mine=True, choices=choices, talk=legal.talk or "silent", suit=_suit(view.lane))


def _reason(view: View, legal: LegalPlays) -> str:
    """Why these cards may be played: lead, free (after a led Fool), follow, trump, anything."""
    if not view.trick:
        return "lead"
    if view.lane == NOBODY:
        return "free"
    real = legal.cards & ~FOOL_BIT
    lanes = {LANE_OF[card] for card in cards_in(real)}
    if view.lane in lanes and len(lanes) == 1:
        return "follow"
    return "trump" if lanes == {TRUMPS} else "anything"


def _cards(hand: Hand, seat: int) -> tuple[CardSeen, ...]:
    held = sorted(cards_in(hand.hands[seat]), key=lambda card: (min(card // 14, 4) if card != FOOL else 5, -card))
    legal = hand.legal if hand.turn == seat else None
    return tuple(_card(hand, card, legal) for card in held)


def _card(hand: Hand, card: int, legal: object) -> CardSeen:
    code = CODES[card]
    suit = "F" if card == FOOL else _SUITS[LANE_OF[card]]
    if isinstance(legal, LegalPlays):
        broken = None if legal.cards & BIT[card] else hand.why_illegal(PLAYS[card])
        pair = CODES[card - legal.below_king] if legal.pairs & BIT[card] else ""
        why = why_of(broken) if broken is not None else None
        return CardSeen(code, suit, broken is None, why, pair, bool(legal.knocks & BIT[card]))
    if isinstance(legal, LegalChoice):
        allowed = bool(legal.cards & BIT[card])
        return CardSeen(code, suit, allowed, None if allowed else Why("honour-laid-away", code))
    return CardSeen(code, suit, playable=False)


def _open_trick(view: View) -> TrickSeen:
    placed = [(view.seat_of(place), card) for place, card in enumerate(view.trick)]
    if view.pair_at != NOBODY and view.ruleset.pair is not None:
        seat, king = placed[view.pair_at]
        placed.insert(view.pair_at + 1, (seat, king - view.ruleset.pair.below_king))
    best = placed[winning_place([card for _, card in placed], view.lane)][1] if view.lane != NOBODY else None
    return _laid(placed, len(view.tricks) + 1, view.lane, best, None, view.seat or 0, len(view.counts))


def _last_trick(table: shelf.Table, view: View | None, viewer: int) -> TrickSeen | None:
    """The trick gathered last: of the open hand, or, between two deals and after the game, the one that ended the last."""
    tricks: Sequence[Trick] = ()
    if view is not None:
        tricks = view.tricks
    else:
        ended = [row for row in table.hands if row.status != GameHand.Status.WAITING]
        if ended and ended[-1].status == GameHand.Status.PLAYED:
            tricks = shelf.replay_hand(table, ended[-1], shelf.moves_of(table.game, ended[-1].number)).tricks
    return _trick(tricks[-1], len(tricks), viewer, table.rules.seats) if tricks else None


def _trick(trick: Trick, number: int, viewer: int, seats: int) -> TrickSeen:
    placed = list(zip(trick.seats, trick.cards, strict=True))
    best = trick.cards[winning_place(trick.cards, trick.lane)] if trick.lane != NOBODY else None
    return _laid(placed, number, trick.lane, best, trick.winner, viewer, seats)


def _laid(
    placed: Sequence[tuple[int, int]],
    number: int,
    lane: int,
    best: int | None,
    winner: int | None,
    viewer: int,
    seats: int,
) -> TrickSeen:
    cards = tuple(
        TrickCard(seat, (seat - viewer) % seats, CODES[card], led=at == 0, winning=card == best)
        for at, (seat, card) in enumerate(placed)
    )
    return TrickSeen(number, _suit(lane), cards, winner)


def _sheet(table: shelf.Table, row: GameHand) -> HandSheet:
    return HandSheet(
        row.number, row.dealer, row.status, tuple(row.points), tuple(row.scores), open=_may_look_back(table, row)
    )


def _last_result(ended: Sequence[HandSheet]) -> HandSheet | None:
    done = [sheet for sheet in ended if sheet.status != GameHand.Status.WAITING]
    return done[-1] if done else None


def _may_look_back(table: shelf.Table, row: GameHand) -> bool:
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


def _sealed(table: shelf.Table) -> Sealed | None:
    deal = table.row.deal
    if not deal.commitment:
        return None
    contributed = tuple(sorted(int(seat) for seat in deal.entropy))
    return Sealed(deal.ordinal, deal.commitment, contributed, lies_ready=deal.pack is not None)


def _winners(table: shelf.Table) -> tuple[int, ...]:
    totals = table.game.totals
    best = max(totals)
    if table.game.status != Game.Status.FINISHED or best <= 0:
        return ()
    return tuple(seat for seat, total in enumerate(totals) if total == best)


def _ready(table: shelf.Table) -> set[int]:
    if table.row.status != GameHand.Status.WAITING:
        return set()
    events = table.game.actions.filter(hand_number=table.row.number, kind=Action.Kind.EVENT, text="ready")
    return {seat for seat in events.values_list("seat", flat=True) if seat is not None}


def _lines(table: shelf.Table, view: View | None) -> list[Line]:
    """What happened at the table, then the running hand as far as its cards may be remembered."""
    told: list[Line] = []
    where = {seat.player_id: seat.number for seat in table.seats}
    for event in table.game.actions.filter(kind=Action.Kind.EVENT):
        seat = where.get(event.player_id or 0, event.seat)
        cards = tuple(code for _, code in event.data.get("drawn", ()))
        told.append(Line(event.number, event.text, seat, event.hand_number, cards))
    for row in table.hands:
        if row.status in _ENDED:
            last = table.game.actions.filter(hand_number=row.number, kind=Action.Kind.MOVE).last()
            number = last.number if last is not None else 0
            told.append(Line(number, f"hand-{row.status}", None, row.number, points=tuple(row.points)))
    if table.game.status == Game.Status.FINISHED:
        told.append(Line(table.game.number, "game-finished", None, table.row.number))
    if view is not None and table.hand is not None:
        numbers = list(
            table.game.actions.filter(hand_number=table.row.number, kind=Action.Kind.MOVE).values_list(
                "number", flat=True
            )
        )
        trick = len(view.tricks) + (1 if view.trick else 0)
        told += lines.remembered(lines.entries(view, numbers, table.row.number), trick)
    return sorted(told, key=lambda line: line.number)


# looking back


def _replay(table: shelf.Table, row: GameHand, step: int | None, viewer: int | None) -> Replay:
    moves = shelf.moves_of(table.game, row.number)
    last = len(moves)
    at = last if step is None else max(0, min(step, last))
    whole = shelf.replay_hand(table, row, moves)
    hand = shelf.replay_hand(table, row, moves[:at])
    told = lines.entries(whole.view(None), [move.number for move in moves], row.number)
    seats = table.rules.seats
    base = viewer or 0
    numbers = [other.number for other in table.hands if _may_look_back(table, other)]
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
        parties=table.rules.parties(table.rules.sides),
        trick=_open_trick(view) if hand.trick else None,
        last_trick=_trick(hand.tricks[-1], len(hand.tricks), base, seats) if hand.tricks else None,
        scart=_codes(hand.scart),
        cut_card=_code(hand.pack[-1]) if hand.cut and hand.pack is not None else "",
        tricks=tuple(
            TrickPoints(number, trick.winner, _worth(trick), gathered_at[number - 1])
            for number, trick in enumerate(whole.tricks, 1)
        ),
        count=tuple(_count(whole, side) for side in range(len(row.points))) if row.points else (),
        sheet=_sheet(table, row),
        totals=tuple(shelf.running_before(table, row.number + 1)),
        chance=tuple(_chance(table, row, viewer)),
        proof=packs.proof_of(row.deal, table.rules, whole),
        pack=tuple(CODES[card] for card in pack or ()),
        gathered=unshuffled(whole),
        previous=max((number for number in numbers if number < row.number), default=None),
        following=min((number for number in numbers if number > row.number), default=None),
    )


def _count(hand: Hand, side: int) -> SideCount:
    assert hand.result is not None
    held = hand.side_cards[side]
    tricks = sum(_worth(trick) for trick in hand.tricks if hand.sides[trick.winner] == side)
    scart = values(held & hand.scart)  # the whole scart or nothing of it
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
    side = table.rules.sides[number]
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
    )


def _code(card: int | None) -> str:
    return CODES[card] if card is not None else ""


def _codes(held: int) -> tuple[str, ...]:
    return tuple(CODES[card] for card in cards_in(held))


def _suit(lane: int) -> str:
    return _SUITS[lane] if lane >= 0 else ""
