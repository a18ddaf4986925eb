"""The state of a tournament, as a result of its log: pure Python, no Django, no clock, no names of people.

`apply` (events.py) is the only way from one state to the next; `drawing` and `scoring` derive draws and standings from
a state. See docs/adr/0014-evenings.md.
"""
