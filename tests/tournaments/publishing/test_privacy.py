"""Who reads whose name: in every page, file, feed and paper that a stranger can open."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook
from pypdf import PdfReader

from clubs.models import Member
from tests.tournaments.publishing.conftest import played
from tests.tournaments.services.kit import Night, member_player
from tournaments.models import Tournament
from tournaments.publishing.sheets import KINDS
from tournaments.publishing.views import paper

pytestmark = pytest.mark.django_db
PAGES = (
    *(
        "",
        "?who=nachname",
        "seating/1.1/",
        "seating/1.1/?who=nachname",
        "standings/",
        "standings/1/",
        "entrant/e1/",
        "draws/",
    ),
    *("draws/draws.json", "draws/1.1-1.json", "results.json", "news.atom", "tournament.ics"),
    *(f"results/{name}.csv" for name in ("ranking", "rounds", "deals", "entrants", "penalties", "prizes")),
)
OPEN_PAPER = [kind for kind, each in KINDS.items() if not each.staff]


def text_of(client: Client, night: Night, path: str) -> str:
    """What a reader gets, as text."""
    answer = client.get(f"/e/{night.tournament.public_id}/{path}")
    assert answer.status_code == 200, path
    if path.endswith(".pdf"):
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    if path.endswith(".xlsx"):
        book = load_workbook(io.BytesIO(answer.content))
        return "\n".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)
    return answer.content.decode()


@pytest.fixture
def closed(db: None) -> Night:
    """An evening in which only the first person agreed to be named."""
    night = played(rounds=2, number=9)
    Member.objects.filter(pk=night.people[0].pk).update(named=True)
    night.do("penalty.given", phase=1, entrant="e2", reason="Nachname2 was late", points=3)
    night.do("prizes.set", prizes=[{"code": str(place), "amount": 1000} for place in range(1, 9)])
    night.do("tournament.closed", despite="Nachname3 wants to go home")
    return night


@pytest.mark.slow
def test_a_stranger_never_reads_the_name_of_who_did_not_agree(closed: Night):
    told = {}
    for path in [*PAGES, "results.xlsx", *(f"paper/{kind}/" for kind in OPEN_PAPER)]:
        text = text_of(Client(), closed, path)
        told[path] = [person.last_name for person in closed.people[1:] if person.last_name in text]
        told[path] += [person.public_id for person in closed.people if person.public_id in text]
    assert not {path: names for path, names in told.items() if names}


@pytest.mark.skipif(not paper.available(), reason="Pango is not on this machine")
@pytest.mark.slow
def test_nor_in_a_pdf(closed: Night):
    for kind in OPEN_PAPER:
        text = text_of(Client(), closed, f"paper/{kind}.pdf")
        assert not [person.last_name for person in closed.people[1:] if person.last_name in text], kind


def test_who_agreed_is_named_and_others_have_initials(closed: Night):
    for path in ("standings/", "seating/1.1/", "results.json", "results/ranking.csv", "paper/ranking/"):
        text = text_of(Client(), closed, path)
        assert "Vorname1 Nachname1" in text, path
        assert ("V. N." if path.endswith(".csv") else "V.\u00a0N.") in text, path


def test_who_runs_the_tournament_reads_all_names(closed: Night, client: Client):
    client.force_login(closed.director.user)
    for path in ("standings/", "results.json", "paper/ranking/", "paper/cards/"):
        text = text_of(client, closed, path)
        assert all(person.last_name in text for person in closed.people), path


def test_a_member_who_may_read_the_list_reads_names_and_no_reasons(closed: Night, client: Client):
    player = member_player("Mengia")
    Member.objects.create(club=closed.club, player=player, first_name="Mengia", last_name="Caduff")
    closed.club.list_for = "members"
    closed.club.save()
    client.force_login(player.user)
    text = text_of(client, closed, "results.json")
    assert "Vorname5 Nachname5" in text
    assert "was late" not in text


def test_once_the_club_keeps_names_no_longer_everybody_reads_initials(closed: Night, client: Client):
    Tournament.objects.update(starts=timezone.now() - timedelta(days=800))
    client.force_login(closed.director.user)
    files = ("results.json", "draws/draws.json", "results/deals.csv", "results/penalties.csv")
    for path in ("standings/", *files, "paper/ranking/", "paper/diplomas/"):
        text = text_of(client, closed, path)
        assert not [person.last_name for person in closed.people if person.last_name in text], path


def test_a_tournament_that_is_not_public_is_there_for_the_club_alone(closed: Night, client: Client):
    Tournament.objects.update(is_public=False)
    member = Client()
    member.force_login(closed.director.user)
    for path in [*PAGES, "results.xlsx", "paper/ranking/"]:
        address = f"/e/{closed.tournament.public_id}/{path}"
        assert client.get(address).status_code == 404, path
        assert member.get(address).status_code == 200, path
    assert client.get(f"/e/{closed.tournament.public_id}/paper/ranking.pdf").status_code == 404


def test_paper_with_codes_money_or_whole_names_is_for_who_runs_the_tournament(closed: Night, client: Client):
    for kind in [kind for kind, each in KINDS.items() if each.staff]:
        assert client.get(f"/e/{closed.tournament.public_id}/paper/{kind}/").status_code == 403, kind
        assert client.get(f"/e/{closed.tournament.public_id}/paper/{kind}.pdf").status_code == 403, kind


def test_search_engines_stay_away_unless_the_club_says_otherwise(closed: Night, client: Client):
    address = f"/e/{closed.tournament.public_id}/"
    answer = client.get(address)
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert 'name="robots" content="noindex"' in answer.content.decode()
    closed.club.found_by_search = True
    closed.club.save()
    answer = client.get(address)
    assert "X-Robots-Tag" not in answer
    assert 'content="noindex"' not in answer.content.decode()
    Tournament.objects.update(is_public=False)
    client.force_login(closed.director.user)
    assert client.get(address)["X-Robots-Tag"] == "noindex, nofollow"


def test_nor_does_a_draw_of_pairs_say_which_entries_of_the_list_they_are(db: None):
    night = Night.at(kind="pair", method="swiss")
    for _pair in range(4):
        night.walk_in(pair=True)
    night.begin()
    night.draw()
    for path in ("draws/draws.json", "draws/1.1-1.json", "results.json"):
        text = text_of(Client(), night, path)
        assert not [person.public_id for person in night.people if person.public_id in text], path
