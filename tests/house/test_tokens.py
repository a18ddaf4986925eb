"""The look keeps its promises: readable colours in both themes, and no colour that is not a token."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
TOKENS = (CSS / "tokens.css").read_text(encoding="utf-8")
THEMES = ("light", "dark")
GROUNDS = ("paper", "paper-raised", "paper-sunk", "red-tint", "ochre-tint", "blue-tint", "green-tint")
LITERAL_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|rgba|hsl|hsla|oklch|oklab|lab|lch|color)\(")


def sheets() -> dict[str, str]:
    """Every style sheet of ours by name, without its comments."""
    return {
        sheet.name: re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
        for sheet in sorted(CSS.glob("*.css"))
    }


def colour(token: str, theme: str) -> str:
    """The hexadecimal colour a token has in a theme."""
    pair = re.search(rf"--{token}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\);", TOKENS)
    if pair:
        return pair.group(1 + THEMES.index(theme))
    same = re.search(rf"--{token}: (#[0-9a-f]{{6}});", TOKENS)
    assert same, f"--{token} is no colour of tokens.css"
    return same.group(1)


def luminance(hexadecimal: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    channels = [int(hexadecimal[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, theme: str) -> float:
    """Contrast ratio of two tokens, 1 to 21."""
    lighter, darker = sorted((luminance(colour(one, theme)), luminance(colour(other, theme))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_and_white_is_the_known_extreme() -> None:
    assert (luminance("#ffffff") + 0.05) / (luminance("#000000") + 0.05) == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("text", ["ink", "ink-soft", "red", "ochre", "blue", "green"])
def test_text_reaches_aa_on_every_ground(text: str, theme: str) -> None:
    low = {ground: round(contrast(text, ground, theme), 2) for ground in GROUNDS if contrast(text, ground, theme) < 4.5}
    assert not low


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("on-accent", "accent"),
        ("on-accent", "accent-strong"),
        ("on-ink-block", "ink-block"),
        ("on-ink-block-soft", "ink-block"),
        ("on-marked", "ochre-fill"),
        ("card-ink", "card-paper"),
    ],
)
def test_text_reaches_aa_on_its_own_surface(text: str, ground: str, theme: str) -> None:
    assert contrast(text, ground, theme) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("line", ["focus", "rule-strong"])
def test_lines_that_mean_something_reach_three_to_one(line: str, theme: str) -> None:
    low = {ground: round(contrast(line, ground, theme), 2) for ground in GROUNDS if contrast(line, ground, theme) < 3}
    assert not low


def test_colours_stand_in_the_tokens_alone() -> None:
    found = {
        name: LITERAL_COLOUR.findall(text)
        for name, text in sheets().items()
        if name != "tokens.css" and LITERAL_COLOUR.search(text)
    }
    assert not found


def test_every_token_a_sheet_uses_exists() -> None:
    everything = "".join(sheets().values())
    defined = set(re.findall(r"(--[\w-]+)\s*:", everything))
    used = set(re.findall(r"var\((--[\w-]+)\)", everything))
    assert used - defined == set()
