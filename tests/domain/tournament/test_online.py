"""Rounds that are played online: deadlines, games, what they report, tables that are late."""

from __future__ import annotations

from typing import Any

import pytest

from domain.tournament import drawing
from domain.tournament.events import replay
from domain.tournament.finishing import knocked_out
from domain.tournament.scoring import standing_of
from domain.tournament.state import CONFIRMED, PLAYING, Board
from tests.domain.tournament.kit import DEADLINE, DUPLICATE, ONLINE, Script
from tests.domain.tournament.test_door import refused


def online(people: int = 8, *, out: bool = True, **plan: Any) -> Script:
    """A tournament whose first round is played online."""
    script = Script(people, **({"online": ONLINE} | plan))
    script.do("phase.started")
    script.draw(out=out)
    return script


def test_an_online_round_has_a_deadline():
    script = online(out=False)
    assert refused(script, "round.published", round="1.1") == "missing"
    assert refused(script, "round.published", round="1.1", deadline="some day") == "bad-data"
    assert refused(script, "round.published", round="1.1", deadline="2026-12-11T18:30:00") == "bad-data"
    for end in ("0001-01-01T00:00:00+01:00", "9999-12-31T23:59:00+00:00"):  # elsewhere it is no time at all
        assert refused(script, "round.published", round="1.1", deadline=end) == "bad-data"
    script.do("round.published", round="1.1", deadline=DEADLINE)
    assert script.state.phases[0].rounds[0].deadline == DEADLINE


def test_a_round_in_the_hall_has_none():
    script = online(out=False, online=None)
    assert refused(script, "round.published", round="1.1", deadline=DEADLINE) == "in-the-hall"
    script.do("round.published", round="1.1")
    for kind, data in {
        "deadline.set": {"round": "1.1", "deadline": DEADLINE, "reason": "snow"},
        "boards.laid": {"round": "1.1", "set": "s", "boards": [{"number": 1, "commitment": "c"}]},
        "table.begun": {"table": "1.1.1", "game": "g", "turn": 0},
        "table.abandoned": {"table": "1.1.1", "reason": "why"},
        "table.reported": {"table": "1.1.1", "game": "g", "lines": []},
        "table.overdue": {"table": "1.1.1", "how": "postponed", "who": []},
        "house.filled": {"count": 1},
    }.items():
        assert refused(script, kind, **data) == "in-the-hall"


def test_the_director_moves_a_deadline_and_says_why():
    script = online(out=False)
    later = "2027-01-06T12:00:00+01:00"
    assert refused(script, "deadline.set", round="1.1", deadline=later, reason="holidays") == "not-out"
    script.publish("1.1")
    assert refused(script, "deadline.set", round="1.1", deadline=later) == "missing"
    script.do("deadline.set", round="1.1", deadline=later, reason="holidays")
    assert script.state.phases[0].rounds[0].deadline == later
    for table in ("1.1.1", "1.1.2"):
        script.begin(table)
        script.report(table, [[40, 32]] * 2)
    script.do("round.closed", round="1.1")
    assert refused(script, "deadline.set", round="1.1", deadline=DEADLINE, reason="again") == "round-closed"


def test_a_game_is_laid_once_for_a_table():
    script = online(out=False)
    assert refused(script, "table.begun", table="1.1.1", game="abc", turn=0) == "not-out"
    script.publish("1.1")
    assert refused(script, "table.begun", table="1.1.1", game="abc", turn=4) == "out-of-range"
    assert refused(script, "table.begun", table="1.1.1", game="g" * 41, turn=0) == "too-long"
    script.do("table.begun", table="1.1.1", game="g" * 40, turn=3)
    assert (script.table("1.1.1").game, script.table("1.1.1").turn) == ("g" * 40, 3)
    assert refused(script, "table.begun", table="1.1.1", game="abc", turn=0) == "begun-already"
    assert refused(script, "table.begun", table="1.1.2", game="g" * 40, turn=0) == "twice"


