"""What the teacher says on each topic, in the reader's language: a title and a few sentences about the present
position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.sursilvan import joined
from domain.engine import CODES
from domain.engine.cards import FOOL_BIT, letter_of
from domain.engine.view import View
from games.lessons.topics import Moment, called_by, happened, winning_card
from games.read_models import Sight
from rules.text import names as rules_text_names


@dataclass(frozen=True, slots=True)
class Scene:
    """What a topic may mention. `moment` is the latest question to the learner, None before the first."""

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
        """The suit to follow; "" if there is none."""
        letter = letter_of(self.moment.view.lane) if self.moment is not None else ""
        return rules_text_names.suit_name(letter) if letter else ""

    @property
    def winner(self) -> str:
        """Who was winning the trick when the learner was asked; empty if no card had been played to it."""
        winner = self.moment.winner if self.moment is not None else None
        return self.name(winner) if winner is not None else ""


@dataclass(frozen=True, slots=True)
class Lines:
    """A title, the text under it, and the game's own word for the topic with its language ("" if there is none).

    `values` are cards to show next to it, with their values; `reading` says where the text follows our reading of the
    rules.
    """

    title: str
    text: str
    word: str = ""
    word_lang: str = ""
    values: tuple[tuple[str, int], ...] = ()
    reading: str = ""


Teller: TypeAlias = Callable[[Scene], Lines]


def lesson_lines(topic: str, scene: Scene) -> Lines:
    """What the teacher says on `topic`. Raises KeyError for an unknown topic."""
    if scene.seen.ruleset != "troggu":
        return TROCCAS[topic](scene)
    lines = TROGGU[topic](scene)
    return lines if lines.word_lang == "gsw" else replace(lines, word="", word_lang="")


def _own(concept: str, title: str, text: str) -> Lines:
    term = rules_text_names.own_word(concept)
    return Lines(title, text, term.text, term.lang)


@dataclass(frozen=True, slots=True)
class FixedTopic:
    """A topic with the same text in every position. `concept` is "" if the game has no word of its own for it.

    The text may name the `%(suit)s` led, the `%(dealer)s` and the `%(partner)s`.
    """

    concept: str
    title: Promise
    text: Promise

    def __call__(self, scene: Scene) -> Lines:
        text = str(self.text) % {"suit": scene.suit, "dealer": scene.dealer, "partner": scene.partner}
        return _own(self.concept, str(self.title), text) if self.concept else Lines(str(self.title), text)


# before the play


_VALUES: Final = (("CK", 5), ("F", 5), ("T21", 5), ("T1", 5), ("OQ", 4), ("SN", 3), ("BJ", 2), ("C6", 1))


def _welcome(scene: Scene) -> Lines:
    others = [scene.name((scene.me + step) % 4) for step in (1, 3)]
    text = gettext(
        "You and %(partner)s, opposite you, play against %(first)s and %(second)s. In turn each lays a card on the table: "
        "that is a trick, and the best of the four cards takes them all for its side. What they are worth is what counts: "
        "kings, the Fool, XXI and I 5 points, queens 4, cavaliers 3, jacks 2, all others 1. Counted at the end, all "
        "cards together make 72: with more than 36 your side wins. You learn every other rule as you need it."
    ) % {"partner": scene.partner, "first": others[0], "second": others[1]}
    return Lines(gettext("Learn Troccas by playing it"), text, values=_VALUES)


def _cut(scene: Scene) -> Lines:
    text = gettext("%(dealer)s deals, and you cut: you lift some cards, and they go under the rest.")
    if scene.seen.hand == 1:
        text += " " + gettext(
            "Lift %(number)d for the cards we have prepared; any other number gives you cards that nobody has seen before."
        )
    number = 31 if scene.seen.ruleset == "troggu" else 39
    return Lines(gettext("You cut the pack"), text % {"dealer": scene.dealer, "number": number})


def _next_round(scene: Scene, number: int, title: str, text: str) -> Lines:
    """A new round of dealing: `text` with the result of the talk before it, and what a phrase of it meant."""
    before = [spoken for spoken in scene.view.spoken if spoken.round == number - 1] if scene.view is not None else []
    if before and before[-1].action.verb == "veto":
        seat = before[-1].seat
        vetoed = (
            gettext("You said veto: the deal goes on.")
            if seat == scene.me
            else gettext("%(name)s said veto: the deal goes on.")
        )
        text = f"{vetoed % {'name': scene.name(seat)}} {text}"
    phrases = [(spoken.seat, phrase) for spoken in before for phrase in spoken.action.said if spoken.seat != scene.me]
    if phrases and number == 3:
        text = f"{text} {_meant(scene.name(phrases[-1][0]), phrases[-1][1])}"
    return _own("talk", title, text)


def _second_round(scene: Scene) -> Lines:
    text = gettext("Everybody has 6 more cards now, and the same talk begins again.")
    return _next_round(scene, 2, gettext("The second round"), text)


def _third_round(scene: Scene) -> Lines:
    text = gettext("The last cards are dealt: you hold 19. Once more each may speak; after that the cards are played.")
    return _next_round(scene, 3, gettext("The third round"), text)


def _talk(scene: Scene) -> Lines:
    if scene.view is None or scene.view.asked != "free":
        text = gettext(
            "May this deal be thrown in? With a good hand say veto, and it goes on. With a poor one allow it, and add a "
            "phrase about your cards if you like: your partner listens, and so do the others."
        )
        return _own("talk", gettext("The talk"), text)
    if scene.view.dealt == scene.view.rounds:
        text = gettext(
            "Two players allow a throw-in. Now it is up to you: with a veto the cards are played, with liber %(dealer)s may "
            "choose."
        )
    else:
        text = gettext(
            "Two players allow a throw-in. Now it is up to you: with a veto the deal goes on, with liber %(dealer)s may choose."
        )
    text %= {"dealer": scene.dealer}
    hint = _hint(scene)
    return _own("talk", gettext("The talk"), joined(" ", (text, hint)) if hint else text)


def _hint(scene: Scene) -> str:
    """What the partner's latest phrase says about their cards."""
    seat = scene.seen.seats[(scene.me + 2) % len(scene.seen.seats)]
    said = [phrase for spoken in seat.saying if spoken.round == scene.seen.dealt for phrase in spoken.phrases]
    if not said:
        return gettext("Hints are given in pictures, and nobody has to tell the truth.")
    return _meant(seat.name, said[-1])


