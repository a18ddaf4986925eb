"""The judge: adds up from the logs of the games, and compares with all that the site shows, at every round and at the end."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.core.management import call_command

from clubs.models import Member
from domain.standings.season import SeasonRules
from games.models import BoardSet, Deal, Game
from notices.models import Outbox
from ratings import privacy
from ratings.models import PlayerRating, RatingPool
from tests.tournaments.leagues import counting, luck, shown
from tests.tournaments.leagues.counting import CRITERIA, NEVER, Round, Row, Sheet
from tests.tournaments.leagues.league import League
from tests.tournaments.leagues.replay import keeps_waiting
from tournaments.models import OnlineRound, OnlineTable

NEAR = 1e-6


def _two_places(mean: Fraction) -> str:
    """An average as files for spreadsheets have it."""
    return str(int(mean)) if mean.denominator == 1 else str(float(round(mean, 2)))


def _is_near(shown: Sequence[float], means: Sequence[Fraction], places: int) -> bool:
    """Whether averages are shown rightly, to so many decimal places."""
    return len(shown) == len(means) and all(
        abs(each - mean) <= Fraction(1, 2 * 10**places) + Fraction(1, 10**9)
        for each, mean in zip(shown, means, strict=True)
    )


class Judge:
    """Judges a league while it runs. What is wrong is added to the league's own list."""

    def __init__(self, league: League) -> None:
        self.league, self.check = league, league.check
        self.stranger = league._browser(9_999)
        self.looks = self.tables = self.lines = self.travellers = self.rated = 0

    @property
    def at(self) -> str:
        """Where the tournament is."""
        return self.league.secretary.at

    def look(self) -> None:
        """Everything that stands on pages now."""
        self.looks += 1
        books = self.league.books.read()
        told = shown.results(self.stranger, self.at)
        rounds = {each["key"]: each for each in told["rounds"]}
        self.check([turn.key for turn in books.rounds] == list(rounds), f"the rounds are {list(rounds)}")
        for turn in books.rounds:
            self._round(turn, rounds[turn.key])
        rows = counting.standing(books.people, books.rounds, duplicate=books.duplicate, lots=books.lots)
        self._standing(rows, told["phases"][0]["standings"])
        self._ranking(rows)
        self._files(told)
        if books.duplicate:
            self._travellers(told)

    # tables

    def _round(self, turn: Round, told: Mapping[str, Any]) -> None:
        tables = {each["number"]: each for each in told["tables"]}
        self.check(set(tables) == set(turn.sheets), f"round {turn.key} has tables {sorted(tables)}")
        self.check(set(told["byes"]) == turn.out, f"round {turn.key}: byes {told['byes']}")
        page = shown.seating(self.stranger, self.at, turn.key)
        for number, sheet in turn.sheets.items():
            self.tables += 1
            self._table(sheet, tables[number])
            entrants, sums = page[number]
            self.check(
                sorted(entrants) == sorted(who for who in sheet.owners if who not in self._house) or
                sorted(entrants) == sorted(sheet.owners),
                f"{sheet.key}: the page seats {entrants}, {sheet.owners} sit there",
            )  # fmt: skip
            counted = bool(sheet.lines) and sheet.counts and not sheet.forfeit
            wanted = [sum(line[side] for line in sheet.lines.values()) for side in (0, 1)] if counted else []
            self.check(sums == wanted, f"{sheet.key}: the page has sums {sums}, they are {wanted}")

    @property
    def _house(self) -> set[str]:
        return self.league.books.people.house

    def _table(self, sheet: Sheet, told: Mapping[str, Any]) -> None:
        seats = [seat["entrant"] for seat in told["seats"]]
        house = self._house
        same = [who if who not in house else "house" for who in seats] == [
            who if who not in house else "house" for who in sheet.owners
        ]
        self.check(not sheet.game or same, f"{sheet.key}: {seats} in the file, {sheet.owners} sat down")
        lines = {deal["number"]: tuple(deal["scores"]) for deal in told["deals"]}
        counted = sheet.lines if sheet.counts and not sheet.forfeit else {}
        self.lines += len(counted)
        self.check(lines == counted, f"{sheet.key}: {lines} in the file, {counted} was played")
        self.check((told["state"] == "confirmed") == sheet.counts, f"{sheet.key} is {told['state']}, {sheet}")
        self.check(told["late"] == sheet.late, f"{sheet.key}: late is {told['late']}")
        self.check(tuple(told["forfeit"]) == sheet.forfeit, f"{sheet.key}: forfeited by {told['forfeit']}")
        self.check(told["cut_short"] == sheet.short, f"{sheet.key}: cut short is {told['cut_short']}")
        self.check(
            told["game"].rstrip("/").rpartition("/")[2] == sheet.game, f"{sheet.key}: another game {told['game']}"
        )

    # standings

    def _standing(self, rows: list[Row], told: list[Mapping[str, Any]]) -> None:
        places = [(row["entrant"], row["rank"], row["shared"]) for row in told]
        wanted = [(row.entrant, row.rank, row.shared) for row in rows]
        self.check(sorted(places) == sorted(wanted), f"ranks: {_apart(places, wanted)}")
        self.check([rank for _, rank, _ in places] == sorted(rank for _, rank, _ in places), "the list is out of order")
        by_entrant = {row["entrant"]: row for row in told}
        for row in rows:
            found = by_entrant.get(row.entrant)
            if found is None:
                continue
            values = tuple(found["values"][name] for name in CRITERIA)
            own = tuple(None if value == NEVER else value for value in row.values)
            self.check(values == own, f"{row.entrant}: {values} by the site, {own} by hand")
            rounds = [(s["round"], s["kind"], s["points"], s["match"], s["difference"]) for s in found["rounds"]]
            mine = [(s.round, s.kind, s.points, s.match, s.difference) for s in row.scores]
            self.check(rounds == mine, f"{row.entrant}: {_apart(rounds, mine)}")

    def _ranking(self, rows: list[Row]) -> None:
        page = {line.entrant: line for line in shown.ranking(self.stranger, self.at)}
        self.check(set(page) == {row.entrant for row in rows}, f"the page ranks {sorted(page)}")
        for row in rows:
            line = page.get(row.entrant)
            if line is None:
                continue
            self.check(line.rank == row.rank, f"{row.entrant} has rank {line.rank} on the page, {row.rank} by hand")
            own = {name: None if value == NEVER else value for name, value in zip(CRITERIA, row.values, strict=True)}
            own = {name: own[name] for name in line.values}
            self.check(line.values == own, f"{row.entrant} on the page: {line.values}, by hand {own}")

    def _files(self, told: Mapping[str, Any]) -> None:
        """Tables for spreadsheets say the same as the file for programs, which is judged by itself."""
        deals = Counter((row[1], row[2], row[5], row[9]) for row in shown.table_of(self.stranger, self.at, "deals"))
        lines = Counter(
            (str(turn["number"]), str(table["number"]), str(deal["number"]), str(score))
            for turn in told["rounds"]
            for table in turn["tables"]
            for deal in table["deals"]
            for score in deal["scores"]
        )
        self.check(deals == lines, f"deals.csv: {list((deals - lines) + (lines - deals))[:3]}")
        rounds = Counter((row[1], row[5], row[6], row[7]) for row in shown.table_of(self.stranger, self.at, "rounds"))
        scores = Counter(
            (str(each["round"]), str(each["points"]), str(each["match"]), str(each["difference"]))
            for row in told["phases"][0]["standings"]
            for each in row["rounds"]
        )
        self.check(rounds == scores, f"rounds.csv: {list((rounds - scores) + (scores - rounds))[:3]}")

    # travellers

    def _travellers(self, told: Mapping[str, Any]) -> None:
        """Every deal that is open, and none that is sealed, on its page, in the file for programs and in the table."""
        books = self.league.books
        in_file = {(each["round"], each["deal"]): each for each in told["travellers"]}
        table = Counter(
            (row[1], row[2], row[3], row[5], row[6], row[7], row[8])
            for row in shown.table_of(self.stranger, self.at, "travellers")
        )
        open_ones: set[tuple[str, int]] = set()
        for turn in books.rounds:
            promised = [event.data for event in books.events if event.kind == "boards.laid"]
            laid = next((data for data in promised if data["round"] == turn.key), None)
            if laid is None:
                continue
            for board in laid["boards"]:
                deal = board["number"]
                path = f"{self.at}rounds/{turn.key}/boards/{deal}/"
                found = shown.traveller(self.stranger.page(path))
                if not self._all_have_played(turn, deal):
                    self.check(found is None, f"{path} shows a deal that some table has still to play")
                    continue
                open_ones.add((turn.key, deal))
                self.travellers += 1
                wanted = counting.traveller(self._open(turn, deal), deal)
                if wanted is None:
                    continue
                assert found is not None or self._missing(path)
                if found is None:
                    continue
                means, made = found
                self.check(_is_near(means, wanted.datum, 1), f"{path}: datum {means}, by hand {wanted.datum}")
                self.check(set(made) == set(wanted.tables), f"{path}: tables {sorted(made)}, {sorted(wanted.tables)}")
                for number, (points, gains) in wanted.tables.items():
                    row = made.get(number)
                    if row is None:
                        continue
                    self.check(
                        (row.points, row.gains) == (points, gains),
                        f"{path} table {number}: {row.points} {row.gains}, by hand {points} {gains}",
                    )
                    sheet = turn.sheets[number]
                    dealers = counting.dealer_side(sheet, deal)
                    for side, entrants in zip((dealers, 1 - dealers), row.entrants, strict=True):
                        own = [who for who in sheet.sides[side] if who not in self._house]
                        self.check(sorted(entrants) == sorted(own), f"{path} table {number}: {entrants}, {own}")
                self._in_file(in_file.get((turn.key, deal)), wanted, path)
                for number, (points, gains) in wanted.tables.items():
                    for lane in (0, 1):
                        row_of = (
                            str(turn.number), str(deal), str(number), str(lane),
                            str(points[lane]), _two_places(wanted.datum[lane]), str(gains[lane]),
                        )  # fmt: skip
                        self.check(table[row_of] == 1, f"travellers.csv has {table[row_of]} times {row_of}")
        self.check(set(in_file) <= open_ones, f"sealed deals in results.json: {set(in_file) - open_ones}")

    def _missing(self, path: str) -> bool:
        self.check(False, f"{path} still is sealed though all tables have played it")
        return True

    def _in_file(self, found: Mapping[str, Any] | None, wanted: counting.Traveller, path: str) -> None:
        if found is None:
            self.check(False, f"{path} is not in results.json")
            return
        datum = tuple(each["points"] for each in found["datum"])
        self.check(_is_near(datum, wanted.datum, 2), f"{path} in results.json: datum {datum}, by hand {wanted.datum}")
        made = {
            each["table"]: (
                tuple(side["points"] for side in sorted(each["sides"], key=lambda side: side["lane"])),
                tuple(side["gain"] for side in sorted(each["sides"], key=lambda side: side["lane"])),
            )
            for each in found["tables"]
        }
        self.check(made == dict(wanted.tables), f"{path} in results.json: {made}, by hand {wanted.tables}")

    def _open(self, turn: Round, deal: int) -> Round:
        """The round as far as this deal goes: of a table that plays on, the deal counts already."""
        sheets = {}
        for number, sheet in turn.sheets.items():
            counts = bool(sheet.game) and not sheet.forfeit and deal in sheet.lines
            sheets[number] = Sheet(sheet.key, sheet.owners, sheet.lines, sheet.turn, counts=counts, game=sheet.game)
        return Round(turn.key, sheets, turn.out)

    def _all_have_played(self, turn: Round, deal: int) -> bool:
        """Whether no table that goes on has still to play it."""
        for sheet in turn.sheets.values():
            if not sheet.game:
                if not sheet.counts:
                    return False
                continue
            replay = self.league.books.replay(sheet.game)
            if not replay.over and deal not in {each.number for each in replay.hands}:
                return False
        return True

    # the end

    def end(self) -> None:
        """All is over: nothing is left to be done, to be told or to be mended; season and ratings."""
        books = self.league.books.read()
        self.check(books.closed, "the tournament is not closed")
        self.check(len(books.rounds) == self.league.plan.rounds, f"{len(books.rounds)} rounds were played")
        sheets = [sheet for turn in books.rounds for sheet in turn.sheets.values()]
        self.league.happened["tables were late"] = sum(sheet.late for sheet in sheets)
        self.league.happened["tables were forfeited"] = sum(bool(sheet.forfeit) for sheet in sheets)
        self.league.happened["tables were cut short"] = sum(sheet.short for sheet in sheets)
        self._games()
        self._deadlines()
        self._nothing_left()
        self._notices()
        self._season()
        self._ratings()
        self._mended()

    def _games(self) -> None:
        books = self.league.books
        keys = [sheet.key for turn in books.rounds for sheet in turn.sheets.values()]
        for key in keys:
            laid, reported = len(books.begun.get(key, ())), len(books.reported.get(key, ()))
            self.check(laid == 1, f"{key} was laid {laid} times")
            self.check(reported <= 1, f"{key} was reported {reported} times")
        stored = set(Game.objects.values_list("public_id", flat=True))
        named = {game for games in books.begun.values() for game in games}
        self.check(stored == named, f"games that no table has: {stored ^ named}")
        by_board: dict[tuple[int, int], list[str]] = {}
        for game in named:
            for played in books.replay(game).hands:
                for seat, actors in played.actors.items():
                    for player in actors:
                        if player in self.league.acting.known:
                            by_board.setdefault((player, played.deal), []).append(f"{game}/{seat}")
        twice = {key: where for key, where in by_board.items() if len(set(where)) > 1}
        self.check(not twice, f"somebody met a deal twice: {twice}")

    def _deadlines(self) -> None:
        """Who is named as having kept a table waiting did so, by the log of the game; nothing before its time."""
        books = self.league.books
        until: dict[str, datetime] = {}
        for event in books.events:
            if event.kind in ("round.published", "deadline.set"):
                until[event.data["round"]] = datetime.fromisoformat(event.data["deadline"])
            if event.kind != "table.overdue":
                continue
            key = event.data["table"]
            self.check(event.at >= until[key.rpartition(".")[0]], f"{key} was overdue too early: {event.at}")
            if event.data["how"] == "forfeited":
                sheet = books.sheet(key)
                replay = books.replay(sheet.game)
                seats = keeps_waiting(*replay.stood)
                wanted = {sheet.owners[seat] for seat in seats} - self._house
                self.check(set(event.data["who"]) == wanted, f"{key}: {event.data['who']} forfeit, by the log {wanted}")

    def _nothing_left(self) -> None:
        now = self.league.clock.now
        self.check(not Game.objects.filter(status=Game.Status.PLAYING).exists(), "a game goes on")
        self.check(not Game.objects.filter(due_at__isnull=False).exists(), "something is due in a game")
        self.check(not OnlineRound.objects.filter(due_at__lte=now).exists(), "something is due in a round")
        self.check(not OnlineTable.objects.filter(reported_at=None).exists(), "a table has not reported")
        left = Outbox.objects.filter(done_at=None, due_at__lte=now)
        self.check(not left.exists(), f"notices are left: {[(row.event, row.error) for row in left[:5]]}")
        self.check(not BoardSet.objects.filter(opened_at=None).exists(), "a set of deals is not open")
        sealed = Deal.objects.filter(origin=Deal.Origin.SHARED, opened_at=None)
        self.check(not sealed.exists(), "a deal is sealed though all have played it")

    def _notices(self) -> None:
        """Each notice of the tournament once to whom it is for, and to nobody else."""
        books = self.league.books
        known = dict(books.players.items())
        told = Counter(
            (
                row.event,
                row.player_id,
                str(row.params.get("table") or row.params.get("round") or row.params.get("by") or ""),
            )
            for row in self.league.told.values()
            if row.event.startswith("tournament.")
        )
        for what, times in told.items():
            self.check(times == 1, f"{what} was told {times} times")
        wanted: Counter[tuple[str, int, str]] = Counter()
        gone = {person.player.pk for person in self.league.everybody if person.gone}
        left: set[str] = set()
        named: list[tuple[int | None, int | None]] = []

        def sitting(player: int) -> int:
            for old, new in named:
                player = new if player == old and new is not None else player
            return player

        for event in books.events:
            if event.kind == "table.begun":
                for player in books.replay(event.data["game"]).first:
                    if player in known:
                        wanted["tournament.round", player, event.data["table"]] += 1
            elif event.kind == "table.overdue":
                name = "late" if event.data["how"] == "postponed" else "forfeited"
                for player in books.replay(books.sheet(event.data["table"]).game).first:
                    if player in known and (name == "forfeited" or known[player] not in left):
                        wanted[f"tournament.{name}", sitting(player), event.data["table"]] += 1
            elif event.kind == "entrant.substituted":
                pair = (Member.objects.get(public_id=event.data[who]).player_id for who in ("old", "new"))
                named.append((next(pair), next(pair)))
            elif event.kind in ("entrant.left", "entrant.arrived"):
                (left.add if event.kind == "entrant.left" else left.discard)(event.data["id"])
            elif event.kind == "round.closed":
                for sheet in next(turn for turn in books.rounds if turn.key == event.data["round"]).sheets.values():
                    for player in books.replay(sheet.game).first:
                        for each in {player, sitting(player)} if player in known else ():
                            wanted["tournament.result", each, event.data["round"]] += 1
        names = {"tournament.round", "tournament.late", "tournament.forfeited", "tournament.result"}
        came = Counter({what: times for what, times in told.items() if what[0] in names})
        missing = {what for what in wanted - came if what[1] not in gone}
        too_many = {what for what in came - wanted if what[1] not in gone}
        self.check(not missing, f"{len(missing)} notices never came: {sorted(missing)[:4]}")
        self.check(not too_many, f"{len(too_many)} notices too many: {sorted(too_many)[:4]}")
        invited = [player for (event, player, _), _times in told.items() if event == "tournament.invited"]
        self.check(
            len(invited) == self.league.happened["invited"], f"{len(invited)} people were told that they are invited"
        )
        over = {player for (event, player, _), _times in told.items() if event == "tournament.over"}
        members = {player for player in known if known[player] in books.people.came} - gone
        self.check(over >= members, f"{len(members - over)} were not told that it is over")

    def _season(self) -> None:
        """Points by place, names as the secretary reads them."""
        books, league = self.league.books, self.league
        rows = counting.standing(books.people, books.rounds, duplicate=books.duplicate, lots=books.lots)
        points = counting.season_points(rows, SeasonRules().place_points)
        page = shown.season(league.secretary.browser, f"{league.secretary.club}seasons/{league.secretary.season}/")
        by_name: dict[str, int] = {}
        entered: dict[str, str] = {}
        for person in league.everybody:
            entered.setdefault(books.players[person.player.pk], person.full)
        for who, total in points.items():
            by_name[entered[who]] = total
        off = {name: (page.get(name), total) for name, total in by_name.items() if page.get(name) != total}
        self.check(len(page) == len(by_name), f"the season lists {len(page)} people, {len(by_name)} played")
        gone = {person.full for person in league.everybody if person.gone}
        self.check(set(off) <= gone, f"season points by the site and by hand: {dict(list(off.items())[:4])}")

    def _ratings(self) -> None:
        """Most want to be shown: their stored ratings are those of the second computation; nobody else has one."""
        league, books = self.league, self.league.books
        people = [person for person in league.everybody if not person.gone]
        hidden, willing = people[:2], people[2:]
        for person in willing:
            privacy.show_player(person.player)
        call_command("rate", stdout=io.StringIO())
        log = luck.matches(books)
        pool = RatingPool.objects.filter(ruleset="troccas").first()
        if pool is None:
            self.check(not log, "there is no pool of ratings")
            return
        self.check(
            pool.deals == sum(each.deals for each in log),
            f"{pool.deals} deals rated, by hand {sum(e.deals for e in log)}",
        )
        mine = luck.rate(log, pool.model)
        stored = {f"player:{row.person.player_id}": row for row in PlayerRating.objects.select_related("person")}
        self.check(not {f"player:{person.player.pk}" for person in hidden} & set(stored), "somebody hidden is rated")
        wanted = {f"player:{person.player.pk}" for person in willing} & set(mine.mean)
        self.check(set(stored) == wanted, f"rated are {len(stored)}, by hand {len(wanted)}")
        for who in wanted & set(stored):
            row = stored[who]
            self.rated += 1
            self.check(
                abs(row.mean - mine.mean[who]) < NEAR, f"{who}: {row.mean} by the site, {mine.mean[who]} by hand"
            )
            near = abs(row.variance - mine.variance[who]) < 0.02 * mine.variance[who]
            self.check(near, f"{who}: variance {row.variance}, by hand {mine.variance[who]}")
            self.check(row.deals == mine.deals[who], f"{who}: {row.deals} deals, by hand {mine.deals[who]}")

    def _mended(self) -> None:
        for command in ("rebuild", "rebuild_tournaments"):
            said = io.StringIO()
            call_command(command, stdout=said)
            last = said.getvalue().strip()
            self.check(re.search(r" 0 mended\.$", last) is not None, f"{command}: {last[-600:]}")


def _apart(told: list[Any], mine: list[Any]) -> str:
    site, hand = [each for each in told if each not in mine], [each for each in mine if each not in told]
    return f"{site[:4]} by the site, {hand[:4]} by hand"
