"""Tables that people find together: standing wishes, appointments for live evenings, and alerts about new tables."""
