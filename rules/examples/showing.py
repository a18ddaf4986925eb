"""An example as part of a page, with its answers in words. The page's script only lets readers try first.

Players are named by their place in the trick: player 1 leads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.sursilvan import capfirst, joined
from domain.engine import CODES
from domain.engine.cards import NO_LANE, TRUMPS, letter_of
from rules import terms
from rules.examples import answering, reading
from rules.examples.position import position
from rules.markup.resolving import inline
from rules.text import legality, names


def player(place: int) -> str:
    """The name of a player by their place, from 0, for labels and at the beginning of a sentence."""
    return _("Player %(number)d") % {"number": place + 1}


def players(places: Sequence[int]) -> str:
    """Several players: "players 1 and 3"."""
    numbers = [str(place + 1) for place in places]
    listed = get_text_list(numbers, _("and"))
    return ngettext("player %(numbers)s", "players %(numbers)s", len(numbers)) % {"numbers": listed}


def signed(score: int) -> str:
    """A score with its sign; losses have a real minus sign."""
    return f"+{number_format(score)}" if score > 0 else number_format(score).replace("-", "−")


def less(number: int) -> str:
    return f"−{number_format(number)}"


# --- What may be played ------------------------------------------------------------------------------------------------


def card_answer(card: answering.CardAnswer, answer: answering.PlayAnswer, ruleset: str) -> str:
    if card.why is not None:
        return legality.why_illegal(card.why)
    return legality.permission(
        card.code, answer.reason, ruleset=ruleset, suit=answer.suit, pair=card.pair, call=card.call
    )


# --- Who wins ----------------------------------------------------------------------------------------------------------


_WHY_WINS: Final = {
    "high-fool": gettext_lazy("Player %(number)d wins: the Fool is the highest trump in this game."),
    "only-trump": gettext_lazy("Player %(number)d wins with the only trump (%(card)s): a trump beats every suit."),
    "highest-trump": gettext_lazy("Player %(number)d wins with the highest trump in the trick (%(card)s)."),
    "trumps-led": gettext_lazy(
        "Trumps were asked for, and player %(number)d wins with the highest of them (%(card)s)."
    ),
    "suit": gettext_lazy("Player %(number)d wins with the highest card of the suit led (%(card)s). Nobody trumped."),
    "alone-in-suit": gettext_lazy(
        "Player %(number)d wins with the only card of the suit led (%(card)s). Nobody trumped."
    ),
}


def why_wins(won: answering.Won) -> str:
    values = {
        "number": won.place + 1,
        "card": names.card_name(CODES[won.card], in_sentence=True),
        "suit": names.suit_name(letter_of(won.lane)) if won.lane != NO_LANE else "",
    }
    text = str(_WHY_WINS[won.kind]) % values
    if won.called_trumps:
        text += " " + _("The Fool was led and called for trumps.")
        if won.lane != TRUMPS:
            text += " " + _("None fell, so the suit of the next card counts.")
    elif won.fool_led:
        text += " " + _("The Fool was led and asks for nothing: the next card said what to follow.")
    if won.low_wins:
        text += " " + _("In %(suit)s the numerals rank the other way round: fewer is higher.") % values
    return text


def fool_fate(answer: answering.TrickAnswer, *, alone: bool) -> str:
    """What becomes of a Fool in the trick; empty if there is none, or if it simply wins."""
    values = {"number": answer.fool_place + 1}
    if answer.fool == "own":
        return _("The Fool won nothing and stays where it belongs: its own side has taken the trick.")
    if answer.fool == "owed":
        if alone:
            text = _("The Fool does not go with the trick: player %(number)d keeps it, and owes a low card for it.")
        else:
            text = _(
                "The Fool does not go with the trick: the side of player %(number)d keeps it, and owes a low card for it."
            )
        return text % values
    if answer.fool == "taken":
        return _("The Fool goes with the trick to whoever wins it.")
    return ""


def worth(points: int, *, without_fool: bool) -> str:
    """What the cards of the trick are worth to its winner."""
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


# --- Events -----------------------------------------------------------------------------------------------------------


_EVENTS: Final = {
    "jack-given": gettext_lazy("Player %(number)d puts %(card)s into the trick and takes back %(back)s."),
    "jack-kept": gettext_lazy("Player %(number)d holds %(card)s and says so; both cards stay where they are."),
    "no-jack": gettext_lazy("The called card does not come (%(name)s)."),
    "taken-back": gettext_lazy("Player %(number)d takes back %(back)s; %(card)s stays in the trick."),
    "jack-back": gettext_lazy("There is no card to take back: %(card)s goes back into the hand of player %(number)d."),
    "fool-paid": gettext_lazy("For the Fool player %(number)d is given %(card)s."),
    "fool-lost": gettext_lazy(
        "The Fool’s side has won no trick and has nothing to give: the Fool goes to player %(number)d."
    ),
    "knock": gettext_lazy("Player %(number)d knocks: nobody holds a higher trump."),
    "partner-shown": gettext_lazy(
        "The called card falls (%(name)s): now everybody knows that player %(number)d is the partner."
    ),
    "alone-shown": gettext_lazy(
        "The called card falls (%(name)s), from the hand of player %(number)d, who called it: there is no partner."
    ),
}


def event(seen: answering.Event) -> str:
    """What everybody sees, as a sentence; empty for events that are described elsewhere."""
    values: dict[str, object] = {
        "number": seen.place + 1,
        "card": names.card_object(seen.code) if seen.code else "",
        "name": names.card_name(seen.code, in_sentence=True) if seen.code else "",
        "back": names.card_object(seen.back) if seen.back else "",
    }
    return str(_EVENTS.get(seen.kind, "")) % values


def done(place: int, text: str) -> str:
    """What somebody says when the trick is complete, as a sentence; empty if an event describes it."""
    verb = text.partition(" ")[0]
    if verb == "keep":
        return _("Player %(number)d leaves the Fool where it is.") % {"number": place + 1}
    if verb in ("buob", "buob-sche"):
        return _("Player %(number)d calls: “%(word)s”.") % {"number": place + 1, "word": names.own_word(verb).text}
    return ""


# --- The page ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardOnPage:
    """A card on the page: the text under it, and the text after trying it. `good` is None if it cannot be tried.

    `place` is that of its player, from 0, if it is shown: as a number, and in words for screen readers.
    """

    code: str
    under: str = ""
    good: bool | None = None
    says: str = ""
    place: int | None = None

    @property
    def number(self) -> str:
        """The place for the line under a card, where words would not fit."""
        return "" if self.place is None else f"{self.place + 1}."

    @property
    def player(self) -> str:
        return "" if self.place is None else player(self.place)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Cards that share an explanation, and the explanation."""

    cards: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Sum:
    label: str
    number: str
    total: bool = False


