"""What we write is our own: no run of nine words of the sources stands in an article, a definition or a note."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.content_files import CONTENT

RUN = 9
SOURCES = Path(__file__).resolve().parents[3] / "shared" / "sources"
WORD = re.compile(r"[^\W_]+")
PROSE = ("definitions", "note", "meaning", "tells", "gloss")


def words(text: str) -> list[str]:
    """The words of a text, whatever their case and punctuation."""
    return WORD.findall(text.casefold())


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Every run of nine words in which at least one is no number: figures are facts."""
    found = words(text)
    for at in range(len(found) - RUN + 1):
        run = tuple(found[at : at + RUN])
        if not all(word.isdecimal() for word in run):
            yield run


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value of TOML, however deep; citations name works and are no prose."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name != "sources":
                yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def prose_of_words(value: Any) -> Iterator[str]:
    """The definitions and notes of a file of words, at whatever depth they stand."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from texts_in(inner) if name in PROSE else prose_of_words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from prose_of_words(inner)


def ours() -> list[Path]:
    return sorted([*CONTENT.glob("articles/*/*.md"), *CONTENT.glob("terms/*.toml"), *CONTENT.glob("*.toml")])


@pytest.fixture(scope="module")
def sources() -> dict[tuple[str, ...], str]:
    """The runs of the sources, and which has each."""
    files = sorted(SOURCES.glob("*.txt"))
    if not files:
        pytest.skip("the texts of the sources are not kept with the program")
    return {run: file.name for file in files for run in runs(file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("file", ours(), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_no_run_of_nine_words_is_taken_from_a_source(file: Path, sources: dict[tuple[str, ...], str]) -> None:
    text = file.read_text(encoding="utf-8")
    texts = [text] if file.suffix == ".md" else list(prose_of_words(tomllib.loads(text)))
    taken = [f"{sources[run]}: {' '.join(run)}" for each in texts for run in runs(each) if run in sources]
    assert taken == []


def test_a_run_is_found_across_lines_and_punctuation_but_figures_alone_are_none() -> None:
    found = {" ".join(run) for run in runs("Whoever has no\ncard – of the suit led – must trump.")}
    assert found == {"whoever has no card of the suit led must", "has no card of the suit led must trump"}
    assert list(runs("10 9 8 7 6 5 4 3 2 1")) == []
    assert list(
        prose_of_words({"a": {"definitions": {"en": {"text": "one", "sources": ["two"]}}, "terms": "three"}})
    ) == ["one"]
