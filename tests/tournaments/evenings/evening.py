"""The script of an evening: from the founding of the club to the counted till, with everything that goes wrong on the way."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from tests.live import LiveSite
from tests.tournaments.evenings import arithmetic
from tests.tournaments.evenings.books import Books, Line, Penalty, Person, Round, some_people
from tests.tournaments.evenings.followers import Follower, Followers, Heard
from tests.tournaments.evenings.helpers import FEE, Guest, Helper
from tests.tournaments.evenings.phones import How, Phones, shares, sheet_of
from tests.tournaments.evenings.secretary import Secretary, Slip
from tests.tournaments.evenings.wire import Browser, Count, Refusing

OPENING = 20_000
PHONES = 30
THREADS = 8
NO_SHOWS = 2
WALK_INS = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """How big the evening is. `people` are those who sit at a table or with a bye in the first round.

    `pairs`: fixed pairs, seated by Swiss, one of them with a bye where the number is odd; else individuals, drawn, some at
    tables of three. `kills`: rounds in the middle of which the server dies.
    """

    people: int
    pairs: bool = False
    rounds: int = 3
    deals: int = 2
    finalists: int = 8
    kills: tuple[int, ...] = (1, 2)
    seed: int = 7


@dataclass
class Evening:
    """One evening on one site."""

    site: LiveSite
    plan: Plan
    books: Books = field(default_factory=Books)
    count: Count = field(default_factory=Count)
    heard: Heard = field(default_factory=Heard)
    wrong: list[str] = field(default_factory=list)
    happened: list[str] = field(default_factory=list)
    killed: int = 0
    entries: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.plan.seed)
        self.browsers: list[Browser] = []
        self.secretary = Secretary(self.browser(), self.books)
        self.followers = Followers(self.site, random.Random(self.plan.seed + 1))
        self.lock = threading.Lock()
        self.late: list[Phones] = []
        self.spare: list[Person] = []

    def browser(self) -> Browser:
        """Another browser, with nothing in it; `close` hangs up for it."""
        self.browsers.append(Browser(self.site, self.count, random.Random(self.chance.getrandbits(64))))
        return self.browsers[-1]

    def close(self) -> None:
        """Everybody goes home: no page stays open, and no connection."""
        self.followers.close()
        for browser in self.browsers:
            browser.hang_up()

    def check(self, fine: bool, otherwise: str) -> None:
        """Note what is not as it should be."""
        if not fine:
            self.wrong.append(otherwise)

    @property
    def each(self) -> int:
        """How many people an entrant is."""
        return 2 if self.plan.pairs else 1

    def hold(self) -> None:
        """The whole evening. Raises Refusing where it cannot go on."""
        self.prepare()
        self.arrive()
        self.preliminaries()
        self.final()
        self.finish()

    # before

    def prepare(self) -> None:
        """Found, import, announce, try, enter, open."""
        plan, secretary = self.plan, self.secretary
        walk_ins = WALK_INS if not plan.pairs else 2
        expected = plan.people - walk_ins + (NO_SHOWS + 1) * self.each
        everybody = some_people(expected + walk_ins + 4, self.chance)
        # Who comes in by the entrance, or plays on for somebody, was not asked whether they may be named.
        everybody[expected + walk_ins - 1 :] = [
            replace(one, named=False) for one in everybody[expected + walk_ins - 1 :]
        ]
        self.books.know(everybody)
        self.listed, self.strangers, self.spare = (
            everybody[:expected],
            everybody[expected : expected + walk_ins],
            everybody[expected + walk_ins :],
        )
        secretary.found("Uniun da troccas", self.listed)
        kind: dict[str, str | list[str]] = (
            {"kind": "pair", "method_pair": "swiss", "odd_pair": "bye"}
            if plan.pairs
            else {"kind": "single", "method_single": "draw", "odd_single": "threes"}
        )
        secretary.announce(
            "Sera cun final",
            fee="10.–",
            rounds=str(plan.rounds),
            deals=str(plan.deals),
            minutes="40",
            last_deal="5",
            **kind,
        )
        entrants = plan.people // self.each
        secretary.try_dry(f"{entrants - 1},{entrants},{entrants + 1}")
        if plan.pairs:
            # The last four come without a partner: two are made a pair at the desk, two by lot with the walk-ins.
            couples = list(zip(self.listed[:-4:2], self.listed[1:-4:2], strict=True))
            secretary.enter_pairs(couples)
            secretary.enter(self.listed[-4:])
        else:
            secretary.enter(self.listed)
        secretary.open_door()
        secretary.read_entrants()
        self.happened.append(f"{len(self.listed)} members brought in a file")
        self.follow(secretary.codes["screen"])

    # the door

    def arrive(self) -> None:
        """Two helpers at once, some people by themselves, walk-ins; some never come."""
        secretary, books = self.secretary, self.books
        helpers = [Helper(self.browser(), books, secretary.codes["door"]) for _ in range(2)]
        for helper in helpers:
            helper.begin()
        self.helper = helpers[0]
        singles = [who for who, people in books.entrants.items() if len(people) == 1 and self.plan.pairs]
        known = [who for who in books.entrants if who not in singles]
        self.no_shows, self.late_ones, coming = known[:NO_SHOWS], known[NO_SHOWS : NO_SHOWS + 1], known[NO_SHOWS + 1 :]
        coming = singles + coming
        by_themselves = coming[len(singles) :: 3]
        both = coming[:2]
        rest = [who for who in coming if who not in by_themselves and who not in both]
        with ThreadPoolExecutor(4) as pool:
            jobs = [pool.submit(self._let_in, helper, rest[place::2]) for place, helper in enumerate(helpers)]
            jobs.append(pool.submit(self._say_here, by_themselves))
            for job in jobs:
                job.result()
        # Both helpers tap the same people at the same moment, and both reach for the money.
        with ThreadPoolExecutor(2) as pool:
            for entrant in both:
                for job in [pool.submit(helper.let_in, entrant, paid=False) for helper in helpers]:
                    job.result()
                written = [job.result() for job in [pool.submit(helper.also_takes, entrant) for helper in helpers]]
                self.check(sum(written) == 1, f"of two helpers {sum(written)} wrote down the fee of {entrant}")
                books.pay("fee", FEE * len(books.entrants[entrant]), entrant)
        self.helper.pay_by_mistake(self.late_ones[0])
        for person in self.strangers[:-1]:
            entrant = helpers[1].walk_in(person)
            books.entrants[entrant] = (person.full,)
            books.plays_for[person.full] = entrant
        Guest(self.browser(), books, secretary.codes["arrive"]).comes_in(self.strangers[-1])
        secretary.read_entrants()
        self.helper.let_in(books.plays_for[self.strangers[-1].full])  # seen at the entrance
        if self.plan.pairs:
            secretary.at_the_door("make-pair", one=singles[0], two=singles[1])
            secretary.at_the_door("draw-pairs")
            self._pairs_anew()
        secretary.at_the_door(f"withdraw:{self.no_shows[0]}")
        for entrant, amount in secretary.owing().items():
            if entrant in self.no_shows or entrant in self.late_ones:
                self.wrong.append(f"{entrant}, who is not here, owes {amount}")
            elif len(entrant) % 2:
                self.helper.take_fee(entrant, amount)
            else:
                secretary.take_fee(entrant, amount)
        self.check(not secretary.owing(), f"somebody still owes: {secretary.owing()}")
        away = {*self.no_shows, *self.late_ones}
        self.books.came = {who: 1 for who in books.entrants if who not in away}
        people = sum(len(books.entrants[who]) for who in books.came)
        self.check(people == self.plan.people, f"{people} people are here, {self.plan.people} were to be")
        for path in list(books.own_pages.values())[:20]:
            self.follow(path)
        self.happened.append(
            f"two helpers let {len(rest) + len(both)} in, {len(by_themselves)} by the entrance, {len(self.strangers)} walk-ins"
        )

    def _let_in(self, helper: Helper, entrants: list[str]) -> None:
        for entrant in entrants:
            helper.let_in(entrant)

    def _say_here(self, entrants: list[str]) -> None:
        guest = Guest(self.browser(), self.books, self.secretary.codes["arrive"])
        for entrant in entrants:
            guest.says_here(self.books.people[self.books.entrants[entrant][0]])

    def _pairs_anew(self) -> None:
        """Who is an entrant, after single persons became pairs: the money of both is the pair's."""
        books = self.books
        before = dict(books.plays_for)
        books.entrants, books.plays_for = {}, {}
        self.secretary.read_entrants()
        now = {
            before[person]: books.plays_for[person] for person in before if before[person] != books.plays_for[person]
        }
        for entry in books.money:
            entry.who = now.get(entry.who, entry.who)

    def follow(self, path: str) -> None:
        """Somebody opens a page and keeps it open."""
        if len(self.followers.pages) <= PHONES:
            self.followers.follow(Follower(path, self.browser()))

    # the rounds

    def preliminaries(self) -> None:
        """All rounds before the final, with changes between them."""
        secretary, books = self.secretary, self.books
        secretary.desk("rounds/", "begin", name="Preliminary")
        met = arithmetic.Met()
        for number in range(1, self.plan.rounds + 1):
            if number > 1:
                self._between(number)
            key = secretary.draw(1, dice=f"4 2 6 {number}" if number % 2 else "")
            if number == 1:
                secretary.desk(f"rounds/{key}/", "undo", reason="Two came in through the kitchen")
                again = secretary.draw(1)
                self.check(again == key, f"after an undone draw comes {again}, not {key}")
            last = number == self.plan.rounds
            self._round(secretary.publish(key), met, last=last)
            if number == 2:
                self._put_right()
        for each in books.of_phase(1):
            secretary.desk(f"rounds/{each.key}/", "close")
        while secretary.draw_lots(1):
            self.happened.append("lots drawn before the final")

    def _between(self, number: int) -> None:
        """Somebody comes late, somebody leaves early, somebody sits out."""
        books, helper = self.books, self.helper
        if number == 2:
            late = self.late_ones[0]
            helper.let_in(late)
            books.came[late] = number
            leaver = next(who for who in reversed(books.came) if who != late and not self._plays_late(who))
            helper.goes_home(leaver)
            books.left[leaver] = number - 1
        if number == 3:
            pausing = next(who for who in books.came if who not in books.left and who not in self.late_ones)
            helper.tap(f"pause:{pausing}")
            books.sat_out.setdefault(pausing, set()).add(f"1.{number}")

    def _plays_late(self, entrant: str) -> bool:
        people = self.books.entrants[entrant]
        return any(person in side for phones in self.late for side in phones.sheet.sides for person in people)

    def _round(self, round: Round, met: arithmetic.Met, *, last: bool) -> None:
        """Slips are handed out, tables play, what is left over is settled."""
        books, secretary = self.books, self.secretary
        slips = secretary.slips(round.key)
        if round.key == "1.2":
            person, guest = slips[0].sides[0].people[0], self.spare.pop()
            secretary.substitute(f"{round.key}.{slips[0].number}", person, guest)
            slips = secretary.slips(round.key)
            self.check(guest.full in slips[0].sides[0].people, "the substitute is not on the new slip")
        secretary.desk(f"rounds/{round.key}/", "clock", what="start", act="start", minutes="40")
        for slip in slips:
            round.sheets[slip.number] = sheet_of(round.key, slip)
        books.rounds.append(round)
        self._seats(round)
        repeats = arithmetic.meet(books, met, round)
        self.check(
            repeats == round.told_repeats, f"{round.key}: {repeats} meet again, the page tells {round.told_repeats}"
        )
        if round.key == "1.1":
            sides = [side.path for slip in slips for side in slip.sides]
            for path in [*sides, *list(books.own_pages.values()) * PHONES]:
                self.follow(path)
        for phones in self.late:
            phones.finish()
            self.happened.append(f"table {phones.sheet.key} handed in after round {round.key} was out")
        self.late = []
        tables = self._tables(round, slips, last=last)
        self._play(round, tables)
        for phones in tables:
            if phones.how is How.PAPER:
                secretary.paper_slip(phones.sheet)
                phones.sheet.lines = {1: _together(phones)}
            elif phones.how is How.DISPUTE:
                secretary.settle(phones.sheet.key, "The slip of the other side says so")
            elif phones.how is How.LATE:
                self.late.append(phones)
                continue
            phones.sheet.confirmed = True

    def _seats(self, round: Round) -> None:
        """Everybody who is to play sits once; nobody else does."""
        books = self.books
        seated = [books.owner(person) for sheet in round.sheets.values() for side in sheet.sides for person in side]
        persons = [person for sheet in round.sheets.values() for side in sheet.sides for person in side]
        self.check(len(set(persons)) == len(persons), f"{round.key}: somebody sits twice")
        self.check(not set(seated) & set(round.byes), f"{round.key}: somebody sits and sits out")
        if round.phase == 1:
            wanted = {
                who
                for who, came in books.came.items()
                if came <= round.number
                and (who not in books.left or round.number <= books.left[who])
                and round.key not in books.sat_out.get(who, ())
            }
        else:
            wanted = set(books.finalists)
        self.check(
            wanted == {*seated, *round.byes},
            f"{round.key}: seated and not to be, or to be and not seated: {wanted ^ {*seated, *round.byes}}",
        )

    def _tables(self, round: Round, slips: list[Slip], *, last: bool) -> list[Phones]:
        """How each table will hand in its sheet: the troubles first, the others as they like."""
        troubles = [How.WRONG_SUM, How.OFFLINE, How.DIGITS, How.DISPUTE, How.PLAIN, How.PAPER]
        if not last:
            troubles.insert(0, How.LATE)
        turned = troubles[round.number % 2 :] + troubles[: round.number % 2] if len(slips) < len(troubles) else troubles
        easy = [How.OTHER_PHONE, How.DIGITS, How.OTHER_PHONE, How.OFFLINE]
        hows = (turned + [self.chance.choice(easy) for _ in slips])[: len(slips)]
        self.chance.shuffle(hows)
        return [
            Phones(
                self.browser(), self.browser(), slip, round.sheets[slip.number], how, random.Random(self.chance.getrandbits(64)),
                self.heard, self._tick,
            )
            for slip, how in zip(slips, hows, strict=True)
        ]  # fmt: skip

    def _tick(self) -> None:
        with self.lock:
            self.entries += 1

    def _play(self, round: Round, tables: list[Phones]) -> None:
        """All tables at once; in some rounds the server dies in the middle."""
        begun, half = self.entries, len(tables) * self.plan.deals // 2
        with ThreadPoolExecutor(THREADS, thread_name_prefix="table") as pool:
            jobs = [pool.submit(phones.play) for phones in tables]
            if round.phase == 1 and round.number in self.plan.kills:
                while self.entries < begun + half and not all(job.done() for job in jobs):
                    time.sleep(0.01)
                self.die()
            for job, phones in zip(jobs, tables, strict=True):
                try:
                    job.result()
                except Exception as why:
                    raise Refusing(f"table {phones.sheet.key} ({phones.how.name}): {why}") from why

    def die(self) -> None:
        """The server dies at once, and is started again."""
        begins = time.monotonic()
        self.site.kill()
        self.site.start()
        self.heard.dark.append((begins, time.monotonic() + 3))
        self.killed += 1

    def _put_right(self) -> None:
        """A sheet of the first round was read wrongly; a penalty is given, another one given and cancelled."""
        secretary, books = self.secretary, self.books
        sheet = next(
            sheet
            for sheet in books.of_phase(1)[0].sheets.values()
            if sheet.confirmed and 1 in sheet.lines and sheet.lines[1].of == 1
        )
        before = arithmetic.standing(books, 1)
        old = sheet.lines[1]
        while (scores := shares(sheet.total, len(sheet.sides), self.chance)) == old.scores:
            pass
        foretold, told = secretary.correct(sheet.key, 1, scores, "Read wrongly off the slip")
        old.scores = scores
        after = {row.entrant: row for row in arithmetic.standing(books, 1)}
        self.check(foretold == told, f"a correction foretold {foretold} and did {told}")
        changed = {
            self.books.entrants[row.entrant]: (str(row.rank), str(after[row.entrant].rank))
            for row in before
            if (row.rank, row.values) != (after[row.entrant].rank, after[row.entrant].values)
        }
        shown = {tuple(books.found_in(each.name)): (each.before, each.after) for each in told}
        wanted = {tuple(books.found_in(" ".join(people))): ranks for people, ranks in changed.items()}
        # The site also tells of values that rank nobody apart; whoever changes by our own count must be told.
        self.check(shown == wanted, f"a correction changed {wanted}, the page says {shown}")
        for entrant, points, reason in ((list(books.came)[3], 20, "Talked"), (list(books.came)[5], 15, "Came late")):
            secretary.desk(
                "penalties/", "give", entrant=entrant, kind="1:", points=str(points), match="0", reason=reason
            )
            books.penalties.append(Penalty(entrant, points))
        secretary.desk("penalties/", "cancel", what="p2", reason="The bus was late")
        books.penalties[1].cancelled = True
        self.happened.append(f"a correction of {sheet.key} changed {len(told)} lines of the list")

    # the end

    def final(self) -> None:
        """The first ones play on, their points count."""
        secretary, books = self.secretary, self.books
        first = self.plan.finalists // self.each
        books.finalists = secretary.start_final(
            first, name="Final", rounds="1", deals=str(self.plan.deals), method="draw"
        )
        wanted = [row.entrant for row in arithmetic.standing(books, 1, self.lots()) if row.entrant not in books.left][
            :first
        ]
        self.check(set(wanted) == set(books.finalists), f"the final is {books.finalists}, not {wanted}")
        key = secretary.draw(2)
        self._round(secretary.publish(key), arithmetic.Met(), last=True)
        secretary.desk(f"rounds/{key}/", "close")
        while secretary.draw_lots(2):
            self.happened.append("lots drawn after the final")
        secretary.finish(2)

    def lots(self) -> list[tuple[int, list[str]]]:
        """The lots that were drawn, off the published file."""
        return [(lot["phase"], lot["order"]) for lot in self.secretary.json("results.json")["lots"]]

    def finish(self) -> None:
        """Prizes from the fees, handed over; the till; closed."""
        secretary, books = self.secretary, self.books
        secretary.spend("expense", 3550, "Rent of the hall")
        secretary.spend("income", 1225, "Coffee")
        fees = sum(entry.amount for entry in books.money if entry.kind == "fee" and not entry.cancelled)
        paid = FEE * sum(len(books.entrants[who]) for who in books.came)
        self.check(fees == paid, f"fees of {fees} were taken, {paid} were due")
        secretary.prizes(fees - 3340, "5, 3, 2")
        secretary.hand_over()
        self.till = secretary.count(OPENING)
        secretary.desk("close/", "close")

    def stand(self) -> int:
        """Where the log stands."""
        return int(self.secretary.json("results.json")["tournament"]["event"])


def _together(phones: Phones) -> Line:
    """All deals as one line, as a paper slip is typed in."""
    return Line(tuple(phones.sheet.sums()), of=phones.slip.deals)
