"""What moderators do about a person: a suspension with a reason, the name taken down; what that stops and what it does not."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import names, privacy, reports, services
from accounts import permissions as account_permissions
from accounts.models import Player, Profile, Report, Suspension
from games.services import timing
from notices.models import Outbox
from people import notifications
from rules import services as encyclopedia
from tests.games import pace_kit, table_kit
from tests.games.lobby_kit import guest, join, lay, member
from tests.refusals import refuses
from troccas_site import monitoring

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


@pytest.fixture
def office() -> tuple[Client, Player]:
    """The browser of a moderator, and who that is."""
    ursula = member("Ursula")
    account_permissions.grant(ursula, account_permissions.MODERATOR)
    client = Client()
    client.force_login(ursula.user)
    return client, ursula


def reported(about: Player, by: Player | None = None) -> Report:
    return Report.objects.create(about=about, by=by, reason=Report.Reason.WORDS, text="Insults at the table")


def settle(client: Client, report: Report, **given: str):
    return client.post(reverse("accounts:settle", args=[report.pk]), {"outcome": "Done.", **given})


def test_a_suspension_keeps_from_new_tables_from_the_encyclopedia_and_says_why(office):
    _client, ursula = office
    beat = member("Beat")
    account_permissions.suspend(beat, WEEK, "Insults.", by=ursula)
    with pytest.raises(account_permissions.Suspended, match="Insults") as laid:
        lay(beat)
    assert laid.value.status == 403
    with pytest.raises(account_permissions.Suspended):
        join(lay(member("Anna")), beat)
    with refuses("not-allowed", match="Insults"):
        encyclopedia.remark("article", "deal", "hello", by=beat)
    assert not beat.chairs.exists()


def test_whoever_is_suspended_is_told_until_when_and_why(office):
    _client, ursula = office
    beat = member("Beat")
    account_permissions.suspend(beat, WEEK, "Insults.", by=ursula)
    notice = Outbox.objects.get(event="people.suspended", player=beat)
    words = notifications.words(notice.event, notice.params, beat, "en")
    assert words is not None
    assert "Insults." in words.line
    assert notifications.still_true(notice.event, notice.params, beat)
    account_permissions.lift(beat, by=ursula)
    assert not notifications.still_true(notice.event, notice.params, beat)
    assert notifications.words(notice.event, notice.params, beat, "en") is None


def test_games_that_go_on_go_on(office):
    people = pace_kit.people()
    game = pace_kit.table(people)
    asked = pace_kit.asked(game)
    account_permissions.suspend(asked, WEEK, "Insults.", by=office[1])
    table_kit.submit(game, asked, table_kit.advised(game, asked))
    assert pace_kit.fresh(game).number > game.number


def test_it_ends_by_itself_and_can_be_lifted(office):
    beat = member("Beat")
    account_permissions.suspend(beat, WEEK, "Insults.", by=office[1])
    assert account_permissions.suspension_of(beat, timezone.now() + WEEK) is None
    assert account_permissions.lift(beat, by=office[1])
    assert not account_permissions.lift(beat, by=office[1])
    account_permissions.check_not_suspended(beat)
    lay(beat)


def test_a_guest_who_makes_an_account_takes_it_along(office):
    beat = guest("Beat")
    account_permissions.suspend(beat, WEEK, "Insults.", by=office[1])
    user = member("Anna").user
    services._take_own(beat, user.player)
    assert account_permissions.suspension_of(user.player) is not None


def test_moderators_do_not_read_or_settle_what_is_reported_about_themselves(office):
    """Whoever reports somebody is promised that this person will not learn of it."""
    client, ursula = office
    before = guest("Ursula before")
    made = [reported(about, member("Anna Alig")) for about in (ursula, before)]
    services._take_own(before, ursula)
    assert "Anna Alig" not in client.get(reverse("accounts:reports")).content.decode()
    for report in made:
        assert settle(client, report, measure="take-down").status_code == 404
    assert not Report.objects.exclude(settled_at=None).exists()
    Report.objects.update(settled_at=timezone.now())
    assert "Anna Alig" not in client.get(reverse("accounts:reports"), {"settled": "1"}).content.decode()
    with pytest.raises(account_permissions.NotSuspendable):
        account_permissions.suspend(ursula, WEEK, "Because.", by=ursula)


def told_after_reporting(about: Player, by: Player) -> str:
    client = Client()
    client.force_login(by.user)
    address = reverse("accounts:report", args=[about.public_id])
    return client.post(address, {"reason": "words", "text": "Insults"}, follow=True).content.decode()


def test_who_reports_the_only_moderator_is_promised_no_moderator_and_the_operator_is_told(office, settings, mailoutbox):
    settings.ADMINS = [("", "ida@example.org")]
    _client, ursula = office
    anna, beat = member("Anna Alig"), member("Beat")
    assert "The moderators will look at it." in told_after_reporting(beat, anna)
    monitoring.look_for_reports(timezone.now())
    assert mailoutbox == []
    page = told_after_reporting(ursula, anna)
    assert "The moderators will look at it." not in page
    assert "At the moment nobody here can look at it: whoever runs this site is told." in page
    monitoring.look_for_reports(timezone.now())
    monitoring.look_for_reports(timezone.now())
    (letter,) = mailoutbox
    assert letter.subject == "Reports wait that no moderator may settle"
    assert "1 report waits" in letter.body
    assert "manage.py grant" in letter.body
    assert not any(word in letter.body for word in ("Anna", "Ursula", "Insults", ursula.public_id))
    account_permissions.grant(member("Gion"), account_permissions.ADMINISTRATOR)
    assert "The moderators will look at it." in told_after_reporting(ursula, beat)
    assert reports.unattended() == 0


def test_a_moderator_without_a_second_factor_settles_nothing(office, settings):
    settings.ROLES_NEED_SECOND_FACTOR = True
    reported(member("Beat"))
    assert reports.unattended() == 1


@pytest.mark.parametrize("who", ["moderator", "computer"])
def test_moderators_and_computer_players_are_not_suspended(office, who):
    client, _ursula = office
    about = {"moderator": member("Gion"), "computer": Player.objects.create(computer="level-1")}[who]
    if who == "moderator":
        account_permissions.grant(about, account_permissions.MODERATOR)
    report = reported(about)
    answer = settle(client, report, measure="7", told="Because.")
    assert answer.status_code == 422
    assert "cannot be suspended" in answer.content.decode()
    report.refresh_from_db()
    assert report.settled_at is None
    assert not Suspension.objects.exists()


def test_a_moderator_suspends_from_the_report_and_the_person_reads_why(office):
    client, ursula = office
    beat = member("Beat")
    report = reported(beat, member("Anna"))
    assert settle(client, report, measure="7", told="Insults at the table.").status_code == 302
    row = Suspension.objects.get()
    assert (row.player, row.by, row.reason) == (beat, ursula, "Insults at the table.")
    assert timedelta(days=6) < row.until - timezone.now() <= WEEK
    report.refresh_from_db()
    assert (report.settled_by, report.outcome) == (ursula, "Done.")
    own = Client()
    own.force_login(beat.user)
    page = own.get(reverse("accounts:you")).content.decode()
    assert "Insults at the table." in page
    assert "Done." not in page


def test_a_suspension_without_a_reason_is_asked_for_one_and_nothing_typed_is_lost(office):
    client, _ursula = office
    report, other = reported(member("Beat")), reported(member("Clau"))
    answer = settle(client, report, measure="30", outcome="A long talk")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "the person reads it" in page
    assert page.count("A long talk") == 1
    assert f'id="id_{other.pk}_outcome"' in page
    assert not Suspension.objects.exists()


def test_a_reason_that_nobody_would_read_is_not_lost(office):
    client, _ursula = office
    report = reported(member("Beat"))
    answer = settle(client, report, measure="", told="Please stop that.")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "The person reads this only with a measure." in page
    assert 'value="Please stop that."' in page
    assert 'value="Done."' in page
    report.refresh_from_db()
    assert report.settled_at is None


def test_a_name_and_a_page_are_taken_down(office):
    client, _ursula = office
    beat = member("Beat")
    Profile.objects.create(player=beat, text="Something rude", village="Rude", languages=["de"])
    assert settle(client, reported(beat), measure="take-down").status_code == 302
    beat = Player.objects.get(pk=beat.pk)
    assert beat.display_name == f"Player {beat.number}"
    assert (beat.profile.text, beat.profile.village, beat.profile.languages) == ("", "", ["de"])


@pytest.mark.parametrize("reason", ["The name insults others.", ""])
def test_whoever_loses_the_name_is_told_and_why_if_a_reason_is_given(office, reason):
    client, _ursula = office
    beat = member("Beat")
    settle(client, reported(beat), measure="take-down", told=reason)
    beat.refresh_from_db()
    notice = Outbox.objects.get(event="people.taken-down", player=beat)
    assert notifications.still_true(notice.event, notice.params, beat)
    words = notifications.words(notice.event, notice.params, beat, "en")
    assert words is not None
    assert "choose another name" in words.line
    assert reason in words.line
    assert ("The reason:" in words.line) == bool(reason)
    assert words.url == reverse("accounts:profile")
    names.give(beat, "Beat B.")
    assert not notifications.still_true(notice.event, notice.params, beat)


def test_moderators_see_what_else_is_known_of_the_person(office):
    client, ursula = office
    beat = member("Beat")
    reported(beat)
    Report.objects.create(about=beat, reason="name", settled_at=timezone.now(), settled_by=ursula, outcome="x")
    account_permissions.suspend(beat, WEEK, "Insults.", by=ursula)
    page = client.get(reverse("accounts:reports")).content.decode()
    assert "There is 1 other report about this person." in page
    assert "Suspended until" in page


def test_who_asks_for_another_look_is_not_taken_for_reported(office):
    client, _ursula = office
    beat = member("Beat")
    reported(beat, member("Anna"))
    reported(beat, beat)
    page = client.get(reverse("accounts:reports")).content.decode()
    assert page.count("asks for another look at a removed message") == 1
    assert page.count("insults or threats") == 1
    assert page.count("There is 1 other report about this person.") == 1


def test_the_list_of_those_suspended_is_for_moderators_who_can_end_it(office):
    client, ursula = office
    beat = member("Beat")
    account_permissions.suspend(beat, WEEK, "Insults.", by=ursula)
    address, way = reverse("accounts:suspended"), reverse("accounts:lift", args=[beat.public_id])
    own = Client()
    own.force_login(beat.user)
    assert own.get(address).status_code == own.post(way).status_code == 403
    assert account_permissions.suspension_of(beat) is not None
    page = client.get(address).content.decode()
    assert "Beat" in page
    assert "Insults." in page
    assert client.post(way).status_code == 302
    assert account_permissions.suspension_of(beat) is None
    assert "Nobody is suspended." in client.get(address).content.decode()


def test_it_is_in_the_export_and_goes_with_the_account(office):
    beat = member("Beat")
    account_permissions.suspend(beat, WEEK, "Insults.", by=office[1])
    kept = privacy.export_of(beat)["suspensions"]
    assert isinstance(kept, list)
    assert [row["reason"] for row in kept] == ["Insults."]
    privacy.erase(beat.user)
    assert not Suspension.objects.exists()


def test_a_suspended_person_is_no_substitute(office):
    people = pace_kit.people()
    game = pace_kit.table(people, pace_kit.SUBSTITUTE)
    timing.time_out(game.pk, expected=game.number, now=pace_kit.due(game))
    emma = member("Emma")
    account_permissions.suspend(emma, WEEK, "Insults.", by=office[1])
    seat = pace_kit.fresh(game).to_act
    with pytest.raises(account_permissions.Suspended):
        timing.substitute(game.pk, seat, request_id=uuid.uuid4(), by=emma)
