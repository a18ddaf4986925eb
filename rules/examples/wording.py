"""What the answers say, in the active language. Players are called by their place in the trick: player 1 leads."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine import CODES, Illegality
from domain.engine.cards import TRUMPS
from rules.examples.answering import CardAnswer, Event, PlayAnswer, TrickAnswer, Won
from rules.text import legality, names

SUITS = "COSBT"


def player(place: int) -> str:
    """A player by the place, from 0, for labels and at the beginning of a sentence."""
    return _("Player %(number)d") % {"number": place + 1}


def players(places: Sequence[int]) -> str:
    """Several of them: "players 1 and 3"."""
    numbers = [str(place + 1) for place in places]
    listed = get_text_list(numbers, _("and"))
    return ngettext("player %(numbers)s", "players %(numbers)s", len(numbers)) % {"numbers": listed}


def signed(score: int) -> str:
    """A score with its sign, a real minus before what is lost."""
    return f"+{number_format(score)}" if score > 0 else number_format(score).replace("-", "−")


def less(number: int) -> str:
    """Something taken off."""
    return f"−{number_format(number)}"


# --- What may be played ------------------------------------------------------------------------------------------------


def asked_play(answer: PlayAnswer, place: int, laid: int) -> str:
    """The question, with what lies there."""
    if not laid:
        return _("You lead to this trick. What may you play?")
    return _("You are player %(number)d. What may you play?") % {"number": place + 1}


def card_answer(card: CardAnswer, answer: PlayAnswer, ruleset: str) -> str:
    """Whether a card may be played, and why."""
    if card.why is not None:
        return why_illegal(card.why)
    return legality.permission(
        card.code, answer.reason, ruleset=ruleset, suit=answer.suit, pair=card.pair, call=card.call
    )


def why_illegal(broken: Illegality) -> str:
    """The rule that forbids a card."""
    return legality.refusal(
        str(broken.rule),
        card=CODES[broken.card] if broken.card is not None else "",
        suit=SUITS[broken.lane] if broken.lane is not None else "",
        number=broken.number,
    )


# --- Who wins ----------------------------------------------------------------------------------------------------------


def why_wins(won: Won) -> str:
    """Who wins the trick and why, in a sentence or two."""
    told = {
        "number": won.place + 1,
        "card": names.card_name(CODES[won.card], in_sentence=True),
        "suit": names.suit_name(SUITS[won.lane]) if won.lane >= 0 else "",
    }
    text = {
        "high-fool": _("Player %(number)d wins: the Fool is the highest trump in this game."),
        "only-trump": _("Player %(number)d wins with the only trump (%(card)s): a trump beats every suit."),
        "highest-trump": _("Player %(number)d wins with the highest trump in the trick (%(card)s)."),
        "trumps-led": _("Trumps were asked for, and player %(number)d wins with the highest of them (%(card)s)."),
        "suit": _("Player %(number)d wins with the highest card of the suit led (%(card)s). Nobody trumped."),
        "alone-in-suit": _("Player %(number)d wins with the only card of the suit led (%(card)s). Nobody trumped."),
    }[won.kind] % told
    if won.called_trumps:
        text += " " + _("The Fool was led and called for trumps.")
        if won.lane != TRUMPS:
            text += " " + _("None fell, so the suit of the next card counts.")
    elif won.fool_led:
        text += " " + _("The Fool was led and asks for nothing: the next card said what to follow.")
    if won.low_wins:
        text += " " + _("In %(suit)s the numerals rank the other way round: fewer is higher.") % told
    return text


def fool_fate(answer: TrickAnswer, *, alone: bool) -> str:
    """What becomes of a Fool in the trick; empty without one, or where it simply wins."""
    told = {"number": answer.fool_place + 1}
    if answer.fool == "own":
        return _("The Fool won nothing and stays where it belongs: its own side has taken the trick.")
    if answer.fool == "owed":
        if alone:
            return (
                _("The Fool does not go with the trick: player %(number)d keeps it, and owes a low card for it.") % told
            )
        return (
            _(
                "The Fool does not go with the trick: the side of player %(number)d keeps it, and owes a low card for it."
            )
            % told
        )
    if answer.fool == "taken":
        return _("The Fool goes with the trick to who wins it.")
    return ""


def worth(points: int, *, without_fool: bool) -> str:
    """What the cards of the trick are worth to who wins it."""
    if without_fool:
        return ngettext(
            "Counted card by card and without the Fool, the trick is worth %(points)d point.",
            "Counted card by card and without the Fool, the trick is worth %(points)d points.",
            points,
        ) % {"points": points}
    return ngettext(
        "Counted card by card, the trick is worth %(points)d point.",
        "Counted card by card, the trick is worth %(points)d points.",
        points,
    ) % {"points": points}


# --- What is said and seen ---------------------------------------------------------------------------------------------


def event(seen: Event) -> str:
    """What everybody sees, as a sentence; empty for what is told otherwise."""
    told = {
        "number": seen.place + 1,
        "card": names.card_object(seen.code) if seen.code else "",
        "name": names.card_name(seen.code, in_sentence=True) if seen.code else "",
        "back": names.card_object(seen.back) if seen.back else "",
    }
    text = _events().get(seen.kind)
    return text % told if text else ""


def _events() -> dict[str, str]:
    return {
        "jack-given": _("Player %(number)d puts %(card)s into the trick and takes back %(back)s."),
        "jack-kept": _("Player %(number)d holds %(card)s and says so; both cards stay where they are."),
        "no-jack": _("The called card does not come (%(name)s)."),
        "taken-back": _("Player %(number)d takes back %(back)s; %(card)s stays in the trick."),
        "jack-back": _("There is no card to take back: %(card)s goes back into the hand of player %(number)d."),
        "fool-paid": _("For the Fool player %(number)d is given %(card)s."),
        "fool-lost": _("Its side has won no trick and has nothing to give: the Fool goes to player %(number)d."),
        "knock": _("Player %(number)d knocks: nobody holds a higher trump."),
        "partner-shown": _(
            "The called card falls (%(name)s): now everybody knows that player %(number)d is the partner."
        ),
        "alone-shown": _(
            "The called card falls (%(name)s), from the hand of player %(number)d, who called it: there is no partner."
        ),
    }


def done(place: int, text: str) -> str:
    """What somebody says when the trick lies there, as a sentence; empty for what an event tells."""
    verb = text.partition(" ")[0]
    said = {
        "buob": _("Player %(number)d calls: “%(word)s”."),
        "buob-sche": _("Player %(number)d calls: “%(word)s”."),
        "keep": _("Player %(number)d leaves the Fool where it is."),
    }.get(verb)
    if said is None:
        return ""
    word = names.own_word(verb).text if verb != "keep" else ""
    return said % {"number": place + 1, "word": word}


def nobody_calls() -> str:
    """Why nothing can be called."""
    return _("Nobody may call here: the card has been played, or it lies in the trick already.")


# --- Names of cards -----------------------------------------------------------------------------------------------------


def cards_in_a_row(codes: Sequence[str]) -> str:
    """Cards in a line of running text."""
    return ", ".join(names.card_short(code) for code in codes)
