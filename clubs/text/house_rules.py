"""House rules in words: what each field is called, and the whole profile as the club would print it.

What a club writes about itself, and its news: CommonMark without pictures and without HTML, made into clean HTML.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markdown_it import MarkdownIt
from markdown_it.token import Token

from clubs.services.house_rules import ELSEWHERE
from clubs.text import standings
from domain.standings.profile import Given, HouseRules, TableSize
from games import forms
from games.selectors import rulesets
from rules.markup.page import clean


@dataclass(frozen=True, slots=True)
class Line:
    """One rule: what it is about, and what holds. `field` is its name in the profile."""

    field: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with its rules."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A rule that is not the same in two versions; an empty text: the rule is not there."""

    part: str
    label: str
    before: str
    after: str


def label(field: str) -> str:
    """What a field of the profile is called, in forms and on paper."""
    return {
        "name": _("Name of these rules"),
        "ruleset": _("Game"),
        "talk": _("What may be said"),
        "deals": _("Deals in a round"),
        "rounds": _("Rounds"),
        "match": _("Match points"),
        "win": _("for winning"),
        "draw": _("for a draw"),
        "loss": _("for losing"),
        "places": _("Match points by place at the table"),
        "drawn": _("If a round ends level"),
        "bye": _("A bye"),
        "late": _("Coming later"),
        "absent": _("Not being there"),
        "wrong_sum": _("If a deal does not add up"),
        "unfinished": _("If a round is cut short"),
        "dropped": _("Worst rounds that do not count"),
        "drop_missed": _("Rounds that were missed may be among them"),
        "tie_breaks": _("What decides, in this order"),
        "head_to_head": _("Head to head counts"),
        "table_sizes": _("Tables of another size"),
        "penalties": _("Penalties"),
        "leavers": _("Who leaves early is listed"),
        "fewest_rounds": _("Rounds needed for a rank"),
        "overdue": _("Online: if a table is not over at the deadline"),
    }[field]


def part_titles() -> dict[str, str]:
    """The headings under which the fields stand."""
    return {
        "game": _("The game"),
        "scoring": _("What counts"),
        "missed": _("Rounds that are not played"),
        "wrong": _("When something is wrong"),
        "order": _("Who stands before whom"),
        "tables": _("Tables of other sizes"),
        "penalties": _("Penalties"),
    }


def game_name(id: str) -> str:
    """What the game is called; its id where this site does not know it any more."""
    try:
        return rulesets.game_name(id)
    except KeyError:
        return id


def parts(rules: HouseRules) -> tuple[Part, ...]:
    """The whole profile in words, in the order in which one would explain it."""
    titles = part_titles()
    found = (
        ("game", _game(rules)),
        ("scoring", _scoring(rules)),
        ("missed", _missed(rules)),
        ("wrong", _wrong(rules)),
        ("order", _order(rules)),
        ("tables", [_table_size(size) for size in rules.table_sizes]),
        ("penalties", _penalties(rules)),
    )
    return tuple(Part(titles[key], tuple(lines)) for key, lines in found if lines)


def differences(before: HouseRules, after: HouseRules) -> list[Difference]:
    """The rules that are not the same, in the order of the later version, then what is gone."""
    old, new = _by_field(before), _by_field(after)
    changed = [
        Difference(part, line.label, old[field][1].text if field in old else "", line.text)
        for field, (part, line) in new.items()
        if field not in old or old[field][1].text != line.text
    ]
    return changed + [
        Difference(part, line.label, line.text, "") for field, (part, line) in old.items() if field not in new
    ]


def _by_field(rules: HouseRules) -> dict[str, tuple[str, Line]]:
    return {line.field: (part.title, line) for part in parts(rules) for line in part.lines}


def _game(rules: HouseRules) -> list[Line]:
    return [
        Line("name", label("name"), rules.name),
        Line("ruleset", label("ruleset"), game_name(rules.ruleset)),
        *(_option(rules, name, value) for name, value in rules.options if name not in ELSEWHERE),
        Line("talk", label("talk"), standings.choice("talk", rules.talk)),
        Line("rounds", label("rounds"), str(rules.rounds)),
        Line("deals", label("deals"), str(rules.deals)),
    ]


def _option(rules: HouseRules, name: str, value: object) -> Line:
    try:
        called, _about = forms.words_of(name)
    except KeyError:
        called = name
    if isinstance(value, bool):
        text = _("yes") if value else _("no")
    else:
        text = forms.choice_words().get(str(value), str(value))
    return Line(f"options.{name}", called, text)


