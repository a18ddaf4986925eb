"""Addresses of imported records: the list carries a language (`pages`), a record does not (`plain`)."""

from django.urls import path

from games import views_imported as views

pages = [path("", views.listed, name="list")]
plain = [
    path("<slug:public_id>/", views.hands, name="hands"),
    path("<slug:public_id>/record.json", views.record, name="record"),
    path("<slug:public_id>/keep/", views.keep, name="keep"),
    path("<slug:public_id>/delete/", views.delete, name="delete"),
    path("<slug:public_id>/hand/<int:number>/", views.replay, name="replay"),
    path("<slug:public_id>/hand/<int:number>/record.json", views.hand_record, name="hand_record"),
    path("<slug:public_id>/hand/<int:number>/picture.<slug:kind>", views.picture, name="picture"),
    path("<slug:public_id>/hand/<int:number>/from-here/", views.from_here, name="from_here"),
]
