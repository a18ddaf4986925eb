"""The legal actions and their effects: the rules of `domain.engine` from the first lead to the last trick.

`s` is the state of the hand, `r` the rules, both indexed by the names of `layout`.
"""

from __future__ import annotations

from domain.bots.fast.compiling import State, jit, length
from domain.bots.fast.layout import (
    ANSWER,
    ASKED,
    BEST,
    BEST_AT,
    BUOB,
    BUOB_SCHE,
    CALL,
    CALLED,
    CALLER,
    CALLS,
    CAPTURED_LAST,
    EARLY_CALL,
    EXEMPTING,
    FIRST,
    FIRST_TRUMP,
    FOOL,
    FOOL_MASK,
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
    LED,
    LOW_TRUMPS,
    LYING,
    NUMERALS,
    OUT_SUITS,
    OUT_TRUMPS,
    OVER,
    OWED_BY,
    OWED_TO,
    PAIR,
    PAIR_AT,
    PAIRS,
    PLAY,
    QUIET,
    SEATS,
    SIDE,
    SUIT_MASK,
    TAKE,
    TAKE_CARD,
    TAKES_ANY,
    TRICK,
    TRICKS,
    TRUMP_MASK,
    TRUMPS_FIRST,
    TURN,
    VOIDS,
    WITHHELD,
    WON_SUITS,
    WON_TRICKS,
    WON_TRUMPS,
)


@jit
def playable(s: State, r: State) -> tuple[int, int]:
    """The two words of the single cards that the player on turn may play."""
    seat = s[TURN]
    suits = s[HELD_SUITS + seat]
    trumps = s[HELD_TRUMPS + seat]
    lane = s[LANE]
    if r[HIGH_FOOL]:
        if s[WITHHELD] and (suits or trumps & TRUMP_MASK):
            trumps &= TRUMP_MASK
        if lane < 0:
            return suits, trumps
        if lane < 4:
            following = suits & SUIT_MASK << 14 * lane
            if following:
                return following, 0
        if trumps & TRUMP_MASK:
            return 0, trumps
        return suits, trumps
    if lane < 0:
        if r[TRUMPS_FIRST] and not s[TRICKS] and trumps & TRUMP_MASK:
            return 0, trumps
        return suits, trumps
    if r[EARLY_CALL] and s[CALLER] >= 0 and s[CALLER] != seat:
        jack = suits & 1 << lane * 14 + KING - r[CALLS]
        if jack:
            return jack, 0
    if lane < 4:
        following = suits & SUIT_MASK << 14 * lane
        if following:
            return following, trumps & FOOL_MASK
    if trumps & TRUMP_MASK:
        return 0, trumps
    return suits, trumps


@jit
def kings_in_pairs(s: State, r: State) -> int:
    """The kings that the player on turn may play with their companion."""
    below = r[PAIRS]
    lane = s[LANE]
    if not below or (lane >= 0 and not s[FIRST]):
        return 0
    suits = s[HELD_SUITS + s[TURN]]
    kings = suits & suits << below & KINGS
    if not kings:
        return 0
    if lane >= 0:
        return kings & SUIT_MASK << 14 * lane
    if r[TRUMPS_FIRST] and not s[TRICKS] and s[HELD_TRUMPS + s[TURN]] & TRUMP_MASK:
        return 0
    for suit in range(4):
        if s[LED] >> suit & 1:
            kings &= ~(SUIT_MASK << 14 * suit)
    return kings


@jit
def kings_that_call(s: State, r: State, suits: int) -> int:
    """The kings among the playable `suits` with which the player on turn may call."""
    lane = s[LANE]
    if not r[EARLY_CALL] or (lane >= 0 and not s[FIRST]):
        return 0
    kings = suits & KINGS
    if not kings:
        return 0
    for suit in range(4):
        if s[LED] >> suit & 1 and suit != lane:
            kings &= ~(SUIT_MASK << 14 * suit)
    if lane >= 0:
        kings &= SUIT_MASK << 14 * lane
    gone = s[OUT_SUITS]
    for place in range(s[LYING]):
        if s[TRICK + place] < FIRST_TRUMP:
            gone |= 1 << s[TRICK + place]
    return kings & ~(gone << r[CALLS])


