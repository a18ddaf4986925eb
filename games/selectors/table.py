"""What one viewer may know of a game, as plain data. Everything that leaves the site is made from it.

Games that go on are here, finished deals in `games.selectors.replay`. Only services and selectors open hands and
packs. A test proves it: it exchanges cards that a viewer cannot see, and checks that nothing changes for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final, NamedTuple

from django.db.models import prefetch_related_objects

from accounts.models import Player
from domain.engine import CODES, Illegality
from domain.engine import Action as Move
from domain.engine.actions import PLAYS, parse_action
from domain.engine.cards import BIT, FOOL_BIT, LANE_LETTERS, LANES, card_of, in_hand_order, letter_of, set_of
from domain.engine.claims import proven
from domain.engine.hand import Hand
from domain.engine.legal import LegalArrangement, LegalChoice, LegalCut, LegalPlays, LegalWords, why_these
from domain.engine.state import NOBODY, Trick
from domain.engine.tricks import winning_place
from domain.engine.view import UNKNOWN, View, unshuffled
from domain.pace import Clock, State
from games import permissions as game_permissions
from games import projections
from games.models import Action, Deal, Game, GameHand, Memory
from games.read_models import (
    CardSeen,
    Choice,
    DealCount,
    EndSeen,
    HandSheet,
    Happened,
    Line,
    Question,
    Said,
    Sealed,
    SeatSeen,
    Sight,
    SuitPlayed,
    TrickCard,
    TrickSeen,
    UndoSeen,
    Why,
)
from games.selectors import log
from games.selectors.clocks import away_of, clock_of_viewer, reliabilities, reserve_of
from games.selectors.counting import side_counts
from games.selectors.lines import (
    code_of,
    codes_of,
    event_lines,
    hand_entries,
    happened_of,
    owes,
    remembered_lines,
    tapp_of,
    with_sitters,
)

_ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


def sight_of(game: Game, viewer: Player | None, table: log.Table | None = None) -> Sight:
    """What `viewer` (None: a stranger) may know of `game` now, or in the state of `table`. Raises ClosedTable."""
    table = table or log.steady_table(game)
    seat = table.seat_of(viewer.pk) if viewer is not None else None
    if seat is None:
        game_permissions.check_may_see(game, viewer)
    return _sight(table, seat, viewer)


def opened(game: Game) -> log.Table:
    """The present state of the table, for callers that need it more than once: pass it to `sight_of` and `view_for`."""
    return log.steady_table(game)


def view_for(game: Game, seat: int, table: log.Table | None = None) -> View | None:
    """The engine's view of the open hand for the computer player at `seat`, now or in the state of `table`.

    None while no hand is open.
    """
    table = table or log.steady_table(game)
    return None if table.hand is None else table.hand.view(seat)


class Asked(NamedTuple):
    """The questions to a person alone with computer players in one hand: their view now, their view at each question,
    including the open one, and the action number of their last answer (0 before the first)."""

    view: View
    questions: tuple[View, ...]
    answered: int


def asked_of_person(game: Game, hand_number: int, number: int) -> Asked | None:
    """The questions in a deal up to action `number`; None before it is dealt, and if other people play.

    Replays the hand once.
    """
    table = log.open_table(game)
    row = table.hands[hand_number - 1]
    seat = projections.lone_seat(table)
    if row.status == GameHand.Status.WAITING or seat is None:
        return None
    questions = []
    answered = 0
    hand = log.replay_hand(table, row, [])
    for move in log.moves_of(game, hand_number):
        if move.number > number:
            break
        if hand.turn == seat and not move.said:
            questions.append(hand.view(seat))
            answered = move.number
        hand.push_of(move.seat, parse_action(move.text))
    view = hand.view(seat)
    if not hand.over and hand.turn == seat:
        questions.append(view)
    return Asked(view, tuple(questions), answered)


def why_of(illegality: Illegality) -> Why:
    return Why(
        str(illegality.rule),
        CODES[illegality.card] if illegality.card is not None else "",
        letter_of(illegality.lane) if illegality.lane is not None else "",
        illegality.number,
        illegality.asked,
        illegality.phrase,
    )


# the table


def _sight(table: log.Table, seat: int | None, viewer: Player | None) -> Sight:
    game, rules, hand = table.game, table.rules, table.hand
    clock = projections.clock_of(game)
    view = hand.view(seat) if hand is not None else None
    over = _hand_just_over(table)
    ready = log.ready_seats(game) if table.row.status == GameHand.Status.WAITING else set()
    playing = game.status == Game.Status.PLAYING
    sheets = tuple(sheet_of(table, row) for row in table.hands)
    ended = tuple(sheet for sheet in sheets if sheet.status in _ENDED)
    happened = _events_of(table)
    shown = view or (over.view(seat) if over is not None else None)
    drawn = not (game.draws_partners and table.row.number == 1 and table.row.status == GameHand.Status.WAITING)
    is_away = seat is not None and clock is not None and away_of(clock, seat) == State.AWAY
    if not playing:
        question = Question("", None, mine=False)
    elif view is not None:
        question = question_of(view, None if is_away else seat)
    else:
        question = Question("sit", None, mine=seat is not None and seat not in ready and not is_away)
    hintable = seat is not None and projections.hintable_seat(table) == seat
    hinted = bool(happened) and happened[-1].text == projections.HINTED
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
        seats=tuple(
            one if drawn else replace(one, side=UNKNOWN, team="", partner=False, dealer=False)
            for one in _seats(table, view, shown, seat, ready, clock)
        ),
        hand=table.row.number,
        dealer=table.row.dealer,
        rounds=view.rounds if view is not None else max(rules.batches),
        dealt=view.dealt if view is not None else 0,
        question=question,
        cards=_cards(hand, seat) if hand is not None and seat is not None else (),
        trick=open_trick(view) if view is not None and view.trick else None,
        last_trick=_last_trick(shown, seat or 0),
        trick_count=len(view.tricks) if view is not None else 0,
        gathered=_gathered(table, view, seat or 0),
        cut_card=code_of(view.cut_card) if view is not None and not view.tricks else "",
        scart=codes_of(view.scart or 0) if view is not None else (),
        fool_owed=view.fool_owed if view is not None else False,
        totals=tuple(game.totals),
        sheets=ended,
        last_result=ended[-1] if ended and hand is None else None,
        counted=_counted(over, ended[-1], seat) if over is not None else None,
        sealed=_sealed(table.row.deal) if playing else None,
        **_coming(table, seat),
        lines=tuple(_lines(table, view, happened)),
        winners=_winners(table),
        contract=shown.contract if shown is not None else "",
        called=code_of(view.called) if view is not None else "",
        tapp=codes_of(view.tapp or 0) if view is not None else (),
        withheld=view.fool_withheld if view is not None else False,
        rappen="stake" in game.options,
        draws=game.draws_partners,
        drawn=drawn,
        tapp_seen=tapp_of(shown) if shown is not None else None,
        memory=game.memory,
        level=game.level,
        clock=clock_of_viewer(clock, game, seat, viewer) if clock is not None else None,
        ending=_ending(table, seat),
        undo=_undo(table, seat, happened),
        played=_played(table, view),
        rests=seat is not None and game.asked == projections.GO_ON and projections.lone_seat(table) == seat,
        may_hint=hintable and not hinted,
        hinted=hintable and hinted,
        sayable=view.sayable if view is not None and playing and game.kind != Game.Kind.GUIDED else "",
        shared="" if game.board_set_id is None else "sealed" if game.is_sealed else "open",
    )


def _seats(
    table: log.Table, view: View | None, shown: View | None, viewer: int | None, ready: set[int], clock: Clock | None
) -> Iterator[SeatSeen]:
    """The seats.

    What happened at them last, and who was Tappist and partner, is taken from `shown`: the open hand, or the previous
    one until the next begins.
    """
    by_seat = reliabilities(table.seats) if clock is not None else {}
    happened_by_seat = happened_of(shown) if shown is not None else ((),) * len(table.seats)
    debtor = owes(view) if view is not None else None
    for number, happened in enumerate(happened_by_seat):
        reliability = by_seat.get(number, "")
        yield _seat(table, view, shown, number, viewer, number in ready, clock, reliability, happened, number == debtor)


def _seat(
    table: log.Table,
    view: View | None,
    shown: View | None,
    number: int,
    viewer: int | None,
    ready: bool,
    clock: Clock | None,
    reliability: str,
    happened: tuple[Happened, ...],
    in_debt: bool,
) -> SeatSeen:
    player = table.seats[number].player
    sides = view.sides if view is not None else table.rules.sides
    is_first_trick = view is not None and not view.tricks
    playing = table.game.status == Game.Status.PLAYING
    return SeatSeen(
        number=number,
        place=(number - (viewer or 0)) % table.rules.seats,
        side=sides[number],
        name=player.display_name,
        player=player.public_id,
        computer=player.is_computer,
        own=number == viewer,
        partner=viewer is not None and number != viewer and UNKNOWN != sides[number] == sides[viewer],
        dealer=playing and number == table.row.dealer,
        turn=playing and view is not None and view.turn == number,
        ready=player.is_computer or ready,
        tricks=_tricks(view, number) if view is not None else 0,
        cards=view.counts[number] if view is not None else 0,
        total=table.game.totals[number],
        face_up=code_of(view.face_up[number]) if view is not None and is_first_trick else "",
        saying=tuple(_said(spoken.round, spoken.seat, spoken.action) for spoken in view.spoken if spoken.seat == number)
        if view is not None
        else (),
        team=team_of(number, sides),
        bid=next((verb for seat, verb in reversed(view.bids) if seat == number), "") if view is not None else "",
        tappist=shown is not None and shown.tappist == number,
        called=shown is not None and shown.partner == number,
        away=away_of(clock, number) if clock is not None else "",
        reserve=reserve_of(clock, number) if clock is not None else None,
        reliability=reliability,
        page=player.page,
        program=player.is_program,
        level=player.computer,
        happened=happened,
        owes=in_debt,
    )


def _tricks(view: View, seat: int) -> int:
    """The number of tricks of a seat's side; only those of the seat itself while the viewer cannot tell its side."""
    side = view.sides[seat]
    if side == UNKNOWN:
        return sum(trick.winner == seat for trick in view.tricks)
    return view.side_tricks[side]


