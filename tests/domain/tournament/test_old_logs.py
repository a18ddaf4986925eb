"""Logs that were written before rounds were played online: they read as they did then."""

from __future__ import annotations

from typing import Any

from domain.standings.profile import HouseRules, from_plain, to_plain
from domain.tournament.events import Event, check, replay
from domain.tournament.scoring import standing_of
from domain.tournament.state import CONFIRMED

AT = "2026-11-07T19:00:00+00:00"
RULES: dict[str, Any] = {
    name: value for name, value in to_plain(HouseRules(rounds=1, deals=1)).items() if name != "overdue"
}
PLAN: dict[str, Any] = {
    "rules": RULES,
    "kind": "single",
    "method": "draw",
    "odd": ["three", "five"],
    "forms": [],
    "usual": 4,
    "minutes": 50,
    "last_deal": 5,
    "avoid_season": False,
    "strict": False,
    "confirm": True,
}
OLD: list[tuple[str, dict[str, Any]]] = [
    ("tournament.planned", {"plan": PLAN, "fee": 1000}),
    ("tournament.opened", {"commitment": "0" * 64}),
    *(("entrant.added", {"members": [f"m{number}"], "here": True}) for number in range(1, 5)),
    ("phase.started", {"name": ""}),
    ("round.promised", {"phase": 1, "round": 1, "attempt": 1, "file": {}, "here": ["e1", "e2", "e3", "e4"]}),
    (
        "round.drawn",
        {
            "phase": 1,
            "round": 1,
            "attempt": 1,
            "file": {},
            "tables": [["e1", "e2", "e3", "e4"]],
            "byes": [],
            "hall": "",
        },
    ),
    ("round.published", {"round": "1.1"}),
    ("clock.set", {"round": "1.1", "act": "start"}),
    ("deal.entered", {"table": "1.1.1", "deal": 1, "place": 0, "scores": [40, 32]}),
    ("table.handed-in", {"table": "1.1.1", "place": 0}),
    ("table.confirmed", {"table": "1.1.1", "place": 1}),
    ("round.closed", {"round": "1.1"}),
    ("tournament.closed", {"despite": "no lots"}),
]


def test_a_log_without_what_is_new_reads_as_it_did():
    state = replay(Event(number, AT, kind, data, "desk") for number, (kind, data) in enumerate(OLD, 1))
    assert state.closed
    table, found = state.table("1.1.1"), state.round("1.1")
    assert table is not None
    assert found is not None
    assert (table.state, table.game, table.turn, table.late, table.forfeit) == (CONFIRMED, "", 0, False, ())
    assert (found.deadline, found.boards, found.board_set) == ("", (), "")
    assert state.phases[0].plan.online is None
    assert state.phases[0].plan.rules.overdue == "postpone"
    assert not any(each.house for each in state.entrants.values())
    rows = standing_of(state, state.phases[0]).rows
    assert [(row.entrant, dict(row.values)["card-points"]) for row in rows] == [
        ("e1", 40),
        ("e3", 40),
        ("e2", 32),
        ("e4", 32),
    ]


def test_house_rules_without_what_is_new_have_its_default():
    assert from_plain(dict(RULES)) == HouseRules(rounds=1, deals=1)


def test_a_change_of_the_directors_that_is_old_still_keeps_a_round_from_being_undone():
    events = [Event(number, AT, kind, data, "desk") for number, (kind, data) in enumerate(OLD[:10], 1)]
    state = replay(events)
    lines = [{"deal": 1, "scores": [40, 32]}]
    state = check(state, "table.settled", {"table": "1.1.1", "lines": lines}, AT, "desk")  # type: ignore[dict-item]
    state = check(state, "table.reopened", {"table": "1.1.1", "reason": "another slip"}, AT, "desk")
    state = check(state, "deal.erased", {"table": "1.1.1", "deal": 1}, AT, "desk")
    assert state.phases[0].rounds[0].begun
