"""Pages and buttons for readers: telling how they say something, following pages, the places where words are said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from core.exceptions import Refusal
from core.forms import Form
from core.http import require_safe_or_post
from rules import selectors as rules_selectors
from rules.documents.kinds import LANGUAGES
from rules.models import Concept
from rules.readers import following, maps, selectors, services, sounds
from rules.readers.forms import NewWordForm, RecordingForm, SayingForm
from rules.readers.models import WORD_LENGTH, FollowedPage, Recording, Saying
from rules.terms import reading_language
from rules.views.editing_base import attempt, reason, tabs_for


@never_cache
@require_safe_or_post
def say_so(request: PlayerRequest, slug: str) -> HttpResponseBase:
    """The short form as a page of its own; the form on the word's page is sent here, too."""
    concept = get_object_or_404(Concept.objects.select_related("entry__published"), slug=slug)
    player = request.visit.player
    form = SayingForm(request.POST or None, player=player)
    not_stored = _submit(request, form, partial(services.say_so, concept.entry))
    if not_stored is None:
        messages.success(request, _("Thank you! An editor reads it, and then it stands here with your village."))
        return redirect("rules:word", slug)
    context = {
        "concept": concept,
        "title": rules_selectors.title("concept", concept.document, reading_language(), key=concept.key),
        "form": form,
        "said": not_stored.reason,
        "places": selectors.village_names(reading_language()),
    }
    return render(request, "rules/readers/say_so.html", context, status=not_stored.status)


@never_cache
@require_safe_or_post
def new_word(request: PlayerRequest) -> HttpResponseBase:
    """The short form for a word that the glossary lacks; `word` in the query fills it in."""
    player = request.visit.player
    text = request.POST.get("text", request.GET.get("word", ""))[:WORD_LENGTH]
    namesakes = selectors.namesakes(text, reading_language())
    form = NewWordForm(request.POST or None, player=player, is_known=bool(namesakes), initial={"text": text})
    not_stored = _submit(request, form, partial(services.tell_new_word, language=reading_language()))
    if not_stored is None:
        messages.success(request, _("Thank you! An editor reads it, and then the word gets a page of its own."))
        return redirect("rules:words")
    context = {
        "form": form,
        "said": not_stored.reason,
        "namesakes": namesakes,
        "places": selectors.village_names(reading_language()),
        "is_editor": bool(account_permissions.languages(player)),
    }
    return render(request, "rules/readers/new_word.html", context, status=not_stored.status)


@never_cache
@require_safe_or_post
def record(request: PlayerRequest, slug: str) -> HttpResponseBase:
    """The page to record a word and send it; without JavaScript, a file can be uploaded."""
    concept = Concept.objects.select_related("entry__published").filter(slug=slug).first()
    words = services.words_to_speak(concept.document) if concept is not None else []
    if concept is None or not words:
        raise Http404
    player = request.visit.player
    initial = {"text": request.GET.get("word", words[0])}
    form = RecordingForm(request.POST or None, request.FILES or None, words=words, player=player, initial=initial)

    def store(*, agreed: bool, **fields: Any) -> None:
        services.record(concept.entry, **fields)

    not_stored = _submit(request, form, store)
    if not_stored is None:
        messages.success(request, _("Thank you! An editor listens to it, and then everybody can."))
        return redirect("rules:word", slug)
    context = {
        "concept": concept,
        "title": rules_selectors.title("concept", concept.document, reading_language(), key=concept.key),
        "form": form,
        "said": not_stored.reason,
        "places": selectors.village_names(reading_language()),
        "seconds": sounds.MOST_SECONDS,
    }
    response = render(request, "rules/readers/record.html", context, status=not_stored.status)
    response._csp_update = {"media-src": ["'self'", "blob:"]}  # type: ignore[attr-defined]  # the name django-csp reads
    response.uses = ("microphone",)  # type: ignore[attr-defined]  # for the header middleware
    return response


@dataclass(frozen=True, slots=True)
class NotStored:
    """Why the page shows the form: its HTTP status, and the reason of a refusal ("" if nothing was refused)."""

    status: int
    reason: str = ""


def _submit(request: PlayerRequest, form: Form, store: Callable[..., object]) -> NotStored | None:
    """Pass a valid submitted form to `store`. Returns None if the contribution was stored."""
    if request.method != "POST":
        return NotStored(200)
    if not form.is_valid():
        return NotStored(422)
    try:
        store(**form.cleaned_data, player=request.visit.player, address=address_of(request))
    except Refusal as refusal:
        return NotStored(refusal.status, reason(refusal))
    return None


