"""What a computer player would do and why, in the words of a teacher to the player on turn.

Also the wording of facts that could be proven at the table (`domain.bots.reviewing`), and of the prospects of two
actions (`domain.bots.evaluating`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.sursilvan import in_a_row
from domain.bots.common import Reason
from domain.bots.evaluating import Prospects
from domain.bots.reviewing import FactKind
from domain.engine import CODES
from domain.engine.actions import Action
from domain.engine.rulesets import ruleset
from games.text import figures
from games.text.common import Company, is_you, name_of
from rules.text import names
from rules.text import names as rules_text_names

_DOING: Final = {
    "allow": gettext_lazy("Allow a throw-in."),
    "arrange": gettext_lazy("Leave the cards as they lie."),
    "go": gettext_lazy("Go on with these cards."),
    "throw-in": gettext_lazy("Throw the cards in."),
    "quiet": gettext_lazy("Say nothing."),
    "give": gettext_lazy("Put the jack into the trick and take the Fool back."),
    "keep": gettext_lazy("Leave the Fool where it is."),
    "pass": gettext_lazy("Pass."),
    "solo": gettext_lazy("Play a Solo."),
}


def doing(action: Action, game: str) -> str:
    """An action as a short request: "Play the king of cups." `game` is the id of the ruleset."""
    cards = [rules_text_names.card_object(CODES[card]) for card in action.cards]
    if action.verb == "play":
        if len(cards) == 2:
            return _("Play %(king)s and %(jack)s together.") % {"king": cards[0], "jack": cards[1]}
        return _("Play %(card)s.") % {"card": cards[0]}
    if action.verb in ("scart", "discard"):
        return _("Lay away %(cards)s.") % {"cards": in_a_row(cards)}
    if action.verb == "take" and cards:
        return _("Take back %(card)s.") % {"card": cards[0]}
    if action.verb == "call":
        return _("Call %(card)s.") % {"card": cards[0]}
    if action.verb == "take":
        words = rules_text_names.own_word("take").text
        return _("Say “%(words)s” and play with the Tapp.") % {"words": words}
    if action.verb == "packets":
        first, last = action.packets[0], action.packets[-1]
        return _("First %(first)d each, then %(last)d each.") % {"first": first, "last": last}
    if action.verb == "cut":
        text = ngettext("Lift %(number)d card.", "Lift %(number)d cards.", action.number)
        return text % {"number": action.number}
    if action.verb == "deal":
        text = ngettext("Ask for %(number)d round.", "Ask for %(number)d rounds.", action.number)
        return text % {"number": action.number}
    if action.said:
        phrases = in_a_row([_("“%(words)s”") % {"words": rules_text_names.by_id(said).romansh} for said in action.said])
        if action.verb == "allow":
            return _("Allow a throw-in, with %(phrases)s.") % {"phrases": phrases}
        return _("Say %(word)s, with %(phrases)s.") % {"word": _spoken(action.verb), "phrases": phrases}
    if action.verb in ("buob", "give") and calls_cavalier(game):
        call, give = _("Call the cavalier."), _("Put the cavalier into the trick and take the Fool back.")
        return call if action.verb == "buob" else give
    if action.verb in _DOING:
        return str(_DOING[action.verb])
    return _("Say %(word)s.") % {"word": _spoken(action.verb)}


def _spoken(verb: str) -> str:
    own = verb in ("liber", "buob", "buob-sche", "take", "solo")
    return (rules_text_names.own_word(verb) if own else rules_text_names.word(verb)).text


def calls_cavalier(game: str) -> bool:
    """Whether the cavalier is the companion of the king in this game, instead of the jack."""
    call = ruleset(game).call
    return call is not None and call.below_king == 2


_BECAUSE: Final = {
    Reason.FEWER_ROUNDS: gettext_lazy(
        "Bigger packets make wilder hands, and a side that lies behind has little to lose."
    ),
    Reason.ALL_ROUNDS: gettext_lazy("Three rounds give the usual, well-mixed hands."),
    Reason.LEAVE_THE_CARDS: gettext_lazy("Nobody knows how the others will arrange theirs, so order helps little."),
    Reason.CUT_THE_PACK: gettext_lazy("One place is as good as another."),
    Reason.STRONG_HAND: gettext_lazy("These cards are good enough to be played."),
    Reason.PARTNER_IS_STRONG: gettext_lazy("Your partner speaks of a good hand, and two hands count."),
    Reason.WEAK_HAND: gettext_lazy("There is little in these cards: a new deal can only be better."),
    Reason.FAIR_HAND: gettext_lazy("These cards are fair, no more: it is left to the others whether they are played."),
    Reason.NOT_SO_BAD: gettext_lazy("These cards are not bad enough to be thrown in."),
    Reason.MAKE_A_VOID: gettext_lazy("With a suit gone from your hand you can trump it when it is led."),
    Reason.SAVE_POINTS: gettext_lazy("Points that lie in the scart cannot be caught any more."),
    Reason.LAY_LOW: gettext_lazy("These cards would win nothing, and the strong ones stay in your hand."),
    Reason.ANY_PACKETS: gettext_lazy("However the cards are dealt, nobody gains by it."),
    Reason.CALL_THE_STRONGEST: gettext_lazy("Whoever has the highest trump you lack makes the strongest partner."),
    Reason.ONLY_CARD: gettext_lazy("The rules leave you no other card."),
    Reason.LEAD_KING: gettext_lazy("Nothing but a trump beats a king, and now the others may still have to follow."),
    Reason.LEAD_HIGH: gettext_lazy("No higher card of this suit is out any more."),
    Reason.LEAD_LOW: gettext_lazy("It is easily spared, and your strong cards stay for later."),
    Reason.LEAD_TO_PARTNER: gettext_lazy("Your partner is well placed to win this suit."),
    Reason.DRAW_TRUMPS: gettext_lazy("A trump that falls now can no longer beat your good cards."),
    Reason.KING_AND_JACK: gettext_lazy("That is seven points at one go, and a card comes back to you."),
    Reason.BRING_BAGAT_HOME: gettext_lazy("The I is worth five points, and here it should come home."),
    Reason.PROTECT_BAGAT: gettext_lazy("The I is worth five points and would be lost here: another trump goes first."),
    Reason.PARTNER_WINS_SMEAR: gettext_lazy(
        "Your partner will most likely take the trick, so its points count for you both."
    ),
    Reason.PARTNER_WINS_LOW: gettext_lazy(
        "Your partner is winning already: a cheap card will do, and the others stay for later."
    ),
    Reason.WIN_CHEAPLY: gettext_lazy("It may well win the trick, and costs little."),
    Reason.WIN_HIGH: gettext_lazy("It has a good chance to win, and brings its own points home."),
    Reason.WIN_WITH_TRUMP: gettext_lazy("A trump takes the trick, with all that lies in it."),
    Reason.HELP_PARTNER: gettext_lazy(
        "Your partner’s card could still be beaten; this one holds the trick for your side."
    ),
    Reason.LOSE_CHEAPLY: gettext_lazy("This trick is hard to win, and this is the card you miss least."),
    Reason.AVOID_POINTS: gettext_lazy("In a Misere the points hurt: this card should take the fewest."),
    Reason.FOOL_SAVES: gettext_lazy("The Fool costs next to nothing here, and a better card stays in your hand."),
    Reason.FOOL_IN_TIME: gettext_lazy("Few tricks are left: now the Fool still spares you a good card."),
    Reason.CALL_THE_JACK: gettext_lazy("If somebody else holds the jack, you gain its points."),
    Reason.LEAVE_THE_COURT: gettext_lazy("A queen or cavalier lies here, and is worth more than the jack: let it lie."),
    Reason.NOTHING_TO_CALL: gettext_lazy("The jack cannot come, so there is nothing to gain."),
    Reason.JACK_COMES_HOME: gettext_lazy(
        "The trick is your side’s: the jack counts for you, and the Fool can be used again."
    ),
    Reason.KEEP_THE_JACK: gettext_lazy("The trick goes to the others: do not add a jack to it."),
    Reason.TAKE_THE_BEST: gettext_lazy("The strongest numeral is the one that may still win something."),
}
_BECAUSE_OF_A_SIDE: Final = _BECAUSE | {
    Reason.LEAD_TO_PARTNER: gettext_lazy("Somebody on your side is well placed to win this suit."),
    Reason.PARTNER_WINS_SMEAR: gettext_lazy(
        "The trick will most likely stay with your side, so its points count for you."
    ),
    Reason.PARTNER_WINS_LOW: gettext_lazy(
        "Your side is winning already: a cheap card will do, and the others stay for later."
    ),
    Reason.HELP_PARTNER: gettext_lazy(
        "The best card so far is your side’s and could still be beaten; this one holds the trick."
    ),
}
"""Where a player may have several partners, or does not know who it is."""
_BECAUSE_IN_TROGGU: Final = _BECAUSE_OF_A_SIDE | {
    Reason.WEAK_HAND: gettext_lazy("There are too few strong cards here to play against the others."),
    Reason.STRONG_HAND: gettext_lazy("These cards are good enough to play against the others."),
    Reason.LAY_LOW: gettext_lazy("These cards would win nothing, and what you lay away counts for your side."),
    Reason.SAVE_POINTS: gettext_lazy("What you lay away counts for your side: these points are safe."),
}
_BECAUSE_OF_THE_CAVALIER: Final = _BECAUSE | {
    Reason.KING_AND_JACK: gettext_lazy("That is eight points at one go, and a card comes back to you."),
    Reason.CALL_THE_JACK: gettext_lazy("If somebody else holds the cavalier, you gain its points."),
    Reason.NOTHING_TO_CALL: gettext_lazy("The cavalier cannot come, so there is nothing to gain."),
    Reason.JACK_COMES_HOME: gettext_lazy(
        "The trick is your side’s: the cavalier counts for you, and the Fool can be used again."
    ),
    Reason.KEEP_THE_JACK: gettext_lazy("The trick goes to the others: do not add a cavalier to it."),
    Reason.TAKE_THE_BEST: gettext_lazy("It is worth the most in your hand, and the trick can spare it."),
}


def because(reason: Reason, game: str) -> str:
    """The reason for a suggestion in a sentence. It speaks of one partner only where there is one, who is known."""
    if calls_cavalier(game):
        return str(_BECAUSE_OF_THE_CAVALIER[reason])
    if game.startswith("troggu"):
        return str(_BECAUSE_IN_TROGGU[reason])
    return str((_BECAUSE if len(ruleset(game).sides) <= 4 else _BECAUSE_OF_A_SIDE)[reason])


FAR_APART: Final = 5
"""The least difference worth mentioning of shares and of numbers of tricks, both in hundredths."""
A_POINT: Final = 30
"""The least difference worth mentioning of card points, in hundredths."""


def compared(both: Sequence[Prospects], name: str = "", *, fewer: bool = False) -> Iterator[str]:
    """The advantages of the better of two actions: who gets the trick and the I, the points of the trick, and the
    tricks to come.

    `fewer`: tricks and points are bad, as in a Misere. The sentences address the player who decides, or are about the
    player `name`.
    """
    if not both:
        return
    best, other = both
    comparisons: list[tuple[str, str, object, object]] = []
    if _more(best.trick, other.trick, fewer=fewer):
        own = _("With the better choice this trick goes to your side in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        theirs = _("With the better choice this trick goes to the side of %(name)s in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        comparisons.append((own, theirs, best.trick, other.trick))
    elif _more(best.points, other.points, A_POINT, fewer=fewer):  # more tricks mean more points anyway
        own = _("With the better choice this trick brings your side %(best)s card points on average, with the other %(other)s.")  # fmt: skip
        theirs = _("With the better choice this trick brings the side of %(name)s %(best)s card points on average, with the other %(other)s.")  # fmt: skip
        comparisons.append((own, theirs, figures.decimal(best.points / 100), figures.decimal(other.points / 100)))
    if _more(best.bagat, other.bagat, fewer=fewer):
        own = _("With the better choice the I ends with your side in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        theirs = _("With the better choice the I ends with the side of %(name)s in %(best)s %% of the cases, with the other in %(other)s %%.")  # fmt: skip
        comparisons.append((own, theirs, best.bagat, other.bagat))
    if _more(best.tricks, other.tricks, fewer=fewer):
        own = _("With the better choice your side takes %(best)s tricks on average from this one on, with the other %(other)s.")  # fmt: skip
        theirs = _("With the better choice the side of %(name)s takes %(best)s tricks on average from this one on, with the other %(other)s.")  # fmt: skip
        comparisons.append((own, theirs, figures.decimal(best.tricks / 100, 2), figures.decimal(other.tricks / 100, 2)))
    for own, theirs, more, less in comparisons:
        yield (theirs if name else own) % {"name": name, "best": more, "other": less}


def _more(best: int, other: int, least: int = FAR_APART, *, fewer: bool) -> bool:
    return (other - best if fewer else best - other) >= least


@dataclass(frozen=True, slots=True)
class FactSeen:
    """A fact that could be proven (`domain.bots.reviewing.FactKind`); `suit` is a letter, T for trumps."""

    kind: FactKind
    seat: int
    card: str
    suit: str
    number: int


def fact(seen: FactSeen, company: Company) -> str:
    """A fact that could be proven, as a sentence in the past tense, as part of a review."""
    fields = {
        "name": name_of(seen.seat, company) if seen.seat >= 0 else "",
        "card": names.card_object(seen.card) if seen.card else "",
        "suit": names.suit_name(seen.suit) if seen.suit else "",
        "number": seen.number,
    }
    own, other = _fact(seen)
    return (own if is_you(seen.seat, company) else other) % fields


def _fact(seen: FactSeen) -> tuple[str, str]:
    """Two sentences: one addressed to the player it is about, and one about somebody else."""
    points = seen.number
    match seen.kind:
        case FactKind.SHOWN_VOID | FactKind.PARTNER_VOID:
            return (
                _("You had not followed suit in %(suit)s before and could still have trumps."),
                _("%(name)s had not followed suit in %(suit)s before and could still have trumps."),
            )
        case FactKind.HIGHER_HELD:
            return (
                _("It was certain that you held %(card)s."),
                _("It was certain that %(name)s held %(card)s."),
            )
        case FactKind.HIGHEST_LEFT if seen.suit == "T":
            sentence = _("No trump could beat %(card)s any more.")
        case FactKind.HIGHEST_LEFT:
            sentence = _("No card of its suit higher than %(card)s was out any more.")
        case FactKind.TRUMPS_OUT:
            sentence = ngettext(
                "%(number)d trump had not been seen yet.", "%(number)d trumps had not been seen yet.", points
            )
        case FactKind.COULD_WIN:
            sentence = _("Nobody played after this card: %(card)s would have won the trick for certain.")
        case FactKind.ALREADY_OURS:
            return (
                _("Nobody played after this card, and the trick was yours already."),
                _("Nobody played after this card, and the trick already belonged to the player’s own side (%(name)s)."),
            )
        case FactKind.GAVE_POINTS:
            sentence = ngettext(
                "The trick was lost for certain: %(card)s gave away %(number)d point more.",
                "The trick was lost for certain: %(card)s gave away %(number)d points more.",
                points,
            )
        case FactKind.COULD_BRING:
            sentence = ngettext(
                "The trick was won for certain: %(card)s would have brought %(number)d point more.",
                "The trick was won for certain: %(card)s would have brought %(number)d points more.",
                points,
            )
    return sentence, sentence
