"""The pages of prizes: what there is to win, who wins it, handing it over, reading it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from clubs import money
from clubs import text as club_text
from core.http import whole_number
from core.sursilvan import in_a_row
from domain.errors import DomainError
from domain.standings.prizes import Prize
from domain.tournament.scoring import ranking
from domain.tournament.state import State
from tournaments.director import services
from tournaments.director.base import Desk, director_page
from tournaments.exceptions import Refused
from tournaments.selectors import EVERYBODY, awards
from tournaments.services.log import NewEvent

SPARE: Final = 5
"""Empty lines for more prizes."""
MOST: Final = 500


def category_name(code: str) -> str:
    """A category in words. The director's own categories are names already."""
    return _("everybody") if code == EVERYBODY else code


def _prizes(desk: Desk) -> Mapping[str, Any]:
    """Who wins what, and what has been handed over."""
    state = desk.state
    dues = services.dues_of(state)
    given = awards(state)
    return {
        "rows": [
            {
                "due": due,
                "name": desk.name(due.entrant),
                "categories": in_a_row(category_name(each) for each in dict.fromkeys(due.categories)),
                "shared": in_a_row(desk.name(each) for each in due.shared_with) if due.shared_with else "",
                "too_much": -due.left if due.left < 0 else 0,
            }
            for due in dues
        ],
        "final": ranking(state)[1] if state.phases else False,
        "total": sum(prize.amount for prize in state.prizes),
        "given": sum(due.amount for due in dues),
        "kept": given.kept,
        "paid": sum(due.paid for due in dues),
        "left": sum(max(due.left, 0) for due in dues),
        "nobody": [_prize(prize) for prize in state.prizes if prize.code in given.nobody],
        "any": bool(state.prizes),
    }


def _prize(prize: Prize) -> str:
    amount = money.money_text(prize.amount) if prize.amount else ""
    what = in_a_row([part for part in (amount, prize.thing) if part])
    return f"{what} ({category_name(prize.category)})"


def _hand(desk: Desk) -> str:
    entrant = desk.entrant(desk.text("what")).id
    desk.decide(lambda state: services.hand_over(state, entrant))
    return f"{desk.url('prizes')}#{entrant}"


def _take_back(desk: Desk) -> str:
    entrant, reason = desk.entrant(desk.text("what")).id, desk.text("reason")
    if not reason:
        raise Refused("reason-needed", "reason")
    desk.decide(lambda state: services.take_back(state, entrant, reason))
    return f"{desk.url('prizes')}#{entrant}"


prizes = director_page("prizes", _prizes, {"hand": _hand, "take-back": _take_back})


def _read_out(desk: Desk) -> Mapping[str, Any]:
    """The prize list for reading out, in large type, from the last to the first."""
    ranks = {place.row.entrant: place.rank for place in ranking(desk.state)[0]}
    things = {prize.code: prize for prize in desk.state.prizes}
    lists = []
    given = awards(desk.state).given
    for category in reversed(services.categories_of(desk.state)):
        rows = [
            {
                "rank": ranks[each.id],
                "name": desk.name(each.id),
                "amount": each.amount,
                "things": each.things,
                "last": any(things[code].last for code in each.codes),
            }
            for each in given
            if each.category == category
        ]
        rows.sort(key=lambda row: -int(str(row["rank"])))
        if rows:
            lists.append((category_name(category), rows))
    return {"lists": lists, "final": ranking(desk.state)[1]}


read_out = director_page("read_out", _read_out)


# what there is to win


def _plan(desk: Desk) -> Mapping[str, Any]:
    """The prizes, and the rules by which they are given."""
    sent = desk.request.POST if desk.text("do") == "set" else None
    if sent is not None:
        count = min(max(_lines_sent(desk), default=0), MOST)
        rows = [{name: sent.get(f"{name}{n}", "") for name in _FIELDS} | {"n": n} for n in range(count + 1)]
    else:
        rows = [
            {
                "n": n,
                "code": prize.code,
                "category": prize.category,
                "amount": money.short_money(prize.amount) if prize.amount else "",
                "thing": prize.thing,
                "worth": money.short_money(prize.worth) if prize.worth else "",
                "last": "on" if prize.last else "",
            }
            for n, prize in enumerate(desk.state.prizes)
        ]
        rows += [{"n": len(desk.state.prizes) + n, "category": EVERYBODY} for n in range(SPARE)]
    return {
        "rows": rows,
        "categories": [(each, category_name(each)) for each in services.categories_of(desk.state)],
        "rules": desk.state.prize_rules,
        "ties": club_text.choices("ties"),
        "rests": club_text.choices("rest"),
        "fees": services.fees_paid(desk.state),
        "fees_short": money.short_money(services.fees_paid(desk.state)),
        "total": sum(prize.amount for prize in desk.state.prizes),
    }


_FIELDS: Final = ("code", "category", "amount", "thing", "worth", "last")


def _lines_sent(desk: Desk) -> list[int]:
    """The numbers of the lines of the form that was sent."""
    numbers = (name.removeprefix("code") for name in desk.request.POST if name.startswith("code"))
    return sorted({number for each in numbers if (number := whole_number(each, 4)) is not None})


def _prize_sent(desk: Desk, line: int) -> Prize | None:
    """The prize on a line of the form; None if it has neither money nor a thing. Raises Refused."""
    amount, thing = _money(desk, f"amount{line}"), desk.text(f"thing{line}")
    if not amount and not thing:
        return None
    category, worth = desk.text(f"category{line}") or EVERYBODY, _money(desk, f"worth{line}")
    return Prize(desk.text(f"code{line}"), category, amount, thing, worth, desk.flag(f"last{line}"))


def _set_prizes(desk: Desk) -> str:
    """Replace the prizes and rules by those of the form."""
    written = [prize for line in _lines_sent(desk)[:MOST] if (prize := _prize_sent(desk, line)) is not None]
    taken = {prize.code for prize in written if prize.code}
    free = iter(services.free_codes(taken, len(written)))
    with_codes = [prize if prize.code else replace(prize, code=next(free)) for prize in written]
    rules = {
        "one_each": desk.flag("one_each"),
        "ties": desk.text("ties"),
        "unit": desk.whole("unit", 5),
        "rest": desk.text("rest"),
    }
    desk.act("prizes.set", prizes=services.prizes_as_data(with_codes), **rules)
    return desk.url("prizes")


def _money(desk: Desk, field: str) -> int:
    text = desk.text(field)
    if not text:
        return 0
    try:
        return money.read_money(text)
    except ValueError:
        raise Refused("no-money", field) from None


def _fund(desk: Desk) -> str:
    """Make money prizes from a sum, such as the fees, by weight."""
    amount, category = _money(desk, "amount"), desk.text("category") or EVERYBODY
    weights = _weights(desk.text("weights"))

    def make(state: State) -> Sequence[NewEvent]:
        try:
            prizes, _rest = services.from_fund(state, amount, weights, category)
        except DomainError:
            raise DomainError("bad-weights", "weights") from None
        return [("prizes.set", {"prizes": services.prizes_as_data(prizes), **asdict(state.prize_rules)})]

    desk.decide(make)
    return desk.url("prize-plan")


def _weights(text: str) -> list[int]:
    parts = text.replace(":", " ").replace(",", " ").replace(";", " ").split()
    if not parts or len(parts) > MOST or not all(part.isdecimal() and len(part) < 7 for part in parts):
        raise Refused("bad-weights", "weights")
    return [int(part) for part in parts]


plan = director_page("prize_plan", _plan, {"set": _set_prizes, "fund": _fund})
