"""URLs for finding a table: lists have a language prefix (`finding`), a waiting table has none (`waiting`)."""

from django.urls import path

from games.lobby import views

finding = [
    path("", views.tables, name="list"),
    path("new/", views.new, name="new"),
    path("invite/<slug:public_id>/", views.invite_person, name="invite"),
]
waiting = [
    path("letter/<str:token>/", views.letter, name="letter"),
    path("<slug:public_id>/", views.table, name="table"),
    path("<slug:public_id>/since/<int:number>/", views.since, name="since"),
    path("<slug:public_id>/link.svg", views.qr, name="qr"),
    path("<slug:public_id>/join/", views.join, name="join"),
    path("<slug:public_id>/move/", views.move, name="move"),
    path("<slug:public_id>/leave/", views.leave, name="leave"),
    path("<slug:public_id>/remove/", views.remove, name="remove"),
    path("<slug:public_id>/computer/", views.computer, name="computer"),
    path("<slug:public_id>/start/", views.start, name="start"),
    path("<slug:public_id>/extend/", views.extend, name="extend"),
    path("<slug:public_id>/close/", views.close, name="close"),
    path("<slug:public_id>/invite/", views.invite, name="invite"),
    path("<slug:public_id>/letter/", views.invite_address, name="invite-address"),
    path("<slug:public_id>/decline/", views.decline, name="decline"),
]