def test_what_a_game_brought_counts_at_once():
    script = online()
    script.begin("1.1.1")
    script.report("1.1.1", [[50, 22], [30, 42]])
    table = script.table("1.1.1")
    assert (table.state, table.confirmed_by, table.short) == (CONFIRMED, "site", False)
    standing = standing_of(script.state, script.state.phases[0])
    assert [dict(standing.row(table.owners[place]).values)["card-points"] for place in (0, 1)] == [80, 64]


@pytest.mark.parametrize(
    ("lines", "more", "code"),
    [
        ([[50, 21], [30, 42]], {}, "wrong-sum"),
        ([[50, 22]], {}, "deals-missing"),
        ([], {"short": True}, "empty-sheet"),
        ([[50, 22]] * 3, {}, "too-many-deals"),
        ([[50, 11, 11], [30, 42]], {}, "bad-count"),
        ([[50, 22], [30, 42]], {"game": "game-1.1.2"}, "another-game"),
    ],
)
def test_a_report_that_is_not_right_changes_nothing(lines: list[list[int]], more: dict[str, Any], code: str):
    script = online()
    game = script.begin("1.1.1")
    said = [{"deal": deal, "scores": scores} for deal, scores in enumerate(lines, 1)]
    assert refused(script, "table.reported", **{"table": "1.1.1", "game": game, "lines": said} | more) == code


def test_a_game_that_ends_early_says_so():
    script = online()
    script.begin("1.1.1")
    script.report("1.1.1", [[50, 22]], short=True)
    assert script.table("1.1.1").short


def test_what_the_director_has_settled_stays():
    script = online()
    game = script.begin("1.1.1")
    lines = [{"deal": 1, "scores": [50, 22]}, {"deal": 2, "scores": [30, 42]}]
    script.do("table.settled", table="1.1.1", lines=lines, reason="they met at home")
    report = {"table": "1.1.1", "game": game, "lines": lines}
    assert refused(script, "table.reported", **report) == "corrected-already"
    script.begin("1.1.2")
    script.report("1.1.2", [[50, 22], [30, 42]])
    report = {"table": "1.1.2", "game": script.table("1.1.2").game, "lines": lines}
    assert refused(script, "table.reported", **report) == "corrected-already"
    assert refused(script, "table.begun", table="1.1.1", game="other", turn=0) == "begun-already"


def test_the_director_corrects_what_a_game_brought_with_a_reason():
    script = online()
    script.begin("1.1.1")
    script.report("1.1.1", [[50, 22], [30, 42]])
    lines = [{"deal": 1, "scores": [49, 23]}, {"deal": 2, "scores": [30, 42]}]
    assert refused(script, "table.settled", table="1.1.1", lines=lines) == "reason-needed"
    script.do("table.settled", table="1.1.1", lines=lines, reason="a revoke")
    assert script.table("1.1.1").changes[0].kind == "corrected"
    assert script.table("1.1.1").sheet[1].scores == (49, 23)


def test_nothing_is_written_at_a_table_that_plays_online():
    script = online()
    at = {"table": "1.1.1"}
    for kind, data in {
        "deal.entered": {"deal": 1, "place": 0, "scores": [40, 32]},
        "deal.erased": {"deal": 1},
        "table.handed-in": {"place": 0},
        "table.taken-back": {"place": 0},
        "table.confirmed": {"place": 1},
        "table.disputed": {"place": 1, "lines": []},
        "table.reopened": {"reason": "again"},
        "key.renewed": {},
    }.items():
        assert refused(script, kind, **at, **data) == "plays-online"
    assert refused(script, "clock.set", round="1.1", act="start") == "plays-online"
    script.do("table.noted", table="1.1.1", note="on holiday until Tuesday")
    assert script.table("1.1.1").note


