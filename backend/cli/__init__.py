"""The commands of `python -m backend`, one module a family. Each has add_to(subparsers)."""
