"""The URLs of the pages of people. The page of a single person is `accounts:person`."""

from django.urls import path

from people import views

app_name = "people"
urlpatterns = [
    path("people/", views.people, name="list"),
    path("people/found/", views.preferences, name="preferences"),
    path("people/messages/", views.threads, name="threads"),
    path("people/messages/<slug:public_id>/", views.thread, name="thread"),
    path("people/messages/report/<int:message>/", views.report, name="report"),
    path("people/messages/again/<int:message>/", views.appeal, name="appeal"),
    path("people/messages/moderate/<int:message>/", views.moderate, name="moderate"),
    path("people/<slug:public_id>/follow/", views.follow, name="follow"),
]
