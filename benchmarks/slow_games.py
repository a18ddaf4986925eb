"""How many days a game takes at tables of days: `python benchmarks/slow_games.py [--games 1000] [--seed 78]`.

People with honest rhythms are simulated, at the clocks of `domain.pace` and in games that the engine dealt and computer
players played through; what is done for people by itself is done when the site would do it (`games.plans`). No
database, and no clock on the wall: a thousand games take some minutes.

The printed assumptions belong to the figures. What nobody knows is how many people come when they are told that it is their
turn, and how many decide their next card ahead; therefore it is also printed how long games take when more or fewer do.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from domain.bots import advice  # noqa: E402  # only once the project is on the path
from domain.engine import Match, cards_in, ruleset  # noqa: E402  # only once the project is on the path
from domain.engine.claims import forced, last_card, plainly_forced  # noqa: E402  # only once the project is on the path
from domain.pace import Clock, Kind, Rhythm, State, Terms  # noqa: E402  # only once the project is on the path

if TYPE_CHECKING:
    from domain.engine import Hand, Ruleset

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)
PLANNED: Final = ((0, 0, 0), (0, 0, 0.5), (0, 1, 0.5), (0.3, 0, 0.5), (0.3, 1, 0.5))
"""Shares of people's actions that they decide ahead, of people who let small cards go at once, and of leads that are said
beside the trick before, for the table."""
ZONE: Final = ZoneInfo("Europe/Zurich")
START: Final = date(2026, 1, 5)
SEQUENCES: Final = 120
"""So many games are played through; the people of a thousand meet in one of them each."""

ASSUMPTIONS: Final = """\
Of each person is assumed:
  * awake for 16 hours, from a moment between 6:00 and 8:30; their hours on the site are the usual ones, 8:00 to 22:00;
  * looks in one to six times a day (each equally likely), at moments drawn anew each day, told or not;
  * is told of each turn at once, and reminded as the site does: six in ten on a device, four by letter. Of notices on a
    device a person heeds 30 to 90 %, half of these within 12 minutes; of letters 10 to 50 %, half of these within 45
    minutes. Nobody comes while asleep: what would be heeded at night waits until they are up;
  * stays at the table for one to six minutes after an action of their own, or of others while they are there, and answers
    within a minute meanwhile;
  * one in eight is on vacation for 3 to 10 days in a month, which three in four announce; one in twelve is away for 2 to 5
    days in a month without a word; one in fifty vanishes for good in a month;
  * nine in ten leave it at the default: what is forced is done for them, and small cards, when they might have done it.
Nobody plays on live, pauses or gives more time; nobody plans ahead where it is not said. Games are those of computer players.