def test_a_round_with_games_is_neither_undone_nor_arranged_until_they_are_let_go():
    script = online()
    script.begin("1.1.1")
    seats = list(reversed(script.table("1.1.1").seats))
    change = {"round": "1.1", "reason": "no", "tables": [{"number": 1, "seats": seats}]}
    assert refused(script, "draw.undone", phase=1, round=1, reason="no") == "has-games"
    assert refused(script, "round.arranged", **change) == "has-games"
    assert refused(script, "table.abandoned", table="1.1.2", reason="why") == "not-begun"
    assert refused(script, "table.abandoned", table="1.1.1") == "missing"
    script.do("table.abandoned", table="1.1.1", reason="seated wrongly")
    table = script.table("1.1.1")
    assert (table.game, table.changes[0].game, table.changes[0].kind) == ("", "game-1.1.1", "abandoned")
    script.do("round.arranged", **change)
    assert script.table("1.1.1").changes == table.changes
    script.begin("1.1.1")
    script.do("table.abandoned", table="1.1.1", reason="again")
    script.do("draw.undone", phase=1, round=1, reason="all anew")
    assert script.state.phases[0].rounds == ()


def test_a_game_whose_result_counts_is_not_let_go():
    script = online()
    script.begin("1.1.1")
    script.report("1.1.1", [[50, 22], [30, 42]])
    assert refused(script, "table.abandoned", table="1.1.1", reason="why") == "has-results"


def test_what_a_game_says_that_was_let_go_does_not_count():
    script = online()
    game = script.begin("1.1.1")
    script.do("table.abandoned", table="1.1.1", reason="seated wrongly")
    report = {"table": "1.1.1", "game": game, "lines": [{"deal": 1, "scores": [50, 22]}], "short": True}
    assert refused(script, "table.reported", **report) == "another-game"


def test_a_postponed_table_holds_up_nothing_and_counts_when_it_comes():
    script = online()
    for table in ("1.1.1", "1.1.2"):
        script.begin(table)
    script.report("1.1.1", [[40, 32]] * 2)
    assert refused(script, "round.closed", round="1.1") == "tables-open"
    script.do("table.overdue", table="1.1.2", how="postponed", who=[])
    assert refused(script, "table.overdue", table="1.1.2", how="postponed", who=[]) == "late-already"
    script.do("round.closed", round="1.1")
    standing = standing_of(script.state, script.state.phases[0])
    assert [(each.round, each.table) for each in standing.open] == [(1, 2)]
    script.report("1.1.2", [[40, 32]] * 2)
    assert script.table("1.1.2").state == CONFIRMED
    assert script.table("1.1.2").late
    assert standing_of(script.state, script.state.phases[0]).open == ()


def test_a_late_table_whose_round_is_closed_may_begin_after_all():
    script = online()
    script.begin("1.1.1")
    script.report("1.1.1", [[40, 32]] * 2)
    script.do("table.overdue", table="1.1.2", how="postponed", who=[])
    script.do("round.closed", round="1.1")
    script.begin("1.1.2")
    script.report("1.1.2", [[40, 32]] * 2)
    assert script.table("1.1.2").state == CONFIRMED


def test_who_keeps_a_table_waiting_is_absent_and_the_others_have_a_bye():
    given = {"method": "fixed", "points": 90, "match": 2}, {"method": "fixed", "points": 5}
    script = online(rules={"rounds": 2, "deals": 2, "bye": given[0], "absent": given[1]})
    script.begin("1.1.1")
    script.begin("1.1.2")
    script.report("1.1.1", [[40, 32]] * 2)
    guilty, *others = script.table("1.1.2").seats
    overdue: dict[str, Any] = {"table": "1.1.2", "how": "forfeited"}
    assert refused(script, "table.overdue", **overdue, who=[]) == "missing"
    assert refused(script, "table.overdue", **overdue, who=[script.table("1.1.1").seats[0]]) == "not-at-this-table"
    assert refused(script, "table.overdue", **overdue | {"table": "1.1.1"}, who=["e1"]) == "has-results"
    script.do("table.overdue", **overdue, who=[guilty])
    table = script.table("1.1.2")
    assert (table.state, table.forfeit, table.lines) == (CONFIRMED, (guilty,), ())
    standing = standing_of(script.state, script.state.phases[0])
    assert standing.open == ()
    for who in others:
        (score,) = standing.row(who).sheet.rounds
        assert (score.kind, score.points, score.match) == ("bye", 90, 2)
    (score,) = standing.row(guilty).sheet.rounds
    assert (score.kind, score.points) == ("absent", 5)
    script.do("round.closed", round="1.1")


