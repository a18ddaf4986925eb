"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose."""

from django.urls import URLPattern, path

from tournaments.boards import views
from tournaments.boards import views as online_views

online: list[URLPattern] = [
    path("invite/", online_views.invite, name="invite"),
    path("rounds/<str:key>/boards/", views.boards, name="boards"),
    path("rounds/<str:key>/boards/<int:number>/", views.board, name="board"),
    path("rounds/<str:key>/boards/tables/<int:number>/", views.table, name="boards-of-table"),
]