What is known of such things: notices on phones, of messages above all, are looked at within minutes (Pielot, Church and
de Oliveira 2014); but of those that are no messages only 15 to 25 % lead people into the app (Pielot, Vradi and Park 2018).
The shares above are therefore rather too high than too low for a site that one does not miss; for a game in which friends
wait they may be too low. Nobody has counted it here: hence the table for more and fewer."""


class Doing(Enum):
    """Who does an action by default. What is forced and what is small the site does as late as the person would."""

    PERSON = "people"
    FORCED = "the site after a while, forced"
    SMALL = "the site after a while, small"
    AT_ONCE = "the site at once"


@dataclass(frozen=True, slots=True)
class Act:
    """One action of a game: its deal, whose it is, who does it if its person leaves the default, whether it is a small
    card, which goes at once where its person has wished so with one press, what is decided, and whether it is a lead that
    could be said while others still played to the trick before."""

    deal: int
    seat: int
    doing: Doing
    spare: bool
    what: str
    sayable: bool


def doing_of(hand: Hand, *, spare: bool) -> Doing:
    """What the site does by itself at a table of days; `spare`: it is a small card."""
    view = hand.view(hand.turn)
    if hand.asked == "cut" or plainly_forced(view):
        return Doing.AT_ONCE
    if forced(view) or last_card(view):
        return Doing.FORCED
    return Doing.SMALL if spare else Doing.PERSON


def played_through(rules: Ruleset, options: dict[str, object], seed: int) -> list[Act]:
    """The actions of one whole game of computer players."""
    from games.plans.language import chosen
    from games.plans.selectors import SMALL

    chance = random.Random(seed)
    match = Match(rules, options, dealer=chance.randrange(rules.seats))
    pack = list(cards_in(rules.pack))
    acts: list[Act] = []
    while not match.over:
        hand = match.deal(chance.sample(pack, len(pack)))
        deal, last_to_play = len(match.results), -1
        while not hand.over:
            spare = chosen(SMALL, hand.view(hand.turn)) is not None
            what = "something else" if hand.asked != "play" else "a card to a trick" if hand.trick else "a lead"
            sayable = what == "a lead" and bool(hand.tricks) and last_to_play != hand.turn
            acts.append(Act(deal, hand.turn, doing_of(hand, spare=spare), spare, what, sayable))
            last_to_play = hand.turn if hand.asked == "play" else last_to_play
            match.push(advice.choose(hand.view(hand.turn), level="beginner", seed=chance.randbytes(8)))
    return acts


@dataclass(slots=True)
class Person:
    """Somebody's habits, and where they are: `here_until` at the table, `answers` how long they took lately (counted)."""

    chance: random.Random
    wakes: timedelta
    looks: int
    heeds: float
    delay: timedelta
    leaves_default: bool
    plans: float
    leads: float
    small: bool
    away: list[tuple[date, date]]
    announced: list[tuple[date, date]]
    here_until: datetime | None = None
    answers: list[timedelta] = field(default_factory=list)
    visits: dict[date, list[datetime]] = field(default_factory=dict)

    def is_up(self, moment: datetime) -> bool:
        """Whether they are awake and not away."""
        for day in (moment.astimezone(ZONE).date(), moment.astimezone(ZONE).date() - DAY):
            begin = self.morning(day)
            if begin <= moment < begin + 16 * HOUR:
                return not any(first <= day <= last for first, last in self.away)
        return False

    def morning(self, day: date) -> datetime:
        return datetime.combine(day, time(), tzinfo=ZONE).astimezone(UTC) + self.wakes

    def gets_up(self, after: datetime) -> datetime:
        """When they wake next."""
        day = after.astimezone(ZONE).date() - DAY
        return next(at for at in (self.morning(day + DAY * number) for number in range(3)) if at >= after)

    def stays(self, at: datetime) -> None:
        """Something happens at the table at which they are: they stay for some minutes more."""
        until = at + MINUTE * self.chance.uniform(1, 6)
        self.here_until = until if self.here_until is None else max(until, self.here_until)

    def visits_on(self, day: date) -> list[datetime]:
        """When they look in on a day, told or not."""
        if day not in self.visits:
            begin = self.morning(day)
            drawn = [begin + 16 * HOUR * self.chance.random() for _look in range(self.looks)]
            self.visits[day] = sorted(moment for moment in drawn if self.is_up(moment))
        return self.visits[day]

    def next_visit(self, after: datetime) -> datetime:
        """When they look in next by themselves; somebody who has vanished, a year later."""
        day = after.astimezone(ZONE).date() - DAY
        for _day in range(366):
            found = [moment for moment in self.visits_on(day) if moment >= after]
            if found:
                return found[0]
            day += DAY
        return after + 366 * DAY

    def answers_at(self, asked_at: datetime, reminders: Sequence[datetime] = ()) -> datetime:
        """When they have answered, if they are asked at a moment and reminded at some more."""
        chance = self.chance
        if self.here_until is not None and asked_at <= self.here_until:
            return asked_at + MINUTE * chance.uniform(0.2, 1)
        comes = self.next_visit(asked_at)
        for told_at in (asked_at, *reminders):
            if chance.random() < self.heeds:
                heeded = told_at + self.delay * math.exp(chance.gauss(0, 1.2))
                if not self.is_up(heeded):
                    heeded = self.gets_up(heeded) + self.delay * math.exp(chance.gauss(0, 1.2))
                if self.is_up(heeded):
                    comes = min(comes, heeded)
        return comes + MINUTE * chance.uniform(0.2, 1)


@dataclass(frozen=True, slots=True)
class Habits:
    """What nobody knows of people: `heeds`, the share of notices they heed (None: as each of the assumptions does); `plans`,
    the share of their own actions that they decide ahead, to be done at once; `small`, the share of people who let small
    cards go at once; `leads`, the share of leads that they say beside the trick before, where they may."""

    heeds: float | None = None
    plans: float = 0
    small: float = 0
    leads: float = 0


def somebody(chance: random.Random, habits: Habits) -> Person:
    """A person of the assumptions, with these habits."""
    device = chance.random() < 0.6
    away: list[tuple[date, date]] = []
    announced: list[tuple[date, date]] = []
    for month in range(5):
        first = START + DAY * (30 * month + chance.randrange(30))
        if chance.random() < 1 / 8:
            away.append((first, first + DAY * chance.randint(2, 9)))
            if chance.random() < 3 / 4:
                announced.append(away[-1])
        if chance.random() < 1 / 12:
            away.append((first, first + DAY * chance.randint(1, 4)))
        if chance.random() < 1 / 50:
            away.append((first, first + 3650 * DAY))
    heeds = chance.uniform(0.3, 0.9) if device else chance.uniform(0.1, 0.5)
    return Person(
        chance,
        wakes=timedelta(hours=chance.uniform(6, 8.5)),
        looks=chance.randint(1, 6),
        heeds=heeds if habits.heeds is None else habits.heeds,
        delay=MINUTE * (12 if device else 45),
        leaves_default=chance.random() < 0.9,
        plans=habits.plans,
        leads=habits.leads,
        small=chance.random() < habits.small,
        away=away,
        announced=announced,
    )


