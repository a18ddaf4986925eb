"""Terms in sentences that the program writes, as the account of a hand: linked, and explained, as in an article."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from rules.markup import term_links
from rules.markup.filling import word_list
from rules.markup.lexicon import WORD, Lexicon, Word, lexicon
from rules.markup.links import Links
from rules.markup.page import Page

FIRST, LAST = "\ue100", "\ue101"
_CARDS: Final = ("ranks.", "suits.", "trumps.")
_KEPT: Final = re.compile(f"{FIRST}(\\d+){LAST}")


@dataclass(slots=True)
class Mentions:
    """The terms of one page of sentences in `language`, about the game of `ruleset`.

    Within a chapter each term is linked at its first mention; `chapter` begins another. The names of suits and ranks, which
    every sentence may hold, are linked at their first mention of all. What people are called and what
    they said must never be taken for a term: put `keep(text)` into the sentence in its place.
    """

    language: str
    ruleset: str
    _page: Page = field(init=False)
    _words: Lexicon = field(init=False)
    _chapter: set[str] = field(default_factory=set)
    _kept: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._page = Page(self.language, Links(self.language), ruleset=self.ruleset)
        self._words = lexicon(self.language)

    def keep(self, text: str) -> str:
        """What stands for `text` until the sentence is linked. Equal texts have equal marks."""
        if text not in self._kept:
            self._kept.append(text)
        return f"{FIRST}{self._kept.index(text)}{LAST}"

    def chapter(self) -> None:
        """From here on every term is linked again, but those that cards are called by."""
        self._chapter = {key for key in self._chapter if key.startswith(_CARDS)}

    def linked(self, sentence: str) -> SafeString:
        """The sentence as HTML, with links to its terms."""
        parts: list[SafeString] = []
        at = 0
        for start, end, word in self._found(sentence):
            parts.append(self._text(sentence[at:start]))
            parts.append(
                term_links.link(
                    self._page, word, sentence[start:end], language=self._foreign(word, sentence[start:end])
                )
            )
            self._chapter.add(word.key)
            at = end
        parts.append(self._text(sentence[at:]))
        return format_html_join("", "{}", ((part,) for part in parts))

    def plain(self, sentence: str) -> str:
        """The sentence as text, with what was kept in its place."""
        return _KEPT.sub(lambda mark: self._kept[int(mark[1])], sentence)

    def glossary(self) -> SafeString:
        """The terms mentioned, each with what it means; empty if there was none."""
        return word_list(self._page, self._words)

    def _found(self, sentence: str) -> list[tuple[int, int, Word]]:
        """The terms to be linked, in their order: words of the language, and words the players call things by."""
        game = self._page.game
        found = list(self._words.matches(sentence, game))
        taken = [range(start, end) for start, end, _word in found]
        for match in WORD.finditer(sentence):
            word = self._words.own_word(match[0], game)
            if word is not None and word.own and not any(match.start() in part for part in taken):
                found.append((match.start(), match.end(), word))
        chosen: list[tuple[int, int, Word]] = []
        known = set(self._chapter)
        for start, end, word in sorted(found, key=lambda each: each[0]):
            if word.key not in known:
                known.add(word.key)
                chosen.append((start, end, word))
        return chosen

    def _foreign(self, word: Word, label: str) -> str:
        return word.own_lang if word.own.casefold() == label.casefold() and word.own_lang != self.language else ""

    def _text(self, text: str) -> SafeString:
        return format_html("{}", self.plain(text))
