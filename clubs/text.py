"""House rules, standings and the texts of clubs, in the reader's language; for forms, lists and paper.

`domain.standings` uses codes; this module puts them into words. A code without words is a bug and raises KeyError.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localdate
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from clubs import evenings
from clubs.models import Club, Member
from clubs.money import money_text
from clubs.services.common import ELSEWHERE
from core.sursilvan import in_a_row
from domain.errors import DomainError
from domain.standings.profile import Given, HouseRules, TableSize
from games import forms
from games.selectors import rulesets
from games.text.figures import with_minus
from rules.markup.page import clean


class Named(NamedTuple):
    """A name for forms and lines of text, a short one for column headings, and an explanation."""

    name: str
    short: str
    meaning: str


_CRITERIA: Final = {
    "match-points": (
        _("Match points"),
        _("Match"),
        _("For rounds won and drawn, as the house rules give them, less penalties."),
    ),
    "card-points": (_("Card points"), _("Points"), _("All points of the rounds that count, less penalties.")),
    "difference": (_("Difference"), _("Diff."), _("Own points less those of the opponents, in the rounds that count.")),
    "wins": (_("Rounds won"), _("Won"), _("How many of the rounds that count were won.")),
    "deals-won": (_("Deals won"), _("Deals"), _("Deals in which one’s side had more than every other side.")),
    "rounds-played": (_("Rounds played"), _("Played"), _("Rounds played at a table, counted or not.")),
    "best-round": (_("Best round"), _("Best"), _("The most points in one round.")),
    "without-worst": (
        _("Points without the worst round"),
        _("Without worst"),
        _("Card points, the worst round left out."),
    ),
    "head-to-head": (_("Head to head"), _("H2H"), _("Who won more often when those who are equal met each other.")),
    "head-to-head-difference": (
        _("Head to head, by points"),
        _("H2H ±"),
        _("Points less the opponents’ in the meetings of those who are equal."),
    ),
    "opponents-strength": (
        _("Strength of the opponents"),
        _("Opp."),
        _("What one’s opponents have reached, on average."),
    ),
    "lot": (_("Lot"), _("Lot"), _("Cards are cut, or a lot is drawn; it is written down.")),
}


def criterion(code: str) -> Named:
    """A criterion of the ranking (`domain.standings.criteria.CRITERIA`)."""
    return Named(*map(str, _CRITERIA[code]))


AVERAGES: Final = frozenset({"opponents-strength"})
"""Criteria whose values are stored in thousandths."""


def criterion_value(code: str, number: int | None) -> str:
    """The value of a criterion for display: averages with two decimals, a real minus sign, a dash for None."""
    if number is None:
        return "–"
    return f"{number / 1000:.2f}".replace("-", "−") if code in AVERAGES else with_minus(number)


_CHOICES: Final = {
    "talk": {
        "phrases": _("phrases of the phrase book"),
        "silent": _("nothing but yes and no"),
        "free": _("phrases and own words"),
    },
    "given": {
        "fixed": _("a fixed score"),
        "own-average": _("the average of one’s own rounds"),
        "field-average": _("the average of everybody in that round"),
        "lowest": _("the lowest score of that round"),
    },
    "wrong_sum": {
        "recount": _("the deal is counted again"),
        "split": _("the difference is shared between the sides"),
        "strike": _("the deal is struck out: nobody gets anything"),
    },
    "unfinished": {
        "as-played": _("what was played counts"),
        "full-length": _("what was played is scaled to a whole round"),
        "strike": _("the round does not count"),
    },
    "drawn": {
        "draw": _("the round is drawn"),
        "extra-deal": _("one more deal is played"),
    },
    "head_to_head": {
        "all-met": _("only if all who are equal met equally often"),
        "mini-table": _("as soon as any of them met"),
    },
    "leavers": {
        "ranked": _("in their place"),
        "after": _("after all who stayed"),
        "out": _("not in the list"),
    },
    "overdue": {
        "postpone": _("it plays on, and counts when it is over; only a knock-out waits for it"),
        "forfeit": _("whoever keeps it waiting forfeits: absent in that round, the others have a bye"),
        "as-played": _("it ends there, and the deals that are over count"),
    },
    "odd_numbers": {
        "threes": _("tables of three, where each plays alone"),
        "larger": _("one table of five or six, with partners"),
        "bye": _("somebody sits out"),
    },
    "by": {
        "place": _("points for places"),
        "field": _("one point for everybody left behind, and one for oneself"),
        "sum": _("the results of the evenings added up"),
    },
    "state": {
        "confirmed": _("confirmed"),
        "entered": _("entered, not confirmed"),
        "disputed": _("disputed"),
    },
    "kind": {
        "played": _("played"),
        "pending": _("not confirmed yet"),
        "bye": _("bye"),
        "late": _("came later"),
        "absent": _("absent"),
        "left": _("had left"),
    },
    "ties": {
        "by-rank": _("those who share a rank share its prizes"),
        "equal": _("all with the same score share their prizes"),
        "hort": _("half by rank, half shared by all with the same score"),
    },
    "rest": {
        "first": _("to the first of those who share"),
        "till": _("into the till"),
    },
    "till": {
        "fee": _("fee"),
        "deposit": _("deposit"),
        "income": _("other income"),
        "refund": _("fee given back"),
        "prize": _("prize"),
        "expense": _("expense"),
        "payout": _("taken out"),
    },
}


def choice(field: str, code: str) -> str:
    """The words for a choice of the house rules or of a season: ``choice("wrong_sum", "recount")``."""
    return str(_CHOICES[field][code])


def choices(field: str) -> list[tuple[str, str]]:
    """All choices of a field, for a form, in the order of the standings."""
    return [(code, str(words)) for code, words in _CHOICES[field].items()]


def standings_refusal(refused: DomainError, name_of: Callable[[str], str] | None = None) -> str:
    """Why the standings refused something, as a sentence that says what to do.

    `name_of` turns the ids in it (of entrants, of entries of the till) into names.
    """
    facts = dict(refused.facts)
    if name_of is not None:
        for key in ("id", "name"):
            if isinstance(facts.get(key), str):
                facts[key] = name_of(str(facts[key]))
    return _sentence(refused.code, facts)


_SENTENCES: Final = {
    "too-few": _("At least two are needed for that."),
    "bad-stay": _("%(id)s would have left before coming. Look at the rounds of coming and leaving."),
    "negative": _("Write a number that is not below 0."),
    "no-reason": _("A penalty needs a reason: %(id)s."),
    "no-such-round": _("There is no such round; there are %(rounds)s."),
    "too-few-sides": _("A table needs at least two sides."),
    "not-a-choice": _("Choose one of: %(choices)s."),
    "out-of-range": _("Write a number from %(low)s to %(high)s."),
    "bad-count": _("There must be %(low)s to %(high)s of them."),
    "unknown-id": _("%(id)s does not take part here."),
    "no-such-coin": _("There is no coin or note of %(coin)s Rappen."),
    "missing": _("This must be filled in."),
    "drops-all": _("At least one round must count: of %(rounds)s rounds, fewer can be dropped."),
    "more-than-rounds": _("There are only %(rounds)s rounds. Write a number up to that."),
    "wrong-order": _("The better result must not get less: begin with the largest number."),
    "bad-first": _("The first criterion must be match points, card points or the difference."),
    "lot-not-last": _("After a lot nobody is equal any more: put it last."),
    "not-json": _("This file cannot be read as JSON. Take one that was saved here."),
    "not-a-group": _("A group of values is expected here."),
    "unknown-format": _("This is not a file of house rules: its format is not %(expected)s."),
    "not-a-number": _("Write a whole number."),
    "not-a-text": _("Write a text."),
    "bad-length": _("Write %(low)s to %(high)s characters."),
    "not-yes-or-no": _("This is yes or no."),
    "not-a-list": _("A list is expected here."),
    "too-many": _("There are too many: %(high)s at most."),
    "bad-option": _("An option is a word, a number, or yes or no."),
    "unknown": _("This field is unknown. Remove it."),
    "unknown-category": _("There is no category “%(category)s”."),
    "empty": _("A prize is money or a thing: write one of them."),
    "not-ranked": _("This list has no ranks yet."),
}


def _sentence(code: str, facts: dict[str, str | int]) -> str:
    if code == "out-of-range" and "low" not in facts:
        return gettext("This number is too large or too small.")
    if code == "bad-count" and "expected" in facts:
        return gettext("There must be %(expected)s numbers here, one for each side; there are %(given)s.") % facts
    if code == "twice":
        who = facts.get("name") or facts.get("id")
        return (
            gettext("“%(what)s” appears twice. Take one of them out.") % {"what": who}
            if who
            else gettext("One of them appears twice.")
        )
    if code == "negative" and facts.get("id"):
        return gettext("A number below 0 makes no sense here (%(id)s).") % facts
    if code in _SENTENCES:
        return str(_SENTENCES[code]) % facts
    return gettext("That cannot be done now (%(code)s).") % {"code": code}


def lost_by_closing(club: Club) -> list[str]:
    """What is deleted if the club is closed, and what stays: a sentence each."""
    people = Member.objects.filter(club=club).count()
    lost = [
        ngettext(
            "The list of members with %(count)d entry and all roles are deleted.",
            "The list of members with %(count)d entries and all roles are deleted.",
            people,
        )
        % {"count": people},
        gettext("The calendar, the news and the seasons are deleted; subscribed calendars and feeds end."),
        gettext("Open requests and invitations are deleted."),
    ]
    source = evenings.source()
    stays = source.keeps_results(club)
    not_over = [each for each in source.all_of(club) if not each.over and not each.cancelled]
    if not_over:
        words = (
            gettext("Evenings that are not over are ended or called off: %(evenings)s.")
            if stays
            else gettext("Evenings that are not over are deleted with everything in them: %(evenings)s.")
        )
        lost.append(
            words % {"evenings": in_a_row(evenings.dated(each.title, localdate(each.starts)) for each in not_over)}
        )
    if stays:
        lost.append(gettext("Results stay under their addresses, with initials in place of names."))
    return lost


def points_in_words(number: int) -> str:
    """ "1 point", "12 points"."""
    return ngettext("%(number)d point", "%(number)d points", number) % {"number": number}


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule: its label and what it says. `field` is its name in the profile."""

    field: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class RulePart:
    title: str
    lines: tuple[RuleLine, ...]


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """A rule that differs between two versions. An empty text means that a version does not have the rule."""

    part: str
    label: str
    before: str
    after: str


