"""Addresses of what readers tell and follow; all stand under the language."""

from django.urls import path

from rules.readers import views

app_name = "readers"
urlpatterns = [
    path("words/<slug:slug>/say-so/", views.say_so, name="say-so"),
    path("words/<slug:slug>/still-true/", views.still_true, name="still-true"),
    path("queue/told/<int:number>/", views.decide, name="decide"),
    path("places/", views.villages, name="villages"),
    path("follow/", views.followed, name="followed"),
    path("follow/<int:number>/", views.follow, name="follow"),
]
