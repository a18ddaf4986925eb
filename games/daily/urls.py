"""URLs of the daily deal: pages have a language prefix, those for programs have none (`plain`)."""

from __future__ import annotations

from datetime import date

from django.urls import URLPattern, path, register_converter

from games.daily import views


class DayConverter:
    """A day in a URL: `2026-11-22`."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """The day. Raises ValueError for an impossible date, so that the URL is not found."""
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(DayConverter, "day")

app_name = "daily"
urlpatterns: list[URLPattern] = [
    path("", views.today, name="today"),
    path("play/", views.play, name="play"),
    path("wishes/", views.wishes, name="wishes"),
    path("archive/", views.archive, name="archive"),
    path("<day:day>/", views.day, name="day"),
]
plain: list[URLPattern] = [path("daily/days.json", views.days, name="daily-days")]
