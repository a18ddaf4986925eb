"""Online rounds: publishing, creating the games, reporting their results, and deadlines. And inviting people."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from enum import Enum
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs.models import Member
from domain.engine.ruleset import OptionError, Ruleset
from domain.engine.rulesets import ruleset
from domain.errors import DomainError
from domain.pace import Kind, Terms
from domain.pace.terms import BadTerms
from domain.tournament.payload import Plain
from domain.tournament.rounds import FORFEITED, POSTPONED
from domain.tournament.state import ABANDONED, CONFIRMED, OUT, PLAYING, Online, Phase, Plan, Round, State, Table
from games.exceptions import MetAlready
from games.models import BoardSet, Game, GameHand
from games.services import boards, play, seats
from notices import outbox
from notices.preferences import at_local
from tournaments.exceptions import OnlineError, Refused
from tournaments.models import OnlineTable, Participation, Tournament, TournamentInvitation
from tournaments.online import substitutes
from tournaments.online.notifications import INVITED, TOPIC
from tournaments.permissions import Actor
from tournaments.selectors import state_of
from tournaments.services import log
from tournaments.services.log import Receipt

logger = logging.getLogger(__name__)

TALK: Final = "talk"
HANDS: Final = "hands"


def begin_round(tournament: Tournament, round_key: str, now: datetime | None = None) -> int:
    """Create a game for every table of a published round that has none. Returns the number of games created.

    If all tables play the same deals, these are promised first; once every table has its game, no more tables are
    awaited. The game of each table, its log entry and its projection are written in one transaction, with the lock on
    the tournament's row. So several workers can call this, also after one has died.
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
            # Its people know these deals from a game that was called off: the director decides what counts there.
            logger.warning("table %s.%s of tournament %s knows its deals", round_key, number, tournament.public_id)
    _stop_awaiting(tournament.pk, round_key)
    return begun


def wants_game(round: Round, table: Table, online: Online) -> bool:
    """Whether a game has to be created for a table.

    With shared deals, a game that was called off is not replaced, because its people know the deals.
    """
    called_off = any(change.kind == ABANDONED for change in table.changes)
    return round.status == OUT and table.state == PLAYING and not table.game and not (online.duplicate and called_off)


def check_plan(plan: Plan) -> None:
    """Raise DomainError (``bad-pace``, ``bad-options``) for a plan by which no game can be created."""
    if plan.online is None:
        return
    try:
        terms = Terms.from_json(plan.online.pace)
    except BadTerms:
        raise DomainError("bad-pace", "online.pace") from None
    if terms.kind is not Kind.DAYS:
        raise DomainError("bad-pace", "online.pace")
    try:
        options_of(plan, ruleset(plan.rules.ruleset), plan.rules.deals)
    except OptionError as error:
        raise DomainError("bad-options", "rules.options", option=error.name) from None


def options_of(plan: Plan, rules: Ruleset, deals: int) -> Mapping[str, object]:
    """The options of a game: those of the house rules that this game has, and as many hands as deals.

    Raises OptionError.
    """
    supported = {option.name for option in rules.options}
    options: dict[str, object] = {TALK: plan.rules.talk, **dict(plan.rules.options), HANDS: deals}
    return rules.settled_options({name: value for name, value in options.items() if name in supported})


def turn_of(round: Round, table: Table, online: Online) -> int:
    """The place that deals first. With shared deals it moves on by one from table to table.

    Two sides thus alternate, so that each hand is played both ways as evenly as the number of tables allows.
    """
    if not online.duplicate:
        return 0
    index = sorted(round.tables).index(table.number)
    return index % (2 if len(table.sides) == 2 else len(table.people))


def owner_of(tournament: Tournament, phase: Phase, round: Round) -> str:
    """The name under which the deals of a round are stored.

    A round that was undone and drawn again has another name.
    """
    undone = sum(each["round"] == round.number for each in phase.undone)
    name = f"tournament:{tournament.pk}:{round.key}"
    return f"{name}:{undone}" if undone else name


def board_set_of(round: Round) -> BoardSet | None:
    """The deals that all tables of a round play; None if each table plays its own. One query at most."""
    return BoardSet.objects.filter(public_id=round.board_set).first() if round.board_set else None


def _waits_for_games(tournament: Tournament, round: Round) -> bool:
    """Whether games are still to be created, or tables still awaited. One query at most."""
    online = state_of(tournament).phases[round.phase - 1].plan.online
    if online is None or tournament.status != Tournament.Status.RUNNING:
        return False
    if any(wants_game(round, table, online) for table in round.tables.values()):
        return True
    return bool(round.board_set) and BoardSet.objects.filter(public_id=round.board_set, awaits=True).exists()


