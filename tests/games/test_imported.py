"""Records that somebody brings along: what is read, what is refused and why, who keeps them, who may look."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts import registry
from accounts.models import Player
from domain.engine import RecordError
from games.imports import selectors as imported_seen
from games.imports import services as imports_services
from games.imports.forms import record_error_text
from games.imports.models import ImportedGame
from games.imports.services import DEEPEST, LARGEST, MOST_HANDS, read_record
from games.models import Game
from tests.domain.engine.kit import RECORDS
from tests.games import lobby_kit
from tests.games.replay_kit import FEW, RULESETS
from tests.games.table_kit import person
from tests.long import quick

pytestmark = pytest.mark.django_db
LIST = "/en/records/"


def text_of(name: str = "troccas") -> str:
    return (RECORDS / f"{name}.json").read_text()


def data_of(name: str = "troccas") -> dict[str, Any]:
    return json.loads(text_of(name))


def changed(**changes: object) -> str:
    return json.dumps(data_of() | changes)


def first_hand(**changes: object) -> str:
    data = data_of()
    return json.dumps(data | {"hands": [data["hands"][0] | changes]})


def member() -> tuple[Player, Client]:
    player = lobby_kit.member("Ursina")
    client = Client()
    client.force_login(player.user)
    return player, client


def bring(client: Client, text: str, **data: str):
    return client.post(LIST, {"text": text, "keep": "on"} | data)


# what is read


@pytest.mark.parametrize("name", quick(FEW, RULESETS))
@pytest.mark.slow(but="troggu")
def test_records_of_every_game_are_read_and_shown_as_they_were_played(name):
    files = sorted(RECORDS.glob(f"{name}*.json"))
    record = next(path for path in files if not path.name.endswith("expected.json"))
    client = Client()
    answer = bring(client, record.read_text())
    assert answer.status_code == 302
    imported = ImportedGame.objects.get()
    expected = json.loads(record.with_suffix("").with_suffix(".expected.json").read_text())
    assert list(imported_seen.overview(imported).totals) == expected["totals"]
    for number, hand in enumerate(expected["hands"], 1):
        shown = imported_seen.replay(imported, number, None)
        assert list(shown.sheet.points) == hand.get("points", [])
        page = client.get(reverse("imported:replay", args=[imported.public_id, number]))
        assert page.status_code == 200


def test_a_record_goes_out_as_it_came_in():
    client = Client()
    bring(client, text_of("troggu-5"))
    imported = ImportedGame.objects.get()
    out = client.get(reverse("imported:record", args=[imported.public_id]))
    assert json.loads(out.content)["hands"] == data_of("troggu-5")["hands"]
    one = json.loads(client.get(reverse("imported:hand_record", args=[imported.public_id, 2])).content)
    assert one["hands"] == data_of("troggu-5")["hands"][1:2]
    assert read_record(json.dumps(one)).hands[0].over


def test_a_record_whose_last_hand_is_unfinished_can_be_looked_at():
    data = data_of()
    hand = data["hands"][0]
    client = Client()
    answer = bring(client, json.dumps(data | {"hands": [hand | {"actions": hand["actions"][:30]}]}))
    page = client.get(answer["Location"]).content.decode()
    assert "This hand was not played to its end" in page
    assert 'max="30"' in page


def test_a_proof_comes_along_and_what_cannot_be_one_does_not():
    from games.selectors import replay
    from tests.games.table_kit import laid, play_hand

    player = person()
    game = laid(player, options={"throw_in": False, "demands": False})
    play_hand(game, player)
    record = replay.record(game).to_json()
    kept = read_record(json.dumps(record)).record
    assert kept.proof == record["proof"]
    broken = json.loads(json.dumps(record))
    broken["proof"][0]["secret"] = "<b>"
    assert read_record(json.dumps(broken)).record.proof is None
    client = Client()
    page = client.get(bring(client, json.dumps(record))["Location"]).content.decode()
    assert "data-proof-check" in page


@pytest.mark.services
def test_names_lose_what_cannot_be_seen():
    names = ["A\u202enna", "\u0000", "x" * 200, "<b>Dora</b>"]
    assert read_record(changed(players=names)).record.players == ("A nna", "2", "x" * 40, "<b>Dora</b>")
    client = Client()
    page = client.get(bring(client, changed(players=names))["Location"]).content.decode()
    assert "<b>Dora</b>" not in page


@pytest.mark.services
def test_free_words_and_what_is_no_part_of_the_format_are_left_out():
    data = data_of() | {"comment": "x" * 500, "events": [{"after": 1, "event": "sat", "seat": 0}]}
    data["options"] = dict(data.get("options", {})) | {"talk": "free"}
    hand = data["hands"][0]
    at = next(place for place, line in enumerate(hand["actions"]) if line.split()[1] in ("allow", "veto"))
    hand["actions"][at] = " ".join(hand["actions"][at].split()[:2]) + ' "buy my cheese"'
    written = json.dumps(read_record(json.dumps(data)).record.to_json())
    assert "cheese" not in written
    assert "comment" not in written
    assert "events" not in written


# what is refused

ILLEGAL = [
    ("", "Please choose a file"),
    ("{", "This is not JSON"),
    ("[" * 100_000, "This is not JSON"),
    ("[]", "one JSON object"),
    ("{}", "not the record of a game"),
    ('{"format": "troccas-record", "version": 2}', "version that this site does not know"),
    (changed(version=1.0), "version that this site does not know"),
    (changed(ruleset="skat"), "a game that this site does not know"),
    (changed(ruleset_version=99), "a version of the rules of “troccas” that this site does not know"),
    (changed(ruleset_version="1"), "a version of the rules of “troccas” that this site does not know"),
    (changed(options=[]), "not written as a JSON object"),
    (changed(options={"hands": 1e400}), "no number"),
    (changed(options={"wings": True}), "The option “wings” does not exist"),
    (changed(players="Anna"), "names no players"),
    (changed(players=["Anna"]), "not played by 1 players"),
    (changed(hands={}), "no list of hands"),
    (changed(hands=[]), "no hand in this record"),
    (changed(hands=[7]), "Hand 1 is not written as in a record"),
    (first_hand(dealer=9), "Hand 1 names no dealer"),
    (first_hand(pack=3), "Hand 1 has no pack"),
    (first_hand(pack="CK XX"), "“XX” in the pack is not a card"),
    (first_hand(pack="CK CK"), "king of cups (CK) is in the pack twice"),
    (first_hand(pack="CK"), "is missing from the pack"),
    (first_hand(actions=[1]), "Hand 1 has no list of actions"),
    (first_hand(actions=["x"] * 500), "more actions than any hand can have"),
    (first_hand(actions=["hallo"]), "Hand 1, action 1, “hallo”"),
    (first_hand(actions=["0 cut 3"]), "It is the turn of seat"),
    (changed(x=[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]), "too long or too deeply nested"),
    ('{"a": "' + "x" * LARGEST + '"}', "too long"),
]


@pytest.mark.parametrize(
    ("text", "said"), [pair for pair in ILLEGAL if "1e400" not in pair[0] and "Infinity" not in pair[0]]
)
def test_what_is_no_record_is_refused_with_what_is_wrong(text, said):
    answer = bring(Client(), text)
    assert answer.status_code == 422
    assert said in answer.content.decode().replace("&quot;", '"')
    assert not ImportedGame.objects.exists()


def test_a_number_that_is_none_is_refused():
    with pytest.raises(RecordError, match="not JSON"):
        read_record(changed(options={"hands": float("inf")}))


def test_the_action_against_the_rules_is_named_with_the_rule():
    data = data_of()
    actions = data["hands"][1]["actions"]
    at = max(place for place, line in enumerate(actions) if line.split()[1] == "play")
    seat = actions[at].split()[0]
    actions[at] = f"{seat} play {'CK' if actions[at].split()[2] != 'CK' else 'CQ'}"
    with pytest.raises(RecordError) as wrong:
        read_record(json.dumps(data))
    said = record_error_text(wrong.value)
    assert said.startswith(f"Hand 2, action {at + 1}, “{actions[at]}”:")
    with translation.override("de"):
        assert "hand" in record_error_text(wrong.value).casefold()


def test_every_code_of_a_wrong_record_has_words():
    """A code without words would be told as nothing but "no record"."""
    source = (imports_services.__file__, RecordError.__module__.replace(".", "/") + ".py")
    import re
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    codes = set()
    for path in (Path(source[0]), root / source[1]):
        codes |= set(re.findall(r'RecordError\([^\n]*?, "(\w+)"', path.read_text()))
    assert len(codes) >= 18
    vague = record_error_text(RecordError("x", "nothing-like-it"))
    assert [code for code in sorted(codes) if record_error_text(RecordError("x", code, hand=1)) == vague] == []


def test_no_more_hands_than_one_may_bring():
    data = data_of()
    with pytest.raises(RecordError) as wrong:
        read_record(json.dumps(data | {"hands": data["hands"][:1] * (MOST_HANDS + 1)}))
    assert wrong.value.code == "many"
    assert DEEPEST > 5


def test_a_file_goes_before_what_was_pasted():
    client = Client()
    file = SimpleUploadedFile("game.json", text_of("troggu-5").encode(), "application/json")
    client.post(LIST, {"file": file, "text": text_of()})
    assert ImportedGame.objects.get().ruleset == "troggu"
    large = SimpleUploadedFile("game.json", b" " * (LARGEST + 1))
    assert client.post(LIST, {"file": large}).status_code == 422
    latin = SimpleUploadedFile("game.json", b"\xff\xfe\x00")
    assert client.post(LIST, {"file": latin}).status_code == 422


def test_nobody_brings_many_at_once():
    client = Client()
    answers = [bring(client, "{}") for _ in range(23)]
    assert answers[0].status_code == 422
    assert answers[-1].status_code == 429
    assert "new tables" not in answers[-1].content.decode()  # nobody had opened one


# who keeps it, who may look


def test_a_stranger_looks_at_it_for_a_day():
    client = Client()
    address = bring(client, text_of())["Location"]
    imported = ImportedGame.objects.get()
    assert imported.keep_until is not None
    assert client.get(address).status_code == 200
    assert "With an account you can keep it" in client.get(address).content.decode()
    assert imports_services.record_of(imported.public_id, timezone.now() + timedelta(hours=25)) is None
    assert imports_services.forget(timezone.now() + timedelta(hours=23)) == 0
    assert imports_services.forget(timezone.now() + timedelta(hours=25)) == 1
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_who_brought_it_for_a_day_opens_its_list_of_hands(language):
    """Before, that page answered 500 to guests, and to members who only looked."""
    for client in (Client(), member()[1]):
        client.cookies["language"] = language
        answer = bring(client, text_of(), keep="")
        page = client.get(reverse("imported:hands", args=[answer["Location"].split("/")[2]]))
        assert page.status_code == 200
        keeps = "_auth_user_id" in client.session
        assert (reverse("account_signup") + "?next=" in page.content.decode()) is not keeps
        assert ("/keep/" in page.content.decode()) is keeps


def test_a_member_keeps_it_until_they_delete_it():
    _player, client = member()
    address = bring(client, text_of(), title="Final in Flims")["Location"]
    imported = ImportedGame.objects.get()
    assert imported.keep_until is None
    assert "Final in Flims" in client.get(LIST).content.decode()
    delete = reverse("imported:delete", args=[imported.public_id])
    assert "Delete this record?" in client.get(delete).content.decode()
    assert ImportedGame.objects.exists()
    client.post(delete)
    assert not ImportedGame.objects.exists()
    assert client.get(address).status_code == 404


def test_a_member_may_only_look_and_keep_it_later():
    _player, client = member()
    client.post(LIST, {"text": text_of()})
    imported = ImportedGame.objects.get()
    assert imported.keep_until is not None
    client.post(reverse("imported:keep", args=[imported.public_id]))
    imported.refresh_from_db()
    assert imported.keep_until is None


def test_whoever_has_the_address_looks_but_does_not_keep_or_delete():
    _player, client = member()
    address = bring(client, text_of())["Location"]
    imported = ImportedGame.objects.get()
    stranger = Client()
    page = stranger.get(address)
    assert page.status_code == 200
    assert page["X-Robots-Tag"] == "noindex"
    assert "no-store" in page["Cache-Control"]
    assert "og:image" not in page.content.decode()
    assert "Delete it" not in page.content.decode()
    _other, other = member()
    for who in (stranger, other):
        for name in ("keep", "delete"):
            assert who.post(reverse(f"imported:{name}", args=[imported.public_id])).status_code == 404
    assert ImportedGame.objects.exists()
    assert len(imported.public_id) == 24


def test_the_same_record_is_kept_once():
    _player, client = member()
    first = client.post(LIST, {"text": text_of()})["Location"]
    assert bring(client, text_of(), title="Kept")["Location"] == first
    imported = ImportedGame.objects.get()
    assert (imported.keep_until, imported.title) == (None, "Kept")
    client.post(LIST, {"text": text_of()})  # only to look at: it stays kept, with its title
    imported.refresh_from_db()
    assert (imported.keep_until, imported.title) == (None, "Kept")


def test_one_keeps_only_so_many(monkeypatch):
    monkeypatch.setattr(imports_services, "KEPT_AT_MOST", 1)
    _player, client = member()
    bring(client, text_of())
    answer = client.post(LIST, {"text": text_of("troggu-5"), "keep": "on"}, follow=True)
    assert "as many as one can" in answer.content.decode()
    client.post(LIST, {"text": text_of("troggu-5")})
    looked = ImportedGame.objects.get(keep_until__isnull=False)
    client.post(reverse("imported:keep", args=[looked.public_id]))
    looked.refresh_from_db()
    assert looked.keep_until is not None


def test_how_long_a_record_stays_is_said_with_the_city_of_its_time_to_who_has_no_time_zone():
    client = Client()
    page = client.get(bring(client, text_of())["Location"], follow=True).content.decode()
    assert re.search(r"It stays here until [^<]*\d\d:\d\d \(Zurich time\)\.", page)


def test_a_guest_who_becomes_a_member_takes_records_along():
    guest, (player, _client) = person(), member()
    shared, own = read_record(text_of()), read_record(text_of("troggu-5"))
    for owner, brought in ((guest, shared), (guest, own), (player, shared)):
        imports_services.store(owner, brought, keep=False)
    for belongings in registry.belongings:
        belongings.merge(guest, player)
    assert sorted(ImportedGame.objects.values_list("owner", "ruleset")) == [
        (player.pk, "troccas"),
        (player.pk, "troggu"),
    ]


def test_records_go_with_their_owner_and_are_in_the_export():
    player, client = member()
    bring(client, text_of(), title="Mine")
    told: dict[str, Any] = {}
    for belongings in registry.belongings:
        told |= belongings.export(player)
    (row,) = told["imported_records"]
    assert (row["title"], row["record"]["ruleset"]) == ("Mine", "troccas")
    for belongings in registry.belongings:
        belongings.release(player)
    assert not ImportedGame.objects.exists()


# playing on from it


def test_one_plays_on_from_it_and_only_who_plays_learns_its_address():
    client = Client()
    bring(client, text_of("troggu-5"))
    imported = ImportedGame.objects.get()
    answer = client.post(reverse("imported:from_here", args=[imported.public_id, 1]), {"step": "25", "seat": "1"})
    assert answer.status_code == 303
    assert Game.objects.get().kind == "practice"
    assert imported.public_id in client.get(answer["Location"]).content.decode()
    assert imported.public_id not in Client().get(answer["Location"]).content.decode()
    imported.delete()
    assert client.get(answer["Location"]).status_code == 200


def test_nothing_is_written_by_looking():
    client = Client()
    imported = imports_services.store(person(), read_record(text_of()), keep=True)
    before = ImportedGame.objects.values().get()
    for name in ("replay", "hand_record"):
        client.get(reverse(f"imported:{name}", args=[imported.public_id, 1]))
    assert ImportedGame.objects.values().get() == before
    assert client.get(reverse("imported:replay", args=[imported.public_id, 99])).status_code == 404
    assert client.get(reverse("imported:hand_record", args=[imported.public_id, 0])).status_code == 404
    assert client.get(reverse("imported:picture", args=[imported.public_id, 1, "gif"])).status_code == 404
