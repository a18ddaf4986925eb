"""One person, two numbers: a guest who becomes a member goes on at one table of a set, and never knows two."""

from __future__ import annotations

import uuid

import pytest

from accounts import permissions as account_permissions
from accounts import services
from accounts.models import Player
from games.chat import moderation
from games.chat.models import Message
from games.exceptions import MetAlready, NotYourSeat
from games.models import Game
from games.selectors import table
from games.services import boards, play, timing
from games.services.rebuilding import rebuild
from tests.games import chat_kit
from tests.games.api_kit import member
from tests.games.boards import kit, seal_kit
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def two_tables(*, pace: bool = True, guests: int = 0, members: int = 0) -> tuple[Game, Game, Player, Player]:
    """A guest at one table and a member at another of the same set, so many moves into the first deal; others play there."""
    board_set = kit.laid(2)
    guest, own = Player.objects.create(), member("Anna")
    terms = kit.DAYS if pace else None
    others = [member("Beat"), member("Clau")] if pace else [None, None]
    one = kit.table(board_set, 0, [player for player in (guest, others[0]) if player], pace=terms)
    two = kit.table(board_set, 1, [player for player in (own, others[1]) if player], pace=terms)
    for game, moves in ((one, guests), (two, members)):
        if moves:
            kit.play_hand(game, moves)
    return one, two, guest, own


def sits(game: Game, player: Player) -> bool:
    return game.seats.filter(player=player).exists()


def assert_left(game: Game, own: Player) -> None:
    """The person is away from this table for good: they neither see it nor act there."""
    game.refresh_from_db()
    with refuses("closed-table", match="Others have still to play"):
        table.sight_of(game, own)
    with pytest.raises(NotYourSeat):
        timing.come_back(game.pk, 0, request_id=uuid.uuid4(), by=own)
    assert seal_kit.browser(own).get(f"/g/{game.public_id}/state.json").status_code == 403
    kit.seek(game, 0)
    with pytest.raises(MetAlready):
        timing.substitute(game.pk, 0, request_id=uuid.uuid4(), by=own)
    assert rebuild(game.pk) == []


def test_the_person_goes_on_where_they_know_the_most_as_the_guest():
    one, two, guest, own = two_tables(guests=200, members=8)
    services.claim(guest, own)
    assert sits(one, own)
    assert table.sight_of(Game.objects.get(pk=one.pk), own).viewer == 0
    assert not sits(two, own)
    assert_left(two, own)


def test_the_person_goes_on_where_they_know_the_most_as_the_member():
    one, two, guest, own = two_tables(guests=8, members=20)
    services.claim(guest, own)
    assert (sits(one, own), sits(two, own)) == (False, True)
    assert_left(one, own)


def test_the_others_play_on_with_a_computer_player():
    one, _two, guest, own = two_tables(guests=8, members=20)
    services.claim(guest, own)
    one.refresh_from_db()
    assert one.status == Game.Status.PLAYING
    kit.play_out(one)
    assert one.status == Game.Status.FINISHED


def test_without_a_clock_the_other_game_ends_there_and_keeps_nobody_waiting():
    one, two, guest, own = two_tables(pace=False, guests=8, members=20)
    services.claim(guest, own)
    one.refresh_from_db()
    assert (one.status, sits(one, own), sits(two, own)) == (Game.Status.RESIGNED, False, True)
    kit.play_out(two)
    boards.complete(two.board_set)
    assert boards.open_due(10) == 2


def test_who_has_played_all_of_it_as_a_guest_does_not_play_it_again_as_a_member():
    one, two, guest, own = two_tables(pace=False, members=20)
    kit.play_out(one)
    services.claim(guest, own)
    two.refresh_from_db()
    assert two.status == Game.Status.RESIGNED
    assert sits(one, own)
    with pytest.raises(MetAlready):
        play.start("troccas", [own, *(kit.computer() for _ in range(3))], board_set=one.board_set)


def test_a_guest_at_one_table_alone_keeps_the_seat():
    board_set = kit.laid(1)
    guest, own = Player.objects.create(), member("Anna")
    game = kit.table(board_set, 0, [guest])
    kit.play_hand(game, 10)
    services.claim(guest, own)
    assert sits(game, own)
    assert table.sight_of(game, own).shared == "sealed"


def test_nothing_of_it_concerns_sets_that_are_open():
    one, two, guest, own = two_tables(pace=False)
    kit.play_out(one)
    kit.play_out(two)
    boards.complete(one.board_set)
    assert boards.open_due(10) == 2
    services.claim(guest, own)
    assert sits(one, own)
    assert sits(two, own)


def reported_talk(game: Game, author: Player, reader: Player) -> Message:
    """Something of the deal, said at a sealed table and reported there."""
    message = chat_kit.say(game, author, "böse Worte")
    moderation.report(message, reader, reason="words", text="")
    return message


def test_a_moderator_who_has_still_to_play_the_deals_reads_no_report_of_them():
    one, two, _guest, _own = two_tables(guests=8)
    said = [seat.player for seat in one.seats.order_by("number")]
    message = reported_talk(one, said[1], said[0])
    waiting = two.seats.get(number=1).player
    account_permissions.grant(waiting, account_permissions.MODERATOR)
    assert not moderation.may_moderate(message, waiting)
    assert moderation.evidence(str(message.pk), waiting) is None


def test_a_moderator_before_whom_such_a_report_lies_takes_no_seat_there():
    one, two, _guest, _own = two_tables(guests=8)
    moderator, innocent = member("Dora"), member("Ester")
    account_permissions.grant(moderator, account_permissions.MODERATOR)
    boards.check_new_to([moderator, innocent], two.board_set)
    said = [seat.player for seat in one.seats.order_by("number")]
    message = reported_talk(one, said[1], said[0])
    assert moderation.evidence(str(message.pk), moderator) is not None
    boards.check_new_to([innocent], two.board_set)
    kit.seek(two, 0)
    with pytest.raises(MetAlready):
        timing.substitute(two.pk, 0, request_id=uuid.uuid4(), by=moderator)
