"""Supervisor of a command: it applies limits, and ends the command together with the program that started it.

That program's interpreter runs it, as the leader of a process group that the command and its children belong to. The
one argument is a file of JSON: {"command", "folder", "answer", "log", "seconds", "space", "limits"}. It writes the
outcome of the command to standard output: {"status"}, {"limit"}, or {"problem"}. Standard input is a pipe that nobody
writes to. It is closed when the program ends, however it ends, and then the whole group is killed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INTERVAL = 0.5
"""Seconds between two checks of the answer and the folder."""
LEAST = 4096
"""Least bytes that an entry of a folder counts."""


def main(path: str) -> None:
    """Run the command of a file, and write its outcome."""
    with open(path, encoding="utf-8") as stream:
        job = json.load(stream)
    threading.Thread(target=end_with_caller, daemon=True).start()
    for name, most in job["limits"].items():
        set_limit(name, most)
    with open(1, "wb", closefd=False) as stream:  # os.write() writes a part where a signal interrupts it
        stream.write(json.dumps(run_command(job)).encode())
    os._exit(0)  # the thread still reads


def end_with_caller() -> None:
    """Wait until the program that started this process ends, and end the process group."""
    os.read(0, 1)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def set_limit(name: str, most: int) -> None:
    """Limit a resource of this process and its children, if the system supports it."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        number = getattr(resource, name)
        _, hard = resource.getrlimit(number)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(number, (least, least))


def run_command(job: dict[str, Any]) -> dict[str, Any]:
    """Run the command, and return its outcome."""
    with open(job["log"], "wb") as log:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user names the interpreter
                job["command"], cwd=job["folder"], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        except (OSError, ValueError) as error:
            return {"problem": getattr(error, "strerror", None) or str(error)}
    last_size, until = -1, 0.0
    # The command is polled, because the deadline moves while its answer grows, and no system limits the size of a
    # folder.
    while True:
        with suppress(subprocess.TimeoutExpired):
            return {"status": process.wait(INTERVAL)}
        if file_size(job["answer"]) != last_size:
            last_size, until = file_size(job["answer"]), time.monotonic() + job["seconds"]
        if time.monotonic() > until or folder_size(job["folder"]) > job["space"]:
            process.kill()
            return {"limit": "time" if time.monotonic() > until else "space"}


def file_size(path: str) -> int:
    """Return the size of a file in bytes, 0 if it does not exist."""
    with suppress(OSError):
        return os.stat(path).st_size
    return 0


def folder_size(folder: str) -> int:
    """Return the bytes of the files in a folder and below."""
    size_of_files = 0
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with suppress(OSError):
                # Counted with a minimum, as many empty files fill a disk, too.
                size_of_files += max(LEAST, os.lstat(os.path.join(place, name)).st_size)
    return size_of_files


if __name__ == "__main__":
    main(sys.argv[1])