def _online_round(tournament: Tournament, key: str) -> tuple[State, Phase, Round, Online] | None:
    """A published online round with its state, phase and settings; None if it is not being played."""
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
        found = _online_round(tournament, key)
        if found is None:
            return
        _state, phase, round, online = found
        if not online.duplicate or round.boards:
            return
        table = round.tables[min(round.tables)]
        rules = ruleset(table.ruleset, seats=len(table.people))
        board_set = boards.create_set(
            owner_of(tournament, phase, round),
            rules.id,
            size=rules.seats,
            count=table.deals,
            version=rules.version,
            options=options_of(phase.plan, rules, table.deals),
        )
        promised: list[Plain] = [
            {"number": deal.ordinal, "commitment": deal.commitment} for deal in boards.deals(board_set)
        ]
        doing: log.NewEvent = ("boards.laid", {"round": key, "set": board_set.public_id, "boards": promised})
        log.act_as_site(tournament.pk, [doing], now)


def _begin_table(tournament_id: int, key: str, now: datetime) -> bool:
    """Create the game of one table, unless it has one. Returns whether it was created. Raises MetAlready."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        found = _online_round(tournament, key.rpartition(".")[0])
        if found is None:
            return False
        state, phase, round, online = found
        table = state.table(key)
        if table is None or not wants_game(round, table, online):
            return False
        game, turn = _create_game(phase, round, table, online)
        doing: log.NewEvent = ("table.begun", {"table": key, "game": game.public_id, "turn": turn})
        log.act_as_site(tournament.pk, [doing], now)
        return True


def _create_game(phase: Phase, round: Round, table: Table, online: Online) -> tuple[Game, int]:
    """Create the game of a table, and return it with the place that deals first. Places become seats; nothing is drawn.

    Who may watch and write is as in other games: see `games.watching` (anybody with the link, nobody while deals are
    sealed) and `games.chat` (between hands).
    """
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
        pace=Terms.from_json(online.pace),
        board_set=board_set,
    )
    return game, turn


def _stop_awaiting(tournament_id: int, key: str) -> None:
    """Once every table has its game, await no more: the deals then open as soon as the last table has played them."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        found = _online_round(tournament, key)
        if found is None:
            return
        _state, _phase, round, online = found
        board_set = board_set_of(round)
        if (
            board_set is not None
            and board_set.awaits
            and not any(wants_game(round, table, online) for table in round.tables.values())
        ):
            boards.complete(board_set)


ENDS_AT: Final = time(20)
"""Rounds end in the evening, in the time zone of the site."""
LOOK_AGAIN: Final = timedelta(minutes=1)


class Treated(Enum):
    NOTHING = 0
    DONE = 1
    WAITS = 2
    """Nobody keeps the table waiting just now: computer players act, or the next deal is about to begin. Look again."""


def deadline_for(plan: Plan, now: datetime | None = None) -> datetime:
    """The deadline of a round published at `now`: the first evening after as many days as the plan says."""
    assert plan.online is not None
    zone = ZoneInfo(settings.TIME_ZONE)
    earliest = (now or timezone.now()) + timedelta(days=plan.online.days)
    day = earliest.astimezone(zone).date()
    evening = at_local(day, ENDS_AT, zone)
    return evening if evening >= earliest else at_local(day + timedelta(days=1), ENDS_AT, zone)


