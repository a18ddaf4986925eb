"""Paper: every kind on the screen and as PDF, slips with their codes, and addresses that follow SITE_URL."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from typing import Any

import pytest
import segno
from django.test import Client
from pypdf import PdfReader

from clubs.models import Member
from core.text import fold
from tests.long import LONG
from tests.tournaments.publishing.conftest import played
from tests.tournaments.services.kit import Night
from tournaments import read_models
from tournaments.models import Tournament
from tournaments.publishing.sheets import KINDS
from tournaments.publishing.views import paper as pdf
from tournaments.services import codes as keys

pytestmark = pytest.mark.django_db
needs_pango = pytest.mark.skipif(not pdf.available(), reason="Pango is not on this machine")


def paper(client: Client, night: Night, kind: str, query: str = "") -> str:
    answer = client.get(f"/e/{night.tournament.public_id}/paper/{kind}/{query}")
    assert answer.status_code == 200, kind
    return answer.content.decode()


def qr_of(address: str) -> str:
    """What a QR code of this address looks like in a page: the path of its squares."""
    path = re.search(r' d="([^"]+)"', segno.make(address, error="m", micro=False).svg_inline(border=2))
    assert path
    return path[1]


@pytest.fixture
def desk(client: Client, night: Night) -> Client:
    """The director's browser."""
    client.force_login(night.director.user)
    return client


def test_every_kind_of_paper_is_listed_and_opens_in_every_language(desk: Client, night: Night):
    listed = desk.get(f"/e/{night.tournament.public_id}/paper/").content.decode()
    for kind in KINDS:
        assert f"/paper/{kind}/" in listed
        for language in ("en", "de", "rm-sursilv"):
            written_in = "de" if language == "rm-sursilv" else language
            assert f'<html lang="{written_in}">' in paper(desk, night, kind, f"?in={language}")


def test_paper_also_opens_before_anybody_has_come(client: Client):
    night = Night.at()
    client.force_login(night.director.user)
    for kind, each in KINDS.items():
        wanted = 404 if each.rounds or kind == "result" else 200
        assert client.get(f"/e/{night.tournament.public_id}/paper/{kind}/").status_code == wanted, kind


def test_the_paper_of_the_desk_is_in_the_language_of_the_tournament(desk: Client, night: Night):
    night.tournament.language = "de"
    night.tournament.save()
    assert '<html lang="de">' in paper(desk, night, "ranking")
    assert '<html lang="en">' in paper(Client(), night, "ranking")


@pytest.mark.parametrize("site", ["http://192.168.1.20:8000", "https://troccas.example"])
def test_the_codes_on_paper_lead_to_the_address_of_the_site(desk: Client, night: Night, settings, site: str):
    settings.SITE_URL = site
    state, tournament = night.state, night.tournament
    base = f"{site}/e/{tournament.public_id}/"
    code = keys.table_code(tournament, state, "1.2.1", 0)
    assert qr_of(f"{base}s/{code}/") in paper(desk, night, "slips")
    assert qr_of(f"{base}k/{keys.hall_code(tournament, state, keys.ARRIVE)}/") in paper(desk, night, "entrance")
    codes = paper(desk, night, "codes")
    assert qr_of(f"{base}k/{keys.hall_code(tournament, state, keys.DOOR)}/") in codes
    assert qr_of(f"{base}k/{keys.hall_code(tournament, state, keys.SCREEN)}/") in codes
    person = night.people[0].public_id
    assert qr_of(f"{base}p/{keys.person_code(tournament, person)}/") in paper(desk, night, "cards")


def test_each_side_has_a_code_and_digits_of_its_own(desk: Client, night: Night):
    text = paper(desk, night, "slips", "?round=1.1&table=1")
    table = night.table("1.1.1")
    digits = list(keys.confirm_codes(night.tournament, night.state, "1.1.1").values())
    assert len(set(digits)) == len(table.sides)
    assert all(f"</small> {each}</p>" in text for each in digits)
    assert text.count('class="qr"') == len(table.sides)
    assert text.count('class="sheet slip') == 1


