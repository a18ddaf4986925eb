"""The tokens by which one's programs act: made, shown once, revoked."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import limits, personal_tokens
from accounts.forms import TOO_OFTEN
from accounts.guests import ensure_player
from accounts.models import Player
from accounts.program_forms import TokenForm
from accounts.token_models import PersonalToken
from accounts.visits import PlayerRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def programs(request: PlayerRequest) -> HttpResponse:
    """One's tokens; a new one (POST) is shown on the page that answers, and nowhere again."""
    player = ensure_player(request)
    if request.method != "POST":
        return _page(request, player, TokenForm())
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, player, form, status=422)
    if not limits.take(f"token:{player.pk}", rate=20, per=3600, burst=20):
        form.add_error(None, TOO_OFTEN)
        return _page(request, player, form, status=429)
    wanted = form.cleaned_data
    try:
        token, raw = personal_tokens.issue(player, wanted["name"], wanted["scopes"], days=wanted["days"])
    except personal_tokens.TooManyTokens:
        form.add_error(None, _("You have twenty tokens already. Revoke one that you do not use any more."))
        return _page(request, player, form, status=422)
    return _page(request, player, TokenForm(), made=token, raw=raw)


@never_cache
@login_required
@require_POST
def revoke(request: PlayerRequest, token: int) -> HttpResponse:
    """End one of one's tokens."""
    gone = personal_tokens.revoke(ensure_player(request), token)
    if gone is not None:
        messages.success(request, _("The token is revoked: the program can do nothing here any more."))
    return redirect("accounts:programs")


def _page(
    request: PlayerRequest,
    player: Player,
    form: TokenForm,
    *,
    made: PersonalToken | None = None,
    raw: str = "",
    status: int = 200,
) -> HttpResponse:
    rows = [
        {"token": token, "may": [personal_tokens.SCOPES[scope] for scope in token.scopes]}
        for token in personal_tokens.living(player)
    ]
    context = {"rows": rows, "form": form, "made": made, "raw": raw}
    return render(request, "account/programs.html", context, status=status)