def _said(round_: int, seat: int, action: Move) -> Said:
    return Said(round_, seat, action.verb, action.said, action.words)


def question_of(view: View, seat: int | None) -> Question:
    """The question that is asked in `view`, as seen by the player at `seat` (None: a watcher)."""
    mine = seat is not None and view.turn == seat
    legal = view.legal
    rule = view.ruleset.call
    calls = "N" if rule is not None and rule.below_king == 2 else "J"
    if not mine:
        return Question(view.asked, view.turn, mine=False, suit=letter_of(view.lane), calls=calls)
    if isinstance(legal, LegalPlays):
        return Question(
            "play",
            seat,
            mine=True,
            suit=letter_of(view.lane),
            reason=why_these(view, legal),
            fool=bool(legal.cards & FOOL_BIT) and legal.cards not in (view.held, FOOL_BIT),
            claim=proven(view),
        )
    if isinstance(legal, LegalCut):
        return Question("cut", seat, mine=True, most=legal.most)
    if isinstance(legal, LegalChoice):
        choices = tuple(Choice(str(action), action.verb) for action in legal.otherwise)
        return Question(legal.asked, seat, mine=True, choices=choices, choose=legal.count)
    if isinstance(legal, LegalArrangement):
        return Question("arrange", seat, mine=True, pile=tuple(CODES[card] for card in legal.pile))
    assert isinstance(legal, LegalWords)
    choices, suit = tuple(_choice(action, calls) for action in legal), letter_of(view.lane)
    return Question(legal.asked, seat, mine=True, choices=choices, talk=legal.talk or "silent", suit=suit, calls=calls)


