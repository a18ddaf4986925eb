"""What the teacher says, topic by topic, in the reader's language: a title and a few sentences on what lies there now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.sursilvan import joined
from domain.engine import CODES
from domain.engine.state import Happening
from domain.engine.view import View
from games.lessons.moments import Moment
from games.read_models import Sight
from rules.text import names as rules_text_names

_LETTERS: Final = "COSBT"


@dataclass(frozen=True, slots=True)
class Scene:
    """What a topic may speak of. `moment` is the learner's latest question, None before the first."""

    seen: Sight
    view: View | None
    moment: Moment | None

    def name(self, seat: int) -> str:
        return self.seen.seats[seat].name

    @property
    def me(self) -> int:
        return self.seen.viewer or 0

    @property
    def partner(self) -> str:
        """The player opposite."""
        return self.name((self.me + 2) % len(self.seen.seats))

    @property
    def dealer(self) -> str:
        return self.name(self.seen.dealer)

    @property
    def suit(self) -> str:
        """The suit to be followed, "" where there is none."""
        lane = self.moment.lane if self.moment is not None else -1
        return rules_text_names.suit_name(_LETTERS[lane]) if lane >= 0 else ""

    def news(self, *kinds: str) -> Happening | None:
        """The latest of the moment's news that is of one of these kinds."""
        told = self.moment.news if self.moment is not None else ()
        return next((news for news in reversed(told) if news.kind in kinds), None)


@dataclass(frozen=True, slots=True)
class Lines:
    """A title, the text under it, and the game's own word for it with that word's language ("" where it has none)."""

    title: str
    text: str
    word: str = ""
    word_lang: str = ""


Teller: TypeAlias = Callable[[Scene], Lines]


def lesson_lines(topic: str, scene: Scene) -> Lines:
    """What is said on `topic`. Raises KeyError for a topic nobody wrote."""
    return _TOPICS[topic](scene)


def _own(concept: str, title: str, text: str) -> Lines:
    term = rules_text_names.own_word(concept)
    return Lines(title, text, term.text, term.lang)


# before the play


def _welcome(scene: Scene) -> Lines:
    others = [scene.name((scene.me + step) % 4) for step in (1, 3)]
    text = _(
        "You and %(partner)s, opposite you, play against %(first)s and %(second)s: one hand, about five minutes. "
        "Each rule is told when you need it, so there is nothing to learn first."
    ) % {"partner": scene.partner, "first": others[0], "second": others[1]}
    return Lines(_("Learn Troccas by playing it"), text)


def _sit_again(scene: Scene) -> Lines:
    text = _("Nobody plays those cards: %(dealer)s deals once more, and the lesson goes on with whatever comes.")
    return Lines(_("Thrown in"), text % {"dealer": scene.dealer})


def _cut(scene: Scene) -> Lines:
    text = _(
        "%(dealer)s deals, and whoever sits on the dealer’s left cuts: you lift some cards, and they go under the rest. "
        "Lift 39 for the cards we have prepared; any other number gives you cards that nobody has seen before."
    ) % {"dealer": scene.dealer}
    return Lines(_("You cut the pack"), text)


def _dealing(scene: Scene) -> Lines:
    text = _(
        "Everybody gets 6 cards, again 6, then 7, and the dealer two more. After each round the players say whether the "
        "deal may be thrown in, and hint at what they hold."
    )
    return _own("talk", _("Cards and talk"), text)


def _talk(scene: Scene) -> Lines:
    if scene.view is None or scene.view.asked != "free":
        text = _(
            "May this deal be thrown in? With a good hand say veto, and it goes on. With a poor one allow it, and add a "
            "phrase about your cards if you like: your partner listens, and so do the others."
        )
        return _own("talk", _("The talk"), text)
    text = _(
        "Two players allow a throw-in. Now it is up to you: with a veto the deal goes on, with liber %(dealer)s may choose."
    ) % {"dealer": scene.dealer}
    hint = _hint(scene)
    return _own("talk", _("The talk"), joined(" ", (text, hint)) if hint else text)


