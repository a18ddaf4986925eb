"""What a page of a deal looked back at is made of, whatever game or record it comes from; and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language

from accounts.limits import address_of, take
from games.account import account
from games.chat.seen import MessageSeen, NoteSeen
from games.pictures import drawing, rendering
from games.pictures import wording as picture_wording
from games.seen import OpenSeat, Replay

_LONGEST_STEP = 4


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the things of one deal are. `room` is games or imported."""

    room: str
    public_id: str
    hand: int
    previous_hand: int | None = None
    following_hand: int | None = None

    @property
    def page(self) -> str:
        """The page of the deal."""
        return self._of("replay", self.hand)

    @property
    def previous(self) -> str:
        """The deal before, at its beginning; empty if there is none to look at."""
        return f"{self._of('replay', self.previous_hand)}?step=0" if self.previous_hand is not None else ""

    @property
    def following(self) -> str:
        """The deal after, at its beginning; empty if there is none to look at."""
        return f"{self._of('replay', self.following_hand)}?step=0" if self.following_hand is not None else ""

    @property
    def hands(self) -> str:
        """The list of all deals of the game."""
        return reverse(f"{self.room}:hands", args=[self.public_id])

    @property
    def table(self) -> str:
        """The table where it was played; empty for a record."""
        return reverse("games:table", args=[self.public_id]) if self.room == "games" else ""

    @property
    def record(self) -> str:
        """The record of this deal."""
        return self._of("hand_record", self.hand)

    @property
    def game_record(self) -> str:
        """The record of the whole game."""
        return reverse(f"{self.room}:record", args=[self.public_id])

    @property
    def from_here(self) -> str:
        """Where a table at a moment of it is asked for."""
        return self._of("from_here", self.hand)

    @property
    def png(self) -> str:
        """The picture of a moment (`?step=`), as PNG."""
        return reverse(f"{self.room}:picture", args=[self.public_id, self.hand, "png"])

    @property
    def svg(self) -> str:
        """The same as SVG."""
        return reverse(f"{self.room}:picture", args=[self.public_id, self.hand, "svg"])

    def _of(self, name: str, hand: int | None) -> str:
        return reverse(f"{self.room}:{name}", args=[self.public_id, hand])


def step_of(request: HttpRequest) -> int | None:
    """The step an address asks for; None for none, or for what is no number."""
    asked = request.GET.get("step", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= _LONGEST_STEP else None


def addresses_of(replay: Replay, room: str) -> Addresses:
    """The addresses of a deal and of what belongs to it."""
    return Addresses(room, replay.public_id, replay.hand, replay.previous, replay.following)


def context(
    replay: Replay,
    where: Addresses,
    *,
    messages: Sequence[MessageSeen] = (),
    notes: Sequence[NoteSeen] = (),
    shared: bool,
) -> dict[str, Any]:
    """What the page's template gets. With `shared` its head tells other sites what it shows, with a picture."""
    words = picture_wording.words(replay)
    return {
        "replay": replay,
        "where": where,
        "account": account(replay, get_language() or "en", messages, notes),
        "picture": words,
        "seat_to_take": seat_to_take(replay),
        "site": settings.SITE_URL if shared else "",
    }


def seat_to_take(replay: Replay) -> int:
    """Which seat somebody who plays on is offered first: their own, else the one whose turn it is."""
    turn: OpenSeat | None = next((seat for seat in replay.seats if seat.turn), None)
    if replay.viewer is not None:
        return replay.viewer
    return turn.number if turn is not None else 0


def picture(request: HttpRequest, replay: Replay, kind: str) -> HttpResponse:
    """The picture of a moment, as svg or png; Http404 for another kind. PNG costs time, so nobody gets many at once."""
    if kind not in ("png", "svg"):
        raise Http404
    svg = drawing.draw(replay, picture_wording.words(replay))
    if kind == "png":
        if not take(f"picture:{address_of(request)}", rate=120, per=3600, burst=20):
            return render(request, "games/too_many.html", status=429)
        answer = HttpResponse(rendering.png(svg), content_type="image/png")
    else:
        answer = HttpResponse(svg, content_type="image/svg+xml")
    answer["Content-Disposition"] = f'inline; filename="{replay.ruleset}-{replay.hand}-{replay.step}.{kind}"'
    patch_cache_control(answer, private=True, no_store=True)
    return answer