def _choice(action: Move, calls: str) -> Choice:
    is_call = action.verb in ("buob", "buob-sche", "quiet", "give")
    called = calls if is_call else ""
    card = CODES[action.cards[0]] if action.cards else called
    return Choice(str(action), action.verb, card, action.number, action.packets)


def _cards(hand: Hand, seat: int) -> tuple[CardSeen, ...]:
    legal = hand.legal if hand.turn == seat else None
    known = hand.face_up[seat] if not hand.tricks else None
    return tuple(_card(hand, card, legal, card == known) for card in in_hand_order(hand.hands[seat]))


def _card(hand: Hand, card: int, legal: object, known: bool) -> CardSeen:
    code = CODES[card]
    suit = code[0]
    if isinstance(legal, LegalPlays):
        broken = None if legal.cards & BIT[card] else hand.why_illegal(PLAYS[card])
        pair = CODES[card - legal.below_king] if legal.pairs & BIT[card] else ""
        why = why_of(broken) if broken is not None else None
        knock, call = bool(legal.knocks & BIT[card]), bool(legal.calls & BIT[card])
        return CardSeen(code, suit, broken is None, why, pair, knock, call, known=known)
    if isinstance(legal, LegalChoice):
        together = bool(legal.together & BIT[card])
        allowed = together or bool(legal.cards & BIT[card])
        why = None if allowed else Why("honour-laid-away", code)
        return CardSeen(code, suit, allowed, why, together=together, known=known)
    return CardSeen(code, suit, playable=False, known=known)


