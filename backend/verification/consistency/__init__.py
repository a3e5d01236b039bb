"""Consistency: of a text with itself, and of a model's samples with one another."""
