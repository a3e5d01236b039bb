"""A program that stands in for `vllm serve` where no model is needed: it takes its options and answers /health.

STAND_IN_WAIT: seconds until it answers. STAND_IN_DEAF: it does not heed SIGTERM. It starts a child in its own group, as
an engine is, and prints both pids.
"""

import http.server
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(__file__)


def install(venv: Path) -> Path:
    """An environment whose `vllm` is this program; the folder."""
    program = venv / "bin" / "vllm"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable} -S\n{SOURCE.read_text(encoding='utf-8')}", encoding="utf-8")
    program.chmod(0o755)
    return venv


class _Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


def main(arguments: list[str]) -> None:
    if os.environ.get("STAND_IN_DEAF"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
    print(f"pids {os.getpid()} {child.pid}", flush=True)
    time.sleep(float(os.environ.get("STAND_IN_WAIT", "0")))
    port = int(arguments[arguments.index("--port") + 1])
    http.server.HTTPServer(("127.0.0.1", port), _Health).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
