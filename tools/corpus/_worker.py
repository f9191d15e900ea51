"""The worker process of the corpus: it reads cases as lines of JSON and runs each in a fork, with any opspec_lint.

It imports nothing from this tree, so that it can run any other tree. Each fork starts with every module imported and
no input read: no case sees the state of an earlier one, and none pays for the start of Python.
"""

import contextlib
import importlib
import io
import json
import os
import pkgutil
import shutil
import sys
import time
import traceback
from pathlib import Path

NOW = time.struct_time((2025, 1, 15, 12, 0, 0, 2, 15, 0))
"""The time that `time.gmtime()` returns, so that no output depends on the day."""


def main():
    """Print the folder of the package, then run each case that stdin requests."""
    sys.path.pop(0)  # this folder
    package = importlib.import_module("opspec_lint")
    for module in pkgutil.walk_packages(package.__path__, "opspec_lint."):
        if not module.name.rpartition(".")[2].startswith("_"):
            with contextlib.suppress(ImportError):  # a module for an extra that is not installed
                importlib.import_module(module.name)
    answers = os.fdopen(os.dup(1), "w")
    print(json.dumps({"tree": str(Path(package.__file__).parents[1])}), file=answers, flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            code = 1
            try:
                run(json.loads(line))
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        _, status, usage = os.wait4(child, 0)
        if status:
            sys.exit(f"a case failed: {line}")
        print(json.dumps({"seconds": usage.ru_utime + usage.ru_stime}), file=answers, flush=True)


def run(case):
    """Run the commands of a case, and write their output to a file."""
    top = Path(case["top"])
    here = top / "here"
    here.mkdir()
    for name, target in case["links"].items():
        (here / name).symlink_to(target)
    os.chdir(here)
    os.environ["XDG_CACHE_HOME"] = str(top / "cache")
    gmtime = time.gmtime
    time.gmtime = lambda seconds=None: NOW if seconds is None else gmtime(seconds)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(null, descriptor)
    with (top / "output").open("wb") as target:
        for command in case["commands"]:
            target.write(output(command))


def output(command):
    """Run a command, and return its streams and the files that it wrote below `out/`."""
    from opspec_lint.cli import main

    Path("out").mkdir()
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    code = main.main(command)
    parts = [f"$ opspec-lint {' '.join(command)}\nexit code {code}\n".encode()]
    for title, stream in (("standard output", sys.stdout), ("standard error", sys.stderr)):
        stream.flush()
        parts += [part(title, stream.buffer.getvalue())]
    parts += [part(str(path), path.read_bytes()) for path in sorted(Path("out").rglob("*")) if path.is_file()]
    shutil.rmtree("out")
    return b"".join(parts)


def part(title, data):
    """Return the bytes of one stream or file, below a line with its name."""
    return f"--- {title}\n".encode() + data + b"\n" * (not data.endswith(b"\n")) if data else b""


if __name__ == "__main__":
    main()
