"""The words of this app's notices, about actions of moderators."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from notices.registry import Key, Kind, Lookup, Params, Words
from ratings import privacy
from ratings.models import RatedPerson

kinds: Final = {privacy.TAKEN_DOWN: Kind.OTHER}
"""The parameter `pseudonym` is the one that was taken down."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """Whether the ratings do not show the player."""
    return _shown(params, player) is None


def words(event: str, params: Params, player: Player, language: str) -> Words:
    line = _(
        "A moderator has removed the pseudonym “%(name)s”. The ratings do not show you any more; you can let them show you "
        "again, under another name."
    )
    return Words(
        _("Your pseudonym in the ratings was removed"),
        line % {"name": params.get("pseudonym", "")},
        reverse("ratings:you"),
        "pseudonym",
    )


def _shown_now(pseudonyms: Collection[Key], player: Player) -> Mapping[Key, RatedPerson]:
    row = privacy.consent_of(player)
    return {} if row is None else dict.fromkeys(pseudonyms, row)


_shown: Final = Lookup("pseudonym", _shown_now)