def show(example: reading.Example, language: str, *, id: str) -> SafeString:
    """The HTML of an example in `language`; `id` is its name in its article. Raises BadExample.

    The button that opens a practice table belongs to the form `practice`, which the page must contain
    (`rules/examples/_practice_form.html`), so that the HTML made here is the same for every reader and can be cached.
    """
    with translation.override(language):
        version = terms.version()
        caption = inline(example.caption, language) if example.caption else ""
        why = inline(example.why, language) if example.why else ""
        if version:
            return _cached(example, language, version, id, example.title, caption, why)
        return _html(example, id, example.title, caption, why)


@lru_cache(maxsize=200)
def _cached(
    example: reading.Example, language: str, version: int, id: str, title: str, caption: str, why: str
) -> SafeString:
    """The result of `_html`, cached by example, language, words and texts: equal examples may differ in their texts."""
    return _html(example, id, title, caption, why)


def _html(example: reading.Example, id: str, title: str, caption: str, why: str) -> SafeString:
    template, context = _CONTEXTS[type(example)](example)
    texts = {"id": f"example-{id}", "name": id, "title": title, "caption": caption, "why": why}
    return render_to_string(f"rules/examples/{template}.html", texts | context)


# --- What may be played: on the page ----------------------------------------------------------------------------------


def _play(example: reading.PlayExample) -> tuple[str, dict[str, Any]]:
    answer = answering.what_may_be_played(example)
    place = len(example.trick)
    position(example)  # raises BadExample if nobody could play on from here
    return "play", {
        "question": _("You are player %(number)d. What may you play?") % {"number": place + 1}
        if place
        else _("You lead to this trick. What may you play?"),
        "trick": [
            CardOnPage(name, place=None if at else number)
            for number, put in enumerate(example.trick)
            for at, name in enumerate(_codes(put))
        ],
        "led_before": _led_before(example.led_before),
        "hand": [
            CardOnPage(card.code, good=card.why is None, says=card_answer(card, answer, example.ruleset))
            for card in answer.cards
        ],
        "may": _grouped(answer, example.ruleset, legal=True),
        "may_not": _grouped(answer, example.ruleset, legal=False),
        "practice": True,
    }


def _grouped(answer: answering.PlayAnswer, ruleset: str, *, legal: bool) -> list[Explanation]:
    by_text: dict[str, list[str]] = {}
    for card in answer.cards:
        if (card.why is None) == legal:
            by_text.setdefault(card_answer(card, answer, ruleset), []).append(card.code)
    return [Explanation(tuple(codes), text) for text, codes in by_text.items()]


