"""The pages of ratings: what is shown, to whom, and that nobody is who has not asked for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import polib
import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts import names, privacy, registry
from accounts import permissions as account_permissions
from accounts import privacy as accounts_privacy
from accounts.models import Grant, Player, Report
from clubs.models import Member
from notices.models import Outbox
from ratings import notifications, services
from ratings import privacy as ratings_privacy
from ratings.forms import ConsentForm
from ratings.models import PairRating, PlayerRating, RatedPerson, RatingPool
from tests.clubs.kit import browser
from tests.games.lobby_kit import guest, member
from tests.ratings import kit

if TYPE_CHECKING:
    from pytest_django import DjangoDbBlocker

pytestmark = pytest.mark.django_db
NAMES = ("Adalberta", "Bartolomea", "Clavadetscher", "Durischetta", "Eusebia", "Florentina")


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[int]]:
    """The keys of six people with accounts, who played a club evening in eight deals and two games, once for this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield [player.pk for player in play()]
        transaction.set_rollback(True)


@pytest.fixture
def six(played: list[int]) -> list[Player]:
    """The six; nobody is shown."""
    return [Player.objects.get(pk=key) for key in played]


def play() -> list[Player]:
    night = kit.first_evening(8, rules={"rounds": 2, "deals": 24})
    found = [member(name) for name in NAMES]
    for entry, player in zip(night.people, found, strict=False):
        Member.objects.filter(pk=entry.pk).update(player=player)
    night.begin()
    for number, margins in enumerate([(4, -2), (2, 6)], 1):
        night.draw()
        kit.play_round(night, f"1.{number}", *margins)
    kit.stored_game(found[:4], 1)
    kit.stored_game(found[2:], 2, "troggu")
    return found