def _meant(name: str, phrase_id: str) -> str:
    phrase = rules_text_names.by_id(phrase_id)
    fields = {"name": name, "phrase": phrase.romansh, "literal": phrase.literal, "tells": phrase.tells}
    if not phrase.literal:
        return gettext("%(name)s says “%(phrase)s”, which means: %(tells)s.") % fields
    return gettext("%(name)s says “%(phrase)s” (%(literal)s), which means: %(tells)s.") % fields


# after a trick


def _call(scene: Scene) -> Lines:
    text = gettext(
        "In your trick lies the king of %(suit)s, and %(suit)s were led for the first time. After buob, whoever holds the "
        "jack must put it in and take back the card they played. After buob-sche they need not, if that card is the "
        "queen or the cavalier."
    ) % {"suit": scene.suit}
    reading = gettext("Our reading: the winner of the trick calls. Once the source says: the player of the king.")
    return replace(_own("buob", gettext("Call the jack"), text), reading=reading)


def _jack_came(scene: Scene) -> Lines:
    caller = called_by(scene.view) if scene.view is not None else None
    event = happened(scene.view, "jack-given") if scene.view is not None else None
    if caller is None or event is None or event.card is None:
        return _own_way(scene)
    fields = {
        "caller": scene.name(caller),
        "holder": scene.name(event.seat),
        "jack": rules_text_names.card_object(CODES[event.card]),
    }
    if event.seat == scene.me:
        text = gettext(
            "%(caller)s called, and you held %(jack)s: it had to go into the trick, and your card came back to you."
        )
    elif caller == scene.me:
        text = gettext(
            "It worked: %(holder)s held %(jack)s and had to put it into your trick, for the card played before."
        )
    else:
        text = gettext(
            "The king’s suit was led for the first time, so the winner of the trick, %(caller)s, could call the jack. "
            "%(holder)s held %(jack)s, had to put it in, and took back the card played before."
        )
    return _own("buob", gettext("The jack had to come"), text % fields)


