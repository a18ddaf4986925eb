"""The notices of tournaments: changes of the announcement, partners; online also seats, deadlines, results and substitutes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, cast

from django.conf import settings
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from clubs.models import Member
from clubs.naming import HALL
from core.sursilvan import in_a_row
from domain.tournament.events import Event
from domain.tournament.finishing import last_tables
from domain.tournament.registering import next_round
from domain.tournament.scoring import ranking
from domain.tournament.state import CONFIRMED, EXPECTED, GONE, HERE, MERGED, OUT, PLAYING, WITHDRAWN, State, Table
from games.models import Game, Seat
from games.text.common import moment_in_letter, moment_told
from notices import outbox
from notices.registry import Key, Kind, Lookup, Params, Subject, Words
from tournaments.models import Participation, Tournament, TournamentInvitation
from tournaments.online import substitutes
from tournaments.online.substitutes import plays_online
from tournaments.permissions import PERSON, Actor
from tournaments.read_models import Names
from tournaments.selectors import states_of

CANCELLED: Final = "tournament.cancelled"
HELD: Final = "tournament.held"
MOVED: Final = "tournament.moved"
INVITED: Final = "tournament.invited"
PARTNER: Final = "tournament.partner"
ALONE: Final = "tournament.alone"
ROUND: Final = "tournament.round"
SITS_OUT: Final = "tournament.sits-out"
DEADLINE: Final = "tournament.deadline"
LATE: Final = "tournament.late"
FORFEITED: Final = "tournament.forfeited"
SUBSTITUTED: Final = "tournament.substituted"
SUBSTITUTE: Final = "tournament.substitute"
BACK: Final = "tournament.back"
RELIEVED: Final = "tournament.relieved"
LEFT: Final = "tournament.left"
RETURNED: Final = "tournament.returned"
PAUSED: Final = "tournament.paused"
PLAYS_ON: Final = "tournament.plays-on"
RESULT: Final = "tournament.result"
OVER: Final = "tournament.over"
ANNOUNCED: Final = "tournament.announced"
RANKED: Final = "tournament.ranked"
TOPIC: Final = "tournament:"


# writing notices, in the transaction of the event


def notify_entrants(event: str, tournament: Tournament, *, by: Player) -> None:
    """Write a notice for everybody with an account who takes part, except `by`.

    Call it in the transaction of the change.
    """
    params = {"tournament": tournament.public_id, "by": by.public_id}
    rows = Participation.objects.filter(tournament=tournament, member__player__isnull=False)
    for row in rows.select_related("member__player"):
        player = row.member.player
        if player is not None and player.pk != by.pk:
            outbox.put(event, player, params, topic=f"{TOPIC}{tournament.public_id}", expires_at=tournament.starts)


def _published(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    round = after.round(str(event.data["round"]))
    if round is None or not round.deadline:
        return
    until = datetime.fromisoformat(round.deadline)
    for number, table in sorted(round.tables.items()):
        about = {"table": f"{round.key}.{number}", "until": round.deadline}
        _put(ROUND, tournament, table.people, about, expires_at=until)
    out = [person for id in round.byes for person in after.entrants[id].people(round.phase, round.number)]
    _put(SITS_OUT, tournament, out, {"round": round.key, "until": round.deadline}, expires_at=until)


def _paired(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    """Tell both people of each new pair, except whoever did it."""
    pairs = cast("Sequence[Sequence[str]]", event.data["pairs"])
    for one, _two in pairs:
        _put_partners(PARTNER, tournament, after.entrants[one].members, by)


def _parted(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    _put_partners(ALONE, tournament, before.entrants[str(event.data["id"])].members, by)


def _put_partners(event: str, tournament: Tournament, pair: Sequence[str], by: Actor) -> None:
    for own, other in (pair, reversed(pair)):
        _put(event, tournament, [own], {"with": other}, but=by.player, expires_at=tournament.starts)


def _overdue(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    key = str(event.data["table"])
    table = after.table(key)
    if table is not None:
        notice = LATE if event.data.get("how") == "postponed" else FORFEITED
        sitting = zip(after.sitting(table), table.owners, strict=True)
        people = [who for who, id in sitting if notice == FORFEITED or after.entrants[id].status != GONE]
        _put(notice, tournament, people, {"table": key})


def _substituted(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    if not plays_online(before):
        return
    old, new = str(event.data["old"]), str(event.data["new"])
    if new in before.entrants[str(event.data["id"])].members:
        _put(RELIEVED, tournament, [old], {"by": new})
        _put(BACK, tournament, [new], {"for": old})
    else:
        _put(SUBSTITUTED, tournament, [old], {"by": new})
        _put(SUBSTITUTE, tournament, [new], {"for": old})


def _coming_and_going(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    """Tell the people of an entrant what somebody else did with it: their partner, or the desk."""
    if not plays_online(before):
        return
    id = str(event.data["id"])
    entrant, told = after.entrants[id], {"entrant": id}
    if event.kind == "entrant.paused":
        (key,) = entrant.pauses ^ before.entrants[id].pauses or {""}
        notice, told = (PAUSED if key in entrant.pauses else PLAYS_ON), told | {"round": key}
    else:
        notice = RETURNED if event.kind == "entrant.arrived" else LEFT
    came_first = notice == RETURNED and before.entrants[id].status == EXPECTED
    if entrant != before.entrants[id] and not came_first:
        person = by.name.removeprefix("person:") if by.what == PERSON else ""
        plays, was = (set(each.people(*next_round(after))) for each in (entrant, before.entrants[id]))
        people = plays & was if notice == RETURNED else plays | set(entrant.members)
        _put(notice, tournament, sorted(people), told | {"by": person}, but=by.player)


def _closed_round(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    round = after.round(str(event.data["round"]))
    if round is None or not round.deadline or event.data.get("off"):
        return
    tables = [table for _, table in sorted(round.tables.items())]
    people = [person for table in tables for person in (*table.people, *after.sitting(table))]
    people += [person for id in round.byes for person in after.entrants[id].people(round.phase, round.number)]
    _put(RESULT, tournament, people, {"round": round.key})


def _closed(tournament: Tournament, before: State, after: State, event: Event, by: Actor) -> None:
    if any(phase.plan.online for phase in after.phases):
        entered = [each for each in after.entrants.values() if each.status not in (WITHDRAWN, MERGED)]
        substituting = [each.new for entrant in entered for each in entrant.substitutions]
        _put(OVER, tournament, [*(person for each in entered for person in each.members), *substituting], {})


WRITERS: Final[Mapping[str, Callable[[Tournament, State, State, Event, Actor], None]]] = {
    "pairs.made": _paired,
    "pair.parted": _parted,
    "round.published": _published,
    "table.overdue": _overdue,
    "entrant.substituted": _substituted,
    "entrant.left": _coming_and_going,
    "entrant.withdrawn": _coming_and_going,
    "entrant.arrived": _coming_and_going,
    "entrant.paused": _coming_and_going,
    "round.closed": _closed_round,
    "tournament.closed": _closed,
}
"""The functions that write the notices of an event, by its kind. They expect the lock on the tournament's row."""


