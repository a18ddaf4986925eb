from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class AnalysisError(Refusal):
    words = {
        "hand-closed": _("This hand is not over, or its cards are still secret."),
        "nothing-to-analyse": _("This hand was not played, so there is nothing to analyse."),
        "analysis-busy": _("Many analyses are waiting already. Ask again in a few minutes."),
    }
    statuses = {404: ("hand-closed",), 429: ("analysis-busy",)}
