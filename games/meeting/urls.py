"""URLs for finding people to play with."""

from django.urls import path

from games.meeting import views

app_name = "meeting"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("wish/", views.wish, name="wish"),
    path("wish/<slug:public_id>/", views.change_wish, name="change-wish"),
    path("alerts/", views.alert, name="alert"),
    path("alerts/<int:key>/", views.remove_alert, name="remove-alert"),
    path("appointments/new/", views.propose, name="propose"),
    path("appointments/<slug:public_id>/", views.appointment, name="appointment"),
    path("appointments/<slug:public_id>/answer/", views.answer, name="answer"),
    path("appointments/<slug:public_id>/cancel/", views.cancel, name="cancel"),
    path("appointments/<slug:public_id>/appointment.ics", views.ics, name="ics"),
]
