"""THE view: what one viewer may know of a game, as plain data. Everything that leaves the house is made from it.

Only the view (this module for what is going on, `looking_back` for what is over) and the door open hands and packs. Its
proof is a test that exchanges the cards a viewer cannot see and finds everything unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Max, Q

from accounts.models import Player
from domain.engine import CODES, Illegality, cards_in
from domain.engine import Action as Move
from domain.engine.actions import PLAYS
from domain.engine.cards import BIT, FOOL, FOOL_BIT, LANE_OF
from domain.engine.claims import proven
from domain.engine.hand import Hand
from domain.engine.legal import LegalArrangement, LegalChoice, LegalCut, LegalPlays, LegalWords
from domain.engine.reasons import why_these
from domain.engine.state import Trick
from domain.engine.view import UNKNOWN, View
from games import packs, projections
from games import permissions as watching_permissions
from games.models import Action, Deal, Game, GameHand, Memory
from games.read_models import (
    CardSeen,
    Choice,
    HandSheet,
    Line,
    Question,
    Said,
    Sealed,
    SeatSeen,
    Sight,
    TrickSeen,
    UndoSeen,
    Why,
)
from games.selectors import cards, log, table_time
from games.selectors.cards import SUITS, code_of, codes_of, open_trick, suit_of, team_of, trick_of
from games.selectors.replay import sheet_of

_ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


def sight_of(game: Game, viewer: Player | None, table: log.Table | None = None) -> Sight:
    """What `viewer` (None: a stranger) may know of `game` now, or as it stands at `table`. Raises ClosedTable."""
    table = table or log.steady_table(game)
    seat = table.seat_of(viewer.pk) if viewer is not None else None
    if seat is None:
        watching_permissions.check_may_see(game, viewer)
    return _sight(table, seat, viewer)


def view_for(game: Game, seat: int) -> View | None:
    """The engine's view of the open hand for the computer player at `seat`; None while no hand is open."""
    table = log.steady_table(game)
    return None if table.hand is None else table.hand.view(seat)


def why_of(illegality: Illegality) -> Why:
    """A broken rule as plain data."""
    return Why(
        str(illegality.rule),
        CODES[illegality.card] if illegality.card is not None else "",
        suit_of(illegality.lane) if illegality.lane is not None else "",
        illegality.number,
        illegality.asked,
        illegality.phrase,
    )


# the table


def _sight(table: log.Table, seat: int | None, viewer: Player | None) -> Sight:
    game, rules, hand = table.game, table.rules, table.hand
    clock = projections.clock_of(game)
    reliable = table_time.reliabilities(clock, table.seats)
    view = hand.view(seat) if hand is not None else None
    ready = log.ready_seats(game) if table.row.status == GameHand.Status.WAITING else set()
    playing = game.status == Game.Status.PLAYING
    sheets = tuple(sheet_of(table, row) for row in table.hands)
    ended = [sheet for sheet in sheets if sheet.status != GameHand.Status.OPEN]
    happened = _happened(table)
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
            replace(
                _seat(table, view, number, seat, ready),
                away=table_time.away_of(clock, number),
                reserve=table_time.reserve_of(clock, number),
                reliability=reliable.get(number, ""),
            )
            for number in range(rules.seats)
        ),
        hand=table.row.number,
        dealer=table.row.dealer,
        rounds=view.rounds if view is not None else max(rules.batches),
        dealt=view.dealt if view is not None else 0,
        question=_question(view, seat) if view is not None and playing else _waiting(seat, ready, playing=playing),
        cards=_cards(hand, seat) if hand is not None and seat is not None else (),
        trick=open_trick(view) if view is not None and view.trick else None,
        last_trick=_last_trick(table, view, seat or 0),
        trick_count=len(view.tricks) if view is not None else 0,
        gathered=_gathered(table, view, seat or 0),
        cut_card=code_of(view.cut_card) if view is not None and not view.tricks else "",
        scart=codes_of(view.scart or 0) if view is not None else (),
        fool_owed=view.fool_owed if view is not None else False,
        totals=tuple(game.totals),
        sheets=tuple(sheet for sheet in sheets if sheet.status not in (GameHand.Status.WAITING, GameHand.Status.OPEN)),
        last_result=_last_result(ended) if hand is None else None,
        sealed=_sealed(table.row.deal) if playing else None,
        **_coming(table, seat),
        lines=tuple(_lines(table, view, happened)),
        winners=_winners(table),
        contract=view.contract if view is not None else "",
        called=code_of(view.called) if view is not None else "",
        tapp=codes_of(view.tapp or 0) if view is not None else (),
        withheld=view.fool_withheld if view is not None else False,
        rappen="stake" in game.options,
        draws=game.draws_partners,
        memory=game.memory,
        clock=table_time.clock_seen(game, seat, viewer),
        undo=_undo(table, seat, happened),
        shared=_shared(game),
    )


