"""The wording of notices to readers: thanks for their contributions, and changes to pages they follow."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from notices.registry import Key, Kind, Lookup, Params, Words, numbers
from rules import selectors
from rules.documents.kinds import LANGUAGES
from rules.models import Revision
from rules.readers.following import CHANGED
from rules.readers.models import Contribution, Recording, Saying

_WORDINGS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "readers.saying-accepted": (
        _("Thank you for “%(word)s”"),
        _("It stands in the entry now, as it is said in %(village)s."),
    ),
    "readers.saying-declined": (
        _("“%(word)s” is not used"),
        _("An editor has looked at what you told us of %(village)s and does not publish it. Thank you all the same."),
    ),
    "readers.recording-accepted": (
        _("Thank you for speaking “%(word)s”"),
        _("Everybody can hear it now, as it is said in %(village)s."),
    ),
    "readers.recording-declined": (
        _("Your recording of “%(word)s” is not used"),
        _("An editor has listened to it and does not publish it; it is deleted. You may send another one."),
    ),
}
"""The subject and the line of the notice for each decision."""
kinds: Final = dict.fromkeys((*_WORDINGS, CHANGED), Kind.OTHER)
"""Their one parameter is the number of the row they are about."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """Whether a changed page is still published, or a contribution is still the player's."""
    if event == CHANGED:
        revision = _revision(params, player)
        return revision is not None and revision.entry.published_id is not None
    contribution = _contribution(params, player)
    return contribution is not None and contribution.player is not None and contribution.player.current.pk == player.pk


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    if event == CHANGED:
        return _changed(_revision(params, player), language)
    contribution, wording = _contribution(params, player), _WORDINGS.get(event)
    if contribution is None or wording is None:
        return None
    title, line = wording
    values = {"word": contribution.text, "village": contribution.village}
    return Words(
        subject=title % values,
        line=line % values,
        url=(selectors.address(contribution.entry) if contribution.entry_id else "") or reverse("rules:words"),
        tag=f"told-{contribution._meta.model_name}-{contribution.pk}",
    )


def _contribution(params: Params, player: Player) -> Contribution | None:
    return _saying(params, player) or _recording(params, player)


def _changed(revision: Revision | None, language: str) -> Words | None:
    if revision is None or revision.entry.published is None:
        return None
    entry = revision.entry
    name = selectors.title(entry.kind, revision.document, language, key=entry.key)
    if entry.language and entry.language != language:  # followers of a translation get notices about its English page
        name = f"{name} ({LANGUAGES[entry.language]})"
    who = revision.author.display_name if revision.author else ""
    values = {"who": who, "why": revision.comment}
    line = (
        gettext("%(who)s changed it: %(why)s") % values
        if who and revision.comment
        else gettext("You follow this page.")
    )
    return Words(
        subject=gettext("Changed: %(page)s") % {"page": name},
        line=line,
        url=f"{reverse('rules:diff', args=entry.args)}?to={revision.number}",
        tag=f"page-{entry.pk}",
    )


def _sayings(keys: Collection[Key], player: Player) -> Mapping[Key, Saying]:
    return Saying.objects.select_related("entry__published", "player__merged_into").in_bulk(numbers(keys))


def _recordings(keys: Collection[Key], player: Player) -> Mapping[Key, Recording]:
    return Recording.objects.select_related("entry__published", "player__merged_into").in_bulk(numbers(keys))


def _revisions(keys: Collection[Key], player: Player) -> Mapping[Key, Revision]:
    return Revision.objects.select_related("entry__published", "author__merged_into").in_bulk(numbers(keys))


_saying: Final = Lookup("saying", _sayings)
_recording: Final = Lookup("recording", _recordings)
_revision: Final = Lookup("revision", _revisions)
