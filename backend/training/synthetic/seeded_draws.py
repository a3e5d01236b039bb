"""Draws that depend on a seed and a name alone: the same whatever was drawn before, and in whatever order."""

import hashlib
import random


def digest(*parts: object) -> str:
    """64 hexadecimal digits of the parts."""
    return hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).hexdigest()


def draw(seed: int, *names: object) -> random.Random:
    """A generator of its own for each name."""
    return random.Random(digest(seed, *names))


def small_seed(seed: int, *names: object) -> int:
    """A seed for an engine, 0 to 2**31 - 1."""
    return int(digest(seed, *names)[:8], 16) >> 1
