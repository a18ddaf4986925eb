"""The URLs of games, imported records and positions: permanent, and without a language."""

from django.urls import path

from games.lobby import views as lobby_views
from games.mygames import views as mine
from games.table.views import analysis, chat, game, plans, positions, replay, time, watching
from games.table.views.game import guarded

app_name = "games"
pages = [
    path("play/", game.play_now, name="play_now"),
    path("learn/", game.guided, name="guided"),
    path("learn/skip/", game.skip_guided, name="skip_guided"),
    path("practice/", game.practice, name="practice"),
    path("<slug:public_id>/", game.table, name="table"),
    path("<slug:public_id>/since/<int:number>/", game.since, name="since"),
    path("<slug:public_id>/state.json", game.state, name="state"),
    path("<slug:public_id>/why/", game.why, name="why"),
    path("<slug:public_id>/act/", game.act, name="act"),
    path("<slug:public_id>/claim/", time.claim, name="claim"),
    path("<slug:public_id>/plans/", plans.plans, name="plans"),
    path("<slug:public_id>/ready/", game.ready, name="ready"),
    path("<slug:public_id>/chance/", time.add_chance, name="chance"),
    path("<slug:public_id>/go-on/", game.go_on, name="go_on"),
    path("<slug:public_id>/leave/", game.leave, name="leave"),
    path("<slug:public_id>/hint/", game.hint, name="hint"),
    path("<slug:public_id>/settings/", game.settings, name="settings"),
    path("<slug:public_id>/time/", time.clock, name="time"),
    path("<slug:public_id>/undo/", time.undo, name="undo"),
    path("<slug:public_id>/end/", time.end, name="end"),
    path("<slug:public_id>/hands/", replay.hands, name="hands"),
    path("<slug:public_id>/hand/<int:number>/", replay.replay, name="replay"),
    path("<slug:public_id>/hand/<int:number>/record.json", replay.hand_record, name="hand_record"),
    path("<slug:public_id>/hand/<int:number>/picture.<slug:kind>", replay.picture, name="picture"),
    path("<slug:public_id>/hand/<int:number>/from-here/", replay.from_here, name="from_here"),
    path("<slug:public_id>/hand/<int:number>/edit/", replay.edit, name="edit"),
    path("<slug:public_id>/hand/<int:number>/analysis/", analysis.analysis, name="analysis"),
    path("<slug:public_id>/hand/<int:number>/analysis/<int:step>/", analysis.decision, name="decision"),
    path("<slug:public_id>/rematch/", lobby_views.play_again, name="rematch"),
    path("<slug:public_id>/draw/", lobby_views.draw, name="draw"),
    path("<slug:public_id>/seen/", mine.seen, name="seen"),
    path("<slug:public_id>/record.json", replay.record, name="record"),
    path("<slug:public_id>/chat/", chat.chat, name="chat"),
    path("<slug:public_id>/chat/<int:message>/report/", chat.report, name="report"),
    path("<slug:public_id>/chat/<int:message>/again/", chat.appeal, name="appeal"),
    path("<slug:public_id>/chat/<int:message>/moderate/", chat.moderate, name="moderate"),
    path("<slug:public_id>/notes/", chat.own_notes, name="notes"),
    path("<slug:public_id>/watching/", watching.watching, name="watching"),
]
urlpatterns = guarded(pages)

# imported records: the list carries a language, a record does not
imported_pages = [path("", replay.own_records, name="list")]
imported_plain = [
    path("<slug:public_id>/", replay.imported_hands, name="hands"),
    path("<slug:public_id>/record.json", replay.imported_record, name="record"),
    path("<slug:public_id>/keep/", replay.keep, name="keep"),
    path("<slug:public_id>/delete/", replay.delete, name="delete"),
    path("<slug:public_id>/hand/<int:number>/", replay.imported_replay, name="replay"),
    path("<slug:public_id>/hand/<int:number>/record.json", replay.imported_hand_record, name="hand_record"),
    path("<slug:public_id>/hand/<int:number>/picture.<slug:kind>", replay.imported_picture, name="picture"),
    path("<slug:public_id>/hand/<int:number>/from-here/", replay.imported_from_here, name="from_here"),
    path("<slug:public_id>/hand/<int:number>/edit/", replay.imported_edit, name="edit"),
]

# positions: the editor carries a language, a position does not
positions_pages = [path("", positions.edit, name="edit")]
positions_plain = [
    path("example/", positions.edit_example, name="example"),
    path("puzzle/<slug:name>/", positions.of_puzzle, name="puzzle"),
    path("<slug:address>/", positions.show, name="show"),
    path("<slug:address>/record.json", positions.record, name="record"),
    path("<slug:address>/picture.<slug:kind>", positions.picture, name="picture"),
    path("<slug:address>/from-here/", positions.from_here, name="from_here"),
    path("<slug:address>/edit/", positions.edit_position, name="edit"),
]
