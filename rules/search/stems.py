"""Words as questions and answers compare them: without endings, with their synonyms, and with a list of empty words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from core.text import fold

_ENDINGS: Final = ("ungen", "ing", "ern", "est", "ed", "es", "en", "er", "em", "s", "e", "n", "t", "a", "i", "o")
_STEM: Final = 4
_INFIX: Final = re.compile(r"^(weg|ab|aus|an|auf|ein|vor|zuruck|zusammen)(?:ge|zu)(?=\w{3})")
"""What is inserted into German verbs: "weggelegt", "auszuspielen"."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A folded word without its ending, roughly: "discarded" and "discards", "Karten" and "Karte" are one."""
    word = _INFIX.sub(r"\1", word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


@cache
def spoken() -> Mapping[str, str]:
    """Maps Swiss German words to standard German ones."""
    groups = tomllib.loads(Path(__file__).with_name("spoken.toml").read_text(encoding="utf-8"))
    return {each: word for word, words in groups.items() for each in words.split()}


_THERE_IS: Final = re.compile(r"\b(?:gibt (?:es|s)|es gibt|gibts)\b")


_AROUND: Final = re.compile(
    r"^(?:my|our|mein|meine|unser|unsere) \w+ (?:says?|said|thinks?|claims?|sagt|sagte|meint|meinte|behauptet) (?:immer |always |that |dass )?"
    r"|\b(?:is|isn t) (?:that|this) (?:right|true|correct|so|allowed|ok)$|\b(?:stimmt das|ist das (?:so|richtig|wahr|erlaubt)|oder nicht|c est vrai|e vero)$"
    r"|^(?:could|can|would) you (?:please )?(?:explain|tell me|say) |^(?:please|bitte) (?:explain |tell me )?|^what s the (?:story|deal) with "
)


def plain(folded: str) -> str:
    """A folded question in standard German instead of Swiss German, without polite phrases around it.

    "gibt es" is removed as well, since "gibt" alone means to deal.
    """
    question = " ".join(spoken().get(word, word) for word in folded.split())
    question = _THERE_IS.sub("es", question)
    return _AROUND.sub("", question).strip() or question


PARTICLES: Final = frozenset(["aus", "ab", "weg", "ein", "an", "auf", "vor", "zu", "zuruck", "zusammen"])
_APART: Final = 9


def joined(words: Sequence[str]) -> Iterator[str]:
    """German separable verbs, put together: "legt … weg" gives "weglegen". Includes combinations that are no verbs."""
    for index, word in enumerate(words):
        if word in PARTICLES:
            for verb in words[max(0, index - _APART) : index]:
                yield stem(f"{word}{verb}")


def stems(text: str) -> list[str]:
    return [stem(word) for word in fold(text).split()]


@cache
def alike() -> Mapping[str, tuple[str, ...]]:
    """The groups of synonyms that each stem belongs to."""
    by_stem: dict[str, list[str]] = {}
    groups = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text(encoding="utf-8"))
    for name, words in groups.items():
        for each in dict.fromkeys(stems(words)):
            by_stem.setdefault(each, []).append(f"~{name}")
    return {each: tuple(names) for each, names in by_stem.items()}


