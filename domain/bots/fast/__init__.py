"""The play of every ruleset on plain ints, fast enough to play thousands of hands for one decision.

The rules are those of `domain.engine`, written a second time for speed; tests play random hands of every ruleset and
size in both and compare them after every card (`tests/domain/bots/test_fast.py`). A state is a flat list of ints
(`layout`), an action one int. In all functions `s` is the state, `r` the rules and `w` the weights of the policy.
Everything here runs as plain Python, or compiled with numba in a process that sets TROCCAS_COMPILED (`compiling`).
"""
