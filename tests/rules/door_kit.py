"""People with every role, and entries to change."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from rules import content_files, services
from rules.content_files import Filed, Loaded
from rules.models import Entry, Revision, Suggestion
from tests.rules import document_kit as kit


def member(name: str = "onna", *, days: int = 30, accepted: int = 3) -> Player:
    """Someone who signed up `days` ago and of whom so many suggestions were accepted."""
    joined = timezone.now() - timedelta(days=days)
    user = get_user_model().objects.create_user(f"{name}@example.org", date_joined=joined)
    player = Player.objects.create(user=user, name=name)
    if accepted:
        old = Entry.objects.create(kind="place", key=f"once-{name}", slug=f"once-{name}")
        for _number in range(accepted):
            Suggestion.objects.create(entry=old, document={}, author=player, state=Suggestion.State.ACCEPTED)
    return player


def editor(name: str = "gion", language: str = "") -> Player:
    """An editor of one language, or of all."""
    player = member(name, accepted=0)
    account_permissions.grant(player, account_permissions.EDITOR, language)
    return player


def administrator(name: str = "ursula") -> Player:
    """Someone who may do everything."""
    player = member(name, accepted=0)
    account_permissions.grant(player, account_permissions.ADMINISTRATOR)
    return player


def from_files(*entries: tuple[str, str, str, dict[str, Any]]) -> Loaded:
    """Publish documents (kind, key, language, document) as if they stood in the files."""
    from rules import content_files as filing
    from rules import documents

    filed = []
    for kind, key, language, document in entries:
        clean = documents.check(kind, document)
        filed.append(Filed(kind, key, language, filing.default_slug(kind, key, clean), clean, "test"))
    done = Loaded()
    content_files.publish_files(filed, done)
    return done


def world() -> None:
    """A few sources, places, words and articles, as the files have them."""
    from_files(
        ("place", "surselva", "", {"names": {"": "Surselva"}, "sort": "region"}),
        ("place", "breil", "", kit.PLACE),
        ("source", "pagat", "", kit.SOURCE),
        ("source", "lt", "", {"title": "Lebendige Traditionen"}),
        ("concept", "words.tapp", "", {"theme": "discard", "terms": [{"lang": "gsw", "text": "Tapp"}]}),
        ("concept", "words.scart", "", kit.SCART),
        ("article", "deal", "en", kit.ARTICLE),
        ("article", "deal", "de", {**kit.ARTICLE, "title": "Das Geben"}),
    )


def entry(kind: str, key: str, language: str = "") -> Entry:
    """An entry as it is stored now."""
    return Entry.objects.select_related("published").get(kind=kind, key=key, language=language)


def published(one: Entry) -> Revision:
    """What readers see of it now."""
    one.refresh_from_db()
    assert one.published is not None
    return one.published


def changed_article(old: str, new: str, *, language: str = "en") -> dict[str, Any]:
    """The article as it is published, with some words replaced in its text."""
    document = published(entry("article", "deal", language)).document
    assert old in document["text"]
    return {**document, "text": document["text"].replace(old, new)}


def publish(document: dict[str, Any], by: Player, *, key: str = "deal", language: str = "en", **more: Any) -> Revision:
    """Publish the next revision of an article, made from the present one."""
    row = entry("article", key, language)
    return services.publish(row, document, by=by, base=row.published, **more)
