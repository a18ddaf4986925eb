"""The judge: adds up for himself what the books say, and compares it with everything the site shows, prints and publishes."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import lxml.html

from tests.live import ROOT
from tests.tournaments.evenings import arithmetic
from tests.tournaments.evenings.followers import Delays, delays
from tests.tournaments.evenings.secretary import rappen
from tests.tournaments.evenings.wire import Refusing, words

if TYPE_CHECKING:
    from tests.tournaments.evenings.evening import Evening

LAST_SECONDS = 60.0
RULES = {
    "match": {"win": 2, "draw": 1, "loss": 0, "places": [[2, 1, 0]]},
    "bye": {"method": "own-average", "points": 0, "match": 0},
    "late": {"method": "fixed", "points": 0, "match": 0},
    "absent": {"method": "fixed", "points": 0, "match": 0},
    "tie_breaks": ["match-points", "card-points", "difference", "best-round", "lot"],
    "wrong_sum": "recount",
    "dropped": 0,
    "leavers": "ranked",
    "table_sizes": [{"size": 3, "deals": 0, "percent": 100, "per_deal": 10}],
    "unfinished": "as-played",
    "drawn": "draw",
}
"""What the arithmetic here takes for granted."""


class Judge:
    """Judges an evening that is over. What is wrong is added to the evening's own list."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.books = evening, evening.books
        self.secretary = evening.secretary
        self.check = evening.check
        self.results: dict[str, Any] = self.secretary.json("results.json")
        self.lots = [(lot["phase"], lot["order"]) for lot in self.results["lots"]]
        self.delays: Delays | None = None
        self.public_pages = self.events = 0
        self.twice_here: list[str] = []

    def judge(self) -> None:
        """Everything."""
        for look in (
            self.followers,
            self.rules,
            self.tables,
            self.standings,
            self.lots_among_equals,
            self.fairness,
            self.tables_of_file,
            self.money,
            self.draws,
            self.names,
            self.log,
            self.projections,
        ):
            try:
                look()
            except Refusing as why:
                self.check(False, f"{look.__name__}: {why}")

    # who looked on

    def followers(self) -> None:
        """All pages stand where the log stands, and show the last ranking."""
        number = self.evening.stand()
        followers = self.evening.followers
        for page in followers.wait_for(number, LAST_SECONDS):
            self.check(False, f"{page.path} stands at {page.number}, the log at {number}")
        self.evening.wrong += followers.wrong
        self.delays = delays(self.evening.heard, followers.pages)
        ranks = dict(arithmetic.overall(self.books, self.lots))
        order = [who for who, _rank in arithmetic.overall(self.books, self.lots)]
        for page in followers.pages:
            tree = lxml.html.document_fromstring(page.html)
            if page.path == self.secretary.codes["screen"]:
                lines = tree.xpath("//*[@data-slide='ranking']//li")
                shown = [tuple(self.books.found_in(words(line))) for line in lines]
                wanted = [tuple(self.books.found_in(" ".join(self.books.entrants[who]))) for who in order]
                self.check(shown == wanted, f"the screen's ranking is {shown[:5]}…, not {wanted[:5]}…")
                self.check(
                    "for now" not in words(tree.get_element_by_id("s-ranking")), "the screen's ranking is not final"
                )
            elif "/p/" in page.path:
                found = self.books.found_in(words(tree.xpath("//h1")[0]))
                place = tree.xpath("//*[@data-part='rank']//*[contains(concat(' ', @class, ' '), ' live-place ')]")
                rank = ranks.get(self.books.plays_for[found[0]])
                told = re.match(r"\d+", words(place[0])) if place else None
                self.check(
                    told is not None and int(told[0]) == rank, f"{found} read rank {told and told[0]}, they have {rank}"
                )

    # the file of results against the books

    def rules(self) -> None:
        """The house rules are those this judge knows."""
        for phase in self.results["phases"]:
            for name, value in RULES.items():
                self.check(phase["rules"][name] == value, f"rule {name} is {phase['rules'][name]}, not {value}")

    def tables(self) -> None:
        """Every table holds what was typed there, once."""
        rounds = {each["key"]: each for each in self.results["rounds"]}
        self.check(list(rounds) == [each.key for each in self.books.rounds], f"the rounds are {list(rounds)}")
        for turn in self.books.rounds:
            told = rounds[turn.key]
            self.check(set(told["byes"]) == set(turn.byes), f"{turn.key}: byes {told['byes']}, seen {turn.byes}")
            self.check({each["number"] for each in told["tables"]} == set(turn.sheets), f"{turn.key}: other tables")
            for table in told["tables"]:
                sheet = turn.sheets[table["number"]]
                names = [seat["name"] for seat in table["seats"]]
                sides = [sorted(names[place] for place in side) for side in table["sides"]]
                self.check(
                    sides == [sorted(side) for side in sheet.sides], f"{sheet.key}: sits {sides}, slip {sheet.sides}"
                )
                lines = {deal["number"]: (tuple(deal["scores"]), deal["of"]) for deal in table["deals"]}
                typed = {deal: (line.scores, line.of) for deal, line in sheet.lines.items()}
                self.check(lines == typed, f"{sheet.key}: {lines}, typed was {typed}")
                self.check(table["state"] == "confirmed", f"{sheet.key} is {table['state']}")
                self.check(table["sums"] == sheet.sums(), f"{sheet.key}: sums {table['sums']}, they are {sheet.sums()}")

    def standings(self) -> None:
        """Points of everybody in every round and in all, ranks by the criteria, the ranking over all phases."""
        for phase in self.results["phases"]:
            wanted = arithmetic.standing(self.books, phase["number"], self.lots)
            told = phase["standings"]
            self.check(
                [(row["entrant"], row["rank"], row["shared"]) for row in told]
                == [(row.entrant, row.rank, row.shared) for row in wanted],
                f"phase {phase['number']}: {[(r['entrant'], r['rank']) for r in told][:9]} by the site,"
                f" {[(r.entrant, r.rank) for r in wanted][:9]} by hand",
            )
            by_entrant = {row["entrant"]: row for row in told}
            for row in wanted:
                found = by_entrant.get(row.entrant)
                if found is None:
                    continue
                values = tuple(found["values"][name] for name in arithmetic.CRITERIA)
                own = (*row.values[:3], row.values[3] if row.values[3] >= 0 else None)
                self.check(
                    values == own, f"{row.entrant} in phase {phase['number']}: {values} by the site, {own} by hand"
                )
                rounds = [(s["round"], s["kind"], s["points"], s["match"], s["difference"]) for s in found["rounds"]]
                mine = [(s.round, s.kind, s.points, s.match, s.difference) for s in row.scores]
                self.check(
                    rounds == mine, f"{row.entrant} in phase {phase['number']}: {rounds} by the site, {mine} by hand"
                )
        ranking = self.results["ranking"]
        self.check(ranking["final"], "the ranking is not final")
        places = [(place["entrant"], place["rank"]) for place in ranking["places"]]
        self.check(places == arithmetic.overall(self.books, self.lots), f"over all: {places[:12]}")

    def lots_among_equals(self) -> None:
        """A lot decides only among who was equal in everything."""
        for phase, order in self.lots:
            values = {row.entrant: row.values for row in arithmetic.standing(self.books, phase)}
            self.check(len({values[who] for who in order}) == 1, f"a lot was drawn among {order}, who are not equal")

    def fairness(self) -> None:
        """Nobody sits out, or at a table of unusual size, again while somebody there was not hit once less."""
        usual = 4
        hit: Counter[str] = Counter()
        for turn in self.books.of_phase(1):
            there: set[str] = set(turn.byes)
            now: list[str] = list(turn.byes)
            for sheet in turn.sheets.values():
                owners = {self.books.owner(person) for side in sheet.sides for person in side}
                there |= owners
                if sum(map(len, sheet.sides)) != usual:
                    now += owners
            hit.update(now)
            least = min(hit[who] for who in there)
            most = {who: hit[who] for who in now if hit[who] > least + 1}
            self.check(not most, f"{turn.key}: hit again while others were not: {most}")

    def tables_of_file(self) -> None:
        """The tables for spreadsheets say the same as the data for programs."""
        names = {each["id"]: each["name"] for each in self.results["entrants"]}
        ranking = self._csv("ranking")
        told = [(row[0], row[1]) for row in ranking[1:]]
        wanted = [(str(each["rank"] or "–"), names[each["entrant"]]) for each in self.results["ranking"]["places"]]
        self.check(told == wanted, f"ranking.csv has {told[:4]}…, results.json {wanted[:4]}…")
        rounds = Counter((row[1], row[2], row[5], row[6], row[7]) for row in self._csv("rounds")[1:])
        scores = Counter(
            (
                str(each["round"]),
                names[row["entrant"]],
                str(each["points"]),
                str(each["match"]),
                str(each["difference"]),
            )
            for phase in self.results["phases"]
            for row in phase["standings"]
            for each in row["rounds"]
        )
        self.check(
            rounds == scores, f"rounds.csv and results.json differ: {list((rounds - scores) + (scores - rounds))[:4]}"
        )
        deals = Counter((row[1], row[2], row[5], row[9]) for row in self._csv("deals")[1:])
        lines = Counter(
            (str(turn["number"]), str(table["number"]), str(deal["number"]), str(score))
            for turn in self.results["rounds"]
            for table in turn["tables"]
            for deal in table["deals"]
            for score in deal["scores"]
        )
        self.check(deals == lines, f"deals.csv and results.json differ: {list((deals - lines) + (lines - deals))[:4]}")
        prizes = {row[1]: rappen(row[2]) for row in self._csv("prizes")[1:]}
        handed = {names[who]: amount for who, amount in self.books.prizes.items()}
        self.check(prizes == handed, f"prizes.csv has {prizes}, handed over was {handed}")

    def _csv(self, name: str) -> list[list[str]]:
        text = self.secretary.browser.page(f"{self.secretary.at}results/{name}.csv").body.decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text), delimiter=";"))

    def money(self) -> None:
        """The till to the Rappen; prizes and what is kept are the fund."""
        till = self.evening.till
        shown = {words(row[0]): words(row[1]) for row in till.tree.xpath("//table[contains(@class, 'books')]//tr")}
        expected = self.books.expected()
        self.check(
            rappen(shown.get("should be in the till", "0.–")) == expected, f"the till says {shown}, by hand {expected}"
        )
        self.check(rappen(shown.get("counted", "0.–")) == expected, f"counted was {expected}, the till says {shown}")
        self.check(shown.get("difference", "").startswith("none"), f"the till differs: {shown}")
        weights = (5, 3, 2)
        coins, left = divmod(self.books.fund, 5)
        shares = [coins * weight // sum(weights) for weight in weights]
        rests = sorted(range(3), key=lambda place: (-(coins * weights[place] % sum(weights)), place))
        for place in rests[: coins - sum(shares)]:
            shares[place] += 1
        wanted = {
            who: 5 * share
            for (who, _rank), share in zip(arithmetic.overall(self.books, self.lots), shares, strict=False)
        }
        self.check(self.books.prizes == wanted, f"prizes {self.books.prizes}, by hand {wanted}")
        kept = self.books.fund - sum(self.books.prizes.values())
        self.check(kept == left, f"of a fund of {self.books.fund} the prizes leave {kept}, not {left}")
        entries = self.secretary.browser.page(f"{self.secretary.at}till.csv").body.decode("utf-8-sig")
        sums: dict[str, int] = defaultdict(int)
        for _number, _what, came, went, _who, _note, cancelled in list(csv.reader(io.StringIO(entries), delimiter=";"))[
            1:
        ]:
            if not cancelled:
                sums["in"] += round(100 * float(came or 0))
                sums["out"] += round(100 * float(went or 0))
        self.check(self.books.opening + sums["in"] - sums["out"] == expected, f"till.csv adds up to {dict(sums)}")

    def draws(self) -> None:
        """Everybody can draw again what was drawn, from the published files and nothing else."""
        stranger = self.evening.browser()
        at = self.secretary.at
        links = stranger.page(f"{at}draws/").tree.xpath(
            "//a[contains(@href, '/draws/1.') or contains(@href, '/draws/2.')]/@href"
        )
        self.check(
            len(set(links)) == len(self.books.rounds) + 1, f"of all draws, one of them undone, there are {links}"
        )
        for link in {*map(str, links), *(f"{at}draws/{each.key}.json" for each in self.books.rounds)}:
            self._verified("domain.seating", stranger.page(link).body)
        told = self._verified("domain.tournament", stranger.page(f"{at}draws/draws.json").body)
        self.check("promised when the tournament opened" in told, f"the secret is not told: {told}")

    def _verified(self, program: str, file: bytes) -> str:
        done = subprocess.run(
            [sys.executable, "-m", program, "verify", "-"], input=file, capture_output=True, cwd=ROOT, check=False
        )
        said = done.stdout.decode() + done.stderr.decode()
        self.check(done.returncode == 0, f"{program} verify says: {said}")
        return said

    # names

    def names(self) -> None:
        """No stranger reads a name that nobody gave leave for, on any page or file that can be reached."""
        stranger = self.evening.browser()
        secret = {
            part: person
            for person in self.books.people.values()
            if not person.named
            for part in (person.first, person.last)
        }
        pattern = re.compile("|".join(map(re.escape, sorted(secret))))
        waiting, seen = [self.secretary.at, self.secretary.club, f"{self.secretary.club}calendar/"], set[str]()
        named: set[str] = set()
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            page = stranger.get(path)
            kind = page.headers.get("content-type", "")
            text = _text_of(page.body, kind)
            if found := pattern.search(text):
                self.check(False, f"{path} names {secret[found[0]].full}, who did not agree")
            named |= {person.full for person in self.books.people.values() if person.named and person.full in text}
            if "html" in kind and page.status == 200:
                waiting += [link for link in _links(page.tree, path) if self._ours(link)]
        self.public_pages = len(seen)
        consenting = {
            name for who in self.books.came for name in self.books.entrants[who] if self.books.people[name].named
        }
        self.check(named >= consenting, f"who agreed is not named: {sorted(consenting - named)[:3]}")
        self.check(f"{self.secretary.at}results.json" in seen, "the file of results is linked nowhere")

    def _ours(self, link: str) -> bool:
        return link.startswith((self.secretary.at, self.secretary.club)) and "/account/" not in link

    # the log

    def log(self) -> None:
        """Numbers without gaps, each request done once, each deal as often as it was accepted."""
        rows = [
            row["fields"]
            for row in json.loads(self.evening.site.manage("dumpdata", "tournaments.tournamentevent"))
        ]  # fmt: skip
        rows.sort(key=lambda row: row["number"])
        self.check([row["number"] for row in rows] == list(range(1, len(rows) + 1)), "the log has gaps")
        self.check(
            len(rows) == self.evening.stand(), f"the log has {len(rows)} events, the file says {self.evening.stand()}"
        )
        ids = Counter(row["request_id"] for row in rows if row["request_id"])
        self.check(max(ids.values()) == 1, f"requests done twice: {[who for who, times in ids.items() if times > 1]}")
        entered = Counter(row["data"]["table"] for row in rows if row["kind"] == "deal.entered")
        typed = Counter(
            {sheet.key: sheet.written for turn in self.books.rounds for sheet in turn.sheets.values() if sheet.written}
        )
        self.check(
            entered == typed, f"deals entered {(entered - typed) + (typed - entered)} more or less often than typed"
        )
        for kind in ("table.handed-in", "table.confirmed"):
            often = Counter(row["data"]["table"] for row in rows if row["kind"] == kind)
            self.check(not often or max(often.values()) == 1, f"{kind} twice: {often.most_common(2)}")
        arrived = Counter(row["data"]["id"] for row in rows if row["kind"] == "entrant.arrived")
        self.twice_here = [who for who, times in arrived.items() if times > 1]
        self.events = len(rows)

    def projections(self) -> None:
        """Nothing is to be mended, and the server had nothing to complain about."""
        told = self.evening.site.manage("rebuild_tournaments").strip()
        self.check(told.endswith(" 0 mended."), f"rebuilding says: {told}")
        log = self.evening.site.log
        if "Traceback" in log:
            self.check(False, "the server's log has a traceback: " + log[log.index("Traceback") :][:1500])


def _text_of(body: bytes, kind: str) -> str:
    if "spreadsheetml" in kind:
        from openpyxl import load_workbook

        book = load_workbook(io.BytesIO(body))
        return "\n".join(str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)
    return body.decode("utf-8", errors="replace")


def _links(tree: lxml.html.HtmlElement, path: str) -> list[str]:
    from urllib.parse import urljoin, urlsplit

    found = []
    for link in tree.xpath("//a/@href | //link/@href"):
        target = urlsplit(urljoin(path, str(link)))
        if target.query and not re.fullmatch(r"(page|round)=[\d.]+", target.query):
            continue
        found.append(target.path + (f"?{target.query}" if target.query else ""))
    return found
