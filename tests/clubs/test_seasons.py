"""Seasons: who is one person in several clubs, what counts, what the pages say."""

from __future__ import annotations

import pytest
from django.test import Client

from clubs import evenings
from clubs.evenings import Evening
from clubs.models import Season
from clubs.services import joining, seasons
from clubs.services.common import Person
from domain.errors import DomainError
from domain.standings.season import PastEvening, Place, SeasonRules
from tests.clubs import kit
from tests.clubs.test_naming import Standing
from tests.refusals import refuses

pytestmark = pytest.mark.django_db
RULES = SeasonRules(place_points=(10, 6, 3), best=2, attendance=1)


def begin(people, name="Winter 2026/27", rules=RULES):
    return seasons.begin(people.club, people.secretary, name, rules, request_id=kit.rid())


def evening(number, *people, club="Troccas Trun"):
    places = tuple(Place(member.public_id, rank, 0) for rank, member in enumerate(people, 1))
    return PastEvening(f"t{number}", f"2026-11-{number:02}", club, places)


def one(people, season, entry, of):
    return seasons.one_person(
        people.club, people.secretary, season.public_id, entry=entry, of_entry=of, request_id=kit.rid()
    )


@pytest.fixture
def three(people):
    return [kit.enter(people.club, people.secretary, *name) for name in (("Ada", "A"), ("Bea", "B"), ("Cla", "C"))]


def test_the_best_evenings_count_and_the_last_one_tells_what_it_struck(people, three):
    ada, bea, cla = three
    found = [evening(1, ada, bea, cla), evening(2, bea, ada), evening(3, ada, cla)]
    ranked = seasons.ranking(begin(people), found)
    assert [(row.rank, row.person, row.total) for row in ranked.rows] == [
        (1, ada.public_id, 23), (2, bea.public_id, 18), (3, cla.public_id, 11),
    ]  # fmt: skip
    changed = {each.person: (each.now, each.no_longer) for each in ranked.changes}
    assert changed == {ada.public_id: (("t3",), ("t2",))}


def test_entries_of_one_account_in_two_clubs_are_one_person(people, three):
    other = kit.club_of(kit.person("Otto Other"), "Other")
    there = kit.join(other, other.members.get().player, people.member)
    found = [evening(1, people.entries["member"], three[0]), evening(2, there, club="Other")]
    ranked = seasons.ranking(begin(people), found)
    assert ranked.rows[0].person == people.entries["member"].public_id
    assert ranked.rows[0].total == 22


def test_the_club_says_who_is_one_person_and_takes_it_back(people, three, monkeypatch):
    other = kit.club_of(kit.person("Otto Other"), "Other")
    ada_there = kit.enter(other, other.members.get().player, "Ada", "A")
    season = begin(people)
    found = [evening(1, three[0]), evening(2, ada_there, club="Other")]
    monkeypatch.setattr(evenings, "source", lambda: Linked(*found))
    assert len(seasons.ranking(season, found).rows) == 2
    season = one(people, season, ada_there.public_id, three[0].public_id)
    assert [row.person for row in seasons.ranking(season, found).rows] == [three[0].public_id]
    season = one(people, season, ada_there.public_id, "")
    assert len(seasons.ranking(season, found).rows) == 2


def test_chains_and_turns_end_at_one_entry(people, three):
    ada, bea, cla = (member.public_id for member in three)
    season = one(people, begin(people), ada, bea)
    season = one(people, season, bea, cla)
    assert season.same == {ada: cla, bea: cla}
    season = one(people, season, cla, ada)
    assert seasons.persons(season, three) == {ada: ada, bea: ada, cla: ada}


def test_nobody_is_the_same_as_themselves_or_as_nobody(people, three):
    season = begin(people)
    for of, code in ((three[0].public_id, "same-entry"), ("zzzz", "no-such-member")):
        with refuses(code):
            one(people, season, three[0].public_id, of)


def test_entries_of_other_clubs_that_never_played_in_the_season_are_nobody_here(people, three):
    other = kit.club_of(kit.person("Otto Other"), "Other")
    hidden = kit.enter(other, other.members.get().player, "Hilda", "Hidden")
    season = begin(people)
    with refuses("no-such-member"):
        one(people, season, three[0].public_id, hidden.public_id)
    season.refresh_from_db()
    assert season.same == {}


def test_who_may_read_this_clubs_list_reads_initials_of_another(people, three, monkeypatch):
    other = kit.club_of(kit.person("Otto Other"), "Other")
    there = kit.enter(other, other.members.get().player, "Hilda", "Hidden")
    people.club.list_for = "members"
    people.club.save()
    monkeypatch.setattr(evenings, "source", lambda: Linked(evening(1, three[0], there)))
    season = begin(people)
    path = f"/c/{people.club.slug}/seasons/{season.public_id}/"
    page = kit.browser(people.member).get(path).content.decode()
    assert "Ada A" in page
    assert "H.\u00a0H." in page
    assert "Hidden" not in page
    assert "shown by their initials" not in page
    assert "shown by their initials" in Client().get(path).content.decode()


def test_two_entries_of_one_person_at_one_evening_are_told(people, three):
    season = one(people, begin(people), three[0].public_id, three[1].public_id)
    with pytest.raises(DomainError):
        seasons.ranking(season, [evening(1, three[0], three[1])])