def _seat(table: log.Table, view: View | None, number: int, viewer: int | None, ready: set[int]) -> SeatSeen:
    player = table.seats[number].player
    sides = view.sides if view is not None else table.rules.sides
    shown = view is not None and not view.tricks
    return SeatSeen(
        number=number,
        place=(number - (viewer or 0)) % table.rules.seats,
        side=sides[number],
        name=player.display_name,
        player=player.public_id,
        computer=player.is_computer,
        own=number == viewer,
        partner=viewer is not None and number != viewer and UNKNOWN != sides[number] == sides[viewer],
        dealer=number == table.row.dealer and table.game.status == Game.Status.PLAYING,
        turn=view is not None and view.turn == number,
        ready=player.is_computer or number in ready,
        tricks=_tricks(view, number) if view is not None else 0,
        cards=view.counts[number] if view is not None else 0,
        total=table.game.totals[number],
        face_up=code_of(view.face_up[number]) if view is not None and shown else "",
        saying=tuple(_said(spoken.round, spoken.seat, spoken.action) for spoken in view.spoken if spoken.seat == number)
        if view is not None
        else (),
        team=team_of(number, sides),
        bid=next((verb for seat, verb in reversed(view.bids) if seat == number), "") if view is not None else "",
        tappist=view is not None and view.tappist == number,
        called=view is not None and view.partner == number,
        page=player.page,
    )


