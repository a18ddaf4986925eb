"""The sentences of the table, in the reader's language: questions, reasons why something is not allowed, results.

Everything is made from `games.read_models`, so nothing here can reveal more than the viewer knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.sursilvan import capfirst
from games.read_models import CardSeen, Choice, HandSheet, Happened, Question, Sight, Why
from games.text import log
from games.text.common import Company, amount, everyone_alone, name_of, seats_named, side_names
from rules.text import legality, names

_ENDED: Final = {
    "finished": gettext_lazy("The game is finished."),
    "resigned": gettext_lazy("The game ended because a player left."),
    "ended": gettext_lazy("All agreed to end the game."),
}


def prompt(sight: Sight) -> str:
    """The present question as a sentence: "Your turn: follow cups, or play the Fool.", "Beat is cutting the pack." """
    question = sight.question
    if sight.status != "playing":
        return str(_ENDED.get(sight.status, gettext_lazy("This game was closed because nobody came back.")))
    if sight.rests:
        return _("Look at the trick, then go on.")
    if sight.viewer is not None and question.seat in (None, sight.viewer) and sight.seats[sight.viewer].away == "away":
        return _("A computer player acts for your seat.")
    if question.asked == "sit":
        return _sitting(sight)
    if question.mine:
        return asked_of_you(question)
    if question.seat is None:
        return _("The table is being made ready.")
    return asked_of_other(question, name_of(question.seat, sight))


def proposal_or_prompt(sight: Sight) -> str:
    """The proposal to take something back, which comes first, or else the present question. In one sentence or two, for
    whoever does not see the table."""
    return log.undo_proposal(sight) or prompt(sight)


def _sitting(sight: Sight) -> str:
    if sight.clock is not None and sight.viewer is not None:  # it begins by itself, which the clock's line says
        return _begins_by_itself(sight)
    if sight.question.mine:
        if sight.hand == 1:
            return _("Take your seat to begin.")
        if _is_dealt_again(sight):
            return _("The cards were thrown in. Begin again when you are ready.")
        return _("The hand is over. Begin the next one when you are ready.")
    waiting = [seat.name for seat in sight.seats if not seat.ready and not seat.own]
    if len(waiting) == 1:
        return _("Waiting for %(name)s to begin the hand.") % {"name": waiting[0]}
    return _("Waiting for the players to begin the hand.")


def _begins_by_itself(sight: Sight) -> str:
    if not sight.question.mine:
        return _("You are ready.")
    if sight.hand == 1:
        return _("You can begin at once, or wait.")
    if _is_dealt_again(sight):
        return _("The cards were thrown in. You can begin again at once, or wait.")
    return _("The hand is over. You can begin the next one at once, or wait.")


def _is_dealt_again(sight: Sight) -> bool:
    """Whether the last cards were thrown in: no hand is over, and the coming one has the number they had."""
    return sight.last_result is not None and sight.last_result.status == "thrown-in"


_ASKED_OF_YOU: Final = {
    "deal": gettext_lazy("Your side is behind: in how many rounds shall the cards be dealt?"),
    "arrange": gettext_lazy("Arrange the cards of your tricks, or leave them as they lie."),
    "cut": gettext_lazy("Your turn: cut the pack."),
    "talk": gettext_lazy("Your turn to speak: may the cards be thrown in?"),
    "free": gettext_lazy("Both allowed it. Your turn to speak: liber or veto?"),
    "demand": gettext_lazy("Both allowed it. Shall the cards be thrown in?"),
    "bid": gettext_lazy("Your turn to bid: pass, play with the Tapp, or play a Solo?"),
    "partner": gettext_lazy("Which trump shall your partner hold?"),
    "packets": gettext_lazy("You deal: in which packets?"),
    "decide": gettext_lazy("Liber: go on with these cards, or throw them in?"),
    "call": gettext_lazy("You won the king of %(suit)s: call for its jack?"),
    "fool": gettext_lazy("The jack of %(suit)s is called. What about your Fool?"),
    "take": gettext_lazy("Take back a numeral card of %(suit)s for your jack."),
}


def asked_of_you(question: Question) -> str:
    """A question to the reader: \"Your turn: follow cups.\""""
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
    if question.asked == "fool" and question.calls == "N":
        return _("The cavalier of %(suit)s is called. What about your Fool?") % suit
    if question.asked == "take" and question.calls != "J":
        return _("Take back a card of another player for your cavalier.")
    return str(_ASKED_OF_YOU.get(question.asked, gettext_lazy("Your turn."))) % suit


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


