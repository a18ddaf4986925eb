"""What proves the site works."""
