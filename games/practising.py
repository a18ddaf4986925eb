"""Practice tables: the position of an example in the encyclopedia, to play on from against computer players.

The deal is composed and everybody who plays it gets the same cards; nothing about it is promised, so nothing is proved.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language

from accounts.models import Player
from games import computers, play
from games.forms import Wanted
from games.models import Game
from rules.examples import BadExample, Position, position
from rules.examples.finding import published_example
from rules.models import Article


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a practice position comes from: the article's title and address at the example, empty if it is gone.

    `open`: the position can be laid out again.
    """

    article: str
    language: str
    example: str
    title: str
    url: str
    open: bool


def position_of(wanted: Wanted) -> Position | None:
    """The position of a published example; None if there is no such example, or none to play on from."""
    try:
        example = published_example(wanted.article, wanted.language, wanted.example)
        return position(example) if example is not None else None
    except BadExample:
        return None


def table_of(player: Player, wanted: Wanted, at: Position) -> Game:
    """A table at that position, `player` sitting where a card is asked for; or the same table if nothing was done there."""
    pack = " ".join(at.pack)
    waiting = Game.objects.filter(
        kind=Game.Kind.PRACTICE,
        status=Game.Status.PLAYING,
        seats__player=player,
        practice__article=wanted.article,
        practice__language=wanted.language,
        practice__example=wanted.example,
        hands__deal__pack=pack,
    )
    same = next((game for game in waiting if game.number == game.practice["number"]), None)
    if same is not None:
        return same
    players = computers.computer_players(at.seats - 1)
    players.insert(at.seat, player)
    with transaction.atomic():
        game = play.start(
            at.ruleset,
            players,
            options=at.options,
            kind=Game.Kind.PRACTICE,
            pack=at.pack,
            dealer=at.dealer,
            practice=wanted._asdict(),
        )
        play.enter(game.pk, at.actions)
    return game


def origin_of(game: Game) -> Origin | None:
    """Where the position of a practice table comes from, as the article is called now; None for any other table.

    The article is named in the reader's language if it exists in it.
    """
    if game.kind != Game.Kind.PRACTICE:
        return None
    article, language, example = (str(game.practice.get(name, "")) for name in Wanted._fields)
    found = {row.language: row for row in Article.objects.filter(key=article)}
    reader = get_language() or language
    shown = found.get(reader) or found.get(language)
    if shown is None:
        return Origin(article, language, example, "", "", open=False)
    url = f"{reverse('rules:article', args=[shown.slug])}#example-{example}"
    return Origin(article, language, example, shown.title, url, open=language in found)
