"""The state of a tournament, as its log tells it: pure Python, no Django, no clock, no names of people.

`apply` (events.py) is the only way from one state to the next; what a state means for draws, standings and money is said
in `drawing` and `scoring`. See docs/adr/0014-evenings.md.
"""