_ASKED_OF_OTHER: Final = {
    "deal": gettext_lazy("%(name)s may ask for a shorter deal."),
    "arrange": gettext_lazy("%(name)s is arranging the cards of the last hand."),
    "cut": gettext_lazy("%(name)s is cutting the pack."),
    "talk": gettext_lazy("%(name)s is speaking."),
    "free": gettext_lazy("%(name)s is speaking."),
    "decide": gettext_lazy("%(name)s decides whether the cards are played."),
    "scart": gettext_lazy("%(name)s is choosing cards to lay away."),
    "discard": gettext_lazy("%(name)s has taken up the Tapp and is laying cards away."),
    "bid": gettext_lazy("%(name)s is bidding."),
    "partner": gettext_lazy("%(name)s is calling a partner."),
    "packets": gettext_lazy("%(name)s is choosing the packets of the deal."),
    "demand": gettext_lazy("%(name)s decides whether the cards are thrown in."),
    "play": gettext_lazy("%(name)s is playing a card."),
    "call": gettext_lazy("%(name)s may call for the jack."),
    "fool": gettext_lazy("%(name)s is asked about the Fool."),
    "take": gettext_lazy("%(name)s takes a card back."),
}
_THINKING: Final = gettext_lazy("%(name)s is thinking.")


def asked_of_other(question: Question, name: str) -> str:
    """A question to another player, called `name`: "Beat is cutting the pack." """
    if question.asked == "call" and question.calls == "N":
        return _("%(name)s may call for the cavalier.") % {"name": name}
    return _ASKED_OF_OTHER.get(question.asked, _THINKING) % {"name": name}


_USUAL: Final = {
    "talk": gettext_lazy("Usual: veto with good cards, otherwise allow."),
    "free": gettext_lazy("Usual: veto with good cards, otherwise liber."),
    "demand": gettext_lazy("Usual: veto with good cards, otherwise throw in."),
    "decide": gettext_lazy("Usual: go on, unless your cards and what your partner said are bad."),
}


def usual(sight: Sight) -> str:
    """A line below the question; empty if there is nothing to add.

    It says what happens to an open proposal to take back, what a Misere is about, or, as advice for beginners, what
    most players would answer in the talk.
    """
    if not sight.question.mine:
        return ""
    if sight.undo is not None and sight.undo.mine:
        return _("It is your turn: if you play on, it stays as it is.")
    if sight.contract == "misere" and sight.question.asked == "play":
        return _("Misere: everyone plays alone and avoids points.")
    return str(_USUAL.get(sight.question.asked, ""))


@dataclass(frozen=True, slots=True)
class Worded:
    """A choice in words: its label in `lang` (the game's own word, if it has one), and its meaning in
    `meaning_lang`."""

    label: str
    lang: str
    meaning: str = ""
    meaning_lang: str = ""


_OWN = ("buob", "buob-sche", "liber", "take", "solo")


def choice(answer: Choice) -> Worded:
    """The label of a short answer: "buob" with its meaning, "Deal in two rounds", "Take back the 7 of cups"."""
    if answer.verb == "deal":
        return _rounds(answer.number)
    if answer.verb in ("take", "call") and answer.card:
        return Worded(names.card_label(answer.card), "")
    if answer.verb == "packets":
        first, last = answer.packets[0], answer.packets[-1]
        return Worded(_("First %(first)d each, then %(second)d each") % {"first": first, "second": last}, "")
    if answer.verb == "buob" and answer.card == "N":
        return Worded(_("Call the cavalier"), "", _("Whoever holds it must put it into the trick."))
    if answer.verb == "quiet" and answer.card == "N":
        return Worded(_title(names.word("quiet")), "", _("You do not call the cavalier."))
    if answer.verb == "give" and answer.card == "N":
        return Worded(_("Give the cavalier"), "", _("It goes into the trick, and the Fool comes back to your hand."))
    if answer.verb == "pass":
        return Worded(_title(names.word("pass")), "", _("You do not take the game."))
    term = names.own_word(answer.verb) if answer.verb in _OWN else names.word(answer.verb)
    return Worded(_title(term), term.lang, term.meaning, term.meaning_lang)


