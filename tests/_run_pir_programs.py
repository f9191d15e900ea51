"""Loads and runs PIR programs under a Paddle, each in a process of its own; run by the interpreter that has it.

Reads one JSON program a line, and writes one word each: `ok`, `refused`, `crash` or `hang`.
"""

import os
import resource
import signal
import sys
import tempfile

import numpy as np
import paddle

SECONDS = 8
BYTES = 24 << 30


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "m")
        with open(f"{prefix}.json", "w", encoding="utf-8") as stream:
            stream.write(text)
        executor = paddle.static.Executor(paddle.CPUPlace())
        program, feeds, fetches = paddle.static.load_inference_model(prefix, executor)
        values = (np.arange(6, dtype="float32").reshape(2, 3) + 1) / 8
        executor.run(program, feed=dict.fromkeys(feeds, values), fetch_list=fetches)


def outcome(text):
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(SECONDS)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        code = 0
        try:
            run(text)
        except BaseException:
            code = 3
        os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "hang" if os.WTERMSIG(status) == signal.SIGALRM else "crash"
    return "ok" if os.WEXITSTATUS(status) == 0 else "refused"


def main():
    paddle.enable_static()
    for line in sys.stdin:
        sys.stdout.write(f"{outcome(line)}\n")
        sys.stdout.flush()


main()
