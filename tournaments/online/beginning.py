"""From a round that is out to its games: one for each table, laid once, whoever may die on the way."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from domain.engine.ruleset import OptionError, Ruleset
from domain.engine.rulesets import ruleset
from domain.errors import DomainError
from domain.pace import Kind, Terms
from domain.pace.terms import BadTerms
from domain.tournament.payload import Plain
from domain.tournament.state import ABANDONED, OUT, PLAYING, Online, Phase, Plan, Round, State, Table
from games.exceptions import MetAlready
from games.models import BoardSet, Game
from games.services import boards, play
from tournaments import permissions as tournaments_permissions
from tournaments.models import Tournament
from tournaments.online import substitutes
from tournaments.selectors import state_of
from tournaments.services import log

logger = logging.getLogger(__name__)

TALK: Final = "talk"
HANDS: Final = "hands"


def begin_round(tournament: Tournament, round_key: str, now: datetime | None = None) -> int:
    """Lay the games of a round that is out, for every table that has none; how many were laid.

    Where all tables play the same deals these are promised first, and as soon as every table has its game no more are
    awaited. Each table is begun by itself: its game, the entry in the log and the projection of it in one transaction, with
    the lock on the tournament's row; so it can be called by several workers, and again after one has died.
    """
    moment = now or timezone.now()
    tournament = Tournament.objects.get(pk=tournament.pk)
    round = state_of(tournament).round(round_key)
    if round is None or not _waits_for_games(tournament, round):
        return 0
    _lay_boards(tournament.pk, round_key, moment)
    begun = 0
    for number in sorted(round.tables):
        try:
            begun += _begin_table(tournament.pk, f"{round_key}.{number}", moment)
        except MetAlready:
            # Its people know these deals from a game that was let go: the director says what counts there.
            logger.warning("table %s.%s of tournament %s knows its deals", round_key, number, tournament.public_id)
    _await_no_more(tournament.pk, round_key)
    return begun


def wants_game(round: Round, table: Table, online: Online) -> bool:
    """Whether a game is to be laid for a table. Where deals are shared, none takes the place of one that was let go: its
    people know the deals."""
    let_go = any(change.kind == ABANDONED for change in table.changes)
    return round.status == OUT and table.state == PLAYING and not table.game and not (online.duplicate and let_go)


def check_plan(plan: Plan) -> None:
    """Raise DomainError (``bad-pace``, ``bad-options``) for a plan that no game can be laid by."""
    if plan.online is None:
        return
    try:
        terms = terms_of(plan.online)
    except BadTerms:
        raise DomainError("bad-pace", "online.pace") from None
    if terms.kind is not Kind.DAYS:
        raise DomainError("bad-pace", "online.pace")
    try:
        options_of(plan, ruleset(plan.rules.ruleset), plan.rules.deals)
    except OptionError as error:
        raise DomainError("bad-options", "rules.options", option=error.name) from None


def terms_of(online: Online) -> Terms:
    """The pace of the games. Raises BadTerms."""
    return Terms.from_json(online.pace)


def options_of(plan: Plan, rules: Ruleset, deals: int) -> Mapping[str, object]:
    """The options of a game: those of the house rules that this game knows, as many hands as deals. Raises OptionError."""
    known = {option.name for option in rules.options}
    wished: dict[str, object] = {TALK: plan.rules.talk, **dict(plan.rules.options), HANDS: deals}
    return rules.settled_options({name: value for name, value in wished.items() if name in known})


def turn_of(round: Round, table: Table, online: Online) -> int:
    """The place that deals first. Tables with the same deals are turned against each other, one further from table to table:
    two sides alternate, so each hand is played both ways as evenly as numbers allow."""
    if not online.duplicate:
        return 0
    place = sorted(round.tables).index(table.number)
    return place % (2 if len(table.sides) == 2 else len(table.people))


def owner_of(tournament: Tournament, phase: Phase, round: Round) -> str:
    """Whose deals those of a round are. A round that was undone and drawn again has others."""
    undone = sum(each["round"] == round.number for each in phase.undone)
    name = f"tournament:{tournament.pk}:{round.key}"
    return f"{name}:{undone}" if undone else name


def board_set_of(round: Round) -> BoardSet | None:
    """The deals that all tables of a round play. One query where there are some."""
    return BoardSet.objects.filter(public_id=round.board_set).first() if round.board_set else None


def _waits_for_games(tournament: Tournament, round: Round) -> bool:
    """Whether something is left to be done. One query at most."""
    online = state_of(tournament).phases[round.phase - 1].plan.online
    if online is None or tournament.status != Tournament.Status.RUNNING:
        return False
    if any(wants_game(round, table, online) for table in round.tables.values()):
        return True
    return bool(round.board_set) and BoardSet.objects.filter(public_id=round.board_set, awaits=True).exists()


def _found(tournament: Tournament, key: str) -> tuple[State, Phase, Round, Online] | None:
    state = state_of(tournament)
    round = state.round(key)
    if round is None or round.status != OUT or tournament.status != Tournament.Status.RUNNING:
        return None
    phase = state.phases[round.phase - 1]
    return (state, phase, round, phase.plan.online) if phase.plan.online is not None else None


def _lay_boards(tournament_id: int, key: str, now: datetime) -> None:
    """Promise the deals of a duplicate round, once."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        found = _found(tournament, key)
        if found is None or not found[3].duplicate or found[2].boards:
            return
        _state, phase, round, _online = found
        table = round.tables[min(round.tables)]
        rules = ruleset(table.ruleset, seats=len(table.people))
        laid = boards.lay(
            owner_of(tournament, phase, round),
            rules.id,
            size=rules.seats,
            count=table.deals,
            version=rules.version,
            options=options_of(phase.plan, rules, table.deals),
        )
        promised: list[Plain] = [{"number": deal.ordinal, "commitment": deal.commitment} for deal in boards.deals(laid)]
        doing: log.Doing = ("boards.laid", {"round": key, "set": laid.public_id, "boards": promised})
        log.act(tournament.pk, [doing], by=tournaments_permissions.SITE_ITSELF, request_id=uuid.uuid4(), at=now)