def _hint(scene: Scene) -> str:
    """What the partner's latest phrase says about the cards."""
    seat = scene.seen.seats[(scene.me + 2) % len(scene.seen.seats)]
    said = [phrase for spoken in seat.saying if spoken.round == scene.seen.dealt for phrase in spoken.phrases]
    if not said:
        return _("Hints are given in pictures, and nobody has to tell the truth.")
    phrase = rules_text_names.by_id(said[-1])
    fields = {"name": seat.name, "phrase": phrase.romansh, "literal": phrase.literal, "tells": phrase.tells}
    return _("%(name)s says “%(phrase)s” (%(literal)s), which means: %(tells)s.") % fields


def _talk_again(scene: Scene) -> Lines:
    text = _("The same question, now that you see more cards: a veto plays on, the other answer leaves it open.")
    return _own("talk", _("The talk goes on"), text)


def _decide(scene: Scene) -> Lines:
    text = _("All three others leave it to you. Go on if your side looks strong enough, or throw in and deal anew.")
    return Lines(_("You decide"), text)


def _scart(scene: Scene) -> Lines:
    text = _(
        "You dealt and hold two cards more than the others. Lay two away: they count for your side, unless the others win "
        "every trick. Kings, the Fool, XXI and I have to stay in your hand."
    )
    return _own("scart", _("Lay two cards away"), text)


def _scart_watch(scene: Scene) -> Lines:
    text = _("%(dealer)s lays two cards away. The last card each player got lies open: everybody knows where it is.")
    return _own("scart", _("Before the first trick"), text % {"dealer": scene.dealer})


def _rounds(scene: Scene) -> Lines:
    text = _("A side that lies behind may ask for bigger packets of cards: then luck turns faster, either way.")
    return Lines(_("How shall the cards be dealt?"), text)


def _arrange(scene: Scene) -> Lines:
    text = _("This deal is not shuffled. You may put the cards of your own tricks in any order before the cut.")
    return Lines(_("Arrange your tricks"), text)


# after a trick


def _call(scene: Scene) -> Lines:
    text = _(
        "You won a trick with the king of %(suit)s in it, the first time %(suit)s were led. Say buob, and whoever holds "
        "the jack must put it in and take back the card they played. After buob-sche they need not, if that card is the "
        "queen or the cavalier."
    ) % {"suit": scene.suit}
    return _own("buob", _("Call the jack"), text)


def _call_again(scene: Scene) -> Lines:
    text = _("Again a king lies in your trick, this time of %(suit)s. Its jack may still be in somebody’s hand.")
    return _own("buob", _("Call again?"), text % {"suit": scene.suit})


def _fool_asked(scene: Scene) -> Lines:
    text = _(
        "The jack was called into the trick to which you played the Fool. If you hold it you may give it and take the "
        "Fool back. Whoever played the Fool is always asked, so the question tells the others nothing."
    )
    return _own("fool", _("The Fool and the jack"), text)


def _take(scene: Scene) -> Lines:
    text = _(
        "Your jack stays in the trick beside the king. For it you take back a numeral card of %(suit)s that another "
        "player put down."
    ) % {"suit": scene.suit}
    return Lines(_("One card comes back"), text)


def _jack_came(scene: Scene) -> Lines:
    called, given = scene.news("called"), scene.news("jack-given")
    if called is None or given is None or given.card is None:
        return _own_way(scene)
    fields = {
        "caller": scene.name(called.seat),
        "holder": scene.name(given.seat),
        "jack": rules_text_names.card_object(CODES[given.card]),
    }
    if given.seat == scene.me:
        text = _(
            "%(caller)s called, and you held %(jack)s: it had to go into the trick, and your card came back to you."
        )
    elif called.seat == scene.me:
        text = _("It worked: %(holder)s held %(jack)s and had to put it into your trick, for the card played before.")
    else:
        text = _(
            "The king’s suit was led for the first time, so the winner of the trick, %(caller)s, could call the jack. "
            "%(holder)s held %(jack)s, had to put it in, and took back the card played before."
        )
    return _own("buob", _("The jack had to come"), text % fields)


