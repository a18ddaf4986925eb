"""The pages of people: following, finding somebody, and messages."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import permissions as account_permissions
from accounts import reports as account_reports
from accounts.forms import TOO_OFTEN, ReportForm
from accounts.middleware import PlayerRequest
from accounts.models import Player
from accounts.services import ensure_player
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post, search_text, unlisted, whole_number
from core.limits import take
from people import moderation, selectors, services
from people.exceptions import PeopleError
from people.forms import MessageForm, PreferenceForm
from people.models import Message, PeoplePreference

PAGE: Final = 30


@never_cache
@login_required
@require_safe
def people(request: PlayerRequest) -> HttpResponseBase:
    """The people whom the player follows and who follow the player; with `find`, a search by name."""
    player = ensure_player(request)
    find = search_text(request)
    results: list[Player] | None = None
    refusal = ""
    if find:
        if take(f"find-people:{player.pk}", rate=60, per=600, burst=30):
            results = selectors.people_found(find, player)
        else:
            refusal = str(TOO_OFTEN)
    page = page_of(request, selectors.followers(player), PAGE)
    context = {
        "player": player,
        "find": find,
        "found": selectors.known_to(player, results) if results is not None else None,
        "refusal": refusal,
        "following": selectors.known_to(player, selectors.people_followed(player)),
        "page": page,
        "followers": selectors.known_to(player, page),
        "asks": not PeoplePreference.objects.filter(player=player).exists(),
        "form": PreferenceForm(None, player),
        "unread": selectors.unread_messages(player),
    }
    return unlisted(render(request, "people/list.html", context, status=429 if refusal else 200))


@never_cache
@login_required
@require_POST
def preferences(request: PlayerRequest) -> HttpResponseBase:
    """Save the preferences: the answer to the question whether others may find one by name, or the whole form."""
    player = ensure_player(request)
    if "answer" in request.POST:
        services.keep_preference(player, found_by_name=request.POST["answer"] == "yes")
    else:
        form = PreferenceForm(request.POST, player)
        if form.is_valid():
            form.write()
    messages.success(request, _("Saved."))
    return redirect("people:list")


def _person(public_id: str) -> Player:
    """The person with this id; for a guest who became a member, the member. Raises Http404 for computer players."""
    return get_object_or_404(Player.objects.select_related("merged_into"), public_id=public_id, computer="").current


@never_cache
@require_POST
def follow(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Follow somebody, or stop following them (`stop`).

    Responds to htmx with the new buttons, else redirects back to the page.
    """
    other, player = _person(public_id), request.visit.player
    if player is None:
        return redirect_to_login(reverse("accounts:person", args=[public_id]))
    refusal = ""
    try:
        if "stop" in request.POST:
            services.unfollow(player, other)
        else:
            services.follow(player, other)
    except Refusal as refused:
        refusal = str(refused.message)
    if request.htmx:
        (person,) = selectors.known_to(player, [other])
        part = "people/_row.html" if request.POST.get("back") == "list" else "people/_person.html"
        return unlisted(render(request, part, {"person": person, "refusal": refusal, "answers": True}))
    if refusal:
        messages.error(request, refusal)
    if request.POST.get("back") == "list":
        return redirect("people:list")
    return redirect("accounts:person", other.public_id)


# messages


@never_cache
@login_required
@require_safe
def threads(request: PlayerRequest) -> HttpResponseBase:
    """The player's threads, the latest first."""
    player = ensure_player(request)
    page = page_of(request, selectors.threads_of(player), PAGE)
    context = {"page": page, "threads": selectors.seen(page, player), "player": player}
    return unlisted(render(request, "people/threads.html", context))


