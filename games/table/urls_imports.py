"""Addresses of imported records: the list carries a language (`pages`), a record does not (`plain`)."""

from django.urls import path

from games.table.views import imports

pages = [path("", imports.own_records, name="list")]
plain = [
    path("<slug:public_id>/", imports.hands, name="hands"),
    path("<slug:public_id>/record.json", imports.record, name="record"),
    path("<slug:public_id>/keep/", imports.keep, name="keep"),
    path("<slug:public_id>/delete/", imports.delete, name="delete"),
    path("<slug:public_id>/hand/<int:number>/", imports.replay, name="replay"),
    path("<slug:public_id>/hand/<int:number>/record.json", imports.hand_record, name="hand_record"),
    path("<slug:public_id>/hand/<int:number>/picture.<slug:kind>", imports.picture, name="picture"),
    path("<slug:public_id>/hand/<int:number>/from-here/", imports.from_here, name="from_here"),
]
