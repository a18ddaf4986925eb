"""Calendar and news of a club over HTTP, and what other programs read of them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import conditional_page, require_GET, require_POST

from clubs import ical
from clubs.forms.dates import DateForm, NewsForm
from clubs.models import Club, ClubDate, News
from clubs.permissions import Act
from clubs.services import calendar
from clubs.services import calendar as clubs_services_calendar
from clubs.text.house_rules import prose
from clubs.views.base import Visit, asked, at_club, done, request_id, shown, tried
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
def upcoming(visit: Visit) -> HttpResponseBase:
    """What is coming."""
    return _listed(visit, past=False)


@require_GET
@at_club
def past(visit: Visit) -> HttpResponseBase:
    """What is over: the archive."""
    return _listed(visit, past=True)


def _listed(visit: Visit, *, past: bool) -> HttpResponse:
    entries = calendar.entries(visit.club)
    rows = calendar.past(entries) if past else calendar.upcoming(entries)
    page = page_of(visit.request, rows, PER_PAGE)
    feed = visit.request.build_absolute_uri(visit.url("ical"))
    context = {"page": page, "past": past, "feed": feed}
    return shown(visit, "clubs/calendar.html", context, public=True)


@require_GET
@at_club
def date(visit: Visit, public_id: str) -> HttpResponseBase:
    """One date."""
    found = calendar.date_of(visit.club, public_id)
    context = {"date": found, "entry": calendar.entry_of(visit.club, found), "request_id": uuid.uuid4()}
    return shown(visit, "clubs/date.html", context, public=True)


@require_safe_or_post
@at_club
def date_new(visit: Visit) -> HttpResponseBase:
    """A new date."""
    return _date(visit, None)


@require_safe_or_post
@at_club
def date_edit(visit: Visit, public_id: str) -> HttpResponseBase:
    """Change a date."""
    visit.check(Act.CALENDAR)
    return _date(visit, calendar.date_of(visit.club, public_id))


def _date(visit: Visit, row: ClubDate | None) -> HttpResponse:
    visit.check(Act.CALENDAR)
    form = DateForm(visit.sent, instance=row)

    def save(sent: uuid.UUID) -> str:
        if row is None:
            kept = calendar.add(visit.club, visit.member(), form.instance, request_id=sent)
        else:
            kept = calendar.change(visit.club, visit.member(), row.public_id, form.instance, request_id=sent)
        messages.success(visit.request, _("It is in the calendar."))
        return visit.url("date", kept.public_id)

    onward, status = tried(visit, form, save)
    context = {"form": form, "date": row, "request_id": uuid.uuid4()}
    return onward or shown(visit, "clubs/date_edit.html", context, status=status)


@require_POST
@at_club
def date_cancel(visit: Visit, public_id: str) -> HttpResponseBase:
    """Say that it does not take place, or does after all."""
    cancelled = visit.request.POST.get("cancelled") == "yes"
    sent = request_id(visit.request.POST)
    calendar.cancel(visit.club, visit.member(), public_id, cancelled=cancelled, request_id=sent)
    messages.success(visit.request, _("It is marked as cancelled.") if cancelled else _("It takes place after all."))
    return done(visit.url("date", public_id))


@require_safe_or_post
@at_club
def date_remove(visit: Visit, public_id: str) -> HttpResponseBase:
    """Delete a date, after asking once."""
    visit.check(Act.CALENDAR)
    if visit.request.method == "POST":
        calendar.remove(visit.club, visit.member(), public_id, request_id=request_id(visit.request.POST))
        messages.success(visit.request, _("The date is deleted."))
        return done(visit.url("calendar"))
    found = calendar.date_of(visit.club, public_id)
    lost = [
        _("The date with all that is written about it."),
        _("Calendars of others just lose it. To tell them that it does not take place, cancel it instead."),
    ]
    title = _("Delete “%(title)s”?") % {"title": found.title}
    return asked(visit, title=title, lost=lost, button=_("Delete the date"), back=visit.url("date", public_id))


def _club(slug: str) -> Club:
    found = Club.objects.filter(slug=slug, closed_at__isnull=True).first()
    if found is None:
        raise Http404
    return found


def _ics(data: bytes, name: str) -> HttpResponse:
    response = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name}.ics"'
    response["X-Robots-Tag"] = "noindex"
    patch_cache_control(response, public=True, max_age=300)
    return response


@require_GET
@conditional_page
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole calendar, for programs that look in by themselves."""
    club = _club(slug)
    with override(club.language):
        return _ics(ical.feed(club), club.slug)


@require_GET
@at_club
def date_ics(visit: Visit, public_id: str) -> HttpResponseBase:
    """One date, for one's own calendar."""
    entry = calendar.entry_of(visit.club, calendar.date_of(visit.club, public_id))
    with override(visit.club.language):
        return _ics(ical.single(visit.club, entry), public_id)


