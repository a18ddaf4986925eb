"""What somebody wrote in the encyclopedia is in their export, and goes with their account as far as nobody relies on it."""

from __future__ import annotations

from typing import Any, cast

import pytest
from django.db.models import Q

from accounts import privacy
from rules import services
from rules.models import Remark, Revision, Suggestion
from tests.rules import door_kit as kit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


def suggested(by, title: str) -> Suggestion:
    entry = kit.entry("article", "deal", "en")
    return services.suggest(entry, {**entry.published.document, "title": title}, by=by, base=entry.published)


def test_the_export_holds_what_one_published_suggested_and_said():
    editor = kit.editor()
    document = kit.entry("article", "deal", "en").published.document
    kit.publish({**document, "title": "How we deal"}, editor)
    suggested(editor, "How others deal")
    services.remark("article", "deal", "At ours the left cuts.", by=editor)
    part = cast("dict[str, Any]", privacy.export_of(editor)["rules"])
    assert [row["document"]["title"] for row in part["published"]] == ["How we deal"]
    assert [row["document"]["title"] for row in part["suggested"]] == ["How others deal"]
    assert [row["text"] for row in part["remarks"]] == ["At ours the left cuts."]


def test_remarks_and_suggestions_go_with_the_account_and_what_was_accepted_stays():
    member, editor = kit.member(accepted=0), kit.editor()
    services.remark("article", "deal", "I live in Curaglia.", by=member)
    services.accept(suggested(member, "How we deal"), by=editor)
    suggested(member, "Written in Curaglia")
    privacy.erase(member.user)
    assert not Remark.objects.exists()
    assert Suggestion.objects.get().state == Suggestion.State.ACCEPTED
    assert not Suggestion.objects.filter(Q(document__icontains="Curaglia")).exists()
    published = Revision.objects.filter(author=member).get()
    assert published.document["title"] == "How we deal"
    assert published.author.display_name == f"Former player {member.number}"