EMPTY: Final = frozenset(["a", "all", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "does", "each", "every", "everybody", "everyone", "for", "from", "get", "gets", "got", "had", "has", "have", "how", "i", "if", "in", "is", "it", "its", "many", "may", "me", "much", "must", "my", "need", "no", "not", "of", "on", "one", "or", "our", "out", "she", "should", "so", "than", "that", "the", "their", "them", "then", "there", "they", "this", "to", "us", "was", "we", "were", "what", "when", "which", "who", "whose", "why", "will", "with", "would", "you", "your", "s", "t", "give", "big", "high", "large", "play", "played", "plays", "somebody", "someone", "something", "anyone", "anybody", "ok", "okay", "still", "really", "actually", "just", "only", "jemand", "eigentlich", "wirklich", "denn", "mal", "nun", "jetzt", "now", "happen", "happens", "mean", "means", "alle", "alles", "allen", "allowed", "permitted", "legal", "als", "am", "an", "auf", "aus", "bedeutet", "bedeuten", "bei", "beim", "bin", "bis", "da", "dabei", "das", "dass", "dem", "den", "denn", "der", "des", "die", "doch", "du", "darf", "durfen", "ein", "eine", "einem", "einen", "einer", "er", "es", "etwas", "fur", "hat", "hatte", "ich", "ihm", "ihn", "ihr", "im", "in", "ist", "ja", "jede", "jeder", "jedem", "kann", "kein", "keine", "konnen", "man", "mein", "mich", "mir", "mit", "muss", "mussen", "nach", "noch", "nicht", "nur", "passiert", "geschieht", "heisst", "ob", "oder", "sein", "sich", "sie", "sind", "so", "um", "und", "uns", "vom", "von", "was", "wann", "warum", "welche", "welchen", "welcher", "welches", "wem", "wen", "wenn", "wer", "werden", "wie", "wird", "erlaubt", "gross", "hoch", "spielt", "spielen", "viel", "viele", "vielen", "wieviel", "wieviele", "werden", "wo", "wohin", "worum", "zu", "zum", "zur", "ai", "avra", "bia", "biars", "biaras", "c", "che", "chi", "ce", "dans", "en", "tout", "tous", "cinq", "combien", "cun", "co", "contas", "cons", "con", "cura", "da", "dad", "de", "del", "della", "di", "dil", "du", "e", "ed", "ei", "el", "ella", "es", "est", "et", "gl", "ha", "han", "hai", "ho", "igl", "il", "ils", "in", "io", "je", "la", "las", "le", "les", "leu", "lo", "los", "mi", "ni", "non", "nua", "o", "ou", "per", "pertgei", "pli", "pour", "qua", "quand", "quando", "que", "quei", "quel", "quella", "qui", "quin", "quins", "s", "se", "sche", "si", "sun", "sur", "po", "pon", "on", "qu", "peut", "est", "sont", "suenter", "tgei", "tgi", "tgisa", "ti", "tu", "un", "una", "une", "vegn", "vegnan", "ves", "vul", "ein", "ha", "han", "muntan", "dat", "faut", "fautil", "joue", "y", "al", "alla", "allo", "agli", "dal", "dalla", "dallo", "dalle", "dei", "delle", "degli", "dello", "nel", "nella", "nello", "nelle", "negli", "nei", "sul", "sulla", "ci", "quali", "quale", "qual", "cosa", "dove", "sono", "puo", "posso", "possono", "deve", "devo", "devono", "stesso", "stessa", "stessi", "stesse", "questo", "questa", "questi", "uno", "quanto", "quanta", "quanti", "quante", "gli", "au", "aux", "dont", "ont", "cette", "cet", "ces", "quelle", "quelles", "quels", "leur", "leurs", "sa", "ses", "mon", "ma", "mes", "nous", "vous", "ne", "puis", "dois", "doit", "doivent", "peuvent", "comment", "meme", "ognuno", "ciascuno", "chacun", "chacune"])  # fmt: skip
NUMBER_ASKED: Final = re.compile(
    r"\b(?:how (?:many|much|long|often|high|big|old)|wie alt|what (?:is|are) the (?:stake|value|total|par)|wie ?(?:viele?|vil|hoch|lange|oft|gross)"
    r"|wieviele?|con(?:tas|ts)|qu[ao]nts|qu[ao]ntas|combien|quant[aieo]|worth|wert|number of|anzahl|nombre de|numero di)\b"
)
COUNTED: Final = re.compile(
    r"\b(?:how many|number of|wie ?(?:viele?|vil[ei]?)|anzahl(?: der)?|nombre (?:de|d|des)|numero (?:di|delle|dei)|con(?:tas|ts)|qu[ao]nts|qu[ao]ntas|combien (?:de|d)|quant[ie]) (?P<what>\w+)"
)
"""Finds what a question wants counted."""
PLAYERS: Final[Mapping[str, int]] = {
    word: number
    for number, words in {
        2: "2 two zweit zwei deux due dus",
        3: "3 three dritt drei trois tre treis trais", 4: "4 four viert vier quatre quattro quater",
        5: "5 five funft funf cinq cinque tschun", 6: "6 six sechst sechs sei sis",
        7: "7 seven siebt sieben sept sette siat", 8: "8 eight acht huit otto otg",
    }.items()
    for word in words.split()
}  # fmt: skip
_OF_PLAYERS: Final = re.compile(
    r"\b(?:(?:for|with|among|of|zu|a|en|in|per|mit) (?P<before>\w+)(?! (?:cards?|karten?|cartas?|cartes?|carte|points?|punkte?|hands?|tricks?|rounds?|kings?))"
    rf"|(?P<after>{'|'.join(PLAYERS)}) (?:\w+ )?(?:players?|people|persons?|of us|spieler\w*|personen|leuten?|spielende\w*|giugad\w+|joueurs?|personnes?|giocatori|persone|handed))\b"
)


_TWO: Final = re.compile(
    r"\b(?:zu zweit|a deux|in due|per dus|en dus|(?:2|two|zwei|deux|due|dus) (?:players?|people|persons?|of us|spieler\w*|personen|leuten?|giugad\w+|joueurs?|personnes?|giocatori|persone))\b"
)


def seats_asked(folded: str) -> int:
    """The number of players that a question is about, 0 if it names none; also two, though no game has so few."""
    if _TWO.search(folded):
        return 2
    for match in _OF_PLAYERS.finditer(folded):
        number = PLAYERS.get(match["before"] or match["after"] or "", 0)
        if number > 2:
            return number
    return 0


class Group(NamedTuple):
    """One word of a question, or a name of several words: tokens that match it, and how well each does (0 to 1)."""

    tokens: tuple[tuple[str, float], ...]
    length: int
