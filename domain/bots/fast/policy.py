"""How hands are played to their end when an action is tried: the judgement of `playing.weigh` in whole numbers.

A player uses his own cards and what everybody sees, nothing else. Chances are in hundredths, values in hundredths of a card
point. The weights were found by playing duplicate deals against the last ones (`benchmarks/tune_policy.py`).
"""

from __future__ import annotations

from typing import Final

from domain.bots.fast.compiling import State, jit, length, numbers, ones
from domain.bots.fast.layout import (
    ALONE,
    ASKED,
    BEST,
    BEST_AT,
    BUOB,
    BUOB_SCHE,
    CALL,
    CALLS,
    EXEMPTING,
    EXTRA,
    FIRST_TRUMP,
    FOOL,
    GIVE,
    HELD_SUITS,
    HELD_TRUMPS,
    HIGH_FOOL,
    KEEP,
    KING,
    KING_CALLS,
    KINGS,
    LANE,
    LANE_OF,
    LEADER,
    LYING,
    OUT_SUITS,
    OUT_TRUMPS,
    PACK_SUITS,
    PACK_TRUMPS,
    PAIR,
    PLAIN,
    PLAY,
    QUIET,
    SCALE,
    SEATS,
    SETTLES,
    SIDE,
    STAKES,
    SUIT_MASK,
    TAKE,
    TAKE_CARD,
    TAPPIST,
    TRICK,
    TRUMP_MASK,
    TURN,
    VOIDS,
)
from domain.bots.fast.play import kings_in_pairs, kings_that_call, may_be_taken, playable

MISSING: Final = tuple(
    [
        min(100, round(100 * ((max(seats, 3) - 2) / (max(seats, 3) - 1)) ** count))
        for seats in range(9)
        for count in range(32)
    ]
)
"""By 32 times the players and a number of unseen cards: the chance that a certain other player has none of them."""

# the weights

(
    TOP, NEXT, RUFF, COMMAND, COVER, FOOL_KEPT, RANK, VOID, BARE_KING, FLOOR_HOME, TOP_HOME, FRIEND_HOME, NEXT_HOME,
    BAGAT_HOME, BAGAT_TRUMP, SMEAR, LEAD, LEAD_UNDER, DRAW, DRAW_LONG, RUFFED, OVERTAKE, THROW, BAGAT_RISK, UNCOVER,
    PAIR_GAIN, LEAD_CHANCE, KING_FIRST, LEAD_LONG, OTHERS_SMEAR, PARTNER_RUFFS, TRUMP_HOME,
) = range(32)  # fmt: skip

FOUND: Final = (
    75, 240, 220, 300, 150, 180, 35, 80, 20, 30, 60, 30, 65,
    30, 9, 60, 30, 250, 300, 400, 50, 300, 30, 400, 440,
    25, 12, 0, 0, 15, 20, 60,
)  # fmt: skip


def weights(values: tuple[int, ...] = FOUND) -> State:
    """The weights as the core wants them."""
    w = numbers(len(values))
    for at, value in enumerate(values):
        w[at] = value
    return w


@jit
def choose(s: State, r: State, w: State) -> int:
    """What the player on turn does."""
    asked = s[ASKED]
    if asked == PLAY:
        if r[SETTLES] == STAKES and s[TAPPIST] < 0:
            return _avoid(s, r)
        return _play(s, r, w, -1)[0]
    seat = s[TURN]
    if asked == CALL:
        lane = s[LANE]
        if s[HELD_SUITS + seat] >> lane * 14 + KING - r[CALLS] & 1:
            return QUIET
        if r[EXEMPTING]:
            for place in range(r[SEATS]):
                if (s[LEADER] + place) % r[SEATS] != seat and s[TRICK + place] - lane * 14 in (11, 12):
                    return BUOB_SCHE
        return BUOB
    if asked == TAKE:
        highest = -1
        for place in range(r[SEATS]):
            if may_be_taken(s, r, place) and s[TRICK + place] > highest:
                highest = s[TRICK + place]
        return TAKE_CARD + highest
    jack = s[LANE] * 14 + KING - r[CALLS]
    winner = (s[LEADER] + s[BEST_AT]) % r[SEATS]
    if s[HELD_SUITS + seat] >> jack & 1 and s[SIDE + winner] == s[SIDE + seat]:
        return GIVE
    return KEEP


