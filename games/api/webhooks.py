"""Webhooks: URLs of players that are called when it is their turn. The calls are described at /en/api/."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Field, Path, Router, Status

from core.schemas import Schema
from games.api import schemas
from games.api.base import NOTICES, limit, player_of, problem, problems
from games.api.games import game_for
from games.permissions import seat_of
from games.webhooks import services
from games.webhooks.models import URL_LENGTH, Webhook

router = Router(tags=["webhooks"])
Number = Annotated[int, Path(ge=1, le=999_999_999_999, description="the id of the webhook")]


class WebhookOut(Schema):
    """One of your webhooks."""

    id: int = Field(description="names it in addresses; calls have it as `Troccas-Webhook`")
    url: str = Field(description="the address that is called")
    game: str | None = Field(description="the public id of the game it is about; null: all your games")
    created_at: datetime = Field(description="when it was registered")
    called_at: datetime | None = Field(description="when it last answered")
    problem: str = Field(description="what the last call came to, if it failed")
    off_at: datetime | None = Field(description="since when it is not called any more, because it never answered")


class NewWebhookOut(WebhookOut):
    """A webhook that was just registered."""

    secret: str = Field(description="what its calls are signed with; told this once")


class WebhookIn(schemas.Asked):
    """An address to be called: https, on the public internet, port 443."""

    url: str = Field(max_length=URL_LENGTH)
    game: str | None = Field(None, max_length=12, description="the public id of one game; null: all your games")


@router.get("/webhooks", auth=NOTICES, response={200: list[WebhookOut], **problems(401, 403)}, summary="Your webhooks")
def webhooks(request: HttpRequest) -> Any:
    """With what became of their last calls. Needs `notices:write`."""
    return [_webhook_data(webhook) for webhook in services.webhooks_of(player_of(request))]


@router.post(
    "/webhooks",
    auth=NOTICES,
    response={201: NewWebhookOut, **problems(401, 403, 404, 422)},
    summary="Register a webhook",
)
def register(request: HttpRequest, payload: WebhookIn) -> Any:
    """The answer holds its secret, once. At most ten of them. Needs `notices:write`."""
    player = player_of(request)
    limit("webhook", player, rate=30, burst=30)
    game = None
    if payload.game is not None:
        try:
            game = game_for(payload.game, player)
        except Http404:
            detail = _("There is no game with this id.")
            return problem(404, "not-found", detail, errors=[{"where": "game", "message": detail}])
        seat_of(game, player)
    webhook = services.register(player, payload.url, game)
    return Status(201, _webhook_data(webhook) | {"secret": services.secret_of(webhook)})


@router.post(
    "/webhooks/{number}/renew",
    auth=NOTICES,
    response={200: NewWebhookOut, **problems(401, 403, 404)},
    summary="Another secret",
)
def renew(request: HttpRequest, number: Number) -> Any:
    """It is called again, if it was turned off. Needs `notices:write`."""
    webhook = services.renew(player_of(request), number)
    return _webhook_data(webhook) | {"secret": services.secret_of(webhook)}


@router.post(
    "/webhooks/{number}/remove",
    auth=NOTICES,
    response={204: None, **problems(401, 403, 404)},
    summary="Remove a webhook",
)
def remove(request: HttpRequest, number: Number) -> HttpResponse:
    """It is never called again. Needs `notices:write`."""
    services.remove(player_of(request), number)
    return HttpResponse(status=204)


def _webhook_data(webhook: Webhook) -> dict[str, Any]:
    return {
        "id": webhook.pk,
        "url": webhook.url,
        "game": webhook.game.public_id if webhook.game is not None else None,
        "created_at": webhook.created_at,
        "called_at": webhook.called_at,
        "problem": webhook.problem,
        "off_at": webhook.off_at,
    }