def _put(
    event: str,
    tournament: Tournament,
    people: Iterable[str],
    about: Mapping[str, str],
    *,
    expires_at: datetime | None = None,
    but: Player | None = None,
) -> None:
    params = {"tournament": tournament.public_id, **about}
    notified = {but.pk} if but is not None else set()
    for player in substitutes.players_of(people).values():
        if player.pk not in notified:
            notified.add(player.pk)
            outbox.put(event, player, params, topic=f"{TOPIC}{tournament.public_id}", expires_at=expires_at)


# putting notices into words, when they are sent


def _tournaments(public_ids: Collection[Key], player: Player) -> Mapping[Key, Tournament]:
    return {row.public_id: row for row in Tournament.objects.filter(public_id__in=public_ids)}


tournament_of: Final = Lookup("tournament", _tournaments)


def _states(public_ids: Collection[Key], player: Player) -> Mapping[Key, State]:
    tournaments = _tournaments(public_ids, player)
    states = states_of(tournaments.values())
    return {key: states[row.pk] for key, row in tournaments.items()}


_state_of: Final = Lookup("tournament", _states)


WORDS: Final[Mapping[str, tuple[Promise | str, Promise | str]]] = {
    CANCELLED: (_("Cancelled: %(name)s"), _("It does not take place on %(when)s.")),
    HELD: (_("After all: %(name)s"), _("It takes place after all, on %(when)s.")),
    MOVED: (_("Moved: %(name)s"), _("It is now on %(when)s, %(place)s.")),
    INVITED: (_("An invitation: %(name)s"), _("%(club)s invites you to a tournament that is played online.")),
    PARTNER: (_("You have a partner: %(name)s"), _("You play with %(who)s.")),
    ALONE: (_("You need a partner: %(name)s"), _("%(who)s does not play with you any more.")),
    ROUND: (_("A new round: %(name)s"), _("Table %(table)s, with %(others)s. Until %(time)s.")),
    SITS_OUT: (_("A new round: %(name)s"), _("You sit out this round. It lasts until %(time)s.")),
    DEADLINE: (
        _("The round ends soon: %(name)s"),
        _("It is your turn at table %(table)s. You have until %(time)s."),
    ),
    LATE: (
        _("Postponed: %(name)s"),
        _("Time is over, and table %(table)s is not. Play on: it counts as soon as it is over."),
    ),
    FORFEITED: (
        _("Forfeited: %(name)s"),
        _("Table %(table)s is decided without a result: others kept it waiting, and you have a bye."),
    ),
    SUBSTITUTED: (_("Somebody plays for you: %(name)s"), _("%(who)s plays in your place from now on.")),
    SUBSTITUTE: (
        _("You play for somebody: %(name)s"),
        _("You are playing for %(who)s from now on."),
    ),
    BACK: (_("You play again: %(name)s"), _("%(who)s does not play for you any more.")),
    RELIEVED: (_("Playing again: %(name)s"), _("%(who)s plays again. You do not play for them any more.")),
    LEFT: (
        _("You no longer take part: %(name)s"),
        _("%(who)s has ended your part in it: rounds are drawn without you. What you have played counts."),
    ),
    RETURNED: (_("You play again: %(name)s"), _("%(who)s has put you back in: you play from the next round on.")),
    PAUSED: (_("The next round: %(name)s"), _("%(who)s lets you sit out the next round.")),
    PLAYS_ON: (_("The next round: %(name)s"), _("%(who)s lets you play the next round after all.")),
    RESULT: (_("The results are there: %(name)s"), _("Round %(round)s is over. See where you stand.")),
    OVER: (_("Over: %(name)s"), _("The last round is counted. See how it ended.")),
    ANNOUNCED: (_("Announced: %(name)s"), _("%(club)s invites you: %(when)s, %(place)s.")),
    RANKED: (_("The result: %(name)s"), _("%(club)s: the ranking is final. See how it ended.")),
}
"""Title and sentence of each notice, by event.

The parameters of the events: `tournament`, its public id; `by`, the public id of the player who did it. For online
rounds: `table` or `round`, its key; `until`, an ISO moment; `by` and `for`, public ids of entries; for reminders, `game`.
For pairs: `with`, the public id of the partner's entry. For what somebody else did with one's entry: `entrant`, and
`by`, the public id of the partner's entry, or "" for the desk.
"""
kinds: Final = dict.fromkeys(WORDS, Kind.OTHER) | {DEADLINE: Kind.DEADLINE, ANNOUNCED: Kind.CLUB, RANKED: Kind.CLUB}


