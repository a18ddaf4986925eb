"""Addresses of what readers contribute and follow: pages have a language prefix, sounds (`plain`) do not."""

from django.urls import URLPattern, URLResolver, path

from rules.readers import views

app_name = "readers"
urlpatterns = [
    path("new/word/", views.new_word, name="new-word"),
    path("words/<slug:slug>/say-so/", views.say_so, name="say-so"),
    path("words/<slug:slug>/still-true/", views.still_true, name="still-true"),
    path("words/<slug:slug>/record/", views.record, name="record"),
    path("queue/heard/<int:number>/", views.decide_recording, name="decide-recording"),
    path("queue/told/<int:number>/", views.decide, name="decide"),
    path("places/", views.villages, name="villages"),
    path("follow/", views.followed, name="followed"),
    path("follow/<int:number>/", views.follow, name="follow"),
]

plain: list[URLPattern | URLResolver] = [path("recordings/<uuid:public_id>.<slug:kind>", views.sound, name="recording")]
