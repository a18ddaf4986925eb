"""The pages of a club's calendar and news, and the feeds that other programs read."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import conditional_page, require_GET, require_POST

from clubs.forms.club import DateForm, NewsForm
from clubs.models import Club, News
from clubs.permissions import Act
from clubs.services import calendar
from clubs.text import prose
from clubs.views.base import Visit, at_club, confirm_page
from core.http import SteadyAtom, page_of, require_safe_or_post

if TYPE_CHECKING:
    _Feed = Feed[News, Club]
else:
    _Feed = Feed

PER_PAGE: Final = 20
NEWEST: Final = 30


# calendar


@require_GET
@at_club
def dates(visit: Visit, *, past: bool = False) -> HttpResponseBase:
    """The calendar: entries still to come, or with `past` those that are over."""
    entries = calendar.entries(visit.club)
    rows = calendar.past(entries) if past else calendar.upcoming(entries)
    page = page_of(visit.request, rows, PER_PAGE)
    feed = visit.request.build_absolute_uri(visit.url("ical"))
    context = {"page": page, "past": past, "feed": feed}
    return visit.public_page("clubs/calendar.html", context)


@require_GET
@at_club
def date(visit: Visit, public_id: str) -> HttpResponseBase:
    found = calendar.date_of(visit.club, public_id)
    context = {"date": found, "entry": calendar.entry_of(visit.club, found)}
    return visit.public_page("clubs/date.html", context)


@require_safe_or_post
@at_club
def date_edit(visit: Visit, public_id: str = "") -> HttpResponseBase:
    visit.check(Act.CALENDAR)
    row = calendar.date_of(visit.club, public_id) if public_id else None
    form = DateForm(visit.sent, instance=row)

    def save() -> HttpResponseRedirect:
        if row is None:
            kept = calendar.add(visit.club, visit.member(), form.instance, request_id=visit.request_id)
        else:
            kept = calendar.change(
                visit.club, visit.member(), row.public_id, form.instance, request_id=visit.request_id
            )
        return visit.done(visit.url("date", kept.public_id), _("It is in the calendar."))

    return visit.form_page("clubs/date_edit.html", form, save, {"date": row})


@require_POST
@at_club
def date_cancel(visit: Visit, public_id: str) -> HttpResponseBase:
    """Mark a date as cancelled, or as taking place after all."""
    cancelled = visit.request.POST.get("cancelled") == "yes"
    calendar.cancel(visit.club, visit.member(), public_id, cancelled=cancelled, request_id=visit.request_id)
    said = _("It is marked as cancelled.") if cancelled else _("It takes place after all.")
    return visit.done(visit.url("date", public_id), said)


@require_safe_or_post
@at_club
def date_remove(visit: Visit, public_id: str) -> HttpResponseBase:
    visit.check(Act.CALENDAR)
    if visit.request.method == "POST":
        calendar.remove(visit.club, visit.member(), public_id, request_id=visit.request_id)
        return visit.done(visit.url("calendar"), _("The date is deleted."))
    found = calendar.date_of(visit.club, public_id)
    lost = [
        _("The date and all that is written about it are deleted."),
        _(
            "It just disappears from other people’s calendars. To tell them that it is not happening, cancel it instead."
        ),
    ]
    title = _("Delete “%(title)s”?") % {"title": found.title}
    return confirm_page(visit, title=title, lost=lost, button=_("Delete the date"), back=visit.url("date", public_id))


def _club(slug: str) -> Club:
    return get_object_or_404(Club, slug=slug, closed_at=None)


def _ics(data: bytes, name: str) -> HttpResponse:
    response = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name}.ics"'
    response["X-Robots-Tag"] = "noindex"
    patch_cache_control(response, public=True, max_age=300)
    return response


@require_GET
@conditional_page
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole calendar, for programs that subscribe to it."""
    club = _club(slug)
    with override(club.language):
        return _ics(calendar.calendar_as_ical(club), club.slug)


