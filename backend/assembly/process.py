"""How this process treats its cores and its memory."""

import gc


def one_core() -> object:
    """Keep each matrix product of numpy on one core, for as long as the value is kept.

    A walk makes hundreds of small products; shared out over cores that others use as well, they took ten times as long.
    """
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def settle() -> None:
    """Put all that is loaded outside the garbage collector's rounds: walking it again and again took a third of a link."""
    gc.collect()
    gc.freeze()
