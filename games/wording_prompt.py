"""The one line that says what is asked, of whom, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording_undo
from games.seen import Question, Sight
from games.wording_people import name_of
from rules import names


def prompt(sight: Sight) -> str:
    """What is asked now: "Your turn: follow cups, or play the Fool.", "Beat is choosing two cards to lay away." """
    question = sight.question
    if sight.status != "playing":
        return {
            "finished": _("The game is finished."),
            "resigned": _("The game ended because a player left."),
        }.get(sight.status, _("This game was closed because nobody came back."))
    asked = wording_undo.proposal(sight)
    if asked:
        return asked
    if question.asked == "sit":
        return _sitting(sight)
    if question.mine:
        return _asked_of_you(question)
    if question.seat is None:
        return _("The table is being made ready.")
    return asked_of_other(question, name_of(question.seat, sight))


def _sitting(sight: Sight) -> str:
    waiting = [seat.name for seat in sight.seats if not seat.ready and not seat.own]
    if sight.question.mine:
        if sight.hand == 1:
            return _("Take your seat to begin.")
        return _("The hand is over. Begin the next one when you are ready.")
    if len(waiting) == 1:
        return _("Waiting for %(name)s to begin the hand.") % {"name": waiting[0]}
    return _("Waiting for the players to begin the hand.")


def _asked_of_you(question: Question) -> str:
    if question.asked == "play":
        return _play(question)
    if question.asked == "discard":
        return ngettext(
            "You took up the Tapp: lay away %(count)d card.",
            "You took up the Tapp: lay away %(count)d cards.",
            question.choose,
        ) % {"count": question.choose}
    if question.asked == "bid" and all(choice.verb != "take" for choice in question.choices):
        return _("Your turn to bid: pass, or play a Solo?")
    if question.asked == "call" and question.calls == "N":
        return _("You won the king of %(suit)s: call for its cavalier?") % {"suit": names.suit_name(question.suit)}
    if question.asked == "scart":
        return ngettext(
            "You dealt: lay away %(count)d card that counts less than five.",
            "You dealt: lay away %(count)d cards that count less than five.",
            question.choose,
        ) % {"count": question.choose}
    suit = {"suit": names.suit_name(question.suit)} if question.suit else {"suit": ""}
    return {
        "deal": _("Your side is behind: in how many rounds shall the cards be dealt?"),
        "arrange": _("Arrange the cards of your tricks, or leave them as they lie."),
        "cut": _("Your turn: cut the pack."),
        "talk": _("Your turn to speak: may the cards be thrown in?"),
        "free": _("Both allowed it. Your turn to speak: liber or veto?"),
        "demand": _("Both allowed it. Shall the cards be thrown in?"),
        "bid": _("Your turn to bid: pass, play with the Tapp, or play a Solo?"),
        "partner": _("Which trump shall your partner hold?"),
        "packets": _("You deal: in which packets?"),
        "decide": _("Liber: go on with these cards, or throw them in?"),
        "call": _("You won the king of %(suit)s: call for its jack?") % suit,
        "fool": _("The jack of %(suit)s did not come. What about your Fool?") % suit,
        "take": _("Take back a numeral card of %(suit)s for your jack.") % suit
        if question.calls == "J"
        else _("Take back a card of another player for your cavalier."),
    }.get(question.asked, _("Your turn."))


def _play(question: Question) -> str:
    if question.reason == "lead":
        return _("Your turn: lead any card.")
    if question.reason == "free":
        return _("Your turn: the Fool was led, so play any card. It sets the suit.")
    if question.reason == "lead-trump":
        return _("Your turn: lead a trump, or the Fool.") if question.fool else _("Your turn: lead a trump.")
    suit = {"suit": names.suit_name(question.suit)} if question.suit else {"suit": ""}
    if question.reason == "called":
        return _("Your turn: the jack of %(suit)s was called, so play it.") % suit
    if question.reason == "withhold":
        return _("Your turn: the Fool is your only trump. Play it, or another card and keep it to the last trick.")
    trumps = question.suit == "T"
    if question.reason == "follow":
        if trumps:
            return _("Your turn: play a trump, or the Fool.") if question.fool else _("Your turn: play a trump.")
        if question.fool:
            return _("Your turn: follow %(suit)s, or play the Fool.") % suit
        return _("Your turn: follow %(suit)s.") % suit
    if question.reason == "trump":
        if question.fool:
            return _("Your turn: you have no %(suit)s, so play a trump or the Fool.") % suit
        return _("Your turn: you have no %(suit)s, so play a trump.") % suit
    if trumps:
        return _("Your turn: you have no trump, so play any card.")
    return _("Your turn: you have neither %(suit)s nor trumps, so play any card.") % suit


def asked_of_other(question: Question, name: str) -> str:
    """What somebody else, called `name`, is asked: "Beat is cutting the pack." """
    who = {"name": name}
    return {
        "deal": _("%(name)s may ask for a shorter deal."),
        "arrange": _("%(name)s is arranging the cards of the last hand."),
        "cut": _("%(name)s is cutting the pack."),
        "talk": _("%(name)s is speaking."),
        "free": _("%(name)s is speaking."),
        "decide": _("%(name)s decides whether the cards are played."),
        "scart": _("%(name)s is choosing cards to lay away."),
        "discard": _("%(name)s has taken up the Tapp and is laying cards away."),
        "bid": _("%(name)s is bidding."),
        "partner": _("%(name)s is calling a partner."),
        "packets": _("%(name)s is choosing the packets of the deal."),
        "demand": _("%(name)s decides whether the cards are thrown in."),
        "play": _("%(name)s is playing a card."),
        "call": _("%(name)s may call for the jack."),
        "fool": _("%(name)s is asked about the Fool."),
        "take": _("%(name)s takes a card back."),
    }.get(question.asked, _("%(name)s is thinking.")) % who
