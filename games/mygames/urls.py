"""URLs of a player's own games: pages have a language prefix (`pages`), those for programs and scripts have none
(`plain`)."""

from django.urls import path

from games.mygames import views

pages = [
    path("", views.my_games, name="list"),
    path("finished/", views.over, name="finished"),
    path("calendar/", views.calendar, name="calendar"),
]
plain = [
    path("my-games/waiting.json", views.waiting, name="my-waiting"),
    path("my-games/last-seen.json", views.offline_list, name="my-last-seen"),
    path("my-games/next/", views.next_game, name="my-next-game"),
    path("calendar/<slug:public_id>/<slug:token>.ics", views.feed, name="my-calendar-feed"),
]