def test_a_slip_has_a_line_for_every_deal_and_says_what_it_must_add_up_to(desk: Client, night: Night):
    text = paper(desk, night, "slips", "?round=1.1")
    assert "Sum (72)" in text
    lines = sum(table.deals for table in night.state.phases[0].rounds[0].tables.values())
    assert text.partition("<main>")[2].count('<tr><th scope="row">') == lines
    assert "looks on" in text  # the dealer of five


def test_where_nobody_confirms_there_are_no_digits(client: Client):
    night = Night.at(8, confirm=False)
    night.begin()
    night.draw()
    client.force_login(night.director.user)
    assert "To confirm" not in paper(client, night, "slips")


def test_an_empty_sheet_is_made_for_as_many_as_sit_there(client: Client):
    night = Night.at(rules={"rounds": 4, "deals": 6})
    four, five = paper(client, night, "sheets"), paper(client, night, "sheets", "?people=5&copies=2")
    assert four.count('<th scope="col" class="blank">') == 4  # two on a sheet of A4
    assert five.count('<th scope="col" class="blank">') == 10
    assert four.count('<tr><th scope="row">') == 12


def test_the_treasurers_sheet_adds_up(desk: Client, night: Night):
    night.do("money.entered", kind="fee", amount=1000, who="e1")
    night.do("money.entered", kind="expense", amount=250, note="pencils")
    night.do("till.counted", opening=5000, coins=[{"coin": 5000, "number": 1}, {"coin": 500, "number": 1}])
    text = paper(desk, night, "till")
    assert "CHF 57.50" in text
    assert "CHF 55.00" in text
    assert "CHF −2.50" in text


@needs_pango
def test_the_treasurer_has_room_to_sign(desk: Client, night: Night):
    pages = PdfReader(io.BytesIO(desk.get(f"/e/{night.tournament.public_id}/paper/till.pdf").content)).pages
    above, line = next((above, here) for above, here in pairwise(words(pages[-1])) if here[0].startswith("Date"))
    assert above[2] - line[2] > 15 / 25.4 * 72


def test_the_prize_list_ends_with_the_first(desk: Client, night: Night):
    night.do("prizes.set", prizes=[{"code": str(place), "amount": 6000 - 1000 * place} for place in (1, 2, 3)])
    amounts = re.findall(r'class="what">CHF (\d+)', paper(desk, night, "prizes"))
    assert [int(each) for each in amounts] == sorted(int(each) for each in amounts)


@needs_pango
@pytest.mark.slow
def test_every_kind_is_made_as_pdf_with_text_in_it(desk: Client, night: Night):
    for kind in list(KINDS)[:: 1 if LONG else 4]:
        answer = desk.get(f"/e/{night.tournament.public_id}/paper/{kind}.pdf")
        assert answer["Content-Type"] == "application/pdf", kind
        pages = PdfReader(io.BytesIO(answer.content)).pages
        assert pages, kind
        assert all(page.extract_text().strip() for page in pages), kind


@needs_pango
@pytest.mark.parametrize("size", ["", "?size=a5"])
@pytest.mark.slow
def test_slips_of_people_with_the_longest_names_stay_on_their_pages(client: Client, size: str):
    night = Night.at(8, rules={"rounds": 3, "deals": 8})
    night.begin()
    night.draw()
    for number, member in enumerate(night.people):
        member.first_name, member.last_name = "Maximiliana" * 5 + str(number), "Zurbriggen" * 6
        member.save()
    client.force_login(night.director.user)
    pages = PdfReader(io.BytesIO(client.get(f"/e/{night.tournament.public_id}/paper/slips.pdf{size}").content)).pages
    assert len(pages) == (2 if size else 1)
    for page in pages:
        low = min(bottom for _, _, bottom in words(page))
        assert low > 8 / 25.4 * 72, "into the margin, or below the page"


