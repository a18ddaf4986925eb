"""The views of watching: the list of tables worth watching, and the agreement about it at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django import forms
from django.http import Http404, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from core.exceptions import Refusal
from core.forms import Form
from core.http import private, require_safe_or_post
from core.limits import take
from domain.engine import UnknownRuleset
from games.exceptions import Malformed, NotYourSeat
from games.forms import ANY, any_game
from games.models import Game
from games.selectors import rulesets
from games.table.views import game as views
from games.watching import selectors as watching_selectors
from games.watching import services as watching_services
from games.watching.computers import join

# what is agreed at a table


@require_safe_or_post
def watching(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Who watches a game and who may, for the page's script. POST does what the field `do` names."""
    game = views.game_of(public_id)
    if request.method != "POST":
        return _panel(request, game)
    try:
        if request.visit.player is None:
            raise NotYourSeat
        verb = request.POST.get("do", "")
        if verb not in _DOING:
            raise Malformed("do names no known action")
        _DOING[verb](game, request.visit.player, request.POST)
    except Refusal as refusal:
        return _panel(request, game, refusal)
    if request.htmx:
        return _panel(request, game)
    return HttpResponseRedirect(f"{reverse('games:table', args=[game.public_id])}#watching", status=303)


_DOING: Final[dict[str, Callable[[Game, Player, QueryDict], object]]] = {
    "propose": lambda game, player, data: watching_services.propose(game.pk, player, data.get("mode", "")),
    "agree": lambda game, player, data: watching_services.answer(
        game.pk, player, agree=True, mode=data.get("mode", "")
    ),
    "decline": lambda game, player, data: watching_services.answer(
        game.pk, player, agree=False, mode=data.get("mode", "")
    ),
    "name": lambda game, player, _data: watching_services.show_name(game, player, shown=True),
    "unname": lambda game, player, _data: watching_services.show_name(game, player, shown=False),
}


def _panel(request: PlayerRequest, game: Game, refusal: Refusal | None = None) -> HttpResponseBase:
    context = {
        "watching": watching_selectors.watching_of(game, request.visit.player),
        "watching_refusal": str(refusal.message) if refusal is not None else "",
        "public_id": game.public_id,
        "watching_page": not request.htmx,
    }
    template = "games/watching/_panel_body.html" if request.htmx else "games/watching/panel.html"
    return private(render(request, template, context, status=refusal.status if refusal is not None else 200))


# the list


class WatchForm(Form):
    """The search form for games to watch; every field is optional."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=any_game)
    pace = forms.ChoiceField(
        label=_("Pace"),
        required=False,
        choices=[ANY, ("live", _("live")), ("days", _("days")), (watching_selectors.NO_CLOCK, _("no clock"))],
    )

    def sought(self) -> watching_selectors.WatchSearch:
        """The search, without fields that are invalid."""
        self.is_valid()
        return watching_selectors.WatchSearch(self.cleaned_data.get("game", ""), self.cleaned_data.get("pace", ""))


@require_POST
def watch_computers(request: PlayerRequest) -> HttpResponseBase:
    """Go to the table at which computer players play a game among themselves. It is created if there is none."""
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    try:
        game = join(request.POST.get("game", ""))
    except UnknownRuleset:
        raise Http404 from None
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


@require_GET
def watch(request: PlayerRequest) -> HttpResponseBase:
    form = WatchForm(request.GET, auto_id="watch-%s")
    sought = form.sought()
    page, rows = watching_selectors.tables(sought, request.visit.player, request.GET.get("page", "1"))
    query = {name: value for name, value in (("game", sought.game), ("pace", sought.pace)) if value}
    context = {"form": form, "page": page, "rows": rows, "searching": bool(query), "query": urlencode(query)}
    context["games"] = [(each, rulesets.game_name(each)) for each in rulesets.ORDER]
    template = "games/watching/_tables.html" if request.htmx else "games/watching/watch.html"
    return private(render(request, template, context))