@dataclass(frozen=True, slots=True)
class Played:
    """One simulated game: how many days it took, how many actions each person did, how often a time ran out, and for how
    many days somebody was waited for, by why."""

    days: float
    acted: tuple[int, ...]
    outs: int
    waited: dict[str, float]


def simulate(acts: Sequence[Act], terms: Terms, people: Sequence[Person], chance: random.Random) -> Played:
    """Let some people play a game of these actions at a table with these terms."""
    from games.plans import moments

    begin = now = datetime.combine(START, time(18), tzinfo=ZONE).astimezone(UTC) + DAY * chance.randrange(28)
    clock = Clock(terms)
    for seat, person in enumerate(people):
        rhythm = Rhythm(absences=tuple(person.announced)).to_json()
        clock.follow("sat", now, seat=seat, data={"rhythm": rhythm})
    acted, outs = [0] * len(people), 0
    waited: dict[str, float] = defaultdict(float)
    back: dict[int, datetime] = {}
    for at, act in enumerate(acts):
        if at == 0 or act.deal != acts[at - 1].deal:
            now += timedelta(seconds=10)
            for seat in range(len(people)):
                clock.follow("ready", now, seat=seat)
        seat, person = act.seat, people[act.seat]
        if seat in back and back[seat] <= now:
            clock.follow("returned", now, seat=seat)
            del back[seat]
        clock.ask(seat, now)
        if clock.seats[seat].state is State.AWAY:
            now += timedelta(seconds=1)
            clock.follow("move", now, seat=seat)
            continue
        deadline, waking = clock.deadline(), clock.waking(seat)
        assert deadline is not None
        doing = act.doing if person.leaves_default else Doing.PERSON
        planned = 1 - (1 - person.plans) * (1 - person.leads * act.sayable)
        if (act.spare and person.small) or (doing is Doing.PERSON and chance.random() < planned):
            doing = Doing.AT_ONCE
        asked_at = now
        awake = f"{act.what} of those who are awake"
        why = awake if person.is_up(now) else "those who are asleep or away"
        if doing is Doing.AT_ONCE:
            done = now + timedelta(seconds=1)
        elif doing in (Doing.FORCED, Doing.SMALL):
            done = moments.moment(
                waking, now, clock.free_until(seat, now), person.answers[-moments.LATEST_ANSWERS :], chance
            )
            why = "what is done by the site"
        else:
            done = person.answers_at(now, clock.reminders())
        if done > deadline:
            back[seat] = person.answers_at(deadline)
            clock.follow("absent", deadline, seat=seat)
            outs += 1
            why = "time that ran out"
            now = deadline + timedelta(seconds=1)
        else:
            if doing is Doing.PERSON:
                person.answers.append(waking.spent(now, done) or done - now)
                person.stays(done)
                acted[seat] += 1
            now = done
        for other in people:
            if other.here_until is not None and other.here_until >= now:
                other.stays(now)
        waited[why] += (now - asked_at) / DAY
        clock.follow("move", now, seat=seat)
    return Played((now - begin) / DAY, tuple(acted), outs, dict(waited))


def simulated(
    games: Sequence[Sequence[Act]], terms: Terms, count: int, seed: int, habits: Habits = Habits()
) -> list[Played]:
    """So many games, each of other people."""
    found = []
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        acts = games[number % len(games)]
        seats = 1 + max(act.seat for act in acts)
        found.append(simulate(acts, terms, [somebody(chance, habits) for _seat in range(seats)], chance))
    return found


def line(name: str, found: Sequence[Played]) -> str:
    """What is printed of some games."""
    days = sorted(one.days for one in found)
    cuts = statistics.quantiles(days, n=20)
    each = statistics.mean(count for one in found for count in one.acted)
    outs = statistics.mean(one.outs for one in found)
    return (
        f"{name:44} median {statistics.median(days):5.1f} days, 90 % under {cuts[17]:5.1f}, 95 % under {cuts[18]:5.1f}; "
        f"each acts {each:3.0f} times; time out {outs:.1f} times a game"
    )


THINKING: Final = 1 / 6
"""At live tables a person answers within this share of the time for a move, half of the time: those who agree on less time
are quicker. Nobody has counted it here."""