def read(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, (path, answer.status_code)
    return answer.content.decode()


def every_page(*people: str) -> list[str]:
    """Addresses of all pages and files there are, with these people's."""
    found = ["/en/ratings/", "/en/ratings/how/", "/en/ratings/you/"]
    for pool in RatingPool.objects.all():
        found += [
            f"/en/ratings/{pool.ruleset}/",
            f"/en/ratings/{pool.ruleset}/chances/",
            f"/ratings/{pool.ruleset}.json",
        ]
        found += [f"/en/ratings/{pool.ruleset}/pairs/"] if pool.kind == "partners" else []
        rated = PlayerRating.objects.filter(pool=pool, person__public_id__in=people)
        found += [f"/en/ratings/{pool.ruleset}/{row.person.public_id}/" for row in rated]
    return found


def test_nobody_who_has_not_asked_is_in_any_page_or_file(six: list[Player]):
    ada, bart, *others = six
    kit.shown(ada, bart)
    assert PlayerRating.objects.filter(person__player=ada).count() >= 1
    reader = browser(None)
    for path in every_page(ada.public_id, bart.public_id):
        text = read(reader, path)
        for other in others:
            assert other.name not in text, path
            assert other.public_id not in text, path
        assert "member:" not in text
        assert "player:" not in text
    for entry in Member.objects.exclude(player=ada).exclude(player=bart):
        assert all(entry.public_id not in read(reader, path) for path in every_page(ada.public_id))
    listed = read(reader, "/en/ratings/troccas/")
    assert ada.name in listed
    assert bart.name in listed
    for other in others:
        assert read(reader, f"/en/ratings/troccas/{other.public_id}/", 404)
        assert not protocols_say(other)


def protocols_say(player: Player) -> list[Any]:
    return [fact for fact in registry.facts_about(player, None) if "Rating" in fact.label]


def test_a_person_is_shown_with_what_it_rests_on_and_their_partners(six: list[Player]):
    kit.shown(*six)
    row = PlayerRating.objects.filter(pool__ruleset="troccas", provisional=False).first()
    text = read(browser(None), f"/en/ratings/troccas/{row.person.public_id}/")
    sign = "+" if round(row.mean, 1) > 0 else "−" if round(row.mean, 1) < 0 else ""
    assert f"{sign}{abs(row.mean):.1f} ± {row.variance**0.5:.1f} points per deal" in text
    assert f"{row.deals} deals" in text
    pair = PairRating.objects.filter(one=row.person).first() or PairRating.objects.filter(other=row.person).first()
    partner = pair.other if pair.one_id == row.person_id else pair.one
    assert partner.player.name in text
    assert 'role="img"' in text
    fact = protocols_say(row.person.player)[0]
    assert fact.href == f"/en/ratings/troccas/{row.person.public_id}/"
    assert fact.href in read(browser(row.person.player), f"/en/people/{row.person.public_id}/")


def test_lists_are_in_order_of_the_cautious_value_the_provisional_ones_last(six: list[Player]):
    kit.shown(*six)
    lowest = PlayerRating.objects.filter(pool__ruleset="troccas").order_by("-cautious").first()
    PlayerRating.objects.filter(pk=lowest.pk).update(provisional=True)
    body = json.loads(read(browser(None), "/ratings/troccas.json"))
    rows = body["ratings"]
    assert [row["provisional"] for row in rows] == [False] * 5 + [True]
    assert [row["place"] for row in rows] == [1, 2, 3, 4, 5, 0]
    values = [row["cautious"] for row in rows[:5]]
    assert values == sorted(values, reverse=True)
    text = read(browser(None), "/en/ratings/troccas/")
    places = [text.index(f">{row['name']}<") for row in rows]
    assert places == sorted(places)
    assert "provisional" in text


@pytest.mark.slow
def test_ones_own_line_comes_first_and_a_name_is_found_without_accents(six: list[Player]):
    kit.shown(*six)
    eusebia = six[4]
    names.give(eusebia, "Eusèbia")
    text = read(browser(eusebia), "/en/ratings/troccas/")
    assert text.index("Eusèbia</a>") < text.index("Everybody who is shown")
    found = read(browser(None), "/en/ratings/troccas/?who=eusebia")
    assert "Eusèbia</a>" in found
    assert six[0].name not in found
    assert "Nobody who is shown has that name" in read(browser(None), "/en/ratings/troccas/?who=zzz")


def test_switching_off_hides_at_once_and_deletes(six: list[Player]):
    kit.shown(*six)
    ada = six[0]
    client = browser(ada)
    before = client.get("/ratings/troccas.json")
    assert ada.name in before.content.decode()
    assert "no-cache" in before["Cache-Control"]
    assert client.get("/ratings/troccas.json", headers={"if-none-match": before["ETag"]}).status_code == 304
    assert client.post("/en/ratings/you/", {"pseudonym": ""}).status_code == 302
    assert client.get("/ratings/troccas.json", headers={"if-none-match": before["ETag"]}).status_code == 200
    assert not PlayerRating.objects.filter(person__player=ada).exists()
    for path in every_page(*[each.public_id for each in six]):
        assert ada.name not in read(browser(None), path)
    assert not protocols_say(ada)


def test_it_is_switched_on_by_oneself_with_a_name_of_ones_choice(six: list[Player]):
    ada = six[0]
    client = browser(ada)
    assert "You are not shown" in read(client, "/en/ratings/")
    assert client.post("/en/ratings/you/", {"show": "on", "pseudonym": "Steinbock"}).status_code == 302
    services.run()
    row = RatedPerson.objects.get()
    assert row.public_id != ada.public_id
    for path in every_page(row.public_id):
        text = read(browser(None), path)
        assert ada.name not in text
        assert ada.public_id not in text
    assert "Steinbock" in read(browser(None), "/en/ratings/troccas/")
    assert not protocols_say(ada)
    old = row.public_id
    client.post("/en/ratings/you/", {"show": "on", "pseudonym": "Gemse"})
    row.refresh_from_db()
    assert row.public_id not in (old, ada.public_id)
    assert read(browser(None), f"/en/ratings/troccas/{old}/", 404)
    client.post("/en/ratings/you/", {"show": "on", "pseudonym": ""})
    row.refresh_from_db()
    assert row.public_id == ada.public_id


@pytest.mark.parametrize("pseudonym", ["Bartolomea", "BARTOLOMÉA", "Computer", "Guest 12", "a\u202eb", "x" * 41])
def test_a_pseudonym_is_a_name_and_nobody_elses(six: list[Player], pseudonym: str):
    answer = browser(six[0]).post("/en/ratings/you/", {"show": "on", "pseudonym": pseudonym})
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not RatedPerson.objects.exists()


def test_who_may_not_write_gets_no_new_pseudonym_but_may_hide(six: list[Player]):
    ada, moderator = six[0], six[1]
    kit.shown(ada)
    account_permissions.suspend(ada, account_permissions.LENGTHS[0], "Insults.", by=moderator)
    answer = browser(ada).post("/en/ratings/you/", {"show": "on", "pseudonym": "Steinbock"})
    assert answer.status_code == 422
    assert "Insults." in answer.content.decode()
    assert browser(ada).post("/en/ratings/you/", {"pseudonym": ""}).status_code == 302
    assert not RatedPerson.objects.exists()


def test_guests_and_strangers_cannot_be_shown(six: list[Player]):
    visitor = guest("Gast")
    with pytest.raises(ValidationError):
        ratings_privacy.show_player(visitor)
    form_of_guest = next(each for each in registry.sections if each.name == "ratings").form({"show": "on"}, visitor)
    assert form_of_guest.is_valid()
    assert isinstance(form_of_guest, ConsentForm)
    form_of_guest.write()
    assert not RatedPerson.objects.exists()
    assert "Sign in" in read(browser(None), "/en/ratings/you/")


def test_the_choice_is_in_the_preferences_too(six: list[Player]):
    client = browser(six[0])
    assert "Show my ratings to everybody" in read(client, "/en/you/preferences/")
    sent = {"section": "ratings", "show": "on", "pseudonym": ""}
    assert client.post("/en/you/preferences/", sent).status_code == 302
    assert ratings_privacy.consent_of(six[0]) is not None


def test_who_does_not_want_to_meet_does_not_see_the_other(six: list[Player]):
    kit.shown(*six)
    ada, bart = six[:2]
    account_permissions.block(ada, bart)
    for one, other in ((ada, bart), (bart, ada)):
        client = browser(one)
        assert other.name not in read(client, "/en/ratings/troccas/")
        assert other.name not in read(client, "/en/ratings/troccas/pairs/")
        assert other.name not in read(client, "/en/ratings/troccas/chances/")
        assert read(client, f"/en/ratings/troccas/{other.public_id}/", 404)
    assert bart.name in read(browser(six[2]), "/en/ratings/troccas/")


def test_whoever_blocks_somebody_does_not_see_which_pseudonym_is_theirs(six: list[Player]):
    ada, bart, clau = six[:3]
    ratings_privacy.show_player(bart, "Vixen")
    kit.shown(ada, *six[2:])
    rated = RatedPerson.objects.get(player=bart)
    PlayerRating.objects.filter(person__player=clau).update(inseparable={"people": [rated.pk], "others": 0})
    pages = [f"/en/ratings/troccas/{page}" for page in ("", "chances/", f"{rated.public_id}/", f"{clau.public_id}/")]
    pages += ["/en/ratings/troccas/pairs/"]
    before = {page: read(browser(ada), page).count("Vixen") for page in pages}
    assert all(before.values())
    account_permissions.block(ada, bart)
    assert {page: read(browser(ada), page).count("Vixen") for page in pages} == before


def test_nor_as_somebody_without_whom_a_third_never_plays(six: list[Player]):
    kit.shown(*six)
    ada, bart, clau = six[:3]
    rated = RatedPerson.objects.get(player=bart)
    PlayerRating.objects.filter(person__player=clau).update(inseparable={"people": [rated.pk], "others": 0})
    page = f"/en/ratings/troccas/{clau.public_id}/"
    assert f"never at a table without {bart.name}" in read(browser(ada), page)
    account_permissions.block(ada, bart)
    assert bart.name not in read(browser(ada), page)
    assert "never at a table without the same partner, who is not shown" in read(browser(ada), page)


def test_chances_of_two_pairs_add_up_and_say_what_is_wrong(six: list[Player]):
    kit.shown(*six)
    one, two, three, four = (player.public_id for player in six[:4])
    path = f"/en/ratings/troccas/chances/?a1={one}&a2={two}&b1={three}&b2={four}&deals=16"
    answer = browser(None).get(path)
    shares = [int(each["percent"]) for each in answer.context["chances"]]
    assert sum(shares) in (99, 100, 101)
    assert f"{six[0].name} and {six[1].name}" in answer.content.decode()
    turned = browser(None).get(f"/en/ratings/troccas/chances/?a1={three}&a2={four}&b1={one}&b2={two}&deals=16")
    assert [int(each["percent"]) for each in turned.context["chances"]] == shares[::-1]
    average = browser(None).get(f"/en/ratings/troccas/chances/?a1={one}")
    assert "somebody average" in average.content.decode()
    for wrong in (f"?a1={one}&a2={one}", "?a1=nobody", f"?a1={one}&deals=0", f"?a1={one}&tables=-1", "?deals=8"):
        assert browser(None).get(f"/en/ratings/troccas/chances/{wrong}").status_code == 422
    alone = browser(None).get(f"/en/ratings/troggu/chances/?a1={three}&b1={four}")
    assert alone.status_code == 200
    assert browser(None).get(f"/en/ratings/troggu/chances/?a1={three}").status_code == 422


def test_what_is_not_there_is_not_found(six: list[Player]):
    kit.shown(six[0])
    reader = browser(None)
    for path in ("jass", "troccas@5", "troccas@x", "troggu/pairs", "troccas/bcdfghjkmnp"):
        assert reader.get(f"/en/ratings/{path}/").status_code == 404
    assert reader.get("/ratings/jass.json", follow=True).status_code == 404
    assert "Nothing of this game was played yet" in read(reader, "/en/ratings/troccas-6/")


def test_pages_that_name_people_are_not_for_search_engines(six: list[Player]):
    kit.shown(*six)
    reader = browser(None)
    for path in every_page(six[0].public_id):
        named = path not in ("/en/ratings/", "/en/ratings/how/")
        assert ("noindex" in reader.get(path).headers.get("X-Robots-Tag", "")) == named
    sitemap = read(reader, "/sitemap.xml")
    assert "/en/ratings/how/" in sitemap
    assert "/en/ratings/troccas/" not in sitemap


def test_pages_cost_few_queries_however_many_people_there_are(six: list[Player], django_assert_max_num_queries):
    kit.shown(*six)
    client = browser(six[0])
    row = PlayerRating.objects.filter(pool__ruleset="troccas").first()
    client.get("/en/ratings/troccas/")
    for path, most in (("", 20), ("troccas/", 20), ("troccas/pairs/", 20), (f"troccas/{row.person.public_id}/", 24)):
        with django_assert_max_num_queries(most):
            read(client, f"/en/ratings/{path}")
    with django_assert_max_num_queries(4):
        read(browser(None), "/ratings/troccas.json")


def test_the_export_tells_it_and_who_goes_is_gone(six: list[Player]):
    kit.shown(*six)
    ada = six[0]
    export: Any = accounts_privacy.export_of(ada)["ratings"]
    told = export["ratings"]
    assert told["shown"]
    assert {each["ruleset"] for each in told["games"]} == set(
        PlayerRating.objects.filter(person__player=ada).values_list("pool__ruleset", flat=True)
    )
    assert (
        len(told["pairs"])
        == PairRating.objects.filter(one__player=ada).count() + PairRating.objects.filter(other__player=ada).count()
    )
    before = PlayerRating.objects.get(pool__ruleset="troccas", person__player=six[1]).deals
    privacy.erase(ada.user)
    assert not RatedPerson.objects.filter(player=ada).exists()
    services.run()
    assert PlayerRating.objects.get(pool__ruleset="troccas", person__player=six[1]).deals == before
    assert not PlayerRating.objects.filter(person__player=ada).exists()
    assert ratings_privacy.export(ada) == {"ratings": {"shown": False}}
    assert ratings_privacy in registry.belongings


def test_a_pseudonym_can_be_reported_and_taken_down_without_telling_whose_it_is(six: list[Player]):
    ada, reader, moderator = six[0], six[1], six[2]
    ratings_privacy.show_player(ada, "Steinbock")
    services.run()
    row = RatedPerson.objects.get()
    page = read(browser(reader), f"/en/ratings/troccas/{row.public_id}/")
    assert "Report this pseudonym" in page
    assert "take-down" not in page
    assert browser(reader).post(f"/en/ratings/pseudonyms/{row.public_id}/report/").status_code == 302
    assert (Report.objects.get().about, Report.objects.get().by) == (ada, reader)
    assert "Steinbock" in Report.objects.get().text
    assert browser(reader).post(f"/en/ratings/pseudonyms/{row.public_id}/take-down/").status_code == 403
    assert browser(None).post(f"/en/ratings/pseudonyms/{row.public_id}/report/").status_code == 302
    Grant.objects.create(player=moderator, role=Grant.Role.MODERATOR)
    assert browser(moderator).post(f"/en/ratings/pseudonyms/{row.public_id}/take-down/").status_code == 302
    assert not RatedPerson.objects.exists()
    told = Outbox.objects.get(event="ratings.taken-down")
    assert told.player == ada
    words = notifications.words(told.event, told.params, ada, "en")
    assert words is not None
    assert "Steinbock" in words.line
    assert words.url == reverse("ratings:you")
    assert notifications.still_true(told.event, told.params, ada)
    ratings_privacy.show_player(ada, "Gemse")
    assert not notifications.still_true(told.event, told.params, ada)


def test_german_calls_a_deal_a_hand():
    for entry in polib.pofile(str(settings.BASE_DIR / "locale/de/LC_MESSAGES/django.po")):
        is_ours = any(path.startswith(("ratings/", "templates/ratings/")) for path, _line in entry.occurrences)
        if is_ours and re.search(r"\bdeals?\b", entry.msgid, re.IGNORECASE):
            assert re.search(r"Hand|Händ", " ".join([entry.msgstr, *entry.msgstr_plural.values()])), entry.msgid
