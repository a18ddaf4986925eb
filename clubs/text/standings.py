"""What criteria, choices and refusals of the standings are called, for forms, lists and paper, in the reader's language.

`domain.standings` speaks in codes; whoever shows them asks here. A code without words is a mistake in the program: KeyError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.errors import DomainError


class Named(NamedTuple):
    """A word for a form and a line of its own, the same for the head of a column, and what it means."""

    name: str
    short: str
    meaning: str


def criterion(code: str) -> Named:
    """A criterion of the ranking (`domain.standings.criteria.CRITERIA`)."""
    return _criteria()[code]


AVERAGES: Final = frozenset({"opponents-strength"})
"""Criteria whose values are kept in thousandths."""


def value(code: str, number: int | None) -> str:
    """The value of a criterion as people read it: an average with two decimals, a real minus sign, a dash for nothing."""
    if number is None:
        return "–"
    text = f"{number / 1000:.2f}" if code in AVERAGES else str(number)
    return text.replace("-", "−")


def _criteria() -> dict[str, Named]:
    return {
        "match-points": Named(
            _("Match points"), _("Match"), _("For rounds won and drawn, as the house rules give them, less penalties.")
        ),
        "card-points": Named(_("Card points"), _("Points"), _("All points of the rounds that count, less penalties.")),
        "difference": Named(
            _("Difference"), _("Diff."), _("Own points less those of the opponents, in the rounds that count.")
        ),
        "wins": Named(_("Rounds won"), _("Won"), _("How many of the rounds that count were won.")),
        "deals-won": Named(_("Deals won"), _("Deals"), _("Deals in which one’s side had more than every other side.")),
        "rounds-played": Named(_("Rounds played"), _("Played"), _("Rounds played at a table, counted or not.")),
        "best-round": Named(_("Best round"), _("Best"), _("The most points in one round.")),
        "without-worst": Named(
            _("Points without the worst round"), _("Without worst"), _("Card points, the worst round left out.")
        ),
        "head-to-head": Named(
            _("Head to head"), _("H2H"), _("Who won more often when those who are equal met each other.")
        ),
        "head-to-head-difference": Named(
            _("Head to head, by points"),
            _("H2H ±"),
            _("Points less the opponents’ in the meetings of those who are equal."),
        ),
        "opponents-strength": Named(
            _("Strength of the opponents"), _("Opp."), _("What one’s opponents have reached, on average.")
        ),
        "lot": Named(_("Lot"), _("Lot"), _("Cards are cut, or a lot is drawn; it is written down.")),
    }


def choice(field: str, code: str) -> str:
    """What a choice of the house rules or of a season is called: ``choice("wrong_sum", "recount")``."""
    return _choices()[field][code]


def choices(field: str) -> list[tuple[str, str]]:
    """All choices of a field, for a form, in the order in which the standings list them."""
    return list(_choices()[field].items())


def _choices() -> dict[str, dict[str, str]]:
    return {
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
            "postpone": _("it plays on, and counts when it is over; nobody waits for it"),
            "forfeit": _("who keeps it waiting forfeits: absent in that round, the others have a bye"),
            "as-played": _("it ends there, and the deals that are over count"),
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


def refusal(refused: DomainError, name_of: Callable[[str], str] | None = None) -> str:
    """Why the standings could not take something, as a sentence that says what to do.

    `name_of` makes names of the ids in it (entrants, entries of the till).
    """
    facts = dict(refused.facts)
    if name_of is not None:
        for key in ("id", "name"):
            if isinstance(facts.get(key), str):
                facts[key] = name_of(str(facts[key]))
    return _sentence(refused.code, facts)


def _sentence(code: str, facts: dict[str, str | int]) -> str:
    if code == "out-of-range" and "low" not in facts:
        return _("This number is too large or too small.")
    if code == "bad-count" and "expected" in facts:
        return _("There must be %(expected)s numbers here, one for each side; there are %(given)s.") % facts
    if code == "twice":
        who = facts.get("name") or facts.get("id")
        return (
            _("“%(what)s” stands here twice. Take one of them out.") % {"what": who}
            if who
            else _("One of them stands here twice.")
        )
    if code == "negative" and facts.get("id"):
        return _("A number below 0 makes no sense here (%(id)s).") % facts
    return _sentences()[code] % facts


def _sentences() -> dict[str, str]:
    return {
        "too-few": _("At least two are needed for that."),
        "unknown-penalty": _("There is no penalty “%(penalty)s” in the house rules."),
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
        "unknown-format": _("This is no file of house rules: its format is not %(expected)s."),
        "not-a-number": _("Write a whole number."),
        "not-a-text": _("Write a text."),
        "bad-length": _("Write %(low)s to %(high)s characters."),
        "not-yes-or-no": _("This is yes or no."),
        "not-a-list": _("A list is expected here."),
        "too-many": _("These are too many: %(high)s at most."),
        "bad-option": _("An option is a word, a number, or yes or no."),
        "unknown": _("Nobody knows this field. Take it out."),
        "unknown-category": _("There is no category “%(category)s”."),
        "empty": _("A prize is money or a thing: write one of them."),
        "not-ranked": _("This list has no ranks yet."),
    }


def names_in_a_row(names: Iterable[str]) -> str:
    """Names in a row: "Anna, Clau and Maria"."""
    *many, last = list(names) or [""]
    if not many:
        return last
    return _("%(many)s and %(last)s") % {"many": ", ".join(many), "last": last}


def points(number: int) -> str:
    """ "1 point", "12 points"."""
    return ngettext("%(number)d point", "%(number)d points", number) % {"number": number}
