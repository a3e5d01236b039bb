"""The API of studies as a process that a test can kill: python -m tests.browser.study_server FOLDER PORT [DATABASE URL]"""

import sys
from pathlib import Path

import uvicorn

from tests.app.study_api import StudyServer

if __name__ == "__main__":
    container = StudyServer(Path(sys.argv[1]), *sys.argv[3:])
    uvicorn.run(container.app, port=int(sys.argv[2]), log_level="error", lifespan="off", access_log=False)
