"""A program: run another program that ends when the process which started it ends, however that ended.

    python -I -S launch.py PARENT GRACE COMMAND…

PARENT is the pid of the one who starts it, GRACE how many seconds the command may take to end when it is asked to. With
GRACE 0 it becomes the command, and on Linux the kernel sends that SIGTERM when the parent is gone. With more it stays
and keeps watch: a server of several processes does not always heed SIGTERM while it loads, and then its whole process
group is killed. It must lead a session of its own. It imports nothing of ours: it costs some hundredths of a second.

Its exit status is the command's, or 128 and the number of the signal that ended it.
"""

import ctypes
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
POLL_S = 0.1
asked: list[int] = []


def main(parent: int, grace_s: float, command: list[str]) -> int:
    """Replace this process by the server, in a group that ends with the process that asked for it."""
    if not grace_s:
        _become(parent, command)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda got, frame: asked.append(got))
    me = os.getpid()
    child = os.fork()
    if not child:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        _become(me, command)
    deadline = 0.0
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        orphaned = os.getppid() != parent
        if ended and not orphaned:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code  # who started this ends what is left of the group
        if ended or (deadline and time.monotonic() > deadline):
            os.killpg(0, signal.SIGKILL)  # this process too
        if not deadline and (asked or orphaned):
            os.kill(child, signal.SIGTERM)
            deadline = time.monotonic() + grace_s
        time.sleep(POLL_S)


def _become(parent: int, command: list[str]) -> None:
    try:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it ended before the line above
            os._exit(0)
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
