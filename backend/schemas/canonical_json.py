"""Canonical JSON and its SHA-256: keys in order, no white space, UTF-8. Equal values give equal bytes everywhere."""

import hashlib
import json
from typing import Any

from pydantic import BaseModel


def canonical_json(value: BaseModel | dict[str, Any]) -> str:
    """The one text of a value. Raises ValueError for a number that JSON does not have."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256_of(text: str) -> str:
    """The SHA-256 of a text's UTF-8 bytes, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def order_key(*parts: object) -> str:
    """A key to order by that looks random and is the same on every machine and every day, unlike Python's hash."""
    return sha256_of("\x1f".join(str(part) for part in parts))
