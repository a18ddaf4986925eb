"""Pages and presses of readers: telling how one says it, following a page, and the places where words are said."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from core.exceptions import Refusal
from core.http import require_safe_or_post
from rules import selectors as rules_selectors
from rules.documents.kinds import LANGUAGES
from rules.models import Concept
from rules.readers import following, selectors, services
from rules.readers.forms import SayingForm
from rules.readers.models import FollowedPage, Saying
from rules.terms import reading_language
from rules.views.editing_base import attempt, reason, tabs_for

_THANKS: Final = "said"


@never_cache
@require_safe_or_post
def say_so(request: PlayerRequest, slug: str) -> HttpResponseBase:
    """The short form as a page of its own, and where the one on the page of the word is sent."""
    concept = Concept.objects.select_related("entry__published").filter(slug=slug).first()
    if concept is None:
        raise Http404
    player, status, said = request.visit.player, 200, ""
    form = SayingForm(request.POST or None, player=player)
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                services.say_so(concept.entry, **form.cleaned_data, player=player, address=address_of(request))
            except Refusal as refused:
                status, said = refused.status, reason(refused)
            else:
                messages.success(
                    request, _("Thank you! An editor reads it, and then it stands here with your village.")
                )
                return redirect("rules:word", slug)
    context = {
        "concept": concept,
        "title": rules_selectors.title("concept", concept.document, reading_language(), key=concept.key),
        "form": form,
        "said": said,
        "places": place_names(),
    }
    return render(request, "rules/readers/say_so.html", context, status=status)


def place_names() -> list[str]:
    """The villages we know, for the field to offer."""
    return [each.name for each in selectors.villages(reading_language()) if each.place.sort in ("village", "valley")]


@require_POST
def decide(request: PlayerRequest, number: int) -> HttpResponseBase:
    """An editor's one press: `do` is accept or decline."""
    saying = Saying.objects.select_related("entry").filter(pk=number).first()
    player = _editor(request)
    if saying is None:
        raise Http404
    if request.POST.get("do") == "accept":
        language = request.POST.get("language", "")
        attempt(
            request, partial(services.accept, saying, by=player, language=language), _("Published, with its village.")
        )
    else:
        attempt(request, partial(services.decline, saying, by=player), _("Put aside."))
    return redirect(_back(request, reverse("rules:queue")))


def _editor(request: PlayerRequest) -> Player:
    player = request.visit.player
    if player is None or not account_permissions.languages(player):
        raise PermissionDenied
    return player


def _back(request: PlayerRequest, otherwise: str) -> str:
    asked = request.POST.get("next", "")
    return asked if url_has_allowed_host_and_scheme(asked, allowed_hosts=None) else otherwise


@require_POST
def still_true(request: PlayerRequest, slug: str) -> HttpResponseBase:
    """An editor has found that the definition in `language` says what the English one says."""
    concept = Concept.objects.select_related("entry").filter(slug=slug).first()
    language = request.POST.get("language", "")
    if concept is None or language not in LANGUAGES:
        raise Http404
    check = partial(services.find_still_true, concept.entry, language, by=_editor(request))
    attempt(request, check, _("Noted: this definition is up to date."))
    return redirect("rules:word", slug)


@require_POST
def follow(request: PlayerRequest, number: int) -> HttpResponseBase:
    """Follow a page, or follow it no more (`do` is `stop`)."""
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
    """The pages that somebody follows, the latest first."""
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
    """Every place that a word or phrase is said to come from, one inside the other."""
    context: dict[str, Any] = {"villages": selectors.villages(reading_language())}
    return render(request, "rules/readers/villages.html", context)
