"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose.

The codes of the hall, `k/<code>/`: a helper's door, the big screen, the sheet at the entrance, each to its page.
"""

from __future__ import annotations

from django.http import HttpResponseBase, HttpResponseRedirect
from django.urls import URLPattern, path
from django.views.decorators.http import require_GET

from tournaments.live import base
from tournaments.live.base import Hall, in_the_hall
from tournaments.live.views import arrivals, persons, screen, tables
from tournaments.services import codes


@require_GET
@in_the_hall
def hall_code(hall: Hall, code: str) -> HttpResponseBase:
    """What the code opens; a kind page for one that opens nothing (any more)."""
    what = codes.read_hall(hall.tournament, hall.state, code)
    if what == codes.DOOR:
        return base.private(HttpResponseRedirect(hall.url("door-code", code)))
    if what == codes.SCREEN:
        return screen.screen(hall, code)
    if what == codes.ARRIVE:
        return arrivals.entrance(hall, code)
    return base.wrong(hall, "hall")


live: list[URLPattern] = [
    path("s/<slug:code>/", tables.table, name="phone"),
    path("s/<slug:code>/since/", tables.table_since, name="phone-since"),
    path("s/<slug:code>/write/", tables.write, name="phone-write"),
    path("s/<slug:code>/erase/", tables.erase, name="phone-erase"),
    path("s/<slug:code>/hand-in/", tables.hand_in, name="phone-hand-in"),
    path("s/<slug:code>/take-back/", tables.take_back, name="phone-take-back"),
    path("s/<slug:code>/confirm/", tables.confirm, name="phone-confirm"),
    path("s/<slug:code>/digits/", tables.confirm_by_digits, name="phone-digits"),
    path("s/<slug:code>/dispute/", tables.dispute, name="phone-dispute"),
    path("p/<slug:code>/", persons.person, name="person"),
    path("p/<slug:code>/since/", persons.person_since, name="person-since"),
    path("p/<slug:code>/withdraw/", persons.withdraw, name="withdraw"),
    path("me/", persons.me, name="me"),
    path("k/<slug:code>/", hall_code, name="hall-code"),
    path("k/<slug:code>/find/", arrivals.find, name="arrive-find"),
    path("k/<slug:code>/arrive/", arrivals.arrive, name="arrive"),
    path("k/<slug:code>/come-in/", arrivals.come_in, name="come-in"),
    path("k/<slug:code>/in/<slug:own>/", arrivals.welcome, name="welcome"),
    path("k/<slug:code>/since/", screen.screen_since, name="screen-since"),
]
