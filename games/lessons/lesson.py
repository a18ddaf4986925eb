"""The guided hand: a composed deal, and what the teacher says at each moment of it.

The lesson is a function of what its learner may see: `lesson_moments` reads the questions so far out of the view,
`lesson_topics` chooses what to explain, `lesson_words` and `lesson_reasons` say it. Nothing is stored, and the advice is
worked out from the cards as they fall, so that the lesson goes on sensibly whatever its learner does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.bots import Reason, advise
from domain.engine import Action
from domain.engine.view import View
from games.lessons.moments import moments
from games.lessons.text import Scene, lesson_lines
from games.lessons.topics import because, between, doing, topics
from games.read_models import Replay, Sight
from games.text.common import own_side, signed


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
    "T8 C10 CJ BK T16 B3 | CK S2 T2 B4 SQ C7 | S10 T5 B9 SN F BN T14",
    "BJ C4 B8 O4 OK B5 | S3 S7 C5 S1 O1 O5 | CQ T12 S9 S5 CN C1 OQ T18 SJ",
    "B10 O10 C9 T10 O8 T1 | T9 BQ ON SK O2 T21 | B7 T13 T15 S8 OJ C6 O6",
    "T4 T19 B2 O3 T20 T7 | C8 C2 T17 O7 S6 T11 | T6 B1 T3 B6 S4 O9 C3",
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
