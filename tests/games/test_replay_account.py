"""The account of a deal: sentences with terms that lead to the encyclopedia; talk and notes where they were written."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts import sessions
from core.limits import take
from games.chat.models import Message, Note
from games.chat.selectors import MessageSeen
from games.imports.services import read_record
from games.selectors import replay
from games.table.replay import account
from rules.markup.render import Mentions
from tests.domain.engine.kit import RECORDS
from tests.games.replay_kit import FEW, RULESETS, stored
from tests.games.table_kit import person
from tests.long import quick
from tests.rules.entries import word

pytestmark = pytest.mark.django_db


@pytest.fixture
def words():
    """Two words of the term base: the trick, and the call for the jack, which the players have a word of their own for."""
    explained = {"en": {"text": "The cards that lie together."}}
    word(
        "words.trick",
        {"lang": "en", "text": "trick", "pos": "noun"},
        games=("troccas", "troggu"),
        definitions=explained,
    )
    word("words.buob", {"lang": "rm-sursilv", "text": "buob"}, games=("troccas",))
    word("ranks.king", {"lang": "en", "text": "king", "pos": "noun"}, games=("troccas", "troggu"))


def test_a_term_is_linked_once_in_a_chapter_and_explained(words):
    mentions = Mentions("en", "troccas")
    first = mentions.linked("You win trick 1, a trick.")
    assert first.count('data-term="words.trick"') == 1
    assert 'href="/en/words/trick/"' in first
    assert "term" not in mentions.linked("Beat wins trick 2.")
    mentions.chapter()
    assert "words.trick" in mentions.linked("Beat wins trick 3.")
    assert "The cards that lie together." in mentions.glossary()


def test_words_of_suits_and_ranks_are_linked_once_of_all(words):
    mentions = Mentions("en", "troccas")
    assert "ranks.king" in mentions.linked("You lead the king of cups.")
    mentions.chapter()
    assert "ranks.king" not in mentions.linked("You lead the king of coins.")


def test_a_word_of_the_players_own_is_linked_in_its_language(words):
    linked = Mentions("en", "troccas").linked("You call: buob!")
    assert '<a class="term" href="/en/words/buob/" data-term="words.buob" lang="rm-sursilv">buob</a>' in linked


def test_neither_a_name_nor_what_somebody_said_is_taken_for_a_term(words):
    mentions = Mentions("en", "troccas")
    sentence = f"{mentions.keep('Trick <b>King</b>')} says: “{mentions.keep('nice trick')}”."
    assert mentions.linked(sentence) == "Trick &lt;b&gt;King&lt;/b&gt; says: “nice trick”."
    assert mentions.plain(sentence) == "Trick <b>King</b> says: “nice trick”."
    assert mentions.glossary() == ""


@pytest.mark.parametrize("id", quick(FEW, RULESETS))
def test_every_step_of_every_game_is_told_in_sentences(id, words):
    game = stored(id)
    end = replay.replay(game, 1, None, None)
    for language in ("en", "de", "rm-sursilv"):
        with translation.override(language):
            check_account(end, account(end, language))


def check_account(end, told):
    steps = [step for chapter in told.chapters for step in chapter.steps]
    assert [step.number for step in steps] == list(range(1, end.last_step + 1))
    for step in steps:
        assert step.text
        assert "\ue100" not in step.text + step.html
        assert "%(" not in step.text
        assert re.sub(r"<[^>]+>", "", step.html).replace("&#x27;", "'") == step.text.replace("&", "&amp;")


def message(number: int, text: str = "Bravo", **fields: object) -> MessageSeen:
    seen = MessageSeen(number, "table", "said", "abc", "Beat", False, text, 1, number, timezone.now())
    return replace(seen, **fields)


def test_what_was_written_stands_after_the_step_it_followed():
    game = stored("troccas")
    end = replay.replay(game, 1, None, None)
    third = end.steps[2].action
    note = Note(hand=1, trick=1, number=third, text="watch the swords")
    told = account(end, "en", [message(0), message(third), message(third + 10_000)], [note])
    steps = [step for chapter in told.chapters for step in chapter.steps]
    assert [each.number for each in told.opening.messages] == [0]
    assert [step.number for step in steps if step.messages] == [3, end.last_step]
    assert [step.number for step in steps if step.notes] == [3]


def test_notes_are_shown_to_their_writer_and_table_talk_to_those_who_sat_there():
    writer = person(name="Ursina")
    game = stored("troccas", player=writer)
    number = game.actions.filter(kind="move").first().number
    Note.objects.create(game=game, player=writer, hand=1, trick=1, number=number, text="count the trumps")
    Note.objects.create(game=game, player=writer, hand=0, trick=0, number=0, text="a fine evening")
    beat = game.seats.get(number=1).player
    Message.objects.create(game=game, author=beat, channel="table", text="good luck", hand=1, number=number)
    address = reverse("games:replay", args=[game.public_id, 1])
    mine, other = Client(), Client()
    mine.cookies["guest"] = sessions.issue_guest_token(writer)
    other.cookies["guest"] = sessions.issue_guest_token(beat)
    pages = [client.get(address).content.decode() for client in (mine, other, Client())]
    assert [("count the trumps" in page, "a fine evening" in page) for page in pages] == [(True, True)] + [
        (False, False)
    ] * 2
    assert ["good luck" in page for page in pages] == [True, True, False]


def test_a_name_that_is_markup_stays_text():
    game = stored("troccas", player=person(name="<i>Ursina</i>"))
    page = Client().get(reverse("games:replay", args=[game.public_id, 1])).content.decode()
    assert "<i>Ursina" not in page
    svg = Client().get(reverse("games:picture", args=[game.public_id, 1, "svg"])).content.decode()
    assert "<i>" not in svg


# pictures


@pytest.mark.parametrize("id", quick(FEW, RULESETS))
def test_a_moment_of_every_game_is_drawn_with_what_lies_open_then(id):
    from lxml import etree

    game = stored(id)
    address = reverse("games:picture", args=[game.public_id, 1, "svg"])
    last = replay.replay(game, 1, None, None).last_step
    for step in (0, 1, last // 2, last):
        answer = Client().get(f"{address}?step={step}")
        assert answer["Content-Type"] == "image/svg+xml"
        assert "no-store" in answer["Cache-Control"]
        tree = etree.fromstring(answer.content, etree.XMLParser(resolve_entities=False))
        ids = {each.get("id") for each in tree.iter() if each.get("id")}
        used = {each.get("href").removeprefix("#") for each in tree.iter("{*}use")}
        assert used <= ids  # nothing is missing, and nothing comes from elsewhere
        shown = replay.replay(game, 1, step, None)
        held = {code for seat in shown.seats for code in seat.cards}
        lying = (
            {card.code for card in (shown.trick or shown.last_trick).cards}
            if shown.trick or shown.last_trick
            else set()
        )
        drawn = {code for code in used if re.fullmatch(r"T\d+|F|[COSB](10|[1-9KQNJ])", code)}
        assert drawn == held | lying


def test_the_png_is_a_picture_of_the_size_that_the_page_promises():
    game = stored("troggu-st-niklaus", seats=7)
    answer = Client().get(reverse("games:picture", args=[game.public_id, 1, "png"]) + "?step=20")
    assert answer["Content-Type"] == "image/png"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(answer.content[at : at + 4], "big") for at in (16, 20)] == [1200, 630]
    page = Client().get(reverse("games:replay", args=[game.public_id, 1]) + "?step=20").content.decode()
    assert 'property="og:image:width" content="1200"' in page
    assert "picture.png?step=20" in page


def test_nobody_gets_many_pictures_at_once():
    game = stored("troccas")
    while take("picture:127.0.0.1", rate=120, per=3600, burst=20):
        pass
    kinds = ("png", "svg")
    answers = [Client().get(reverse("games:picture", args=[game.public_id, 1, kind])).status_code for kind in kinds]
    assert answers == [429, 200]


# all hands, records


def test_all_hands_are_listed_with_their_scores():
    data = read_record((RECORDS / "troccas.json").read_bytes())
    from games.imports import services

    imported = services.store(person(), data, keep=True)
    page = Client().get(reverse("imported:hands", args=[imported.public_id])).content.decode()
    for number in range(1, len(data.hands) + 1):
        assert f'href="{reverse("imported:replay", args=[imported.public_id, number])}"' in page
    game = stored("troggu")
    page = Client().get(reverse("games:hands", args=[game.public_id])).content.decode()
    assert "in Rappen" in page
    assert reverse("games:record", args=[game.public_id]) in page


def test_the_record_of_a_hand_is_that_hand_with_its_proof():
    import json

    from domain.engine import shuffle
    from tests.games.table_kit import laid, play_hand

    player = person()
    game = laid(player, options={"throw_in": False, "demands": False})
    play_hand(game, player)
    play_hand(game, player)
    whole = json.loads(Client().get(reverse("games:record", args=[game.public_id])).content)
    one = json.loads(Client().get(reverse("games:hand_record", args=[game.public_id, 2])).content)
    assert one["hands"] == whole["hands"][1:2]
    assert one["proof"] == whole["proof"][1:2]
    assert shuffle.verify(shuffle.Proof.from_json(one["proof"][0]), one["hands"][0]["pack"].split()) == []
    assert {event["event"] for event in one["events"]} == {"ready"}
    assert read_record(json.dumps(one)).hands[0].over
    assert Client().get(reverse("games:hand_record", args=[game.public_id, 3])).status_code == 404
