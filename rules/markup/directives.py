"""`::: name id` … `:::`: what a page has besides prose. Here they are read; what needs the engine comes later.

A directive that says it in words (`glance`, `note`, `question`, `mistake`) becomes tokens like any other text, so that
citations and terms work inside it. The others leave a token of type `directive` for `rules.markup.filling`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.html import format_html
from django.utils.translation import gettext as _
from markdown_it.rules_block import StateBlock

from rules.markup.citations import Citation, citations
from rules.markup.page import Broken, Page, page_of

_FENCE: Final = ":::"
_OPENING: Final = re.compile(r":::[ \t]*([a-z]+)(?:[ \t]+([a-z0-9][a-z0-9-]{0,59}))?[ \t]*\Z", re.ASCII)
_AT_LINE: Final = re.compile(r" ?\(at line (\d+), column (\d+)\)")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}\Z", re.ASCII | re.IGNORECASE)

DIRECTIVE: Final = "directive"
HEADS: Final = "heads"
LATER: Final = ("values", "ranks", "packets", "words", "sources", "example")
NOT_ON_SHEETS: Final = ("example", "mistake", "words", "sources")
_NEED_AN_ID: Final = ("question", "mistake", "example")


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive as it stands in the text; `line` is that of its opening, from 1."""

    name: str
    id: str
    body: str
    line: int


def directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The block rule: reads from a line that begins with `:::` to the line that closes it."""
    if state.is_code_block(start) or not _line(state, start).startswith(_FENCE):
        return False
    if silent:
        return True
    page = page_of(state.env)
    opening = _OPENING.match(_line(state, start))
    last, closed = _extent(state, start, end)
    state.line = last + 1 if closed else last
    before = len(state.tokens), state.level
    try:
        if opening is None:
            raise Broken(_("A directive is three colons and its name, as in “::: note”."))
        if state.level:
            raise Broken(_("A directive cannot stand inside a list or a quotation."))
        if not closed:
            raise Broken(_("This directive is not closed: write “:::” on a line of its own where it ends."))
        lines = state.getLines(start + 1, last, 0, False)
        _push(state, page, Directive(opening[1], opening[2] or "", lines, start + 1), (start + 1, last))
    except Broken as broken:
        del state.tokens[before[0] :]
        state.level = before[1]
        broken_box(state, page, start + 1 + broken.line, broken.message)
    return True


def toml(body: str) -> Mapping[str, Any]:
    """The body as TOML. Raises Broken, with the line inside the directive."""
    try:
        return tomllib.loads(body)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        found = _AT_LINE.search(str(error))
        said = _AT_LINE.sub("", str(error))
        message = _("The directive is not written as TOML: %(why)s") % {"why": said}
        raise Broken(message, int(found[1]) if found else 0) from None


def broken_box(state: StateBlock, page: Page, line: int, message: str) -> None:
    """In place of what cannot be shown: for who writes, what is wrong and where; for who reads, that something is missing."""
    page.trouble(line, message)
    _html(state, broken_html(page, line, message))


def broken_html(page: Page, line: int, message: str) -> str:
    """The box itself."""
    if page.preview:
        return format_html(
            '<p class="broken">{}</p>\n', _("Line %(line)d: %(message)s") % {"line": line, "message": message}
        )
    return format_html('<p class="broken">{}</p>\n', _("Something cannot be shown here."))


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _extent(state: StateBlock, start: int, end: int) -> tuple[int, bool]:
    """The line where a directive ends, and whether it is closed there.

    One that is not ends before the next directive or section, so that a forgotten line does not swallow the page.
    """
    for line in range(start + 1, end):
        text = _line(state, line)
        if text.strip() == _FENCE:
            return line, True
        if text.startswith((_FENCE, "## ")):
            return line, False
    return end, False


def _push(state: StateBlock, page: Page, found: Directive, lines: tuple[int, int]) -> None:
    if found.name in _NEED_AN_ID and not found.id:
        raise Broken(_("This directive needs an id: write “::: %(name)s some-id”.") % {"name": found.name})
    if page.sheet and found.name in NOT_ON_SHEETS:
        return
    if found.name in LATER:
        token = state.push(DIRECTIVE, "", 0)
        token.meta = {DIRECTIVE: found}
        token.map = [found.line - 1, lines[1]]
    elif found.name == "note":
        _note(state, lines)
    elif found.name in _SAID:
        _SAID[found.name](state, page, found)
    else:
        raise Broken(_("There is no directive “%(name)s”.") % {"name": found.name})


# --- What is said in words ---------------------------------------------------------------------------------------------


def _html(state: StateBlock, html: str) -> None:
    """Our own HTML between the tokens: never what somebody typed, unless escaped."""
    state.push("html_block", "", 0).content = html


def _inline(state: StateBlock, text: str, line: int, *, heads: bool = False) -> None:
    """A writer's text, to be parsed as one line; `heads`: it is a heading or label, where no terms are sought."""
    token = state.push("inline", "", 0)
    token.meta[HEADS] = heads
    token.content = " ".join(text.split())
    token.children = []
    token.map = [line - 1, line]


def _note(state: StateBlock, lines: tuple[int, int]) -> None:
    state.push("note_open", "aside", 1).attrSet("class", "note")
    before = state.lineMax, state.line
    state.lineMax = lines[1]
    state.md.block.tokenize(state, *lines)
    state.lineMax, state.line = before
    state.push("note_close", "aside", -1)


