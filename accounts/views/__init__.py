"""Pages about people: one's own (`you`, `preferences`, `data`, `security`), those of others (`people`), reports (`moderating`)."""