@needs_pango
@pytest.mark.slow
def test_slips_are_a_page_each_and_small_also_of_five_with_ten_deals(client: Client):
    night = Night.at(9, rules={"rounds": 3, "deals": 8}, odd=["five-dealer-out"])
    night.begin()
    night.draw()
    client.force_login(night.director.user)
    slips = f"/e/{night.tournament.public_id}/paper/slips.pdf"
    pages = PdfReader(io.BytesIO(client.get(f"{slips}?size=a5").content)).pages
    assert len(pages) == len(night.state.phases[0].rounds[0].tables) == 2
    assert [round(float(side) / 72 * 25.4) for side in pages[0].mediabox[2:]] == [148, 210]
    both = PdfReader(io.BytesIO(client.get(slips).content)).pages
    assert [round(float(side) / 72 * 25.4) for side in both[0].mediabox[2:]] == [297, 210]
    assert len(both) == 1
    signatures = [left for text, left, _ in words(both[0]) if text == "Signature"]
    assert len(signatures) == 2
    assert signatures[1] - signatures[0] > 297 / 25.4 * 72 / 2 - 20


def test_an_address_stands_beside_each_code_for_phones_that_cannot_scan(desk: Client, night: Night, settings):
    settings.SITE_URL = "https://troccas.example"
    code = keys.table_code(night.tournament, night.state, "1.1.1", 0)
    assert f">troccas.example/e/{night.tournament.public_id}/s/{code}/<" in paper(
        desk, night, "slips", "?round=1.1&table=1"
    )


def test_place_cards_have_everybody_who_comes_and_their_table(desk: Client, night: Night):
    text = paper(desk, night, "place-cards")
    cards = re.findall(r'<p class="name">([^<]*)</p>(?:<p>Table (\d+)</p>)?', text)
    last = night.state.phases[0].rounds[-1]
    wanted = {
        f"{person.first_name} {person.last_name}": str(number)
        for number, table in last.tables.items()
        for person in night.people
        if person.public_id in table.people
    }
    assert {name: table for name, table in cards if table} == wanted
    assert len(cards) == sum(each.status in ("here", "expected") for each in night.state.entrants.values())
    night.walk_in()
    assert (f"Vorname{len(night.people)} Nachname{len(night.people)}", "") in re.findall(
        r'<p class="name">([^<]*)</p>(?:<p>Table (\d+)</p>)?', paper(desk, night, "place-cards")
    )


def test_a_substitute_has_cards_and_whoever_is_replaced_no_place(client: Client):
    night = Night.at(8)
    client.force_login(night.director.user)
    night.begin()
    night.draw()
    night.write("1.1.1")
    night.do("entrant.added", members=[night.person().public_id])
    plays_on, replaced = night.table("1.1.1").owners[0], (night.table("1.1.2").owners[0], "e9")
    reserve = {}
    for who in (plays_on, *replaced):
        reserve[who] = night.person().public_id
        night.do("entrant.substituted", id=who, old=night.state.entrants[who].members[0], new=reserve[who])
    full = {each.public_id: f"{each.first_name} {each.last_name}" for each in night.people}
    old = {who: full[night.state.entrants[who].members[0]] for who in reserve}
    new = {who: full[person] for who, person in reserve.items()}
    places = re.findall(r'<p class="name">([^<]*)</p>', paper(client, night, "place-cards"))
    assert {old[plays_on], *(new[who] for who in replaced)} <= set(places)
    assert not {new[plays_on], *(old[who] for who in replaced)} & set(places)
    cards = paper(client, night, "cards")
    assert all(name in cards for name in (*old.values(), *new.values()))


def words(page: Any) -> list[tuple[str, float, float]]:
    """Each piece of text of a page of PDF with its place: points from the left and from below."""
    found: list[tuple[str, float, float]] = []

    def take(text: str, matrix: Any, at: Any, _font: Any, _size: Any) -> None:
        if text.strip():
            x, y = at[4], at[5]
            found.append((text.strip(), matrix[0] * x + matrix[4], matrix[3] * y + matrix[5]))

    page.extract_text(visitor_text=take)
    return found


@needs_pango
def test_in_the_seating_plan_of_forty_no_name_is_parted_from_its_table(client: Client):
    night = Night.at(40)
    night.begin()
    night.draw()
    client.force_login(night.director.user)
    answer = client.get(f"/e/{night.tournament.public_id}/paper/seating.pdf")
    seen = 0
    for page in PdfReader(io.BytesIO(answer.content)).pages[1:]:
        there = words(page)
        numbers = [(x, y) for text, x, y in there if text.isdecimal()]
        for text, x, y in there:
            if text.startswith("Vorname"):
                beside = [at for at, line in numbers if abs(line - y) < 3 and 0 < at - x < 170]
                assert len(beside) == 1, text
                seen += 1
    assert seen == 40


