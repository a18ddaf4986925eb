"""Names: what is shown to whom, and that nothing public ever says more."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs import naming, privacy
from clubs.models import Club, Member
from clubs.naming import HALL, PUBLIC, STAFF
from clubs.services import common, members, retention
from tests.clubs import kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def maria(people):
    return kit.enter(people.club, people.secretary, "Maria", "Cadruvi", email="maria@example.ch", birth_year=1961)


def test_somebody_the_club_entered_is_there_by_initials_until_they_consent(people, maria):
    assert naming.shown_name(maria, PUBLIC) == "M.\u00a0C."
    assert naming.shown_name(maria, HALL) == naming.shown_name(maria, STAFF) == "Maria Cadruvi"
    maria.named = True
    assert naming.shown_name(maria, PUBLIC) == "Maria Cadruvi"


@pytest.mark.parametrize(
    ("first", "last", "short"),
    [
        ("Maria", "Cadruvi", "M.\u00a0C."),
        ("Gion", "", "G."),
        ("", "Élan", "É."),
        ("ursin", "von Planta", "U.\u00a0V."),
        ("", "", ""),
    ],
)
def test_initials(first, last, short):
    assert naming.initials(first, last) == short


def test_short_names_tell_people_apart(people):
    club, by = people.club, people.secretary
    found = [kit.enter(club, by, *name) for name in (("Maria", "Cadruvi"), ("Maria", "Camenisch"), ("Gion", "Cadruvi"))]
    twins = [kit.enter(club, by, "Ida", "Ming"), kit.enter(club, by, "Ida", "Ming")]
    assert list(naming.short_names(found, HALL).values()) == ["Maria Cad.", "Maria Cam.", "Gion C."]
    assert list(naming.short_names(twins, HALL).values()) == ["Ida Ming", "Ida Ming (2)"]
    assert list(naming.short_names(found, PUBLIC).values()) == ["M.\u00a0C.", "M.\u00a0C. (2)", "G.\u00a0C."]


def test_old_results_name_nobody_not_even_in_the_hall(people, maria):
    maria.named = True
    old = naming.cut_off(people.club) - timedelta(days=1)
    assert naming.shown_name(maria, STAFF, on=old) == "M.\u00a0C."
    assert naming.shown_name(maria, PUBLIC, on=naming.cut_off(people.club)) == "Maria Cadruvi"


@pytest.mark.parametrize(
    ("today", "months", "day"),
    [
        (date(2026, 11, 21), 24, date(2024, 11, 21)),
        (date(2026, 3, 31), 1, date(2026, 2, 28)),
        (date(2024, 3, 31), 1, date(2024, 2, 29)),
        (date(2026, 1, 15), 6, date(2025, 7, 15)),
    ],
)
def test_the_day_before_which_nobody_is_named(today, months, day):
    assert naming.cut_off(Club(keeps_months=months), today) == day


PUBLIC_PAGES = (
    "", "rules/", "calendar/", "calendar/past/", "news/", "seasons/", "news/news.atom", "calendar/calendar.ics",
    "rules/rules.json",
)  # fmt: skip


@pytest.mark.parametrize("path", PUBLIC_PAGES)
def test_no_public_page_or_feed_says_the_name_of_who_did_not_agree(people, maria, path):
    for role in ("nobody", "stranger", "member"):
        text = kit.told(kit.browser(people.of(role)), f"/c/{people.club.slug}/{path}")
        for secret in ("Cadruvi", "maria@example.ch", "1961", "Seeli", "Demont", "Pfister"):
            assert secret not in text, (role, secret)


def test_staff_and_the_entry_itself_see_the_name(people, maria):
    page = kit.told(kit.browser(people.director), f"/c/{people.club.slug}/members/")
    assert "Maria Cadruvi" in page
    assert "maria@example.ch" not in page  # that is for who keeps the list
    assert "1961" not in page
    assert "1961" in kit.browser(people.secretary).get(f"/c/{people.club.slug}/members/").content.decode()


def test_one_decides_about_ones_own_name(people):
    club, client = people.club, kit.browser(people.member)
    assert kit.post(client, f"/c/{club.slug}/me/consent/", named="yes").status_code == 303
    entry = Member.objects.get(club=club, player=people.member)
    assert entry.named
    assert entry.consent_by == people.member
    kit.post(client, f"/c/{club.slug}/me/consent/", named="no")
    entry.refresh_from_db()
    assert not entry.named


def test_search_engines_stay_away_unless_the_club_lets_them_in(people):
    path = f"/c/{people.club.slug}/"
    page = kit.browser(None).get(path)
    assert page["X-Robots-Tag"] == "noindex, nofollow"
    assert 'content="noindex, nofollow"' in page.content.decode()
    Club.objects.filter(pk=people.club.pk).update(found_by_search=True)
    page = kit.browser(None).get(path)
    assert "X-Robots-Tag" not in page
    assert "noindex" not in page.content.decode()
    assert kit.browser(people.secretary).get(f"{path}members/")["X-Robots-Tag"] == "noindex, nofollow"


# how long names are kept


def test_who_left_long_ago_is_deleted_and_who_left_lately_stays(people, maria):
    members.end(people.club, people.secretary, maria.public_id, request_id=kit.rid())
    retention.forget(timezone.now() + timedelta(days=700))
    assert Member.objects.filter(pk=maria.pk).exists()
    assert retention.forget(timezone.now() + timedelta(days=735)) == 1
    assert not Member.objects.filter(pk=maria.pk).exists()


class Standing:
    """A source of evenings in which some entries stand."""

    def __init__(self, *named, seen=None):
        self.keys, self.seen = {member.pk for member in named}, seen or {}

    def dates(self, club):
        return ()

    def all_of(self, club):
        return ()

    def of_season(self, season):
        return ()

    def counting(self, season):
        return ()

    def named(self, members):
        return self.keys & set(members)

    def last_seen(self, members):
        return {key: day for key, day in self.seen.items() if key in members}

    def keeps_results(self, club):
        return bool(self.keys)

    def closing(self, club):
        self.closed = club.pk


@pytest.fixture
def standing(monkeypatch):
    """Let entries stand in results."""
    from clubs import evenings

    def put(*named, **how):
        source = Standing(*named, **how)
        monkeypatch.setattr(evenings, "source", lambda: source)
        return source

    return put


def test_an_entry_that_stands_in_results_keeps_initials_and_nothing_else(people, maria, standing):
    standing(maria)
    members.end(people.club, people.secretary, maria.public_id, request_id=kit.rid())
    retention.forget(timezone.now() + timedelta(days=800))
    maria.refresh_from_db()
    assert (maria.first_name, maria.last_name, maria.email, maria.birth_year) == ("M.", "C.", "", None)
    assert maria.reduced_at is not None
    assert naming.shown_name(maria, STAFF) == "M.\u00a0C."
    assert retention.forget(timezone.now() + timedelta(days=900)) == 0


def test_a_guest_stays_as_long_as_they_come_again(people, standing):
    guest = kit.enter(people.club, people.secretary, "Gion", "", kind="guest")
    later = timezone.now() + timedelta(days=800)
    standing(seen={guest.pk: timezone.localdate() + timedelta(days=400)})
    assert retention.forget(later) == 0
    standing()
    assert retention.forget(later) == 1


def test_an_account_that_goes_takes_the_entry_along_that_it_made_for_itself(people):
    own = Member.objects.create(
        club=people.club, player=people.stranger, first_name="Stina", last_name="Solèr", kind=Member.Kind.GUEST
    )
    common.log(people.club, "member.entered", actor=people.stranger, member=own)
    known = kit.enter(people.club, people.secretary, "Mia", "Maissen")
    Member.objects.filter(player=people.member).update(player=None)
    Member.objects.filter(pk=known.pk).update(player=people.member)
    for player in (people.stranger, people.member):
        privacy.release(player)
    assert not Member.objects.filter(pk=own.pk).exists()
    known.refresh_from_db()
    assert (known.last_name, known.player) == ("Maissen", None)


def test_deleting_an_entry_that_stands_in_results_says_what_stays(people, maria, standing):
    standing(maria)
    client = kit.browser(people.secretary)
    path = f"/c/{people.club.slug}/members/{maria.public_id}/remove/"
    assert "Results keep initials" in client.get(path).content.decode()
    assert kit.post(client, path).status_code == 303
    maria.refresh_from_db()
    assert maria.last_name == "C."
    assert maria.player is None


def test_closing_keeps_results_under_initials_and_deletes_the_rest(people, maria, standing):
    source = standing(maria)
    path = f"/c/{people.club.slug}/"
    assert kit.post(kit.browser(people.president), f"{path}close/").status_code == 303
    assert source.closed == people.club.pk
    assert list(Member.objects.filter(club=people.club)) == [maria]
    maria.refresh_from_db()
    assert naming.shown_name(maria, STAFF) == "M.\u00a0C."
    gone = kit.browser(None).get(path)
    assert gone.status_code == 410
    assert "closed" in gone.content.decode()
    assert people.club.name not in kit.browser(None).get("/en/clubs/").content.decode()
