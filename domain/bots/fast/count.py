"""The result of a finished play for each seat: the debt for the Fool, the discards, points and scores."""

from __future__ import annotations

from domain.bots.fast.compiling import State, jit, ones
from domain.bots.fast.layout import (
    AWAY_LESS,
    AWAY_SUITS,
    AWAY_TO,
    AWAY_TRUMPS,
    CARD_POINTS,
    CAVALIERS,
    DEALER,
    DEALER_PAR,
    DOUBLE_AT,
    FEWEST,
    FOOL_MASK,
    GROUP,
    GROUP_LESS,
    HONOUR_TRUMPS,
    JACKS,
    KINGS,
    NEVER_LOST,
    OWED_BY,
    OWED_TO,
    PAR,
    PARTNER,
    QUEENS,
    REST_LESS,
    SEATS,
    SETTLES,
    SIDE,
    SOLO,
    STAKE,
    STAKES,
    SWEEPER,
    TAPPIST,
    TRICKS,
    WON_SUITS,
    WON_TRICKS,
    WON_TRUMPS,
)


@jit
def heap_values(suits: int, trumps: int) -> int:
    """The values of the cards of a heap, counted singly."""
    return (
        ones(suits)
        + ones(trumps)
        + 4 * (ones(suits & KINGS) + ones(trumps & HONOUR_TRUMPS))
        + 3 * ones(suits & QUEENS)
        + 2 * ones(suits & CAVALIERS)
        + ones(suits & JACKS)
    )


@jit
def points_of(s: State, r: State, side: int) -> int:
    """The card points of a side, once the play is settled. The discards are added here."""
    suits = s[WON_SUITS + side]
    trumps = s[WON_TRUMPS + side]
    away_to = s[AWAY_TO]
    if away_to >= 0 and r[SWEEPER]:
        for other in range(r[SEATS]):
            if s[WON_TRICKS + other] == s[TRICKS]:
                away_to = other
    if side == away_to:
        suits |= s[AWAY_SUITS]
        trumps |= s[AWAY_TRUMPS]
    worth = heap_values(suits, trumps)
    if r[GROUP]:
        cards = ones(suits) + ones(trumps)
        worth -= r[GROUP_LESS] * (cards // r[GROUP])
        if cards % r[GROUP]:
            worth -= r[REST_LESS]
    elif r[AWAY_LESS]:
        worth -= r[AWAY_LESS] * (ones(suits & s[AWAY_SUITS]) + ones(trumps & s[AWAY_TRUMPS]))
    return worth


@jit
def settle(s: State, r: State) -> None:
    """Pay what is still owed for the Fool after the last trick."""
    owes = s[OWED_BY]
    if owes < 0:
        return
    to = s[OWED_TO]
    s[OWED_BY] = -1
    s[OWED_TO] = -1
    if not s[WON_TRICKS + owes]:
        if not r[NEVER_LOST]:
            s[WON_TRUMPS + owes] ^= FOOL_MASK
            s[WON_TRUMPS + to] |= FOOL_MASK
        return
    # There is no card worth one point: pay the least valuable, a jack before a cavalier, suits before trumps.
    suits = s[WON_SUITS + owes]
    for rank in (JACKS, CAVALIERS, QUEENS, KINGS):
        low = suits & rank
        if low:
            low &= -low
            s[WON_SUITS + owes] ^= low
            s[WON_SUITS + to] |= low
            return
    trumps = s[WON_TRUMPS + owes] & ~FOOL_MASK
    low = trumps & -trumps
    s[WON_TRUMPS + owes] ^= low
    s[WON_TRUMPS + to] |= low


@jit
def scores_of(s: State, r: State, scores: State) -> None:
    """Settle a finished play, and write the score of each seat to `scores`."""
    settle(s, r)
    seats = r[SEATS]
    if r[SETTLES] == STAKES:
        if s[TAPPIST] < 0:
            _misere(s, r, scores)
        else:
            _stakes(s, r, scores)
        return
    for seat in range(seats):
        scores[seat] = 0
    for side in range(seats):
        points = -1
        for seat in range(seats):
            if s[SIDE + seat] == side:
                if points < 0:
                    points = points_of(s, r, side)
                scores[seat] = points
    if r[SETTLES] != CARD_POINTS:
        dealers = s[SIDE + r[DEALER]]
        for seat in range(seats):
            scores[seat] -= r[DEALER_PAR] if s[SIDE + seat] == dealers else r[PAR]


@jit
def _stakes(s: State, r: State, scores: State) -> None:
    seats = r[SEATS]
    for seat in range(seats):
        scores[seat] = 0
    for_tappist = points_of(s, r, 0)
    if for_tappist == 57:
        return
    losers = 1 if for_tappist > 57 else 0
    stake = r[STAKE]
    if not s[WON_TRICKS + losers]:
        stake *= 3
    elif points_of(s, r, losers) <= r[DOUBLE_AT]:
        stake *= 2
    if s[SOLO]:
        stake *= 2
    each = stake if losers == 0 else -stake
    total = 0
    for seat in range(seats):
        if s[SIDE + seat]:
            scores[seat] = each
            total += each
    if s[PARTNER] >= 0:
        scores[s[PARTNER]] = -2 * each
        total -= 2 * each
    scores[s[TAPPIST]] = -total


@jit
def _misere(s: State, r: State, scores: State) -> None:
    seats = r[SEATS]
    for seat in range(seats):
        scores[seat] = points_of(s, r, s[SIDE + seat])
    best = scores[0]
    for seat in range(seats):
        if (scores[seat] < best) == bool(r[FEWEST]) and scores[seat] != best:
            best = scores[seat]
    tied = 0
    for seat in range(seats):
        if scores[seat] == best:
            tied += 1
    stake = -r[STAKE] if r[FEWEST] else r[STAKE]
    for seat in range(seats):
        scores[seat] = stake * (tied - seats if scores[seat] == best else tied)