@require_GET
@at_club
def date_ics(visit: Visit, public_id: str) -> HttpResponseBase:
    """One date, for adding to one's own calendar."""
    entry = calendar.entry_of(visit.club, calendar.date_of(visit.club, public_id))
    with override(visit.club.language):
        return _ics(calendar.entry_as_ical(visit.club, entry), public_id)


# news


@require_GET
@at_club
def news_list(visit: Visit) -> HttpResponseBase:
    page = page_of(visit.request, calendar.all_news(visit.club), PER_PAGE)
    rows = [(each, prose(each.text)) for each in page]
    return visit.public_page("clubs/news.html", {"page": page, "rows": rows})


@require_GET
@at_club
def news_item(visit: Visit, public_id: str) -> HttpResponseBase:
    found = calendar.news_of(visit.club, public_id)
    return visit.public_page("clubs/news_item.html", {"item": found, "text": prose(found.text, below=1)})


@require_safe_or_post
@at_club
def news_edit(visit: Visit, public_id: str = "") -> HttpResponseBase:
    visit.check(Act.NEWS)
    row = calendar.news_of(visit.club, public_id) if public_id else None
    form = NewsForm(visit.sent, instance=row)

    def save() -> HttpResponseRedirect:
        if row is None:
            kept = calendar.publish(visit.club, visit.member(), **form.cleaned_data, request_id=visit.request_id)
        else:
            kept = calendar.change_news(
                visit.club, visit.member(), row.public_id, **form.cleaned_data, request_id=visit.request_id
            )
        return visit.done(visit.url("news-item", kept.public_id), _("Published."))

    return visit.form_page("clubs/news_edit.html", form, save, {"item": row})


@require_safe_or_post
@at_club
def news_remove(visit: Visit, public_id: str) -> HttpResponseBase:
    visit.check(Act.NEWS)
    if visit.request.method == "POST":
        calendar.remove_news(visit.club, visit.member(), public_id, request_id=visit.request_id)
        return visit.done(visit.url("news"), _("The news is deleted."))
    found = calendar.news_of(visit.club, public_id)
    title = _("Delete “%(title)s”?") % {"title": found.title}
    lost = [_("The text is deleted. Programs that read the feed may have kept a copy.")]
    return confirm_page(
        visit, title=title, lost=lost, button=_("Delete the news"), back=visit.url("news-item", public_id)
    )


class NewsFeed(_Feed):
    """The news of a club as an Atom feed, in the club's language. Addresses are absolute, and ids never change."""

    feed_type = SteadyAtom

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        club = _club(str(kwargs["slug"]))
        with override(club.language):
            response = super().__call__(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex"
        patch_cache_control(response, public=True, max_age=300)
        return response

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Club:
        return _club(str(kwargs["slug"]))

    def title(self, obj: Club) -> str:
        return obj.name

    def link(self, obj: Club) -> str:
        return settings.SITE_URL + reverse("club:news", args=[obj.slug])

    def feed_url(self, obj: Club) -> str:
        return settings.SITE_URL + reverse("club:news-feed", args=[obj.slug])

    def feed_guid(self, obj: Club) -> str:
        return self.feed_url(obj)

    def feed_extra_kwargs(self, obj: Club) -> dict[str, datetime]:
        """Without news, the feed was last changed when the club was created."""
        return {"since": obj.created_at}

    def items(self, obj: Club) -> list[News]:
        return list(calendar.all_news(obj).select_related("club")[:NEWEST])

    def item_title(self, item: News) -> str:
        return item.title

    def item_description(self, item: News) -> str:
        return prose(item.text)

    def item_link(self, item: News) -> str:
        return settings.SITE_URL + reverse("club:news-item", args=[item.club.slug, item.public_id])

    def item_guid(self, item: News) -> str:
        """An id that never changes (a tag URI, RFC 4151)."""
        return f"tag:{urlsplit(settings.SITE_URL).hostname},{item.at.year}:club-news/{item.public_id}"

    def item_pubdate(self, item: News) -> datetime:
        return item.at

    def item_updateddate(self, item: News) -> datetime:
        return item.changed_at
