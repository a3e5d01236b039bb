"""Passwords as their scrypt hash (RFC 7914), in one line of text that says with which cost it was made."""

import hashlib
import hmac
import secrets
import threading
from base64 import b64decode, b64encode

from backend.errors import InputError
from backend.schemas.access import LONGEST_PASSWORD

SHORTEST = 12  # characters
LOG_N, R, P = 15, 8, 1  # 32 MiB and about a tenth of a second
SALT_BYTES, HASH_BYTES = 16, 32
# each check takes 32 MiB: a flood of them must not take the machine's memory
checking = threading.BoundedSemaphore(2)


def hashed(password: str) -> str:
    """scrypt$log2(N)$r$p$salt$hash.

    Raises:
        InputError: for a password that is too short or too long.
    """
    if not SHORTEST <= len(password) <= LONGEST_PASSWORD:
        raise InputError(f"A password has {SHORTEST} to {LONGEST_PASSWORD} characters; this one has {len(password)}.")
    salt = secrets.token_bytes(SALT_BYTES)
    found = _scrypt(password, salt, LOG_N, R, P)
    return f"scrypt${LOG_N}${R}${P}${b64encode(salt).decode()}${b64encode(found).decode()}"


def fits(password: str, kept: str) -> bool:
    """Whether a password is the one that was hashed; compared in constant time."""
    _, log_n, r, p, salt, wanted = kept.split("$")
    found = _scrypt(password, b64decode(salt), int(log_n), int(r), int(p))
    return hmac.compare_digest(found, b64decode(wanted))


def waste(password: str) -> None:
    """Take as long as a check takes, where there is nothing to check: the time then tells no name."""
    _scrypt(password, b"\0" * SALT_BYTES, LOG_N, R, P)


def _scrypt(password: str, salt: bytes, log_n: int, r: int, p: int) -> bytes:
    n = 1 << log_n
    with checking:
        return hashlib.scrypt(
            password.encode("utf-8", "surrogatepass"), salt=salt, n=n, r=r, p=p, maxmem=256 * n * r, dklen=HASH_BYTES
        )
