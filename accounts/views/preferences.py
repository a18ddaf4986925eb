"""How the table behaves, which language and clock are one's own, when one plays, and when one is away."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import protocols, rhythms
from accounts.models import Absence, Player
from accounts.views.you import own_player
from accounts.visits import PlayerRequest
from accounts.you_forms import AbsenceForm, PlaceForm, TableForm, WakingHoursForm

SECTIONS = ("table", "place", "hours", "absence")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: PlayerRequest) -> HttpResponse:
    """All preferences on one page; each section is saved by itself. A stranger is sent to where one begins."""
    player = own_player(request)
    if player is None:
        return redirect("accounts:you")
    sent = request.POST.get("section") if request.method == "POST" else None
    sections = _sections(request, player, sent)
    if request.method == "POST" and sent in sections:
        form = sections[sent]
        if form.is_valid():
            if not isinstance(form, AbsenceForm):
                form.write()  # type: ignore[attr-defined]  # the other sections all have it
            messages.success(request, _("Saved."))
            return redirect(f"{reverse('accounts:preferences')}#{sent}")
        # The form may have put what was typed on the player; the page's head shows what is stored.
        request.player = Player.objects.get(pk=player.pk)
    today = rhythms.today_of(player)
    context: dict[str, Any] = {
        "player": player,
        "forms": sections,
        "more": [(section, sections[section.name]) for section in protocols.sections()],
        "sent": sent,
        "absences": Absence.objects.filter(player=player, last_day__gte=today),
        "year": str(today.year),
        "vacation_left": rhythms.vacation_left(player, today.year),
        "vacation_days": rhythms.VACATION_DAYS,
        "zone": rhythms.zone_of(player).key,
    }
    failed = sent in sections and bool(sections[sent].errors)
    return render(request, "account/preferences.html", context, status=422 if failed else 200)


@never_cache
@require_POST
def come_back(request: PlayerRequest, absence: int) -> HttpResponse:
    """End an absence, or take back one that is planned."""
    player = own_player(request)
    if player is not None and rhythms.come_back(player, absence):
        messages.success(request, _("You are back."))
    else:
        messages.error(request, _("This absence is over already."))
    return redirect(f"{reverse('accounts:preferences')}#absence")


def _sections(request: PlayerRequest, player: Player, sent: str | None) -> dict[str | None, forms.BaseForm]:
    """The forms of the page by section; the one that was sent holds what was sent."""

    def data(section: str) -> Any:
        return request.POST if sent == section else None

    # Each form of the player's row gets a copy: what was typed in one must not be saved with another.
    own: dict[str | None, forms.BaseForm] = {
        "table": TableForm(data("table"), instance=Player.objects.get(pk=player.pk)),
        "place": PlaceForm(data("place"), instance=Player.objects.get(pk=player.pk)),
        "hours": WakingHoursForm(data("hours"), player=player),
        "absence": AbsenceForm(data("absence"), player=player, today=rhythms.today_of(player)),
    }
    return own | {section.name: section.form(data(section.name), player) for section in protocols.sections()}
