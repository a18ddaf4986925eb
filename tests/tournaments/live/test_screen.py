"""The big screen."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client

from tests.tournaments.live.kit import PhoneKit, evening
from tests.tournaments.services.kit import Night, words_stay
from tournaments import permissions
from tournaments.services import codes, draws

pytestmark = pytest.mark.django_db


def base(night: Night) -> str:
    """The address of the screen."""
    return f"/e/{night.tournament.public_id}/k/{codes.hall_code(night.tournament, night.state, codes.SCREEN)}/"


def look(night: Night, more: str = "") -> str:
    """The screen."""
    return Client().get(base(night) + more).content.decode()


def slides(text: str) -> list[str]:
    """The slides that take turns."""
    return text.partition('data-slides="')[2].partition('"')[0].split(",")


def test_before_the_first_round_it_greets_and_shows_the_way_in():
    night = Night.at(6)
    text = look(night)
    assert slides(text) == ["welcome"]
    assert "6 people of 6 are here" in text
    assert night.state.commitment in text


def test_a_promised_draw_is_shown_with_its_own_fingerprint():
    night = Night.at(6)
    night.begin()
    draws.promise(night.tournament, 1, by=permissions.director(night.director), request_id=uuid.uuid4())
    promise = night.state.phases[0].promise
    assert promise is not None
    assert str(promise.file["commitment"]) in look(night)
    assert night.state.commitment not in look(night)


def test_everybody_stands_there_with_their_table_in_order_of_names():
    night = evening(8)
    text = look(night)
    assert slides(text)[:2] == ["names", "tables"]
    names = re.findall(r'<span class="name shrinks">(.*?)</span> <strong[^>]*>(\d+)', text)
    assert [name for name, _table in names] == sorted(f"Vorname{each} Nachname{each}" for each in range(1, 9))
    seated = {
        person: str(number)
        for number, table in night.state.phases[0].rounds[0].tables.items()
        for person in table.people
    }
    by_name = {f"{each.first_name} {each.last_name}": seated[each.public_id] for each in night.people}
    assert dict(names) == by_name


def test_a_draft_is_not_on_the_screen():
    night = Night.at(8)
    night.begin()
    night.draw(out=False)
    assert slides(look(night)) == ["welcome"]


def test_tables_one_waits_for_are_named_once_others_are_done():
    night = evening(8)
    assert "waiting" not in slides(look(night))
    night.play("1.1.2")
    text = look(night)
    assert "waiting" in slides(text)
    assert "Waiting for 1 table" in text
    assert "1 of 2 tables done" in text


def test_the_ranking_counts_confirmed_tables_only():
    night = evening(8)
    PhoneKit(night, "1.1.1").fill(40, 32)
    assert "ranking" not in slides(look(night))
    night.play("1.1.2")
    text = look(night)
    assert "Ranking for now" in text
    ranked = re.findall(r'<span class="name">([^<]*)</span> <span class="values">', text)
    winners = {night.table("1.1.2").people[place] for place in night.table("1.1.2").sides[0]}
    assert set(ranked[:2]) == {
        f"{each.first_name} {each.last_name}" for each in night.people if each.public_id in winners
    }


def test_who_sits_out_reads_so():
    assert "sits out" in look(evening(5, odd=["bye"]))


def test_it_asks_again_only_for_what_is_new(django_assert_max_num_queries, monkeypatch):
    words_stay(monkeypatch)
    night = evening(8)
    client = Client()
    address = base(night) + f"since/?mark={night.state.number}"
    look(night)  # the first page of all reads the words of the site
    # The tournament, and its log: in the transaction of a test no state is kept.
    with django_assert_max_num_queries(2):
        assert client.get(address).status_code == 204
    night.play("1.1.1")
    with django_assert_max_num_queries(3):
        assert client.get(address).status_code == 200


def test_it_speaks_the_tournaments_language():
    night = Night.at(4)
    night.tournament.language = "de"
    night.tournament.save()
    text = look(night)
    assert '<html lang="de">' in text


def test_a_wrong_or_renewed_code_shows_nobodys_name():
    night = evening(8)
    old = base(night)
    night.do("hall-key.renewed", what="screen")
    for address in (old, old + "since/"):
        answer = Client().get(address)
        assert answer.status_code == 404
        assert "Vorname" not in answer.content.decode()


def test_a_line_from_the_desk_stands_on_the_screen_until_it_is_taken_away(client):
    night = evening(8)
    client.force_login(night.director.user)
    desk = f"/e/{night.tournament.public_id}/rounds/"
    before = night.state.number
    sent = client.post(desk, {"do": "tell", "text": "Soup <is> ready", "request_id": str(uuid.uuid4())})
    assert sent.status_code == 303
    assert "Soup &lt;is&gt; ready" in look(night)
    assert "Soup &lt;is&gt; ready" in Client().get(base(night) + f"since/?mark={before}").content.decode()
    long = client.post(desk, {"do": "tell", "text": "x" * 81, "request_id": str(uuid.uuid4())})
    assert long.status_code == 422
    client.post(desk, {"do": "tell", "what": "nothing", "request_id": str(uuid.uuid4())})
    assert "screen-told" not in look(night)
    log = client.get(f"/e/{night.tournament.public_id}/log/").content.decode()
    assert "The screen says: Soup &lt;is&gt; ready" in log
