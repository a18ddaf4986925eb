"""How notices of the encyclopedia are worded: what became of a suggestion, for whoever made it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from notices.registry import Key, Kind, Lookup, Params, Words, numbers
from rules import selectors
from rules.models import Suggestion


class Encyclopedia:
    """Speaks for the events `rules.…`. Their one parameter is `suggestion`, its number."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return dict.fromkeys(_told(), Kind.OTHER)

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """What was decided stays decided; only its author is told, while there is an entry it is about."""
        found = _suggestion(params, player)
        return found is not None and found.author.current.pk == player.pk

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The decision in the reader's language, with the way to the answer. The answer itself is only read on its page."""
        found, told = _suggestion(params, player), _told().get(event)
        if found is None or told is None:
            return None
        title, line = told
        shown = found.entry.published.document if found.entry.published else found.document
        name = selectors.title(found.entry.kind, shown, language, key=found.entry.key)
        return Words(
            subject=title % {"entry": name},
            line=line,
            url=reverse("rules:suggestion", args=[found.pk]),
            tag=f"suggestion-{found.pk}",
        )


def _told() -> dict[str, tuple[str, str]]:
    return {
        "rules.suggestion-accepted": (
            _("Published: %(entry)s"),
            _("Your suggestion is now in the encyclopedia, in your name. Thank you."),
        ),
        "rules.suggestion-declined": (
            _("Not published: %(entry)s"),
            _("An editor has declined what you suggested, and says why."),
        ),
    }


def _suggestions(keys: Collection[Key], player: Player) -> Mapping[Key, Suggestion]:
    return Suggestion.objects.select_related("entry__published", "author__merged_into").in_bulk(numbers(keys))


_suggestion: Final = Lookup("suggestion", _suggestions)
"""The suggestion a notice is about; None for one that is gone, or no number at all."""


ENCYCLOPEDIA: Final = Encyclopedia()
