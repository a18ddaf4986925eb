"""For administrators: who may change a page, its address, and who has which role."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import roles
from accounts.models import Grant, Player
from accounts.visits import PlayerRequest
from rules import door, entries
from rules.documents.kinds import LANGUAGES
from rules.models import Entry, Redirect
from rules.refused import Refused
from rules.views.editing_desk import desk, leaf, named_or_404, tell
from rules.views.editing_form import reader

_EACH: Final = 100


def _administrator(request: PlayerRequest) -> Player:
    if request.player is None or not roles.may(request.player, roles.ADMINISTRATOR):
        raise PermissionDenied
    return request.player


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: PlayerRequest, kind: str, key: str, language: str = "") -> HttpResponseBase:
    """The protection of a page and its address."""
    player = _administrator(request)
    if kind == Entry.Kind.ARTICLE and not language:
        return redirect("rules:manage", kind, key, reader())
    named = named_or_404(kind, key, language)
    entry = named.entry
    assert entry is not None
    status, slug = 200, request.POST.get("slug", entry.slug)
    if request.method == "POST":
        try:
            if request.POST.get("do") == "rename":
                door.rename(entry, slug, by=player)
                messages.success(request, _("The page has its new address. The old one leads there."))
            else:
                door.protect(entry, request.POST.get("protection", ""), by=player)
                messages.success(request, _("Saved."))
            return redirect("rules:manage", *named.args)
        except Refused as refused:
            tell(request, refused)
            status = refused.status
    context = {
        "named": named,
        "entry": entry,
        "written_in": language,
        "title": entries.title(kind, named.document, reader(), key=key),
        "address": entries.address(entry),
        "levels": Entry.Protection.choices,
        "slug": slug,
        "earlier": Redirect.objects.filter(kind=kind, key=key).order_by("-at"),
        "standing": entries.standing(player, kind, language, entry.protection),
    }
    return render(request, "rules/editing/manage.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: PlayerRequest) -> HttpResponseBase:
    """Who is an editor, of which language, and who an administrator; giving and taking roles."""
    player = _administrator(request)
    said, status = "", 200
    if request.method == "POST":
        said = _take(player, request.POST.get("take", "")) if "take" in request.POST else _give(request, player)
        if not said:
            messages.success(request, _("Saved."))
            return redirect("rules:roles")
        status = 422
    rows = Grant.objects.select_related("player__user", "given_by").order_by("role", "language", "given_at")
    context = {
        "desk": desk(request, "roles"),
        "page": leaf(rows, request.GET.get("page", ""), each=_EACH),
        "languages": list(LANGUAGES.items()),
        "names": dict(LANGUAGES),
        "roles": Grant.Role.choices,
        "said": said,
        "sent": request.POST,
        "me": player,
    }
    return render(request, "rules/editing/people.html", context, status=status)


def _give(request: PlayerRequest, by: Player) -> str:
    """Give a role; what is wrong, or nothing."""
    email = request.POST.get("email", "").strip().lower()
    role, language = request.POST.get("role", ""), request.POST.get("language", "")
    if role not in Grant.Role.values or (language and language not in LANGUAGES):
        return _("Choose a role and a language from the lists.")
    found = Player.objects.filter(user__email=email[:254].replace("\0", "")).first()
    if found is None:
        return _("Nobody signs in with this address. They must make an account first.")
    if not roles.grant(found, role, language, by=by):
        return _("They have this role already.")
    return ""


def _take(by: Player, number: str) -> str:
    """Take a role away; what is wrong, or nothing."""
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 16 else 0
    held = Grant.objects.filter(pk=wanted).select_related("player").first()
    if held is None:
        return _("This role has been taken away already.")
    if held.role == Grant.Role.ADMINISTRATOR and held.player_id == by.pk:
        return _("Nobody takes this role from themselves: ask another administrator.")
    roles.revoke(held.player, held.role, held.language)
    return ""
