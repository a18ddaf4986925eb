"""What leaves the evening: printed sheets, PDF, files, feeds, and the page everybody may read."""