_ROUNDS: Final = {
    3: gettext_lazy("The usual deal, with talk after each round."),
    2: gettext_lazy("Fewer rounds give longer runs of cards, and luck may turn."),
    1: gettext_lazy("The pack is not shuffled: your side may arrange the cards of its tricks first."),
}


def _rounds(number: int) -> Worded:
    label = ngettext("In %(number)d round", "In %(number)d rounds", number) % {"number": number}
    return Worded(label, "", str(_ROUNDS[number]))


def panel(question: Question) -> Worded | None:
    """The heading of the panel for a question: the game's own word, if it has one, with its meaning; None without a
    panel."""
    asked = question.asked
    if question.calls == "N" and asked in ("call", "take"):
        call = choice(Choice("buob", "buob", "N"))
        return call if asked == "call" else Worded(_title(names.word("take-back")), "")
    heading = {
        "arrange": (_("Arrange"), _("The pack is not shuffled this time: your side may order the cards it won.")),
        "cut": (_title(names.word("cut")), _("The cards you lift go under the rest.")),
        "deal": (_("A shorter deal?"), _("A side far behind may ask for longer runs of cards.")),
        "bid": (_("Bidding"), _("Once round the table: who plays against all the others?")),
        "partner": (_("Call a partner"), _("Whoever holds the trump you name plays with you, and must not show it.")),
        "packets": (_("How shall the cards be dealt?"), _("The Tapp is laid down after the first packets.")),
    }.get(asked)
    if heading is not None:
        return Worded(heading[0], "", heading[1])
    concept = {
        "talk": "talk", "free": "talk", "demand": "talk", "decide": "liber", "scart": "scart", "discard": "tapp",
        "call": "buob", "fool": "fool", "take": "take-back",
    }.get(asked)  # fmt: skip
    if concept is None:
        return None
    term = names.word(concept) if concept == "take-back" else names.own_word(concept)
    return Worded(_title(term), term.lang, term.meaning, term.meaning_lang)


def _title(term: names.Term) -> str:
    return capfirst(term.text)


def refusal(why: Why) -> str:
    """The rule that forbids something, and what to do instead, in one or two sentences."""
    return legality.refusal(why.rule, card=why.card, suit=why.suit, number=why.number)


def title(sight: Sight) -> str:
    """The heading of the page: the number of the hand; until the next one begins, that of the hand just over."""
    if sight.kind == "guided":
        return _("A guided hand")
    if sight.kind == "practice":
        return _("Practice")
    if sight.kind == "computer" and sight.status == "playing":
        return _("Computer players, hand %(number)d") % {"number": sight.hands_played + 1}
    if sight.status != "playing":
        return _("The game is over")
    is_over = sight.last_result is not None and not _is_dealt_again(sight)
    number = min(sight.hands_played + (not is_over), sight.hands)
    return _("Hand %(number)d of %(hands)d") % {"number": number, "hands": sight.hands}


def hand_name(sheet: HandSheet) -> str:
    """ "Hand 2", counted as the game counts them: a deal that was thrown in is none of them, and only called that."""
    return _("Hand %(number)d") % {"number": sheet.ordinal} if sheet.ordinal else _("Thrown in")


