"""An environment with vLLM's build for the processor, for the tests alone."""