def test_a_forfeit_is_settled_otherwise_with_a_reason_and_a_late_report_does_not_undo_it():
    script = online()
    game = script.begin("1.1.1")
    guilty = script.table("1.1.1").seats[0]
    script.do("table.overdue", table="1.1.1", how="forfeited", who=[guilty])
    lines = [{"deal": 1, "scores": [50, 22]}, {"deal": 2, "scores": [30, 42]}]
    assert refused(script, "table.reported", table="1.1.1", game=game, lines=lines) == "corrected-already"
    assert refused(script, "draw.undone", phase=1, round=1, reason="no") == "has-results"
    assert refused(script, "table.settled", table="1.1.1", lines=lines) == "reason-needed"
    script.do("table.settled", table="1.1.1", lines=lines, reason="was in hospital")
    table = script.table("1.1.1")
    assert (table.forfeit, table.changes[0].kind, table.sheet[1].scores) == ((), "corrected", (50, 22))


def test_a_forfeit_may_be_turned_into_a_postponement():
    script = online()
    script.begin("1.1.1")
    script.do("table.overdue", table="1.1.1", how="forfeited", who=[script.table("1.1.1").seats[0]])
    script.do("table.overdue", table="1.1.1", how="postponed", who=[])
    assert (script.table("1.1.1").state, script.table("1.1.1").forfeit) == (PLAYING, ())
    script.report("1.1.1", [[40, 32]] * 2)
    assert script.table("1.1.1").state == CONFIRMED


def test_a_forfeit_is_no_bye_for_later_draws():
    script = online(9, odd=["bye"])
    (out,) = script.state.phases[0].rounds[0].byes
    for table in ("1.1.1", "1.1.2"):
        seats = script.table(table).seats
        script.do("table.overdue", table=table, how="forfeited", who=[seats[0]])
    second = script.draw()
    assert script.state.phases[0].rounds[0].byes == (out,)
    assert second.byes != (out,)
    assert drawing.past_of(script.state.phases[0].rounds[0]).out == (out,)


@pytest.mark.slow
def test_a_draw_by_lot_waits_for_nothing_and_one_by_results_for_tables_that_are_not_late():
    script = online()
    assert script.draw().number == 2
    script = online(method="standing")
    script.begin("1.1.1")
    script.report("1.1.1", [[40, 32]] * 2)
    with pytest.raises(Exception, match="tables-open"):
        script.draw()
    script.do("table.overdue", table="1.1.2", how="postponed", who=[])
    assert script.draw().number == 2


def test_in_the_hall_a_draw_by_standing_goes_on_provisionally_as_before():
    script = online(online=None, method="standing")
    script.play("1.1.1")
    assert script.draw().number == 2


def test_a_knock_out_goes_on_without_who_kept_a_table_waiting():
    script = Script(kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 2, "deals": 1}, online=ONLINE)
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    found = script.draw()
    (lost, won), (winner, _loser) = (found.tables[number].seats for number in (1, 2))
    script.do("table.overdue", table="1.1.1", how="forfeited", who=[lost])
    script.do("table.overdue", table="1.1.2", how="postponed", who=[])
    with pytest.raises(Exception, match="undecided"):
        script.draw()
    script.begin("1.1.2")
    script.report("1.1.2", [[60, 12]])
    assert set(script.draw().tables[1].seats) == {won, winner}


