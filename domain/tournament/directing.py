"""Events of the director's desk: opening and closing, the plan, penalties, lots, the till and the prizes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from typing import Final

from domain.errors import DomainError, refuse_if, require
from domain.schema import written
from domain.seating.seat import METHODS
from domain.standings.criteria import Lot
from domain.standings.prizes import TIES, Prize, PrizeRules
from domain.standings.profile import HouseRules, from_plain, to_plain
from domain.standings.results import Penalty
from domain.standings.till import COINS, IN, OUT, TillEntry
from domain.tournament.payload import Given, Plain
from domain.tournament.registering import human_entrant
from domain.tournament.scoring import standing_of
from domain.tournament.state import KINDS, Entrant, Handed, Online, Phase, Plan, State, check_online, settings_for

MOST_MONEY: Final = 100_000_000
LONGEST_ROUND: Final = 600
LONGEST_SCREEN_LINE: Final = 80
LONGEST_ONLINE: Final = 90
"""The most days that a round by correspondence may last."""


def plan_from(given: Given, before: Plan | None = None) -> Plan:
    """The plan in the data, checked as a whole. Raises DomainError; ``bad-rules`` names the field of the rules."""
    try:
        rules = _rules_from(json.dumps(given.group("rules").data))
    except DomainError as error:
        raise DomainError("bad-rules", f"rules.{error.field}", rule=error.code, **error.facts) from None
    plan = Plan(
        rules=rules,
        kind=given.word("kind", KINDS, "single"),
        method=given.word("method", tuple(METHODS), "draw"),
        odd=given.texts("odd", most=10),
        forms=tuple(
            (each.whole("size", 2, 8), each.text("ruleset", most=60)) for each in given.groups("forms", most=8)
        ),
        usual=given.whole("usual", 2, 8, 4),
        minutes=given.whole("minutes", 0, LONGEST_ROUND, 0),
        last_deal=given.whole("last_deal", 0, LONGEST_ROUND, 0),
        avoid_season=given.flag("avoid_season"),
        strict=given.flag("strict"),
        confirm=given.flag("confirm", True),
        third=given.flag("third"),
        online=_online_from(given),
    )
    if plan.minutes and plan.last_deal >= plan.minutes:
        raise DomainError("out-of-range", "last_deal", low=0, high=plan.minutes - 1)
    refuse_if(before and before.kind != plan.kind, "kind-stays", "kind")
    settings_for(plan)
    check_online(plan)
    return plan


@lru_cache(maxsize=64)
def _rules_from(text: str) -> HouseRules:
    """The rules in a JSON text, cached because a log is replayed often with the same rules. Raises DomainError."""
    return from_plain(json.loads(text))


def phase_of(state: State, given: Given) -> Phase:
    """The phase that the data names. Raises DomainError (``no-such-phase``)."""
    return require(state.phase(given.whole("phase", 1, 99)), "no-such-phase", "phase")


def _online_from(given: Given) -> Online | None:
    if not given.has("online"):
        return None
    group = given.group("online")
    refuse_if(not group.has("pace"), "missing", "pace")
    return Online(
        pace=group.group("pace").data,
        days=group.whole("days", 1, LONGEST_ONLINE),
        duplicate=group.flag("duplicate"),
        fill=group.flag("fill", True),
        auto=group.flag("auto", True),
    )


def plan_to(plan: Plan) -> dict[str, Plain]:
    """A plan as plain data, which `plan_from` reads."""
    forms: Plain = [{"size": size, "ruleset": name} for size, name in plan.forms]
    return written(plan) | {"rules": to_plain(plan.rules), "forms": forms}


def plan(state: State, given: Given, at: str, by: str) -> State:
    """``tournament.planned`` {plan, fee, fee_for_all?}: the plan for the next phase.

    `fee_for_all`: the fee is also that of everybody who has paid nothing and owes the one before. Once somebody has
    entered, the kind of entrants (persons, pairs) can no longer change.
    """
    entered = any(each.members for each in state.entrants.values())
    fee = given.whole("fee", 0, MOST_MONEY, state.fee)
    return replace(
        state,
        plan=plan_from(given.group("plan"), state.plan if entered else None),
        fee=fee,
        entrants=_charged(state, fee) if given.flag("fee_for_all") else state.entrants,
    )


def _charged(state: State, fee: int) -> dict[str, Entrant]:
    payers = {entry.who for entry in state.money if entry.id not in state.money_cancelled} & set(state.entrants)
    paid = {state.entrants[id].merged_into or id for id in payers}
    charged = {}
    for id, each in state.entrants.items():
        people = max(len(each.members), 1)  # half of a pair, too, which may be parted again
        owes = each.fee == people * state.fee and (each.merged_into or id) not in paid and not each.house
        charged[id] = replace(each, fee=people * fee) if owes else each
    return charged


def open_(state: State, given: Given, at: str, by: str) -> State:
    """``tournament.opened`` {commitment}: registration opens, and the secret of all draws is committed to."""
    refuse_if(state.open, "is-open")
    return replace(state, open=True, commitment=given.text("commitment", most=64))


def close(state: State, given: Given, at: str, by: str) -> State:
    """``tournament.closed`` {despite?}: the ranking is final.

    Refused while tables, lots or a draft are open (``not-final``, ``lots-needed``, ``draft-open``), unless `despite`
    says why the tournament is closed anyway.
    """
    refuse_if(not state.phases, "nothing-played")
    if not given.has("despite"):
        for phase in state.phases:
            standing = standing_of(state, phase)
            refuse_if(standing.open, "not-final", "tables", tables=len(standing.open))
            refuse_if(standing.lots_needed, "lots-needed", "lots", groups=len(standing.lots_needed))
            refuse_if(phase.draft, "draft-open", "round", round=phase.draft)
    else:
        given.text("despite")
    return replace(state, closed=True)


def reopen(state: State, given: Given, at: str, by: str) -> State:
    """``tournament.reopened`` {reason}: something has to be corrected."""
    given.text("reason")
    refuse_if(not state.closed, "is-open")
    return replace(state, closed=False)


def tell_screen(state: State, given: Given, at: str, by: str) -> State:
    """``screen.told`` {text}: show a line on all big screens instead of the one before; an empty text removes it."""
    return replace(state, screen_line=given.text("text", "", most=LONGEST_SCREEN_LINE))


def load_season(state: State, given: Given, at: str, by: str) -> State:
    """``season.loaded`` {evenings: [{tables: [[person, …]], weight}]}: the tables of earlier evenings."""
    evenings: list[dict[str, Plain]] = []
    for each in given.groups("evenings", most=100):
        tables: list[Plain] = [list(table) for table in each.rows("tables")]
        evenings.append({"tables": tables, "weight": each.whole("weight", 0, 100, 1)})
    return replace(state, season=tuple(evenings))


def penalise(state: State, given: Given, at: str, by: str) -> State:
    """``penalty.given`` {phase, entrant, reason, code?, points?, match?, round?}: its id is ``p`` and a number."""
    phase = phase_of(state, given)
    entrant = human_entrant(state, given.text("entrant"))
    code = given.text("code", "", most=40)
    kinds = {each.code: each for each in phase.plan.rules.penalties}
    kind = require(kinds.get(code), "unknown-penalty", "code") if code else None
    penalty = Penalty(
        entrant.id,
        given.text("reason"),
        given.whole("points", 0, 1_000_000, kind.points if kind else 0),
        given.whole("match", 0, 1000, kind.match if kind else 0),
        code,
        given.whole("round", 0, 100, 0),
    )
    id = f"p{len(state.penalties) + 1}"
    return replace(
        state,
        penalties={**state.penalties, id: penalty},
        penalty_phase={**state.penalty_phase, id: phase.number},
    )


def forgive(state: State, given: Given, at: str, by: str) -> State:
    """``penalty.cancelled`` {id, reason}: the penalty no longer counts but stays visible."""
    id = given.text("id")
    refuse_if(id not in state.penalties or id in state.penalties_cancelled, "unknown-penalty", "id")
    return replace(state, penalties_cancelled={**state.penalties_cancelled, id: given.text("reason")})


def draw_lot(state: State, given: Given, at: str, by: str) -> State:
    """``lot.drawn`` {phase, order, label, seed?}: a lot among equal entrants; without a seed it was cut in the hall."""
    phase = phase_of(state, given)
    order = given.texts("order")
    refuse_if(len(order) < 2 or len(set(order)) != len(order), "bad-data", "order")
    for id in order:
        human_entrant(state, id)
    lot = Lot(order, given.text("label"), given.text("seed", "", most=64))
    return replace(state, lots=(*state.lots, (phase.number, lot)))


def pay(state: State, given: Given, at: str, by: str) -> State:
    """``money.entered`` {kind, amount, who?, note?}: an entry of the till; its id is ``m`` and a number.

    `who` is required for fees, refunds and prizes: the entrant.
    """
    kind = given.word("kind", (*IN, *OUT))
    who = given.text("who", "", most=100)
    refuse_if(kind in ("fee", "refund", "prize") and not who, "missing", "who")
    refuse_if(who in state.entrants and state.entrants[who].house, "is-house", "who", id=who)
    entry = TillEntry(
        f"m{len(state.money) + 1}",
        kind,
        given.whole("amount", 1, MOST_MONEY),
        who,
        given.text("note", "", most=200),
    )
    return replace(state, money=(*state.money, entry))


def cancel_money(state: State, given: Given, at: str, by: str) -> State:
    """``money.cancelled`` {id, reason}: the entry no longer counts but stays visible."""
    id = given.text("id")
    refuse_if(id in state.money_cancelled or all(entry.id != id for entry in state.money), "unknown-entry", "id")
    return replace(state, money_cancelled={**state.money_cancelled, id: given.text("reason")})


def count_till(state: State, given: Given, at: str, by: str) -> State:
    """``till.counted`` {coins: [{coin, number}], opening?}: the money in the till, and at the opening, in Rappen."""
    counted: dict[int, int] = {}
    for each in given.groups("coins", most=20):
        coin = each.whole("coin", 1, 100_000)
        refuse_if(coin not in COINS, "no-such-coin", "coins", coin=coin)
        counted[coin] = each.whole("number", 0, 10_000)
    opening = given.whole("opening", 0, MOST_MONEY, state.opening)
    return replace(state, counted=counted if given.has("coins") else state.counted, opening=opening)


def set_prizes(state: State, given: Given, at: str, by: str) -> State:
    """``prizes.set`` {prizes: [{code, category, amount, thing, worth, last}], one_each, ties, unit, rest}."""
    prizes = tuple(
        Prize(
            each.text("code", most=40),
            each.text("category", "all", most=40),
            each.whole("amount", 0, MOST_MONEY, 0),
            each.text("thing", "", most=100),
            each.whole("worth", 0, MOST_MONEY, 0),
            each.flag("last"),
        )
        for each in given.groups("prizes", most=500)
    )
    refuse_if(len({each.code for each in prizes}) != len(prizes), "twice", "prizes")
    refuse_if(any(not each.amount and not each.thing for each in prizes), "missing", "prizes")
    rules = PrizeRules(
        given.flag("one_each", True),
        given.word("ties", TIES, "by-rank"),
        given.whole("unit", 1, 1000, 5),
        given.word("rest", ("first", "till"), "first"),
    )
    return replace(state, prizes=prizes, prize_rules=rules)


def hand_prize(state: State, given: Given, at: str, by: str) -> State:
    """``prize.handed`` {entrant, code, off?}: a prize in kind was handed over (money goes through the till)."""
    handed = Handed(human_entrant(state, given.text("entrant")).id, given.text("code", most=40))
    rest = tuple(each for each in state.handed if each != handed)
    return replace(state, handed=rest if given.flag("off") else (*rest, handed))


def renew_hall_key(state: State, given: Given, at: str, by: str) -> State:
    """``hall-key.renewed`` {what}: invalidate the code that was given out for helpers, the screen or the entrance."""
    what = given.text("what", most=20)
    return replace(state, keys={**state.keys, what: state.keys.get(what, 0) + 1})