def hand_result(sheet: HandSheet, sight: Company) -> str:
    """The result of a deal for the viewer's side: "Your side took 40 of the 72 points: +4."

    For watchers, that of the first party.
    """
    if sheet.status == "thrown-in":
        return _("The cards were thrown in. The same dealer deals again, and nothing is written down.")
    if sheet.status == "unfinished":
        return _("This hand was not played to its end.")
    if sheet.status != "played" or not sheet.points:
        return _("This hand was passed: nobody scores.")
    parties = sheet.parties or sight.parties
    side = next((index for index, party in enumerate(parties) if sight.viewer in party), 0)
    seat = parties[side][0] if sight.viewer is None else sight.viewer
    fields = {"points": sheet.points[side], "all": sum(sheet.points), "score": amount(sheet.scores[seat], sight)}
    if len(parties[side]) == 1:
        if sight.viewer is not None:
            return _("You took %(points)d of the %(all)d points: %(score)s.") % fields
        fields["name"] = name_of(seat, sight)
        return _("%(name)s took %(points)d of the %(all)d points: %(score)s.") % fields
    if sight.viewer is not None:
        return _("Your side took %(points)d of the %(all)d points: %(score)s.") % fields
    fields["side"] = seats_named(parties[side], sight)
    return _("%(side)s took %(points)d of the %(all)d points: %(score)s.") % fields


def game_result(sight: Sight) -> str:
    """How the game ended, in a sentence; empty while it is played. For practice games: how the practised hand ended."""
    if sight.status == "playing":
        return ""
    if sight.status == "resigned":
        return _("A player left, and the game ended there. It has no winner.")
    if sight.status == "ended":
        return _("All agreed to end the game here. It does not count.")
    if sight.status == "expired":
        return _("The game was closed before its end. It has no winner.")
    if sight.kind == "practice" and sight.sheets:
        return hand_result(sight.sheets[-1], sight)
    if not sight.winners:
        return _("Nobody is ahead: the game is a draw.")
    total = {"total": amount(sight.totals[sight.winners[0]], sight)}
    if everyone_alone(sight):
        return _winner_alone(sight, total)
    if sight.viewer is not None and sight.viewer in sight.winners:
        return _("Your side wins the game with %(total)s.") % total
    side = next(index for index, party in enumerate(sight.parties) if sight.winners[0] in party)
    if sight.viewer is not None:
        return _("The other side, %(side)s, wins the game with %(total)s.") % {"side": side_names(sight, side), **total}
    return _("%(side)s win the game with %(total)s.") % {"side": side_names(sight, side), **total}


def played_before(scores: Sequence[int], sight: Sight) -> str:
    """The viewer's score when the practised hand was played in its game, from `scores` by seat; empty if unknown."""
    if sight.viewer is None or not scores:
        return ""
    return _("In the game itself it was %(score)s.") % {"score": amount(scores[sight.viewer], sight)}


def _winner_alone(sight: Sight, total: dict[str, str]) -> str:
    if len(sight.winners) > 1:
        return _("%(names)s share the first place with %(total)s each.") % {
            "names": seats_named(sight.winners, sight),
            **total,
        }
    if sight.viewer == sight.winners[0]:
        return _("You win the game with %(total)s.") % total
    return _("%(name)s wins the game with %(total)s.") % {"name": name_of(sight.winners[0], sight), **total}


def why_card(card: CardSeen, sight: Sight) -> str:
    """Why a card of the viewer's hand may or may not be played now, and what else it can do."""
    question = sight.question
    if not question.mine or question.asked not in ("play", "scart", "discard"):
        return _("Nobody asks for a card now: %(who)s.") % {"who": _whose_move(sight)}
    if card.why is not None:
        return refusal(card.why)
    if card.together:
        return _("You may lay it away only together with all the others of its set.")
    if question.asked in ("scart", "discard"):
        return _("You may lay it away: it counts less than five points.")
    return legality.permission(
        card.code, question.reason, suit=question.suit, pair=card.pair, call=card.call, ruleset=sight.ruleset
    )


def _whose_move(sight: Sight) -> str:
    seat = sight.question.seat
    if sight.status != "playing":
        return _("the game is over")
    if sight.question.mine:
        return _("something else is asked of you")
    if seat is None:
        return _("the next hand has not begun")
    if seat == sight.viewer:
        return _("a computer player acts for your seat")
    return _("it is the turn of %(name)s") % {"name": name_of(seat, sight)}