@jit
def legal_actions(s: State, r: State, actions: State) -> int:
    """Write the legal actions to `actions`, in no particular order. Returns their number."""
    asked = s[ASKED]
    count = 0
    if asked == PLAY:
        suits, trumps = playable(s, r)
        kings = kings_that_call(s, r, suits)
        while suits:
            card = length(suits) - 1
            suits ^= 1 << card
            actions[count] = card
            count += 1
        while trumps:
            card = length(trumps) - 1
            trumps ^= 1 << card
            actions[count] = FIRST_TRUMP + card
            count += 1
        pairs = kings_in_pairs(s, r)
        for suit in range(4):
            if pairs >> (14 * suit + KING) & 1:
                actions[count] = PAIR + suit
                count += 1
            if kings >> (14 * suit + KING) & 1:
                actions[count] = KING_CALLS + suit
                count += 1
    elif asked == CALL:
        actions[0] = QUIET
        actions[1] = BUOB
        count = 2
        if r[EXEMPTING]:
            actions[2] = BUOB_SCHE
            count = 3
    elif asked == ANSWER:
        actions[0] = KEEP
        count = 1
        if s[HELD_SUITS + s[TURN]] >> s[LANE] * 14 + KING - r[CALLS] & 1:
            actions[1] = GIVE
            count = 2
    elif asked == TAKE:
        for place in range(r[SEATS]):
            if may_be_taken(s, r, place):
                actions[count] = TAKE_CARD + s[TRICK + place]
                count += 1
    return count


@jit
def may_be_taken(s: State, r: State, place: int) -> bool:
    """Whether the player of king and companion may take back the card at `place`."""
    card = s[TRICK + place]
    if place == s[PAIR_AT] or card == FOOL:
        return False
    if r[TAKES_ANY]:
        return True
    return card < FIRST_TRUMP and bool(NUMERALS & (SUIT_MASK << 14 * s[LANE]) & 1 << card)


@jit
def apply(s: State, r: State, action: int) -> None:
    """Apply an action of the player on turn, which must be legal."""
    if s[ASKED] == PLAY:
        if action < PAIR:
            _play(s, r, action)
        elif action < KING_CALLS:
            king = (action - PAIR) * 14 + KING
            s[PAIR_AT] = s[LYING]
            s[HELD_SUITS + s[TURN]] ^= 1 << king - r[PAIRS]
            _play(s, r, king)
        else:
            s[CALLER] = s[TURN]
            _play(s, r, (action - KING_CALLS) * 14 + KING)
    elif action >= TAKE_CARD:
        _take_back(s, r, action - TAKE_CARD)
    elif action == GIVE:
        place = 0
        while s[TRICK + place] != FOOL:
            place += 1
        _swap_in(s, r, place, s[LANE] * 14 + KING - r[CALLS])
    elif action in (QUIET, KEEP):
        _gather(s, r, s[BEST_AT], -1, -1)
    else:
        _call(s, r, action)


