"""The policy that plays hands to their end when an action is tried: the judgement of `playing.weigh` in whole numbers.

A player uses only his own cards and what everybody sees. Chances are in thousandths, values in hundredths of a card
point. The weights were found by playing duplicate deals against earlier weights (`benchmarks/tune_policy.py`).
"""

from __future__ import annotations

from typing import Final

from domain.bots.fast.compiling import State, jit, length, numbers, ones
from domain.bots.fast.layout import (
    ALONE,
    ASKED,
    AWAY_SUITS,
    AWAY_TRUMPS,
    BEST,
    BEST_AT,
    BUOB,
    BUOB_SCHE,
    CALL,
    CALLED,
    CALLS,
    DEALER,
    EXEMPTING,
    EXTRA,
    FIRST_TRUMP,
    FOOL,
    GIVE,
    HELD_SUITS,
    HELD_TRUMPS,
    HIGH_FOOL,
    HONOUR_TRUMPS,
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
    PAIRS,
    PARTNER,
    PLAIN,
    PLAY,
    QUIET,
    SCALE,
    SEATS,
    SETTLES,
    SHOWN_SUITS,
    SHOWN_TRUMPS,
    SIDE,
    SOLO,
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

_STEPS: Final = 256
NOTED: Final = 32  # index in the weights of the working area for chances while a play is chosen
POWERS: Final = NOTED + 80
"""The index in the weights where the table of chances begins: by 32 * a share (in 256ths) + a number of cards."""

# the weights

(
    TOP, NEXT, RUFF, COMMAND, COVER, FOOL_KEPT, RANK, VOID, BARE_KING, FLOOR_HOME, TOP_HOME, FRIEND_HOME, NEXT_HOME,
    BAGAT_HOME, BAGAT_TRUMP, SMEAR, LEAD, LEAD_UNDER, DRAW, DRAW_LONG, RUFFED, OVERTAKE, THROW, BAGAT_RISK, UNCOVER,
    PAIR_GAIN, LEAD_CHANCE, OTHERS_SMEAR, TRUMP_HOME, GIFT,
) = range(30)  # fmt: skip

FOUND: Final = (
    75, 120, 220, 300, 150, 180, 35, 80, 40, 30, 60, 30, 65,
    30, 9, 60, 30, 250, 800, 400, 50, 300, 30, 400, 300,
    50, 45, 15, 60, 200,
)  # fmt: skip
"""The weights of the rules of thumb (`card_values.Tuning`).

A search found none that win more (`benchmarks/tune_policy.py`).
"""


_CHANCES: Final = [round(1000 * (1 - share / _STEPS) ** count) for share in range(_STEPS + 1) for count in range(32)]


def weights(values: tuple[int, ...] = FOUND) -> State:
    """The weights in the form that the core needs, with a working area and the table of chances."""
    w = numbers(POWERS + len(_CHANCES))
    for at, value in enumerate(values):
        w[at] = value
    w[POWERS:] = _CHANCES
    return w


@jit
def choose(s: State, r: State, w: State) -> int:
    """The action of the player on turn."""
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
    """How much worse than the best play the player on turn judges an action, in hundredths of a card point.

    0 for actions that are not plays, and in a Misere, where the policy follows a rule of thumb.
    """
    if s[ASKED] != PLAY or (r[SETTLES] == STAKES and s[TAPPIST] < 0):
        return 0
    if KING_CALLS <= action < QUIET:
        action = (action - KING_CALLS) * 14 + KING
    return _play(s, r, w, action)[1]


@jit
def _other(s: State, seat: int, other: int) -> int:
    """The side on which `seat` believes `other` to be: while the partner is secret, only he himself knows."""
    if s[CALLED] >= 0 and other == s[PARTNER] and seat != other:
        return 1
    return s[SIDE + other]


@jit
def _spread(s: State, r: State, w: State, lane: int, left: int, rest: int) -> None:
    """Store for each other player where the chances of having none of some cards of a lane are found in the table.

    Once for cards that can also lie in the `rest` places of the discards, and once for those that cannot. The player on
    turn has `left` cards.
    """
    seat = s[TURN]
    seats = r[SEATS]
    at = NOTED + 16 * lane
    room = 0
    for other in range(seats):
        places = 0
        if other != seat and not s[VOIDS + other] >> lane & 1:
            places = left - ones(s[HELD_SUITS + other] & r[SHOWN_SUITS + other])
            places -= ones(s[HELD_TRUMPS + other] & r[SHOWN_TRUMPS + other])
            if (other - s[LEADER]) % seats < s[LYING]:
                places -= 1
            if places < 0:
                places = 0
            room += places
        w[at + other] = places
    for other in range(seats):
        places = w[at + other]
        if places:
            w[at + other] = POWERS + 32 * (_STEPS * places // (room + rest))
            w[at + 8 + other] = POWERS + 32 * (_STEPS * places // room)
        else:
            w[at + other] = w[at + 8 + other] = POWERS


@jit
def _some(s: State, r: State, w: State, other: int, lane: int, suits: int, trumps: int) -> int:
    """The chance that another player holds any of these unseen cards of one lane."""
    if (
        suits & s[HELD_SUITS + other] & r[SHOWN_SUITS + other]
        or trumps & s[HELD_TRUMPS + other] & r[SHOWN_TRUMPS + other]
    ):
        return 1000
    at = NOTED + 16 * lane + other
    if not (suits & ~KINGS or trumps & ~HONOUR_TRUMPS):
        at += 8
    return 1000 - w[w[at] + ones(suits) + ones(trumps)]


@jit
def _stays(s: State, r: State, w: State, best: int, lane: int, ours: bool, suits: int, trumps: int) -> int:
    """The chance that one's own side takes the trick in which `best` wins so far; `suits` and `trumps` are unseen."""
    seats = r[SEATS]
    me = s[TURN]
    seat = me
    side = s[SIDE + me]
    chance = 1000 if ours else 0
    fought = False
    if best >= FIRST_TRUMP:
        over_trumps = trumps >> best - FIRST_TRUMP + 1 << best - FIRST_TRUMP + 1
        over_suits = 0
    else:
        over_trumps = trumps
        over_suits = (suits & SUIT_MASK << 14 * LANE_OF[best]) >> best + 1 << best + 1
    following = suits & SUIT_MASK << 14 * lane if lane < 4 else 0
    for _step in range(seats - s[LYING] - 1):
        seat += 1
        if seat == seats:
            seat = 0
        shown = s[VOIDS + seat]
        able = 0
        if not shown & 16:
            able = _some(s, r, w, seat, 4, 0, over_trumps)
        if lane < 4 and not shown >> lane & 1:
            able = able * (1000 - _some(s, r, w, seat, lane, following, 0)) // 1000
            if over_suits:
                able += _some(s, r, w, seat, lane, over_suits, 0)
        if fought:
            able = able * 6 // 10
        if _other(s, me, seat) == side:
            if chance < 1000:
                chance += (1000 - chance) * able * 9 // 10000
                fought = fought or able > 300
        elif chance > 0:
            chance -= chance * able // 1000
            fought = fought or able > 300
    return chance


@jit
def _kept(s: State, r: State, w: State, card: int, held: int, unseen: int, safe: int, trumps: int) -> int:
    """The value of keeping a card of a suit; `held` and `unseen` are the held and unseen cards of that suit."""
    seat = s[TURN]
    suit = LANE_OF[card]
    over = unseen >> card + 1 << card + 1
    if over:
        held_over = 0
        for other in range(r[SEATS]):
            if _other(s, seat, other) != s[SIDE + seat] and not s[VOIDS + other] >> suit & 1:
                held_over = max(held_over, _some(s, r, w, other, suit, over, 0))
        above = ones(over)
        home = w[FRIEND_HOME] * 10 + w[NEXT_HOME] * safe * (1000 - held_over) // 100000
        power = w[NEXT] * safe // (1000 * (1 + above) * (1 + above))
    else:
        home = w[FLOOR_HOME] * 10 + w[TOP_HOME] * safe // 100
        power = w[TOP] * safe // 1000
    kept = EXTRA[card] * (2 * home - 1000) // 10 + (power + w[RANK] * (card % 14) // 13) * r[SCALE] // 100
    if ones(held) == 1:
        if trumps:
            kept -= w[VOID]
    elif ones(held) == 2 and held & KINGS and card % 14 != KING:
        kept += w[BARE_KING]
    return kept


@jit
def _unseen(s: State, r: State) -> tuple[int, int, int]:
    """The suit cards and trumps that the player on turn knows neither in his hand nor in a finished trick.

    And how many of them lie among the discards; none if he discarded them himself.
    """
    seat = s[TURN]
    suits = r[PACK_SUITS] & ~(s[OUT_SUITS] | s[HELD_SUITS + seat])
    trumps = r[PACK_TRUMPS] & ~(s[OUT_TRUMPS] | s[HELD_TRUMPS + seat])
    knows_discards = r[DEALER] == seat
    if r[SETTLES] == STAKES:
        knows_discards = s[TAPPIST] == seat and not s[SOLO]
    if knows_discards:
        return suits & ~s[AWAY_SUITS], trumps & ~s[AWAY_TRUMPS], 0
    return suits, trumps, ones(s[AWAY_SUITS]) + ones(s[AWAY_TRUMPS])


@jit
def _safety(s: State, r: State, w: State, suit: int, unseen: int, trumps: int) -> int:
    """The chance that no foe trumps a suit of which these cards are `unseen`; `trumps` are the unseen ones."""
    seat = s[TURN]
    side = s[SIDE + seat]
    safe = 1000
    for other in range(r[SEATS]):
        shown = s[VOIDS + other]
        if _other(s, seat, other) == side or shown & 16:
            continue
        some_trump = _some(s, r, w, other, 4, 0, trumps)
        if shown >> suit & 1:
            safe -= safe * some_trump // 1000
        else:
            some_suit = _some(s, r, w, other, suit, unseen, 0)
            safe -= safe * some_trump * (1000 - some_suit) // 1000000
    return safe


@jit
def _known(s: State, r: State, unseen: int) -> tuple[int, int]:
    """The cards of a suit that a foe is known to hold, and those that a friend is.

    If several are, those of the one with the highest card.
    """
    seat = s[TURN]
    gifts = 0
    theirs = 0
    for other in range(r[SEATS]):
        if other != seat:
            known = unseen & s[HELD_SUITS + other] & r[SHOWN_SUITS + other]
            if _other(s, seat, other) != s[SIDE + seat]:
                gifts = max(gifts, known)
            else:
                theirs = max(theirs, known)
    return gifts, theirs


@jit
def _drawing(s: State, r: State, w: State, mine: int, trumps: int) -> int:
    """The value of leading a trump so that foes lose theirs: nothing without a friend, or with few trumps (`mine`)."""
    seat = s[TURN]
    longer = 100 * mine - 100 * ones(trumps & TRUMP_MASK) // (r[SEATS] - 1)
    if r[ALONE] or longer <= 0:
        return 0
    spent = 0
    friend = False
    for other in range(r[SEATS]):
        if other != seat:
            some_trump = 0
            if not s[VOIDS + other] & 16:
                some_trump = _some(s, r, w, other, 4, 0, trumps)
            if _other(s, seat, other) != s[SIDE + seat]:
                spent += some_trump
            else:
                spent -= some_trump
                friend = True
    if not friend:
        return 0
    return w[DRAW] * r[SCALE] // 100 * spent // 1000 * min(w[DRAW_LONG], longer) // max(1, w[DRAW_LONG])


@jit
def _play(s: State, r: State, w: State, wanted: int) -> tuple[int, int]:
    """The best play, and how much worse the play `wanted` is. Of equivalent cards only one is evaluated."""
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
    suits, trumps, rest = _unseen(s, r)
    pot = r[PLAIN]
    top_lying = 0  # the suit cards in the trick: cards of the hand with one of them between are not equivalent
    for place in range(lying):
        card = s[TRICK + place]
        if card < FIRST_TRUMP:
            suits &= ~(1 << card)
            top_lying |= 1 << card
        else:
            trumps &= ~(1 << card - FIRST_TRUMP)
        if card != FOOL or high:
            pot += 100 * EXTRA[card]
    if not high:
        trumps &= TRUMP_MASK
    ours = best >= 0 and _other(s, seat, (s[LEADER] + s[BEST_AT]) % seats) == side
    friends = 0
    foes = 0
    last_is_foe = False
    for step in range(1, seats - lying):
        last_is_foe = _other(s, seat, (seat + step) % seats) != side
        if last_is_foe:
            foes += 1
        else:
            friends += 1
    won = pot + w[SMEAR] * friends + w[OTHERS_SMEAR] * foes
    lost = pot + w[SMEAR] * foes + w[OTHERS_SMEAR] * friends
    mine = ones(own_trumps) if high else ones(own_trumps & TRUMP_MASK)
    left = ones(own_suits) + ones(own_trumps)
    unseen_trumps = ones(trumps & TRUMP_MASK)
    _spread(s, r, w, 4, left, rest)
    if 0 <= lane < 4:
        _spread(s, r, w, lane, left, rest)
    staying = 0  # with a card that does not take the trick
    if best >= 0:
        staying = _stays(s, r, w, best, lane, ours, suits, trumps)
    sure_friend = ours and lane >= 0 and staying > 970
    found = -1
    highest = -(1 << 40)
    reached = highest  # the value of `wanted`
    # the suits
    for suit in range(4):
        cards = legal_suits & SUIT_MASK << 14 * suit
        if not cards:
            continue
        held = own_suits & SUIT_MASK << 14 * suit
        unseen = suits & SUIT_MASK << 14 * suit
        if suit != lane:
            _spread(s, r, w, suit, left, rest)
        safe = _safety(s, r, w, suit, unseen, trumps)
        ruffed = False
        if last_is_foe and not lying and trumps:
            shown = s[VOIDS + (seat + seats - 1) % seats]
            ruffed = not shown & 16 and (shown >> suit & 1 != 0 or not unseen)
        gifts, theirs = _known(s, r, unseen) if not lying else (0, 0)
        below = -1  # the last card without points that was evaluated
        below_value = 0
        while cards:
            card = length(cards & -cards) - 1
            cards &= cards - 1
            extra = 100 * EXTRA[card]
            if below >= 0 and not extra and not (unseen | top_lying) & (1 << card) - (1 << below):
                if card == wanted:
                    reached = below_value
                continue
            above = ones(unseen >> card + 1)
            kept = _kept(s, r, w, card, held, unseen, safe, mine)
            # the value of playing it
            if lane < 0:
                chance = _stays(s, r, w, card, suit, True, suits, trumps)
            elif best < 0 or (card > best and LANE_OF[best] == suit):
                chance = _stays(s, r, w, card, lane, True, suits, trumps)
            else:
                chance = staying
            value = (chance * won - (1000 - chance) * lost + extra * (2 * chance - 1000)) // 1000 - kept
            value += w[LEAD] * r[SCALE] * chance // 100000
            if not lying:
                if extra and above:
                    value -= w[LEAD_UNDER]
                if gifts > 1 << card and theirs < 1 << card:
                    value -= w[GIFT] * r[SCALE] // 100
                if ruffed:
                    value -= w[RUFFED] * r[SCALE] // 100
            elif chance < 500:
                value -= w[THROW] * extra // 100
            if not extra:
                below = card
                below_value = value
            if card == wanted:
                reached = value
            if value > highest:
                highest = value
                found = card
            if pairs >> card & 1:
                companion = card - r[PAIRS]
                value += EXTRA[companion] * (2 * chance - 1000) // 10 + w[PAIR_GAIN]
                value -= _kept(s, r, w, companion, held, unseen, safe, mine)
                if PAIR + suit == wanted:
                    reached = value
                if value > highest:
                    highest = value
                    found = PAIR + suit
    # the trumps, and the Fool
    cards = legal_trumps
    alike = False  # whether `wanted` is equivalent to the trump above it
    drawing = _drawing(s, r, w, mine, trumps) if cards and not lying else 0
    while cards:
        place = length(cards & -cards) - 1
        cards &= cards - 1
        card = FIRST_TRUMP + place
        if card == FOOL and not high:
            chance = staying if lane >= 0 else 10 * w[LEAD_CHANCE]
            value = (chance * won - (1000 - chance) * lost) // 1000
            value -= w[FOOL_KEPT] * min(10, left - 1) // 10 * r[SCALE] // 100
            value += w[LEAD] * r[SCALE] * chance // 100000
        else:
            if cards >> place + 1 & 1 and 0 < place < 19:
                if card == wanted:
                    alike = True
                continue  # the next higher trump is equivalent
            extra = 100 * EXTRA[card]
            above = ones((trumps & TRUMP_MASK) >> place + 1)
            if not place:
                home = min(900, 10 * (w[BAGAT_HOME] + w[BAGAT_TRUMP] * (mine - 1)))
            else:
                home = 10 * w[TRUMP_HOME] if trumps >> place + 1 else 1000
            share = 100 * (unseen_trumps - above) // unseen_trumps if unseen_trumps else 100
            power = w[RUFF] + w[COMMAND] * share // 100
            if own_trumps & 1 and place and mine <= 4:
                power += w[COVER]
            kept = extra * (2 * home - 1000) // 1000 + power * r[SCALE] // 100
            if card == FOOL or best < 0 or (best != FOOL and (card > best or best < FIRST_TRUMP)):
                to_follow = lane if lane >= 0 else 4
                chance = _stays(s, r, w, card, to_follow, True, suits, trumps)
            else:
                chance = staying
            value = (chance * won - (1000 - chance) * lost + extra * (2 * chance - 1000)) // 1000 - kept
            value += w[LEAD] * r[SCALE] * chance // 100000
            if not lying:
                value += drawing
            elif chance < 500:
                value -= w[THROW] * extra // 100
            if sure_friend and place and card > best >= FIRST_TRUMP:
                value -= w[OVERTAKE] * r[SCALE] // 100
            if not place:
                if chance < 750:
                    value -= w[BAGAT_RISK]
            elif not lying and own_trumps & 1 and mine <= 3:
                value -= w[UNCOVER]
        if card == wanted or alike:
            alike = False
            reached = value
        if value > highest:
            highest = value
            found = card
    return _with_call(s, r, found), highest - reached


@jit
def _with_call(s: State, r: State, action: int) -> int:
    """The action, with a call of the jack if it is a king that may call."""
    if action < FIRST_TRUMP and action % 14 == KING and kings_that_call(s, r, 1 << action):
        return KING_CALLS + action // 14
    return action


@jit
def _avoid(s: State, r: State) -> int:
    """The play in a Misere: the most valuable card below the best, the highest if it must win, and low leads."""
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
