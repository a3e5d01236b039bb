"""Training data and the train commands."""
