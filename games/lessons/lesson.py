"""The guided hand: a composed deal, and what the teacher says at each moment of it.

The lesson is a function of what its learner may see and has read: `games.lessons.topics` chooses the topic,
`games.text.advice` and `games.lessons.text` put it into words. The advice follows the cards that are actually played,
so the lesson continues sensibly whatever its learner does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine.actions import Action
from games.lessons.text import Lines, Scene, lesson_lines
from games.lessons.topics import Course, Moment, shown, stop_of
from games.read_models import Replay, Sight
from games.text.advice import because, doing
from games.text.common import own_side, signed


@dataclass(frozen=True, slots=True)
class Lesson:
    """One composed hand. The learner sits at seat 0 and cuts.

    `pack` is the pack before the cut, `lifted` the cut that deals the composed cards (the one that the table's form
    proposes), `options` are those of the table.
    """

    ruleset: str
    seats: int
    pack: tuple[str, ...]
    lifted: int
    options: Mapping[str, object]
    tricks: int
    dealer: int = 1


@dataclass(frozen=True, slots=True)
class Count:
    """One line of the count: what is added or subtracted, and the number as text."""

    label: str
    number: str
    total: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """What the teacher says now.

    `lines` are the words. `suggestion` is the action to show on request ("" while others act); `doing` and `because`
    put it and its reason into words. `waits`: the others go on when the learner says so. `trick` of `tricks` is the
    progress of the hand (0 before the play). `count` is the closing account once the hand is over.
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
    """The pack, before a cut of `lifted` cards, that deals the Tapp and then the parts of `packets[seat]` in turn."""
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
    """What the teacher says to the viewer at this moment; None for a game that was given up, and for watchers.

    `course` is the viewer's progress in the open hand (None between deals), `replay` the finished hand, for the count.
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
    lesson_advice = Advice(
        topic,
        lesson_lines(topic, Scene(seen, course.view, moment)),
        waits=bool(stop_of(course)),
        trick=moment.trick if moment is not None else 0,
        tricks=LESSONS[seen.ruleset].tricks,
    )
    if moment is None or not course.mine:
        return lesson_advice
    action, why = _suggestion(seen, moment)
    return replace(lesson_advice, suggestion=str(action), doing=doing(action, seen.ruleset), because=why)


def _suggestion(seen: Sight, moment: Moment) -> tuple[Action, str]:
    """A good action, and its reason in words."""
    if moment.asked == "cut" and seen.hand == 1:
        return Action("cut", number=LESSONS[seen.ruleset].lifted), _("With this cut the lesson’s own cards are dealt.")
    return moment.advice.action, because(moment.advice.reason, seen.ruleset)


def closing(seen: Sight, replay: Replay) -> Advice:
    """The end of the lesson, with a step-by-step count of the points of the viewer's side."""
    score = seen.totals[seen.viewer or 0]
    count = _count_of_troggu(seen, replay) if seen.ruleset == "troggu" else _count_of_troccas(seen, replay)
    return Advice("count", Lines(_ending(score), _closing_text(seen, score)), count=tuple(count))


def _count_of_troccas(seen: Sight, replay: Replay) -> list[Count]:
    side = own_side(seen)
    seat = replay.seats[seen.parties[side][0]]
    points, score = replay.sheet.points[side], replay.sheet.scores[seat.number]
    whole, half = sum(replay.sheet.points), sum(replay.sheet.points) // 2
    # Every trick has four cards, whoever gets the Fool back; the remaining two cards are the scart.
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
        Count(_("less half of all points"), signed(-half)),
        Count(_("Your side’s score"), signed(score), total=True),
    ]


def _count_of_troggu(seen: Sight, replay: Replay) -> list[Count]:
    """The points of each side, and the payment of the viewer."""
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
