"""opspec-lint in a fork of this process, for tests that do not test how it starts.

The fork has its own environment, folder, streams, limits and signals; but it need not import what this process has
imported, which is most of the time of a short run.
"""

from __future__ import annotations

import gc
import importlib
import os
import selectors
import signal
import subprocess
import sys
import time
import traceback
from multiprocessing import resource_tracker

from opspec_lint.cli import start
from tests.support.forking import fork
from tests.support.patience import PATIENCE

_IMPORTED = (
    "datetime",
    "difflib",
    "opspec_lint.cli.commands.check",
    "opspec_lint.cli.main",
    "opspec_lint.diff.bindings.name",
    "opspec_lint.diff.builds",
    "opspec_lint.diff.changes.op_versions",
    "opspec_lint.diff.conditions",
    "opspec_lint.diff.renames",
    "opspec_lint.documents.json_places",
    "opspec_lint.documents.locator",
    "opspec_lint.fixes.files",
    "opspec_lint.frameworks.flatbuffers.formats.fbs",
    "opspec_lint.frameworks.interface.formats.model",
    "opspec_lint.frameworks.onnx.formats.onnx_schemas",
    "opspec_lint.frameworks.onnx.marks",
    "opspec_lint.frameworks.paddle.agreement",
    "opspec_lint.frameworks.paddle.companions.op_versions",
    "opspec_lint.frameworks.paddle.formats.print_op_desc",
    "opspec_lint.frameworks.paddle.marks",
    "opspec_lint.frameworks.paddle.profiles.paddle",
    "opspec_lint.frameworks.paddle.unbuilt",
    "opspec_lint.frameworks.paddle.wording",
    "opspec_lint.frameworks.pytorch.marks",
    "opspec_lint.frameworks.tensorflow.marks",
    "opspec_lint.frameworks.tflite.marks",
    "opspec_lint.git.open_repository",
    "opspec_lint.lint.anchors_in_file",
    "opspec_lint.lint.fixer",
    "opspec_lint.lint.rules.attrs.attr_added_with_default",
    "opspec_lint.lint.rules.attrs.attr_removed",
    "opspec_lint.lint.rules.attrs.attr_renamed",
    "opspec_lint.lint.rules.op_versions.op_version_unknown",
    "opspec_lint.lint.rules.ops.op_removed",
    "opspec_lint.project.check",
    "opspec_lint.project.crossed",
    "opspec_lint.project.recognition",
    "opspec_lint.project.releases",
    "opspec_lint.report.details",
    "opspec_lint.report.reporters.text",
    "opspec_lint.sources.repositories",
    "typing",
    "yaml",
)
"""Modules that most checks of a repository import."""
_CRASHED = 70


def run(arguments, *, cwd, env, preexec_fn=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
    """Run opspec-lint as `subprocess.run` does, and return the completed process, as text."""
    for name in _IMPORTED:
        importlib.import_module(name)
    ends = [os.pipe() if stream == subprocess.PIPE else None for stream in (stdout, stderr)]
    taken = [end[1] if end else _number(given) for end, given in zip(ends, (stdout, stderr), strict=True)]
    child = fork()
    if not child:
        _be_the_child(arguments, cwd, env, preexec_fn, taken)
    for _, writing in filter(None, ends):
        os.close(writing)
    try:
        read = _read([reading for reading, _ in filter(None, ends)])
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
    texts = [read[end[0]].decode("utf-8", "surrogateescape") if end else None for end in ends]
    return subprocess.CompletedProcess(arguments, os.waitstatus_to_exitcode(status), *texts)


def _number(stream):
    return stream if isinstance(stream, int) else stream.fileno()


def _read(readings):
    """Read what is written to some pipes until all are closed, and close them."""
    data = dict.fromkeys(readings, b"")
    end = time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as waiting:
        for reading in readings:
            waiting.register(reading, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select(end - time.monotonic()):
                piece = os.read(key.fd, 1 << 16)
                data[key.fd] += piece
                if not piece:
                    waiting.unregister(key.fd)
                    os.close(key.fd)
            assert time.monotonic() < end, "it does not end"
    return data


def _be_the_child(arguments, cwd, env, preexec_fn, outputs):
    """Be the process that runs opspec-lint: never return."""
    gc.freeze()  # a collection would touch, and so copy, all memory of the parent
    try:
        os.chdir(cwd)
        for number, stream in enumerate((os.open(os.devnull, os.O_RDONLY), *outputs)):
            os.dup2(stream, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        _as_python_starts(arguments, env)
        if preexec_fn is not None:
            preexec_fn()
        start.opspec_lint()
    except BaseException:
        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
    finally:
        os._exit(_CRASHED)


def _as_python_starts(arguments, env):
    """Set the environment, the signals and the streams of this process as they are when an interpreter starts."""
    os.environ.clear()
    os.environ.update(env)
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # This process may have started a tracker, whose descriptor the fork has closed.
    resource_tracker._resource_tracker._fd = resource_tracker._resource_tracker._pid = None
    sys.argv = ["opspec-lint", *arguments]
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
