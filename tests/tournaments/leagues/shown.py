"""What the site says of a tournament, read off its pages and files as anybody may: nothing here asks its code."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import Any

import lxml.html

from tests.tournaments.evenings.wire import Browser, Page, words

HEADS = {
    "Match points": "match-points",
    "Card points": "card-points",
    "Difference": "difference",
    "Best round": "best-round",
}


def number(text: str) -> int | None:
    """A number as a page writes it; None for a dash."""
    text = text.strip().replace("−", "-").replace("+", "").replace("’", "")
    return None if text in ("–", "") else int(text)


def mean(text: str) -> float:
    """An average as a page writes it, with one decimal place if any."""
    return float(text.strip().replace("−", "-").replace("’", ""))


def entrant_of(element: lxml.html.HtmlElement) -> list[str]:
    """Whose pages are linked here, in order."""
    return [found[1] for link in element.xpath(".//a/@href") if (found := re.search(r"/entrant/(e\d+)/$", str(link)))]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the ranking's page."""

    entrant: str
    rank: int
    values: dict[str, int | None]


def ranking(browser: Browser, at: str) -> list[Line]:
    """The page of the ranking."""
    page = browser.page(f"{at}standings/")
    table = page.tree.xpath("//table[contains(@class, 'ranking')]")
    if not table:
        return []
    heads = [str(each.get("title")).partition(".")[0] for each in table[0].xpath(".//thead//abbr")]
    found = []
    for row in table[0].xpath(".//tbody/tr"):
        cells = [words(cell) for cell in row.xpath("td")]
        rank = number(re.sub(r"\D*$", "", cells[0])) or 0
        values = {HEADS[head]: number(cell) for head, cell in zip(heads, cells[1:], strict=True) if head in HEADS}
        found.append(Line(entrant_of(row)[0], rank, values))
    return found


def seating(browser: Browser, at: str, key: str) -> dict[int, tuple[list[str], list[int]]]:
    """The page of a round: of each table who sits there, side by side, and the sums it shows."""
    page = browser.page(f"{at}seating/{key}/")
    found = {}
    for table in page.tree.xpath("//ol[contains(concat(' ', @class, ' '), ' tables-shown ')]/li"):
        sums = [
            each
            for cell in table.xpath(".//b[contains(concat(' ', @class, ' '), ' sum ')]")
            if (each := number(words(cell))) is not None
        ]
        found[int(str(table.get("id"))[1:])] = (
            entrant_of(table.xpath(".//ul[contains(concat(' ', @class, ' '), ' sides ')]")[0]),
            sums,
        )
    return found


@dataclass(frozen=True, slots=True)
class Made:
    """What a page says that the dealer's side, and then the other, made of a deal at one table."""

    entrants: tuple[list[str], list[str]]
    points: tuple[int, int]
    gains: tuple[int, int]


def traveller(page: Page) -> tuple[list[float], dict[int, Made]] | None:
    """The page of a deal: the datum and what each table made of it; None while it is sealed."""
    datum = page.tree.xpath("//p[contains(concat(' ', @class, ' '), ' datum ')]")
    if not datum:
        return None
    means = [mean(words(cell)) for cell in datum[0].xpath(".//b")]
    found = {}
    for item in page.tree.xpath("//ol[contains(concat(' ', @class, ' '), ' travellers ')]/li"):
        link = str(item.xpath(".//h3//a/@href")[0])
        rows = item.xpath(".//tbody/tr")
        cells = [[number(words(cell)) or 0 for cell in row.xpath("td")] for row in rows]
        found[int(link.rstrip("/").rpartition("/")[2])] = Made(
            (entrant_of(rows[0]), entrant_of(rows[1])),
            (cells[0][0], cells[1][0]),
            (cells[0][1], cells[1][1]),
        )
    return means, found


def table_of(browser: Browser, at: str, name: str) -> list[list[str]]:
    """A table for spreadsheets, without its heads."""
    text = browser.page(f"{at}results/{name}.csv").body.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=";"))[1:]


def season(browser: Browser, path: str) -> dict[str, int]:
    """The list of a season: name -> total."""
    page = browser.page(path)
    rows = page.tree.xpath("//table[contains(@class, 'ranking')]/tbody/tr")
    return {words(row.xpath("th")[0]): number(words(row.xpath("td[2]")[0])) or 0 for row in rows}


def results(browser: Browser, at: str) -> Any:
    """The file for programs."""
    return browser.page(f"{at}results.json").json()