_LABELS: Final = {
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
    "leavers": _("Those who leave early are listed"),
    "fewest_rounds": _("Rounds needed for a rank"),
    "overdue": _("Online: if a table is not over at the deadline"),
    "odd_numbers": _("If the number does not fit"),
    "fee": _("Entry fee"),
}


def rule_label(field: str) -> str:
    """The label of a field of the profile, in forms and on paper."""
    return str(_LABELS[field])


_PART_TITLES: Final = {
    "game": _("The game"),
    "scoring": _("What counts"),
    "missed": _("Rounds that are not played"),
    "wrong": _("When something is wrong"),
    "order": _("Order of the ranking"),
    "tables": _("Tables of other sizes"),
    "penalties": _("Penalties"),
}


def part_titles() -> dict[str, str]:
    """The headings of the groups of fields."""
    return {part: str(title) for part, title in _PART_TITLES.items()}


def game_name(id: str) -> str:
    """The name of the game; its id if this site no longer has the game."""
    try:
        return rulesets.game_name(id)
    except KeyError:
        return id


def rules_in_words(rules: HouseRules) -> tuple[RulePart, ...]:
    """The whole profile in words, in the order in which one would explain it."""
    odd = RuleLine("odd_numbers", rule_label("odd_numbers"), choice("odd_numbers", rules.odd_numbers))
    parts = (
        ("game", _game(rules)),
        ("scoring", _scoring(rules)),
        ("missed", _missed(rules)),
        ("wrong", _wrong(rules)),
        ("order", _order(rules)),
        ("tables", [odd, *(table_size_line(size) for size in rules.table_sizes)]),
        ("penalties", _penalties(rules)),
    )
    return tuple(RulePart(str(_PART_TITLES[key]), tuple(lines)) for key, lines in parts if lines)