def _fool_debt(scene: Scene) -> Lines:
    owed = scene.news("fool-owed")
    if owed is None or owed.seat % 2 == scene.me % 2:
        text = _(
            "The others won the trick, but the Fool with its five points stays with your side. They get a low card from "
            "your tricks for it: at once, or as soon as you have one."
        )
    else:
        text = _(
            "Your side won the trick, but the Fool goes back to the side that played it. For it you get a low card from "
            "their tricks: at once, or as soon as they have one."
        )
    return _own("fool", _("The Fool goes home"), text)


# the play


def _follow(scene: Scene) -> Lines:
    moment = scene.moment
    leader = scene.name(moment.lying[0][0]) if moment is not None and moment.lying else scene.partner
    text = _(
        "%(name)s led %(suit)s, and you hold some: you must play one. The highest card of the suit takes the trick, "
        "unless somebody who has none plays a trump. The winner leads to the next."
    ) % {"name": leader, "suit": scene.suit}
    return Lines(_("Follow suit"), text)


def _trump(scene: Scene) -> Lines:
    text = _(
        "You hold no %(suit)s, so you must play a trump, even where it cannot win. The 21 trumps beat every suit, and "
        "among them the higher number wins."
    ) % {"suit": scene.suit}
    return _own("trumps", _("Play a trump"), text)


def _free(scene: Scene) -> Lines:
    text = _(
        "You can neither follow nor trump: any card may go, and none can win. Give points if your partner takes the "
        "trick, and a worthless card if the others do."
    )
    return Lines(_("Throw off what you like"), text)


def _pair(scene: Scene) -> Lines:
    moment = scene.moment
    kings = CODES[moment.pairs.bit_length() - 1] if moment is not None and moment.pairs else "CK"
    text = _(
        "You hold king and jack of %(suit)s. The first time %(suit)s are led, and only then, you may play both at once; "
        "for the jack a numeral card of %(suit)s comes back to your hand."
    ) % {"suit": rules_text_names.suit_name(kings[0])}
    return Lines(_("King and jack together"), text)


def _values(scene: Scene) -> Lines:
    text = _(
        "Points lie in the cards, not in the number of tricks. Kings, the Fool, XXI and I count 5, queens 4, cavaliers 3, "
        "jacks 2, everything else 1."
    )
    return Lines(_("What the cards are worth"), text)


def _smear(scene: Scene) -> Lines:
    text = _(
        "%(partner)s is winning this trick, and what lies in it counts for both of you. A court card that would hardly "
        "win by itself is well placed here."
    ) % {"partner": scene.partner}
    return Lines(_("Give your partner points"), text)


def _excuse(scene: Scene) -> Lines:
    moment = scene.moment
    winner = scene.name(moment.winner) if moment is not None and moment.winner is not None else scene.dealer
    text = _(
        "%(name)s is winning this trick. Your Fool may be played at any time, in place of following: it never wins, but "
        "it spares you a better card, and your side keeps it."
    ) % {"name": winner}
    return _own("fool", _("Your Fool"), text)


def _trumps_led(scene: Scene) -> Lines:
    text = _(
        "Trumps were led, and whoever holds one must play one. XXI is the highest and I the lowest, yet both are worth "
        "five: a led trump is how the I gets caught."
    )
    return _own("draw-trumps", _("Trumps are led"), text)


def _lead_king(scene: Scene) -> Lines:
    text = _(
        "You won, so you lead, and any card will do. While nobody has led its suit, a king has the best chance: everybody "
        "still has to follow, and the winner may call the jack."
    )
    return Lines(_("You lead, and hold a king"), text)


