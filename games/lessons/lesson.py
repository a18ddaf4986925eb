"""The guided hand: a composed deal, and what the teacher says at each moment of it.

The lesson is a function of what its learner may see and has read: `games.lessons.topics` chooses what to explain, `because` and
`games.lessons.text` say it. The advice is worked out from the cards as they fall, so that the lesson goes on sensibly
whatever its learner does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.bots.facts import Reason
from domain.engine import CODES
from domain.engine.actions import Action
from games.lessons.moments import Moment
from games.lessons.text import Lines, Scene, lesson_lines
from games.lessons.topics import Course, shown, stop_of
from games.read_models import Replay, Sight
from games.text.common import in_a_row, own_side, signed
from rules.text import names as rules_text_names


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
        return _("Say %(word)s, with %(phrases)s.") % {"word": _spoken(action.verb), "phrases": phrases}
    return {
        "arrange": _("Leave the cards as they lie."),
        "go": _("Go on with these cards."),
        "throw-in": _("Throw the cards in."),
        "quiet": _("Say nothing."),
        "give": _("Put the jack into the trick and take the Fool back."),
        "keep": _("Leave the Fool where it is."),
        "pass": _("Pass."),
        "solo": _("Play a Solo."),
    }.get(action.verb) or _("Say %(word)s.") % {"word": _spoken(action.verb)}


def _spoken(verb: str) -> str:
    own = verb in ("liber", "buob", "buob-sche", "take", "solo")
    return (rules_text_names.own_word(verb) if own else rules_text_names.word(verb)).text


def because(reason: Reason, *, troggu: bool = False) -> str:
    """The reason of a suggestion in a sentence; in Troggu one does not always know who plays with whom."""
    return (troggu and _because_in_troggu().get(reason)) or {
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
        Reason.LEAD_KING: _("Nothing but a trump beats a king, and now the others may still have to follow."),
        Reason.LEAD_HIGH: _("No higher card of this suit is out any more."),
        Reason.LEAD_LOW: _("It is easily spared, and your strong cards stay for later."),
        Reason.LEAD_TO_PARTNER: _("Your partner is well placed to win this suit."),
        Reason.DRAW_TRUMPS: _("A trump that falls now can no longer beat your good cards."),
        Reason.KING_AND_JACK: _("That is seven points at one go, and a card comes back to you."),
        Reason.BRING_BAGAT_HOME: _("The I is worth five points, and here it should come home."),
        Reason.PROTECT_BAGAT: _("The I is worth five points and would be lost here: another trump goes first."),
        Reason.PARTNER_WINS_SMEAR: _("Your partner will most likely take the trick, so its points count for you both."),
        Reason.PARTNER_WINS_LOW: _(
            "Your partner is winning already: a cheap card will do, and the others stay for later."
        ),
        Reason.WIN_CHEAPLY: _("It may well win the trick, and costs little."),
        Reason.WIN_HIGH: _("It has a good chance to win, and brings its own points home."),
        Reason.WIN_WITH_TRUMP: _("A trump takes the trick, with all that lies in it."),
        Reason.HELP_PARTNER: _("Your partner’s card could still be beaten; this one holds the trick for your side."),
        Reason.LOSE_CHEAPLY: _("This trick is hard to win, and this is the card you miss least."),
        Reason.AVOID_POINTS: _("In a Misere the points hurt: this card should take the fewest."),
        Reason.FOOL_SAVES: _("The Fool costs next to nothing here, and a better card stays in your hand."),
        Reason.FOOL_IN_TIME: _("Few tricks are left: now the Fool still spares you a good card."),
        Reason.CALL_THE_JACK: _("If somebody else holds the jack, you gain its points."),
        Reason.LEAVE_THE_COURT: _("A queen or cavalier lies here, and is worth more than the jack: let it lie."),
        Reason.NOTHING_TO_CALL: _("The jack cannot come, so there is nothing to gain."),
        Reason.JACK_COMES_HOME: _("The trick is your side’s: the jack counts for you, and the Fool can be used again."),
        Reason.KEEP_THE_JACK: _("The trick goes to the others: do not add a jack to it."),
        Reason.TAKE_THE_BEST: _("The strongest numeral is the one that may still win something."),
    }[reason]


def _because_in_troggu() -> dict[Reason, str]:
    return {
        Reason.WEAK_HAND: _("There are too few strong cards here to play against the others."),
        Reason.STRONG_HAND: _("These cards are good enough to play against the others."),
        Reason.LAY_LOW: _("These cards would win nothing, and what you lay away counts for your side."),
        Reason.SAVE_POINTS: _("What you lay away counts for your side: these points are safe."),
        Reason.LEAD_TO_PARTNER: _("Somebody on your side is well placed to win this suit."),
        Reason.PARTNER_WINS_SMEAR: _("The trick will most likely stay with your side, so its points count for you."),
        Reason.PARTNER_WINS_LOW: _(
            "Your side is winning already: a cheap card will do, and the others stay for later."
        ),
        Reason.HELP_PARTNER: _(
            "The best card so far is your side’s and could still be beaten; this one holds the trick."
        ),
    }


@dataclass(frozen=True, slots=True)
class Lesson:
    """One composed hand: the game and its size, the pack before the cut, the cut with which its cards come out (the one that
    the table's form proposes), the table's options. The learner has seat 0 and cuts."""

    ruleset: str
    seats: int
    pack: tuple[str, ...]
    lifted: int
    options: Mapping[str, object]
    tricks: int
    dealer: int = 1


@dataclass(frozen=True, slots=True)
class Count:
    """One line of the count: what is added or taken away, and the number as it is written."""

    label: str
    number: str
    total: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """What the teacher says now.

    `lines` are its words. `suggestion` is the action to show on request ("" while others act), `doing` and `because` the same
    in words; `waits`: the others go on when the learner says so. `trick` of `tricks` says how far the hand is (0 before the
    play). `count` holds the closing account, once the hand is over.
    """

    topic: str
    lines: Lines
    suggestion: str = ""
    doing: str = ""
    because: str = ""
    waits: bool = False
    trick: int = 0
    tricks: int = 0
    count: tuple[Count, ...] = ()


def pack_of(packets: Sequence[str], lifted: int, tapp: str = "") -> tuple[str, ...]:
    """The pack, before a cut of `lifted` cards, that deals the Tapp, then the parts of `packets[seat]` in turn."""
    parts = [[packet.split() for packet in line.split("|")] for line in packets]
    order = [(2 + step) % len(parts) for step in range(len(parts))]
    dealt = tapp.split() + [code for number in range(len(parts[0])) for seat in order for code in parts[seat][number]]
    return (*dealt[-lifted:], *dealt[:-lifted])


# Composed by tools/compose_lesson.py. The learner cuts and is asked in the talk; the partner leads.
TROCCAS: Final = Lesson(
    "troccas",
    4,
    pack_of(
        (
            "CK T3 T2 OQ S1 T5 | C9 T18 T10 T8 O9 S3 | SN F S7 ON O1 CJ SK",
            "O7 B6 SQ T17 B8 BN | S4 T13 B2 O3 T1 CN | O10 T16 T4 O8 SJ C2 BQ S6 T9",
            "T19 B3 S9 O5 B10 S2 | B5 T21 C4 S10 C1 T15 | OK T20 BJ T6 CQ C5 C10",
            "O2 B1 C6 B7 B9 C8 | C7 O6 S5 B4 O4 S8 | OJ C3 T11 T12 BK T7 T14",
        ),
        lifted=39,
    ),
    39,
    {"hands": 1, "demands": False},
    tricks=19,
)
# The learner takes the game, finds the partner, and leads.
TROGGU: Final = Lesson(
    "troggu",
    7,
    pack_of(
        (
            "C6 T19 C1 ON | T16 CK T13 F",
            "O2 C4 B8 T6 | B10 BJ T21 T18",
            "T7 OJ C3 SJ | T3 O4 S5 T20",
            "T8 SN BQ B9 | T17 B5 CJ T1",
            "CN BN S6 T10 | T9 O6 B6 OQ",
            "T5 B7 S10 CQ | OK T4 S7 O3",
            "T14 SQ O1 T2 | O5 SK C5 S8",
        ),
        lifted=31,
        tapp="T11 T12 T15 BK C2 S9",
    ),
    31,
    {"hands": 1},
    tricks=8,
)
LESSONS: Final = {lesson.ruleset: lesson for lesson in (TROCCAS, TROGGU)}


def advice(seen: Sight, course: Course | None, replay: Replay | None = None) -> Advice | None:
    """What to say to the viewer at this moment; None for a game that was given up, and for those who only watch.

    `course` is the viewer's in the open hand (None between deals); `replay` the finished hand, for the count.
    """
    if seen.viewer is None:
        return None
    if seen.status == "finished":
        return closing(seen, replay) if replay is not None else None
    if seen.status != "playing":
        return None
    if course is None:
        topic = "welcome" if seen.hand == 1 else "sit-again"
        return Advice(topic, lesson_lines(topic, Scene(seen, None, None)))
    moment = course.asked[-1] if course.asked else None
    topic = shown(course)
    said = Advice(
        topic,
        lesson_lines(topic, Scene(seen, course.view, moment)),
        waits=bool(stop_of(course)),
        trick=moment.trick if moment is not None else 0,
        tricks=LESSONS[seen.ruleset].tricks,
    )
    if moment is None or not course.mine:
        return said
    action, why = _suggestion(seen, moment)
    return replace(said, suggestion=str(action), doing=doing(action), because=why)


def _suggestion(seen: Sight, moment: Moment) -> tuple[Action, str]:
    """A good action, and why in words."""
    if moment.asked == "cut" and seen.hand == 1:
        return Action("cut", number=LESSONS[seen.ruleset].lifted), _("With this cut the lesson’s own cards are dealt.")
    given = moment.advice
    return given.action, because(given.reason, troggu=seen.ruleset == "troggu")


def closing(seen: Sight, replay: Replay) -> Advice:
    """The end of the lesson: the points of the viewer's side counted step by step."""
    score = seen.totals[seen.viewer or 0]
    count = _count_of_troggu(seen, replay) if seen.ruleset == "troggu" else _count_of_troccas(seen, replay)
    return Advice("count", Lines(_ending(score), _closing_text(seen, score)), count=tuple(count))


def _count_of_troccas(seen: Sight, replay: Replay) -> list[Count]:
    side = own_side(seen)
    seat = replay.seats[seen.parties[side][0]]
    points, score = replay.sheet.points[side], replay.sheet.scores[seat.number]
    whole, half = sum(replay.sheet.points), sum(replay.sheet.points) // 2
    # Every trick has four cards, whoever the Fool went home to; what is left over is the scart.
    fours = 3 * seat.tricks
    singly = replay.count[side].values
    rest = singly - points - fours
    count = [
        Count(_("The cards of your side, counted one by one"), str(singly)),
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
    return [
        *count,
        Count(_("Your side’s points, of %(whole)d in all") % {"whole": whole}, str(points), total=True),
        Count(_("less half of them"), signed(-half)),
        Count(_("Your side’s score"), signed(score), total=True),
    ]


def _count_of_troggu(seen: Sight, replay: Replay) -> list[Count]:
    """The points of each side, and what they settle for."""
    me = seen.viewer or 0
    labels = {
        True: _("Your side’s points, of %(whole)d in all"),
        False: _("The points of the others"),
    }
    whole = sum(replay.sheet.points)
    count = [
        Count(labels[me in party] % {"whole": whole}, str(points), total=me in party)
        for party, points in sorted(
            zip(replay.parties, replay.sheet.points, strict=True), key=lambda side: me not in side[0]
        )
    ]
    stakes = dict(seen.options).get("stake", 0)
    count.append(Count(_("One stake, in Rappen of play money"), str(stakes)))
    count.append(Count(_("You get or pay, in Rappen"), signed(replay.sheet.scores[me]), total=True))
    return count


def _ending(score: int) -> str:
    if score > 0:
        return _("Your side wins the hand")
    return _("The others win the hand") if score < 0 else _("Nobody wins the hand")


def _closing_text(seen: Sight, score: int) -> str:
    if seen.ruleset == "troggu":
        text = _(
            "Each opponent settles one stake with the Tappist’s side: the partner gets or pays two, the Tappist the "
            "rest. It is doubled where the losers have 30 points or fewer, trebled where they have no trick. That a game "
            "is as many hands as there are players is our reading: the sources say nothing of it."
        )
    else:
        text = _("That was all of Troccas but the surprises. A whole game is four hands, and everybody deals once.")
    if score < 0:
        return _("This is how the points are counted; the next hand brings other cards.") + " " + text
    return text
