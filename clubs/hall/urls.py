"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose."""

from django.urls import URLPattern, path

from clubs.hall import codes, views_arrive, views_person, views_screen, views_table

urlpatterns: list[URLPattern] = [
    path("s/<slug:code>/", views_table.table, name="phone"),
    path("s/<slug:code>/since/", views_table.table_since, name="phone-since"),
    path("s/<slug:code>/write/", views_table.write, name="phone-write"),
    path("s/<slug:code>/erase/", views_table.erase, name="phone-erase"),
    path("s/<slug:code>/hand-in/", views_table.hand_in, name="phone-hand-in"),
    path("s/<slug:code>/take-back/", views_table.take_back, name="phone-take-back"),
    path("s/<slug:code>/confirm/", views_table.confirm, name="phone-confirm"),
    path("s/<slug:code>/digits/", views_table.confirm_by_digits, name="phone-digits"),
    path("s/<slug:code>/dispute/", views_table.dispute, name="phone-dispute"),
    path("p/<slug:code>/", views_person.person, name="person"),
    path("p/<slug:code>/since/", views_person.person_since, name="person-since"),
    path("p/<slug:code>/withdraw/", views_person.withdraw, name="withdraw"),
    path("me/", views_person.me, name="me"),
    path("k/<slug:code>/", codes.hall_code, name="hall-code"),
    path("k/<slug:code>/find/", views_arrive.find, name="arrive-find"),
    path("k/<slug:code>/arrive/", views_arrive.arrive, name="arrive"),
    path("k/<slug:code>/come-in/", views_arrive.come_in, name="come-in"),
    path("k/<slug:code>/in/<slug:own>/", views_arrive.welcome, name="welcome"),
    path("k/<slug:code>/since/", views_screen.screen_since, name="screen-since"),
]
