"""The play of every ruleset on plain ints, quick enough to play thousands of hands for one decision.

The rules are those of `domain.engine`, written a second time for speed; tests play random hands of every ruleset and size
in both and want the same at every card (`tests/domain/bots/test_fast.py`). A state is a flat list of ints (`layout`), an
action one int. Everything here runs as it stands, and compiled with numba where a process asks for that (`compiling`).
"""
