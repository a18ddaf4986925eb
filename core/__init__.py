"""Code that all apps share, and nothing about cards. It needs Django and imports no other app."""
