"""Frozen values that pass between the stages and over the wire; each module is one noun. Import the module you need."""
