"""The page on which players plan: their own cards, the present trick, and the lines of the plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse

from accounts.middleware import PlayerRequest
from accounts.models import Player, SmallCards
from core.exceptions import Refusal
from core.http import private, require_safe_or_post, whole_number
from games.exceptions import Malformed, NotYourSeat
from games.models import Game
from games.plans import selectors, services
from games.plans.language import LONGEST, NoPlan, NoTalk, Plan, Talk, read_plan, read_talk
from games.selectors import table
from games.table.views import game as views


@require_safe_or_post
def plans(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The viewer's plans in this game. The field `do` (POST) names what is saved: `plan`, `no-plan`, `small` or `talk`.

    `preview` only shows the effect of the lines that were filled in, and saves nothing.
    """
    game = views.game_of(public_id)
    try:
        seat, player = views.own_seat(game, request.visit.player)
    except NotYourSeat as refusal:
        return views.answer(request, game, refusal)
    if request.method != "POST":
        return _page(request, game, player)
    plan = None
    try:
        plan = _read_plan(request.POST)
        if request.POST.get("do") == "preview":
            return _page(request, game, player, plan)
        _save(request.POST, plan, game, seat, player)
    except Refusal as refusal:
        return _page(request, game, player, plan, refusal)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


def _page(
    request: HttpRequest, game: Game, player: Player, plan: Plan | None = None, refusal: Refusal | None = None
) -> HttpResponseBase:
    game.refresh_from_db()
    seen = table.sight_of(game, player)
    context = {
        "sight": seen,
        "player": player,
        "plans": selectors.plans_seen(game, player, seen),
        "form": selectors.form_of(game, player, seen, plan),
    }
    if refusal is not None:
        context["refusal"] = views.refusal_text(refusal)
    return private(render(request, "games/plans.html", context, status=200 if refusal is None else refusal.status))


def _save(data: QueryDict, plan: Plan, game: Game, seat: int, player: Player) -> None:
    """Save what the field `do` names. Pressing a card of the hand (`card`) saves the plan. Raises Malformed."""
    verb = "plan" if data.get("card") else data.get("do", "")
    if verb not in _SAVING:
        raise Malformed("do is plan, no-plan, small or talk")
    _SAVING[verb](data, plan, game, seat, player)


def _save_plan(data: QueryDict, plan: Plan, game: Game, seat: int, player: Player) -> None:
    services.save_plan(game.pk, seat, plan, by=player, every_deal=bool(data.get("every")))


def _delete_plan(_data: QueryDict, _plan: Plan, game: Game, seat: int, player: Player) -> None:
    services.save_plan(game.pk, seat, Plan(), by=player)


def _save_small_cards(data: QueryDict, _plan: Plan, game: Game, seat: int, player: Player) -> None:
    small = data.get("small", "")
    if small not in (SmallCards.ASK, SmallCards.SELF):
        raise Malformed("small is not one of the choices")
    services.set_small_cards(game.pk, seat, SmallCards(small), by=player)


def _save_talk(data: QueryDict, _plan: Plan, game: Game, seat: int, player: Player) -> None:
    services.save_talk_plan(game.pk, seat, _read_talk(data), every_deal=bool(data.get("every")), by=player)


_SAVING: Final[dict[str, Callable[[QueryDict, Plan, Game, int, Player], None]]] = {
    "plan": _save_plan,
    "no-plan": _delete_plan,
    "small": _save_small_cards,
    "talk": _save_talk,
}


def _read_talk(data: QueryDict) -> Talk:
    """The plan for the talk in the form. Raises Malformed."""
    fewer = whole_number(data.get("fewer", ""), 2) or 0
    try:
        return read_talk({"rounds": data.getlist("round")[:9], "fewer": fewer})
    except NoTalk as error:
        raise Malformed(str(error)) from None


def _read_plan(data: QueryDict) -> Plan:
    """The plan in the form, from its numbered lines; a line that plays nothing is left out. Raises Malformed.

    If a card of the hand was pressed (`card`), the first line plays it.
    """
    lines: list[dict[str, object]] = []
    for number in range(LONGEST):
        play = (data.get("card", "") if number == 0 else "") or data.get(f"play-{number}", "")
        if play:
            line: dict[str, object] = {"play": play, "last": bool(data.get(f"last-{number}"))}
            for part in ("led", "winning", "fallen"):
                line[part] = data.get(f"{part}-{number}", "")
            lines.append(line)
    try:
        return read_plan({"lines": lines, "lasts": bool(data.get("lasts")), "at_once": bool(data.get("at_once"))})
    except NoPlan as error:
        raise Malformed(str(error)) from None