@require_safe
def sound(request: PlayerRequest, public_id: UUID, kind: str) -> HttpResponseBase:
    """The bytes of a recording, in whole or the requested range. Browsers can run nothing in them as a page of ours."""
    recording = selectors.sound_of(public_id, kind, request.visit.player)
    if recording is None:
        raise Http404
    data = bytes(recording.sound.data)
    first, last = _range(request.headers.get("Range", ""), len(data))
    is_part = (first, last) != (0, len(data) - 1)
    response = HttpResponse(
        data[first : last + 1], status=206 if is_part else 200, content_type=sounds.TYPES[recording.kind]
    )
    if is_part:
        response["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
    response["Accept-Ranges"] = "bytes"
    response["Content-Disposition"] = f'inline; filename="recording.{recording.kind}"'
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Robots-Tag"] = "noindex"
    is_accepted = recording.state == recording.State.ACCEPTED
    response["Cache-Control"] = "public, max-age=86400" if is_accepted else "private, no-store"
    return response


_ONE_RANGE: Final = re.compile(r"bytes=(\d{0,9})-(\d{0,9})")


def _range(header: str, size: int) -> tuple[int, int]:
    """The first and last byte that a Range header requests; those of the whole file if the header is unusable."""
    match = _ONE_RANGE.fullmatch(header)
    whole = (0, size - 1)
    if match is None or not (match[1] or match[2]):
        return whole
    if match[1]:
        first, last = int(match[1]), min(int(match[2] or size - 1), size - 1)
    else:
        first, last = max(0, size - int(match[2])), size - 1
    return (first, last) if first <= last else whole


@require_POST
def decide_recording(request: PlayerRequest, number: int) -> HttpResponseBase:
    """Accept or decline, with one press of an editor; `do` says which."""
    player = _editor(request)
    recording = get_object_or_404(Recording.objects.select_related("entry"), pk=number)
    if request.POST.get("do") == "accept":
        attempt(request, partial(services.accept_recording, recording, by=player), _("Published."))
    else:
        attempt(request, partial(services.decline, recording, by=player), _("Put aside."))
    return redirect(_back(request, reverse("rules:queue")))


@require_POST
def decide(request: PlayerRequest, number: int) -> HttpResponseBase:
    """Accept or decline, with one press of an editor; `do` says which."""
    player = _editor(request)
    saying = get_object_or_404(Saying.objects.select_related("entry"), pk=number)
    if request.POST.get("do") == "accept":
        chosen = {name: request.POST.get(name, "") for name in ("language", "theme")}
        attempt(request, partial(services.accept, saying, by=player, **chosen), _("Published, with its village."))
        _ask_where(request, saying)
    else:
        attempt(request, partial(services.decline, saying, by=player), _("Put aside."))
    return redirect(_back(request, reverse("rules:queue")))


def _ask_where(request: PlayerRequest, saying: Saying) -> None:
    """If an accepted word brought a new place along, ask its editor to say where the place lies."""
    before, now = saying.place, Saying.objects.values_list("place", flat=True).get(pk=saying.pk)
    if now and not before:
        text = _("%(village)s is a new place. Say where it lies, and it stands on the map.") % {
            "village": saying.village
        }
        messages.info(request, format_html('<a href="{}">{}</a>', reverse("rules:edit", args=["place", now]), text))


def _editor(request: PlayerRequest) -> Player:
    player = request.visit.player
    if player is None or not account_permissions.languages(player):
        raise PermissionDenied
    return player


def _back(request: PlayerRequest, otherwise: str) -> str:
    """The page to return to: `next` if it is an address of this site."""
    address = request.POST.get("next", "")
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else otherwise


@require_POST
def still_true(request: PlayerRequest, slug: str) -> HttpResponseBase:
    """Note that an editor found the definition in `language` to say the same as the English one."""
    concept = Concept.objects.select_related("entry").filter(slug=slug).first()
    language = request.POST.get("language", "")
    if concept is None or language not in LANGUAGES:
        raise Http404
    check = partial(services.mark_definition_checked, concept.entry, language, by=_editor(request))
    attempt(request, check, _("Noted: this definition is up to date."))
    return redirect("rules:word", slug)


@require_POST
def follow(request: PlayerRequest, number: int) -> HttpResponseBase:
    """Follow a page, or stop following it (`do` is `stop`)."""
    entry = selectors.entry_of(number)
    if entry is None:
        raise Http404
    player = request.visit.player
    if player is None or not player.is_member:
        raise PermissionDenied
    if request.POST.get("do") == "stop":
        following.unfollow(entry, by=player)
    else:
        attempt(request, partial(following.follow, entry, by=player), _("You will be told when this page changes."))
    return redirect(_back(request, rules_selectors.address(entry)))


@never_cache
@require_safe
def followed(request: PlayerRequest) -> HttpResponseBase:
    """The pages that a member follows, the most recently followed first."""
    player = request.visit.player
    if player is None or not player.is_member:
        return render(request, "rules/editing/sign_in.html", {"tabs": tabs_for(request)}, status=403)
    rows = FollowedPage.objects.filter(player=player).select_related("entry__published")
    shown = [
        (
            row.entry,
            rules_selectors.title(row.entry.kind, row.entry.published.document, reading_language(), key=row.entry.key),
            rules_selectors.address(row.entry),
        )
        for row in rows
        if row.entry.published
    ]
    return render(request, "rules/readers/followed.html", {"tabs": tabs_for(request, "followed"), "rows": shown})


@require_safe
def villages(request: PlayerRequest) -> HttpResponseBase:
    """All places as a tree, with the number of words attested in each, and maps."""
    tree = selectors.villages(reading_language())
    context: dict[str, Any] = {"villages": tree, "maps": maps.maps(tree)}
    return render(request, "rules/readers/villages.html", context)