@jit
def shortfall(s: State, r: State, w: State, action: int) -> int:
    """How far the judgement of the player on turn puts a play below the best one, in hundredths of a card point.

    0 for what is no play, and in a Misere, where the policy goes by rule of thumb.
    """
    if s[ASKED] != PLAY or (r[SETTLES] == STAKES and s[TAPPIST] < 0):
        return 0
    if KING_CALLS <= action < QUIET:
        action = (action - KING_CALLS) * 14 + KING
    return _play(s, r, w, action)[1]


@jit
def _stays(s: State, r: State, best: int, lane: int, ours: bool, suits: int, trumps: int) -> int:
    """The chance that the own side takes the trick in which `best` wins so far, where `suits` and `trumps` are unseen."""
    seats = r[SEATS]
    row = seats * 32
    seat = s[TURN]
    side = s[SIDE + seat]
    chance = 100 if ours else 0
    if best >= FIRST_TRUMP:
        with_trump = 100 - MISSING[row + ones(trumps >> best - FIRST_TRUMP + 1)]
        with_suit = 0
    else:
        with_trump = 100 - MISSING[row + ones(trumps)]
        with_suit = 100 - MISSING[row + ones((suits & SUIT_MASK << 14 * LANE_OF[best]) >> best + 1)]
    none = MISSING[row + ones(suits & SUIT_MASK << 14 * lane)] if lane < 4 else 100
    for _step in range(seats - s[LYING] - 1):
        seat += 1
        if seat == seats:
            seat = 0
        shown = s[VOIDS + seat]
        trump = 0 if shown & 16 and not r[HIGH_FOOL] else with_trump
        if lane < 4 and not shown >> lane & 1:
            able = with_suit + none * trump // 100
            if able > 100:
                able = 100
        else:
            able = trump
        if s[SIDE + seat] == side:
            chance += (100 - chance) * able * 9 // 1000
        else:
            chance -= chance * able // 100
    return chance