def _fool_debt(scene: Scene) -> Lines:
    owed = happened(scene.view, "fool-owed") if scene.view is not None else None
    if owed is None or owed.seat % 2 == scene.me % 2:
        text = gettext(
            "The others won the trick, but the Fool with its five points stays with your side. They get a low card from "
            "your tricks for it: at once, or as soon as you have one."
        )
    else:
        text = gettext(
            "Your side won the trick, but the Fool goes back to the side that played it. For it you get a low card from "
            "their tricks: at once, or as soon as they have one."
        )
    return _own("fool", gettext("The Fool goes home"), text)


def _trick_won(scene: Scene) -> Lines:
    if scene.view is None or not scene.view.tricks:
        return _watch(scene)
    winner = scene.view.tricks[-1].winner
    fields = {"name": scene.name(winner), "card": rules_text_names.card_object(CODES[winning_card(scene.view)])}
    if winner == scene.me:
        text = gettext(
            "You won the trick with %(card)s. Its cards lie with your side, and whoever wins a trick leads to the next."
        )
    elif winner in scene.view.partners():
        text = gettext(
            "%(name)s, your partner, won the trick with %(card)s. Its cards lie with your side, and whoever wins a trick "
            "leads to the next."
        )
    else:
        text = gettext(
            "%(name)s won the trick with %(card)s. Its cards lie with the winner’s side, and whoever wins a trick leads to "
            "the next."
        )
    return Lines(gettext("The trick is won"), text % fields)


# the play


def _follow(scene: Scene) -> Lines:
    trick = scene.moment.view if scene.moment is not None and scene.moment.view.trick else None
    text = gettext(
        "%(name)s led %(suit)s, and you hold some: you must play one. The highest card of the suit takes the trick, "
        "unless somebody who has none plays a trump."
    ) % {"name": scene.name(trick.leader) if trick is not None else scene.partner, "suit": scene.suit}
    return Lines(gettext("Follow suit"), text)


def _unless_fool(teller: Teller) -> Teller:
    """A topic about a card that must be played, with a note that in Troccas the Fool may be played instead."""

    def tell(scene: Scene) -> Lines:
        lines = teller(scene)
        if scene.moment is None or not scene.moment.view.held & FOOL_BIT:
            return lines
        instead = gettext("You hold the Fool: it may be played instead.")
        return replace(lines, text=f"{lines.text} {instead}")

    return tell


def _pair(scene: Scene) -> Lines:
    pairs = scene.moment.pairs if scene.moment is not None else 0
    king = CODES[pairs.bit_length() - 1] if pairs else "CK"
    text = gettext(
        "You hold king and jack of %(suit)s. The first time %(suit)s are led, and only then, you may play both at once; "
        "for the jack a numeral card of %(suit)s comes back to your hand."
    ) % {"suit": rules_text_names.suit_name(king[0])}
    return Lines(gettext("King and jack together"), text)


def _smear(scene: Scene) -> Lines:
    if scene.moment is not None and scene.moment.partner_wins:
        text = gettext(
            "%(winner)s is winning this trick for your side, and what lies in it counts for you too. A court card that would "
            "hardly win by itself is well placed here."
        ) % {"winner": scene.winner}
    else:
        text = gettext(
            "Somebody on your side will most likely take this trick, and what lies in it counts for you too. A court card "
            "that would hardly win by itself is well placed here."
        )
    return Lines(gettext("Give your side points"), text)


def _own_way(scene: Scene) -> Lines:
    if scene.moment is not None and scene.moment.leads:
        return Lines(gettext("You lead"), gettext("No new rule here: lead what you like."))
    if scene.winner:
        return Lines(gettext("Your card"), gettext("So far %(name)s is winning this trick.") % {"name": scene.winner})
    return Lines(gettext("Your card"), gettext("No new rule here: play what you like."))


