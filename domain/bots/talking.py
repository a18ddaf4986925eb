"""The talk (tschintschar): going on or throwing in by the strength of the hand, and telling the partner about it.

What is said is true in the manner of the phrase book: it tells of trumps, kings, the Fool and the hand as a whole, never
of a suit, and of no card by name but the Fool.
"""

from __future__ import annotations

from typing import Final

from domain.bots.common import Advice, Dice, Reason
from domain.bots.fast.likelihood import strength as tenths
from domain.engine.actions import BARE, Action
from domain.engine.cards import (
    BIT,
    COURTS,
    FIRST_TRUMP,
    FOOL_BIT,
    KINGS,
    LANE_SIZE,
    LANES,
    SUIT_CARDS,
    TRUMP_CARDS,
    CardSet,
    cards_in,
)
from domain.engine.dealing import phrase_book
from domain.engine.legal import LegalWords
from domain.engine.view import View

GOOD: Final = 1.5  # strength above the average hand of as many cards: better than about two hands in three
GOOD_AT_LAST: Final = GOOD + 0.5
"""After the last round a veto needs more: before it, a veto only leads to the next interval, which tells more."""
GOES_ON: Final = 1.0
"""What the third needs, together with what the partner told."""
BAD: Final = -2.6
_HIGH_TRUMP: Final = FIRST_TRUMP + 14  # XV


def strength(held: CardSet) -> float:
    """How good a hand is, in points its side will probably make more than with another: high trumps, the Fool with trumps
    to follow, kings. The I is worth something only among many trumps, and a cavalier or jack without its king is a loss.

    The weights follow what 1,500 played hands of Troccas made of such cards.
    """
    return tenths(held & SUIT_CARDS, held >> FIRST_TRUMP) / 10


AVERAGE: Final = 0.49  # the mean strength of a card in hands of 6 to 19


def edge(held: CardSet) -> float:
    """The strength of a hand above that of an average hand of as many cards."""
    return strength(held) - AVERAGE * held.bit_count()


def talk(view: View, dice: Dice) -> Advice:
    """One of the first speakers: goes on with a good hand, else consents and says how it stands."""
    value = edge(view.held)
    legal = view.legal
    assert isinstance(legal, LegalWords)
    if value >= (GOOD_AT_LAST if view.dealt == view.rounds else GOOD):
        return Advice(_say(BARE["veto"], legal, _veto_phrases(view), dice), Reason.STRONG_HAND)
    reason = Reason.WEAK_HAND if value < 0 else Reason.STRONG_HAND
    return Advice(_say(BARE["allow"], legal, true_phrases(view.held), dice), reason)


def free(view: View, dice: Dice) -> Advice:
    """The third: goes on with a good hand, or with a fair one if the partner spoke of a good one."""
    legal = view.legal
    assert isinstance(legal, LegalWords)
    told = _partner_told(view)
    value = edge(view.held)
    if value + told >= GOES_ON:
        reason = Reason.STRONG_HAND if value >= 1.0 else Reason.PARTNER_IS_STRONG
        return Advice(_say(BARE["veto"], legal, _veto_phrases(view), dice), reason)
    return Advice(BARE["liber"], Reason.WEAK_HAND)


def decide(view: View, dice: Dice) -> Advice:
    """The dealer: throws in what is bad together with what the partner told."""
    told = _partner_told(view)
    value = edge(view.held)
    if value + told <= BAD:
        return Advice(BARE["throw-in"], Reason.WEAK_HAND)
    return Advice(BARE["go"], Reason.STRONG_HAND if value >= 0 else Reason.PARTNER_IS_STRONG)


def demand(view: View, dice: Dice) -> Advice:
    """The third, where he alone may throw in: not with a hand that is better than most."""
    if edge(view.held) + _partner_told(view) >= 0:
        return Advice(BARE["veto"], Reason.STRONG_HAND)
    return Advice(BARE["throw-in"], Reason.WEAK_HAND)