@jit
def _play(s: State, r: State, w: State, wanted: int) -> tuple[int, int]:
    """The best play, and how far `wanted` lies below it. Of cards that are as good as each other one is looked at."""
    legal_suits, legal_trumps = playable(s, r)
    pairs = kings_in_pairs(s, r)
    if not pairs and ones(legal_suits) + ones(legal_trumps) == 1:
        only = length(legal_suits) - 1 if legal_suits else FIRST_TRUMP + length(legal_trumps) - 1
        return _with_call(s, r, only), 0
    seats = r[SEATS]
    seat = s[TURN]
    side = s[SIDE + seat]
    high = r[HIGH_FOOL]
    own_suits = s[HELD_SUITS + seat]
    own_trumps = s[HELD_TRUMPS + seat]
    lying = s[LYING]
    lane = s[LANE]
    best = s[BEST]
    row = seats * 32
    # what is unseen, and what lies there
    suits = r[PACK_SUITS] & ~(s[OUT_SUITS] | own_suits)
    trumps = r[PACK_TRUMPS] & ~(s[OUT_TRUMPS] | own_trumps)
    pot = r[PLAIN]
    for place in range(lying):
        card = s[TRICK + place]
        if card < FIRST_TRUMP:
            suits &= ~(1 << card)
        else:
            trumps &= ~(1 << card - FIRST_TRUMP)
        if card != FOOL or high:
            pot += 100 * EXTRA[card]
    if not high:
        trumps &= TRUMP_MASK
    ours = best >= 0 and s[SIDE + (s[LEADER] + s[BEST_AT]) % seats] == side
    friends = 0
    foes = 0
    last_is_foe = False
    for step in range(1, seats - lying):
        last_is_foe = s[SIDE + (seat + step) % seats] != side
        if last_is_foe:
            foes += 1
        else:
            friends += 1
    won = pot + w[SMEAR] * friends + w[OTHERS_SMEAR] * foes
    lost = pot + w[SMEAR] * foes + w[OTHERS_SMEAR] * friends
    mine = ones(own_trumps) if high else ones(own_trumps & TRUMP_MASK)
    left = ones(own_suits) + ones(own_trumps)
    unseen_trumps = ones(trumps)
    sure_friend = False
    if ours and lane >= 0:
        sure_friend = _stays(s, r, best, lane, True, suits, trumps) > 97
    found = -1
    highest = -(1 << 40)
    reached = highest  # by what is wanted
    # the suits
    for suit in range(4):
        cards = legal_suits & SUIT_MASK << 14 * suit
        if not cards:
            continue
        held = own_suits & SUIT_MASK << 14 * suit
        alone = ones(held) == 1
        unseen = suits & SUIT_MASK << 14 * suit
        none = MISSING[row + ones(unseen)]
        safe = 100
        ruffed = False
        partner_ruffs = False
        some_trump = 100 - MISSING[row + unseen_trumps]
        for other in range(seats):
            shown = s[VOIDS + other]
            if s[SIDE + other] != side:
                if shown & 16:
                    continue
                safe -= safe * some_trump * (100 if shown >> suit & 1 else none) // 10000
                if shown >> suit & 1:
                    ruffed = True
            elif other != seat and shown >> suit & 1 and not shown & 16 and unseen_trumps:
                partner_ruffs = True
        low_done = False
        low_value = 0
        top = length(cards) - 1
        while cards:
            card = length(cards & -cards) - 1
            cards &= cards - 1
            extra = 100 * EXTRA[card]
            if not extra and low_done and card != top:
                if card == wanted:
                    reached = low_value
                continue
            above = ones(unseen >> card + 1)
            # what keeping it would be worth
            if not above:
                home = w[FLOOR_HOME] + w[TOP_HOME] * safe // 100
                power = w[TOP] * safe // 100
            else:
                home = w[FRIEND_HOME] + w[NEXT_HOME] * safe * MISSING[row + above] // 10000
                power = w[NEXT] * safe // (100 * (1 + above) * (1 + above))
            kept = extra * (2 * home - 100) // 100 + (power + w[RANK] * (card % 14) // 13) * r[SCALE] // 100
            if alone:
                if mine:
                    kept -= w[VOID]
            elif ones(held) == 2 and held & KINGS and card % 14 != KING:
                kept += w[BARE_KING]
            # what playing it brings
            if lane < 0:
                chance = _stays(s, r, card, suit, True, suits, trumps)
            elif best < 0 or (card > best and LANE_OF[best] == suit):
                chance = _stays(s, r, card, lane, True, suits, trumps)
            else:
                chance = _stays(s, r, best, lane, ours, suits, trumps)
            value = (chance * won - (100 - chance) * lost + extra * (2 * chance - 100)) // 100 - kept
            value += w[LEAD] * r[SCALE] * chance // 10000
            if not lying:
                if extra and above:
                    value -= w[LEAD_UNDER]
                if ruffed and last_is_foe:
                    value -= w[RUFFED] * r[SCALE] // 100
                if partner_ruffs and not ruffed:
                    value += w[PARTNER_RUFFS] * r[SCALE] // 100
                value += w[LEAD_LONG] * ones(held)
                if card % 14 == KING:
                    value += w[KING_FIRST]
            elif chance < 50:
                value -= w[THROW] * extra // 100
            if not extra and not low_done:
                low_done = True
                low_value = value
            if card == wanted:
                reached = value
            if value > highest:
                highest = value
                found = card
            if pairs >> card & 1:
                companion = 100 * EXTRA[card - r[CALLS]] if r[CALLS] else 100
                value += companion * (2 * chance - 100) // 100 + w[PAIR_GAIN]
                if PAIR + suit == wanted:
                    reached = value
                if value > highest:
                    highest = value
                    found = PAIR + suit
    # the trumps, and the Fool
    cards = legal_trumps
    alike = False  # what is wanted is as good as the trump above it
    drawing = 0
    if not lying and not r[ALONE]:
        longer = 100 * mine - 100 * unseen_trumps // (seats - 1)
        if longer > 0:
            some_trump = 100 - MISSING[row + unseen_trumps]
            spent = 0
            for other in range(seats):
                if other != seat and not s[VOIDS + other] & 16:
                    spent += some_trump if s[SIDE + other] != side else -some_trump
            drawing = w[DRAW] * r[SCALE] // 100 * spent // 100 * min(w[DRAW_LONG], longer) // max(1, w[DRAW_LONG])
    while cards:
        place = length(cards & -cards) - 1
        cards &= cards - 1
        card = FIRST_TRUMP + place
        if card == FOOL and not high:
            chance = _stays(s, r, best, lane, ours, suits, trumps) if best >= 0 else w[LEAD_CHANCE]
            value = (chance * won - (100 - chance) * lost) // 100 - w[FOOL_KEPT] * min(10, left - 1) // 10
        else:
            if cards >> place + 1 & 1 and place and place + 1 != 20:
                if card == wanted:
                    alike = True
                continue  # the next higher trump is as good
            extra = 100 * EXTRA[card]
            above = ones(trumps >> place + 1)
            if not place:
                home = min(90, w[BAGAT_HOME] + w[BAGAT_TRUMP] * (mine - 1))
            else:
                home = w[TRUMP_HOME] if above else 100
            share = 100 * (unseen_trumps - above) // unseen_trumps if unseen_trumps else 100
            power = w[RUFF] + w[COMMAND] * share // 100
            if own_trumps & 1 and place and mine <= 4:
                power += w[COVER]
            kept = extra * (2 * home - 100) // 100 + power * r[SCALE] // 100
            takes = best < 0 or (best != FOOL and (card > best or best < FIRST_TRUMP))
            if card == FOOL:
                takes = True
            if takes:
                chance = _stays(s, r, card, lane if lane >= 0 else 4, True, suits, trumps)
            else:
                chance = _stays(s, r, best, lane, ours, suits, trumps)
            value = (chance * won - (100 - chance) * lost + extra * (2 * chance - 100)) // 100 - kept
            value += w[LEAD] * r[SCALE] * chance // 10000
            if not lying:
                value += drawing
                if own_trumps & 1 and place and mine <= 3:
                    value -= w[UNCOVER]
            elif chance < 50:
                value -= w[THROW] * extra // 100
            if sure_friend and place and card > best >= FIRST_TRUMP:
                value -= w[OVERTAKE] * r[SCALE] // 100
            if not place and chance < 75:
                value -= w[BAGAT_RISK]
        if card == wanted or alike:
            alike = False
            reached = value
        if value > highest:
            highest = value
            found = card
    return _with_call(s, r, found), highest - reached


