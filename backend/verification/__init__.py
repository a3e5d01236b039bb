"""What is checked of a written draft: support, fit, safety, consistency and readability."""