def _ending(table: log.Table, seat: int | None) -> EndSeen | None:
    """What the viewer sees of ending the game by consent; None if it does not concern them."""
    game = table.game
    if seat is None or not game_permissions.may_be_ended(game):
        return None
    consenting = projections.consenting_seats(game, table.seats)
    if seat not in consenting:
        return None
    proposal = projections.end_proposal_of(game)
    if proposal is None:
        return EndSeen(None, counts=False, mine=False) if len(consenting) > 1 else None
    waits = tuple(each for each in consenting if each not in proposal.agreed)
    return EndSeen(proposal.by, proposal.counts, seat in waits, waits)


def _undo(table: log.Table, seat: int | None, happened: Sequence[Action]) -> UndoSeen | None:
    """The proposal to take back a move, or else the move that the viewer may propose to take back; None if there is
    neither.

    Among people, none may be proposed while a computer player is about to act.
    """
    game, proposal = table.game, projections.undo_proposal_of(table.game)
    if proposal is not None:
        waits, agreed = projections.undo_waits_for(game), seat in proposal.agreed
        return UndoSeen(proposal.move, proposal.verb, proposal.by, waits, seat in waits, agreed, proposal.until)
    if seat is None:
        return None
    is_alone = projections.lone_seat(table) == seat
    if not is_alone:
        last = projections.last_asked(table)
        if game.due_at is not None or last is None or last.seat != seat:
            return None
    move = projections.takeable_move(table, happened)
    return UndoSeen(move.number, move.text.partition(" ")[0], at_once=is_alone) if move is not None else None


def _hand_just_over(table: log.Table) -> Hand | None:
    """The deal that ended last, between two deals and after the game; None if none has ended."""
    ended = [row for row in table.hands if row.status != GameHand.Status.WAITING]
    if table.hand is not None or not ended or ended[-1].status not in _ENDED:
        return None
    return log.replay_hand(table, ended[-1], log.moves_of(table.game, ended[-1].number))


_TOLD: Final = frozenset(
    {
        "must-play", "misere", "tapp-shown", "partner-called", "partner-shown", "alone-shown", "jack-given", "jack-kept",
        "taken-back", "fool-lost",
    }
)  # fmt: skip
"""The kinds of lines that are repeated with the count of a deal: who played against whom, what was called and what
followed, where the Fool went."""


def _counted(hand: Hand, sheet: HandSheet, seat: int | None) -> DealCount | None:
    """How the points of a deal that was played came about.

    While other tables have still to play it, the players here are shown what was seen at the table, and only the
    cards that they discarded themselves.
    """
    if hand.result is None or hand.result.status != "played":
        return None
    if not (sheet.open or sheet.sealed):
        return DealCount(sheet.number, side_counts(hand))
    scart = hand.scart if sheet.open or seat == hand.scartist else 0
    entries = hand_entries(hand.view(None), range(1, len(hand.history) + 1), sheet.number)
    lines = (line for entry in entries for line in entry.lines)
    kinds = _TOLD - {"tapp-shown"} if hand.scart else _TOLD  # the scart names those cards already
    repeated = tuple(line for line in lines if line.kind in kinds or (line.kind == "bid" and line.verb != "pass"))
    return DealCount(sheet.number, side_counts(hand), codes_of(scart), repeated)


