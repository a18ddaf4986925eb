"""A player's webhooks: registering, checking whether they work, removing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.middleware import PlayerRequest
from accounts.models import Player
from accounts.services import ensure_player
from core import limits
from core.exceptions import Refusal
from core.http import require_safe_or_post
from games.webhooks import services
from games.webhooks.exceptions import WebhookError
from games.webhooks.forms import WebhookForm
from games.webhooks.models import Webhook


@never_cache
@login_required
@require_safe_or_post
def webhooks(request: PlayerRequest) -> HttpResponse:
    """The player's webhooks. POST registers one; its secret is shown on the response page, and never again."""
    player = ensure_player(request)
    if request.method != "POST":
        return _page(request, player, WebhookForm(None, player))
    form = WebhookForm(request.POST, player)
    if not form.is_valid():
        return _page(request, player, form, status=422)
    try:
        if not limits.take(f"webhook:{player.pk}", rate=30, per=3600):
            raise WebhookError("too-many-webhooks")
        webhook = services.register(player, form.cleaned_data["url"], form.chosen())
    except Refusal as refusal:
        form.add_error("url" if refusal.code == "no-address" else None, str(refusal.message))
        return _page(request, player, form, status=refusal.status)
    return _page(request, player, WebhookForm(None, player), webhook)


@never_cache
@login_required
@require_POST
def change(request: PlayerRequest, key: int) -> HttpResponse:
    """Remove a webhook or, if `do` is renew, give it another secret and turn it on again."""
    player = ensure_player(request)
    try:
        if request.POST.get("do") == "renew":
            return _page(request, player, WebhookForm(None, player), services.renew(player, key))
        services.remove(player, key)
        messages.success(request, _("The webhook is removed: this address is not called any more."))
    except WebhookError as refusal:
        messages.error(request, str(refusal.message))
    return redirect("webhooks:list")


def _page(
    request: PlayerRequest, player: Player, form: WebhookForm, webhook: Webhook | None = None, status: int = 200
) -> HttpResponse:
    """The page of webhooks, with the secret of `webhook` if it was just registered or renewed."""
    context = {
        "rows": services.webhooks_of(player),
        "form": form,
        "made": webhook,
        "secret": services.secret_of(webhook) if webhook is not None else "",
    }
    return render(request, "games/webhooks/list.html", context, status=status)