@jit
def _play(s: State, r: State, card: int) -> None:
    seat = s[TURN]
    lane = s[LANE]
    place = s[LYING]
    if card < FIRST_TRUMP:
        s[HELD_SUITS + seat] ^= 1 << card
    else:
        s[HELD_TRUMPS + seat] ^= 1 << card - FIRST_TRUMP
    own = LANE_OF[card]
    if lane < 0:
        if card != FOOL:
            s[LANE] = own
            if own < 4 and not r[HIGH_FOOL]:
                s[FIRST] = 1 - (s[LED] >> own & 1)
                s[LED] |= 1 << own
        elif (r[HIGH_FOOL] and not s[WITHHELD]) or r[TRUMPS_FIRST]:
            s[LANE] = 4
    elif own != lane:
        if r[HIGH_FOOL]:
            if card == FOOL:
                if lane != 4 and s[HELD_SUITS + seat] | s[HELD_TRUMPS + seat]:
                    s[VOIDS + seat] |= 1 << lane
            else:
                s[VOIDS + seat] |= 1 << lane
                if own != 4:
                    s[VOIDS + seat] |= 16
                    if s[HELD_TRUMPS + seat] == FOOL_MASK:
                        s[WITHHELD] = 1
        elif card != FOOL:
            s[VOIDS + seat] |= 1 << lane
            if own != 4:
                s[VOIDS + seat] |= 16
    s[TRICK + place] = card
    best = s[BEST]
    if card == FOOL:
        if r[HIGH_FOOL] and not s[WITHHELD]:
            s[BEST] = card
            s[BEST_AT] = place
    elif best < 0 or (best != FOOL and card > best and (card >= FIRST_TRUMP or LANE_OF[best] == own)):
        s[BEST] = card
        s[BEST_AT] = place
    if card == s[CALLED]:
        s[CALLED] = -1
    place += 1
    s[LYING] = place
    if place < r[SEATS]:
        seat += 1
        s[TURN] = seat if seat < r[SEATS] else 0
    elif s[FIRST]:
        _complete(s, r)
    else:
        _gather(s, r, s[BEST_AT], -1, -1)


@jit
def _in_trick(s: State, r: State, card: int) -> bool:
    for place in range(r[SEATS]):  # noqa: SIM110  # a generator cannot be compiled
        if s[TRICK + place] == card:
            return True
    return False


@jit
def _complete(s: State, r: State) -> None:
    """After the last card of the first trick of a suit: ask about the pair or a call, or gather the trick."""
    lane = s[LANE]
    if r[EARLY_CALL]:
        _answer_early(s, r)
        return
    if s[PAIR_AT] >= 0:
        seat = (s[LEADER] + s[PAIR_AT]) % r[SEATS]
        for place in range(r[SEATS]):
            if may_be_taken(s, r, place):
                s[TURN] = seat
                s[ASKED] = TAKE
                return
        s[HELD_SUITS + seat] |= 1 << lane * 14 + KING - r[PAIRS]
    elif r[CALLS] and _in_trick(s, r, lane * 14 + KING):
        jack = lane * 14 + KING - r[CALLS]
        if not _in_trick(s, r, jack) and not s[OUT_SUITS] >> jack & 1:
            s[TURN] = (s[LEADER] + s[BEST_AT]) % r[SEATS]
            s[ASKED] = CALL
            return
    _gather(s, r, s[BEST_AT], -1, -1)


@jit
def _call(s: State, r: State, action: int) -> None:
    lane = s[LANE]
    jack = lane * 14 + KING - r[CALLS]
    seats = r[SEATS]
    for seat in range(seats):
        if s[HELD_SUITS + seat] >> jack & 1:
            place = (seat - s[LEADER]) % seats
            played = s[TRICK + place]
            if played != FOOL and played != lane * 14 + KING:
                if action == BUOB_SCHE and played - lane * 14 in (11, 12):
                    _gather(s, r, s[BEST_AT], -1, -1)
                else:
                    _swap_in(s, r, place, jack)
                return
    for place in range(seats):
        if s[TRICK + place] == FOOL:
            s[TURN] = (s[LEADER] + place) % seats
            s[ASKED] = ANSWER
            return
    _gather(s, r, s[BEST_AT], -1, -1)


@jit
def _swap_in(s: State, r: State, place: int, jack: int) -> None:
    """Put the jack into the trick instead of the card at `place`, which goes back to the hand. The winner stays."""
    seat = (s[LEADER] + place) % r[SEATS]
    back = s[TRICK + place]
    s[TRICK + place] = jack
    s[HELD_SUITS + seat] ^= 1 << jack
    _hold(s, seat, back)
    _gather(s, r, s[BEST_AT], -1, -1)


@jit
def _hold(s: State, seat: int, card: int) -> None:
    if card < FIRST_TRUMP:
        s[HELD_SUITS + seat] |= 1 << card
    else:
        s[HELD_TRUMPS + seat] |= 1 << card - FIRST_TRUMP


