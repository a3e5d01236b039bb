"""A language model server of our own: vLLM in its environment, started, watched, restarted and ended."""
