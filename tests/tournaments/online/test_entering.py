"""Entering a tournament online: everybody with an account, until the first draw or, where latecomers get a score, later."""

from __future__ import annotations

import uuid

import pytest

from accounts.models import Player
from clubs.models import Member
from clubs.services.common import Person
from domain.tournament.state import GONE, HERE
from notices import preferences
from notices.models import Outbox
from tests.refusals import refuses
from tests.tournaments.online.kit import PACE, PASSING, League
from tests.tournaments.services.kit import Night, member_player
from tournaments import permissions as tournaments_permissions
from tournaments.exceptions import Refused
from tournaments.models import Tournament
from tournaments.online import notifications, substitutes
from tournaments.online import services as online_services
from tournaments.online.notifications import find_subject
from tournaments.registration import by_oneself, services

pytestmark = pytest.mark.django_db
LATE = {"late": {"method": "field-average", "points": 0, "match": 0}}


def opened(people: int = 4, **rules: object) -> League:
    """A tournament everybody may enter."""
    found = League.of(people, rules=PASSING | {"deals": 1, "rounds": 3} | rules)
    found.tournament.entry = Tournament.Entry.EVERYBODY
    found.tournament.save()
    return found


def enter(found: Night, player: Player) -> str:
    """Somebody enters themselves; their entrant."""
    found.tournament.refresh_from_db()
    by_oneself.enter_oneself(found.tournament, player, Person("Anna", "Cadruvi", False), request_id=uuid.uuid4())
    return f"e{len(found.state.entrants)}"


def test_who_enters_is_here_at_once():
    found = opened()
    entrant = enter(found, member_player("Anna"))
    assert found.state.entrants[entrant].status == HERE
    found.round()
    assert entrant in {who for table in found.at_key("1.1").tables.values() for who in table.seats}


def test_nobody_enters_by_themselves_after_the_first_draw():
    found = opened()
    found.round(out=False, begun=False)
    with refuses("entry-closed"):
        enter(found, member_player("Anna"))


def test_latecomers_enter_where_the_house_rules_give_them_a_score():
    found = opened(**LATE)
    found.round()
    entrant = enter(found, member_player("Anna"))
    assert found.state.entrants[entrant].came == (1, 2)
    found.round()
    assert entrant in {who for table in found.at_key("1.2").tables.values() for who in table.seats}


def test_one_pauses_leaves_and_comes_back():
    found = opened()
    player = found.player(found.state.entrants["e1"].members[0])
    by_oneself.do_oneself(found.tournament, player, "pause", request_id=uuid.uuid4())
    assert found.state.entrants["e1"].pauses == {"1.1"}
    by_oneself.do_oneself(found.tournament, player, "play-on", request_id=uuid.uuid4())
    assert not found.state.entrants["e1"].pauses
    found.round()
    by_oneself.do_oneself(found.tournament, player, "leave", request_id=uuid.uuid4())
    assert found.state.entrants["e1"].status == GONE
    by_oneself.do_oneself(found.tournament, player, "return", request_id=uuid.uuid4())
    assert found.state.entrants["e1"].status == HERE


def test_the_desk_enters_people_who_are_here_at_once():
    found = opened()
    services.enter(
        found.tournament,
        [found.stranger("Ursin")],
        by=tournaments_permissions.director(found.director),
        request_id=uuid.uuid4(),
    )
    assert found.state.entrants["e5"].status == HERE


# who has no account


def test_a_round_is_not_published_while_somebody_has_no_account():
    found = opened(3)
    found.do("entrant.added", members=[found.person().public_id], here=True)
    assert [
        each.first_name for each in substitutes.missing_accounts(found.state, found.state.phases[0], found.tournament)
    ] == ["Vorname4"]
    found.round(out=False, begun=False)
    with pytest.raises(Refused) as why:
        found.do("round.published", round="1.1", deadline="2027-01-01T12:00:00+01:00")
    assert why.value.code == "no-account"
    assert why.value.facts["names"] == "Vorname4 Nachname4"
    assert "Vorname4 Nachname4" in str(why.value.message)
    found.people[3].player = member_player("Anna")
    found.people[3].save()
    found.do("round.published", round="1.1", deadline="2027-01-01T12:00:00+01:00")


def test_a_later_round_is_not_drawn_while_somebody_has_no_account():
    found = opened()
    found.round()
    found.do("entrant.added", members=[found.person().public_id], here=True)
    with pytest.raises(Refused) as why:
        found.round(out=False)
    assert why.value.code == "no-account"


@pytest.mark.parametrize(
    ("online", "rules", "code"),
    [
        ({"pace": {"kind": "days", "action": 5}}, {}, "bad-pace"),
        ({"pace": {"kind": "live", "action": 30}}, {}, "bad-pace"),
        ({"pace": {"speed": "high"}}, {}, "bad-pace"),
        ({}, {"options": {"knock": "perhaps"}}, "bad-options"),
    ],
)
def test_a_plan_no_game_can_be_laid_by_is_refused(online: dict[str, object], rules: dict[str, object], code: str):
    night = Night.at(0)
    plan = {"rules": {"rounds": 2, "deals": 2} | rules, "online": {"pace": PACE, "days": 7} | online, "odd": []}
    with pytest.raises(Refused) as why:
        night.do("tournament.planned", plan=plan)
    assert why.value.code == code


# invitations


def test_people_are_invited_once_and_told_until_they_have_entered():
    found = opened()
    guest, stranger = Player.objects.create(), member_player("Anna")
    entered = found.player(found.people[0].public_id)
    players = [guest, stranger, stranger, entered, found.director]
    assert online_services.invite(found.tournament, players, found.director) == 1
    assert online_services.invite(found.tournament, players, found.director) == 0
    row = Outbox.objects.get(event="tournament.invited")
    assert row.player == stranger
    assert notifications.still_true(row.event, row.params, stranger)
    words = notifications.words(row.event, row.params, stranger, "en")
    assert words is not None
    assert words.line == "Troccas Cuera invites you to a tournament that is played online."
    assert words.url.endswith(f"/{found.tournament.public_id}/")
    named = find_subject(stranger, row.topic)
    assert named is not None
    assert named.name == "Sera da troccas"
    assert find_subject(member_player("Berta"), row.topic) is None
    preferences.plan(row, found.now)
    enter(found, stranger)
    assert not notifications.still_true(row.event, row.params, stranger)


def test_all_members_are_invited():
    found = opened()
    Member.objects.create(
        club=found.club, first_name="Ursin", last_name="Caduff", player=member_player("Ursin"), kind=Member.Kind.MEMBER
    )
    Member.objects.create(club=found.club, first_name="Gion", last_name="Caduff", kind=Member.Kind.MEMBER)
    assert online_services.invite_members(found.tournament, found.director) == 1


def test_nobody_is_invited_to_what_they_cannot_enter():
    found = opened()
    found.round()
    with refuses("cannot-invite"):
        online_services.invite(found.tournament, [member_player("Anna")], found.director)
