"""The guided hand: a composed deal, and what the teacher says at each moment of it.

The lesson is a function of what its learner may see: `moments` reads the questions so far out of the view, `topics` chooses
what to explain, `because` and `games.lessons.text` say it. Nothing is stored, and the advice is
worked out from the cards as they fall, so that the lesson goes on sensibly whatever its learner does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.bots.advice import advise
from domain.bots.facts import Reason
from domain.engine import CODES
from domain.engine.actions import Action
from domain.engine.cards import FOOL_BIT, NO_LANE, TRUMPS
from domain.engine.view import View
from games.lessons.moments import Moment, moments
from games.lessons.text import Scene, lesson_lines
from games.read_models import Replay, Sight
from games.text.common import in_a_row, own_side, signed
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
    if action.verb in ("scart", "discard"):
        return _("Lay away %(cards)s.") % {"cards": in_a_row(cards)}
    if action.verb == "take" and cards:
        return _("Take back %(card)s.") % {"card": cards[0]}
    if action.verb == "call":
        return _("Call %(card)s.") % {"card": cards[0]}
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
        return _("Say %(word)s, with %(phrases)s.") % {"word": _spoken(action.verb), "phrases": phrases}
    return {
        "arrange": _("Leave the cards as they lie."),
        "go": _("Go on with these cards."),
        "throw-in": _("Throw the cards in."),
        "quiet": _("Say nothing."),
        "give": _("Put the jack into the trick and take the Fool back."),
        "keep": _("Leave the Fool where it is."),
    }.get(action.verb) or _("Say %(word)s.") % {"word": _spoken(action.verb)}


def _spoken(verb: str) -> str:
    own = verb in ("liber", "buob", "buob-sche", "take", "solo")
    return (rules_text_names.own_word(verb) if own else rules_text_names.word(verb)).text


def because(reason: Reason) -> str:
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


@dataclass(frozen=True, slots=True)
class Lesson:
    """One composed hand: the pack before the cut, who deals, the table's options. The learner has seat 0."""

    pack: tuple[str, ...]
    dealer: int
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Count:
    """One line of the count: what is added or taken away, and the number as it is written."""

    label: str
    number: str
    total: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """What the teacher says now.

    `word` is the game's own word for it, in `word_lang` ("" without one). `suggestion` is the action to show on request
    ("" while others act), `doing` and `because` the same in words; `trick` of `tricks` says how far the hand is (0
    before the play). `count` holds the closing account, once the hand is over.
    """

    topic: str
    title: str
    text: str
    word: str = ""
    word_lang: str = ""
    suggestion: str = ""
    doing: str = ""
    because: str = ""
    trick: int = 0
    tricks: int = 19
    count: tuple[Count, ...] = ()


LIFTED: Final = 39
"""The cut with which the composed hands come out, the one the table's form proposes. With another cut the same pack
gives hands that nobody has composed, and the lesson goes on with them."""

_DEALER: Final = 1


def _pack(packets: Sequence[str]) -> tuple[str, ...]:
    """The pack, before a cut of LIFTED cards, that deals `packets[seat]` in three rounds to each seat."""
    rounds = [[packet.split() for packet in line.split("|")] for line in packets]
    order = [(_DEALER + step) % len(rounds) for step in range(1, len(rounds) + 1)]
    dealt = [code for number in range(3) for seat in order for code in rounds[seat][number]]
    return (*dealt[-LIFTED:], *dealt[:-LIFTED])


# Composed by tools/compose_lesson.py. The learner cuts and is asked in the talk; partner leads.
_PACKETS: Final = (
    "O5 O1 C7 BJ C10 BK | T13 CK CN B4 T18 O3 | T10 F T11 T19 C5 T12 OQ",
    "SQ O7 S1 C3 T4 S4 | T5 BQ C1 C4 T15 T1 | O4 T3 O2 O6 S6 B1 B2 B6 SK",
    "T20 S8 S2 S3 T16 ON | CQ SJ T21 T7 BN S10 | C8 C9 OK B7 S9 SN C6",
    "O9 O8 S5 T6 T8 T9 | O10 B9 OJ T14 T2 T17 | B3 S7 CJ B10 B8 B5 C2",
)
FIRST: Final = Lesson(_pack(_PACKETS), _DEALER, {"hands": 1, "demands": False})


