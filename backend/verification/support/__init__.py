"""Support: whether the cited text says what a sentence says."""
