"""URLs of puzzles."""

from django.urls import path

from games.puzzles import views

app_name = "puzzles"
urlpatterns = [
    path("", views.puzzles, name="list"),
    path("today/", views.today, name="today"),
    path("another/", views.another, name="another"),
    path("<slug:name>/", views.puzzle, name="puzzle"),
]
