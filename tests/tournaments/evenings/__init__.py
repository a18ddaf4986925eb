"""Whole club evenings by HTTP against a real server, as people would hold them, and a judge who adds up for himself.

`evening` is the script; `secretary`, `helpers` and `phones` are its people, `followers` look on live, `books` holds what was
typed, `arithmetic` and `judge` compare that with what the site says. Nothing here asks the clubs' own code for a result.
"""