def treat_deadline(tournament_id: int, key: str, now: datetime) -> tuple[int, bool]:
    """If the deadline of a round has passed, apply the house rules to each table that is not over.

    Returns the number of tables treated, and whether one has to be looked at again soon. Takes the lock on the
    tournament's row, then a game's, table by table; does nothing twice.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    round = state_of(tournament).round(key)
    if round is None or not _has_passed(round.deadline, now):
        return 0, False
    waiting = [number for number, table in sorted(round.tables.items()) if table.state != CONFIRMED and not table.late]
    outcomes = [_treat_table(tournament_id, f"{key}.{number}", now) for number in waiting]
    return outcomes.count(Treated.DONE), Treated.WAITS in outcomes


def _has_passed(deadline: str, now: datetime) -> bool:
    return bool(deadline) and datetime.fromisoformat(deadline) <= now


def _treat_table(tournament_id: int, key: str, now: datetime) -> Treated:
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        state = state_of(tournament)
        round, table = state.round(key.rpartition(".")[0]), state.table(key)
        if tournament.status != Tournament.Status.RUNNING or round is None or table is None or round.status != OUT:
            return Treated.NOTHING
        if not _has_passed(round.deadline, now) or table.state == CONFIRMED or table.late:
            return Treated.NOTHING
        game = Game.objects.select_for_update().filter(public_id=table.game).first() if table.game else None
        if game is not None and game.status != Game.Status.PLAYING and not game.is_sealed:
            return Treated.DONE if report(tournament, state, key, table, game, now) else Treated.NOTHING
        return _by_the_rules(tournament, state, state.phases[round.phase - 1], key, table, game, now)


def _by_the_rules(
    tournament: Tournament, state: State, phase: Phase, key: str, table: Table, game: Game | None, now: datetime
) -> Treated:
    how = phase.plan.rules.overdue
    over = game is not None and game.status != Game.Status.PLAYING
    who = who_keeps_waiting(state, table, game) if game is not None else []
    if how == "postpone" or game is None:
        _overdue(tournament, key, POSTPONED, [] if over else who, now)
        return Treated.DONE
    if over:
        return Treated.NOTHING  # the table counts as soon as its deals are open
    if how == "forfeit":
        if not who:
            return Treated.WAITS
        _overdue(tournament, key, FORFEITED, who, now)  # the game ends with it, see `tournaments.online.projections`
        return Treated.DONE
    seats.call_off(game.pk, now=now)
    game = Game.objects.get(pk=game.pk)
    if not game.is_sealed:
        report(tournament, state, key, table, game, now)
    return Treated.DONE


def _overdue(tournament: Tournament, key: str, how: str, who: list[str], now: datetime) -> None:
    doing: log.NewEvent = ("table.overdue", {"table": key, "how": how, "who": list(who)})
    log.act_as_site(tournament.pk, [doing], now)


def publish_round(
    tournament: Tournament,
    key: str,
    *,
    by: Actor,
    request_id: uuid.UUID,
    deadline: datetime | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Publish a round.

    Online it lasts until `deadline` or, without one, as long as the plan says; the worker creates its games.

    Raises Refused; ``no-account`` names the people who cannot be seated.
    """
    moment = now or timezone.now()
    tournament.refresh_from_db()
    state = state_of(tournament)
    round = state.round(key)
    if round is None:
        raise Refused("no-such-round", "round")
    plan = state.phases[round.phase - 1].plan
    data: dict[str, Plain] = {"round": key}
    if plan.online is not None:
        data["deadline"] = (deadline or deadline_for(plan, moment)).isoformat()
    return log.act(
        tournament.pk,
        [("round.published", data)],
        by=by,
        request_id=request_id,
        same=f"publish|{key}|{deadline}",
        at=now,
    )


AT_ONCE: Final = 50
AGAIN: Final = timedelta(hours=1)
"""How long to wait before a report that was refused or failed is tried again."""
COUNTED: Final = (GameHand.Status.PLAYED, GameHand.Status.PASSED)


def report_due(now: datetime) -> int:
    """Report the games that are over. Returns their number. One query if there are none."""
    done = 0
    for tournament_id, key in _due(now)[:AT_ONCE]:
        try:
            done += report_table(tournament_id, key, now)
        except Exception:  # a broken table must not hold up the others
            logger.exception("could not report table %s of tournament %s", key, tournament_id)
            OnlineTable.objects.filter(tournament=tournament_id, key=key).update(again_at=now + AGAIN)
    return done


