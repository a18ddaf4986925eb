"""Wiring of the site: settings, addresses, servers. No behaviour of its own."""
