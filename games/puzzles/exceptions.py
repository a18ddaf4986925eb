"""Why an answer is refused."""

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class PuzzleError(Refusal):
    words = {
        "not-possible": _("That cannot be done here. Choose one of the answers that are offered."),
        "wrong-number": _("Choose as many cards as are to be laid away."),
    }