@needs_pango
@pytest.mark.slow
def test_cards_for_forty_are_four_pages_and_none_is_cut(client: Client):
    night = Night.at(40)
    client.force_login(night.director.user)
    pages = PdfReader(io.BytesIO(client.get(f"/e/{night.tournament.public_id}/paper/cards.pdf").content)).pages
    assert len(pages) == 4
    names = []
    for page in pages:
        here = [(text, x, y) for text, x, y in words(page) if text.startswith("Vorname")]
        assert len({round(x) for _text, x, _y in here}) == 2  # two columns
        # A card is 44 mm high, its name in the middle: the whole of it stands above the margin.
        assert all(y > (14 + 20) * 72 / 25.4 for _text, _x, y in here)
        names += [text for text, _x, _y in here]
    assert len(names) == 40
    order = [fold(name.split()[-1]) for name in names]
    assert order == sorted(order)  # by surnames, as every other list of the evening


@needs_pango
def test_pdf_holds_our_own_faces(desk: Client, night: Night):
    answer = desk.get(f"/e/{night.tournament.public_id}/paper/ranking.pdf")
    page: Any = PdfReader(io.BytesIO(answer.content)).pages[0]
    names = {str(font.get_object()["/BaseFont"]) for font in page["/Resources"]["/Font"].values()}
    assert all("Source-S" in name for name in names), names


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/x.png",
        "file:///etc/passwd",
        "http://paper.invalid/static/../../etc/passwd",
        "http://paper.invalid/static/nothing.css",
        "http://paper.invalid/healthz",
    ],
)
def test_nothing_but_our_static_files_is_ever_read(url: str):
    with pytest.raises(pdf.NotStatic):
        pdf.static_file(url)


def test_where_the_libraries_are_missing_the_pages_say_so_and_still_print(desk: Client, night: Night, monkeypatch):
    monkeypatch.setattr(pdf, "_weasyprint", lambda: None)
    assert "no libraries to make PDF" in desk.get(f"/e/{night.tournament.public_id}/paper/").content.decode()
    text = paper(desk, night, "ranking")
    assert "no libraries to make PDF" in text
    assert "ranking.pdf" not in text
    answer = desk.get(f"/e/{night.tournament.public_id}/paper/ranking.pdf")
    assert answer.status_code == 501
    assert "print it from the browser" in answer.content.decode()


def test_an_unknown_kind_of_paper_is_not_found(desk: Client, night: Night):
    assert desk.get(f"/e/{night.tournament.public_id}/paper/money/").status_code == 404


def test_slips_printed_after_a_code_was_renewed_have_the_new_one(desk: Client, night: Night):
    # Of four digits drawn anew some may be those of before: here the codes come from a secret with which none are.
    Tournament.objects.filter(pk=night.tournament.pk).update(key_secret=bytes(32))
    old = paper(desk, night, "slips", "?round=1.1&table=1")
    night.do("key.renewed", table="1.1.1")
    new = paper(desk, night, "slips", "?round=1.1&table=1")
    assert set(re.findall(r"</small> (\d{4})</p>", old)).isdisjoint(re.findall(r"</small> (\d{4})</p>", new))


@needs_pango
def test_letters_beyond_the_usual_ones_have_a_face_of_their_own_in_a_pdf(desk: Client, night: Night):
    """Two files in one face came out as wrong letters, though the text could be copied rightly."""
    night.people[0].last_name = "Žižka"
    night.people[0].save()
    answer = desk.get(f"/e/{night.tournament.public_id}/paper/ranking.pdf")
    page: Any = PdfReader(io.BytesIO(answer.content)).pages[0]
    names = {str(font.get_object()["/BaseFont"]) for font in page["/Resources"]["/Font"].values()}
    assert any("Source-Sans-3-Wide" in name for name in names), names
    assert "Žižka" in page.extract_text()


