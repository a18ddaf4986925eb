"""The room of clubs."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClubsConfig(AppConfig):
    """Clubs, their members, and their evenings."""

    name = "clubs"
    verbose_name = _("Clubs")

    def ready(self) -> None:
        """Tell the lower rooms what they must know of this one."""
        from accounts import protocols
        from clubs import sitemaps
        from clubs.online import wiring
        from clubs.online_pages.occasions import occasions
        from clubs.rated import belongings as rated
        from clubs.rated import facts, forms, regular
        from clubs.rated.sitemaps import Ratings
        from clubs.room import belongings, evenings, keeping
        from clubs.room.tellers import CLUBS
        from clubs.tournaments.belongings import BELONGING
        from clubs.tournaments.evenings import EVENINGS
        from games import work
        from games.mine.occasions import register as name_games
        from notices import subjects, telling
        from rules.sitemaps import register as register_sitemap

        protocols.register(belongings.BELONGING)
        protocols.register(BELONGING)
        protocols.register(rated.RATED)
        protocols.register_facts(facts.facts)
        protocols.register_section(protocols.Section("ratings", _("Ratings"), forms.ConsentForm))
        evenings.register(EVENINGS)
        telling.register("club", CLUBS)
        wiring.connect()
        subjects.register(belongings.subject)
        work.register_chore(keeping.forget)
        work.register_chore(regular.chore)
        register_sitemap("clubs", sitemaps.Clubs)
        register_sitemap("tournaments", sitemaps.Tournaments)
        register_sitemap("ratings", Ratings)
        name_games(occasions)
