"""What a language model writes with: the prompt's material and its fit, and how a reply is read."""
