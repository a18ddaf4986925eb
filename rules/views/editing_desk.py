"""What the pages of the writers' desk share: their tabs, finding what an address names, refusals, and leafing through lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import roles
from accounts.models import Player
from accounts.visits import PlayerRequest
from rules import entries
from rules.documents import BadDocument
from rules.entries import Named
from rules.models import Entry, Suggestion
from rules.refused import Refused

MOST_PAGES = 10_000


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of the desk."""

    name: str
    address: str
    is_current: bool
    count: int = 0


def desk(request: PlayerRequest, current: str = "") -> list[Tab]:
    """The pages of the desk that this reader has; `current` is the name of the one that is shown."""
    player = request.player
    tabs = [Tab(_("Recent changes"), reverse("rules:changes"), current == "changes")]
    if player is not None and player.is_member:
        tabs.append(Tab(_("My suggestions"), reverse("rules:suggestions"), current == "suggestions"))
    if roles.languages(player):
        waiting = Suggestion.objects.filter(state=Suggestion.State.OPEN).count()
        tabs.append(Tab(_("Suggestions to look at"), reverse("rules:queue"), current == "queue", waiting))
    if roles.may(player, roles.ADMINISTRATOR):
        tabs.append(Tab(_("Roles"), reverse("rules:roles"), current == "roles"))
    return tabs


def named_or_404(kind: str, key: str, language: str) -> Named:
    """What an address names. Raises Http404 where there is nothing, not even a suggestion."""
    named = entries.find(kind, key, language)
    if named is None or named.entry is None:
        raise Http404
    return named


def leaf(rows: QuerySet[Any] | Sequence[Any], asked: str, *, each: int) -> Page[Any]:
    """One page of a list; the nearest for a number that is none."""
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 1
    return Paginator(rows, each).get_page(min(number, MOST_PAGES))


def tell(request: PlayerRequest, refused: Refused) -> None:
    """Say on the next page why something was not done."""
    said = [str(problem.message) for problem in refused.problems] if isinstance(refused, BadDocument) else []
    messages.error(request, " ".join(said) or str(refused.message))


def who(player: Player | None) -> str:
    """The name of who wrote something."""
    return player.display_name if player else _("from the files")


def entry_title(entry: Entry, language: str, document: dict[str, Any] | None = None) -> str:
    """What a page is called."""
    shown = document if document is not None else (entry.published.document if entry.published else {})
    return entries.title(entry.kind, shown, language, key=entry.key)
