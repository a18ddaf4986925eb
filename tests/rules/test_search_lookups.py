"""What players really look up, in the site's own content: with and without accents, mistyped, in three languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.utils.html import strip_tags
from pytest_django import DjangoDbBlocker

from rules.models import SearchEntry
from rules.search import lookup, parsing, passages, similar_questions, stems
from rules.search.lookup import find
from tests.long import LONG
from tests.rules import content_kit

LOOK_UPS = [
    # what is typed, the reader's language, what must be among the first answers
    ("buob sche", "en", "words.buob-sche"),
    ("schwaerti", "de", "suits.swords"),
    ("Schwäärti", "en", "suits.swords"),
    ("scart", "rm-sursilv", "words.scart"),
    ("naked fool", "en", "phrases.il-narr-blut"),
    ("blut", "de", "words.bare"),
    ("bättler", "de", "fool"),
    ("battler", "en", "fool"),
    ("Tappist", "de", "words.tappist"),
    ("misäär", "de", "words.misere"),
    ("Misère", "en", "words.misere"),
    ("juhe", "en", "words.juhe"),
    ("wer gibt", "de", "words.dealer"),
    ("counting", "en", "counting"),
    ("zählen", "de", "counting"),
    ("zahlen", "de", "counting"),
    ("72", "en", "counting"),
    ("lecras", "rm-sursilv", "words.numeral"),
    ("rosas", "en", "suits.coins"),
    ("tschintschar", "en", "words.talk"),
    ("tschintshcar", "de", "words.talk"),
    ("vitas", "rm-sursilv", "phrases.vitas"),
    ("king and jack", "en", "words.king-and-jack"),
    ("König und Bube", "de", "words.king-and-jack"),
    ("liber", "de", "phrases.liber"),
    ("Medel", "de", "medel"),
    ("troggu bidding", "en", "troggu"),
    ("what is the scart", "en", "words.scart"),
    ("trocas", "en", "troccas"),
    ("pagat", "de", "trumps.1"),
]
AT_ONCE = [
    # … and what must be the first or the second
    ("troccas rules", "en", "troccas"),
    ("Regeln Troccas", "de", "troccas"),
    ("Spielregeln Troggu", "de", "troggu"),
    ("Spielregeln zu dritt", "de", "troccas-3"),
    ("Wer darf Buob rufen?", "de", "words.buob"),
    ("who calls the jack", "en", "words.buob"),
    ("wieviel zählt ein König", "de", "words.card-value"),
    ("how much is a king worth", "en", "words.card-value"),
    ("how many points to win", "en", "words.par"),
    ("order of coins", "en", "words.rank-order"),
    ("can i throw in the hand", "en", "words.throw-in"),
    ("72 Punkte", "de", "words.total"),
    ("schwaerti", "de", "suits.swords"),
    ("schwarti", "en", "suits.swords"),
    ("tschintshar", "de", "words.talk"),
    ("gshguser", "en", "fool"),
    ("Bätler", "de", "fool"),
    ("naked fool", "en", "phrases.il-narr-blut"),
    ("flur", "rm-sursilv", "phrases.ina-flur"),
    ("persul", "rm-sursilv", "phrases.in-persul"),
    ("tiara triembel", "rm-sursilv", "trumps.16"),
    ("igl aunghel", "rm-sursilv", "trumps.14"),
    ("father of young girls", "en", "trumps.15"),
    ("Klosterkeller", "de", "phrases.clavau-dalla-claustra"),
    ("was heisst vitas", "de", "phrases.vitas"),
]
FIRST = 5


@pytest.fixture(scope="module", autouse=True)
def content(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The site's own content, once for this module; taken back afterwards."""
    with django_db_blocker.unblock(), transaction.atomic():
        content_kit.lay()
        yield
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "language", "key"), LOOK_UPS)
def test_a_player_finds_it(query: str, language: str, key: str) -> None:
    found = [each.key for each in find(query, language=language, limit=FIRST)]
    assert key in found


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "language", "key"), AT_ONCE)
@pytest.mark.slow(but="troccas rules-en-troccas")
def test_it_is_the_first_or_the_second_answer(query: str, language: str, key: str) -> None:
    assert key in [each.key for each in find(query, language=language, limit=2)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("il reg", "ranks.king"),
        ("Bi e ben in", "phrases.bi-e-bein-in"),
        ("nus den", "phrases.nus-dein"),
        ("paset", "phrases.paset"),
        ("plenty of trumps", "phrases.tschec-da-medel"),
        ("free", "phrases.liber"),
        ("I help", "phrases.jeu-gidel"),
        ("trump I", "trumps.1"),
        ("Chinig", "ranks.king"),
        ("mun", "trumps.21"),
        ("mia", "trumps.21"),
        ("jubilation", "words.juhe"),
        ("the nudes", "trumps.20"),
        ("the beautiful one", "trumps.21"),
        ("I would prefer other cards", "phrases.pli-bugen-autras"),
        ("deal some more", "phrases.dai-vinavon"),
        ("Timothy", "words.oinkers-game"),
        ("regame", "words.troccas-online"),
    ],
)
def test_a_name_with_a_slip_or_in_the_words_of_the_source_is_among_the_first(asked: str, key: str) -> None:
    assert key in [found.key for found in find(asked, language="en")[:3]]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "language", "keys", "fact"),
    [
        ("how many cards do I discard", "en", {"words.scart", "troccas"}, "two"),
        ("Wie viel zählt die Königin?", "de", {"words.card-value", "ranks.queen", "troccas"}, "vier"),
        ("who leads to the first trick", "en", {"words.opening-lead", "troccas"}, "right"),
        ("Wann zahlt man doppelt?", "de", {"words.double-stake", "words.double-threshold", "troggu"}, "30"),
        ("how many hands is a game", "en", {"words.game", "troccas"}, "four"),
        # What is to be counted is the cards, not what each pays or gets.
        ("Sieben Spieler Troggu, wieviele Karten bekommt jeder", "de", {"troggu"}, " in der Hand: 8"),
        # A sentence that announces something is shown with it.
        ("what may be done with the jack, two ways to call", "en", {"troccas"}, "Buob, sche!"),
        # The trump is meant, not who asks.
        ("what does the I count", "en", {"trumps.1", "troggu", "words.card-value"}, "five"),
        # Two sentences of one section answer, and there is room for both.
        ("what is the stake in st niklaus", "en", {"troggu-st-niklaus"}, "5"),
        # … and a table that is announced answers, not its announcement.
        ("Anzahl Karten im Tapp zu siebt", "de", {"troggu"}, ": 6,"),
    ],
)
def test_the_sentence_that_answers_comes_first_with_the_number_in_it(
    asked: str, language: str, keys: set[str], fact: str
) -> None:
    first = find(asked, language=language)[0]
    assert first.key in keys
    assert fact in f"{first.excerpt} {first.gist}"


