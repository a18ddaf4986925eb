"""URLs of webhooks."""

from django.urls import path

from games.webhooks import views

app_name = "webhooks"
urlpatterns = [
    path("", views.webhooks, name="list"),
    path("<int:key>/", views.change, name="change"),
]
