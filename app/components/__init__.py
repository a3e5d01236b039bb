"""Views draw the values they are given and hold no logic."""