@pytest.mark.django_db
def test_a_word_that_no_source_knows_is_told_and_one_with_a_slip_is_not() -> None:
    assert lookup.unknown(parsing.read("what does ina tgaussa mean")) == ["tgaussa"]
    assert lookup.unknown(parsing.read("what is the scrat")) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "language", "key", "name"),
    [
        ("how do you say death in Romansh", "en", "trumps.13", "la mort"),
        ("Wie heisst die Welt auf Romanisch?", "de", "trumps.21", "il mund"),
        ("Becher auf Walliserdeutsch", "de", "suits.cups", "Goppe"),
        ("what is the death card called in Romansh", "en", "trumps.13", "la mort"),
        ("parola vallesana per bastoni", "it", "suits.batons", "Schtächnä"),
        ("comment dit-on les deniers en valaisan", "fr", "suits.coins", "Roosä"),
    ],
)
@pytest.mark.slow(but="parola vallesana per bastoni-it-suits.batons-Scht\\xe4chn\\xe4")
def test_what_a_word_is_called_in_a_language_is_said_first(asked: str, language: str, key: str, name: str) -> None:
    first = find(asked, language=language)[0]
    assert first.key == key
    assert name in strip_tags(first.excerpt)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "language", "places"),
    [
        ("how many cards are dealt with four in Grächen", "en", {"troggu-graechen"}),
        ("wie viele Karten legt der Geber zu dritt weg", "de", {"troccas-3", "troccas-3-singles", "words.troccas-3"}),
        ("darf man untertrumpfen", "de", {"words.must-trump", "troccas", "troggu"}),
        ("wieviel zählt der köinig", "de", {"words.card-value", "ranks.king", "troccas", "the-pack", "counting"}),
    ],
)
def test_variants_compounds_and_slips_are_understood_in_questions(asked: str, language: str, places: set[str]) -> None:
    assert find(asked, language=language)[0].key in places


