"""How this process treats its cores and its memory."""

import gc
import sys

SWITCH_S = 0.0005
YOUNG = 20_000
"""Values made, less those gone again, between two rounds of the garbage collector; 700 is Python's own."""


def one_core() -> object:
    """Keep each matrix product of numpy on one core, for as long as the value is kept.

    A walk makes hundreds of small products; shared out over cores that others use as well, they took ten times as long.
    """
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def share_quickly() -> None:
    """Let a thread that computes give way sooner than after Python's 5 ms.

    Whoever passes on a model's words needs the interpreter for a fraction of a millisecond, and three threads in a row do so
    for each word.
    """
    sys.setswitchinterval(SWITCH_S)


def freeze_loaded() -> None:
    """Put all that is loaded outside the garbage collector's rounds: walking it again and again took a third of a link.

    A note makes thousands of small values that die at once without it, so it also goes round less often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)