def test_entries_that_met_cannot_become_one_person(people, three, monkeypatch):
    monkeypatch.setattr(evenings, "source", lambda: Linked(evening(1, *three)))
    season = begin(people)
    with refuses("same-evening") as refused:
        one(people, season, three[0].public_id, three[1].public_id)
    assert (
        str(refused.value)
        == "Ada A and Bea B cannot count as one person: both were at this evening: Evening t1 (1.11.2026)."
    )
    season.refresh_from_db()
    assert season.same == {}


def test_entries_of_one_person_that_meet_later_are_named_and_can_be_parted(people, three, monkeypatch):
    season = one(people, begin(people), three[0].public_id, three[1].public_id)
    monkeypatch.setattr(evenings, "source", lambda: Linked(evening(1, *three)))
    path = f"/c/{people.club.slug}/seasons/{season.public_id}/"
    client = kit.browser(people.secretary)
    page = client.get(path).content.decode()
    assert "Ada A and Bea B cannot count as one person: both were at this evening: Evening t1 (" in page
    assert "Take it back" in page
    assert "A.\u00a0A. and B.\u00a0B. cannot" in kit.browser(None).get(path).content.decode()
    assert kit.post(client, f"{path}person/", entry=three[0].public_id, of="").status_code == 303
    assert "cannot count" not in client.get(path).content.decode()


def test_a_final_season_is_not_changed(people):
    season = begin(people)
    seasons.end(people.club, people.secretary, season.public_id, ended=True, request_id=kit.rid())
    with refuses("season-ended"):
        seasons.change(people.club, people.secretary, season.public_id, "Other", RULES, request_id=kit.rid())
    seasons.end(people.club, people.secretary, season.public_id, ended=False, request_id=kit.rid())
    seasons.change(people.club, people.secretary, season.public_id, "Other", RULES, request_id=kit.rid())
    assert Season.objects.get().name == "Other"


def test_two_seasons_of_a_club_have_two_names(people):
    begin(people)
    with refuses("name-taken"):
        begin(people)


class Linked(Standing):
    """Evenings that are linked to every season."""

    def __init__(self, *found):
        super().__init__()
        self.found = found

    def of_season(self, season):
        return [Evening(f"Evening {each.id}", f"/e/{each.id}/", each) for each in self.found]


def test_the_page_shows_every_evening_and_names_only_who_agreed(people, three, monkeypatch):
    ada, bea, _cla = three
    source = Linked(evening(1, ada, bea), evening(2, bea, ada), evening(3, ada))
    monkeypatch.setattr(evenings, "source", lambda: source)
    season = begin(people, rules=SeasonRules(place_points=(10, 6), best=2))
    path = f"/c/{people.club.slug}/seasons/{season.public_id}/"
    page = kit.told(kit.browser(None), path)
    assert "A.\u00a0A." in page
    assert "Ada" not in page
    assert "Evening t3 (3.11.2026)</a>" in page
    assert ">(6)</s>" in page
    assert "Evening t2 (2.11.2026) does not count any more" in page
    assert "Ada A" in kit.browser(people.director).get(path).content.decode()


def test_an_evening_for_members_only_is_a_day_to_others(people, three, monkeypatch):
    night = Evening("Evening tonight", "/e/tonight/", evening(1, *three), only_for=people.club.pk)
    monkeypatch.setattr(Linked, "of_season", lambda source, season: [night])
    monkeypatch.setattr(evenings, "source", Linked)
    path = f"/c/{people.club.slug}/seasons/{begin(people).public_id}/"
    page = kit.told(kit.browser(None), path)
    assert "Evening tonight" not in page
    assert "/e/tonight/" not in page
    assert ">1.11.2026<" in page
    assert '<a href="/e/tonight/">Evening tonight (1.11.2026)</a>' in kit.told(kit.browser(people.member), path)


def test_the_form_makes_a_season_and_says_what_is_wrong(people):
    client, path = kit.browser(people.secretary), f"/c/{people.club.slug}/seasons/new/"
    good = {
        "season_name": "Winter",
        "by": "place",
        "place_points": "10 6 3",
        "best": "0",
        "attendance": "1",
        "fewest": "0",
    }
    for change, said in (
        ({"place_points": "3 6 10"}, "largest number"),
        ({"place_points": "10 x"}, "whole numbers"),
        ({"place_points": ""}, "at least the points for the first place"),
        ({"place_points": "0 0"}, "at least the points for the first place"),
        ({"best": "-1"}, "greater than or equal to 0"),
        ({"season_name": ""}, "the name of the season"),
    ):
        answer = kit.post(client, path, **good | change)
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert kit.post(client, path, **good).status_code == 303
    assert seasons.rules_of(Season.objects.get()) == SeasonRules("place", (10, 6, 3), 0, 1, 0)
    by_sum = good | {"season_name": "Summer", "by": "sum", "place_points": ""}
    assert kit.post(client, path, **by_sum).status_code == 303


def test_a_member_who_follows_a_link_keeps_their_season(people, three):
    season = begin(people)
    link = joining.invite(
        people.club, people.secretary, holds=joining.HOLDS[0], entry=three[0].public_id, request_id=kit.rid()
    )
    found = [evening(1, three[0], three[1])]
    before = seasons.ranking(season, found).rows
    joining.follow(people.club, people.stranger, link.token, Person("", ""), request_id=kit.rid())
    assert seasons.ranking(season, found).rows == before


def test_whoever_begins_the_first_season_reads_how_an_evening_counts(people):
    page = f"/c/{people.club.slug}/seasons/{begin(people).public_id}/"
    assert "Which evenings count" in kit.browser(people.secretary).get(page).content.decode()
    assert "Which evenings count" not in kit.browser(people.member).get(page).content.decode()