def _tricks(view: View, seat: int) -> int:
    """The tricks of a seat's side, as far as the viewer can tell which seats are on it; at least its own."""
    side = view.sides[seat]
    if side == UNKNOWN:
        return sum(trick.winner == seat for trick in view.tricks)
    return view.side_tricks[side]


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
        return Question(view.asked, view.turn, mine=False, suit=suit_of(view.lane))
    if isinstance(legal, LegalPlays):
        return Question(
            "play",
            seat,
            mine=True,
            suit=suit_of(view.lane),
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
    rule = view.ruleset.call
    calls = "N" if rule is not None and rule.below_king == 2 else "J"
    choices = tuple(_choice(action, calls) for action in legal)
    return Question(
        legal.asked,
        seat,
        mine=True,
        choices=choices,
        talk=legal.talk or "silent",
        suit=suit_of(view.lane),
        calls=calls,
    )


def _choice(action: Move, calls: str) -> Choice:
    card = CODES[action.cards[0]] if action.cards else calls if action.verb in ("buob", "buob-sche") else ""
    return Choice(str(action), action.verb, card, action.number, action.packets)


def _cards(hand: Hand, seat: int) -> tuple[CardSeen, ...]:
    held = sorted(cards_in(hand.hands[seat]), key=lambda card: (min(card // 14, 4) if card != FOOL else 5, -card))
    legal = hand.legal if hand.turn == seat else None
    return tuple(_card(hand, card, legal) for card in held)


def _card(hand: Hand, card: int, legal: object) -> CardSeen:
    code = CODES[card]
    suit = "F" if card == FOOL else SUITS[LANE_OF[card]]
    if isinstance(legal, LegalPlays):
        broken = None if legal.cards & BIT[card] else hand.why_illegal(PLAYS[card])
        pair = CODES[card - legal.below_king] if legal.pairs & BIT[card] else ""
        why = why_of(broken) if broken is not None else None
        knock, call = bool(legal.knocks & BIT[card]), bool(legal.calls & BIT[card])
        return CardSeen(code, suit, broken is None, why, pair, knock, call)
    if isinstance(legal, LegalChoice):
        together = bool(legal.together & BIT[card])
        allowed = together or bool(legal.cards & BIT[card])
        why = None if allowed else Why("honour-laid-away", code)
        return CardSeen(code, suit, allowed, why, together=together)
    return CardSeen(code, suit, playable=False)


def _undo(table: log.Table, seat: int | None, happened: Sequence[Action]) -> UndoSeen | None:
    """What is asked to be taken back; else what the viewer may ask for, unless a computer player acts in a moment anyway."""
    game, proposal = table.game, projections.undo_proposal_of(table.game)
    if proposal is not None:
        waits = projections.undo_waits_for(game)
        return UndoSeen(
            proposal.move,
            proposal.verb,
            proposal.by,
            waits,
            mine=seat in waits,
            agreed=seat in proposal.agreed,
            until=proposal.until,
        )
    if seat is None or game.due_at is not None or not table.moves or table.moves[-1].seat != seat:
        return None
    found = projections.takeable_move(table, happened)
    return UndoSeen(found.number, found.text.partition(" ")[0]) if found is not None else None


def _last_trick(table: log.Table, view: View | None, viewer: int) -> TrickSeen | None:
    """The trick gathered last: of the open hand, or, between two deals and after the game, the one that ended the last."""
    tricks: Sequence[Trick] = ()
    if view is not None:
        tricks = view.tricks
    else:
        ended = [row for row in table.hands if row.status != GameHand.Status.WAITING]
        if ended and ended[-1].status == GameHand.Status.PLAYED:
            tricks = log.replay_hand(table, ended[-1], log.moves_of(table.game, ended[-1].number)).tricks
    return trick_of(tricks[-1], len(tricks), viewer, table.rules.seats) if tricks else None


def _gathered(table: log.Table, view: View | None, viewer: int) -> tuple[TrickSeen, ...]:
    """All tricks of the open hand, at a table that remembers them."""
    if view is None or table.game.memory != Memory.ALL:
        return ()
    seats = table.rules.seats
    return tuple(trick_of(trick, number, viewer, seats) for number, trick in enumerate(view.tricks, 1))


def _last_result(ended: Sequence[HandSheet]) -> HandSheet | None:
    done = [sheet for sheet in ended if sheet.status != GameHand.Status.WAITING]
    return done[-1] if done else None


def _coming(table: log.Table, seat: int | None) -> dict[str, Any]:
    """The promise of the deal to come, and whether the viewer may add to its pack. Who else has done so while a hand goes on
    is nobody's business: it would tell who has looked in."""
    deal = packs.coming(table.game)
    if deal is None:
        return {}
    own = seat is not None and str(seat) in deal.entropy
    adds_to = deal.ordinal if seat is not None and not own else 0
    promise = _sealed(deal)
    if table.hand is None or promise is None:
        return {"adds_to": adds_to}
    return {"adds_to": adds_to, "coming": replace(promise, contributed=(seat,) if seat is not None and own else ())}


def _shared(game: Game) -> str:
    if game.board_set_id is None:
        return ""
    return "sealed" if game.is_sealed else "open"


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


def _happened(table: log.Table) -> list[Action]:
    """The events of the log, with the last move of every deal, and the last that counts. One query."""
    moves = table.game.actions.filter(kind=Action.Kind.MOVE).order_by()
    last = Q(number__in=moves.values("hand_number").annotate(last=Max("number")).values("last"))
    if table.moves:
        last |= Q(number=table.moves[-1].number)
    entries = table.game.actions.filter(Q(kind=Action.Kind.EVENT) | last).order_by("number")
    return list(entries.select_related("player__merged_into"))


def _lines(table: log.Table, view: View | None, happened: Sequence[Action]) -> list[Line]:
    """What happened at the table, then the running hand as far as its cards may be remembered."""
    events = [entry for entry in happened if entry.kind == Action.Kind.EVENT]
    last = {entry.hand_number: entry.number for entry in happened if entry.kind == Action.Kind.MOVE}
    told: list[Line] = list(table_time.event_lines(events, table.seats))
    for row in table.hands:
        if row.status in _ENDED:
            sheet, number = sheet_of(table, row), last.get(row.number, 0)
            told.append(
                Line(number, f"hand-{row.status}", None, row.number, points=sheet.points, parties=sheet.parties)
            )
    if table.game.status == Game.Status.FINISHED:
        told.append(Line(table.game.number, "game-finished", None, table.row.number))
    if view is not None and table.hand is not None:
        numbers = [move.number for move in table.moves]
        entries = cards.entries(view, numbers, table.row.number)
        told += cards.remembered(entries, len(view.tricks), everything=table.game.memory == Memory.ALL)
    sat = projections.sitters_of(table.game, table.seats, events)
    return sorted((sat.told(line) for line in told), key=lambda line: line.number)