def rule_differences(before: HouseRules, after: HouseRules) -> list[RuleDifference]:
    """The rules that differ, in the order of the later version; then those that it no longer has."""
    old, new = _by_field(before), _by_field(after)
    changed = [
        RuleDifference(part, line.label, old[field][1].text if field in old else "", line.text)
        for field, (part, line) in new.items()
        if field not in old or old[field][1].text != line.text
    ]
    return changed + [
        RuleDifference(part, line.label, line.text, "") for field, (part, line) in old.items() if field not in new
    ]


def _by_field(rules: HouseRules) -> dict[str, tuple[str, RuleLine]]:
    return {line.field: (part.title, line) for part in rules_in_words(rules) for line in part.lines}


def _game(rules: HouseRules) -> list[RuleLine]:
    return [
        RuleLine("name", rule_label("name"), rules.name),
        RuleLine("ruleset", rule_label("ruleset"), game_name(rules.ruleset)),
        *(_option(name, value) for name, value in rules.options if name not in ELSEWHERE),
        RuleLine("talk", rule_label("talk"), choice("talk", rules.talk)),
        RuleLine("rounds", rule_label("rounds"), str(rules.rounds)),
        RuleLine("deals", rule_label("deals"), str(rules.deals)),
        *([RuleLine("fee", rule_label("fee"), money_text(rules.fee))] if rules.fee else []),
    ]