def _scoring(rules: HouseRules) -> list[Line]:
    match = rules.match
    numbers = {"win": match.win, "draw": match.draw, "loss": match.loss}
    lines = [
        Line("match", label("match"), _("%(win)d for winning, %(draw)d for a draw, %(loss)d for losing") % numbers)
    ]
    for row in match.places:
        given = {"size": len(row), "points": ", ".join(map(str, row))}
        about = _("At a table of %(size)d who play alone, from the first place on: %(points)s") % given
        lines.append(Line(f"match.places.{len(row)}", label("places"), about))
    lines.append(Line("drawn", label("drawn"), standings.choice("drawn", rules.drawn)))
    if rules.dropped:
        count = ngettext("the worst one", "the %(count)d worst ones", rules.dropped) % {"count": rules.dropped}
        missed = _("missed rounds among them") if rules.drop_missed else _("of those that were played")
        lines.append(Line("dropped", label("dropped"), f"{count}, {missed}"))
    return lines


def _missed(rules: HouseRules) -> list[Line]:
    return [Line(field, label(field), _given(each)) for field, each in _givens(rules)]


def _givens(rules: HouseRules) -> list[tuple[str, Given]]:
    return [("bye", rules.bye), ("late", rules.late), ("absent", rules.absent)]


def _given(given: Given) -> str:
    if given.method != "fixed":
        return standings.choice("given", given.method)
    numbers = {"points": standings.points(given.points), "match": given.match}
    return ngettext("%(points)s, %(match)d match point", "%(points)s, %(match)d match points", given.match) % numbers


def _wrong(rules: HouseRules) -> list[Line]:
    return [
        Line("wrong_sum", label("wrong_sum"), standings.choice("wrong_sum", rules.wrong_sum)),
        Line("unfinished", label("unfinished"), standings.choice("unfinished", rules.unfinished)),
        Line("overdue", label("overdue"), standings.choice("overdue", rules.overdue)),
    ]


def _order(rules: HouseRules) -> list[Line]:
    order = [standings.criterion(code).name for code in rules.tie_breaks]
    lines = [Line("tie_breaks", label("tie_breaks"), ", ".join(order))]
    if any(code.startswith("head-to-head") for code in rules.tie_breaks):
        lines.append(Line("head_to_head", label("head_to_head"), standings.choice("head_to_head", rules.head_to_head)))
    lines.append(Line("leavers", label("leavers"), standings.choice("leavers", rules.leavers)))
    if rules.fewest_rounds:
        lines.append(Line("fewest_rounds", label("fewest_rounds"), str(rules.fewest_rounds)))
    return lines


def _table_size(size: TableSize) -> Line:
    said = []
    if size.deals:
        said.append(ngettext("%(deals)d deal", "%(deals)d deals", size.deals) % {"deals": size.deals})
    if size.percent != 100:
        said.append(_("points count for %(percent)d %%") % {"percent": size.percent})
    if size.per_deal:
        said.append(_("%(points)+d points for each deal") % {"points": size.per_deal})
    called = _("At a table of %(size)d") % {"size": size.size}
    return Line(f"table_sizes.{size.size}", called, ", ".join(said) or _("as elsewhere"))


def _penalties(rules: HouseRules) -> list[Line]:
    lines = []
    for each in rules.penalties:
        said = []
        if each.points:
            said.append(standings.points(each.points))
        if each.match:
            said.append(ngettext("%(match)d match point", "%(match)d match points", each.match) % {"match": each.match})
        taken = _("takes %(what)s") % {"what": standings.names_in_a_row(said)} if said else _("a warning")
        lines.append(Line(f"penalties.{each.code}", each.title, taken))
    return lines


_DEEPEST: Final = 20


@cache
def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True, "maxNesting": _DEEPEST})
    markdown.disable(["html_block", "html_inline", "image"])
    return markdown


def prose(text: str, *, below: int = 2) -> SafeString:
    """The text as HTML. Its headings begin one step below the heading `below`; links tell search engines nothing.

    Whatever the text holds, the answer is harmless.
    """
    tokens = _parser().parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, below + int(token.tag[1]))}"
        for child in token.children or ():
            _keep_out(child)
    html = _parser().renderer.render(tokens, _parser().options, {})
    return mark_safe(clean(html))  # noqa: S308  # cleaned


def _keep_out(token: Token) -> None:
    """A link that a club sets is not our recommendation."""
    if token.type == "link_open" and not str(token.attrGet("href") or "").startswith("/"):
        token.attrSet("rel", "nofollow ugc noopener")