def test_nobody_waits_for_a_match_for_third_place_that_an_absent_side_has_lost():
    script = Script(
        kind="pair", method="knock-out", odd=["bye"], third=True, rules={"rounds": 2, "deals": 1}, online=ONLINE
    )
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    found = script.draw()
    script.do("table.overdue", table="1.1.1", how="forfeited", who=[found.tables[1].seats[0]])
    script.begin("1.1.2")
    script.report("1.1.2", [[60, 12]])
    out = {found.tables[1].seats[0], found.tables[2].seats[1]}
    assert knocked_out(script.state, script.state.phases[0]) == out
    assert len(script.draw().tables) == 1


def test_where_both_kept_it_waiting_nobody_goes_on_from_that_table():
    script = Script(kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 2, "deals": 1}, online=ONLINE)
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    found = script.draw()
    script.do("table.overdue", table="1.1.1", how="forfeited", who=list(found.tables[1].seats))
    script.begin("1.1.2")
    script.report("1.1.2", [[60, 12]])
    with pytest.raises(Exception, match="decided"):
        script.draw()


def test_the_deals_of_a_duplicate_round_are_laid_once_and_before_its_games():
    script = online(online=DUPLICATE, odd=["bye"])
    boards: list[dict[str, Any]] = [{"number": 2, "commitment": "two"}, {"number": 1, "commitment": "one"}]
    laid: dict[str, Any] = {"round": "1.1", "set": "abc"}
    assert refused(script, "table.begun", table="1.1.1", game="g", turn=0) == "no-boards"
    assert refused(script, "boards.laid", **laid, boards=[]) == "missing"
    assert refused(script, "boards.laid", **laid, boards=[boards[0], boards[0]]) == "twice"
    assert refused(script, "boards.laid", **laid, boards=[{"number": 1}]) == "missing"
    script.do("boards.laid", **laid, boards=boards)
    found = script.state.phases[0].rounds[0]
    assert (found.board_set, found.boards) == ("abc", (Board(1, "one"), Board(2, "two")))
    assert refused(script, "boards.laid", **laid, boards=boards) == "boards-already"
    assert refused(online(), "boards.laid", **laid, boards=boards) == "not-duplicate"


def test_who_plays_a_game_that_has_begun_is_exchanged_from_the_next_round_on():
    script = online()
    script.begin("1.1.1")
    owner, person = script.table("1.1.1").owners[0], script.table("1.1.1").people[0]
    script.do("entrant.substituted", id=owner, old=person, new="guest")
    assert script.table("1.1.1").people[0] == person
    waiting = script.table("1.1.2")
    script.do("entrant.substituted", id=waiting.owners[0], old=waiting.people[0], new="other")
    assert script.table("1.1.2").people[0] == "other"


def test_nobody_is_seated_by_hand_at_a_table_no_game_is_made_for():
    script = online(odd=["three"])
    first, second = (list(script.table(f"1.1.{number}").seats) for number in (1, 2))
    seven = [{"number": 1, "seats": first + second[:3]}, {"number": 2, "seats": []}]
    assert refused(script, "round.arranged", round="1.1", tables=seven, reason="no") == "not-online"
    three = [{"number": 1, "seats": first[:3]}]
    script.do("round.arranged", round="1.1", tables=three, reason="one is ill")
    assert script.table("1.1.1").ruleset == "troccas-3"
    script = online(online=DUPLICATE, odd=["bye"])
    three = [{"number": 1, "seats": list(script.table("1.1.1").seats[:3])}]
    assert refused(script, "round.arranged", round="1.1", tables=three, reason="one is ill") == "not-online"


def test_the_log_of_an_online_round_reads_back_to_the_same_state():
    script = online(7, out=False, online=DUPLICATE, odd=["bye"])
    script.do("draw.undone", phase=1, round=1, reason="one is missing")
    assert script.fill() == 1
    script.draw()
    script.lay("1.1")
    for number, table in enumerate(("1.1.1", "1.1.2")):
        script.begin(table, turn=number)
    script.report("1.1.1", [[40, 32]] * 2)
    script.do("table.overdue", table="1.1.2", how="postponed", who=[])
    assert replay(script.log) == script.state
