"""What the teacher explains when: at each question the first topic that fits it and has not come up before.

The teacher's suggestion in words: what to do, and why a good player would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.bots import Reason
from domain.engine import CODES, Action
from domain.engine.cards import FOOL_BIT, NO_LANE, TRUMPS
from domain.engine.view import View
from games.lessons.moments import Moment
from games.text.common import in_a_row
from rules.text import names as rules_text_names

Fits: TypeAlias = Callable[[Moment], bool]

OWN: Final = "own"
"""Nothing new: the learner plays on."""


def _jack_came(moment: Moment) -> bool:
    kinds = {news.kind for news in moment.news}
    return "called" in kinds and "jack-given" in kinds


def _fool_paid(moment: Moment) -> bool:
    return any(news.kind in ("fool-owed", "fool-paid") for news in moment.news)


def _in_suit(moment: Moment) -> bool:
    return NO_LANE < moment.lane < TRUMPS and bool(moment.follows)


def _smears(moment: Moment) -> bool:
    return moment.partner_wins and moment.best_to_give > 1


def _fool_may_save(moment: Moment) -> bool:
    lost = moment.winner is not None and not moment.partner_wins
    return bool(moment.held & FOOL_BIT) and lost and moment.trick > 2


OF_PLAY: Final[tuple[tuple[str, Fits], ...]] = (
    ("last", lambda moment: moment.cards_left == 1),
    # what has just happened
    ("jack-came", _jack_came),
    ("fool-debt", _fool_paid),
    # what the rules ask for now
    ("pair", lambda moment: bool(moment.pairs)),
    ("trump", lambda moment: moment.must_trump),
    ("free", lambda moment: moment.is_free),
    ("follow", _in_suit),
    # what plays well
    ("values", lambda moment: moment.trick > 1),
    ("smear", _smears),
    ("excuse", _fool_may_save),
    ("trumps-led", lambda moment: moment.lane == TRUMPS and bool(moment.follows)),
    ("lead-king", lambda moment: moment.leads and bool(moment.lone_kings)),
    ("lead", lambda moment: moment.leads),
    ("ranks", _in_suit),
    # when there is time for it
    ("explain", lambda moment: moment.trick > 3),
    ("laid-away", lambda moment: moment.trick > 4),
    ("memory", lambda moment: moment.trick > 6),
    ("half", lambda moment: moment.trick > 9),
)
"""The topics of the play, in the order of precedence. What a moment's news tell cannot wait, the rest can."""


_LASTING: Final = {topic for topic, _ in OF_PLAY} | {"call", "call-again", "fool", "take"}
"""What stays on the page while the others play their cards."""


def topics(told: Sequence[Moment]) -> tuple[str, ...]:
    """The topic of each question, in their order. A question that comes again has `-again` behind its topic."""
    found: list[str] = []
    for moment in told:
        if moment.asked == "play":
            fitting = (topic for topic, fits in OF_PLAY if topic not in found and fits(moment))
            found.append(next(fitting, OWN))
        else:
            found.append(f"{moment.asked}-again" if moment.asked in found else moment.asked)
    return tuple(found)


def between(view: View, last: str) -> str:
    """The topic while others act, after the question whose topic was `last` ("" before the first)."""
    if view.asked == "scart":
        return "scart-watch"
    if view.asked in ("deal", "arrange", "cut", "talk", "free", "decide"):
        return "dealing"
    return last if last in _LASTING else "watch"


def doing(action: Action) -> str:
    """What to do, as a short request: "Play the king of cups." """
    cards = [rules_text_names.card_object(CODES[card]) for card in action.cards]
    if action.verb == "play":
        if len(cards) == 2:
            return _("Play %(king)s and %(jack)s together.") % {"king": cards[0], "jack": cards[1]}
        return _("Play %(card)s.") % {"card": cards[0]}
    if action.verb == "scart":
        return _("Lay away %(cards)s.") % {"cards": in_a_row(cards)}
    if action.verb == "take" and cards:
        return _("Take back %(card)s.") % {"card": cards[0]}
    if action.verb == "cut":
        text = ngettext("Lift %(number)d card.", "Lift %(number)d cards.", action.number)
        return text % {"number": action.number}
    if action.verb == "deal":
        text = ngettext("Ask for %(number)d round.", "Ask for %(number)d rounds.", action.number)
        return text % {"number": action.number}
    if action.said:
        phrases = in_a_row([_("“%(words)s”") % {"words": rules_text_names.by_id(said).romansh} for said in action.said])
        return _("Say %(word)s, with %(phrases)s.") % {"word": _spoken(action.verb), "phrases": phrases}
    return _answers().get(action.verb) or _("Say %(word)s.") % {"word": _spoken(action.verb)}


