"""A league or a duplicate from its announcement to its end, in this process, with a turned clock."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from clubs.models import Member
from games.models import Game
from games.table import tasks
from notices.models import Outbox
from tests.clubs import kit
from tests.games.pace_kit import Turned
from tests.tournaments.evenings.books import Person as Named
from tests.tournaments.evenings.books import some_people
from tests.tournaments.evenings.wire import Count, Refusing
from tests.tournaments.leagues import people
from tests.tournaments.leagues.books import Books
from tests.tournaments.leagues.browsing import Inside, browser
from tests.tournaments.leagues.mishaps import Died, Plug
from tests.tournaments.leagues.players import Acting, Person
from tests.tournaments.leagues.replay import AWAY, HERE, SOUGHT, Replay
from tournaments.models import Tournament

INVITED = 2
"""So many of the people are members of the club, and invited."""
SESSION = timedelta(days=9)
"""So long one stays logged in, for sure."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How large, and what happens. `exchanges`: how often a sealed deal is exchanged; `deaths`: how likely a look of the
    worker, or an action, is its last."""

    people: int
    rounds: int
    deals: int
    duplicate: bool = False
    overdue: str = "postpone"
    seed: int = 7
    days: int = 7
    absent: int = 2
    deaths: float = 0.02
    exchanges: int = 0
    auto: bool = True


@dataclass
class League:
    """The run. `happened` is told at the end; `wrong` should stay empty."""

    plan: Plan
    clock: Turned
    chance: random.Random = field(init=False)
    count: Count = field(default_factory=Count)
    plug: Plug = field(init=False)
    acting: Acting = field(init=False)
    secretary: people.Secretary = field(init=False)
    everybody: list[Person] = field(default_factory=list)
    reserve: list[Person] = field(default_factory=list)
    substitutes: list[Person] = field(default_factory=list)
    books: Books = field(init=False)
    happened: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    told: dict[int, Outbox] = field(default_factory=dict)
    """All notices that were ever written."""
    look: Callable[[], None] = lambda: None
    """Called whenever a round has begun or all is over: the judge compares."""
    peek: Callable[[], None] = lambda: None
    """Called now and then while it runs: something sealed is exchanged."""
    begun_rounds: set[str] = field(default_factory=set)
    _logged_in: object = None

    def __post_init__(self) -> None:
        plan = self.plan
        self.chance = random.Random(plan.seed)
        self.plug = Plug(random.Random(plan.seed + 1), plan.deaths)
        self.acting = Acting(random.Random(plan.seed + 2), self.plug)
        self.secretary = people.Secretary(self._browser(0))

    def _browser(self, number: int) -> Inside:
        return browser(self.chance, self.count, number)

    def check(self, ok: bool, problem: str) -> None:
        """Note a problem unless `ok`."""
        if not ok:
            self.wrong.append(problem)

    # before the first round

    def prepare(self) -> None:
        """The club, its plan, and everybody in it; the first round is out."""
        plan = self.plan
        self.secretary.found("Troccas Lieur", plan.overdue)
        wanted: dict[str, str | list[str]] = {
            "rounds": str(plan.rounds),
            "deals": str(plan.deals),
            "days": str(plan.days),
            "pace": "day",
        }
        wanted |= {"duplicate": "on"} if plan.duplicate else {}
        wanted["auto"] = "on" if plan.auto else []
        self.secretary.announce("Lieur dils treis cantuns", **wanted)
        tournament = Tournament.objects.get(public_id=self.secretary.at.split("/")[2])
        self.books = Books(tournament, plan.duplicate, plan.deals)
        names: list[Named] = some_people(plan.people + 4, self.chance)
        for number, named in enumerate(names, 1):
            person = people.account(named, self._browser(number), number)
            self.acting.known[person.player.pk] = person
            if number <= plan.people:
                self.everybody.append(person)
                if number <= INVITED:
                    self._invite(person)
                self._enter(person, named=named.named)
            else:
                self.reserve.append(person)
        self._logged_in = self.clock.now
        self.secretary.begin()
        key = self.secretary.draw()
        self.secretary.publish(key)
        self.happened["entered by themselves"] = plan.people

    def _invite(self, person: Person) -> None:
        """Somebody of the club's list is invited on the page for it."""
        self._joins(person)
        self.secretary.invite(person)
        self.happened["invited"] += 1

    def _joins(self, person: Person) -> Member:
        """Somebody becomes a member of the club."""
        club = self.books.tournament.club
        president = Member.objects.select_related("player").get(club=club, role="president").player
        assert president is not None
        return kit.join(club, president, person.player)

    def _enter(self, person: Person, *, named: bool) -> None:
        """In by the page; who is who stands in the book from then on."""
        people.enter(person, self.secretary.at, named=named)
        self.books.players[person.player.pk] = f"e{len(self.books.players) + 1}"

    # time passes

    def run(self) -> None:
        """From the first round to the end."""
        calm = 0
        for _tick in range(4000):
            busy = self.tick()
            if self.books.tournament.status == Tournament.Status.CLOSED:
                break
            calm = 0 if busy else calm + 1
            if calm > 60:
                self.check(False, f"nothing has happened for {calm} looks, at {self.clock.now}")
                break
        else:
            self.check(False, "it does not come to an end")
        for _again in range(20):
            self.clock.on(minutes=40)
            self.worker()
        self.collect()
        self.look()

    def tick(self) -> bool:
        """Some hours: people look in, the worker works; whether anything was played or done."""
        hours = self.chance.choice([1.5, 3, 4, 6])
        self.clock.on(hours=hours, minutes=self.chance.randint(0, 40))
        self._refresh()
        done = self.worker()
        self._new_rounds()
        self._come_back()
        played = 0
        for _beat in range(40):
            now = self._beat()
            played += now
            self.clock.on(seconds=3)
            done += (more := self.worker())
            if not now and not more:
                break
        self.peek()
        self.collect()
        self._lots()
        self.books.tournament.refresh_from_db()
        return bool(done or played)

    def _lots(self) -> None:
        """Who is equal in everything is told apart by the secretary, once all is played."""
        finished = any(event.kind == "phase.finished" for event in self.books.events)
        waits = finished and not self.books.closed and self.clock.now - self.books.events[-1].at > timedelta(hours=5)
        if waits and self.secretary.draw_lots():
            self.happened["lots were drawn"] += 1

    def _beat(self) -> int:
        """Everybody who looks in acts a little."""
        acted = 0
        for game in self.open_games():
            acted += self.acting.burst(self.replay(game), self.clock.now, self.chance.randint(2, 14))
        return acted

    def open_games(self) -> list[Game]:
        """The games that wait for somebody."""
        rows = Game.objects.filter(online_table__tournament=self.books.tournament, status=Game.Status.PLAYING)
        return list(rows.filter(to_act__isnull=False).order_by("pk"))

    def replay(self, game: Game) -> Replay:
        """The game as its log has it."""
        return self.books.replay(game.public_id)

    def worker(self) -> int:
        """The worker looks until nothing is due; now and then it dies and begins anew."""
        done = 0
        for _look in range(60):
            try:
                with self.plug.in_danger():
                    now = tasks.do_due()
            except Died:
                self.happened["deaths of the worker"] += 1
                continue
            done += now
            if not now:
                break
        if self.chance.random() < 0.03:
            tasks.clean()
        return done

    def collect(self) -> None:
        """Notices are kept here: those that were told are deleted after some time."""
        last = max(self.told, default=0)
        self.told |= {row.pk: row for row in Outbox.objects.filter(pk__gt=last).select_related("player")}

    def _refresh(self) -> None:
        """Sessions end; who is still about logs in again."""
        assert self._logged_in is not None
        if self.clock.now - self._logged_in > SESSION:  # type: ignore[operator]
            self._logged_in = self.clock.now
            for person in (*self.everybody, *self.reserve):
                if not person.gone:
                    person.browser.log_in(person.user)
            from accounts.models import User

            self.secretary.browser.log_in(User.objects.get(email="secretary@example.org"))

    # what happens beside playing

    def _new_rounds(self) -> None:
        self.books.read()
        for turn in self.books.rounds:
            if turn.key in self.begun_rounds or not all(sheet.game for sheet in turn.sheets.values()):
                continue
            self.begun_rounds.add(turn.key)
            self.happened["rounds"] += 1
            self.happened["tables"] += len(turn.sheets)
            self.look()
            self.incidents(turn.number)

    def incidents(self, number: int) -> None:
        """What goes otherwise than planned in a round that has just begun."""
        playing = [person for person in self.sitting() if person.away_until is None]
        for person in self.chance.sample(playing, min(self.plan.absent, len(playing))):
            person.away_until = self.clock.now + timedelta(days=self.chance.choice([2, 5, 6]))
            self.happened["vanished for days"] += 1
        rest = [person for person in playing if person.away_until is None]
        if number == min(2, self.plan.rounds) and rest:
            slow = self.chance.choice(self._among_present(rest) or rest)  # one who dawdles is enough for a table
            slow.dawdles_until = self.clock.now + timedelta(days=self.plan.days + 3)
            if self.plan.overdue == "as-played":
                slow.rest = timedelta(hours=3)  # so that some deals come to their end before the deadline, but not all
            self.happened["dawdled beyond the deadline"] += 1
        if number == 1:
            self.named_substitute()
            if self.plan.rounds > 1:
                self.pauses()
        if number == 2 and self.plan.rounds > 2:
            self.leaves()
        if number == min(3, self.plan.rounds) and self.plan.rounds > 1:
            self.account_goes()

    def sitting(self) -> list[Person]:
        """Who is in the league and has a seat in a game that goes on."""
        found: list[Person] = []
        for game in self.all_games():
            if game.status != Game.Status.PLAYING:
                continue
            for player in self.replay(game).sitting:
                person = self.acting.known.get(player)
                if person is not None and person in self.everybody and not person.gone and person not in found:
                    found.append(person)
        return found

    def _among_present(self, people: list[Person]) -> list[Person]:
        """Those of them at whose table nobody has vanished."""
        tables = [self.replay(game).sitting for game in self.all_games() if game.status == Game.Status.PLAYING]
        away = {person.player.pk for person in self.everybody if person.away_until is not None}
        held_up = {player for table in tables if away & set(table) for player in table}
        return [person for person in people if person.player.pk not in held_up]

    def free(self) -> list[Person]:
        """Who sits somewhere and has nothing else planned."""
        return [person for person in self.sitting() if person.away_until is None and person.dawdles_until is None]

    def _come_back(self) -> None:
        """Who was away sits down again; at tables where somebody is away the others ask for a substitute now and then."""
        for person in self.everybody:
            if person.away_until is not None and self.clock.now >= person.away_until:
                person.away_until = None
                self._back(person)
        for game in self.open_games():
            replay = self.replay(game)
            for seat, state in enumerate(replay.state):
                if state == AWAY and self.chance.random() < 0.15:
                    self._ask_substitute(game, replay, seat)
                elif state == SOUGHT and self.chance.random() < 0.5:
                    self._take_seat(game, replay, seat)

    def _back(self, person: Person) -> None:
        for game in self.open_games():
            replay = self.replay(game)
            sits = person.player.pk in replay.sitting
            if sits and replay.state[replay.sitting.index(person.player.pk)] == AWAY and self.chance.random() < 0.5:
                self._time(person, game, do="back")
                self.happened["came back by the button"] += 1

    def _ask_substitute(self, game: Game, replay: Replay, seat: int) -> None:
        here = [
            self.acting.known[player]
            for other, player in enumerate(replay.sitting)
            if other != seat and replay.state[other] == HERE and player in self.acting.known
        ]
        here = [person for person in here if not person.gone]
        if here and not self._is_house(replay, seat):
            self._time(self.chance.choice(here), game, do="ask-substitute", seat=str(seat))
            self.happened["asked for a substitute"] += 1

    def _is_house(self, replay: Replay, seat: int) -> bool:
        return replay.sitting[seat] not in self.acting.known

    def _take_seat(self, game: Game, replay: Replay, seat: int) -> None:
        free = [person for person in self.reserve if not self._plays(person)]
        if free:
            self._time(self.chance.choice(free), game, do="substitute", seat=str(seat))
            self.happened["took a free seat"] += 1

    def _plays(self, person: Person) -> bool:
        return any(person.player.pk in self.replay(game).sitting for game in self.all_games())

    def all_games(self) -> list[Game]:
        """Every game of the tournament."""
        return list(Game.objects.filter(online_table__tournament=self.books.tournament).order_by("pk"))

    def _time(self, person: Person, game: Game, **fields: str) -> None:
        """Press a button about time at a table."""
        sent = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        answer = person.browser.client.post(f"/g/{game.public_id}/time/", fields | {"request_id": sent})
        self.check(answer.status_code < 400, f"/g/{game.public_id}/time/ {fields}: {answer.status_code}")

    def named_substitute(self) -> None:
        """The director names somebody from the reserve for one who plays, from this round on."""
        sheet = self.chance.choice([sheet for turn in self.books.rounds for sheet in turn.sheets.values()])
        replay = self.books.replay(sheet.game)
        seats = [seat for seat, player in enumerate(replay.first) if player in self.acting.known]
        if not seats or not self.reserve:
            return
        seat = self.chance.choice(seats)
        old, new = self.acting.known[replay.first[seat]], self.reserve.pop()
        who = self.books.players[old.player.pk]
        try:
            self._name(sheet.key, seat, new)
        except Refusing as why:
            self.check(False, f"no substitute could be named: {why}")
            return
        self.books.players[new.player.pk] = who
        self.everybody.append(new)
        self.substitutes.append(new)
        self.happened["substituted by the director"] += 1

    def _name(self, key: str, seat: int, new: Person) -> None:
        """Of the club's list, so the new one joins the club first."""
        member = self._joins(new)
        page = self.secretary.browser.page(f"{self.secretary.at}tables/{key}/?find={new.last}")
        form = page.form(do="substitute")
        self.secretary.browser.press(form, place=str(seat), new=member.public_id)

    def pauses(self) -> None:
        """Somebody sits out the next round, and says so on the page for it."""
        candidates = self._entered(self.free())
        if candidates:
            person = self.chance.choice(candidates)
            person.browser.press(person.browser.page(f"{self.secretary.at}enter/").form(to="/enter/"), do="pause")
            self.happened["sat out a round"] += 1

    def _entered(self, people: list[Person]) -> list[Person]:
        """Those of them who take part themselves: a substitute only has a seat, and has nothing to say of later rounds."""
        return [person for person in people if person not in self.substitutes]

    def leaves(self) -> None:
        """Somebody leaves the league in mid-season: their game goes on without them."""
        candidates = self._entered(self.free())
        if not candidates:
            return
        person = self.chance.choice(candidates)
        page = person.browser.page(f"{self.secretary.at}enter/")
        form = next(form for form in page.forms(to="/enter/"))
        person.browser.press(form, do="leave")
        person.away_until = self.clock.now + timedelta(days=400)
        self.happened["left the league"] += 1

    def account_goes(self) -> None:
        """Somebody deletes their account while they play."""
        from accounts.privacy import erase

        candidates = self.free()
        if not candidates:
            return
        person = self.chance.choice(candidates)
        person.gone = True
        erase(person.user)
        self.happened["deleted their account"] += 1
