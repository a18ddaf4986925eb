"""The metrics that each process counts and measures for the operator; `troccas_site.monitoring` publishes them.

Labels are names from the program (a view, a code, a kind), never anything about a person, a game or a card.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

requests: Final = Counter("troccas_requests_total", "Answered requests.", ["view", "status"])
request_seconds: Final = Histogram(
    "troccas_request_seconds",
    "How long an answer took, without sending it.",
    ["part"],
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
actions: Final = Counter("troccas_actions_total", "Actions written to the logs of games.", ["kind"])
refusals: Final = Counter("troccas_refusals_total", "Refusals made, by their code.", ["code"])
limited: Final = Counter("troccas_limited_total", "What was refused because it came too often.")
sockets: Final = Gauge("troccas_sockets", "Open sockets.")
ring_seconds: Final = Histogram(
    "troccas_ring_seconds",
    "From an action to the socket of a page that is told of it.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
computer_seconds: Final = Histogram(
    "troccas_computer_seconds",
    "How long a computer player took to decide.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2),
)
computer_answers: Final = Counter(
    "troccas_computer_answers_total",
    "Decisions of computer players that look ahead, by the process that took them: compiled, plain, or here when those failed.",
    ["by"],
)