def still_true(event: str, params: Params, player: Player) -> bool:
    """Whether the notice still holds: the state is as it says, and an announced tournament has not begun.

    Notices of final events, such as results, stay true.
    """
    tournament = tournament_of(params, player)
    if tournament is None:
        return False
    cancelled = tournament.status == Tournament.Status.CANCELLED
    if event in (CANCELLED, HELD, MOVED):
        return cancelled == (event == CANCELLED) and tournament.starts >= timezone.now()
    if cancelled:
        return False
    if event == ANNOUNCED:
        return tournament.starts >= timezone.now()
    state = _state_of(params, player)
    if state is None:
        return False
    if event == INVITED:
        return _may_come(tournament, state, player)
    if event in (PARTNER, ALONE):
        partner = _partner(tournament, state, player)
        return partner == (params.get("with") if event == PARTNER else "")
    if event in (ROUND, DEADLINE, LATE, FORFEITED):
        return _table_stands(event, state, params, player)
    if event in (LEFT, RETURNED, PAUSED, PLAYS_ON):
        entrant = state.entrants[str(params["entrant"])]
        if event in (LEFT, RETURNED):
            return (entrant.status == HERE) == (event == RETURNED)
        return (params["round"] in entrant.pauses) == (event == PAUSED)
    if event in (SITS_OUT, RESULT):
        round = state.round(str(params.get("round", "")))
        return round is not None and (event == RESULT or round.status == OUT)
    return event not in (OVER, RANKED) or state.closed


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    """The event in the player's language and time zone; the tournament's start in the time zone of the site."""
    tournament = tournament_of(params, player)
    if tournament is None or event not in WORDS:
        return None
    state, until = _state_of(params, player), moment_told(params.get("until"))
    if state is None:
        return None
    title, line = (str(text) for text in WORDS[event])
    time = moment_in_letter(until, player) if until else ""
    fields = {"name": tournament.name, "club": tournament.club.name, "time": time, "place": tournament.place}
    with timezone.override(settings.TIME_ZONE):
        starts = timezone.localtime(tournament.starts)
        fields["when"] = f"{formats.date_format(starts, 'l')}, {formats.date_format(starts, 'DATETIME_FORMAT')}"
    fields |= _fields(event, tournament, state, params, player)
    if event == ROUND and fields["partner"]:
        line = gettext("Table %(table)s, with %(partner)s as your partner, against %(others)s. Until %(time)s.")
    elif event == FORFEITED and fields["forfeits"]:
        line = gettext("Table %(table)s is decided without a result: you kept it waiting, and count as absent.")
    elif event == SITS_OUT and fields["goes_on"]:
        line = gettext("You have no opponent in this round, and go on to the next one. It lasts until %(time)s.")
    elif event == LEFT and state.entrants[str(params["entrant"])].status == WITHDRAWN:
        line = gettext("%(who)s has taken you off the list.")
    elif event == RESULT and fields["part"]:
        line = gettext("%(part)s, round %(round)s, is over. See where you stand.")
    elif event == MOVED and not tournament.place:
        line = gettext("It is now on %(when)s.")
    elif event == ANNOUNCED and not tournament.place:
        line = gettext("%(club)s invites you: %(when)s.")
    elif event == RANKED and (place := _own_place(tournament, state, player)):
        line = gettext("%(club)s: the ranking is final. Your rank is %(rank)s of %(all)s.")
        fields |= place
    url = _url(event, tournament, state, params)
    tag = f"tournament-{tournament.public_id}"
    if event == DEADLINE:
        tag = f"game-{params.get('game')}"
    return Words(title % fields, line % fields, url, tag, until)


