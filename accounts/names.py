"""Which names players may have, which names look alike, and form fields that refuse invisible characters."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import NAME_LENGTH, Player
from core.text import MARKS_IN_A_ROW

_JOINER: Final = "\u200d"
"""The zero-width joiner: invisible, but many emoji are composed with it."""

_OFFICE: Final = (
    "admin", "administrator", "administratur", "administraziun", "moderator", "moderatur", "moderation", "operator",
    "root", "staff", "support", "system", "team", "webmaster", "official", "bot", "computer", "troccas", "troggu",
)  # fmt: skip
"""Words with which somebody could pass for the people who run the site, or for a computer player."""

_PAIRS: Final = (
    "аa вb еe кk мm нh оo рp сc тt уy хx ѕs іi јj һh ԁd ԛq ԝw ӏl "  # Cyrillic
    "αa βb εe ιi κk νv οo ρp τt υu χx ωw "  # Greek
    "ıi łl øo đd ħh ŧt 0o 1l"
)
_ALIKE: Final = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})
"""Lower-case characters, each with the Latin letter that it looks like."""

_LINK: Final = re.compile(r"//|\bwww\.|\w@\w|\w[.．。｡][^\W\d_]{2}", re.IGNORECASE)
"""What mail programs turn into a link: names are in mails, even to people who have no account."""


def clean_name(raw: str) -> str:
    """Return `raw` as it is stored: NFC, trimmed, single spaces, at most 40 characters.

    Raises `ValidationError`, in the reader's language, for an empty or too long name; for characters that are invisible
    or change the direction of the line (controls, direction overrides, unassigned and private ones); for words that mix
    alphabets; for web and mail addresses; and for a name that could pass for a computer player, for a player without a
    name, or for the people who run the site.
    """
    name = clean_line(raw)
    if not any(unicodedata.category(character)[0] in "LN" for character in name):
        raise ValidationError(_("A name needs at least one letter or digit."), code="empty")
    if _longest_run_of_marks(name) > MARKS_IN_A_ROW:
        raise ValidationError(_("There are too many accents on one letter."), code="marks")
    if len(name) > NAME_LENGTH:
        raise ValidationError(
            _("A name has at most %(limit)d characters; this one has %(length)d."),
            code="long",
            params={"limit": NAME_LENGTH, "length": len(name)},
        )
    if any(len(_scripts(word)) > 1 for word in name.split()):
        raise ValidationError(_("Please write each word in one alphabet only."), code="mixed")
    if _LINK.search(name):
        raise ValidationError(_("A name is no web or mail address. After a dot in it there is a space."), code="link")
    _check_own(name)
    return name


def clean_line(raw: str, *, allowing: str = "") -> str:
    """Return `raw` as one line of visible characters (and those in `allowing`), with single spaces.

    Raises `ValidationError`, in the reader's language, for others.
    """
    composed = unicodedata.normalize("NFC", raw)
    # Judged before trimming: str.split would silently swallow the separators among the controls.
    if any(_is_unseen(character) and character not in allowing for character in composed.strip(" ")):
        raise ValidationError(_("Please use only characters that can be seen."), code="unseen")
    return " ".join(composed.split())


def clean_text(raw: str) -> str:
    """Return `raw` as lines of visible characters, with at most one empty line between two others.

    Raises `ValidationError`, in the reader's language, for invisible characters.
    """
    lines = raw.replace("\r\n", "\n").replace("\t", " ").strip().split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(clean_line(line, allowing=_JOINER) for line in lines))


def key_of(name: str) -> str:
    """What `name` looks like: only letters and digits, without case, marks, and differences that few would notice.

    Two names with the same key are easily confused. Empty for an empty name.
    """
    folded = unicodedata.normalize("NFKD", name).casefold().translate(_ALIKE)
    return "".join(character for character in folded if unicodedata.category(character)[0] in "LN").replace("l", "i")


def give(player: Player, name: str) -> None:
    """Save a name from `clean_name`, or an empty one, on the player's row, together with its key."""
    player.name = name
    player.name_key = key_of(name)
    player.save(update_fields=["name", "name_key"])


def looks_taken(player: Player) -> bool:
    """Whether somebody else who is still here has a name that is easily confused with the player's. One query."""
    if not player.name_key:
        return False
    others = Player.objects.filter(name_key=player.name_key, retired_at__isnull=True, merged_into__isnull=True)
    return others.exclude(pk=player.pk).exists()


def _check_own(name: str) -> None:
    """Refuse names that the site itself uses for people or computer players."""
    words = [name, *re.split(r"[\W_\d]+", name)]
    if any(key_of(word) in _office_keys() for word in words):
        raise ValidationError(
            _("This name would pass for the site itself or for a computer player: please choose another."),
            code="office",
        )
    numbered = re.fullmatch(r"(\D+?)\W*\d+", name)
    if numbered and key_of(numbered[1]) in _site_words():
        raise ValidationError(
            _("“%(name)s” is what the site calls people without a name: please choose another."),
            code="numbered",
            params={"name": name},
        )


@cache
def _office_keys() -> frozenset[str]:
    """The keys of the words in `_OFFICE`, and of the name of computer players in each language of the site."""
    words = set(_OFFICE)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            words.add(_("Computer"))
    return frozenset(key_of(word) for word in words)


@cache
def _site_words() -> frozenset[str]:
    """The keys of the words that the site puts before a number, in each of its languages."""
    keys = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts = (_("Player %(number)d"), _("Guest %(number)d"))
            former = (_("Former guest %(number)d"), _("Former player %(number)d"))
        keys |= {key_of(text.replace("%(number)d", "")) for text in texts + former}
    return frozenset(keys)


def _scripts(word: str) -> set[str]:
    """The alphabets of a word's letters, by the first word of their Unicode names; kana and kanji count as one."""
    scripts = set()
    for character in word:
        if unicodedata.category(character)[0] == "L":
            script = unicodedata.name(character, "").split(" ")[0]
            scripts.add("CJK" if script in {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"} else script)
    return scripts - {"MODIFIER", "FEMININE", "MASCULINE"}


def _is_unseen(character: str) -> bool:
    """Whether this is a control, format (bidi, zero width), surrogate, private, unassigned or separator character."""
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _longest_run_of_marks(name: str) -> int:
    longest = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        longest = max(longest, run)
    return longest


class LineField(forms.CharField):
    """A text on one line, with single spaces."""

    def to_python(self, value: Any) -> str:
        """The text. Raises ValidationError for invisible characters."""
        return clean_line(super().to_python(value) or "")


class LinesField(forms.CharField):
    widget = forms.Textarea

    def to_python(self, value: Any) -> str:
        """The text. Raises ValidationError for invisible characters."""
        return clean_text(super().to_python(value) or "")
