"""Addresses of these pages; all below `/e/<tournament>/`, in whatever language the reader chose."""

from django.urls import URLPattern, path

from clubs.online_pages import views_boards, views_invite

urlpatterns: list[URLPattern] = [
    path("invite/", views_invite.invite, name="invite"),
    path("rounds/<str:key>/boards/", views_boards.boards, name="boards"),
    path("rounds/<str:key>/boards/<int:number>/", views_boards.board, name="board"),
    path("rounds/<str:key>/boards/tables/<int:number>/", views_boards.table, name="boards-of-table"),
]
