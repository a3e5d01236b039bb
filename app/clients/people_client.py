"""The page's client of accounts and of the state of the service: one method a route. Every method raises ApiError."""

from urllib.parse import quote

from app.clients.client import ApiClient
from backend.schemas.access import AccessEvent, Account, AccountChange, NewAccount
from backend.schemas.service_status import ServiceStatus


class PeopleClient(ApiClient):
    """The routes of an administrator."""

    def accounts(self) -> tuple[Account, ...]:
        """Who can log in, by name."""
        return tuple(self._value(Account, row) for row in self._get("/people"))

    def add_account(self, account: NewAccount) -> Account:
        """Make an account."""
        return self._value(Account, self._post("/people", account))

    def change_account(self, name: str, change: AccountChange) -> Account:
        """Give an account another role or password; it ends the person's logins."""
        path = f"/people/{quote(name, safe='')}"
        return self._value(Account, self._json(self._send("PUT", path, json=change.model_dump(mode="json"))))

    def remove_account(self, name: str) -> None:
        """Remove an account; its name stays in the trails."""
        self._send("DELETE", f"/people/{quote(name, safe='')}")

    def access_trail(self, limit: int) -> tuple[AccessEvent, ...]:
        """The newest events of the trail of access, newest first."""
        return tuple(self._value(AccessEvent, row) for row in self._get("/people/trail", limit=limit))

    def service_status(self) -> ServiceStatus:
        """What is up, which versions, the disk."""
        return self._value(ServiceStatus, self._get("/status"))
