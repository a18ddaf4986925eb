"""The deck's sprite: whole, self-contained, and exactly what the drawing scripts make."""

import gzip
import re
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings

from tools.deck import pen
from tools.deck.__main__ import TARGET
from tools.deck.compose import CODES, compose
from tools.deck.letters import additive_roman

SVG = "{http://www.w3.org/2000/svg}"

TRUMP_TITLES = [
    "LE BATELEUR", "JUNON", "L'IMPERATRICE", "L'EMPEREUR", "JUPITER", "L'AMOUREUX", "LE CHARIOT", "LA JUSTICE", "L'ERMITE",
    "LA ROUE DE FORTUNE", "LA FORCE", "LE PENDU", "LA MORT", "TEMPERANCE", "LE DIABLE", "LA MAISON DE DIEU", "L'ETOILE",
    "LA LUNE", "LE SOLEIL", "LE JUGEMENT", "LE MONDE",
]  # fmt: skip


@cache
def sprite() -> str:
    return TARGET.read_text(encoding="utf-8")


@cache
def root() -> ElementTree.Element:
    return ElementTree.fromstring(sprite())  # noqa: S314  # our own file


@cache
def symbols() -> dict[str, ElementTree.Element]:
    return {symbol.attrib["id"]: symbol for symbol in root().iter(f"{SVG}symbol")}


def glyphs(code: str, kind: str) -> str:
    """What a card says in small capitals (kind l) or in its index (kind b), without spaces and apostrophes."""
    found = (re.fullmatch(rf"#{kind}-(.)", use.get("href", "")) for use in symbols()[code].iter(f"{SVG}use"))
    return "".join(match[1] for match in found if match)


def test_every_card_and_the_back_has_a_symbol() -> None:
    suits = [suit + rank for suit in "COSB" for rank in ("K", "Q", "N", "J", *map(str, range(1, 11)))]
    cards = {*(f"T{value}" for value in range(1, 22)), "F", *suits}
    assert len(CODES) == 78
    assert set(CODES) == cards
    assert symbols().keys() == cards | {"back"}


def test_all_symbols_have_the_same_measure() -> None:
    assert {symbol.get("viewBox") for symbol in symbols().values()} == {"0 0 120 216"}


def test_the_file_is_what_the_script_draws_and_the_script_draws_it_twice_alike() -> None:
    assert Path(settings.BASE_DIR) / "static" / "deck" / "deck.svg" == TARGET
    drawn = compose()
    assert drawn == sprite(), "run: python -m tools.deck"
    assert compose() == drawn


def test_the_sprite_stays_small() -> None:
    assert len(sprite().encode()) < 1_100_000
    assert len(gzip.compress(sprite().encode(), 9)) < 180_000


def test_a_card_stays_light_for_the_browser() -> None:
    by_id = {element.attrib["id"]: element for element in root().iter() if "id" in element.attrib}

    def weight(element: ElementTree.Element) -> int:
        """Elements in the tree a browser builds: a reference costs itself, a root and what it refers to."""
        own = 2 + weight(by_id[element.attrib["href"][1:]]) if element.tag == f"{SVG}use" else 1
        return own + sum(map(weight, element))

    weights = {code: weight(symbol) for code, symbol in symbols().items()}
    assert max(weights.values()) < 600
    assert sum(weights.values()) / len(weights) < 300


def test_ids_are_unique_and_every_reference_stays_inside_and_finds_something() -> None:
    ids = Counter(element.attrib["id"] for element in root().iter() if "id" in element.attrib)
    assert ids.most_common(1)[0][1] == 1
    hrefs = {element.attrib["href"] for element in root().iter() if "href" in element.attrib}
    assert hrefs <= {f"#{name}" for name in ids}


def test_nothing_but_plain_shapes_is_in_the_sprite() -> None:
    allowed = {"svg", "defs", "symbol", "g", "use", "path", "circle", "rect"}
    assert {element.tag.removeprefix(SVG) for element in root().iter()} <= allowed
    attributes = {name for element in root().iter() for name in element.attrib}
    assert "style" not in attributes  # a strict content security policy would drop it
    assert not [name for name in attributes if name.startswith("on") or "{" in name]
    assert re.findall(r"https?://[^\"]+|url\(|data:", sprite()) == ["http://www.w3.org/2000/svg"]


