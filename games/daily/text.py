"""The daily deal in the reader's language."""

from __future__ import annotations

from datetime import date, datetime
from math import sqrt

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.sursilvan import joined
from games.charts import Mean
from games.daily import services, tasks
from games.daily.models import DailyDay
from games.daily.selectors import Place, par_of
from games.text import figures as figures_text
from games.text.common import signed


def game_name(day: DailyDay) -> str:
    """ "Troccas", "Troggu of Visp, 4 players"."""
    return figures_text.variant_name((day.board_set.ruleset, day.board_set.table_size))


def in_rappen(day: DailyDay) -> bool:
    return figures_text.in_rappen((day.board_set.ruleset, day.board_set.table_size))


def order_of_the_week() -> list[tuple[str, str]]:
    days = (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))
    games = [
        [figures_text.variant_name((choice.ruleset, choice.size)) for choice in choices] for choices in services.WEEK
    ]
    return list(zip(days, (joined(_(" – "), names) for names in games), strict=True))


def day_name(day: date) -> str:
    """ "Sunday 22 November 2026"."""
    return f"{date_format(day, 'l')}, {date_format(day, 'DATE_FORMAT')}"


def when_comparison_comes(day: date, now: datetime) -> str:
    """When the comparison of a day that is not open yet will be available."""
    today = services.day_at(now)
    if now >= services.closes(day):
        return _("The comparison comes as soon as the last tables are counted.")
    if today == day:
        return _("The comparison comes tomorrow at 3 in the morning, Swiss time.")
    return _("The comparison comes today at 3 in the morning, Swiss time.")


def place(rank: Place) -> str:
    """ "Better than 63 of 80 others, equal with 4"."""
    if rank.others == 0:
        return _("Nobody else has played it to the end.")
    sentence = ngettext(
        "Better than %(better)d of %(others)d other", "Better than %(better)d of %(others)d others", rank.others
    ) % {"better": rank.better_than, "others": rank.others}
    if rank.equal:
        sentence = _("%(said)s, equal with %(equal)d") % {"said": sentence, "equal": rank.equal}
    return _("%(said)s.") % {"said": sentence}


def guests(counted: list[tuple[int, int]]) -> str:
    """How many people played as guests, and their average result; empty if there are none."""
    people = sum(number for _points, number in counted)
    if not people:
        return ""
    mean = tasks.datum([points for points, number in counted for _one in range(number)]) or 0
    return ngettext(
        "%(guests)d guest has played it, too, with a result of %(mean)s. Guests are counted apart: nobody knows whether a guest has met the cards before.",
        "%(guests)d guests have played it, too, and made %(mean)s on average. Guests are counted apart: nobody knows whether a guest has met the cards before.",
        people,
    ) % {"guests": people, "mean": signed(mean)}


def par(day: DailyDay) -> str:
    """The average result of computer players with the cards of a day, and its error; empty for fewer than two plays."""
    figure = par_of(day)
    if figure.hands < 2:
        return ""
    facts = {
        "mean": figures_text.signed(figure.mean),
        "error": figures_text.decimal(figure.error),
        "plays": figure.hands,
        "spread": figures_text.decimal(figure.error * sqrt(figure.hands), 0),
    }
    if in_rappen(day):
        return (
            _(
                "Computer players in your seat made %(mean)s Rappen on average, give or take %(error)s. They played these cards %(plays)d times, each time a little differently; single results lay about %(spread)s away from that."
            )
            % facts
        )
    return (
        _(
            "Computer players in your seat made %(mean)s points on average, give or take %(error)s. They played these cards %(plays)d times, each time a little differently; single results lay about %(spread)s away from that."
        )
        % facts
    )


def average_gain(figure: Mean) -> str:
    """A mean gain and what it means, in plain words."""
    if not figure.enough:
        return _("Too few days yet to say how you play compared with the others: chance alone would make any figure.")
    facts = {"mean": figures_text.signed(figure.mean), "error": figures_text.decimal(figure.error)}
    figures = _("On average you gained %(mean)s a day, give or take %(error)s.") % facts
    if abs(figure.mean) <= 2 * figure.error:
        return _("%(figures)s Luck alone could do that.") % {"figures": figures}
    if figure.mean > 0:
        return _("%(figures)s That is more than luck usually does: you make more of these cards than others.") % {
            "figures": figures
        }
    return _("%(figures)s That is less than bad luck usually does: others make more of these cards.") % {
        "figures": figures
    }
