"""How users are made and found: by e-mail address, whatever its capitals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.base_user import BaseUserManager

if TYPE_CHECKING:
    from accounts.models import User


class UserManager(BaseUserManager["User"]):
    """Creates users without a user name; addresses are stored in lower case."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create and save a user. Raises `ValueError` if the address is empty; no password means no password login."""
        address = email.strip().lower()
        if not address:
            raise ValueError("A user needs an e-mail address.")
        user = self.model(email=address, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user who may do everything (`manage.py createsuperuser`)."""
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})

    def get_by_natural_key(self, username: str | None) -> User:
        """Find a user by address, case aside. Raises `User.DoesNotExist`."""
        return self.get(email=(username or "").strip().lower())
