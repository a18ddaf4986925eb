"""The talk (tschintschar): going on or throwing in by the strength of the hand, and hinting at it to the partner.

What computer players say is true by the phrase book. It is about trumps, kings, the Fool and the hand as a whole, never
about a suit, and it names no card but the Fool.
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
from domain.engine.legal import LegalWords
from domain.engine.talk import phrase_book
from domain.engine.view import View

GOOD: Final = 1.5  # strength above the average hand of as many cards: better than about two hands in three
GOOD_AT_LAST: Final = GOOD + 0.5
"""After the last round a veto needs more; earlier, it only leads to the next interval, in which more is known."""
GOES_ON: Final = 1.0
"""What the third needs for going on, including the partner's hint."""
BAD: Final = -2.6
_HIGH_TRUMP: Final = FIRST_TRUMP + 14  # XV


def strength(held: CardSet) -> float:
    """How good a hand is, in points that its side will probably make because of it.

    High trumps, kings, and the Fool with trumps to follow are good. The I is worth something only among many trumps,
    and a cavalier or jack without its king is a loss. The weights come from the results of 1,500 played hands of
    Troccas.
    """
    return tenths(held & SUIT_CARDS, held >> FIRST_TRUMP) / 10


AVERAGE: Final = 0.49  # the mean strength of a card in hands of 6 to 19


def edge(held: CardSet) -> float:
    """The strength of a hand minus that of an average hand of as many cards."""
    return strength(held) - AVERAGE * held.bit_count()


def talk(view: View, dice: Dice) -> Advice:
    """For one of the first speakers: go on with a good hand, else consent and hint at the hand."""
    value = edge(view.held)
    legal = view.legal
    assert isinstance(legal, LegalWords)
    good = GOOD_AT_LAST if view.dealt == view.rounds else GOOD
    if value >= good:
        return Advice(_say(BARE["veto"], legal, _veto_phrases(view), dice), Reason.STRONG_HAND)
    return Advice(_say(BARE["allow"], legal, true_phrases(view.held), dice), _why_leave_it(value))


def _why_leave_it(value: float) -> Reason:
    """The reason for leaving it to the others whether the cards are played."""
    return Reason.WEAK_HAND if value < 0 else Reason.FAIR_HAND


def free(view: View, dice: Dice) -> Advice:
    """For the third: go on with a good hand, or with a fair one if the partner hinted at a good one."""
    legal = view.legal
    assert isinstance(legal, LegalWords)
    hint = _partners_hint(view)
    value = edge(view.held)
    if value + hint >= GOES_ON:
        reason = Reason.STRONG_HAND if value >= 1.0 else Reason.PARTNER_IS_STRONG
        return Advice(_say(BARE["veto"], legal, _veto_phrases(view), dice), reason)
    return Advice(BARE["liber"], _why_leave_it(value))


def decide(view: View, dice: Dice) -> Advice:
    """For the dealer: throw in a hand that is bad, taking the partner's hint into account."""
    hint = _partners_hint(view)
    value = edge(view.held)
    if value + hint <= BAD:
        return Advice(BARE["throw-in"], Reason.WEAK_HAND)
    reason = Reason.PARTNER_IS_STRONG if hint > 0 else Reason.NOT_SO_BAD
    return Advice(BARE["go"], Reason.STRONG_HAND if value >= 0 else reason)


def demand(view: View, dice: Dice) -> Advice:
    """For the third, if he alone may throw in: throw in unless the hand is better than average, including the hint."""
    value = edge(view.held)
    if value + _partners_hint(view) >= 0:
        return Advice(BARE["veto"], Reason.STRONG_HAND if value >= 0 else Reason.PARTNER_IS_STRONG)
    return Advice(BARE["throw-in"], Reason.WEAK_HAND)


def _partners_hint(view: View) -> float:
    """The value of the partner's words in this interval by the phrase book, from -1.5 (nothing there) to +1.5."""
    book = phrase_book()
    partners = view.partners()
    strengths = [
        book[phrase].strength
        for spoken in view.spoken
        if spoken.round == view.dealt and spoken.seat in partners
        for phrase in spoken.action.said
        if phrase in book
    ]
    return 0.6 * (sum(strengths) / len(strengths) - 2.5) if strengths else 0.0


def worded(view: View, action: Action, dice: Dice) -> Action:
    """A word of the talk with a suitable phrase added, as in `talk`; any other action unchanged."""
    legal = view.legal
    if not isinstance(legal, LegalWords) or not legal.talk or action.verb not in ("allow", "veto"):
        return action
    return _say(action, legal, _veto_phrases(view) if action.verb == "veto" else true_phrases(view.held), dice)


def _say(bare: Action, legal: LegalWords, fitting: list[str], dice: Dice) -> Action:
    """`bare` with one of the fitting phrases, if the table allows phrases."""
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
    """The phrases of the book that tell the truth about `held`, only those of the most informative theme.

    For a hand that is good or bad as a whole they say so; for one in between they are about its best feature.
    """
    value = edge(held)
    if value <= -1.5 and not held & (KINGS | FOOL_BIT):
        return _as_a_whole(held)
    return (_strong_things(held) if value >= 1.0 else _single_things(held)) or _as_a_whole(held)


def all_true_phrases(held: CardSet) -> list[str]:
    """All phrases that tell the truth about `held`, the most informative first."""
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
    phrases = []
    if count * 5 >= held.bit_count() * 2:
        phrases.append("encunter-salvaplauna" if trumps >> _HIGH_TRUMP else "tschec-da-medel")
    if held & FOOL_BIT and count >= 2:
        phrases.append("il-narr-bein")
    kings = held & KINGS
    if kings.bit_count() == 2:
        phrases.append("ina-flur")
    for king in cards_in(kings):
        courts = (held & COURTS & LANES[king // LANE_SIZE]).bit_count()
        if courts == 4:
            phrases.append("ina-famiglia")
        elif held & BIT[king - 1]:
            phrases.append("ina-napla")
    return phrases


def _single_things(held: CardSet) -> list[str]:
    trumps = held & TRUMP_CARDS
    count = trumps.bit_count()
    phrases = []
    if held & FOOL_BIT and not trumps:
        phrases.append("il-narr-blut")
    if count == 2:
        phrases.append("duas-da-medel")
    elif 3 <= count * 6 <= held.bit_count() * 2:
        phrases.append("jeu-sun-da-medel")
    kings = held & KINGS
    if kings.bit_count() == 1:
        mates = held & LANES[(kings.bit_length() - 1) // LANE_SIZE] & ~kings
        phrases.append("in-fluretg" if mates else "in-fluretg-nausch")
    elif not kings and (held & COURTS).bit_count() >= 2:
        phrases += ["ina-femna", "in-tec-carn"]
    return phrases
