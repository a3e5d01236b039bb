"""The command line: `python -m backend COMMAND`. Exit status 0 done, 2 wrong input, 3 something missing, 1 a defect."""

import gc
import sys

from backend.cli.program import main

YOUNG = 20_000
"""Values made, less those gone again, between two rounds of the garbage collector: what a start loads stays, and going round it
after every 700, as Python does, took a tenth of a start."""

if __name__ == "__main__":
    gc.set_threshold(YOUNG)
    sys.exit(main())
