"""What clubs keep. Django looks for models here; they stand beside what they are about."""

from clubs.online_models import OnlineRound, OnlineTable, TournamentInvitation  # noqa: F401  # the same
from clubs.rating_models import (  # noqa: F401  # the same
    PairRating,
    PlayerRating,
    RatedPerson,
    RatingLuck,
    RatingPool,
    RatingRun,
)
from clubs.room_models import (  # noqa: F401  # Django looks for models here
    Club,
    ClubDate,
    ClubEvent,
    HouseRulesVersion,
    ImportDraft,
    JoinRequest,
    Member,
    MemberInvitation,
    News,
    Season,
)
from clubs.tournament_models import (  # noqa: F401  # the same
    Participation,
    SeasonEvening,
    Tournament,
    TournamentEvent,
)
