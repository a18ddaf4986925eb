"""What every app shares, and nothing about cards. It needs Django, and knows no app."""
