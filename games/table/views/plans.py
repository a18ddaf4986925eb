"""The page on which a player plans: one's own cards, the trick as it stands, and the lines of the plan."""

from __future__ import annotations

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
from games.plans.language import LONGEST, NoPlan, NoTalk, Plan, read_plan, read_talk
from games.selectors import table
from games.table.views import game as views


@require_safe_or_post
def plans(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """What the viewer plans in this game. `do` (POST) says what of it is said anew: `plan`, `no-plan`, `small` or `talk`; `preview`
    shows what the lines that were filled in would be, and keeps nothing."""
    game = views.game_of(public_id)
    try:
        seat, player = views.own_seat(game, request.visit.player)
    except NotYourSeat as refusal:
        return views.answer(request, game, refusal)
    if request.method != "POST":
        return _page(request, game, player)
    plan = None
    try:
        plan = _read(request.POST)
        if request.POST.get("do") == "preview":
            return _page(request, game, player, plan)
        _keep(request.POST, plan, game, seat, player)
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


def _keep(data: QueryDict, plan: Plan, game: Game, seat: int, player: Player) -> None:
    what = data.get("do", "")
    if what == "plan" or data.get("card"):
        services.say_plan(game.pk, seat, plan, by=player, every_deal=bool(data.get("every")))
    elif what == "no-plan":
        services.say_plan(game.pk, seat, Plan(), by=player)
    elif what == "small" and data.get("small") in (SmallCards.ASK, SmallCards.SELF):
        services.wish_small(game.pk, seat, SmallCards(data.get("small", "")), by=player)
    elif what == "talk":
        try:
            talk = read_talk(
                {"rounds": data.getlist("round")[:9], "fewer": whole_number(data.get("fewer", ""), 2) or 0}
            )
        except NoTalk as error:
            raise Malformed(str(error)) from None
        services.say_talk(game.pk, seat, talk, every_deal=bool(data.get("every")), by=player)
    else:
        raise Malformed("do names what is said")


def _read(data: QueryDict) -> Plan:
    """The plan of the form: of each of the numbered lines its parts; a line that plays nothing is none. A card of the hand
    that was pressed (`card`) is what the first line plays. Raises Malformed."""
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
