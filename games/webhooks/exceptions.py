"""Why a webhook is not registered."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class WebhookError(Refusal):
    words = {
        "no-address": _(
            "This address cannot be called. It has to begin with https:// and to lie on the public internet."
        ),
        "too-many-webhooks": _("You have ten webhooks already. Remove one of them first."),
        "no-such-webhook": _("There is no such webhook of yours."),
        "members-only-webhooks": _(
            "Webhooks are for people with an account: a guest could not switch them off any more."
        ),
    }
    statuses = {403: ("members-only-webhooks",), 404: ("no-such-webhook",)}
