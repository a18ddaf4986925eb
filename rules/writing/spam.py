"""Links in what people write: new ones lead to the sources we cite, or the text waits until they are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.models import Source
from rules.refused import SpamLink

MOST_NEW_LINKS: Final = 5
_LINK: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,20}:)?//[^\s<>()\[\]\"'`|\\]+|\b(?:www\.|mailto:)[^\s<>()\[\]\"'`|\\]+", re.IGNORECASE
)


def links(text: str) -> set[str]:
    """The addresses in a text, as written: with a scheme, without one (`//…`, `www.…`), and of mail."""
    return {found.rstrip(".,;:!?") for found in _LINK.findall(text)}


def check_links(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Let only links through that were there before or lead to the host of a published source, and few at once.

    Raises SpamLink. What a source itself says about its address is not looked at: suggesting it is how a host becomes known.
    """
    new = _all_links(after) - _all_links(before)
    if len(new) > MOST_NEW_LINKS:
        raise SpamLink(
            format_lazy(_("There are too many new links in it: at most {most} at once, please."), most=MOST_NEW_LINKS)
        )
    unknown = {host_of(link) for link in new} - _known_hosts() if new else set()
    if unknown:
        raise SpamLink(
            format_lazy(
                _(
                    "There is a link in it to a place that is none of our sources: {hosts}. "
                    "Take the link out, or suggest the source first."
                ),
                hosts=", ".join(sorted(unknown))[:200],
            )
        )


def host_of(link: str) -> str:
    """The host a link leads to, without `www.`; the whole link where there is none to be read."""
    try:
        host = urlsplit(link if "//" in link else f"//{link}").hostname or link
    except ValueError:
        return link
    return host.casefold().removeprefix("www.")


def _all_links(document: Mapping[str, Any]) -> set[str]:
    return {link for text in _texts(document) for link in links(text)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            if name != "url":
                yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _known_hosts() -> frozenset[str]:
    ours = {urlsplit(settings.SITE_URL).hostname or "", *settings.ALLOWED_HOSTS}
    cited = Source.objects.exclude(document__url=None).values_list("document__url", flat=True)
    return frozenset({host.removeprefix("www.") for host in ours} | {host_of(address) for address in cited})
