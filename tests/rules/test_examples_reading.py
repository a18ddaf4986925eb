"""An example says what is wrong with it, and where."""

import pytest
from django.utils import translation

from domain.engine import card_of, set_of
from rules.examples import BadExample, read
from rules.examples.reading import (
    CallExample,
    CountExample,
    OrderExample,
    PlayExample,
    RecordExample,
    SettleExample,
    TrickExample,
)


def example(text: str, ruleset: str | None = "troccas", seats: int | None = None):
    return read(text, ruleset=ruleset, seats=seats)


def cards(text: str) -> tuple[int, ...]:
    return tuple(card_of(code) for code in text.split())


def test_a_hand_that_is_asked_for_a_card():
    found = example('kind = "play"\ntitle = "Follow"\nhold = "CK C4 F"\ntrick = "C9 C2"\nled_before = "SC"')
    assert found == PlayExample(
        ruleset="troccas",
        seats=4,
        hold=cards("CK C4 F"),
        trick=((card_of("C9"),), (card_of("C2"),)),
        led_before=frozenset((0, 2)),
    )
    assert found.title == "Follow"


def test_a_title_makes_no_other_example():
    first = example('kind = "trick"\ntitle = "A"\ntrick = "C9 CK T3 C2"')
    assert first == example('kind = "trick"\ntitle = "B"\ncaption = "…"\ntrick = "C9 CK T3 C2"')
    assert isinstance(first, TrickExample)


def test_king_and_jack_are_written_together():
    found = example('kind = "trick"\ntrick = "C9 CK+CJ C3 C2"\npair = 2')
    assert isinstance(found, TrickExample)
    assert found.trick[1] == cards("CK CJ")


def test_players_of_a_call_are_counted_from_one():
    found = example('kind = "call"\ntrick = "C9 CK C3 C2"\njack = 3\ncall = "buob-sche"')
    assert isinstance(found, CallExample)
    assert (found.jack, found.call) == (2, "buob-sche")


def test_what_a_side_has_won():
    found = example('kind = "count"\ncards = "CK C4 C5 C6 O3 O4"\nscart = "O3 O4"\ndealer_side = true')
    assert isinstance(found, CountExample)
    assert found.laid == set_of(cards("O3 O4"))


def test_a_settlement_with_other_stakes():
    found = example('kind = "settle"\nseats = 7\npoints = [70, 44]\ntappist = 2\npartner = 5\nstake = 20', "troggu")
    assert isinstance(found, SettleExample)
    assert (found.tappist, found.partner, found.options) == (1, 4, (("stake", 20),))


def test_a_trick_of_a_record_brings_its_game_along():
    found = example('kind = "record"\nrecord = "troggu-7"\nhand = 1\ntrick = 5', "troccas")
    assert isinstance(found, RecordExample)
    assert (found.ruleset, found.seats, found.first, found.last) == ("troggu", 7, 5, 5)


