"""The wiring of the site: settings, URLs, servers. It has no features of its own."""