def report_table(tournament_id: int, key: str, now: datetime) -> bool:
    """Report one table if its game is over and its deals are open. Returns whether it was reported.

    Takes the lock on the tournament's row.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        state = state_of(tournament)
        table = state.table(key)
        if tournament.status != Tournament.Status.RUNNING or table is None or not table.game:
            return False
        game = Game.objects.select_related("board_set").get(public_id=table.game)
        if game.status == Game.Status.PLAYING or game.is_sealed:
            return False
        return report(tournament, state, key, table, game, now)


def report(
    tournament: Tournament,
    state: State,
    key: str,
    table: Table,
    game: Game,
    now: datetime,
) -> bool:
    """Write the result of a finished game to the tournament's log. Returns whether it was written.

    If no deal was finished, the entrants whom the table waited for forfeit it, or else all its people. If the table was
    decided meanwhile, nothing is written: the director's decision stays. Expects the lock on the tournament's row.
    """
    if table.touched or table.game != game.public_id:
        return False
    lines = lines_of(game, table)
    doing: log.NewEvent
    if lines:
        doing = (
            "table.reported",
            {"table": key, "game": game.public_id, "lines": lines, "short": len(lines) < table.deals},
        )
    else:
        people = [id for id in table.seats if not state.entrants[id].house]
        who: list[Plain] = list(who_keeps_waiting(state, table, game) or people)
        doing = ("table.overdue", {"table": key, "how": FORFEITED, "who": who})
    try:
        log.act_as_site(tournament.pk, [doing], now)
    except Refused as refusal:
        logger.warning("table %s of tournament %s: %s", key, tournament.public_id, refusal.code)
        OnlineTable.objects.filter(tournament=tournament, key=key).update(again_at=now + AGAIN)
        return False
    return True


def lines_of(game: Game, table: Table) -> list[Plain]:
    """The finished deals of a game, numbered as on the table's sheet.

    `scores` are in order of the table's sides: card points if the table has a sum of them to check, else what each won.
    """
    rows = list(game.hands.filter(status__in=COUNTED).order_by("number"))
    lines: list[Plain] = []
    for number, row in enumerate(rows, 1):
        deal = row.number if game.board_set_id is not None else number
        lines.append({"deal": deal, "scores": _scores(row, table)})
    return lines


def _scores(row: GameHand, table: Table) -> list[Plain]:
    by_party = {frozenset(party): points for party, points in zip(row.parties, row.points, strict=False)}
    if table.total and all(frozenset(side) in by_party for side in table.sides):
        return [by_party[frozenset(side)] for side in table.sides]
    return [row.scores[side[0]] for side in table.sides]


def who_keeps_waiting(state: State, table: Table, game: Game) -> list[str]:
    """The entrants that a table waits for, or waited for when its game ended.

    It is the turn of their person, or that person is away or about to be replaced.
    """
    owners = [table.owners[seat] for seat in seats.waiting_seats(game)]
    return [id for id in dict.fromkeys(owners) if not state.entrants[id].house]


def _due(now: datetime) -> QuerySet[OnlineTable, tuple[int, str]]:
    """The tables whose game is over and whose deals are open, but which do not count yet."""
    # A condition instead of a join: few tables are open, and the database looks up the one game of each.
    over = Game.objects.filter(pk=OuterRef("game")).exclude(status=Game.Status.PLAYING)
    opened = over.filter(Q(board_set__isnull=True) | Q(board_set__opened_at__isnull=False))
    again = Q(again_at__isnull=True) | Q(again_at__lte=now)
    waiting = OnlineTable.objects.filter(again, Exists(opened), reported_at__isnull=True, game__isnull=False)
    running = waiting.filter(tournament__status=Tournament.Status.RUNNING)
    return running.order_by("game").values_list("tournament", "key")


def invite(tournament: Tournament, players: Sequence[Player], by: Player) -> int:
    """Invite these people. Returns how many are invited now. Takes the lock on the tournament's row.

    People who take part, were invited before or have no account are skipped silently, so a repeated request does
    nothing. Somebody who does not want to meet `by` counts as invited and is not told, so nobody learns of it. The
    caller has checked RUN_TOURNAMENTS with `clubs.permissions`. Raises
    ``cannot-invite``, ``nobody-invited``, Suspended.
    """
    if not players:
        raise OnlineError("nobody-invited")
    account_permissions.check_not_suspended(by)
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if not can_invite(row):
            raise OnlineError("cannot-invite")
        skipped = set(Participation.objects.filter(tournament=row).values_list("member__player", flat=True))
        skipped |= set(TournamentInvitation.objects.filter(tournament=row).values_list("player", flat=True))
        count = 0
        for player in {each.current.pk: each.current for each in players}.values():
            if player.pk in skipped or player.pk == by.pk or not substitutes.can_play(player):
                continue
            TournamentInvitation.objects.create(tournament=row, player=player, by=by)
            if account_permissions.may_meet(player, [by]):
                outbox.put(INVITED, player, {"tournament": row.public_id}, topic=f"{TOPIC}{row.public_id}")
            count += 1
        return count


def invite_members(tournament: Tournament, by: Player) -> int:
    """Invite all members of the club who have an account. Returns how many are invited now. Raises as `invite`."""
    members = Member.objects.filter(
        club=tournament.club_id, player__isnull=False, left_on__isnull=True, kind=Member.Kind.MEMBER
    ).select_related("player__merged_into")
    return invite(tournament, [each.player for each in members if each.player is not None], by)


def can_invite(tournament: Tournament) -> bool:
    """Whether people who are invited could enter themselves."""
    running = tournament.status in (Tournament.Status.PLANNED, Tournament.Status.RUNNING)
    return running and tournament.entry != Tournament.Entry.DESK and substitutes.is_open(state_of(tournament))