def _watch(scene: Scene) -> Lines:
    count = scene.view.held.bit_count() if scene.view is not None else 0
    text = ngettext(
        "Watch what the others play. You hold %(count)d card.",
        "Watch what the others play. You hold %(count)d cards.",
        count,
    ) % {"count": count}
    return Lines(gettext("The others play"), text)


# fmt: off
_ANYWHERE: Final[Mapping[str, Teller]] = {
    "cut": _cut, "cut-again": _cut, "follow": _follow, "smear": _smear, "trick-won": _trick_won, "own": _own_way,
    "watch": _watch,
    "sit-again": FixedTopic("", _("Thrown in"), _(
        "Nobody plays those cards: %(dealer)s deals once more, and the lesson goes on with whatever comes.")),
    "trump": FixedTopic("trumps", _("Play a trump"), _(
        "You hold no %(suit)s, so you must play a trump, even where it cannot win. The 21 trumps beat every suit, and "
        "among them the higher number wins.")),
    "free": FixedTopic("", _("Throw off what you like"), _(
        "You can neither follow nor trump: any card may go, and none can win. Its points go to whoever takes the trick.")),
    "trumps-led": FixedTopic("draw-trumps", _("Trumps are led"), _(
        "Trumps were led, and whoever holds one must play one. XXI is the highest and I the lowest, yet both are worth "
        "five: a led trump is how the I gets caught.")),
    "lead-king": FixedTopic("", _("You lead, and hold a king"), _(
        "You lead, and any card will do. While nobody has led its suit, a king has the best chance: everybody who can must "
        "follow, and only a trump beats it.")),
    "lead-trump": FixedTopic("draw-trumps", _("You may lead a trump"), _(
        "You lead, and any card will do. With a trump you make everybody play one: whoever has none left cannot trump your "
        "good cards later.")),
    "lead": FixedTopic("", _("You lead"), _(
        "You lead, and any card will do. A queen is in danger while her king is out; a low card costs little and may let "
        "somebody on your side win.")),
    "explain": FixedTopic("", _("If you are in doubt"), _(
        "Dimmed cards may not be played now; tap one, and it says why. The question mark above the table goes through "
        "all your cards.")),
}
# fmt: on

# fmt: off
_DECIDE = FixedTopic("", _("You decide"), _(
    "All three others leave it to you. Go on if your side looks strong enough, or throw in and have the cards dealt again."))
_SCART = FixedTopic("scart", _("Lay two cards away"), _(
    "You dealt and hold two cards more than the others. Lay two away: they count for your side, unless the others win "
    "every trick. Kings, the Fool, XXI and I have to stay in your hand."))
_ROUNDS = FixedTopic("", _("How shall the cards be dealt?"), _(
    "A side that lies behind may ask for bigger packets of cards: then luck turns faster, either way."))
_ARRANGE = FixedTopic("", _("Arrange your tricks"), _(
    "This deal is not shuffled. You may put the cards of your own tricks in any order before the cut."))
_FOOL_ASKED = FixedTopic("fool", _("The Fool and the jack"), _(
    "The jack was called into the trick to which you played the Fool. If you hold it you may give it and take the "
    "Fool back. Whoever played the Fool is always asked, so the question tells the others nothing."))
_TAKE = FixedTopic("", _("One card comes back"), _(
    "Your jack stays in the trick beside the king. For it you take back a numeral card of %(suit)s that another "
    "player put down."))
