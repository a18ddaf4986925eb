"""Views for finding people: the overview, wishes, appointments, alerts."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from accounts.middleware import PlayerRequest
from accounts.models import Player
from accounts.services import ensure_player
from core.exceptions import Refusal
from core.forms import Form
from core.http import private, require_safe_or_post
from games.forms import read_request_id
from games.meeting import calendar, forms, selectors
from games.meeting.models import Appointment, StandingWish
from games.meeting.services import alerts, appointments, common, wishes


@require_GET
def overview(request: PlayerRequest) -> HttpResponseBase:
    """The viewer's wishes and alerts, how many people wait for each game, and the appointments to come."""
    player = request.visit.player
    member = player if player is not None and player.is_member else None
    context = {
        "player": player,
        "wishes": selectors.wishes_of(member) if member is not None else [],
        "tables": selectors.tables_wished(member) if member is not None else [],
        "crowds": selectors.crowds(player),
        "appointments": selectors.coming_appointments(player),
        "alerts": selectors.alerts_of(member) if member is not None else [],
    }
    return private(render(request, "games/meeting/overview.html", context))


def _form_view(
    form_class: type[Form], do: Callable[[PlayerRequest, Player, Any], str], **words: Promise
) -> Callable[..., HttpResponseBase]:
    """A view of a form for people with an account.

    A valid form is passed to `do`, which returns the address to redirect to. `words` are the `title` of the page, the
    `lede` below it, and the label of the `button`.
    """

    @login_required
    @require_safe_or_post
    def view(request: PlayerRequest) -> HttpResponseBase:
        player = ensure_player(request)
        form = form_class(request.POST if request.method == "POST" else None)
        status = 200
        if request.method == "POST":
            status = 422
            if form.is_valid():
                try:
                    common.limit(player)
                    return HttpResponseRedirect(do(request, player, form), status=303)
                except Refusal as refusal:
                    form.add_error(None, str(refusal.message))
                    status = refusal.status
        context = {"form": form, "request_id": uuid.uuid4(), **words}
        return private(render(request, "games/meeting/ask.html", context, status=status))

    return view


def _wish(request: PlayerRequest, player: Player, form: forms.WishForm) -> str:
    new_wish = wishes.make(player, form.terms())
    if new_wish.game is not None:
        messages.success(request, _("There were enough people: your game has begun."))
        return reverse("games:table", args=[new_wish.game.public_id])
    if new_wish.appointment is not None:
        messages.success(request, _("There are enough people. Say whether you are coming."))
        return reverse("meeting:appointment", args=[new_wish.appointment.public_id])
    if new_wish.state == StandingWish.State.OPEN:
        messages.success(request, _("Your wish is noted. You are told as soon as there are enough people."))
    return reverse("meeting:overview")


def _propose(request: PlayerRequest, player: Player, form: forms.AppointmentForm) -> str:
    proposed = appointments.propose(player, form.plan(), request_id=read_request_id(request.POST))
    messages.success(request, _("The appointment stands. Others see it and can say that they are coming."))
    return reverse("meeting:appointment", args=[proposed.public_id])


def _alert(request: PlayerRequest, player: Player, form: forms.AlertForm) -> str:
    alerts.make(player, **form.cleaned_data)
    messages.success(request, _("You are told as soon as such a table opens."))
    return reverse("meeting:overview")


wish = _form_view(
    forms.WishForm,
    _wish,
    title=gettext_lazy("What would you like to play?"),
    lede=gettext_lazy(
        "Tick everything that suits you: the more, the sooner you are seated. The search lasts 30 days, and you can end it at any time."
    ),
    button=gettext_lazy("Look for people"),
)
propose = _form_view(
    forms.AppointmentForm,
    _propose,
    title=gettext_lazy("Propose an appointment"),
    lede=gettext_lazy(
        "For a live game at an hour to come. The table opens by itself, with a seat for each of the first who say yes."
    ),
    button=gettext_lazy("Propose it"),
)
alert = _form_view(
    forms.AlertForm,
    _alert,
    title=gettext_lazy("Tell me of new tables"),
    lede=gettext_lazy("You are told once of each table that somebody opens, as long as it has a free seat."),
    button=gettext_lazy("Tell me"),
)


def _action_view(act: Callable[..., str]) -> Callable[..., HttpResponseBase]:
    """A view of an action behind a single button. `act` returns the address to redirect to.

    A refusal redirects to the appointment, or else to the overview, with its message.
    """

    @login_required
    @require_POST
    @wraps(act)
    def view(request: PlayerRequest, **kwargs: Any) -> HttpResponseBase:
        player = ensure_player(request)
        try:
            common.limit(player, rate=240, burst=60)
            return HttpResponseRedirect(act(request, player, **kwargs), status=303)
        except Refusal as refusal:
            messages.error(request, str(refusal.message))
        public_id = kwargs.get("public_id", "")
        if Appointment.objects.filter(public_id=public_id).exists():
            return redirect("meeting:appointment", public_id)
        return redirect("meeting:overview")

    return view


@_action_view
def change_wish(request: PlayerRequest, player: Player, public_id: str) -> str:
    """Withdraw a wish, or renew it if `do` is keep."""
    if request.POST.get("do") == "keep":
        wishes.keep(player, public_id)
        messages.success(request, _("The search goes on."))
    else:
        wishes.withdraw(player, public_id)
        messages.success(request, _("Your wish is withdrawn."))
    return reverse("meeting:overview")


@_action_view
def remove_alert(request: PlayerRequest, player: Player, key: int) -> str:
    alerts.remove(player, key)
    messages.success(request, _("You are no longer told of such tables."))
    return reverse("meeting:overview")


@_action_view
def answer(request: PlayerRequest, player: Player, public_id: str) -> str:
    """Say yes to an appointment, or no if `comes` is no."""
    comes = request.POST.get("comes") != "no"
    appointments.answer(player, public_id, comes=comes)
    messages.success(
        request, _("You have said that you are coming.") if comes else _("You have said that you are not coming.")
    )
    return reverse("meeting:appointment", args=[public_id])


@require_GET
def appointment(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    return _appointment(request, public_id, forms.CancelForm())


def _appointment(request: PlayerRequest, public_id: str, form: forms.CancelForm, status: int = 200) -> HttpResponseBase:
    player = request.visit.player
    seen = selectors.appointment_of(public_id, player)
    if seen is None:
        raise Http404
    context = {"seen": seen, "player": player, "form": form}
    return private(render(request, "games/meeting/appointment.html", context, status=status))


@login_required
@require_POST
def cancel(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Cancel an appointment as its proposer, with a reason that the others read."""
    player = ensure_player(request)
    form = forms.CancelForm(request.POST)
    if not form.is_valid():
        return _appointment(request, public_id, form, 422)
    try:
        common.limit(player)
        appointments.cancel(player, public_id, form.cleaned_data["reason"])
        messages.success(request, _("The appointment is cancelled, and the others are told."))
    except Refusal as refusal:
        messages.error(request, str(refusal.message))
    return redirect("meeting:appointment", public_id)


@require_GET
def ics(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The appointment as a calendar file."""
    if selectors.appointment_of(public_id, request.visit.player) is None:
        raise Http404
    data = calendar.as_file(get_object_or_404(Appointment, public_id=public_id))
    response = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{public_id}.ics"'
    return private(response)