def _led_before(led: frozenset[int] | None) -> str:
    """A sentence about the suits led before; empty if the writer does not mention them."""
    if led is None:
        return ""
    if not led:
        return _("No suit has been led before.")
    suits = [names.suit_name(letter_of(suit)) for suit in sorted(led)]
    return _("Led before: %(suits)s.") % {"suits": joined(", ", suits)}


def _codes(put: Sequence[int]) -> list[str]:
    return [CODES[card] for card in put]


# --- A trick ---------------------------------------------------------------------------------------------------------------


def _trick(example: reading.TrickExample) -> tuple[str, dict[str, Any]]:
    answer = answering.who_wins(example)
    reason = why_wins(answer.won)
    return "trick", {
        "question": _("Who wins this trick?"),
        "trick": _laid(answer, says=reason),
        "led_before": _led_before(example.led_before),
        "answer": [reason, *_afterwards(answer, example, paid=False)],
    }


def _laid(answer: answering.TrickAnswer, says: str = "", otherwise: bool | None = False) -> list[CardOnPage]:
    """The trick as played.

    The winner's cards are good, the others are `otherwise`; trying the winner's shows `says`.
    """
    shown = []
    seen: set[int] = set()
    for put in answer.laid:
        wins = put.place == answer.won.place
        reply = ""
        if says:
            reply = says if wins else _("Not this one.")
        place = None if put.place in seen else put.place
        seen.add(put.place)
        shown.append(CardOnPage(put.code, good=wins or otherwise, says=reply, place=place))
    return shown


def _afterwards(answer: answering.TrickAnswer, example: reading.Example, *, paid: bool) -> list[str]:
    """What happens after the trick is complete. `paid`: whether to describe the payment for the Fool."""
    alone = len(set(example.rules.sides)) == example.seats and example.rules.bidding is None
    lines = [done(place, text) for place, text in answer.done]
    lines += [event(seen) for seen in answer.events if not seen.kind.startswith("fool-")]
    lines.append(fool_fate(answer, alone=alone))
    if paid:
        lines += [event(seen) for seen in answer.events if seen.kind.startswith("fool-")]
    return [*[line for line in lines if line], worth(answer.points, without_fool=answer.fool == "owed")]


def _call(example: reading.CallExample) -> tuple[str, dict[str, Any]]:
    answer = answering.what_a_call_does(example)
    trick = answer.trick
    lines = [why_wins(trick.won)]
    if answer.caller is None:
        lines.append(_("Nobody may call here: the card has been played, or it lies in the trick already."))
    lines += _afterwards(trick, example, paid=False)
    changed = [put for put in trick.gathered if put not in trick.laid]
    return "call", {
        "question": _("What happens when the card is called?"),
        "trick": _laid(trick),
        "after": _gathered(trick) if changed else [],
        "answer": lines,
        "practice": True,
    }


def _gathered(answer: answering.TrickAnswer) -> list[CardOnPage]:
    """The trick as gathered, in the order of places."""
    cards = sorted(answer.gathered, key=lambda put: put.place)
    new = {put for put in cards if put not in answer.laid}
    return [CardOnPage(put.code, good=True if put in new else None, place=put.place) for put in cards]


def _record(example: reading.RecordExample) -> tuple[str, dict[str, Any]]:
    answer = answering.what_was_played(example)
    tricks = []
    for number, trick in enumerate(answer.tricks, answer.first):
        tricks.append({
            "number": number,
            "cards": _laid(trick, otherwise=None),
            "lines": [why_wins(trick.won), *_afterwards(trick, example, paid=True)],
        })  # fmt: skip
    sides = [
        _("%(players)s: %(points)d points") % {"players": capfirst(players(party)), "points": points}
        for party, points in sorted(zip(answer.parties, answer.points, strict=False))
    ]
    return "record", {
        "of": answer.of,
        "tricks": tricks,
        "who": _who_plays(answer.parties, answer.contract, answer.tappist),
        "points": sides,
        "scores": [Sum(player(place), signed(score)) for place, score in enumerate(answer.scores)],
        "rappen": example.rules.bidding is not None,
        "practice": example.first < answer.of and position(example) is not None,
    }


def _who_plays(parties: Sequence[Sequence[int]], contract: str, tappist: int | None) -> str:
    """Who plays against whom."""
    if contract == "misere":
        return _("It is a Misere: everybody plays alone.")
    if tappist is not None and contract == "solo":
        return _("Player %(number)d plays a Solo against all the others.") % {"number": tappist + 1}
    if tappist is not None:
        return _("Player %(number)d is the Tappist.") % {"number": tappist + 1}
    if len(parties) == 2:
        first, second = (players(party) for party in sorted(map(tuple, parties)))
        return _("%(first)s play against %(second)s.") % {"first": capfirst(first), "second": second}
    return _("Everybody plays alone.")