def live_minutes(games: Sequence[Sequence[Act]], terms: Terms, chance: random.Random) -> float:
    """How long a hand takes live at a clock, in minutes: the median of these games."""
    found = []
    for acts in games:
        whole, reserves = timedelta(), defaultdict[int, timedelta](lambda: terms.bank)
        for act in acts:
            thought = terms.action * THINKING * math.exp(chance.gauss(0, 0.8))
            over = min(max(thought - terms.action, timedelta()), reserves[act.seat])
            reserves[act.seat] -= over
            whole += min(thought, terms.action + over)
        found.append(whole / MINUTE / (acts[-1].deal + 1))
    return statistics.median(found)


def measured(rules: Ruleset, count: int, seed: int) -> dict[str, float]:
    """For each pace with a clock that the lobby offers, how long one hand takes, in days: a median."""
    from games.lobby.services.tables import CORRESPONDENCE
    from games.lobby.text import offered_paces

    hands = 2
    options = {name: CORRESPONDENCE[name] for name in ("throw_in",) if name in {each.name for each in rules.options}}
    games = [played_through(rules, {**options, "hands": hands}, number) for number in range(min(count, 30))]
    found = {}
    for pace in offered_paces():
        if pace.terms is None:
            continue
        if pace.terms.kind is Kind.LIVE:
            found[pace.id] = round(live_minutes(games, pace.terms, random.Random(seed)) / 60 / 24, 4)
        else:
            days = statistics.median(one.days for one in simulated(games, pace.terms, count, seed))
            found[pace.id] = round(days / hands, 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=78)
    parser.add_argument(
        "--write", action="store_true", help="keep what the lobby says of each game and pace (games/lobby)"
    )
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "troccas_site.settings")
    import django

    django.setup()
    from django.utils import translation

    from games.lobby import durations
    from games.lobby.text import USUAL, offered_paces
    from games.selectors import rulesets

    translation.activate("en")
    if asked.write:
        origin = f"benchmarks/slow_games.py --games {asked.games} --seed {asked.seed} --write"
        days = {known: measured(ruleset(known), asked.games, asked.seed) for known in rulesets.ORDER}
        durations.FILE.write_text(json.dumps({"origin": origin, "days_of_a_hand": days}, indent=1) + "\n")
        return
    rules, count, seed = ruleset("troccas"), asked.games, asked.seed
    four = [played_through(rules, {"hands": 4, "throw_in": False}, number) for number in range(min(count, SEQUENCES))]
    two = [[act for act in acts if act.deal < 2] for acts in four]
    print(ASSUMPTIONS)
    print("\nOf the actions of a hand of Troccas for four, on the average:")
    for doing in Doing:
        each = statistics.mean(sum(act.doing is doing for act in acts) / 4 for acts in four)
        print(f"  {each:5.1f} by {doing.value}")
    print(f"\n{count} games for each line:")
    usual = None
    for pace in offered_paces():
        if pace.terms is None or pace.terms.kind is Kind.LIVE:
            continue
        mark = " (default)" if pace.id == USUAL else ""
        print(line(f"{pace.name}{mark}, two hands", simulated(two, pace.terms, count, seed)))
        found = simulated(four, pace.terms, count, seed)
        print(line(f"{pace.name}, four hands", found))
        if pace.id == USUAL:
            said = simulated(four, pace.terms, count, seed, Habits(leads=0.5))
            print(line("    where every other lead is said ahead", said))
            usual = pace.terms
            for why in sorted({why for one in found for why in one.waited}):
                print(f"    waiting for {why}: {statistics.mean(one.waited.get(why, 0) for one in found):.1f} days")
    assert usual is not None
    print(
        "\nFour hands at the usual pace, median and 90 % under, in days. Across: the share of their actions that people"
    )
    print(
        "plan ahead, of people who let small cards go at once, and of leads that are said beside the trick before. Down:"
    )
    print("of notices are heeded")
    print(f"{'':12}" + "".join(f"{f'{plans:.0%}, {small:.0%}, {leads:.0%}':>15}" for plans, small, leads in PLANNED))
    for heeds in (0, None, 0.5, 0.65, 0.8, 1):
        name = "as assumed" if heeds is None else f"{heeds:.0%}"
        cells = (simulated(four, usual, count, seed, Habits(heeds, *share)) for share in PLANNED)
        print(f"{name:12}" + "".join(f"{in_short(cell):>15}" for cell in cells))


def in_short(found: Sequence[Played]) -> str:
    """The median and the ninth tenth of some games, in days."""
    days = [one.days for one in found]
    return f"{statistics.median(days):.1f} / {statistics.quantiles(days, n=10)[8]:.1f}"


if __name__ == "__main__":
    main()
