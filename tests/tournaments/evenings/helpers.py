"""At the door: two helpers with the door's code and no account, and people who say on their own phone that they are here."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.tournaments.evenings.books import Books, Person
from tests.tournaments.evenings.wire import Browser, Fields, Page, Refusing, words

FEE = 1000
"""What everybody pays, in Rappen."""


@dataclass
class Helper:
    """Somebody with a phone at the door. `door` is the address off the page of codes."""

    browser: Browser
    books: Books
    door: str
    at: str = ""

    def begin(self) -> None:
        """Open the address."""
        page = self.browser.page(self.door)
        self.at = urlsplit(page.path).path

    def tap(self, do: str, name: str = "", **more: str) -> Page:
        """Tap a button in the list, as the page's script sends it: the list comes back. Raises Refusing."""
        fields: Fields = {"do": do, **more}
        query = f"?q={name}" if name else ""
        answer = self.browser.post(f"{self.at}{query}", fields, live=True)
        if answer.status >= 400:
            raise Refusing(f"at the door {do} gave {answer.status}: {answer.said()}")
        return answer

    def let_in(self, entrant: str, *, paid: bool = True) -> None:
        """Somebody of the list is here, and pays."""
        last = self.books.people[self.books.entrants[entrant][0]].last
        page = self.tap(f"here:{entrant}", last)
        if paid:
            amount = FEE * len(self.books.entrants[entrant])
            offered = page.tree.xpath(f"//button[@value='pay:{entrant}:{amount}']")
            if not offered:
                raise Refusing(f"{entrant} is here, and no fee is offered: {words(page.tree)[:200]}")
            self.tap(f"pay:{entrant}:{amount}", last)
            self.books.pay("fee", amount, entrant)

    def also_takes(self, entrant: str) -> bool:
        """Reach for the money of somebody whose fee the other helper takes at the same moment; whether it was written."""
        amount = FEE * len(self.books.entrants[entrant])
        answer = self.browser.post(self.at, {"do": f"pay:{entrant}:{amount}"}, live=True)
        if answer.status not in (200, 409):
            raise Refusing(f"a fee that was paid already gave {answer.status}: {answer.said()}")
        return answer.status == 200

    def take_fee(self, entrant: str, amount: int) -> None:
        """Who came in by themselves pays."""
        self.tap(f"pay:{entrant}:{amount}", self.books.people[self.books.entrants[entrant][0]].last)
        self.books.pay("fee", amount, entrant)

    def pay_by_mistake(self, entrant: str) -> None:
        """A tap on the wrong line, taken back at once."""
        amount = FEE * len(self.books.entrants[entrant])
        last = self.books.people[self.books.entrants[entrant][0]].last
        page = self.tap(f"pay:{entrant}:{amount}", last)
        self.books.pay("fee", amount, entrant).cancelled = True
        undo = page.one(f"//li[@data-row='{entrant}']//button[@data-same='money'][starts-with(@value, 'unpay:')]")
        self.tap(str(undo.get("value")), last)

    def walk_in(self, person: Person) -> str:
        """Somebody nobody knows stands there and pays; the entrant they are. Three taps and a name."""
        named = {"named": "on"} if person.named else {}
        self.tap("walk-in-paid", first_name=person.first, last_name=person.last, **named)
        page = self.tap_nothing(person.last)
        row = next(row for row in page.tree.xpath("//li[@data-row]") if person.full in words(row))
        entrant = str(row.get("data-row"))
        self.books.pay("fee", FEE, entrant)
        return entrant

    def tap_nothing(self, name: str) -> Page:
        """Look for a name."""
        return self.browser.page(f"{self.at}?q={name}")

    def goes_home(self, entrant: str) -> None:
        """Somebody leaves; the page asks once."""
        asked = self.tap(f"leave:{entrant}")
        form = asked.form(sure="1")
        answer = self.browser.post(form.path, form.fields, live=True)
        if answer.status >= 400:
            raise Refusing(f"leaving gave {answer.status}: {answer.said()}")


@dataclass
class Guest:
    """Somebody at the entrance with their own phone. `entrance` is the address on the sheet there."""

    browser: Browser
    books: Books
    entrance: str

    def says_here(self, person: Person) -> str:
        """Type two letters and more until one's name is there, tap it; the address of one's own page."""
        for letters in range(2, len(person.last) + 1):
            found = self.browser.page(f"{self.entrance}find/?q={person.last[:letters]}")
            for form in found.tree.xpath("//form[.//button[@name='entrant']]"):
                if person.full in words(form):
                    value = str(form.xpath(".//button/@value")[0])
                    welcome = self.browser.press(found.form(to="/arrive/"), entrant=value)
                    return self._own(welcome, person)
        raise Refusing(f"{person.full} does not find their name at the entrance")

    def comes_in(self, person: Person) -> str:
        """Not on the list: write one's name; the address of one's own page."""
        form = self.browser.page(self.entrance).form(to="/come-in/")
        return self._own(self.browser.press(form, first_name=person.first, last_name=person.last), person)

    def _own(self, page: Page, person: Person) -> str:
        for section in page.tree.xpath("//section[contains(@class, 'panel')]"):
            links = section.xpath(".//a[contains(@href, '/p/')]/@href")
            heads = page.tree.xpath("//section[contains(@class, 'panel')]")
            if links and (len(heads) == 1 or person.full in words(section)):
                self.books.own_pages[person.full] = str(links[0])
        if person.full not in self.books.own_pages:
            raise Refusing(f"{person.full} is in, and gets no page: {page.said()}")
        return self.books.own_pages[person.full]