def _option(name: str, value: object) -> RuleLine:
    try:
        label, _about = forms.words_of(name)
    except KeyError:
        label = name
    if isinstance(value, bool):
        text = gettext("yes") if value else gettext("no")
    else:
        text = forms.choice_words().get(str(value), str(value))
    return RuleLine(f"options.{name}", label, text)


def _scoring(rules: HouseRules) -> list[RuleLine]:
    match = rules.match
    numbers = {"win": match.win, "draw": match.draw, "loss": match.loss}
    lines = [
        RuleLine(
            "match",
            rule_label("match"),
            gettext("%(win)d for winning, %(draw)d for a draw, %(loss)d for losing") % numbers,
        )
    ]
    for row in match.places:
        given = {"size": len(row), "points": ", ".join(map(str, row))}
        about = gettext("At a table of %(size)d who play alone, from the first place on: %(points)s") % given
        lines.append(RuleLine(f"match.places.{len(row)}", rule_label("places"), about))
    lines.append(RuleLine("drawn", rule_label("drawn"), choice("drawn", rules.drawn)))
    if rules.dropped:
        count = ngettext("the worst one", "the %(count)d worst ones", rules.dropped) % {"count": rules.dropped}
        missed = gettext("missed rounds among them") if rules.drop_missed else gettext("of those that were played")
        lines.append(RuleLine("dropped", rule_label("dropped"), f"{count}, {missed}"))
    return lines


def _missed(rules: HouseRules) -> list[RuleLine]:
    given = {"bye": rules.bye, "late": rules.late, "absent": rules.absent}
    return [RuleLine(field, rule_label(field), given_in_words(each)) for field, each in given.items()]


def given_in_words(given: Given) -> str:
    """What somebody gets for a round that they did not play."""
    if given.method != "fixed":
        return choice("given", given.method)
    numbers = {"points": points_in_words(given.points), "match": given.match}
    return ngettext("%(points)s, %(match)d match point", "%(points)s, %(match)d match points", given.match) % numbers


def _wrong(rules: HouseRules) -> list[RuleLine]:
    return [
        RuleLine("wrong_sum", rule_label("wrong_sum"), choice("wrong_sum", rules.wrong_sum)),
        RuleLine("unfinished", rule_label("unfinished"), choice("unfinished", rules.unfinished)),
        RuleLine("overdue", rule_label("overdue"), choice("overdue", rules.overdue)),
    ]


