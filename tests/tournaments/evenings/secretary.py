"""The secretary: founds the club, plans the evening, opens the door, and sits at the desk until the till is counted."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from tests.tournaments.evenings import camera
from tests.tournaments.evenings.books import Books, Person, Round, Sheet
from tests.tournaments.evenings.wire import Browser, Page, Refusing, words

PASSWORD = "sontga-onna-mumma-8"
COINS = (100000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5)


@dataclass(frozen=True, slots=True)
class SlipSide:
    """What a side has in its hand: the address its code leads to, its digits, its people."""

    path: str
    digits: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A printed slip."""

    number: int
    deals: int
    total: int
    sides: tuple[SlipSide, ...]


@dataclass(frozen=True, slots=True)
class Differing:
    """A line of what a correction changes: who, and the ranks and values before and after as the page writes them."""

    name: str
    before: str
    after: str
    values: str


@dataclass
class Secretary:
    """The secretary with a laptop."""

    browser: Browser
    books: Books
    club: str = ""
    at: str = ""
    """Where the tournament is: `/e/<id>/`."""
    codes: dict[str, str] = field(default_factory=dict)

    # the club

    def found(self, name: str, people: list[Person]) -> None:
        """Sign up, found a club, bring its members in a file after a look at what it would do."""
        browser = self.browser
        signing = browser.page("/en/account/signup/").form(to="/signup/")
        browser.press(signing, email="secretary@example.ch", password1=PASSWORD, name="Scriba Secretara")
        form = browser.page("/en/clubs/new/").form(to="/clubs/new/")
        home = browser.press(form, club_name=name, first_name="Scriba", last_name="Secretara")
        self.club = "/".join(home.path.split("/")[:3]) + "/"
        head = "Last name;First name;Birth year;May be named"
        lines = [
            f"{one.last};{one.first};{1940 + place % 60};{'yes' if one.named else 'no'}"
            for place, one in enumerate(people)
        ]
        browser.page(f"{self.club}members/import/")
        draft = browser.hand_over(
            f"{self.club}members/import/", "file", "members.csv", "\n".join([head, *lines]) + "\n"
        )
        if draft.status != 200:
            raise Refusing(f"the file of members gave {draft.status}: {draft.said()}")
        listed = browser.press(draft.form(to=urlsplit(draft.path).path))
        if str(len(people)) not in listed.text:
            raise Refusing(f"of {len(people)} members in the file the list says nothing")

    def sign_in(self) -> None:
        """Sign in again: sessions end, where days have passed."""
        self.browser.cookies.pop("sessionid", None)
        signing = self.browser.page("/en/account/login/").form(to="/login/")
        self.browser.press(signing, login="secretary@example.ch", password=PASSWORD)

    def announce(self, name: str, **plan: str | list[str]) -> None:
        """Announce the evening, as the form offers it but for `plan`."""
        form = self.browser.page(f"{self.club}tournaments/new/").form(to="/tournaments/new/")
        # Today in the evening: an hour that every day has once, also when the clocks are put forward or back.
        starts = datetime.now().astimezone().replace(hour=19, minute=30)
        form.fields.pop("avoid_season", None)
        page = self.browser.press(
            form, title=name, starts=starts.strftime("%Y-%m-%dT%H:%M"), place="Sala da cumin", is_public="on", **plan
        )
        self.at = "/".join(page.path.split("/")[:3]) + "/"

    def try_dry(self, numbers: str) -> Page:
        """What the evening would be like with so many."""
        form = self.browser.page(f"{self.at}dry-run/").one("//form[.//input[@name='numbers']]")
        asked = "&".join(f"{name}={value}" for name, value in form.form_values() if name != "numbers")
        return self.browser.page(f"{self.at}dry-run/?numbers={numbers}&{asked}")

    def enter(self, people: list[Person]) -> None:
        """Tick these in the list of members."""
        known = self._listed()
        form = self.browser.page(f"{self.at}people/add/").form(to="/people/add/")
        self.browser.press(form, do="enter", who=[known[one.full] for one in people])

    def enter_pairs(self, pairs: list[tuple[Person, Person]]) -> None:
        """The same, two and two."""
        known = self._listed()
        page = self.browser.page(f"{self.at}people/add/")
        for one, two in pairs:
            page = self.browser.press(page.form(to="/people/add/"), do="pair", who=[known[one.full], known[two.full]])

    def _listed(self) -> dict[str, str]:
        """Everybody in the list, page by page: full name -> what their box sends."""
        found: dict[str, str] = {}
        for number in range(1, 20):
            page = self.browser.page(f"{self.at}people/add/?page={number}")
            boxes = page.tree.xpath("//label[input[@name='who']]")
            new = {name: str(box.xpath("input/@value")[0]) for box in boxes for name in self.books.found_in(words(box))}
            if not new.keys() - found.keys():
                break
            found |= new
        return found

    def open_door(self) -> None:
        """Open the door and read the codes of the hall off their page."""
        self.browser.press(self.browser.page(f"{self.at}people/").form(to="/people/"), do="open")
        page = self.browser.page(f"{self.at}codes/")
        for section in page.tree.xpath("//section[contains(@class, 'code')]"):
            what = str(section.xpath(".//h2/@id")[0])
            self.codes[what] = urlsplit(words(section.xpath(".//a[contains(@class, 'address')]")[0])).path

    def read_entrants(self) -> None:
        """Who is called how: ids and names off the list at the door."""
        page = self.browser.page(f"{self.at}people/")
        for row in page.tree.xpath("//li[starts-with(@data-row, 'e')]"):
            who = str(row.get("data-row"))
            people = tuple(
                self.books.found_in(words(row.xpath(".//*[contains(concat(' ', @class, ' '), ' name ')]")[0]))
            )
            self.books.entrants[who] = people
            self.books.plays_for |= {name: who for name in people if name not in self.books.plays_for}

    def at_the_door(self, do: str, **more: str) -> Page:
        """Something at the door that is the desk's."""
        path = f"{self.at}people/"
        page = self.browser.page(path)
        answer = self.browser.press(page.form(to="/people/"), do=do, **more)
        asking = answer.forms(do=do, sure="1")
        return self.browser.press(asking[0]) if asking else answer

    # the desk

    def desk(self, page: str, do: str, what: str = "", **fields: str | list[str]) -> Page:
        """Press a button of a page of the desk."""
        path = f"{self.at}{page}"
        form = self.browser.page(path).form(do=do, **({"what": what} if what else {}))
        return self.browser.press(form, **fields)

    def draw(self, phase: int, dice: str = "") -> str:
        """Draw the next round, with dice after a promise if they were thrown; the key of the round."""
        if dice:
            page = self.desk("rounds/", "promise", what=str(phase))
            if len(words(page.tree.xpath("//p[contains(concat(' ', @class, ' '), ' fingerprint ')]/code")[0])) != 64:
                raise Refusing("a promise without its fingerprint")
        page = self.desk("rounds/", "draw", what=str(phase), **({"hall": dice} if dice else {}))
        return page.path.rstrip("/").rpartition("/")[2]

    def publish(self, key: str) -> Round:
        """Publish a round; who sits where, off the slips, and how many repeats its page tells."""
        page = self.desk(f"rounds/{key}/", "publish")
        return self.read_round(key, page)

    def read_round(self, key: str, page: Page | None = None) -> Round:
        """A round off its page."""
        page = page or self.browser.page(f"{self.at}rounds/{key}/")
        seated = set(_entrants(page.tree.xpath("//ol[contains(concat(' ', @class, ' '), ' seats ')]//a/@href"), key))
        everybody = _entrants(page.tree.xpath("//section[@data-part='seating']//a/@href"), key)
        phase, _, number = key.partition(".")
        return Round(
            int(phase),
            int(number),
            {},
            tuple(who for who in everybody if who not in seated),
            len(page.tree.xpath("//p[contains(concat(' ', @class, ' '), ' again ')]")),
        )

    def slips(self, key: str) -> list[Slip]:
        """The printed slips of a round: codes by camera, digits and names by eye."""
        page = self.browser.page(f"{self.at}paper/slips/?round={key}")
        found = []
        for section in page.tree.xpath("//section[.//*[contains(concat(' ', @class, ' '), ' number ')]]"):
            sides = tuple(
                SlipSide(
                    urlsplit(camera.read(cut.xpath(".//*[local-name()='svg']")[0])).path,
                    re.findall(r"\d{4}", words(cut.xpath(".//*[contains(concat(' ', @class, ' '), ' confirm ')]")[0]))[
                        0
                    ],
                    tuple(
                        self.books.found_in(words(cut.xpath(".//*[contains(concat(' ', @class, ' '), ' people ')]")[0]))
                    ),
                )
                for cut in section.xpath(".//*[contains(concat(' ', @class, ' '), ' cut ')]")
            )
            number = int(
                re.findall(r"\d+", words(section.xpath(".//*[contains(concat(' ', @class, ' '), ' number ')]")[0]))[0]
            )
            total = re.findall(r"\((\d+)\)", words(section.xpath(".//thead//th[last()]")[0]))
            found.append(Slip(number, len(section.xpath(".//tbody/tr")), int(total[0]) if total else 0, sides))
        if not found:
            raise Refusing(f"{page.path} shows no slips: {page.text[:300]}")
        return found

    def substitute(self, table: str, person: str, guest: Person) -> None:
        """A guest plays on for somebody, from this table on."""
        path = f"{self.at}tables/{table}/"
        page = self.browser.page(path)
        place = next(
            str(each.get("value")) for each in page.tree.xpath("//select[@id='place']/option") if person in words(each)
        )
        self.books.know([guest])
        self.browser.press(page.form(do="substitute"), place=place, first_name=guest.first, last_name=guest.last)
        self.books.plays_for[guest.full] = self.books.owner(person)

    def paper_slip(self, sheet: Sheet) -> None:
        """Type in a slip that came on paper: all deals together; with a slip of the finger first."""
        key, _, number = sheet.key.rpartition(".")
        sums = [sum(line.scores[side] for line in sheet.lines.values()) for side in range(len(sheet.sides))]
        fields = {f"s{side}": str(sum_) for side, sum_ in enumerate(sums)}
        path = f"{self.at}rounds/{key}/slips/"
        form = self.browser.page(path).form(do="slip", what=number)
        wrong = self.browser.send(form, **(fields | {"s0": str(sums[0] + 1)}))
        if wrong.status != 422:
            raise Refusing(f"a wrong sum on paper gave {wrong.status}")
        self.browser.press(wrong.form(do="slip", what=number), **fields)

    def correct(
        self, table: str, deal: int, scores: tuple[int, ...], reason: str
    ) -> tuple[list[Differing], list[Differing]]:
        """Correct a deal of a table that counts: what the page says it would change, and what it says it changed."""
        page = self.browser.page(f"{self.at}tables/{table}/")
        form = page.form(do="settle", what="deals")
        asked = self.browser.press(
            form, reason=reason, **{f"d{deal}-{side}": str(score) for side, score in enumerate(scores)}
        )
        before = _differences(asked, "preview")
        done = self.browser.press(asked.form(agreed="yes"))
        return before, _differences(done, "changed")

    def settle(self, table: str, reason: str) -> None:
        """The other side was right."""
        form = self.browser.page(f"{self.at}tables/{table}/").form(do="choose")
        self.browser.press(form, version="other", reason=reason)

    def draw_lots(self, phase: int) -> bool:
        """Draw the lots that are needed, if any are."""
        page = self.browser.page(f"{self.at}standings/{phase}/")
        for form in page.forms(do="lots"):
            self.browser.press(form)
            return True
        return False

    def start_final(self, first: int, **plan: str) -> tuple[str, ...]:
        """A final of the first ones, whose points count on; where one of them has gone home, the next one moves up."""
        page = self.browser.page(f"{self.at}phases/new/?after=1&first=1&last={first}")
        form = page.form(do="start")
        ticks = page.tree.xpath("//fieldset[contains(@class, 'finalists')]/label")
        here = [
            str(tick.xpath("input/@value")[0])
            for tick in ticks
            if not tick.xpath(".//*[contains(concat(' ', @class, ' '), ' quiet ')]")
        ]
        self.browser.press(form, who=here[:first], **plan)
        return tuple(here[:first])

    def finish(self, phase: int) -> None:
        """No round follows in this part."""
        form = self.browser.page(f"{self.at}phases/").form(do="finish", phase=str(phase))
        self.browser.press(form)

    # money

    def spend(self, kind: str, amount: int, note: str) -> None:
        """Other money in or out of the till."""
        form = next(form for form in self.browser.page(f"{self.at}till/").forms() if "kind" in form.fields)
        self.browser.press(form, do="enter", kind=kind, amount=f"{amount // 100}.{amount % 100:02}", note=note)
        self.books.pay(kind, amount)

    def take_fee(self, entrant: str, amount: int) -> None:
        """Somebody pays at the desk what they still owe."""
        form = next(form for form in self.browser.page(f"{self.at}till/").forms() if f"amount_{entrant}" in form.fields)
        self.browser.press(form, do=f"fee:{entrant}")
        self.books.pay("fee", amount, entrant)

    def owing(self) -> dict[str, int]:
        """Who still owes a fee, by the page of the till, in Rappen."""
        page = self.browser.page(f"{self.at}till/")
        found = {}
        for line in page.tree.xpath("//section[@aria-labelledby='open-fees']//input[starts-with(@name, 'amount_')]"):
            found[str(line.get("name"))[7:]] = rappen(str(line.get("value")))
        return found

    def count(self, opening: int) -> Page:
        """Count coins and notes: what must be there lies there."""
        self.books.opening = opening
        left, coins = self.books.expected(), {}
        for coin in COINS:
            coins[coin], left = divmod(left, coin)
        form = next(form for form in self.browser.page(f"{self.at}till/").forms() if "opening" in form.fields)
        fields: dict[str, str | list[str]] = {"opening": f"{opening / 100:.2f}"}
        for name in form.fields:
            number = re.fullmatch(r"coin_?(\d+)", name)
            if number:
                fields[name] = str(coins[int(number[1])])
        return self.browser.press(form, do="count", **fields)

    def prizes(self, amount: int, weights: str) -> None:
        """Make prizes of the fees."""
        form = self.browser.page(f"{self.at}prizes/plan/").form(do="fund")
        self.browser.press(form, amount=f"{amount // 100}.{amount % 100:02}", weights=weights)
        self.books.fund = amount

    def hand_over(self) -> None:
        """Hand every prize over; notes what each of them was."""
        page = self.browser.page(f"{self.at}prizes/")
        while forms := page.forms(do="hand"):
            who = forms[0].text("what")
            amount = rappen(words(page.one(f"//li[@id='{who}']//p[contains(concat(' ', @class, ' '), ' what ')]")))
            page = self.browser.press(forms[0])
            self.books.prizes[who] = amount
            self.books.pay("prize", amount, who)

    def json(self, path: str) -> Any:
        """A file of the tournament."""
        return self.browser.page(self.at + path).json()


def rappen(text: str) -> int:
    """An amount as the site writes it: "CHF 1’210.50", "10.–", "−5.–"."""
    found = re.search(r"([−-]?)([\d’']+)\.(\d\d|–)", text)
    if found is None:
        raise Refusing(f"no amount in {text!r}")
    francs = int(re.sub("[’']", "", found[2]))
    whole = 100 * francs + (0 if found[3] == "–" else int(found[3]))
    return -whole if found[1] else whole


def _entrants(links: list[str], key: str) -> list[str]:
    return [found[1] for link in links if (found := re.search(rf"/why/{re.escape(key)}/(e\d+)/$", str(link)))]


def _differences(page: Page, where: str) -> list[Differing]:
    rows = page.tree.xpath(f"//section[@aria-labelledby='{where}']//table[contains(@class, 'difference')]/tbody/tr")
    found = []
    for row in rows:
        rank = row.xpath("td[1]")[0]
        old, new = rank.xpath("del"), rank.xpath("ins")
        found.append(
            Differing(
                words(row.xpath("th")[0]),
                words(old[0]) if old else words(rank),
                words(new[0]) if new else words(rank),
                words(row.xpath("td[2]")[0]),
            )
        )
    return found
