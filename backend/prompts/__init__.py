"""Every prompt, in our own words, versioned and hashed, and how a model is asked with one. Stages import this package."""
