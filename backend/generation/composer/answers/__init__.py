"""Answers to questions: what is asked, which sentences are about that, what advises against what, and which option is chosen."""
