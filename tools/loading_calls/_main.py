"""The part that all frameworks share, which runs in their interpreters: saves files, or loads them by every call.

A framework's part defines `start`, `SAVERS` by kind of file, and `CALLS` by kind of file and call. Standard input is a
request (`__main__.py`); each attempt answers one line of JSON. After a crash, the caller starts again with the rest.
"""

import json
import os
import resource
import sys
import traceback

MEMORY = 8 << 30
"""Bytes that this process may allocate: a converter of TensorFlow 2.13.1 took all that the machine had."""


def main() -> None:
    """Answer the request."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    request = json.load(sys.stdin)
    version = start()  # type: ignore[name-defined]  # noqa: F821 - the part of the framework
    write_line(answers, version)
    if "folder" in request:
        save_all(answers, os.path.join(request["folder"], version))
    else:
        load_all(answers, request["files"], set(map(tuple, request["done"])))


def save_all(answers, folder):
    """Save a file of each kind."""
    os.makedirs(folder)
    for kind, (name, save) in SAVERS.items():  # type: ignore[name-defined]  # noqa: F821
        path = os.path.join(folder, kind.replace(" ", "-"), name)
        os.makedirs(os.path.dirname(path))
        write_line(answers, [kind, path, error_of(lambda: save(path))])  # noqa: B023 - called here


def load_all(answers, files, done):
    """Load each file by each call of its kind, except those that are done."""
    for kind, saved_by, path in files:
        for call, load in CALLS.get(kind, {}).items():  # type: ignore[name-defined]  # noqa: F821
            if (kind, call, saved_by) not in done:
                # The caller takes the last line without an outcome for a crash.
                write_line(answers, [kind, call, saved_by])
                write_line(answers, [kind, call, saved_by, error_of(lambda: load(path))])  # noqa: B023 - called here


def error_of(action):
    """Return the error of an action as one line; "" for none."""
    try:
        action()
    except BaseException as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        named = [line for line in lines if "Error" in line] or lines or traceback.format_exc().splitlines()[-1:]
        return f"{type(error).__name__}: {named[0][:160]}"
    return ""


def write_line(answers, value):
    """Write one line of the answer."""
    answers.write(json.dumps(value) + "\n")
    answers.flush()


main()
