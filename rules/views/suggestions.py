"""Suggestions: one's own, those that wait, and each compared with what is published.

Administration: pages and roles.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest
from accounts.models import Grant, Player
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post, whole_number
from rules import documents, selectors, services
from rules.documents.comparing import compare
from rules.documents.kinds import LANGUAGES
from rules.markup import render as render_markup
from rules.models import Entry, Redirect, Suggestion
from rules.terms import reading_language
from rules.views.editing_base import attempt, entry_title, named_or_404, tabs_for, warn

_EACH: Final = 30
_SEVERAL: Final = "several"
"""The value of the filter `language` for changes that concern several languages."""


@never_cache
@require_safe
def mine(request: PlayerRequest) -> HttpResponse:
    player = request.visit.player
    if player is None or not player.is_member:
        return _sign_in(request)
    rows = player.suggestions.select_related("entry__published", "decided_by", "became__entry").order_by("-at")
    page = page_of(request, rows, _EACH)
    context = {"tabs": tabs_for(request, "suggestions"), "page": page, "rows": _titled(list(page))}
    return render(request, "rules/editing/suggestions.html", context)


@never_cache
@require_safe
def queue(request: PlayerRequest) -> HttpResponse:
    """Suggestions that wait for review, the oldest first; `language` and `kind` filter them."""
    if request.visit.player is None or not request.visit.player.is_member:
        return _sign_in(request)
    if not account_permissions.languages(request.visit.player):
        raise PermissionDenied
    waiting = Suggestion.objects.filter(state=Suggestion.State.OPEN)
    counts = dict(waiting.values_list("language").annotate(Count("pk")).order_by())
    language, kind = request.GET.get("language", ""), request.GET.get("kind", "")
    if language in LANGUAGES or language == _SEVERAL:
        waiting = waiting.filter(language="" if language == _SEVERAL else language)
    else:
        language = ""
    if kind in Entry.Kind.values:
        waiting = waiting.filter(entry__kind=kind)
    else:
        kind = ""
    rows = waiting.select_related("entry__published", "author").order_by("at")
    page = page_of(request, rows, _EACH)
    context = {
        "tabs": tabs_for(request, "queue"),
        "page": page,
        "rows": _titled(list(page)),
        "chosen_language": language,
        "kind": kind,
        "kinds": Entry.Kind.choices,
        "filters": _filters(counts, language, kind),
    }
    return render(request, "rules/editing/queue.html", context)


@never_cache
@require_safe_or_post
def suggestion(request: PlayerRequest, number: int) -> HttpResponseBase:
    """One suggestion compared with what is published; its author can withdraw it, an editor accept or decline it."""
    if request.visit.player is None or not request.visit.player.is_member:
        return _sign_in(request)
    row = (
        Suggestion.objects.filter(pk=number)
        .select_related("entry__published", "base", "author", "decided_by", "became__entry", "follows")
        .first()
    )
    if row is None or not _may_see(request.visit.player, row):
        raise Http404
    status = 200
    if request.method == "POST":
        try:
            return _decide(request, request.visit.player, row)
        except Refusal as refusal:
            warn(request, refusal)
            status = refusal.status
            row.refresh_from_db()
    return render(request, "rules/editing/suggestion.html", _review(request, request.visit.player, row), status=status)


def _decide(request: PlayerRequest, player: Player, row: Suggestion) -> HttpResponseBase:
    """Do what the pressed button says. Raises Refusal."""
    answer, do = request.POST.get("answer", ""), request.POST.get("do", "")
    if do == "accept":
        services.accept(row, by=player, answer=answer, minor=bool(request.POST.get("minor")))
        messages.success(request, _("Published, in the name of the person who suggested it."))
        return redirect("rules:queue")
    if do == "decline":
        services.decline(row, by=player, answer=answer)
        messages.success(request, _("Declined. Its author reads your answer."))
        return redirect("rules:queue")
    if do == "withdraw":
        services.withdraw(row, by=player)
        messages.success(request, _("Taken back."))
        return redirect("rules:suggestions")
    return redirect("rules:suggestion", row.pk)


def _may_see(player: Player, row: Suggestion) -> bool:
    return row.author_id == player.pk or bool(account_permissions.languages(player))


def _review(request: PlayerRequest, player: Player, row: Suggestion) -> dict[str, Any]:
    entry, now = row.entry, row.entry.published
    before = now.document if now else {}
    is_open = row.state == Suggestion.State.OPEN
    conflicts: tuple[documents.Conflict, ...] = ()
    document = row.document
    if is_open and now is not None and now.pk != row.base_id:
        merge = documents.merge(entry.kind, row.base.document if row.base else {}, document, before)
        conflicts, document = merge.conflicts, merge.draft
    elif not is_open:
        before = row.base.document if row.base else {}
    standing = selectors.standing(player, entry.kind, entry.language, entry.protection)
    context = {
        "tabs": tabs_for(request),
        "suggestion": row,
        "entry": entry,
        "written_in": entry.language,
        "title": entry_title(entry, reading_language(), now.document if now else row.document),
        "address": selectors.address(entry),
        "comparison": compare(entry.kind, before, document),
        "conflicts": conflicts,
        "is_open": is_open,
        "is_mine": row.author_id == player.pk,
        "may_decide": standing.may_publish_some,
        "has_moved_on": is_open and now is not None and now.pk != row.base_id,
        "answer": request.POST.get("answer", ""),
        "minor": "minor" in request.POST,
        "edit_url": f"{reverse('rules:edit', args=entry.args)}?{urlencode({'suggestion': row.pk})}",
        "standing": standing,
    }
    if entry.kind == Entry.Kind.ARTICLE:
        context["rendered"] = render_markup(
            document, entry.language, key=entry.key, preview=True, reader=reading_language()
        )
    return context


def _titled(rows: list[Suggestion]) -> list[tuple[Suggestion, str]]:
    return [
        (
            row,
            entry_title(
                row.entry, reading_language(), row.entry.published.document if row.entry.published else row.document
            ),
        )
        for row in rows
    ]


def _filters(counts: dict[str, int], chosen: str, kind: str) -> list[tuple[str, str, int, bool]]:
    """A filter for each language in which something waits: its name, query, count, and whether it is chosen."""
    kinds = {"kind": kind} if kind else {}
    rows = [(_("All"), urlencode(kinds), sum(counts.values()), not chosen)]
    for code, name in LANGUAGES.items():
        if counts.get(code) or code == chosen:
            rows.append((str(name), urlencode({"language": code, **kinds}), counts.get(code, 0), code == chosen))
    if counts.get("") or chosen == _SEVERAL:
        address = urlencode({"language": _SEVERAL, **kinds})
        rows.append((_("several languages"), address, counts.get("", 0), chosen == _SEVERAL))
    return rows


def _sign_in(request: PlayerRequest) -> HttpResponse:
    return render(request, "rules/editing/sign_in.html", {"tabs": tabs_for(request)}, status=403)


_PEOPLE_EACH: Final = 100


def _administrator(request: PlayerRequest) -> Player:
    if request.visit.player is None or not account_permissions.may(
        request.visit.player, account_permissions.ADMINISTRATOR
    ):
        raise PermissionDenied
    return request.visit.player


@never_cache
@require_safe_or_post
def manage(request: PlayerRequest, kind: str, key: str, language: str = "") -> HttpResponseBase:
    player = _administrator(request)
    if kind == Entry.Kind.ARTICLE and not language:
        return redirect("rules:manage", kind, key, reading_language())
    named = named_or_404(kind, key, language)
    entry = named.entry
    assert entry is not None
    status, slug = 200, request.POST.get("slug", entry.slug)
    if request.method == "POST":
        if request.POST.get("do") == "rename":
            do, done = (
                partial(services.rename, entry, slug),
                _("The page has its new address. The old one leads to it."),
            )
        else:
            do, done = partial(services.protect, entry, request.POST.get("protection", "")), _("Saved.")
        status = attempt(request, partial(do, by=player), done)
        if status == 200:
            return redirect("rules:manage", *named.args)
    context = {
        "named": named,
        "entry": entry,
        "written_in": language,
        "title": selectors.title(kind, named.document, reading_language(), key=key),
        "address": selectors.address(entry),
        "levels": Entry.Protection.choices,
        "slug": slug,
        "earlier": Redirect.objects.filter(kind=kind, key=key).order_by("-at"),
        "standing": selectors.standing(player, kind, language, entry.protection),
    }
    return render(request, "rules/editing/manage.html", context, status=status)


@never_cache
@require_safe_or_post
def people(request: PlayerRequest) -> HttpResponseBase:
    """Editors, with their languages, and administrators; the page to give and take roles."""
    player = _administrator(request)
    error, status = "", 200
    if request.method == "POST":
        error = _take(player, request.POST.get("take", "")) if "take" in request.POST else _give(request, player)
        if not error:
            messages.success(request, _("Saved."))
            return redirect("rules:roles")
        status = 422
    rows = Grant.objects.select_related("player__user", "given_by").order_by("role", "language", "given_at")
    context = {
        "tabs": tabs_for(request, "roles"),
        "page": page_of(request, rows, _PEOPLE_EACH),
        "languages": list(LANGUAGES.items()),
        "names": dict(LANGUAGES),
        "roles": Grant.Role.choices,
        "said": error,
        "sent": request.POST,
        "me": player,
    }
    return render(request, "rules/editing/people.html", context, status=status)


def _give(request: PlayerRequest, by: Player) -> str:
    """Give a role. Returns what is wrong, or an empty string."""
    email = request.POST.get("email", "").strip().lower()
    role, language = request.POST.get("role", ""), request.POST.get("language", "")
    if role not in Grant.Role.values or (language and language not in LANGUAGES):
        return _("Choose a role and a language from the lists.")
    member = Player.objects.filter(user__email=email[:254].replace("\0", "")).first()
    if member is None:
        return _("Nobody signs in with this address. The person has to make an account first.")
    if not account_permissions.grant(member, role, language, by=by):
        return _("They have this role already.")
    return ""


def _take(by: Player, number: str) -> str:
    """Take a role away. Returns what is wrong, or an empty string."""
    grant = Grant.objects.filter(pk=whole_number(number, 15) or 0).select_related("player").first()
    if grant is None:
        return _("This role has been taken away already.")
    if grant.role == Grant.Role.ADMINISTRATOR and grant.player_id == by.pk:
        return _("You cannot take this role away from yourself. Ask another administrator.")
    account_permissions.revoke(grant.player, grant.role, grant.language)
    return ""
