"""The judge of correspondence play: many games at once over HTTP and sockets, with a turned clock and sudden deaths.

`python -m tests.judging --games 200 --seed 1 --minutes 20` starts a real site, lets people of all sorts play there while
servers and workers are killed, and afterwards reads everything that anybody ever received against the log.
"""