@jit
def _with_call(s: State, r: State, action: int) -> int:
    """A king that may be played with a call of the jack is played so."""
    if action < FIRST_TRUMP and action % 14 == KING and kings_that_call(s, r, 1 << action):
        return KING_CALLS + action // 14
    return action


@jit
def _avoid(s: State, r: State) -> int:
    """In a Misere: the dearest card that does not take the trick, else the highest where it must be taken, and low leads."""
    suits, trumps = playable(s, r)
    best = s[BEST]
    last = s[LYING] == r[SEATS] - 1
    found = -1
    highest = -(1 << 40)
    seat = s[TURN]
    unseen_suits = r[PACK_SUITS] & ~(s[OUT_SUITS] | s[HELD_SUITS + seat])
    while suits or trumps:
        if suits:
            card = length(suits) - 1
            suits ^= 1 << card
            lane = card // 14
            rank = card % 14
            takes = s[LYING] == 0 or best < 0 or (card > best and LANE_OF[best] == lane)
            out = unseen_suits & SUIT_MASK << 14 * lane
            below = ones(out & (1 << card) - 1)
        else:
            place = length(trumps) - 1
            trumps ^= 1 << place
            card = FIRST_TRUMP + place
            rank = 14 + place // 2
            takes = s[LYING] == 0 or best < FIRST_TRUMP or (card > best and best != FOOL)
            below = 10
        worth = 100 * EXTRA[card]
        if not takes:
            value = 1000 + worth + 20 * rank
        elif last:
            value = 20 * rank - worth
        elif s[LYING] == 0:
            value = -40 * rank - worth - 30 * below
        else:
            value = -20 * rank - worth
        if value > highest:
            highest = value
            found = card
    return found
