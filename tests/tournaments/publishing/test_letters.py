"""Letters to the members: who gets them, that each goes once, and what it says in the reader's language."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member, Season
from clubs.services import letters
from notices import delivery, outbox
from notices.models import Outbox, Preference
from notices.registry import Wish
from tests.clubs import kit as clubs_kit
from tests.tournaments.director.conftest import text
from tests.tournaments.services.kit import Night, member_player
from tournaments.models import SeasonEvening

pytestmark = pytest.mark.django_db


def reader(night: Night, name: str, *, wish: str = Wish.NOW, confirmed: bool = True, **preference: Any) -> Member:
    """A member with an account."""
    player = member_player(name)
    player.language = preference.pop("language", "")
    player.save()
    EmailAddress.objects.create(user=player.user, email=player.user.email, verified=confirmed, primary=True)
    fields = {"quiet_from": None, "quiet_to": None} | preference
    if wish:
        Preference.objects.create(player=player, club_mail=wish, **fields)
    return Member.objects.create(club=night.club, player=player, first_name=name, last_name="Member")


def planned() -> Night:
    """An evening in three days, with three members who want letters and some who do not."""
    night = Night.at()
    night.tournament.starts = timezone.now() + timedelta(days=3)
    night.tournament.place = "Hotel Post"
    night.tournament.save()
    for name in ("Ada", "Bea"):
        reader(night, name)
    reader(night, "Carl", language="de")
    reader(night, "Nobody", wish="")
    reader(night, "Never", wish=Wish.NEVER)
    reader(night, "Off", mail_off=True)
    reader(night, "Unconfirmed", confirmed=False)
    left = reader(night, "Left")
    left.left_on = timezone.localdate()
    left.save()
    guest = reader(night, "Guest")
    guest.kind = Member.Kind.GUEST
    guest.save()
    return night


def desk_of(night: Night) -> Client:
    client = Client()
    client.force_login(night.director.user)
    return client


def url(night: Night, name: str) -> str:
    return reverse(f"tournament:{name}", args=[night.tournament.public_id])


def who(event: str) -> list[str]:
    return sorted(row.player.name for row in Outbox.objects.filter(event=event).select_related("player"))


def test_letter_goes_to_members_who_asked_and_whose_address_is_confirmed():
    night = planned()
    client = desk_of(night)
    assert "3 members have asked for e-mails from clubs." in text(client.get(url(night, "home")))
    answer = clubs_kit.post(client, url(night, "letter"), do="tournament.announced")
    assert answer.status_code == 303
    assert who("tournament.announced") == ["Ada", "Bea", "Carl"]
    assert "to 3 members" in text(client.get(url(night, "home")))


def test_letter_goes_once_however_often_it_is_pressed():
    night = planned()
    client = desk_of(night)
    for _press in range(3):
        clubs_kit.post(client, url(night, "letter"), do="tournament.announced")
    assert len(who("tournament.announced")) == 3


def test_letter_is_in_the_language_of_its_reader_and_can_be_stopped_by_one_click():
    night = planned()
    clubs_kit.post(desk_of(night), url(night, "letter"), do="tournament.announced")
    outbox.tell_due()
    delivery.deliver_due()
    by_name = {each.to[0].split("@")[0].split("<")[-1]: each for each in mail.outbox}
    assert set(by_name) == {"ada", "bea", "carl"}
    assert "Hotel Post" in by_name["ada"].body
    assert by_name["carl"].subject != by_name["ada"].subject
    stop = by_name["ada"].extra_headers["List-Unsubscribe"].strip("<>")
    path = stop[stop.index("/", 8) :]
    Client().post(path, {"List-Unsubscribe": "One-Click"})
    assert Preference.objects.get(player__name="Ada").club_mail == Wish.NEVER
    assert Preference.objects.get(player__name="Ada").turn_mail != Wish.NEVER
    assert sorted(each.player.name for each in letters.readers(night.club)) == ["Bea", "Carl"]


def test_announcement_of_an_evening_that_was_cancelled_meanwhile_is_not_sent():
    night = planned()
    clubs_kit.post(desk_of(night), url(night, "letter"), do="tournament.announced")
    clubs_kit.post(desk_of(night), url(night, "cancel"))
    outbox.tell_due()
    delivery.deliver_due()
    assert mail.outbox == []


def test_result_says_where_the_reader_stands():
    night = Night.at(3)
    ada, carl = reader(night, "Ada"), reader(night, "Carl")
    night.do("entrant.added", members=[ada.public_id], here=True)
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("tournament.closed", despite="it was a test")
    client = desk_of(night)
    clubs_kit.post(client, url(night, "letter"), do="tournament.announced")
    assert Outbox.objects.filter(event="tournament.announced").count() == 0
    clubs_kit.post(client, url(night, "letter"), do="tournament.ranked")
    outbox.tell_due()
    delivery.deliver_due()
    by_name = {each.to[0].split("@")[0].split("<")[-1]: each.body for each in mail.outbox}
    assert "of 4." in by_name["ada"]
    assert "See how it ended." in by_name["carl"]
    assert carl.player is not None


def test_standing_of_the_season_goes_once_after_each_evening():
    night = Night.at(3)
    ada = reader(night, "Ada")
    night.do("entrant.added", members=[ada.public_id], here=True)
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("tournament.closed", despite="it was a test")
    season = Season.objects.create(club=night.club, name="Winter 2026")
    SeasonEvening.objects.create(season=season, tournament=night.tournament)
    client = desk_of(night)
    page = reverse("club:season", args=[night.club.slug, season.public_id])
    assert "Send the standings to the members" in text(client.get(page))
    for _press in range(2):
        clubs_kit.post(client, reverse("club:season-letter", args=[night.club.slug, season.public_id]))
    assert who("club.season") == ["Ada"]
    outbox.tell_due()
    delivery.deliver_due()
    assert mail.outbox[0].subject.endswith("Troccas Cuera: Winter 2026")
    said = r"Your rank in Troccas Cuera is [13] of 4 after 1 evening\. You share it with others\."
    assert re.search(said, mail.outbox[0].body)
    assert "because you have an account there" in mail.outbox[0].body
    notices = "/en/notices/"
    browser = clubs_kit.browser(ada.player)
    assert "Winter 2026" in text(browser.get(notices))
    season.delete()
    assert "Winter 2026" not in text(browser.get(notices))


def test_a_corrected_result_and_its_season_go_once_more():
    night = Night.at(3)
    ada = reader(night, "Ada")
    night.do("entrant.added", members=[ada.public_id], here=True)
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("tournament.closed", despite="it was a test")
    season = Season.objects.create(club=night.club, name="Winter 2026")
    SeasonEvening.objects.create(season=season, tournament=night.tournament)
    client = desk_of(night)
    of_season = reverse("club:season-letter", args=[night.club.slug, season.public_id])

    def sent() -> tuple[int, int]:
        for _press in range(2):
            clubs_kit.post(client, of_season)
            clubs_kit.post(client, url(night, "letter"), do="tournament.ranked")
        return len(who("club.season")), len(who("tournament.ranked"))

    assert sent() == (1, 1)
    night.do("tournament.reopened", reason="exchanged")
    night.do("table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [0, 144], "of": 2}], reason="exchanged")
    night.do("tournament.closed", despite="it was a test")
    assert "Send the standings to the members" in text(client.get(of_season.removesuffix("letter/")))
    assert "Send the result to the members" in text(client.get(url(night, "home")))
    assert sent() == (2, 2)


@pytest.mark.parametrize("role", [Member.Role.MEMBER, Member.Role.DIRECTOR])
def test_only_who_plans_evenings_sends_letters(role: str):
    night = planned()
    member = Member.objects.get(player__name="Bea")
    member.role = role
    member.save()
    assert member.player is not None
    client = Client()
    client.force_login(member.player.user)
    assert clubs_kit.post(client, url(night, "letter"), do="tournament.announced").status_code == 403
    assert not Outbox.objects.exists()


def test_nobody_gets_letters_without_asking():
    night = Night.at()
    night.tournament.starts = timezone.now() + timedelta(days=3)  # before it begins there is something to write
    night.tournament.save()
    reader(night, "Ada", wish="")
    assert "No member has asked for e-mails" in text(desk_of(night).get(url(night, "home")))
