"""The page's client of the review of the knowledge. Every method raises ApiError."""

from typing import Any, cast

from app.clients.client import ApiClient


class ReviewClient(ApiClient):
    """The routes of the review."""

    def counts(self) -> dict[str, Any]:
        """How many items of each kind stand how, under `kinds`, and decisions about rows that are no more, under `without_item`."""
        return cast(dict[str, Any], self._get("/knowledge/review"))

    def items(self, kind: str, state: str, words: str, offset: int, limit: int) -> dict[str, Any]:
        """A page of the items under `items`, and how many there are under `total`; an empty kind or state is any."""
        chosen = {name: value for name, value in (("kind", kind), ("state", state)) if value}
        return cast(dict[str, Any], self._get("/knowledge/review/items", q=words, offset=offset, limit=limit, **chosen))

    def item(self, item: str) -> dict[str, Any]:
        """One item with its text and every decision about it."""
        return cast(dict[str, Any], self._get("/knowledge/review/item", id=item))

    def decide(self, body: dict[str, str]) -> dict[str, Any]:
        """Keep a decision. body: item, verdict, reviewer, text, reason, sources."""
        return cast(dict[str, Any], self._json(self._send("POST", "/knowledge/review/decisions", json=body)))

    def journal(self, limit: int) -> dict[str, Any]:
        """Who did what, the last first, under `decisions`, and how many there are under `total`."""
        return cast(dict[str, Any], self._get("/knowledge/review/journal", limit=limit))

    def table(self, table: str) -> dict[str, Any]:
        """The hospital's own table that is installed: formulary or instructions."""
        return cast(dict[str, Any], self._get(f"/knowledge/hospital/{table}"))

    def check_table(self, table: str, body: dict[str, str]) -> dict[str, Any]:
        """Hold a table to its rules. body: text, name."""
        return cast(dict[str, Any], self._json(self._send("POST", f"/knowledge/hospital/{table}/check", json=body)))

    def install_table(self, table: str, body: dict[str, str]) -> dict[str, Any]:
        """Install a table. body: text, name, reviewer."""
        return cast(dict[str, Any], self._json(self._send("PUT", f"/knowledge/hospital/{table}", json=body)))

    def restore_table(self, table: str, digest: str, reviewer: str) -> dict[str, Any]:
        """Install a table that stood before, by the number of its text."""
        body = {"digest": digest, "reviewer": reviewer}
        return cast(dict[str, Any], self._json(self._send("POST", f"/knowledge/hospital/{table}/restore", json=body)))

    def remove_table(self, table: str, reviewer: str) -> dict[str, Any]:
        """Take a table away."""
        path = f"/knowledge/hospital/{table}"
        return cast(dict[str, Any], self._json(self._send("DELETE", path, params={"reviewer": reviewer})))

    def difference(self) -> str:
        """What was changed and refused, as a unified diff."""
        return self._send("GET", "/knowledge/review/difference").text