TROCCAS: Final[Mapping[str, Teller]] = {
    **_ANYWHERE,
    "welcome": _welcome, "second-round": _second_round, "third-round": _third_round, "talk": _talk, "decide": _DECIDE,
    "decide-again": _DECIDE, "scart": _SCART, "deal": _ROUNDS, "deal-again": _ROUNDS, "arrange": _ARRANGE,
    "arrange-again": _ARRANGE, "scart-again": _SCART, "call": _call, "fool": _FOOL_ASKED, "fool-again": _FOOL_ASKED,
    "take": _TAKE, "take-again": _TAKE, "jack-came": _jack_came, "fool-debt": _fool_debt, "pair": _pair,
    **{must: _unless_fool(_ANYWHERE[must]) for must in ("follow", "trump", "trumps-led")},
    "dealing": FixedTopic("talk", _("Cards and talk"), _(
        "These are your first 6 cards; 6 more follow, then 7. Those with a Roman number are trumps: they beat the four suits. "
        "After each round the players say whether these cards may be thrown in and others dealt, and hint at what they "
        "hold. What they say stands beside their names.")),
    "talk-again": FixedTopic("talk", _("The talk goes on"), _(
        "The same question, now that you see more cards: a veto plays on, the other answer leaves it open.")),
    "scart-watch": FixedTopic("scart", _("Before the first trick"), _(
        "%(dealer)s has two cards more than you and now lays two away, face down. In the end they count for the dealer’s "
        "side; kings, the Fool, XXI and I may not be among them. The last card each player got lies open: everybody knows "
        "where it is.")),
    "call-again": FixedTopic("buob", _("Call again?"), _(
        "Again a king lies in your trick, this time of %(suit)s. Its jack may still be in somebody’s hand.")),
    "excuse": FixedTopic("fool", _("Your Fool"), _(
        "Your Fool may be played at any time, in place of following: it never wins, but it spares you a better card, and "
        "your side keeps it. If the others win the trick, they get a low card for it.")),
    "ranks": FixedTopic("", _("Upside-down numerals"), _(
        "King, queen, cavalier and jack are on top everywhere. Below them, in cups and coins the 1 is the best numeral "
        "and the 10 the worst; in swords and batons it is the other way round.")),
    "memory": FixedTopic("", _("What has fallen"), _(
        "Only the trick before may be looked at again. It pays to keep count of the trumps, there are 21, and of the "
        "kings that have not been seen.")),
    "half": FixedTopic("", _("Which tricks matter"), _(
        "A trick of four low cards is worth a single point, one with a king and a queen in it eight: for every four cards "
        "three points are taken off. More than 36 of the 72 win.")),
    "last": FixedTopic("", _("The last trick"), _(
        "One card is left, then the points are counted. The two cards of the scart go to the dealer’s side.")),
}
# fmt: on


# Troggu


def _welcome_troggu(scene: Scene) -> Lines:
    text = gettext(
        "Seven play. In turn each lays a card on the table: that is a trick, and the best of the seven cards takes them all. "
        "What they are worth is what counts: kings, the Fool, XXI and I 5 points, queens 4, cavaliers 3, jacks 2, all others "
        "1, together 114. One of you takes the game against the others, with a partner who is secret at first; the two need "
        "58. You learn every other rule as you need it."
    )
    return Lines(gettext("Learn Troggu by playing it"), text, values=_VALUES)


def _bid(scene: Scene) -> Lines:
    taken = scene.view.tappist if scene.view is not None else -1
    if taken >= 0 and taken != scene.me:
        text = gettext(
            "%(name)s has taken the game already. You can pass, or outbid it with a Solo: alone against all, without the Tapp."
        )
        return _own("solo", gettext("Your bid"), text % {"name": scene.name(taken)})
    text = gettext(
        "Nobody has taken the game so far. Take it if you hold many high trumps and kings, or pass. A Solo is for the very best "
        "cards: you play alone against all, without the Tapp, for twice as much."
    )
    return _own("take", gettext("Your bid"), text)


def _taken(scene: Scene) -> Lines:
    if scene.view is None or scene.view.tappist < 0:
        return _watch(scene)
    text = gettext(
        "%(name)s plays, takes up the Tapp, lays six cards away and then names a trump: whoever holds it is the partner and "
        "must not show it. If it is yours, you play with %(name)s; if not, against them."
    )
    return _own("tappist", gettext("The game is taken"), text % {"name": scene.name(scene.view.tappist)})


def _secret(scene: Scene) -> Lines:
    called = scene.view.called if scene.view is not None else None
    if called is None:
        return _own_way(scene)
    text = gettext(
        "Whose side somebody is on shows only when %(card)s falls. Until then look at who gives points to whom."
    ) % {"card": rules_text_names.card_object(CODES[called])}
    return Lines(gettext("The secret partner"), text)