@pytest.mark.django_db
def test_every_place_to_which_a_wording_leads_is_there() -> None:
    book = passages.book("en")
    assert [
        place for places, _wording in similar_questions.read() for place in places if place not in book.places
    ] == []


@pytest.mark.django_db
@pytest.mark.slow
def test_each_wording_leads_where_it_is_answered() -> None:
    """By itself, and most of them also by the others: so a new wording may hope to be understood, too."""
    book = passages.book("en")
    wordings = similar_questions.read()
    alone = others = 0
    asked_for = list(enumerate(wordings))[:: 1 if LONG else 4]
    for number, (places, wording) in asked_for:
        asked = book.question(wording)
        found = book.wordings.places(asked)
        alone += bool(found) and max(found, key=lambda place: found[place]) in places
        found = book.wordings.places(asked, without=frozenset([number]))
        others += any(place in places for place in sorted(found, key=lambda place: -found[place])[:3])
    assert alone > 0.97 * len(asked_for)
    assert others > 0.5 * len(asked_for)


@pytest.mark.django_db
def test_however_many_words_are_typed_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "_KEPT", 20)
    book = passages.book("en")
    for number in range(100):
        book.meant(f"zzq{'abcdefghij'[number % 10] * 3}{'klmnopqrst'[number // 10] * 3}")
    assert 0 < len(book._meant) <= 20
    assert "trumpf" in book.meant("untertrumpf")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "language", "keys"),
    [
        # Who names something of tournaments is answered where these are spoken of, not by the words of the games.
        ("free round at a tournament", "en", {"words.bye", "tournaments"}),
        ("Unentschieden an der Spitze der Rangliste", "de", {"words.tie-break", "tournaments"}),
        # A number that only one of the games knows says which is meant.
        ("wer gewinnt bei 57 zu 57", "de", {"words.even-split", "troggu"}),
        # What follows a phrase and only asks for its meaning is none of it.
        ("buob sche übersetzung", "de", {"words.buob-sche"}),
    ],
)
def test_a_question_is_answered_by_what_it_is_about(asked: str, language: str, keys: set[str]) -> None:
    assert find(asked, language=language)[0].key in keys


@pytest.mark.parametrize(
    ("asked", "language", "keys", "said"),
    [
        ("was heisst buca", "de", {"phrases.buca-cheu"}, "schlechte Hand"),
        ("was bedeutet freid", "de", {"phrases.dar-da-freid"}, "Trümpfe"),
        ("who is booy", "en", {"fool"}, "without a number"),
        ("wer sagt liber", "de", {"troccas", "words.third-player"}, "links vom Geber"),
        ("Übername Trumpf 15", "de", {"trumps.15"}, "naucli"),
        ("was isch e lecra", "de", {"words.numeral"}, "Ass"),
        ("bättler im letschte stich", "de", {"troggu"}, "letzten Stich"),
        ("tapp size 5 players", "en", {"troggu"}, "Tapp: 7"),
        ("kann man beim Troggu zu zweit spielen", "de", {"overview"}, "zu dritt bis zu acht"),
        ("what if dealer misdeals", "en", {"words.misdeal"}, "No source"),
        ("what beats the fool", "en", {"fool"}, "highest trump"),
        ("can fool be lost", "en", {"troccas"}, "not caught"),
        ("punkte dame", "de", {"troccas"}, "vier Punkte"),
        ("wie viele Stiche gibt es", "de", {"troccas"}, "19"),
        ("called card is in the tapp", "en", {"words.called-trump"}, "alone"),
    ],
)
@pytest.mark.django_db
def test_it_is_understood_what_is_asked(asked: str, language: str, keys: set[str], said: str) -> None:
    [first, *_others] = find(asked, language=language)
    assert first.key in keys
    assert said in f"{strip_tags(first.excerpt)} {first.gist}"


@pytest.mark.django_db
def test_no_word_of_the_games_is_read_as_an_everyday_word_of_dialect() -> None:
    names = SearchEntry.objects.filter(part__in=("preferred", "admitted", "proposed", "look-up")).values_list(
        "folded", flat=True
    )
    assert stems.spoken().keys().isdisjoint(word for name in names for word in name.split())