@jit
def _take_back(s: State, r: State, card: int) -> None:
    place = 0
    while s[TRICK + place] != card:
        place += 1
    seat = s[TURN]
    jack = s[TRICK + s[PAIR_AT]] - r[PAIRS]
    _hold(s, seat, card)
    _gather(s, r, s[BEST_AT], jack, place)


@jit
def _answer_early(s: State, r: State) -> None:
    caller = s[CALLER]
    s[CALLER] = -1
    lane = s[LANE]
    seats = r[SEATS]
    jack = lane * 14 + KING - r[CALLS]
    if caller >= 0 and not _in_trick(s, r, jack):
        holder = -1
        for seat in range(seats):
            if s[HELD_SUITS + seat] >> jack & 1:
                holder = seat
        if holder == caller:
            own = (caller - s[LEADER]) % seats
            lowest = -1
            for place in range(seats):
                card = s[TRICK + place]
                numeral = card < FIRST_TRUMP and card // 14 == lane and card % 14 < 10
                if numeral and place != own and (lowest < 0 or card < s[TRICK + lowest]):
                    lowest = place
            if lowest >= 0:
                s[HELD_SUITS + caller] ^= 1 << jack | 1 << s[TRICK + lowest]
                _gather(s, r, s[BEST_AT], jack, lowest)
                return
        elif holder >= 0:
            place = (holder - s[LEADER]) % seats
            if s[TRICK + place] != FOOL:
                _swap_in(s, r, place, jack)
                return
    _gather(s, r, s[BEST_AT], -1, -1)


@jit
def _gather(s: State, r: State, won_at: int, extra: int, gone: int) -> None:
    """Give the trick to its winner and let him lead.

    `extra` is added to the trick; the card at `gone` was taken back.
    """
    seats = r[SEATS]
    winner = (s[LEADER] + won_at) % seats
    suits = 0
    trumps = 0
    fool_of = -1
    for place in range(seats):
        if place != gone:
            card = s[TRICK + place]
            if card < FIRST_TRUMP:
                suits |= 1 << card
            else:
                trumps |= 1 << card - FIRST_TRUMP
                if card == FOOL:
                    fool_of = (s[LEADER] + place) % seats
    if extra >= 0:
        suits |= 1 << extra
    side = s[SIDE + winner]
    s[WON_SUITS + side] |= suits
    s[WON_TRUMPS + side] |= trumps
    s[WON_TRICKS + side] += 1
    s[OUT_SUITS] |= suits
    s[OUT_TRUMPS] |= trumps
    last = s[HELD_SUITS + winner] | s[HELD_TRUMPS + winner] == 0
    if fool_of >= 0 and not (last and r[CAPTURED_LAST]):
        owner = s[SIDE + fool_of]
        if owner != side:
            s[WON_TRUMPS + side] ^= FOOL_MASK
            s[WON_TRUMPS + owner] |= FOOL_MASK
            s[OWED_BY] = owner
            s[OWED_TO] = side
    if s[OWED_BY] >= 0:
        pay_low(s)
    s[TRICKS] += 1
    s[LYING] = 0
    s[LANE] = -1
    s[FIRST] = 0
    s[PAIR_AT] = -1
    s[BEST] = -1
    s[BEST_AT] = 0
    s[LEADER] = winner
    s[TURN] = winner
    s[ASKED] = OVER if last else PLAY


@jit
def pay_low(s: State) -> None:
    """Pay the debt for the Fool with the lowest card worth one point, if there is one."""
    owes = s[OWED_BY]
    to = s[OWED_TO]
    low = s[WON_SUITS + owes] & NUMERALS
    if low:
        low &= -low
        s[WON_SUITS + owes] ^= low
        s[WON_SUITS + to] |= low
    else:
        low = s[WON_TRUMPS + owes] & LOW_TRUMPS
        if not low:
            return
        low &= -low
        s[WON_TRUMPS + owes] ^= low
        s[WON_TRUMPS + to] |= low
    s[OWED_BY] = -1
    s[OWED_TO] = -1