def _partner_shown(scene: Scene) -> Lines:
    shown = happened(scene.view, "partner-shown") if scene.view is not None else None
    if shown is None or shown.card is None:
        return _own_way(scene)
    fields = {"name": scene.name(shown.seat), "card": rules_text_names.card_object(CODES[shown.card])}
    if scene.view is not None and scene.view.tappist == scene.me:
        text = gettext(
            "%(name)s played %(card)s, the card you called, and is your partner: what you two win counts together."
        )
    elif shown.seat == scene.me:
        text = gettext("You played %(card)s, the card that was called: now everybody knows that you are the partner.")
    else:
        text = gettext(
            "%(name)s played %(card)s, the card that was called: everybody else plays together against the two."
        )
    return Lines(gettext("The partner is known"), text % fields)


# fmt: off
_DISCARD = FixedTopic("tapp", _("You play: lay six cards away"), _(
    "The Tapp is in your hand now. Lay six cards away: they count for your side. Kings, the Fool, XXI and I have to "
    "stay, unless all four kings go together. With a suit gone from your hand you can trump it."))
_PARTNER = FixedTopic("tappist", _("Call a partner"), _(
    "Name a trump that you do not hold: whoever holds it is your partner, wins and loses with you, and must not show it. "
    "You find out when that card falls. If it lay in the Tapp, you play alone."))
TROGGU: Final[Mapping[str, Teller]] = {
    **_ANYWHERE,
    "welcome": _welcome_troggu, "bid": _bid, "bid-again": _bid, "discard": _DISCARD, "discard-again": _DISCARD,
    "partner": _PARTNER, "partner-again": _PARTNER, "taken": _taken, "secret": _secret,
    "partner-shown": _partner_shown,
    "dealing": FixedTopic("", _("The cards are dealt"), _(
        "Six cards are laid aside first, face down: the Tapp. Then everybody gets eight.")),
    "bidding": FixedTopic("tapp", _("The bidding"), _(
        "Everybody has eight cards; those with a Roman number are trumps and beat the four suits. Six more lie face down: the "
        "Tapp. Each says once whether they take the game. Whoever takes it gets the Tapp, lays six cards away, and plays "
        "against the others with a secret partner.")),
    "lead-first": FixedTopic("", _("You lead first"), _(
        "Whoever takes the game leads to the first trick, and any card will do. The winner leads to the next.")),
    "high-fool": FixedTopic("fool", _("Your Fool"), _(
        "In Troggu the Fool is the highest trump, above XXI: played in time it takes any trick. Only when it is your last "
        "trump may you keep it back; then it can no longer win, and comes home in the last trick.")),
    "fool-alone": FixedTopic("fool", _("The Fool may stay"), _(
        "A trump is asked for, and the Fool is your only one. You may keep it back and play any other card. From then on it "
        "cannot win, stays in your hand to the last trick, and goes to your side.")),
    "misere": FixedTopic("misere", _("Everyone alone"), _(
        "Nobody took the game: everyone plays alone, and whoever takes most points pays all the others.")),
    "ranks": FixedTopic("", _("Upside-down numerals"), _(
        "King, queen, cavalier and jack are on top everywhere. Below them cups and coins rank 1, 2, 3, 4, 5, 6, the 1 being "
        "the best; swords and batons 10, 9, 8, 7, 6, 5. The other numerals are not in this pack.")),
    "half": FixedTopic("", _("Which tricks matter"), _(
        "Here every card counts in full, so a trick of seven brings at least 7 of the 114 points. The side of the Tappist, who took the game, wins with 58, what was laid away included; at 57 nobody wins.")),
    "last": FixedTopic("", _("The last trick"), _(
        "One card is left, then the points are counted. What was laid away goes to the Tappist’s side.")),
    "trump": FixedTopic("", _("Play a trump"), _(
        "You hold no %(suit)s, so you must play a trump, even where it cannot win. Trumps beat every suit; among them the "
        "higher number wins, and the Fool is above them all.")),
    "trumps-led": FixedTopic("", _("Trumps are led"), _(
        "Trumps were led, and whoever holds one must play one. The Fool is the highest and the I the lowest, yet both are "
        "worth five: a led trump is how the I gets caught.")),
}
# fmt: on
