"""The URLs of the site. Those of pages contain the language; those of games, files and services do not."""

from django.conf.urls.i18n import i18n_patterns
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page
from django.views.generic import RedirectView, TemplateView

from accounts import urls as accounts
from clubs import urls as clubs
from core.http import ImportedLate, imported_late
from core.sursilvan import ScriptWords
from games.daily import urls as daily
from games.lobby.urls import finding, waiting
from games.mygames import urls as mine
from games.table.urls import imported_pages, imported_plain, positions_pages, positions_plain
from games.table.views.game import choose, home
from games.table.views.watching import watch, watch_computers
from notices import urls as notices
from ratings import urls as ratings
from rules import urls
from rules.readers import urls as readers
from tournaments import urls as tournaments
from tournaments.publishing.views.files import first_schema as first_results_schema
from tournaments.publishing.views.files import schema as results_schema
from tournaments.publishing.views.public import hall_help
from troccas_site.views import front_door, healthz, manifest, offline, privacy, security_txt, service_worker

# The texts of our scripts in the language of the address, the same for everybody.
script_words = cache_control(public=True, max_age=300)(conditional_page(ScriptWords.as_view()))

handler400 = "troccas_site.views.unreadable"
handler500 = "troccas_site.views.failed"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", front_door),
    path("sw.js", service_worker, name="service-worker"),
    path(".well-known/security.txt", security_txt),
    # Where password managers look for this page; it redirects to the page in the reader's language.
    path(".well-known/change-password", RedirectView.as_view(pattern_name="account_change_password")),
    path("g/", include("games.table.urls")),
    path("t/", include((waiting, "lobby"))),
    path("c/<slug:slug>/tournaments/", include((tournaments.of_clubs, "club-tournaments"))),
    path("c/", include((clubs.plain, "club"))),
    path("r/", include((imported_plain, "imported"))),
    path("p/", include((positions_plain, "position"))),
    path("e/results-1.schema.json", first_results_schema, name="results-schema-1"),
    path("e/results-2.schema.json", results_schema, name="results-schema"),
    path("e/<slug:public_id>/", include("tournaments.urls")),
    path("evening/", include(tournaments.without_club)),
    *ratings.plain,
    ImportedLate("api/v1/play/", "games.api.urls"),  # before the encyclopedia, which handles the rest of /api/
    *urls.plain,
    *readers.plain,
    *notices.plain,
    *daily.plain,
    *mine.plain,
    *i18n_patterns(
        path("jsi18n/", script_words, name="javascript-catalog"),
        path("app.webmanifest", manifest, name="manifest"),
        path("offline/", offline, name="offline"),
        path("account/", include(accounts.signing_in)),
        path("", include("games.statistics.urls")),
        path("you/webhooks/", include("games.webhooks.urls")),
        path("", include("people.urls")),  # before a person's page, whose address could be any word
        path("", include("accounts.urls")),
        path("notices/", include("notices.urls")),
        path("privacy/", privacy, name="privacy"),
        path("fair/", TemplateView.as_view(template_name="pages/fairness.html"), name="fairness"),
        path("games/", choose, name="choose"),
        path("api/", imported_late("games.api.urls.guide"), name="api"),
        path("api/reference/", imported_late("games.api.urls.reference"), name="api-reference"),
        path("clubs/hall/", hall_help, name="hall-help"),
        path("clubs/", include((clubs.pages, "clubs"))),
        path("ratings/", include("ratings.urls")),
        path("tables/", include((finding, "tables"))),
        path("meeting/", include("games.meeting.urls")),
        path("watch/", watch, name="watch"),
        path("watch/computers/", watch_computers, name="watch-computers"),
        path("daily/", include("games.daily.urls")),
        path("puzzles/", include("games.puzzles.urls")),
        path("my-games/", include((mine.pages, "mine"))),
        path("records/", include((imported_pages, "records"))),
        path("positions/", include((positions_pages, "positions"))),
        path("", include(readers)),  # before `words/…` and `places/…`
        path("", include("rules.urls")),
        path("", home, name="home"),
        prefix_default_language=True,
    ),
]