def in_short(happened: Happened, own: bool = False) -> Worded:
    """A happening at a seat in a few words: "Buob!", "the jack for the 7", "owes a card for the Fool".

    They are shown beside the player's name, so they name nobody. With `own`, the viewer's own seat, they say "you".
    """
    if happened.kind in ("buob", "buob-sche"):
        term = names.own_word(happened.kind)
        return Worded(f"{capfirst(term.text)}!", term.lang)
    if happened.kind == "buob-cavalier":
        return Worded(f"{capfirst(names.rank_name('N'))}!", "")
    if happened.kind in ("pass", "take", "solo", "throw-in"):
        return choice(Choice(happened.kind, happened.kind))
    return Worded(_short_sentence(happened, own), "")


_ALIKE: Final = {
    "pair": gettext_lazy("%(rank)s and %(back)s together"),
    "no-jack": gettext_lazy("%(label)s does not come."),
    "jack-back": gettext_lazy("nothing to take: %(rank)s back"),
}
_YOURS_AND_OTHERS: Final = {
    "quiet": (gettext_lazy("you do not call"), gettext_lazy("does not call")),
    "knock": (gettext_lazy("you knock"), gettext_lazy("knocks")),
    "jack-given": (gettext_lazy("your %(rank)s for the %(back)s"), gettext_lazy("the %(rank)s for the %(back)s")),
    "jack-kept": (gettext_lazy("you hold the %(rank)s and keep it"), gettext_lazy("holds the %(rank)s and keeps it")),
    "taken-back": (
        gettext_lazy("you leave the %(rank)s, take the %(back)s"),
        gettext_lazy("leaves the %(rank)s, takes the %(back)s"),
    ),
    "fool": (gettext_lazy("you play the Fool"), gettext_lazy("plays the Fool")),
    "keep": (gettext_lazy("you leave the Fool where it is"), gettext_lazy("leaves the Fool where it is")),
    "fool-owed": (gettext_lazy("you owe a card for the Fool"), gettext_lazy("owes a card for the Fool")),
    "fool-paid": (gettext_lazy("you get a card for the Fool"), gettext_lazy("gets a card for the Fool")),
    "fool-lost": (gettext_lazy("you get the Fool"), gettext_lazy("gets the Fool")),
    "trick-won": (gettext_lazy("you take the trick"), gettext_lazy("takes the trick")),
    "laid-away": (gettext_lazy("you have laid cards away"), gettext_lazy("has laid cards away")),
    "must-play": (gettext_lazy("you hold %(card)s and must play"), gettext_lazy("holds %(card)s and must play")),
    "partner-called": (gettext_lazy("you call %(card)s"), gettext_lazy("calls %(card)s")),
    "partner-shown": (gettext_lazy("you are the partner"), gettext_lazy("is the partner")),
    "alone-shown": (gettext_lazy("you play alone"), gettext_lazy("plays alone")),
}


def _short_sentence(happened: Happened, own: bool) -> str:
    if happened.kind == "asked-deal" and own:
        return ngettext(
            "you ask for the deal in %(number)d round", "you ask for the deal in %(number)d rounds", happened.number
        ) % {"number": happened.number}
    if happened.kind == "asked-deal":
        return ngettext(
            "asks for the deal in %(number)d round", "asks for the deal in %(number)d rounds", happened.number
        ) % {"number": happened.number}
    ranks = [names.card_rank(code) for code in happened.cards]
    name = names.card_object if happened.kind == "must-play" else names.card_short
    fields = {
        "rank": ranks[0] if ranks else "",
        "back": ranks[1] if len(ranks) > 1 else "",
        "card": name(happened.cards[0]) if happened.cards else "",
        "label": names.card_label(happened.cards[0]) if happened.cards else "",
    }
    if happened.kind in _ALIKE:
        return str(_ALIKE[happened.kind]) % fields
    yours, others = _YOURS_AND_OTHERS[happened.kind]
    return str(yours if own else others) % fields
