"""Watching over HTTP: the list of tables worth watching, what is agreed at one, and the page of a closed table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import URLPattern, reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import Player
from accounts.visits import PlayerRequest
from games import choosing, closed_page, views
from games.models import Game
from games.pace import Kind
from games.refusals import Malformed, NotYourSeat, Refusal
from games.watching import door, listing, rights, seen

View = Callable[..., HttpResponseBase]


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody."""
    patch_cache_control(response, private=True, no_store=True)
    response["X-Robots-Tag"] = "noindex"
    return response


# closed tables


def guarded(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """Addresses of games behind which only those who may see the game get to the view."""
    found = list(patterns)
    for pattern in found:
        pattern.callback = _for_who_may_see(pattern.callback, pattern.name or "")
    return found


def _for_who_may_see(view: View, name: str) -> View:
    """The view at the address called `name`. At a sealed table a substitute takes a seat that they could not look at."""

    @wraps(view)
    def guard(request: PlayerRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        public_id = kwargs.get("public_id")
        if public_id is not None:
            game = rights.closed_game(public_id)
            if game is not None and not rights.sits(game, request.player):
                if name == "table":
                    return closed_page.instead_of_table(request, game, request.player)
                if not (game.is_sealed and _is_for_others(name, request)):
                    return closed_page.closed(request, game)
        return view(request, *args, **kwargs)

    return guard


def _is_for_others(name: str, request: HttpRequest) -> bool:
    """What may be done at a sealed table without sitting there, where the view says itself who may: a seat is taken over, a
    moderator looks after what was reported."""
    return name == "moderate" or (name == "time" and request.POST.get("do") == "substitute")


# what is agreed at a table


@require_http_methods(["GET", "HEAD", "POST"])
def watching(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Who watches a game and who may, for the page's script; what the field `do` says is done (POST)."""
    game = views.game_of(public_id)
    if request.method != "POST":
        return _panel(request, game)
    try:
        if request.player is None:
            raise NotYourSeat
        what = request.POST.get("do", "")
        if what not in _DOING:
            raise Malformed("do names what is wanted")
        _DOING[what](game, request.player, request.POST)
    except Refusal as refusal:
        return _panel(request, game, refusal)
    if _fetched(request):
        return _panel(request, game)
    return HttpResponseRedirect(f"{reverse('games:table', args=[game.public_id])}#watching", status=303)


_DOING: Final[dict[str, Callable[[Game, Player, QueryDict], object]]] = {
    "propose": lambda game, player, data: door.propose(game.pk, player, data.get("mode", "")),
    "agree": lambda game, player, data: door.answer(game.pk, player, agree=True, mode=data.get("mode", "")),
    "decline": lambda game, player, data: door.answer(game.pk, player, agree=False, mode=data.get("mode", "")),
    "name": lambda game, player, _data: door.show_name(game, player, shown=True),
    "unname": lambda game, player, _data: door.show_name(game, player, shown=False),
}


def _fetched(request: HttpRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def _panel(request: PlayerRequest, game: Game, refusal: Refusal | None = None) -> HttpResponseBase:
    context = {
        "watching": seen.of(game, request.player),
        "watching_refusal": str(refusal.message) if refusal is not None else "",
        "public_id": game.public_id,
        "watching_page": not _fetched(request),
    }
    template = "games/watching/_panel_body.html" if _fetched(request) else "games/watching/panel.html"
    return _private(render(request, template, context, status=refusal.status if refusal is not None else 200))


# the list


class WatchForm(forms.Form):
    """What one would like to watch; everything may be left empty."""

    game = forms.ChoiceField(required=False)
    pace = forms.ChoiceField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, label_suffix="", auto_id="watch-%s")
        self._offer("game", _("Game"), [(known, choosing.game_name(known)) for known in choosing.ORDER])
        paces = [(str(Kind.LIVE), _("live")), (str(Kind.DAYS), _("days")), (listing.NO_CLOCK, _("no clock"))]
        self._offer("pace", _("Pace"), paces)

    def _offer(self, name: str, label: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.label = label
        field.choices = [("", _("any")), *choices]

    def sought(self) -> listing.Sought:
        """What is looked for; what makes no sense is left out."""
        self.is_valid()
        return listing.Sought(self.cleaned_data.get("game", ""), self.cleaned_data.get("pace", ""))


@require_GET
def watch(request: PlayerRequest) -> HttpResponseBase:
    """Tables worth watching."""
    form = WatchForm(request.GET)
    sought = form.sought()
    page, rows = listing.tables(sought, request.player, request.GET.get("page", "1"))
    given = {name: value for name, value in (("game", sought.game), ("pace", sought.pace)) if value}
    context = {"form": form, "page": page, "rows": rows, "searching": bool(given), "query": urlencode(given)}
    return _private(render(request, "games/watching/watch.html", context))
