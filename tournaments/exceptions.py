"""Why something cannot be done at a tournament: by its director, at the entrance, on a phone in the hall, or online."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from core.exceptions import Refusal
from domain.errors import DomainError
from tournaments.text import refusal


class TournamentError(Refusal):
    words = {
        "stale": _("Something has happened in the meantime. This is how it stands now: please decide again."),
        "not-allowed": _(
            "This code does not open that page. Scan the code of your own table, or ask the tournament director."
        ),
        "cancelled": _("This tournament has been called off."),
        "elsewhere": _(
            "This evening is being run on another computer, so nothing can be written here. The tournament director can bring it back."
        ),
        "club-closed": _("The club of this tournament has been closed. What was played can still be read."),
        "no-pdf": _(
            "This machine has no libraries to make PDF (Pango is missing). Open the page without .pdf and print it from the "
            "browser: there one can also choose to save it as PDF."
        ),
        "season-ended": _("One of these seasons has been declared final in the meantime. Reopen it in the club first."),
    }
    statuses = {
        403: ("not-allowed",),
        409: ("stale", "season-ended", "elsewhere"),
        410: ("cancelled", "club-closed"),
        501: ("no-pdf",),
    }


class Moved(TournamentError):
    """Something has happened in the meantime that the request depends on."""

    code = "stale"


class Refused(TournamentError):
    """A refusal by the state of the tournament (`DomainError`), in words."""

    def __init__(self, code: str, field: str = "", **facts: str | int) -> None:
        super().__init__(code, refusal(code, field, facts))
        self.field = field
        self.facts = facts

    @classmethod
    def of(cls, why: DomainError) -> Refused:
        return cls(why.code, why.field, **why.facts)


class HallError(Refusal):
    words = {
        "too-often": _("That was a little too often. Wait a minute, then go on."),
        "code-ended": _(
            "The code of this page is no longer valid: the round was drawn again, or the director replaced the code. Copy what is written here onto the slip, or into the sheet of the new code."
        ),
        "not-numbers": _("Points are whole numbers: digits only, and a minus before them where it is needed."),
        "stale": _(
            "Something was written here in the meantime. This is the sheet as it stands now: compare it with what you "
            "typed, and send yours again if it is right."
        ),
        "wrong-digits": _(
            "These are not the digits of another side at this table. Each side’s digits are on its own slip."
        ),
        "own-digits": _("These are your own digits. The other side types the ones on its slip."),
        "too-many-guesses": _(
            "Wrong digits were typed too often at this table. The other side can confirm on its own phone, or the "
            "tournament director does it."
        ),
        "no-difference": _("Your version says the same as the sheet. Change what is wrong, or confirm it."),
        "name-needed": _("First and last name, please."),
        "two-of-that-name": _("The club knows several people of that name. Please tell the desk who you are."),
        "door-shut": _("The door is not open. Please go to the desk."),
    }
    statuses = {409: ("stale",), 410: ("code-ended",), 429: ("too-often", "too-many-guesses")}


class OnlineError(Refusal):
    words = {
        "account-needed": _(
            "This game belongs to a tournament: only people with an account can take over a seat. Please sign in first."
        ),
        "plays-in-this-round": _("You play at another table of this round. Leave this seat to somebody else."),
        "cannot-take-seat": _(
            "This person cannot take the seat: they know these deals, play in this round already, or cannot meet somebody there."
        ),
        "nobody-invited": _("Choose whom to invite: people with an account who have not entered yet."),
        "cannot-invite": _("Entry to this tournament is closed, so nobody can be invited."),
    }
    statuses = {403: ("account-needed",)}


class EntryError(Refusal):
    """Something cannot be done with a tournament's announcement, entries or money."""

    words = {
        "has-begun": _("People have entered, or rounds were played, so this stays. You can cancel the tournament."),
        "cannot-cancel": _("Rounds were drawn already. Close the tournament instead: its results stay."),
        "full": _("All places are taken. Ask the club: there may still be room."),
        "entry-closed": _("At present you cannot enter by yourself here. Ask the club."),
        "members-only": _("Only members of the club can enter by themselves here. Others ask the club."),
        "entered-already": _("You have entered already."),
        "not-entered": _("You have not entered here."),
        "has-substitute": _("A substitute plays here. If nobody comes, please tell the tournament director."),
        "no-pause": _("There is no round to sit out. In a knock-out, whoever does not play leaves the tournament."),
        "partner-taken": _("Whoever gave you this link has a partner by now, or is not coming. Ask them."),
        "cannot-part": _("You cannot part this pair by yourselves now. Ask the tournament director."),
        "name-missing": _("Write at least a first name or a last name."),
        "paste-changed": _("Something has happened in the meantime. Look at the lines once more."),
        "paste-broken": _("Put the broken lines right first: a seating is taken as a whole."),
        "nobody-chosen": _("Nobody is chosen. Tick the people first."),
        "two-needed": _("Choose exactly two."),
        "no-such-person": _("This person is not on the club’s list. Reload the page."),
        "paid-already": _(
            "That was paid in the meantime, perhaps to the other helper. Nothing was written down a second time."
        ),
        "not-money": _("Write an amount in francs, such as 10 or 12.50. The smallest coin is five Rappen."),
        "wrong-code": _(
            "This code does not open the door. Ask the tournament director for the current one and scan that."
        ),
        "door-over": _(
            "The door is shut: this tournament is over or has been called off. The tournament director does what is left."
        ),
        "too-many-guesses": _("Too many wrong codes came from here. Wait a few minutes, then scan the code once more."),
        "alike": _("Somebody of that name is in the list already. Is it the same person?"),
    }
    statuses = {
        403: ("members-only", "wrong-code"),
        404: ("no-such-person",),
        409: ("alike", "ask-first", "paid-already"),
        410: ("door-over",),
        429: ("too-many-guesses",),
    }