def _order(rules: HouseRules) -> list[RuleLine]:
    order = [criterion(code).name for code in rules.tie_breaks]
    lines = [RuleLine("tie_breaks", rule_label("tie_breaks"), ", ".join(order))]
    if any(code.startswith("head-to-head") for code in rules.tie_breaks):
        lines.append(RuleLine("head_to_head", rule_label("head_to_head"), choice("head_to_head", rules.head_to_head)))
    lines.append(RuleLine("leavers", rule_label("leavers"), choice("leavers", rules.leavers)))
    if rules.fewest_rounds:
        lines.append(RuleLine("fewest_rounds", rule_label("fewest_rounds"), str(rules.fewest_rounds)))
    return lines


def table_size_line(size: TableSize) -> RuleLine:
    """The rule for tables of a size: how they differ from the others."""
    parts = []
    if size.deals:
        parts.append(ngettext("%(deals)d deal", "%(deals)d deals", size.deals) % {"deals": size.deals})
    if size.percent != 100:
        parts.append(gettext("points count for %(percent)d %%") % {"percent": size.percent})
    if size.per_deal:
        parts.append(gettext("%(points)+d points for each deal") % {"points": size.per_deal})
    label = gettext("At a table of %(size)d") % {"size": size.size}
    return RuleLine(f"table_sizes.{size.size}", label, ", ".join(parts) or gettext("as elsewhere"))


def uneven_dealing(deals: int, dealers: int, *, look_on: bool = False) -> str:
    """A sentence on who deals once more than the others; "" if the deals go round evenly among the `dealers`, who deal
    in turn from the first place on. With `look_on` it is about looking on in turn instead of dealing."""
    more = deals % dealers
    if not more:
        return ""
    numbers = {"deals": deals, "dealers": dealers, "more": more}
    if look_on:
        return (
            ngettext(
                "%(deals)d deals cannot be shared equally among %(dealers)d: the person whom the draw seats first looks on one deal more than the others.",
                "%(deals)d deals cannot be shared equally among %(dealers)d: the %(more)d people whom the draw "
                "seats first look on one deal more than the others.",
                more,
            )
            % numbers
        )
    return (
        ngettext(
            "%(deals)d deals cannot be shared equally among %(dealers)d: the person whom the draw seats first deals once more than the others.",
            "%(deals)d deals cannot be shared equally among %(dealers)d: the %(more)d people whom the draw seats first deal once more than the others.",
            more,
        )
        % numbers
    )


def _penalties(rules: HouseRules) -> list[RuleLine]:
    lines = []
    for each in rules.penalties:
        parts = []
        if each.points:
            parts.append(points_in_words(each.points))
        if each.match:
            parts.append(
                ngettext("%(match)d match point", "%(match)d match points", each.match) % {"match": each.match}
            )
        text = gettext("takes %(what)s") % {"what": in_a_row(parts)} if parts else gettext("a warning")
        lines.append(RuleLine(f"penalties.{each.code}", each.title, text))
    return lines


_DEEPEST: Final = 20


@cache
def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True, "maxNesting": _DEEPEST})
    markdown.disable(["html_block", "html_inline", "image"])
    return markdown


def prose(text: str, *, below: int = 2) -> SafeString:
    """The text as HTML that is safe, whatever the text holds.

    Its headings begin one level below `below`. Links to other sites tell search engines that they are not our
    recommendation.
    """
    tokens = _parser().parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, below + int(token.tag[1]))}"
        for child in token.children or ():
            _mark_as_user_content(child)
    html = _parser().renderer.render(tokens, _parser().options, {})
    return mark_safe(clean(html))  # noqa: S308  # cleaned


def _mark_as_user_content(token: Token) -> None:
    if token.type == "link_open" and not str(token.attrGet("href") or "").startswith("/"):
        token.attrSet("rel", "nofollow ugc noopener")