@never_cache
@login_required
@require_safe_or_post
def thread(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The thread with somebody; POST writes a message. A refused message is shown in the field again."""
    player, other = ensure_player(request), _person(public_id)
    if other.pk == player.pk:
        return redirect("people:threads")
    if other.public_id != public_id:
        return redirect("people:thread", other.public_id)
    form, status = MessageForm(), 200
    if request.method == "POST":
        form = MessageForm(request.POST)
        try:
            form.is_valid()
            services.write(player, other, form.cleaned_data["text"], request_id=_request_id(request))
        except Refusal as refusal:
            form.add_error("text", str(refusal.message))
            status = refusal.status
        else:
            return HttpResponseRedirect(f"{reverse('people:thread', args=[public_id])}#write", status=303)
    before = whole_number(request.GET.get("before", ""), 17)
    conversation = selectors.conversation(player, other, before)
    here = bool(other.page)
    if not conversation.messages and not (here and other.is_member):
        raise Http404
    context: dict[str, Any] = {
        "other": other,
        "here": here,
        "conversation": conversation,
        "before": before,
        "form": form,
        "request_id": uuid.uuid4(),
        "player": player,
        "blocked": account_permissions.has_blocked(player, other),
    }
    response = render(request, "people/thread.html", context, status=status)
    if conversation.unread and request.method == "GET" and (written := services.thread_of(player, other)):
        services.read(written, player, conversation.messages[-1].id)
    return unlisted(response)


def _request_id(request: PlayerRequest) -> uuid.UUID:
    """The request id of the form.

    A form without one gets a new id: it may be written twice then, but nothing is lost.
    """
    try:
        return uuid.UUID(request.POST.get("request_id", ""))
    except ValueError:
        return uuid.uuid4()


@never_cache
@login_required
@require_safe_or_post
def report(request: PlayerRequest, message: int) -> HttpResponseBase:
    """Report a message that somebody wrote to the player."""
    player = ensure_player(request)
    row = get_object_or_404(Message.objects.select_related("thread", "author__merged_into"), pk=message)
    if (
        player.pk not in (row.thread.first_id, row.thread.second_id)
        or row.author_id == player.pk
        or not row.text
        or row.removed_at is not None
    ):
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            data = form.cleaned_data
            try:
                moderation.report(row, player, reason=data["reason"], text=data["text"])
            except PeopleError as refusal:
                form.add_error(None, str(refusal.message))
                status = refusal.status
            else:
                messages.success(request, account_reports.thanks(row.author))
                return redirect("people:thread", row.author.current.public_id)
    context = {"message": row, "other": row.author.current, "form": form}
    return unlisted(render(request, "people/report.html", context, status=status))


@never_cache
@login_required
@require_safe_or_post
def appeal(request: PlayerRequest, message: int) -> HttpResponseBase:
    """Tell the author of a removed message why, let them ask the moderators to look again, and show the answer."""
    player = ensure_player(request)
    rows = Message.objects.select_related("thread__first__merged_into", "thread__second__merged_into", "author")
    row = get_object_or_404(rows.exclude(text=""), pk=message, author=player)
    before, other = moderation.appeal_of(row), row.thread.other(player)
    if row.removed_at is None and before is None:
        raise Http404
    status, refused = 200, ""
    if request.method == "POST":
        try:
            moderation.appeal(row, player, request.POST.get("text", ""))
        except PeopleError as refusal:
            status, refused = refusal.status, str(refusal.message)
        else:
            messages.success(request, _("Thank you. A moderator will look at it again."))
            return redirect("people:thread", other.public_id)
    written = request.POST.get("text", before.text if before is not None else "")[:1000]
    context = {"message": row, "other": other, "appeal": before, "refusal": refused, "written": written}
    return unlisted(render(request, "people/appeal.html", context, status=status))


@never_cache
@login_required
@require_safe_or_post
def moderate(request: PlayerRequest, message: int) -> HttpResponseBase:
    """For moderators: a reported message with those around it; remove it (POST), or restore it."""
    player = ensure_player(request)
    row = moderation.reported_message(message, player)
    if row is None:
        raise Http404
    refusal = ""
    if request.method == "POST":
        try:
            if request.POST.get("do") == "restore":
                moderation.restore(row, player)
            else:
                moderation.remove(row, player, request.POST.get("reason", ""))
        except PeopleError as refused:
            refusal = str(refused.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("people:moderate", row.pk)
    context = {"message": row, "evidence": moderation.evidence(str(row.pk), player), "refusal": refusal}
    return unlisted(render(request, "people/moderate.html", context, status=422 if refusal else 200))