# --- Counting and settling --------------------------------------------------------------------------------------------


def _count(example: reading.CountExample) -> tuple[str, dict[str, Any]]:
    answer = answering.count(example)
    groups = [
        {
            "cards": group.cards,
            "values": " + ".join(map(str, group.values)) if answer.grouped > 1 else _times(group.values),
            "less": group.less,
            "points": group.points,
            "laid": group.laid,
        }
        for group in answer.groups
    ]
    off = answer.values - answer.points
    sums = [Sum(_("The cards, one by one"), str(answer.values))]
    if answer.grouped > 1:
        each = {"size": answer.grouped, "less": answer.less, "rest": len(example.cards) % answer.grouped}
        label = _("Less %(less)d for every group of %(size)d") % each
        if each["rest"] and off % answer.less:
            label = _("Less %(less)d for every group of %(size)d, less 1 for the cards left over") % each
        sums.append(Sum(label, less(off)))
    elif off:
        sums.append(Sum(_("Less 1 for every card laid away"), less(off)))
    sums.append(Sum(_("Points"), str(answer.points), total=True))
    if answer.whole and answer.par is not None and answer.score is not None:
        sums.append(Sum(_("Less par"), less(answer.par)))
        sums.append(Sum(_("Score"), signed(answer.score), total=True))
    lines = []
    if answer.whole and answer.others is not None:
        lines.append(
            _("The other side has the rest: %(points)d of %(all)d points.")
            % {"points": answer.others, "all": answer.others + answer.points}
        )
    if answer.whole and example.rules.bidding is not None:
        lines.append(_won(answer.wins))
    return "count", {"groups": groups, "sums": sums, "answer": lines, "number": len(example.cards)}


def _won(wins: bool | None) -> str:
    if wins is None:
        return _("57 is half of the 114 points: nobody wins.")
    return (
        _("More than 57 of the 114 points: this side wins.") if wins else _("Not more than 57 points: the others win.")
    )


def _times(values: Sequence[int]) -> str:
    return f"{len(values)} × {values[0]}" if len(set(values)) == 1 else " + ".join(map(str, values))


_WINNERS: Final = {
    "tappist": gettext_lazy("%(points)d points are more than half of 114: player %(number)d wins."),
    "opponents": gettext_lazy("%(points)d points are not more than half of 114: player %(number)d loses."),
    "nobody": gettext_lazy("%(points)d points are exactly half of 114: nobody wins, and nobody pays."),
}
_MULTIPLIERS: Final = {
    "few-points": gettext_lazy("The losers have at most %(most)d points: twice the stake."),
    "no-trick": gettext_lazy("The losers have no trick: three times the stake."),
    "solo": gettext_lazy("It is a Solo: twice as much again."),
}


def _settle(example: reading.SettleExample) -> tuple[str, dict[str, Any]]:
    answer = answering.settle(example)
    lines = []
    if example.contract == "misere":
        lines.append(_("It is a Misere: everybody plays alone."))
    else:
        values = {"points": example.points[0], "number": example.tappist + 1}
        lines.append(str(_WINNERS[answer.winner]) % values)
    lines += [str(_MULTIPLIERS[why]) % {"most": answer.double_at} for why in answer.multipliers]
    return "settle", {
        "answer": lines,
        "stake": ngettext("The stake is %(stake)d Rappen.", "The stake is %(stake)d Rappen.", answer.stake)
        % {"stake": answer.stake},
        "rows": [
            {
                "player": player(place),
                "role": _role(example, place),
                "points": example.points[place] if example.contract == "misere" else None,
                "score": signed(score),
            }
            for place, score in enumerate(answer.scores)
        ],
        "misere": example.contract == "misere",
    }


def _role(example: reading.SettleExample, place: int) -> str:
    if example.contract == "misere":
        return ""
    if place == example.tappist:
        return _("plays Solo") if example.contract == "solo" else names.own_word("tappist").text
    return _("partner") if place == example.partner else _("opponent")


def _order(example: reading.OrderExample) -> tuple[str, dict[str, Any]]:
    ranked = answering.order(example)
    return "order", {
        "cards": [CardOnPage(card.code, str(card.value)) for card in ranked if not card.apart],
        "apart": next((CardOnPage(card.code, str(card.value)) for card in ranked if card.apart), None),
    }


_CONTEXTS: Final[Mapping[type[reading.Example], Callable[[Any], tuple[str, dict[str, Any]]]]] = {
    reading.PlayExample: _play,
    reading.TrickExample: _trick,
    reading.CallExample: _call,
    reading.CountExample: _count,
    reading.SettleExample: _settle,
    reading.OrderExample: _order,
    reading.RecordExample: _record,
}
