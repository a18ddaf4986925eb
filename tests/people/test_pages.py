"""Every page of people, messages and invitations, in Sursilvan: what it does not say is marked as German."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from core.sursilvan import SURSILVAN
from games.lobby.models import AddressInvitation
from games.lobby.services import letters
from notices import mail
from people import services
from tests.games.lobby_kit import lay
from tests.people.kit import browser, friends, write
from tests.sursilvan_kit import faults

pytestmark = pytest.mark.django_db


def test_pages_in_sursilvan_say_which_language_each_text_is_in():
    anna, beat = friends("Anna", "Beat")
    message = write(beat, anna, "Allegra")
    table = lay(anna)
    letters.invite_address(table.pk, anna, "mengia@example.org", language="de", request_id=uuid.uuid4())
    token = letters.token_of(AddressInvitation.objects.get())
    client = browser(anna)
    with override(SURSILVAN):
        own = [
            reverse("people:list"),
            reverse("people:list") + "?find=zz",
            reverse("people:threads"),
            reverse("people:thread", args=[beat.public_id]),
            reverse("people:report", args=[message.pk]),
            reverse("accounts:person", args=[beat.public_id]),
            reverse("tables:invite", args=[beat.public_id]),
            reverse("tables:new") + f"?invite={beat.public_id}",
            reverse("accounts:you"),
            reverse("notices:list"),
        ]
        strangers = [
            mail.stop_link("mengia@example.org").partition("8000")[2] or reverse("notices:no-letters", args=["x"]),
            reverse("lobby:letter", args=[token]),
            reverse("lobby:letter", args=["nonsense"]),
        ]
    client.cookies["django_language"] = SURSILVAN
    found = {path: faults(client.get(path).content.decode()) for path in own}
    services.keep_preference(anna, found_by_name=True)
    found["answered"] = faults(client.get(own[0]).content.decode())
    found["table"] = faults(client.get(reverse("lobby:table", args=[table.public_id])).content.decode())
    stranger = Client()
    stranger.cookies["django_language"] = SURSILVAN
    for path in strangers:
        answer = stranger.get(path)
        assert answer.status_code in (200, 404, 410), path
        found[path] = faults(answer.content.decode())
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
