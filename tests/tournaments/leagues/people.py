"""The secretary and the people of a league on the pages: founding, planning, entering, publishing, leaving."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from accounts.models import Player, User
from tests.tournaments.evenings.books import Person as Named
from tests.tournaments.leagues.browsing import Inside
from tests.tournaments.leagues.players import Person

PASSWORD = "sontga-onna-mumma-8"


def account(named: Named, browser: Inside, number: int) -> Person:
    """Somebody with an account, logged in."""
    user = User.objects.create_user(email=f"person{number}@example.org", password=PASSWORD)
    player = Player.objects.create(user=user, name=named.full)
    browser.log_in(user)
    return Person(named.first, named.last, user, player, browser)


@dataclass
class Secretary:
    """Runs the club and its league from the pages."""

    browser: Inside
    club: str = ""
    at: str = ""
    """Where the tournament is: `/e/<id>/`."""
    season: str = ""

    def found(self, name: str, overdue: str) -> None:
        """Sign up, found a club, and agree what happens at a deadline; begin a season."""
        browser = self.browser
        signing = browser.page("/en/account/signup/").form(to="/signup/")
        browser.press(signing, email="secretary@example.org", password1=PASSWORD, name="Scriba Secretara")
        form = browser.page("/en/clubs/new/").form(to="/clubs/new/")
        home = browser.press(form, club_name=name, first_name="Scriba", last_name="Secretara")
        self.club = "/".join(home.path.split("/")[:3]) + "/"
        if overdue != "postpone":
            forms = browser.page(f"{self.club}rules/edit/").forms(to="/rules/edit/")
            browser.press(next(form for form in forms if "overdue" in form.fields), overdue=overdue)
        form = browser.page(f"{self.club}seasons/new/").form(to="/seasons/new/")
        browser.press(form, season_name="Onn da lieur", by="place")

    def announce(self, name: str, **plan: str | list[str]) -> None:
        """Announce the tournament as the form offers it but for `plan`, for everybody with an account; it counts for the
        season."""
        form = self.browser.page(f"{self.club}tournaments/new/").form(to="/tournaments/new/")
        starts = timezone.localtime(timezone.now() + timedelta(days=1))
        page = self.browser.press(
            form,
            title=name,
            starts=starts.strftime("%Y-%m-%dT%H:%M"),
            is_public="on",
            entry="everybody",
            where="online",
            fill="on",
            **plan,
        )
        self.at = "/".join(page.path.split("/")[:3]) + "/"
        form = self.browser.page(f"{self.at}settings/").form(to="/seasons/")
        box = self.browser.page(f"{self.at}settings/").one("//input[@name='season']")
        self.season = str(box.get("value"))
        self.browser.press(form, season=self.season)
        self.browser.press(self.browser.page(f"{self.at}people/").form(to="/people/"), do="open")

    def desk(self, page: str, do: str, what: str = "", **fields: str | list[str]) -> str:
        """Press a button of a page of the desk; the path of the page that follows."""
        form = self.browser.page(f"{self.at}{page}").form(do=do, **({"what": what} if what else {}))
        return self.browser.press(form, **fields).path

    def invite(self, person: Person) -> None:
        """Invite somebody of the club's list."""
        page = self.browser.page(f"{self.at}invite/?find={person.last}")
        box = page.one(f"//label[contains(., '{person.last}')]/input[@name='who']")
        self.browser.press(page.form(to="/invite/"), do="chosen", who=str(box.get("value")))

    def begin(self) -> None:
        """The first phase."""
        self.desk("rounds/", "begin")

    def draw(self) -> str:
        """Draw the next round; its key."""
        return self.desk("rounds/", "draw", what="1").rstrip("/").rpartition("/")[2]

    def publish(self, key: str) -> None:
        """Everybody sees it."""
        self.desk(f"rounds/{key}/", "publish")

    def close_round(self, key: str) -> None:
        """No more of it."""
        self.desk(f"rounds/{key}/", "close")

    def draw_lots(self) -> bool:
        """Draw the lots that are needed, if any are."""
        for form in self.browser.page(f"{self.at}standings/1/").forms(do="lots"):
            self.browser.press(form)
            return True
        return False


def enter(person: Person, at: str, *, named: bool) -> None:
    """Somebody enters by themselves, on the page for it."""
    form = person.browser.page(f"{at}enter/").form(to="/enter/")
    fields = {"first_name": person.first, "last_name": person.last} | ({"named": "on"} if named else {})
    person.browser.press(form, **fields)