def test_trumps_have_an_order():
    found = example('kind = "order"\ncards = "T1 T21 F"')
    assert isinstance(found, OrderExample)


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ("", "kind", "missing"),
        ('kind = "dance"', "kind", "no kind “dance”"),
        ('kind = "play"\nhold = "CK"\ncolour = "red"', "", "no such line"),
        ('kind = "play"', "hold", "missing"),
        ('kind = "play"\nhold = "XX"', "hold", "no card “XX”"),
        ('kind = "play"\nhold = "CK CK"', "hold", "CK appears here twice"),
        ('kind = "play"\nhold = "CK"\ntrick = "CK"', "trick", "CK appears here twice"),
        ('kind = "play"\nhold = "CK"\ntrick = "C1 C2 C3 C4"', "trick", "complete"),
        ('kind = "play"\nhold = 3', "hold", "quotation marks"),
        ('kind = "play"\nhold = "CK"\nled_before = "X"', "led_before", "letters of suits"),
        ('kind = "play"\nhold = "CK"\ncontract = "solo"', "contract", "nobody bids"),
        ('kind = "play"\nhold = "CK"\nwithheld = true', "withheld", "Troggu"),
        ('kind = "play"\nhold = "CK"\nruleset = "poker"', "ruleset", "no game “poker”"),
        ('kind = "play"\nhold = "CK"\nseats = 7', "seats", "played by 4"),
        ('kind = "play"\nhold = "CK"\nseats = true', "seats", "a number from 3 to 8"),
        ('kind = "trick"\ntrick = "C9 CK C2"', "trick", "4 play, but 3"),
        ('kind = "trick"\ntrick = "C9 CK+CQ C2 C3"', "trick", "king and its companion"),
        ('kind = "trick"\ntrick = "C9 CK C2 C3"\npair = 2', "pair", "one card only"),
        ('kind = "call"\ntrick = "C9 C8 C2 C3"\njack = 1', "trick", "king of the suit"),
        ('kind = "call"\ntrick = "C9 CK C2 C3"\njack = 5', "jack", "from 1 to 4"),
        ('kind = "call"\ntrick = "C9 CK C2 C3"\njack = 1\ncall = "hey"', "call", "buob, buob-sche"),
        ('kind = "count"\ncards = "CK"\nscart = "C2"', "scart", "among"),
        ('kind = "settle"\npoints = [60, 54]', "kind", "nobody pays"),
        ('kind = "order"\ncards = "CK OK"', "cards", "one suit"),
        ('kind = "record"\nrecord = "../troccas"', "record", "no record"),
        ('kind = "record"\nrecord = "troccas"\nhand = 3', "hand", "not played"),
        ('kind = "record"\nrecord = "troccas"\nhand = 1\ntrick = 20', "trick", "from 1 to 19"),
        ('kind = "record"\nrecord = "troccas"\nfrom = 5\nto = 3', "to", "from 5 to 19"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, field, said):
    with pytest.raises(BadExample) as wrong:
        example(text)
    assert said in wrong.value.message
    if field:
        assert wrong.value.field == field


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ('kind = "play"\nhold = "S2"', "hold", "not in the pack"),
        ('kind = "play"\nhold = "CK"\ncontract = "war"', "contract", "normal, solo, misere"),
        ('kind = "settle"\npoints = [60, 55]', "points", "114"),
        ('kind = "settle"\npoints = [60]', "points", "2 numbers"),
        ('kind = "settle"\npoints = [60, 54]\npartner = 2', "partner", "nobody has a partner"),
        ('kind = "call"\ntrick = "CK C2 C3 C4"\njack = 1', "kind", "nothing is called"),
    ],
)
def test_troggu_has_a_pack_and_rules_of_its_own(text, field, said):
    with pytest.raises(BadExample) as wrong:
        example(text, "troggu", 4)
    assert said in wrong.value.message
    assert wrong.value.field == field


def test_graechen_knows_no_misere():
    with pytest.raises(BadExample, match="normal, solo"):
        example('kind = "play"\nhold = "CK"\ncontract = "misere"', "troggu-graechen", 4)


def test_broken_toml_names_the_line():
    with pytest.raises(BadExample) as wrong:
        example('kind = "play"\nhold = = 3')
    assert wrong.value.line == 2


@pytest.mark.parametrize("text", ["x = " + "[" * 3000, 'kind = "' + "x" * 5000 + '"', 'kind = "play"\nhold = "\u0000"'])
def test_hostile_text_ends_in_a_message(text):
    with pytest.raises(BadExample):
        example(text)


def test_an_article_without_a_game_has_to_be_told_which():
    with pytest.raises(BadExample, match="which game"):
        example('kind = "order"\ncards = "CK"', None)


def test_more_cards_than_anybody_holds():
    with pytest.raises(BadExample, match="more than 13"):
        example('kind = "play"\nhold = "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14"', "troccas-6")


def test_the_message_is_in_the_readers_language():
    with translation.override("de"), pytest.raises(BadExample) as wrong:
        example('kind = "play"\nhold = "XX"')
    assert wrong.value.field == "hold"
