"""Citations: `[@pagat: The Deal]` in the text, a numbered note for each work and place in it at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from rules.models import Source

_CITATION: Final = re.compile(r"@?\s*([a-z0-9][a-z0-9-]*)\s*(?::\s*(.+))?\Z", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a work: the source's key, and where in it (a heading, a page), or nothing for the whole."""

    source: str
    locator: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.locator}" if self.locator else self.source


def citations(text: str) -> tuple[Citation, ...]:
    """The citations of a list like `@pagat: Scoring; @jv`; empty if any part is none."""
    found = [_CITATION.match(part.strip()) for part in text.split(";")]
    if any(match is None for match in found):
        return ()
    return tuple(Citation(match[1], (match[2] or "").strip()) for match in found if match)


@dataclass(slots=True)
class Footnotes:
    """The notes of one page, numbered in the order of their first mention; the same place in a work has one number."""

    numbers: dict[Citation, int] = field(default_factory=dict)
    mentions: dict[int, int] = field(default_factory=dict)
    works: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The sources that exist, by key, as far as they were looked up."""

    def look_up(self, keys: Iterable[str]) -> None:
        """Fetch the sources of these keys, in one query."""
        wanted = set(keys) - self.works.keys()
        if wanted:
            self.works.update(Source.objects.filter(key__in=wanted).values_list("key", "document"))

    def mention(self, citation: Citation) -> tuple[int, int]:
        """The number of the note, and which mention of it this is (from 1)."""
        number = self.numbers.setdefault(citation, len(self.numbers) + 1)
        self.mentions[number] = self.mentions.get(number, 0) + 1
        return number, self.mentions[number]

    def html(self, addresses: Mapping[str, str]) -> SafeString:
        """The list of notes; `addresses` are those of the sources' own pages. Empty if nothing is cited."""
        if not self.numbers:
            return SafeString("")
        rows = [
            (
                number,
                described(self.works[citation.source], citation.locator, address=addresses.get(citation.source, "")),
                _back(number, self.mentions[number]),
            )
            for citation, number in self.numbers.items()
        ]
        items = format_html_join("", '<li id="source-{}">{} {}</li>', rows)
        return format_html('<ol class="footnotes">{}</ol>', items)


def _back(number: int, mentions: int) -> SafeString:
    """Links back to where a note is mentioned."""
    links = (
        (
            number,
            mention,
            _("Back to where note %(number)d is cited") % {"number": number},
            "" if mentions == 1 else mention,
        )
        for mention in range(1, mentions + 1)
    )
    return format_html_join(
        " ", '<a class="back" href="#cited-{}-{}"><span class="visually-hidden">{} </span>↑{}</a>', links
    )


def short_title(work: Mapping[str, Any]) -> str:
    """What a source is called in a few words: where it is found, else who wrote it, and its title."""
    where = str(work.get("container") or work.get("author") or "")
    title = str(work.get("title") or "")
    return f"{where}, {title}" if where and title else where or title


def described(work: Mapping[str, Any], locator: str = "", *, address: str = "") -> SafeString:
    """A source as a note prints it: author, title, where and when it appeared, address, date read, part of the work."""
    title = format_html("<cite>{}</cite>", work.get("title") or work.get("container") or "")
    if address:
        title = format_html('<a href="{}">{}</a>', address, title)
    if work.get("language"):
        title = format_html('<span lang="{}">{}</span>', work["language"], title)
    author = work.get("author")
    parts = [format_html("{}: {}", author, title) if author else title]
    container = work.get("container") if work.get("title") else ""
    appeared = " ".join(str(work[name]) for name in ("place", "year") if work.get(name))
    parts += [format_html("{}", each) for each in (container, appeared) if each]
    if locator:
        parts.append(format_html("“{}”", locator) if not locator[:1].isdigit() else format_html("{}", locator))
    text = mark_safe(", ".join(parts))  # noqa: S308  # every part is made by format_html
    url = str(work.get("url") or "")
    if urlsplit(url).scheme in ("http", "https"):
        shown = url.removeprefix("https://").removeprefix("http://").removesuffix("/")
        text = format_html('{}. <a class="external address" rel="nofollow noopener" href="{}">{}</a>', text, url, shown)
    if work.get("seen"):
        text = format_html("{} ({})", text, _("read on %(date)s") % {"date": _date(str(work["seen"]))})
    return format_html("{}.", text)


def _date(written: str) -> str:
    """A date of the form 2026-11-21 in the reader's language; anything else as it stands."""
    try:
        return date_format(date.fromisoformat(written), "DATE_FORMAT")
    except ValueError:
        return written