def find_subject(player: Player, topic: str) -> Subject | None:
    """The tournament of the topic `tournament:<public id>`, if the player takes part or was invited; else None."""
    if not topic.startswith(TOPIC):
        return None
    tournament = Tournament.objects.filter(public_id=topic.removeprefix(TOPIC)).first()
    if tournament is None:
        return None
    takes_part = Participation.objects.filter(tournament=tournament, member__player=player.current)
    invited = TournamentInvitation.objects.filter(tournament=tournament, player=player.current)
    if not takes_part.exists() and not invited.exists():
        return None
    return Subject(tournament.name, reverse("tournament:home", args=[tournament.public_id]))


def _fields(event: str, tournament: Tournament, state: State, params: Params, player: Player) -> dict[str, str]:
    key = str(params.get("table") or params.get("round") or "")
    number = key.rpartition(".")[2]
    found = {"table": number, "round": number, "partner": "", "others": "", "who": "", "forfeits": "", "goes_on": ""}
    phase = next((phase for phase in state.phases if key.startswith(f"{phase.number}.")), None)
    found["part"] = phase.name if phase else ""
    if event == SITS_OUT and phase and phase.plan.method == "knock-out":
        round = state.round(key)
        found["goes_on"] = "yes" if round and not last_tables(state, phase, round) else ""
    if event in (SUBSTITUTED, SUBSTITUTE, BACK, RELIEVED, LEFT, RETURNED, PAUSED, PLAYS_ON):
        person = str(params.get("by") or params.get("for", ""))
        found["who"] = _names(tournament, [person]) if person else tournament.club.name
    elif event in (PARTNER, ALONE):
        found["who"] = _names(tournament, [str(params.get("with", ""))])
    table = state.table(key)
    if event == FORFEITED and table is not None and (place := _place(state, table, player)) >= 0:
        found["forfeits"] = "yes" if table.owners[place] in table.forfeit else ""
    if event == ROUND and table is not None:
        place, people = _place(state, table, player), state.sitting(table)
        side = next((side for side in table.sides if place in side), ())
        partners = [people[each] for each in side if each != place]
        others = [people[each] for each in range(len(people)) if each not in side and each != place]
        found |= {"partner": _names(tournament, partners), "others": _names(tournament, others)}
    return found