def _last_trick(view: View | None, viewer: int) -> TrickSeen | None:
    """The last gathered trick in `view`: the open hand, or between two deals and after the game the one that ended
    last."""
    tricks = view.tricks if view is not None else ()
    return trick_of(tricks[-1], len(tricks), viewer, len(view.counts)) if view is not None and tricks else None


def _gathered(table: log.Table, view: View | None, viewer: int) -> tuple[TrickSeen, ...]:
    """All tricks of the open hand, at a table that remembers them."""
    if view is None or table.game.memory != Memory.ALL:
        return ()
    seats = table.rules.seats
    return tuple(trick_of(trick, number, viewer, seats) for number, trick in enumerate(view.tricks, 1))


def _played(table: log.Table, view: View | None) -> tuple[SuitPlayed, ...]:
    """The cards of each suit that were seen in the open hand, as far as the table remembers; empty before the first
    card."""
    if view is None or not (view.tricks or view.trick):
        return ()
    remembers_all = table.game.memory == Memory.ALL
    on_table = [card_of(placed.code) for placed in open_trick(view).cards] if view.trick else []
    gathered = [card for trick in (view.tricks if remembers_all else view.tricks[-1:]) for card in trick.cards]
    seen = set_of([*gathered, *on_table])
    unseen = view.unseen & ~seen
    lanes = [(letter, LANES[lane] & view.ruleset.pack) for lane, letter in enumerate(LANE_LETTERS)]
    return tuple(
        SuitPlayed(suit, codes_of(seen & lane)[::-1], (unseen & lane).bit_count() if remembers_all else None)
        for suit, lane in [*lanes, ("", FOOL_BIT & view.ruleset.pack)]
        if lane and (remembers_all or seen & lane)
    )


def _coming(table: log.Table, seat: int | None) -> dict[str, Any]:
    """The promise of the coming deal, and whether the viewer may add entropy to its pack.

    While a hand goes on nobody sees who else has added some: it would reveal who has looked at the table.
    """
    promise = table.coming
    if promise is None:
        return {}
    has_added = seat is not None and str(seat) in promise.entropy
    adds_to = promise.deal if seat is not None and not has_added else 0
    if table.hand is None:
        return {"adds_to": adds_to}
    contributed = (seat,) if seat is not None and has_added else ()
    return {"adds_to": adds_to, "coming": Sealed(promise.deal, promise.commitment, contributed, lies_ready=False)}


def _sealed(deal: Deal) -> Sealed | None:
    if not deal.commitment:
        return None
    contributed = tuple(sorted(int(seat) for seat in deal.entropy))
    return Sealed(deal.ordinal, deal.commitment, contributed, lies_ready=deal.pack is not None)


def _winners(table: log.Table) -> tuple[int, ...]:
    totals = table.game.totals
    best = max(totals)
    if table.game.status != Game.Status.FINISHED or best == min(totals):
        return ()
    return tuple(seat for seat, total in enumerate(totals) if total == best)


def _events_of(table: log.Table) -> list[Action]:
    """The events of the log, the last move of every deal, and the last valid move of every seat, with their players.

    Two more queries if others than the present players are among them.
    """
    entries = log.latest_entries(table)
    seated = {seat.player_id: seat.player for seat in table.seats}
    for entry in entries:
        if entry.player_id in seated:
            entry.player = seated[entry.player_id]
    prefetch_related_objects([entry for entry in entries if entry.player_id not in seated], "player__merged_into")
    return entries


def _lines(table: log.Table, view: View | None, happened: Sequence[Action]) -> list[Line]:
    """The lines of the log, by number: the events, the results of deals, and the running hand as far as it may be
    remembered."""
    events = [entry for entry in happened if entry.kind == Action.Kind.EVENT]
    last_moves = {entry.hand_number: entry.number for entry in happened if entry.kind == Action.Kind.MOVE}
    lines: list[Line] = list(event_lines(events, table.seats))
    for row in table.hands:
        if row.status in _ENDED:
            sheet, number = sheet_of(table, row), last_moves.get(row.number, 0)
            lines.append(
                Line(number, f"hand-{row.status}", None, row.number, points=sheet.points, parties=sheet.parties)
            )
    if table.game.status == Game.Status.FINISHED:
        lines.append(Line(table.game.number, "game-finished", None, table.row.number))
    if view is not None and table.hand is not None:
        numbers = [move.number for move in table.moves]
        entries = hand_entries(view, numbers, table.row.number)
        played = remembered_lines(entries, len(view.tricks), everything=table.game.memory == Memory.ALL)
        lines += played
    sitters = projections.sitters_of(table.game, table.seats, events)
    return sorted((with_sitters(line, sitters) for line in lines), key=lambda line: line.number)