def _glance(state: StateBlock, page: Page, found: Directive) -> None:
    rows = [line.partition(":") for line in found.body.splitlines() if line.strip()]
    if not rows or not all(text.strip() for _label, _colon, text in rows):
        raise Broken(_("Every line at a glance reads “Label: text”."))
    _html(state, '<dl class="glance">')
    for number, (label, _colon, text) in enumerate(rows, found.line + 1):
        _html(state, "<div><dt>")
        _inline(state, label, number, heads=True)
        _html(state, "</dt><dd>")
        _inline(state, text, number)
        _html(state, "</dd></div>")
    _html(state, "</dl>\n")


def _question(state: StateBlock, page: Page, found: Directive) -> None:
    body = toml(found.body)
    title, reading = _text(body, "title"), _text(body, "reading")
    says = body.get("says")
    if not isinstance(says, list) or len(says) < 2 or not all(isinstance(each, dict) for each in says):
        raise Broken(_("An open question has at least two [[says]], one for each source."))
    spoken = [_said(each) for each in says]
    page.questions.append(found.id)
    if page.sheet:
        _reading(state, found, title, reading)
        return
    _html(
        state,
        format_html('<section class="question" id="question-{0}" aria-labelledby="question-{0}-title">', found.id),
    )
    _html(state, format_html('<p class="mark">{}</p>', _("Open question – our reading")))
    _html(state, format_html('<h3 id="question-{}-title">', found.id))
    _inline(state, title, found.line, heads=True)
    _html(state, '</h3><dl class="says">')
    for source, html, text in spoken:
        _html(state, "<div><dt>")
        _source(state, source, found.line)
        _html(state, f"</dt><dd>{html[0]}")
        _inline(state, text, found.line)
        _html(state, f"{html[1]}</dd></div>")
    _html(
        state,
        format_html(
            '</dl><p class="reading"><strong>{}</strong> ', _("We play:") if page.ruleset else _("Our reading:")
        ),
    )
    _inline(state, reading, found.line)
    if body.get("why"):
        _html(state, '</p><p class="why">')
        _inline(state, _text(body, "why"), found.line)
    _html(state, "</p>")
    address = page.links.talk(page.key, found.id) if page.key else ""
    if address:
        _html(state, format_html('<p class="talk"><a href="{}">{}</a></p>', address, _("Discuss this question")))
    _html(state, "</section>\n")


def _reading(state: StateBlock, found: Directive, title: str, reading: str) -> None:
    """Of an open question, what is asked and what we play, as one paragraph."""
    _html(state, format_html('<p class="reading"><span class="mark">{}</span> <em>', _("Our reading:")))
    _inline(state, title, found.line, heads=True)
    _html(state, "</em> ")
    _inline(state, reading, found.line)
    _html(state, "</p>\n")


def _said(each: Mapping[str, Any]) -> tuple[Citation, tuple[str, str], str]:
    """One side of a question: its source, what stands round its words, and the words."""
    source = _cited(_text(each, "source"))
    if each.get("silent") is True:
        return source, ('<em class="missing">', "</em>"), _("says nothing about it")
    if each.get("paraphrase"):
        return source, ("", ""), _text(each, "paraphrase")
    quoted = _text(each, "quote", _("Give what the source says as quote, paraphrase, or silent = true."))
    language = str(each.get("lang") or "")
    if language and not _LANGUAGE.match(language):
        raise Broken(_("“%(lang)s” is no language tag: write en, de or rm-sursilv.") % {"lang": language})
    lang = format_html(' lang="{}"', language) if language else ""
    return source, (f'<q class="quotation"{lang}>', "</q>"), quoted


def _mistake(state: StateBlock, page: Page, found: Directive) -> None:
    body = toml(found.body)
    where = body.get("where")
    cited = [_cited(str(each)) for each in (where if isinstance(where, list) else _text(body, "where").split(";"))]
    claim, truth = _text(body, "claim"), _text(body, "truth")
    _html(
        state, format_html('<section class="mistake" id="mistake-{0}" aria-labelledby="mistake-{0}-claim">', found.id)
    )
    _html(state, format_html('<h3 id="mistake-{}-claim"><span class="mark">{}</span> ', found.id, _("It is said:")))
    _inline(state, claim, found.line, heads=True)
    _html(state, "</h3>")
    _html(state, format_html('<p class="placed"><span class="mark">{}</span> ', _("So written in")))
    for number, each in enumerate(cited):
        _html(state, ", " if number else "")
        _source(state, each, found.line)
    _html(state, format_html('</p><p class="truth"><strong>{}</strong> ', _("In fact:")))
    _inline(state, truth, found.line)
    if body.get("why"):
        _html(state, '</p><p class="why">')
        _inline(state, _text(body, "why"), found.line)
    _html(state, "</p></section>\n")


def _cited(text: str) -> Citation:
    """A single citation, with or without its @. Raises Broken for anything else."""
    cited = citations(text)
    if len(cited) != 1:
        raise Broken(_("“%(text)s” is no citation: write a source’s key, or “key: part of the work”.") % {"text": text})
    return cited[0]


def _source(state: StateBlock, cited: Citation, line: int) -> None:
    """A source by its name, and the number of its note."""
    token = state.push("source_name", "", 0)
    token.meta = {"source": cited.source}
    token.map = [line - 1, line]
    _inline(state, f"[@{cited}]", line)


def _text(body: Mapping[str, Any], name: str, otherwise: str = "") -> str:
    """A text of the body. Raises Broken if it is missing."""
    value = body.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Broken(otherwise or _("“%(name)s” is missing.") % {"name": name})
    return value


_SAID: Final[Mapping[str, Callable[[StateBlock, Page, Directive], None]]] = {
    "glance": _glance,
    "question": _question,
    "mistake": _mistake,
}
