"""Announcing a tournament: what is planned, who has entered, what it would be like; and the entrance."""