def open_trick(view: View) -> TrickSeen:
    """The trick on the table so far, with a jack beside its king."""
    placed = [(view.seat_of(index), card) for index, card in enumerate(view.trick)]
    if view.pair_at != NOBODY and view.ruleset.pair is not None:
        seat, king = placed[view.pair_at]
        placed.insert(view.pair_at + 1, (seat, king - view.ruleset.pair.below_king))
    best = view.trick[view.best] if view.lane != NOBODY and view.best != NOBODY else None
    return _laid(placed, len(view.tricks) + 1, view.lane, best, None, view.seat or 0, len(view.counts))


def trick_of(trick: Trick, number: int, viewer: int, seats: int) -> TrickSeen:
    """A gathered trick. No card is marked as winning if the winner's card is not in the trick any more."""
    placed = list(zip(trick.seats, trick.cards, strict=True))
    own = [card for seat, card in placed if seat == trick.winner]
    best = own[winning_place(own, trick.lane)] if own and trick.lane != NOBODY else None
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
        TrickCard(seat, (seat - viewer) % seats, CODES[card], led=index == 0, winning=card == best)
        for index, (seat, card) in enumerate(placed)
    )
    return TrickSeen(number, letter_of(lane), cards, winner)


def team_of(seat: int, sides: Sequence[int]) -> str:
    """A or B for a seat of one of two sides; empty if everybody plays alone, or the side is unknown."""
    side = sides[seat]
    if max(sides) == 1 and side >= 0:
        return "AB"[side]
    return "A" if side == max(sides) == 0 else ""


def may_look_back(table: log.Table, row: GameHand) -> bool:
    """Whether a deal may be replayed with open hands: it is over, and the next one is not dealt from its cards.

    It stays closed while the next deal may still become the one-round deal (not shuffled, only cut), and while other
    tables have still to play it.
    """
    if row.status not in _ENDED or row.deal.is_sealed:
        return False
    following = next((other for other in table.hands if other.number == row.number + 1), None)
    if following is None or following.status in _ENDED or row.status != GameHand.Status.PLAYED:
        return True
    if table.game.status != Game.Status.PLAYING:
        return True
    if table.hand is not None and following.number == table.row.number:
        if table.hand.asked == "deal":  # the way of dealing is not decided yet
            return min(table.hand.running) > -18
        return not unshuffled(table.hand)
    return not table.game.options.get("demands", False) or min(table.game.totals) > -18


def ordinals(statuses: Iterable[str]) -> list[int]:
    """Which of the hands that count each deal is, by the status of all deals of a game in order; 0 for one thrown in."""
    counts = [int(status != GameHand.Status.THROWN_IN) for status in statuses]  # numbers, as they are written on pages
    return [count * so_far for count, so_far in zip(counts, accumulate(counts), strict=True)]


def ordinals_of(public_id: str) -> dict[int, int]:
    """The same for the game of this address, by the numbers of its deals. One query."""
    hands = GameHand.objects.filter(game__public_id=public_id).order_by("number")
    return dict(enumerate(ordinals(hands.values_list("status", flat=True)), 1))


def hand_at(public_id: str, deal: int) -> int:
    """Which of the hands that count was to be played in a deal of that game, also if it was thrown in. One query."""
    before = GameHand.objects.filter(game__public_id=public_id, number__lt=deal)
    return before.exclude(status=GameHand.Status.THROWN_IN).count() + 1


def sheet_of(table: log.Table, row: GameHand) -> HandSheet:
    return HandSheet(
        row.number,
        ordinals(other.status for other in table.hands)[row.number - 1],
        row.dealer,
        row.status,
        tuple(row.points),
        tuple(row.scores),
        open=may_look_back(table, row),
        parties=tuple(tuple(party) for party in row.parties) or table.rules.parties(table.rules.sides),
        sealed=row.deal.is_sealed,
    )
