"""The page's client of logins: one method a route."""

import httpx

from app.clients.api_errors import ApiError
from app.clients.client import ApiClient
from backend.schemas.access import GivenLogin, LoggedIn, LoginRequest

SERVER_FAILS = 500


class LoginClient(ApiClient):
    """The routes of logins, with the page's own token or with a person's."""

    def log_in(self, name: str, password: str) -> GivenLogin:
        """A login for a name and password."""
        body = LoginRequest(name=name, password=password).model_dump(mode="json")
        return self._value(GivenLogin, self._json(self._send("POST", "/logins", json=body)))

    def who(self, token: str) -> LoggedIn | None:
        """The person of a login token; None when the login has ended."""
        try:
            answer = self._http.get(f"{self.address}/logins", headers={"Authorization": f"Bearer {token}"})
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if answer.status_code >= SERVER_FAILS:
            raise ApiError(f"The API answered with status {answer.status_code}.", unreachable=True)
        return self._value(LoggedIn, self._json(answer)) if answer.is_success else None

    def log_out(self, token: str) -> None:
        """End a login."""
        self._send("DELETE", "/logins", headers={"Authorization": f"Bearer {token}"})
