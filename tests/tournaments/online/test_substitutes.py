"""Who plays for whom: substitutes that are sought, named by a director, and people who leave in the middle of a season."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from accounts.models import Player
from clubs.models import Member
from domain.tournament.state import GONE, HERE
from games.exceptions import MetAlready
from games.models import Game
from games.services import timing
from notices.models import Outbox
from tests.refusals import refuses
from tests.tournaments.online.kit import PASSING, SEEKING, League, is_away, places
from tournaments import permissions as tournaments_permissions
from tournaments.exceptions import Refused
from tournaments.models import Tournament
from tournaments.online import notifications, substitutes
from tournaments.permissions import Actor
from tournaments.registration import by_oneself, services
from tournaments.services import log
from tournaments.services.log import NewEvent

pytestmark = pytest.mark.django_db


def league(people: int = 4, **online: object) -> League:
    """The first round of a season is out."""
    found = League.of(people, rules=PASSING | {"deals": 2}, online={"pace": SEEKING} | online)
    found.round()
    return found


def _name_substitute(tournament: Tournament, entrant: str, old: str, new: Member, by: Actor) -> None:
    doing: NewEvent = ("entrant.substituted", {"id": entrant, "old": old, "new": new.public_id})
    log.act(tournament.pk, [doing], by=by, request_id=uuid.uuid4())


def name(found: League, entrant: str, new: Member) -> None:
    """The director names somebody for the person of an entrant."""
    old = found.state.entrants[entrant].members[0]
    by = tournaments_permissions.director(found.director)
    _name_substitute(found.tournament, entrant, old, new, by)


def sit_down(game: Game, seat: int, player: Player) -> None:
    """Somebody takes a seat for which a substitute is looked for."""
    timing.substitute(game.pk, seat, request_id=uuid.uuid4(), by=player)


@pytest.mark.slow
def test_a_substitute_whom_the_director_names_sits_there_at_once_and_from_the_next_round_on():
    found = league()
    entrant, new = found.asked("1.1.1"), found.stranger("Ursin")
    seat = places(found.table("1.1.1"), entrant)[0]
    name(found, entrant, new)
    game = found.game("1.1.1")
    assert game.seats.get(number=seat).player == new.player
    entry = game.actions.get(text="substituted")
    assert entry.data["by"] == found.director.public_id
    assert entry.player == new.player
    assert found.state.entrants[entrant].people(1, 2) == (new.public_id,)
    told = {(row.event, row.player) for row in Outbox.objects.filter(event__startswith="tournament.subst")}
    old = found.player(found.state.entrants[entrant].members[0])
    assert told == {("tournament.substituted", old), ("tournament.substitute", new.player)}
    found.play_out("1.1.1")
    found.look()
    assert found.table("1.1.1").owners[seat] == entrant  # the result stays the entrant's
    found.round()
    assert new.player in [each.player for each in found.game("1.2.1").seats.all()]


def test_a_substitute_may_be_substituted():
    found = league()
    entrant, first, second = found.asked("1.1.1"), found.stranger("Ursin"), found.stranger("Mengia")
    name(found, entrant, first)
    by = tournaments_permissions.director(found.director)
    _name_substitute(found.tournament, entrant, first.public_id, second, by)
    seat = places(found.table("1.1.1"), entrant)[0]
    assert found.game("1.1.1").seats.get(number=seat).player == second.player


def test_nobody_is_named_who_has_no_account():
    found = league()
    stranger = Member.objects.create(club=found.club, first_name="Gion", last_name="Caduff")
    with pytest.raises(Refused) as why:
        name(found, found.asked("1.1.1"), stranger)
    assert why.value.code == "no-account"
    assert "Gion Caduff" in str(why.value.message)


def test_who_plays_at_another_table_takes_over_no_seat():
    found = league(8)
    game = found.game("1.1.1")
    entrant = found.asked("1.1.1")
    game.refresh_from_db()
    assert game.to_act is not None
    substitutes.give_up(found.state, entrant, found.now)
    game.refresh_from_db()
    assert game.seeks
    other = found.player(found.table("1.1.2").people[0])
    with refuses("plays-in-this-round"):
        sit_down(game, game.to_act, other)
    with refuses("account-needed"):
        sit_down(game, game.to_act, Player.objects.create())
    new = found.stranger("Ursin").player
    assert new is not None
    sit_down(game, game.to_act, new)
    assert game.seats.get(number=game.to_act).player == new


def test_who_knows_the_deals_takes_over_no_seat():
    found = league(8, duplicate=True)
    entrant = found.asked("1.1.1")
    new = found.stranger("Ursin")
    # They sat down at the other table first, and gave that seat up again.
    other = found.asked("1.1.2")
    name(found, other, new)
    second = found.stranger("Mengia")
    by = tournaments_permissions.director(found.director)
    _name_substitute(found.tournament, other, new.public_id, second, by)
    with refuses("cannot-take-seat"):
        name(found, entrant, new)
    substitutes.give_up(found.state, entrant, found.now)
    game = found.game("1.1.1")
    assert new.player is not None
    with pytest.raises(MetAlready):
        sit_down(game, int(game.to_act or 0), new.player)


@pytest.mark.slow
def test_who_leaves_in_the_middle_is_replaced_and_drawn_no_more():
    found = league(8)
    entrant = found.asked("1.1.1")
    player = found.player(found.state.entrants[entrant].members[0])
    by_oneself.do_oneself(found.tournament, player, "leave", request_id=uuid.uuid4())
    assert found.state.entrants[entrant].status == GONE
    game = found.game("1.1.1")
    assert game.seeks
    assert game.actions.filter(text="substitute-asked").exists()
    found.round()
    drawn = found.at_key("1.2")
    assert entrant not in {who for table in drawn.tables.values() for who in table.seats}
    # A computer player of the house's fills the table.
    house = [each for each in found.state.entrants.values() if each.house]
    assert len(house) == 1
    seated = [seat.player for number in drawn.tables for seat in found.game(f"1.2.{number}").seats.all()]
    assert sum(each.is_computer for each in seated) == 1


def test_a_substitute_also_sits_in_the_game_that_is_begun_anew():
    found = league()
    entrant, new, third = found.asked("1.1.1"), found.stranger("Ursin"), found.stranger("Mengia")
    seat, by = places(found.table("1.1.1"), entrant)[0], tournaments_permissions.director(found.director)
    name(found, entrant, new)
    found.do("table.abandoned", table="1.1.1", reason="a wrong pace", substitutes=True)
    assert found.table("1.1.1").people[seat] == new.public_id
    found.look()
    assert found.game("1.1.1").seats.get(number=seat).player == new.player
    found.do("table.abandoned", table="1.1.1", reason="once more", substitutes=True)
    _name_substitute(found.tournament, entrant, new.public_id, third, by)
    found.look()
    assert found.game("1.1.1").seats.get(number=seat).player == third.player


@pytest.mark.parametrize("do", ["leave", "pause", "play-on", "return"])
def test_whoever_is_replaced_does_not_take_the_substitute_along(do: str, client: Client):
    found = league()
    entrant, new = found.asked("1.1.1"), found.stranger("Ursin")
    player = found.player(found.state.entrants[entrant].members[0])
    name(found, entrant, new)
    if do == "return":
        found.do("entrant.left", id=entrant)
    before = found.state.entrants[entrant]
    with refuses("has-substitute"):
        by_oneself.do_oneself(found.tournament, player, do, request_id=uuid.uuid4())
    assert found.state.entrants[entrant] == before
    client.force_login(player.user)
    answer = client.get(f"/e/{found.tournament.public_id}/enter/")
    assert answer.status_code == 200
    assert 'name="do"' not in answer.content.decode()


def test_whoever_took_over_a_seat_plays_on_when_the_one_they_play_for_leaves():
    found = league()
    entrant, new = found.asked("1.1.1"), found.stranger("Ursin").player
    assert new is not None
    seat, game = places(found.table("1.1.1"), entrant)[0], found.game("1.1.1")
    substitutes.give_up(found.state, entrant, found.now)
    sit_down(game, seat, new)
    player = found.player(found.state.entrants[entrant].members[0])
    by_oneself.do_oneself(found.tournament, player, "leave", request_id=uuid.uuid4())
    game.refresh_from_db()
    assert game.seats.get(number=seat).player == new
    assert not game.seeks
    assert not is_away(game, seat)


def test_where_computer_players_step_in_they_do_at_once():
    found = league(pace=SEEKING | {"out": "computer"})
    entrant = found.asked("1.1.1")
    found.do("entrant.left", id=entrant)
    game = found.game("1.1.1")
    seat = places(found.table("1.1.1"), entrant)[0]
    assert game.clock["seats"][seat]["state"] == "away"
    assert not game.seeks


def letters(event: str) -> dict[Player, str]:
    """What a letter says to each who is told it, if it is true."""
    rows = [
        row for row in Outbox.objects.filter(event=event) if notifications.still_true(event, row.params, row.player)
    ]
    words = {row.player: notifications.words(event, row.params, row.player, "en") for row in rows}
    return {player: each.line for player, each in words.items() if each is not None}


def test_who_comes_back_is_not_told_that_they_play_for_their_substitute():
    found = league()
    entrant, new = found.asked("1.1.1"), found.stranger("Ursin")
    member = found.state.entrants[entrant].members[0]
    name(found, entrant, new)
    Outbox.objects.all().delete()
    found.do("entrant.substituted", id=entrant, old=new.public_id, new=member)
    assert letters("tournament.back") == {found.player(member): "Ursin Caduff does not play for you any more."}
    (line,) = letters("tournament.relieved").values()
    assert line.endswith("plays again. You do not play for them any more.")
    assert not Outbox.objects.filter(event__in=["tournament.substitute", "tournament.substituted"]).exists()


def test_whoever_sits_at_a_table_is_told_what_becomes_of_it_and_not_who_was_replaced_or_has_left():
    found = league(8)
    entrant, new = found.asked("1.1.1"), found.stranger("Ursin")
    assert new.player is not None
    old = found.player(found.state.entrants[entrant].members[0])
    name(found, entrant, new)
    table = found.table("1.1.1")
    mate = next(each for each in table.owners if each != entrant)
    rounds = letters("tournament.round")
    assert old not in rounds
    assert "Ursin Caduff" in rounds[found.player(found.state.entrants[mate].members[0])]
    found.do("entrant.left", id=mate)
    found.do("table.overdue", table="1.1.1", how="postponed", who=[])
    late = set(letters("tournament.late"))
    assert new.player in late
    assert not late & {old, found.player(found.state.entrants[mate].members[0])}
    found.do("table.overdue", table="1.1.1", how="forfeited", who=[entrant])
    assert "you kept it waiting" in letters("tournament.forfeited")[new.player]
    assert old not in letters("tournament.forfeited")
    found.do("table.overdue", table="1.1.2", how="forfeited", who=[found.table("1.1.2").owners[0]])
    found.do("round.closed", round="1.1")
    assert {old, new.player} <= set(letters("tournament.result"))
    found.do("tournament.closed", despite="for the test")
    assert {old, new.player} <= set(letters("tournament.over"))
    found.tournament.refresh_from_db()
    params = {"tournament": found.tournament.public_id}
    ranked = notifications.words("tournament.ranked", params, new.player, "en")
    assert ranked is not None
    assert "Your rank" not in ranked.line, "the result is the entrant's"


def test_who_has_left_is_told_who_plays_for_them_and_not_that_they_are_back():
    found = league()
    entrant, new = found.asked("1.1.1"), found.stranger("Ursin")
    own = found.state.entrants[entrant].members[0]
    found.do("entrant.left", id=entrant)
    Outbox.objects.all().delete()
    doings = services.substituting(found.state, entrant, own, new.public_id)
    by = tournaments_permissions.director(found.director)
    log.act(found.tournament.pk, doings, by=by, request_id=uuid.uuid4())
    assert found.state.entrants[entrant].status == HERE, "the next round is drawn with the substitute"
    assert set(letters("tournament.substituted")) == {found.player(own)}
    assert set(letters("tournament.substitute")) == {new.player}
    assert not letters("tournament.returned")
