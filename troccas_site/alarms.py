"""What whoever runs the site must hear of: an error in the log, and a letter where ALARM_EMAIL names somebody."""

from __future__ import annotations

import logging
from typing import Final

from django.core.mail import mail_admins

from core import limits

logger = logging.getLogger(__name__)

_DAY: Final = 86400


def alarm(subject: str, text: str) -> None:
    """Write it to the log, and send it; the same subject only once a day. `text` must hold nothing of a person or a card.

    Never raises: what has found a problem goes on.
    """
    logger.error("%s: %s", subject, text)
    try:
        if limits.take(f"alarm: {subject}", rate=1, per=_DAY):
            mail_admins(subject, text)
    except Exception:
        logger.exception("the alarm could not be sent")
