"""Atom feeds whose bytes change only when what they tell of does."""

from __future__ import annotations

from datetime import datetime

from django.utils.feedgenerator import Atom1Feed


class SteadyAtom(Atom1Feed):
    """An Atom feed that is given `since`, an aware moment: when a feed without entries was last changed.

    Without it Django takes the moment at which the feed is read, and every reader sees something new in nothing.
    """

    def latest_post_date(self) -> datetime:
        """When its newest entry was made or changed; `since` where there is none."""
        if self.items:
            return super().latest_post_date()
        since: datetime = self.feed["since"]
        return since
