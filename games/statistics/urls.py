"""URLs of statistics."""

from django.urls import path

from games.statistics import views

app_name = "statistics"
urlpatterns = [
    path("you/statistics/", views.own, name="own"),
    path("people/<slug:public_id>/statistics/", views.person, name="person"),
    path("people/<slug:public_id>/statistics/hands.csv", views.hands, name="hands"),
    path("people/<slug:public_id>/statistics/with/<slug:other_id>/", views.pair, name="pair"),
]
