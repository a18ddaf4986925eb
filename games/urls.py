"""Addresses of the games: permanent, and without a language."""

from django.urls import path

from games import views

app_name = "games"
urlpatterns = [
    path("play/", views.play_now, name="play_now"),
    path("learn/", views.guided, name="guided"),
    path("learn/skip/", views.skip_guided, name="skip_guided"),
    path("<slug:public_id>/", views.table, name="table"),
    path("<slug:public_id>/since/<int:number>/", views.since, name="since"),
    path("<slug:public_id>/state.json", views.state, name="state"),
    path("<slug:public_id>/why/", views.why, name="why"),
    path("<slug:public_id>/act/", views.act, name="act"),
    path("<slug:public_id>/ready/", views.ready, name="ready"),
    path("<slug:public_id>/leave/", views.leave, name="leave"),
    path("<slug:public_id>/pause/", views.pause, name="pause"),
    path("<slug:public_id>/hand/<int:number>/", views.replay, name="replay"),
    path("<slug:public_id>/record.json", views.record, name="record"),
]