class Alike(EntryError):
    """The club's list has people of that name (`members`), so the user has to say whether one of them is meant."""

    code = "alike"

    def __init__(self, members: Sequence[Member]) -> None:
        super().__init__()
        self.members = tuple(members)


class AskFirst(EntryError):
    """A question to confirm before going on. `do` names the button that was pressed, `fields` what else is sent again."""

    code = "ask-first"

    def __init__(self, do: str, question: str | Promise, button: str | Promise, **fields: str) -> None:
        super().__init__(message=question)
        self.do, self.button, self.fields = do, button, fields


class FileError(Refusal):
    """The file of an evening cannot be saved or opened."""

    words = {
        "no-file": _("Choose the file of an evening first."),
        "no-evening": _("This is not the file of an evening. Choose the one that “Save the evening as a file” made."),
        "newer-file": _("This file was made by a newer version of this program. Update this one first."),
        "file-damaged": _(
            "This file is not whole: part of it is missing or has been changed. Nothing was taken from it. Choose another copy, such as one that the desk’s browser has kept."
        ),
        "file-too-large": _("This file is too large to be the file of an evening."),
        "file-impossible": _(
            "What this file tells cannot have happened, so nothing was taken from it. The reason: %(why)s"
        ),
        "other-evening": _("This file is of another evening. Open it under “Open an evening from a file”."),
        "older-file": _(
            "This file is older than what stands here, and everything in it is here already. Nothing was changed."
        ),
        "both-went-on": _(
            "The evening was continued on both computers separately, so this file cannot be combined with what stands here. Nothing was changed; both are shown below."
        ),
        "played-online": _(
            "A part of this tournament is played online. Its games are on this site, so it cannot be continued elsewhere."
        ),
        "people-elsewhere": _(
            "The people of this evening are in the list of a club on this site for which you do not plan evenings. Ask its president."
        ),
        "evening-over": _("This tournament was called off, or its club is closed, so it cannot be continued."),
        "opened-too-often": _("That was a lot in a short time. Wait a few minutes and try again."),
    }
    statuses = {
        403: ("people-elsewhere",),
        409: ("older-file", "both-went-on", "other-evening", "played-online", "evening-over"),
        413: ("file-too-large",),
        429: ("opened-too-often",),
    }


class BothWentOn(FileError):
    """The log here and the log in the file are the same up to event number `same`, and differ after it."""

    code = "both-went-on"

    def __init__(self, same: int) -> None:
        super().__init__()
        self.same = same