def test_colours_come_from_custom_properties_alone() -> None:
    colours = {element.get(name) for element in root().iter() for name in ("fill", "stroke", "color")} - {None}
    names = set()
    for colour in colours - {"none", "currentColor"}:
        match = re.fullmatch(r"var\(--card-(\w+),#[0-9a-f]{6}\)", str(colour))
        assert match, colour
        names.add(match[1])
    assert names == {"paper", "ink", "red", "ochre", "blue", "green", "flesh", "back"}


def test_no_title_element_shows_an_untranslated_tooltip() -> None:
    assert "<title" not in sprite()


def test_numerals_are_additive() -> None:
    assert [additive_roman(value) for value in (4, 9, 14, 19, 21)] == ["IIII", "VIIII", "XIIII", "XVIIII", "XXI"]


def test_a_trump_shows_its_numeral_and_its_title() -> None:
    for value in range(1, 22):
        # Twice: small in the classic strip, large in the index above it.
        assert glyphs(f"T{value}", "b") == additive_roman(value) * 2
        assert glyphs(f"T{value}", "l") == re.sub("[ ']", "", TRUMP_TITLES[value - 1])


def test_the_fool_has_a_title_and_no_number() -> None:
    assert glyphs("F", "l") == "LEMAT"
    assert glyphs("F", "b") == ""


@pytest.mark.parametrize(("suit", "of"), [("C", "DECOUPE"), ("O", "DEDENIER"), ("S", "DEPEE"), ("B", "DEBATON")])
def test_suit_cards_show_rank_sign_and_caption(suit: str, of: str) -> None:
    for rank, title in (("K", "ROY"), ("Q", "REYNE"), ("N", "CAVALIER"), ("J", "VALET")):
        assert glyphs(suit + rank, "l") == title + of
        assert glyphs(suit + rank, "b") == rank
    for value in range(1, 11):
        assert glyphs(f"{suit}{value}", "l") == additive_roman(value)
        assert glyphs(f"{suit}{value}", "b") == str(value)


@pytest.mark.parametrize("suit", ["C", "O"])
def test_round_suits_show_as_many_signs_as_they_count(suit: str) -> None:
    for value in range(2, 11):
        signs = [use for use in symbols()[f"{suit}{value}"].iter(f"{SVG}use") if use.get("href") == f"#s-{suit}"]
        assert len(signs) == value + 1  # one of them in the index


def test_the_index_of_a_card_can_be_hidden() -> None:
    drawn = symbols()
    for code in CODES:
        layers = [group for group in drawn[code].iter(f"{SVG}g") if group.get("opacity") == "var(--card-index,1)"]
        assert len(layers) == 1, code


def test_ink_of_every_kind_is_wound_the_same_way_so_that_joined_paths_never_cancel_out() -> None:
    def area(drawing: str) -> float:
        """Twice the signed area of the first figure of a path, its control points taken as corners."""
        figure = re.split("(?<=.)[zm]", drawing.split(' d="', 1)[1].split('"', maxsplit=1)[0])[0]
        (x, y), *steps = [
            (float(a), float(b)) for a, b in re.findall(r"(-?\d*\.?\d+)[ ]?(-?\d*\.?\d+)", re.sub("[Mlc]", " ", figure))
        ]
        corners = [(x, y)]
        for command in re.finditer(r"([lc])([^lc]*)", figure):
            values = [float(value) for value in re.findall(r"-?\d*\.\d+|-?\d+", command[2])]
            pairs = list(zip(values[::2], values[1::2], strict=True))
            for i, (dx, dy) in enumerate(pairs):
                corners.append((x + dx, y + dy))
                if command[1] == "l" or i == len(pairs) - 1:
                    x, y = corners[-1]
        assert steps
        return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))

    square = "0,0* 20,0* 20,20* 0,20*"
    inked = [
        pen.brush("0,0 10,4 20,0", 3),
        pen.brush("20,0 10,4 0,0", 3),
        pen.bar("0,0 10,0", 2),
        pen.bar("0,10 0,0", 2),
    ]
    inked += [pen.hatch(square, angle=angle) for angle in (0, 90, 180, 215)]
    assert {area(drawing) > 0 for drawing in inked} == {True} or {area(drawing) > 0 for drawing in inked} == {False}


def test_the_pen_refuses_what_is_no_track() -> None:
    with pytest.raises(ValueError, match=r"not enough values"):
        pen.track("1,2 3")
