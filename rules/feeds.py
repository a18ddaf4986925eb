"""Recent changes as an Atom feed."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import get_language_info, override
from django.utils.translation import gettext as _

from core.http import SteadyAtom
from core.reading_languages import WHOLE
from rules import licence, selectors
from rules.models import SOURCE_LANGUAGE, Revision
from rules.terms import reading_language
from rules.views.editing_base import author_name
from rules.views.history import chosen_filters, filtered

if TYPE_CHECKING:
    _Feed = Feed[Revision, dict[str, str]]
else:
    _Feed = Feed

_NEWEST: Final = 50


class ChangesFeed(_Feed):
    """The newest changes, filtered as on the page (`language`, `kind`, `files`) and worded in the language `in`.

    Addresses are absolute and ids never change, whatever a page is called later.
    """

    feed_type = SteadyAtom

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The feed. Only its address determines the language, so that everybody gets the same."""
        language = request.GET.get("in", "")
        with override(language if language in WHOLE else SOURCE_LANGUAGE):
            response = super().__call__(request, *args, **kwargs)
        response["Cache-Control"] = "public, max-age=300"
        return response

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> dict[str, str]:
        return chosen_filters(request.GET)

    def title(self, obj: dict[str, str]) -> str:
        kind, _colon, key = obj.get("page", "").partition(":")
        revision = filtered(obj).first() if kind else None
        if revision is None:
            return _("Troccas & Troggu: recent changes")
        name = selectors.title(kind, revision.document, reading_language(), key=key)
        return _("Troccas & Troggu: changes of “%(page)s”") % {"page": name}

    def link(self, obj: dict[str, str]) -> str:
        return _absolute(f"{reverse('rules:changes')}?{urlencode(obj)}" if obj else reverse("rules:changes"))

    def feed_url(self, obj: dict[str, str]) -> str:
        return _absolute(f"{reverse('changes-feed')}?{urlencode(obj)}" if obj else reverse("changes-feed"))

    def feed_guid(self, obj: dict[str, str]) -> str:
        return self.feed_url(obj)

    def feed_extra_kwargs(self, obj: dict[str, str]) -> dict[str, datetime]:
        """The date of a feed without entries: the age of the encyclopedia."""
        first = Revision.objects.order_by("at").values_list("at", flat=True).first()
        return {"since": first or timezone.now()}

    def feed_copyright(self, obj: dict[str, str]) -> str:
        return licence.statement()

    def items(self, obj: dict[str, str]) -> list[Revision]:
        return list(filtered(obj)[:_NEWEST])

    def item_title(self, item: Revision) -> str:
        entry = item.entry
        name = selectors.title(entry.kind, item.document, reading_language(), key=entry.key)
        return f"{name} ({get_language_info(entry.language)['name_local']})" if entry.language else name

    def item_description(self, item: Revision) -> str:
        return item.comment

    def item_link(self, item: Revision) -> str:
        return _absolute(f"{reverse('rules:diff', args=item.entry.args)}?to={item.number}")

    def item_guid(self, item: Revision) -> str:
        """An id that stays the same when pages are renamed (a tag URI, RFC 4151)."""
        entry = item.entry
        host = urlsplit(settings.SITE_URL).hostname
        path = "/".join(filter(None, (entry.kind, entry.key, entry.language)))
        return f"tag:{host},{item.at.year}:{path}/{item.number}"

    def item_pubdate(self, item: Revision) -> datetime:
        return item.at

    def item_updateddate(self, item: Revision) -> datetime:
        return item.at

    def item_author_name(self, item: Revision) -> str:
        return author_name(item.author)


def _absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