def _lead(scene: Scene) -> Lines:
    text = _(
        "You won, so you lead, and any card will do. A queen is in danger while her king is out; a low card costs little "
        "and may let your partner win."
    )
    return Lines(_("You lead"), text)


def _ranks(scene: Scene) -> Lines:
    text = _(
        "King, queen, cavalier and jack are on top everywhere. Below them, in cups and coins the 1 is the best numeral "
        "and the 10 the worst; in swords and batons it is the other way round."
    )
    return Lines(_("Upside-down numerals"), text)


def _explain(scene: Scene) -> Lines:
    text = _(
        "Dimmed cards may not be played now; tap one, and it says why. The question mark above the table goes through "
        "all your cards."
    )
    return Lines(_("If you are in doubt"), text)


def _laid_away(scene: Scene) -> Lines:
    text = _(
        "%(dealer)s had two cards too many and laid two away, face down, before the first trick. In the end they count for "
        "the dealer’s side; kings, the Fool, XXI and I cannot be among them."
    ) % {"dealer": scene.dealer}
    return _own("scart", _("Two cards are not in play"), text)


def _memory(scene: Scene) -> Lines:
    text = _(
        "Only the trick before may be looked at again. It pays to keep count of the trumps, there are 21, and of the "
        "kings that have not been seen."
    )
    return Lines(_("What has fallen"), text)


def _half(scene: Scene) -> Lines:
    text = _(
        "All cards together make 72 points, so 36 is half. A trick of four low cards is worth a single point: it can "
        "safely be lost."
    )
    return Lines(_("Which tricks matter"), text)


def _last(scene: Scene) -> Lines:
    text = _("One card is left, then the points are counted. The two cards of the scart go to the dealer’s side.")
    return Lines(_("The last trick"), text)


def _own_way(scene: Scene) -> Lines:
    moment = scene.moment
    if moment is not None and moment.leads:
        return Lines(_("You lead"), _("No new rule here: lead what you like."))
    if moment is not None and moment.partner_wins:
        text = _("So far %(partner)s is winning this trick.") % {"partner": scene.partner}
        return Lines(_("Your card"), text)
    if moment is not None and moment.winner is not None:
        text = _("So far %(name)s is winning this trick.") % {"name": scene.name(moment.winner)}
        return Lines(_("Your card"), text)
    return Lines(_("Your card"), _("No new rule here: play what you like."))


def _watch(scene: Scene) -> Lines:
    count = scene.view.held.bit_count() if scene.view is not None else 0
    text = ngettext(
        "Watch what the others play. You hold %(count)d card.",
        "Watch what the others play. You hold %(count)d cards.",
        count,
    ) % {"count": count}
    return Lines(_("The others play"), text)


_TOPICS: Final[Mapping[str, Teller]] = {
    "welcome": _welcome, "sit-again": _sit_again, "cut": _cut, "dealing": _dealing, "talk": _talk,
    "talk-again": _talk_again, "decide": _decide, "decide-again": _decide, "scart": _scart, "scart-watch": _scart_watch,
    "deal": _rounds, "deal-again": _rounds, "arrange": _arrange, "arrange-again": _arrange, "cut-again": _cut,
    "scart-again": _scart, "call": _call, "call-again": _call_again, "fool": _fool_asked, "fool-again": _fool_asked,
    "take": _take, "take-again": _take, "jack-came": _jack_came, "fool-debt": _fool_debt, "follow": _follow,
    "trump": _trump, "free": _free, "pair": _pair, "values": _values, "smear": _smear, "excuse": _excuse,
    "trumps-led": _trumps_led, "lead-king": _lead_king, "lead": _lead, "ranks": _ranks, "explain": _explain,
    "laid-away": _laid_away, "memory": _memory, "half": _half, "last": _last, "own": _own_way, "watch": _watch,
}  # fmt: skip

TOPICS: Final = tuple(_TOPICS)
"""Every topic there is a text for."""
