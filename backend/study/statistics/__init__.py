"""What ratings show: plain arrays in, schemas with intervals and reasons out. No database, no network, no arm's name."""