def _spoken(verb: str) -> str:
    own = verb in ("liber", "buob", "buob-sche")
    return (rules_text_names.own_word(verb) if own else rules_text_names.word(verb)).text


def _answers() -> dict[str, str]:
    return {
        "arrange": _("Leave the cards as they lie."),
        "go": _("Go on with these cards."),
        "throw-in": _("Throw the cards in."),
        "quiet": _("Say nothing."),
        "give": _("Put the jack into the trick and take the Fool back."),
        "keep": _("Leave the Fool where it is."),
    }


def because(reason: Reason) -> str:
    """Why, in one sentence."""
    return {
        Reason.FEWER_ROUNDS: _("Bigger packets make wilder hands, and a side that lies behind has little to lose."),
        Reason.ALL_ROUNDS: _("Three rounds give the usual, well-mixed hands."),
        Reason.LEAVE_THE_CARDS: _("Nobody knows how the others will arrange theirs, so order helps little."),
        Reason.CUT_THE_PACK: _("One place is as good as another."),
        Reason.STRONG_HAND: _("These cards are good enough to be played."),
        Reason.PARTNER_IS_STRONG: _("Your partner speaks of a good hand, and two hands count."),
        Reason.WEAK_HAND: _("There is little in these cards: a new deal can only be better."),
        Reason.MAKE_A_VOID: _("With a suit gone from your hand you can trump it when it is led."),
        Reason.SAVE_POINTS: _("Points that lie in the scart cannot be caught any more."),
        Reason.LAY_LOW: _("These cards would win nothing, and the strong ones stay in your hand."),
        Reason.ANY_PACKETS: _("However the cards are dealt, nobody gains by it."),
        Reason.CALL_THE_STRONGEST: _("Whoever has the highest trump you lack makes the strongest partner."),
        Reason.ONLY_CARD: _("The rules leave you no other card."),
        Reason.LEAD_KING: _("Nothing but a trump beats a king, and the jack may be called when he wins."),
        Reason.LEAD_HIGH: _("No higher card of this suit is out any more."),
        Reason.LEAD_LOW: _("It costs next to nothing, and your strong cards stay for later."),
        Reason.LEAD_TO_PARTNER: _("Your partner is well placed to win this suit."),
        Reason.DRAW_TRUMPS: _("Every trump that falls now cannot beat your good cards later."),
        Reason.KING_AND_JACK: _("That is seven points at one go, and a card comes back to you."),
        Reason.BRING_BAGAT_HOME: _("The I is worth five points, and this is its chance to win a trick."),
        Reason.PROTECT_BAGAT: _("The I is worth five points and would be lost here: another trump goes first."),
        Reason.PARTNER_WINS_SMEAR: _("Your partner will most likely take the trick, so its points count for you both."),
        Reason.PARTNER_WINS_LOW: _("Your partner is winning already: a cheap card will do."),
        Reason.WIN_CHEAPLY: _("It wins the trick, and you keep the higher cards."),
        Reason.WIN_HIGH: _("It has a good chance to win, and brings its own points home."),
        Reason.WIN_WITH_TRUMP: _("A trump takes the trick, with all that lies in it."),
        Reason.HELP_PARTNER: _("Your partner’s card could still be beaten; this one holds the trick for your side."),
        Reason.LOSE_CHEAPLY: _("This trick is hard to win, so give as little as you can."),
        Reason.AVOID_POINTS: _("In a Misere the points hurt: this card should take the fewest."),
        Reason.FOOL_SAVES: _("The Fool costs nothing here, and a better card stays in your hand."),
        Reason.FOOL_IN_TIME: _("Few tricks are left: now the Fool still spares you a good card."),
        Reason.CALL_THE_JACK: _("If somebody else holds the jack, you gain its points."),
        Reason.LEAVE_THE_COURT: _("A queen or cavalier lies here, and is worth more than the jack: let it lie."),
        Reason.NOTHING_TO_CALL: _("The jack cannot come, so there is nothing to gain."),
        Reason.JACK_COMES_HOME: _("The trick is your side’s: the jack counts for you, and the Fool can be used again."),
        Reason.KEEP_THE_JACK: _("The trick goes to the others: do not add a jack to it."),
        Reason.TAKE_THE_BEST: _("The strongest numeral is the one that may still win something."),
    }[reason]