def _begin_table(tournament_id: int, key: str, now: datetime) -> bool:
    """Lay the game of one table, unless it has one. Raises MetAlready."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        found = _found(tournament, key.rpartition(".")[0])
        if found is None:
            return False
        state, phase, round, online = found
        table = state.table(key)
        if table is None or not wants_game(round, table, online):
            return False
        game, turn = _laid(phase, round, table, online)
        doing: log.Doing = ("table.begun", {"table": key, "game": game.public_id, "turn": turn})
        log.act(tournament.pk, [doing], by=tournaments_permissions.SITE_ITSELF, request_id=uuid.uuid4(), at=now)
        return True


def _laid(phase: Phase, round: Round, table: Table, online: Online) -> tuple[Game, int]:
    """The game of a table: places are seats, nobody is drawn for; who may watch and write is as usual, see `games.watching`
    (whoever has the link, nobody while deals are sealed) and `games.chat` (between hands)."""
    rules = ruleset(table.ruleset, seats=len(table.people))
    turn = turn_of(round, table, online)
    board_set = board_set_of(round)
    if board_set is not None:
        rules = ruleset(rules.id, board_set.ruleset_version, rules.seats)
    game = play.start(
        rules.id,
        substitutes.seated(table),
        version=rules.version,
        options=options_of(phase.plan, rules, table.deals),
        dealer=turn,
        pace=terms_of(online),
        board_set=board_set,
    )
    return game, turn


def _await_no_more(tournament_id: int, key: str) -> None:
    """Once every table has its game, the deals open as soon as the last one has played them."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        found = _found(tournament, key)
        if found is None:
            return
        _state, _phase, round, online = found
        laid = board_set_of(round)
        if (
            laid is not None
            and laid.awaits
            and not any(wants_game(round, table, online) for table in round.tables.values())
        ):
            boards.complete(laid)
