"""What an evening publishes: printed sheets, PDF, files, feeds, and the public pages."""