# news


@require_GET
@at_club
def news_list(visit: Visit) -> HttpResponseBase:
    """All news."""
    page = page_of(visit.request, clubs_services_calendar.all_news(visit.club), PER_PAGE)
    rows = [(each, prose(each.text)) for each in page]
    return shown(visit, "clubs/news.html", {"page": page, "rows": rows}, public=True)


@require_GET
@at_club
def news_item(visit: Visit, public_id: str) -> HttpResponseBase:
    """One piece of news."""
    found = clubs_services_calendar.news_of(visit.club, public_id)
    return shown(visit, "clubs/news_item.html", {"item": found, "text": prose(found.text, below=1)}, public=True)


@require_safe_or_post
@at_club
def news_new(visit: Visit) -> HttpResponseBase:
    """Write news."""
    return _news(visit, None)


@require_safe_or_post
@at_club
def news_edit(visit: Visit, public_id: str) -> HttpResponseBase:
    """Change news."""
    visit.check(Act.NEWS)
    return _news(visit, clubs_services_calendar.news_of(visit.club, public_id))


def _news(visit: Visit, row: News | None) -> HttpResponse:
    visit.check(Act.NEWS)
    form = NewsForm(visit.sent, instance=row)

    def save(sent: uuid.UUID) -> str:
        if row is None:
            kept = clubs_services_calendar.publish(visit.club, visit.member(), **form.cleaned_data, request_id=sent)
        else:
            kept = clubs_services_calendar.change_news(
                visit.club, visit.member(), row.public_id, **form.cleaned_data, request_id=sent
            )
        messages.success(visit.request, _("Published."))
        return visit.url("news-item", kept.public_id)

    onward, status = tried(visit, form, save)
    context = {"form": form, "item": row, "request_id": uuid.uuid4()}
    return onward or shown(visit, "clubs/news_edit.html", context, status=status)


@require_safe_or_post
@at_club
def news_remove(visit: Visit, public_id: str) -> HttpResponseBase:
    """Delete news, after asking once."""
    visit.check(Act.NEWS)
    if visit.request.method == "POST":
        clubs_services_calendar.remove_news(
            visit.club, visit.member(), public_id, request_id=request_id(visit.request.POST)
        )
        messages.success(visit.request, _("The news is deleted."))
        return done(visit.url("news"))
    found = clubs_services_calendar.news_of(visit.club, public_id)
    title = _("Delete “%(title)s”?") % {"title": found.title}
    lost = [_("The text, for good. Programs that read the feed may have kept a copy.")]
    return asked(visit, title=title, lost=lost, button=_("Delete the news"), back=visit.url("news-item", public_id))


class NewsFeed(_Feed):
    """The news of a club as an Atom feed, in the club's language. Addresses are absolute, and ids never change."""

    feed_type = SteadyAtom

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The feed, the same for everybody."""
        club = _club(str(kwargs["slug"]))
        with override(club.language):
            response = super().__call__(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex"
        patch_cache_control(response, public=True, max_age=300)
        return response

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Club:
        """Whose news."""
        return _club(str(kwargs["slug"]))

    def title(self, obj: Club) -> str:
        """What it is called."""
        return obj.name

    def link(self, obj: Club) -> str:
        """The page it belongs to."""
        return settings.SITE_URL + reverse("club:news", args=[obj.slug])

    def feed_url(self, obj: Club) -> str:
        """Its own address."""
        return settings.SITE_URL + reverse("club:news-feed", args=[obj.slug])

    def feed_guid(self, obj: Club) -> str:
        """Its id."""
        return self.feed_url(obj)

    def feed_extra_kwargs(self, obj: Club) -> dict[str, datetime]:
        """Without news it is as old as the club."""
        return {"since": obj.created_at}

    def items(self, obj: Club) -> list[News]:
        """The latest news."""
        return list(clubs_services_calendar.all_news(obj).select_related("club")[:NEWEST])

    def item_title(self, item: News) -> str:
        """Its title."""
        return item.title

    def item_description(self, item: News) -> str:
        """The text."""
        return prose(item.text)

    def item_link(self, item: News) -> str:
        """Its page."""
        return settings.SITE_URL + reverse("club:news-item", args=[item.club.slug, item.public_id])

    def item_guid(self, item: News) -> str:
        """An id that stays (a tag, RFC 4151)."""
        return f"tag:{urlsplit(settings.SITE_URL).hostname},{item.at.year}:club-news/{item.public_id}"

    def item_pubdate(self, item: News) -> datetime:
        """When it was published."""
        return item.at

    def item_updateddate(self, item: News) -> datetime:
        """When it was last changed."""
        return item.changed_at
