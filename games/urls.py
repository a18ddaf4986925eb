"""Addresses of the games: permanent, and without a language."""

from django.urls import path

from games import views, views_chat, views_lobby, views_replay, views_standing, views_time, views_undo, views_watching
from games.mine import views as mine

app_name = "games"
pages = [
    path("play/", views.play_now, name="play_now"),
    path("learn/", views.guided, name="guided"),
    path("learn/skip/", views.skip_guided, name="skip_guided"),
    path("practice/", views.practice, name="practice"),
    path("<slug:public_id>/", views.table, name="table"),
    path("<slug:public_id>/since/<int:number>/", views.since, name="since"),
    path("<slug:public_id>/state.json", views.state, name="state"),
    path("<slug:public_id>/why/", views.why, name="why"),
    path("<slug:public_id>/act/", views.act, name="act"),
    path("<slug:public_id>/claim/", views_standing.claim, name="claim"),
    path("<slug:public_id>/ahead/", views_standing.say_ahead, name="ahead"),
    path("<slug:public_id>/ready/", views.ready, name="ready"),
    path("<slug:public_id>/chance/", views_standing.add_chance, name="chance"),
    path("<slug:public_id>/leave/", views.leave, name="leave"),
    path("<slug:public_id>/pause/", views.pause, name="pause"),
    path("<slug:public_id>/time/", views_time.clock, name="time"),
    path("<slug:public_id>/undo/", views_undo.undo, name="undo"),
    path("<slug:public_id>/hands/", views_replay.hands, name="hands"),
    path("<slug:public_id>/hand/<int:number>/", views_replay.replay, name="replay"),
    path("<slug:public_id>/hand/<int:number>/record.json", views_replay.hand_record, name="hand_record"),
    path("<slug:public_id>/hand/<int:number>/picture.<slug:kind>", views_replay.picture, name="picture"),
    path("<slug:public_id>/hand/<int:number>/from-here/", views_replay.from_here, name="from_here"),
    path("<slug:public_id>/rematch/", views_lobby.play_again, name="rematch"),
    path("<slug:public_id>/draw/", views_lobby.draw, name="draw"),
    path("<slug:public_id>/seen/", mine.seen, name="seen"),
    path("<slug:public_id>/record.json", views_replay.record, name="record"),
    path("<slug:public_id>/chat/", views_chat.chat, name="chat"),
    path("<slug:public_id>/chat/<int:message>/report/", views_chat.report, name="report"),
    path("<slug:public_id>/chat/<int:message>/again/", views_chat.appeal, name="appeal"),
    path("<slug:public_id>/chat/<int:message>/moderate/", views_chat.moderate, name="moderate"),
    path("<slug:public_id>/notes/", views_chat.own_notes, name="notes"),
    path("<slug:public_id>/watching/", views_watching.watching, name="watching"),
]
urlpatterns = views_watching.guarded(pages)
