"""Small products and conversions of torch on the thread that asks for them.

Shared out over cores that other requests use as well, they wait for each other: five times the processor time, and longer.
"""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """While it lasts torch computes what this thread asks for on this thread alone.

    Threads at work keep theirs; one that first uses torch meanwhile may stay with a single one, which costs it time alone.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
