"""Blinded rating sessions: design, assignment, ratings, agreement, export."""
