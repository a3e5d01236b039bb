"""Metrics, comparisons and the evaluate commands."""
