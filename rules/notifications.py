"""The wording of the encyclopedia's notices: what became of a suggestion, for its author."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from notices.registry import Key, Kind, Lookup, Params, Words, numbers
from rules import selectors
from rules.models import Suggestion

_WORDINGS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "rules.suggestion-accepted": (
        _("Published: %(entry)s"),
        _("Your suggestion is now in the encyclopedia, in your name. Thank you."),
    ),
    "rules.suggestion-declined": (
        _("Not published: %(entry)s"),
        _("An editor has declined what you suggested, and says why."),
    ),
}
"""The subject and the line of the notice for each decision."""
kinds: Final = dict.fromkeys(_WORDINGS, Kind.OTHER)
"""Their one parameter is `suggestion`, its number."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """A decision stays true for the author of the suggestion, as long as the suggestion exists."""
    suggestion = _suggestion(params, player)
    return suggestion is not None and suggestion.author.current.pk == player.pk


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    """The decision in the player's language, with a link to the editor's answer, which only its page shows."""
    suggestion, wording = _suggestion(params, player), _WORDINGS.get(event)
    if suggestion is None or wording is None:
        return None
    title, line = wording
    entry = suggestion.entry
    document = entry.published.document if entry.published else suggestion.document
    values = {"entry": selectors.title(entry.kind, document, language, key=entry.key)}
    return Words(
        subject=title % values,
        line=line % values,
        url=reverse("rules:suggestion", args=[suggestion.pk]),
        tag=f"suggestion-{suggestion.pk}",
    )


def _suggestions(keys: Collection[Key], player: Player) -> Mapping[Key, Suggestion]:
    return Suggestion.objects.select_related("entry__published", "author__merged_into").in_bulk(numbers(keys))


_suggestion: Final = Lookup("suggestion", _suggestions)
"""The suggestion a notice is about; None if it was deleted or the number is invalid."""