def _partner(tournament: Tournament, state: State, player: Player) -> str | None:
    """The public id of the player's partner in a tournament of pairs; "" if they have none, None if they do not come."""
    own = Member.objects.filter(club_id=tournament.club_id, player=player.current).first()
    for entrant in state.entrants.values():
        if own is not None and own.public_id in entrant.members and entrant.status not in (WITHDRAWN, MERGED):
            return next((each for each in entrant.members if each != own.public_id), "")
    return None


def _own_place(tournament: Tournament, state: State, player: Player) -> dict[str, str]:
    """The player's own rank, and the number of ranks; empty for a player who was not there."""
    row = (
        Participation.objects.filter(tournament=tournament, member__player=player.current)
        .select_related("member")
        .first()
    )
    ranked = [place for place in ranking(state)[0] if place.rank]
    person = row.member.public_id if row is not None else ""
    own = next((place.rank for place in ranked if person in state.entrants[place.row.entrant].members), 0)
    return {"rank": str(own), "all": str(len(ranked))} if own else {}


def _names(tournament: Tournament, people: Sequence[str]) -> str:
    """The names of people, as those who play in the tournament read them on its pages."""
    names = Names(tournament, HALL, more=people)
    return in_a_row([names.person(person) for person in people])


def _place(state: State, table: Table, player: Player) -> int:
    people = state.sitting(table)
    players = substitutes.players_of(people)
    return next((place for place, person in enumerate(people) if players.get(person) == player.current), -1)


def _table_stands(event: str, state: State, params: Params, player: Player) -> bool:
    table = state.table(str(params.get("table", "")))
    if table is None:
        return False
    if event == FORFEITED:
        return bool(table.forfeit)
    if event in (ROUND, LATE):
        going_on = table.state == PLAYING if event == ROUND else table.late and table.state != CONFIRMED
        return going_on and _place(state, table, player) >= 0
    game = Game.objects.filter(public_id=table.game, status=Game.Status.PLAYING).first() if table.game else None
    if game is None or game.to_act is None or table.state == CONFIRMED:
        return False
    seat = Seat.objects.select_related("player__merged_into").get(game=game, number=game.to_act)
    return seat.player.current.pk == player.current.pk


def _may_come(tournament: Tournament, state: State, player: Player) -> bool:
    """Whether an invitation still holds: people can enter themselves, and the player has not entered."""
    takes_part = Participation.objects.filter(tournament=tournament, member__player=player.current).exists()
    return not takes_part and tournament.entry != Tournament.Entry.DESK and substitutes.is_open(state)


def _url(event: str, tournament: Tournament, state: State, params: Params) -> str:
    """The address of the table once its game is created, or of one's own entry, else that of the tournament."""
    if event in (PARTNER, ALONE):
        return reverse("tournament:enter", args=[tournament.public_id])
    table = state.table(str(params.get("table", ""))) if event in (ROUND, DEADLINE, LATE) else None
    if table is not None and table.game:
        return reverse("games:table", args=[table.game])
    return reverse("tournament:home", args=[tournament.public_id])
