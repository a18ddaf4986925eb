"""What templates of clubs use."""