def test_all_who_share_the_best_rank_of_a_category_get_its_diploma(client: Client):
    night = played(rounds=1, number=8)
    table = night.table("1.1.1")
    winners = [table.owners[place] for place in table.sides[0]]
    for who in night.state.entrants:
        night.do("entrant.changed", id=who, categories=["juniors"] if who in winners else [])
    client.force_login(night.director.user)
    page = client.get(f"/e/{night.tournament.public_id}/paper/diplomas/?first=1").content.decode()
    ranks = {
        place.entrant: place.rank
        for place in read_models.ranking_seen(night.state, read_models.Names(night.tournament, "staff")).places
    }
    best = min(ranks[who] for who in winners)
    assert page.count("juniors") == sum(ranks[who] == best for who in winners)


def test_the_paper_of_an_evening_tells_the_rounds_of_a_final_apart_and_what_was_corrected(client: Client):
    night = played(rounds=1, number=8)
    client.force_login(night.director.user)
    table = night.table("1.1.1")
    lines = [{"deal": 1, "scores": [35, 37]}, {"deal": 2, "scores": [35, 37]}]
    night.do("table.settled", table="1.1.1", lines=lines, reason="the sides were exchanged")
    night.do("phase.finished", phase=1)
    night.begin("Final", after=1, carry=True, entrants=list(table.seats))
    night.draw(2)
    night.play_round("2.1")
    rows = paper(client, night, "result", f"?entrant={table.seats[0]}").split("<tbody>")[-1].split("</tr>")
    assert ["Rounds, 1<" in rows[0], "corrected" in rows[0]] == [True, True]
    assert ["Final, 1<" in rows[1], "corrected" in rows[1]] == [True, False]


def test_before_the_first_result_nobody_gets_a_diploma(client: Client):
    night = Night.at(8)
    night.begin()
    night.draw()
    client.force_login(night.director.user)
    page = client.get(f"/e/{night.tournament.public_id}/paper/diplomas/").content.decode()
    assert page.count("<section") == 1
    assert "Nobody is ranked yet" in page


def test_a_german_date_has_its_full_stop(client: Client):
    night = Night.at(0)
    page = client.get(f"/e/{night.tournament.public_id}/", headers={"accept-language": "de"}).content.decode()
    assert "Freitag, 27. November 2026, 19:30" in page


@needs_pango
def test_the_longest_names_fit_on_their_diploma_and_their_slip(client: Client):
    night = Night.at(4, rules={"rounds": 1, "deals": 8})
    Member.objects.update(first_name="Maximiliana" * 5 + "Maria", last_name="Zurbriggen" * 6)
    night.begin()
    night.draw()
    night.play("1.1.1")
    client.force_login(night.director.user)
    for kind, count in (("diplomas", 4), ("slips", 1)):
        made = PdfReader(io.BytesIO(client.get(f"/e/{night.tournament.public_id}/paper/{kind}.pdf?first=4").content))
        assert len(made.pages) == count, kind


def test_the_house_rules_are_those_of_the_tournament_and_say_what_is_different_in_its_final(client: Client):
    night = Night.at(8, rules={"rounds": 3, "deals": 8})
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("phase.finished", phase=1)
    alone = paper(client, night, "rules")
    night.begin("Final", after=1, entrants=["e1", "e2", "e3", "e4"], plan={"rules": {"rounds": 1, "deals": 8}})
    text = paper(client, night, "rules")
    final = text.index("Final")
    assert "<dt>Rounds</dt><dd>3</dd>" in text[:final]
    assert "<dt>Rounds</dt><dd>1</dd>" in text[final:]
    assert "Deals in a round" not in text[final:], "only what is different"
    assert "Final" not in alone


def test_the_fee_on_the_house_rules_is_that_of_the_evening(client: Client):
    rules = {"rounds": 3, "deals": 8, "fee": 1500}
    night = Night.at(rules=rules)
    assert "<dt>Entry fee</dt><dd>CHF 10.00</dd>" in paper(client, night, "rules")
    night.do("tournament.planned", plan={"rules": rules}, fee=0)
    assert "Entry fee" not in paper(client, night, "rules")
