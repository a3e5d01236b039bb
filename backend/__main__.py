"""The command line: `python -m backend COMMAND`. Exit status 0 done, 2 wrong input, 3 something missing, 1 a defect."""

import sys

from backend.cli.program import main

if __name__ == "__main__":
    sys.exit(main())
