"""Coming in: by request, by link, by name, into an entry of one's own."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import permissions as account_permissions
from clubs.models import Club, JoinRequest, Member, MemberInvitation
from clubs.services import joining
from clubs.services.common import Person
from notices.models import Outbox
from tests.clubs import kit
from tests.refusals import refuses

pytestmark = pytest.mark.django_db
WHO = Person("Stina", "Solèr")


def ask(people, player=None, person=WHO):
    return joining.ask(people.club, player or people.stranger, person, "Hello", request_id=kit.rid())


def invite(people, **how):
    return joining.invite(people.club, people.secretary, holds=joining.HOLDS[0], request_id=kit.rid(), **how)


def follow(people, invitation, player=None, person=WHO):
    return joining.follow(people.club, player or people.stranger, invitation.token, person, request_id=kit.rid())


def test_a_request_is_told_to_who_keeps_the_list_and_answered_once(people):
    asked = ask(people)
    told = set(Outbox.objects.filter(event="club.asked").values_list("player", flat=True))
    assert {people.president.pk, people.secretary.pk} <= told
    assert people.director.pk not in told
    member = joining.accept(people.club, people.secretary, asked.public_id, request_id=kit.rid())
    assert (member.first_name, member.named, member.player) == ("Stina", False, people.stranger)
    assert Outbox.objects.filter(event="club.accepted", player=people.stranger).exists()
    with refuses("no-request"):
        joining.accept(people.club, people.president, asked.public_id, request_id=kit.rid())


def test_one_asks_once_and_not_again_right_after_a_no(people):
    asked = ask(people)
    with refuses("asked-already"):
        ask(people)
    joining.decline(people.club, people.secretary, asked.public_id, request_id=kit.rid())
    with refuses("asked-too-often"):
        ask(people)
    JoinRequest.objects.update(decided_at=timezone.now() - timedelta(days=31))
    ask(people)


def test_members_do_not_ask_and_some_clubs_are_not_asked(people):
    with refuses("already-member"):
        ask(people, people.member)
    Club.objects.filter(pk=people.club.pk).update(joining=Club.Joining.INVITATION)
    with refuses("by-invitation"):
        ask(people)


def test_a_request_can_be_taken_back(people):
    ask(people)
    joining.withdraw(people.club, people.stranger, request_id=kit.rid())
    assert not joining.open_requests(people.club).exists()


def test_who_asks_can_be_put_into_the_entry_the_club_has_made_for_them(people):
    entry = kit.enter(people.club, people.secretary, "Stina", "Soler")
    asked = ask(people)
    page = kit.browser(people.secretary).get(f"/c/{people.club.slug}/requests/").content.decode()
    assert "this is Stina Soler of the list" in page
    member = joining.accept(people.club, people.secretary, asked.public_id, entry=entry.public_id, request_id=kit.rid())
    assert member.pk == entry.pk
    assert member.last_name == "Soler"


def test_a_link_for_everybody_works_for_several_until_it_is_revoked(people):
    link = invite(people)
    follow(people, link)
    other = kit.person("Ueli Unger")
    follow(people, link, other, Person("Ueli", "Unger"))
    joining.revoke(people.club, people.secretary, link.pk, request_id=kit.rid())
    with refuses("invitation-over"):
        follow(people, link, kit.person("Vera Volk"), Person("Vera", "Volk"))
    assert Member.objects.filter(club=people.club, player__in=(people.stranger, other)).count() == 2


def test_a_link_that_is_too_old_opens_nothing(people):
    link = invite(people)
    MemberInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with refuses("invitation-over"):
        follow(people, link)
    assert kit.browser(people.stranger).get(f"/c/{people.club.slug}/invitation/{link.token}/").status_code == 410


def test_somebody_takes_over_their_own_entry_and_decides_about_their_name(people):
    entry = kit.enter(people.club, people.secretary, "Stina", "Solèr", groups=("Trun",))
    link = invite(people, entry=entry.public_id)
    page = kit.browser(people.stranger).get(f"/c/{people.club.slug}/invitation/{link.token}/").content.decode()
    assert "Stina Solèr" in page
    member = follow(people, link, person=Person("", "", named=True))
    assert (member.pk, member.player, member.named, member.groups) == (entry.pk, people.stranger, True, ["Trun"])
    assert member.consent_by == people.stranger
    with refuses("invitation-over"):
        follow(people, link, kit.person("Ueli Unger"))


def test_an_entry_with_an_account_is_not_handed_out(people):
    with refuses("entry-taken"):
        invite(people, entry=people.entries["member"].public_id)


def test_an_invitation_by_name_is_for_that_person_alone(people):
    link = invite(people, player=people.stranger)
    assert Outbox.objects.filter(event="club.invited", player=people.stranger).exists()
    with refuses("not-for-you"):
        follow(people, link, kit.person("Ueli Unger"))
    follow(people, link)
    with refuses("in-the-list"):
        invite(people, player=people.stranger)


def test_inviting_the_same_person_again_gives_the_same_link(people):
    assert invite(people, player=people.stranger).pk == invite(people, player=people.stranger).pk
    assert Outbox.objects.filter(event="club.invited").count() == 1


def test_an_invitation_by_name_can_be_declined(people):
    link = invite(people, player=people.stranger)
    client = kit.browser(people.stranger)
    assert kit.post(client, f"/c/{people.club.slug}/invitation/{link.token}/", refuse="yes").status_code == 303
    link.refresh_from_db()
    assert link.state == "declined"


def test_nobody_is_invited_by_whom_they_have_blocked(people):
    account_permissions.block(people.stranger, people.secretary)
    with refuses("cannot-invite"):
        invite(people, player=people.stranger)


def test_opening_a_link_changes_nothing_and_asks_to_sign_in(people):
    link = invite(people)
    page = kit.browser(None).get(f"/c/{people.club.slug}/invitation/{link.token}/")
    assert page.status_code == 200
    assert "?next=/c/" in page.content.decode()
    assert page["X-Robots-Tag"] == "noindex, nofollow"
    link.refresh_from_db()
    assert link.used == 0


def test_the_page_takes_somebody_in(people):
    link = invite(people)
    client, path = kit.browser(people.stranger), f"/c/{people.club.slug}/invitation/{link.token}/"
    assert kit.post(client, path, first_name="", last_name="").status_code == 422
    assert kit.post(client, path, first_name="Stina", last_name="Solèr", named="on").status_code == 303
    assert Member.objects.get(club=people.club, player=people.stranger).named


def test_coming_back_gives_the_old_entry_again(people):
    from clubs.services import members

    members.leave(people.club, people.member, request_id=kit.rid())
    member = follow(people, invite(people), people.member, Person("Mia", "Maissen"))
    assert member.pk == people.entries["member"].pk
    assert member.left_on is None


def test_who_came_as_a_guest_with_an_account_can_become_a_member(people):
    guest = kit.enter(people.club, people.secretary, "Stina", "Solèr", kind=Member.Kind.GUEST)
    Member.objects.filter(pk=guest.pk).update(player=people.stranger)
    page = kit.browser(people.stranger).get(f"/c/{people.club.slug}/").content.decode()
    assert "You are here as: guest." in page
    assert "Ask to join" in page
    asked = ask(people)
    member = joining.accept(people.club, people.secretary, asked.public_id, request_id=kit.rid())
    assert (member.pk, member.kind) == (guest.pk, Member.Kind.MEMBER)
    with refuses("already-member"):
        ask(people)


def test_a_guest_with_an_account_is_invited_by_name(people):
    guest = kit.enter(people.club, people.secretary, "Stina", "Solèr", kind=Member.Kind.GUEST)
    Member.objects.filter(pk=guest.pk).update(player=people.stranger)
    follow(people, invite(people, player=people.stranger))
    assert Member.objects.get(player=people.stranger, club=people.club).kind == Member.Kind.MEMBER


@pytest.mark.parametrize("before", ["asked", "declined", "member"])
def test_whoever_cannot_ask_now_reads_why_instead_of_a_form(before):
    president, stina = kit.person(), kit.person("Stina Solèr")
    club = kit.club_of(president)
    asked = joining.ask(club, stina, Person("Stina", "Solèr"), "", request_id=kit.rid())
    if before == "declined":
        joining.decline(club, president, asked.public_id, request_id=kit.rid())
    elif before == "member":
        joining.accept(club, president, asked.public_id, request_id=kit.rid())
    page = kit.browser(stina).get(f"/c/{club.slug}/join/").content.decode()
    said = {
        "asked": "has not answered yet",
        "declined": "declined your request recently",
        "member": "You are a member of this club already",
    }
    assert said[before] in page
    assert 'name="first_name"' not in page
