"""For whom advice holds: needs of sentences, warning signs with their levels, standing instructions."""