def advice(seen: Sight, view: View | None, replay: Replay | None = None) -> Advice | None:
    """What to say to the viewer at this moment; None for a game that was given up, and for who only watches.

    `view` is the viewer's own of the open hand (None between deals); `replay` the finished hand, for the count.
    """
    if seen.viewer is None:
        return None
    if seen.status == "finished":
        return closing(seen, replay) if replay is not None else None
    if seen.status != "playing":
        return None
    if view is None:
        return _said("welcome" if seen.hand == 1 else "sit-again", Scene(seen, None, None))
    told = moments(view)
    found = topics(told)
    scene = Scene(seen, view, told[-1] if told else None)
    # The two are read one after the other: when another page of the learner has just answered, they differ.
    if not seen.question.mine or view.turn != view.seat:
        return _said(between(view, found[-1] if found else ""), scene)
    return _said(found[-1], scene, _suggestion(seen, view))


def _suggestion(seen: Sight, view: View) -> tuple[Action, str]:
    """A good action, and why in words."""
    if view.asked == "cut" and seen.hand == 1:
        return Action("cut", number=LIFTED), _("With this cut the lesson’s own cards are dealt.")
    given = advise(view)
    return given.action, because(Reason(given.reason))


def _said(topic: str, scene: Scene, suggestion: tuple[Action, str] | None = None) -> Advice:
    worded = lesson_lines(topic, scene)
    action, why = suggestion if suggestion is not None else (None, "")
    moment = scene.moment
    return Advice(
        topic,
        worded.title,
        worded.text,
        worded.word,
        worded.word_lang,
        suggestion=str(action) if action is not None else "",
        doing=doing(action) if action is not None else "",
        because=why,
        trick=moment.trick if moment is not None else 0,
    )


def closing(seen: Sight, replay: Replay) -> Advice:
    """The end of the lesson: the points of the viewer's side counted step by step."""
    side = own_side(seen)
    seat = replay.seats[seen.parties[side][0]]
    points, score = replay.sheet.points[side], replay.sheet.scores[seat.number]
    whole, half = sum(replay.sheet.points), sum(replay.sheet.points) // 2
    # Every trick has four cards, whoever the Fool went home to; what is left over is the scart.
    fours = 3 * seat.tricks
    rest = seat.points - points - fours
    count = [
        Count(_("The cards of your side, counted one by one"), str(seat.points)),
        Count(
            ngettext(
                "less 3 for each four cards: you have %(tricks)d trick",
                "less 3 for each four cards: you have %(tricks)d tricks",
                seat.tricks,
            )
            % {"tricks": seat.tricks},
            signed(-fours),
        ),
    ]
    if rest:
        count.append(Count(_("less 1 for the two cards of the scart"), signed(-rest)))
    count += [
        Count(_("Your side’s points, of %(whole)d in all") % {"whole": whole}, str(points), total=True),
        Count(_("less half of them"), signed(-half)),
        Count(_("Your side’s score"), signed(score), total=True),
    ]
    return Advice("count", _ending(score), _closing_text(score), trick=19, count=tuple(count))


def _ending(score: int) -> str:
    if score > 0:
        return _("Your side wins the hand")
    return _("The others win the hand") if score < 0 else _("Nobody wins the hand")


def _closing_text(score: int) -> str:
    text = _("That was all of Troccas but the surprises. A whole game is four hands, and everybody deals once.")
    if score < 0:
        return _("This is how the points are counted; the next hand brings other cards.") + " " + text
    return text