def _partner_told(view: View) -> float:
    """What the partner's words in this interval are worth, from -1.5 (nothing there) to +1.5, by the phrase book."""
    book = phrase_book()
    partners = view.partners()
    told = [
        book[phrase].strength
        for spoken in view.spoken
        if spoken.round == view.dealt and spoken.seat in partners
        for phrase in spoken.action.said
        if phrase in book
    ]
    return 0.6 * (sum(told) / len(told) - 2.5) if told else 0.0


def worded(view: View, action: Action, dice: Dice) -> Action:
    """A word of the talk with a phrase to go with it, as in `talk`; any other action as it is."""
    legal = view.legal
    if not isinstance(legal, LegalWords) or not legal.talk or action.verb not in ("allow", "veto"):
        return action
    return _say(action, legal, _veto_phrases(view) if action.verb == "veto" else true_phrases(view.held), dice)


def _say(bare: Action, legal: LegalWords, fitting: list[str], dice: Dice) -> Action:
    """`bare` with one fitting phrase, where the table allows phrases."""
    sayable = [phrase for phrase in fitting if phrase in legal.phrases]
    if not legal.talk or not sayable:
        return bare
    return Action(bare.verb, said=(dice.one_of(sayable),))


def _veto_phrases(view: View) -> list[str]:
    last = view.dealt == view.rounds
    return (
        ["nus-dein", "tuttas", "jeu-stun", "jeu-mirel"] if last else ["dai-vinavon", "aunc-sis-da-quellas", "jeu-stun"]
    )


def true_phrases(held: CardSet) -> list[str]:
    """The phrases of the book that tell the truth about `held`, the most telling theme only.

    A hand that is good or bad as a whole says so; one in between tells of its best single thing.
    """
    value = edge(held)
    if value <= -1.5 and not held & (KINGS | FOOL_BIT):
        return _as_a_whole(held)
    return (_strong_things(held) if value >= 1.0 else _single_things(held)) or _as_a_whole(held)


def all_true_phrases(held: CardSet) -> list[str]:
    """All phrases of `true_phrases` that tell the truth about `held`, the most telling first."""
    return list(dict.fromkeys((*true_phrases(held), *_strong_things(held), *_single_things(held), *_as_a_whole(held))))


def _as_a_whole(held: CardSet) -> list[str]:
    value = edge(held)
    if value >= 1.0:
        return ["jeu-gidel", "jeu-sun-cheu", "mia-part-bein", "jeu-hai-miu-giug", "paset"]
    if value <= -1.5 and not held & (KINGS | FOOL_BIT):
        return ["autras", "lavadas", "buca-cheu", "vitas", "senza-mei", "pasun"]
    return ["strusch-mia-part", "pli-bugen-autras", "tric-e-trac", "pas"]


def _strong_things(held: CardSet) -> list[str]:
    trumps = held & TRUMP_CARDS
    count = trumps.bit_count()
    found = []
    if count * 5 >= held.bit_count() * 2:
        found.append("encunter-salvaplauna" if trumps >> _HIGH_TRUMP else "tschec-da-medel")
    if held & FOOL_BIT and count >= 2:
        found.append("il-narr-bein")
    kings = held & KINGS
    if kings.bit_count() == 2:
        found.append("ina-flur")
    for king in cards_in(kings):
        courts = (held & COURTS & LANES[king // LANE_SIZE]).bit_count()
        if courts == 4:
            found.append("ina-famiglia")
        elif held & BIT[king - 1]:
            found.append("ina-napla")
    return found


def _single_things(held: CardSet) -> list[str]:
    trumps = held & TRUMP_CARDS
    count = trumps.bit_count()
    found = []
    if held & FOOL_BIT and not trumps:
        found.append("il-narr-blut")
    if count == 2:
        found.append("duas-da-medel")
    elif 3 <= count * 6 <= held.bit_count() * 2:
        found.append("jeu-sun-da-medel")
    kings = held & KINGS
    if kings.bit_count() == 1:
        mates = held & LANES[(kings.bit_length() - 1) // LANE_SIZE] & ~kings
        found.append("in-fluretg" if mates else "in-fluretg-nausch")
    elif not kings and (held & COURTS).bit_count() >= 2:
        found += ["ina-femna", "in-tec-carn"]
    return found
