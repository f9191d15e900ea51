"""Trial of the README's test command where machines differ: `python -m tools.suite_trials --python PYTHON...`.

Each run has a fresh clone of a revision and a fresh environment. A condition is how the machine treats the run:

- `idle`: nothing else runs, if the caller sees to it
- `busy`: six endless loops run beside it
- `nohup`: in the background, with SIGINT and SIGHUP ignored, no terminal and no standard input
- `user`: as an ordinary user, which only root can try

The closing line of pytest, the slowest tests, and the skipped and failed ones are printed for each run. The exit code
is 1 if a run fails.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOP = Path(__file__).parents[1]
CONDITIONS = ("idle", "busy", "nohup", "user")
_LOOPS = 6
_SLOWEST = 30
_COMMAND = re.compile(r"<!-- the test command -->\s*```sh\n(.*?)\n```", re.DOTALL)
_SUMMARY = re.compile(
    r"^=+ (?:slowest \d+ durations|short test summary info) =+$\n(.*?)(?=^=)", re.DOTALL | re.MULTILINE
)
_SCRIPT = '{ [ -z "$IGNORED" ] || trap \'\' INT HUP; }; . "$1/bin/activate" && eval "$2"'


class Outcome(Record):
    """The end of a run: the exit code, the wall time in seconds, and what pytest printed."""

    code: int
    seconds: float
    output: str

    @property
    def closing_line(self) -> str:
        """The last line, without the signs around it; empty if nothing was printed."""
        lines = self.output.strip().splitlines()
        return lines[-1].strip("= ") if lines else ""

    @property
    def details(self) -> str:
        """The slowest tests, and the skipped and failed ones, as pytest lists them."""
        return "\n".join(match[1].rstrip() for match in _SUMMARY.finditer(self.output))


def main() -> None:
    """Run the command for all interpreters and conditions; exit with 1 if a run fails."""
    options = _options()
    codes = []
    for python in options.python:
        for condition in options.condition:
            outcome = try_suite(python, condition, options.revision, options.user)
            codes.append(outcome.code)
            print(f"{python} {condition}: exit code {outcome.code}, {outcome.seconds:.0f} s: {outcome.closing_line}")
            print(outcome.details, flush=True)
    sys.exit(any(codes))


def test_command(readme: str) -> str:
    """Return the command that the README names for all tests.

    Raises:
        ValueError: the README marks no command.
    """
    match = _COMMAND.search(readme)
    if match is None:
        raise ValueError("README.md: no block of shell behind the comment `the test command`")
    return match[1]


def try_suite(python: str, condition: str, revision: str, user: str = "nobody") -> Outcome:
    """Run the README's test command of a revision in a fresh clone and environment.

    Args:
        python: the interpreter that the environment is made with.
        condition: one of `CONDITIONS`.
        revision: a revision of this repository.
        user: the name of the user that `user` runs as.
    """
    folder = Path(tempfile.mkdtemp(prefix="suite-"))
    try:
        clone, environment = folder / "clone", folder / "environment"
        _run("git", "clone", "--quiet", str(TOP), str(clone))
        _run("git", "-C", str(clone), "checkout", "--quiet", "--detach", revision)
        # Pythons of Debian have no ensurepip, so the pip that runs here installs another.
        _run(python, "-m", "venv", "--without-pip", str(environment))
        _run(sys.executable, "-m", "pip", "-q", "--python", str(environment / "bin/python"), "install", "pip")
        (folder / "home").mkdir()
        identity = _give_to(folder, user) if condition == "user" else {}
        variables = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))},
            "PYTEST_ADDOPTS": f"-rfEs --durations={_SLOWEST}",
            "IGNORED": "1" if condition == "nohup" else "",
            **({"HOME": str(folder / "home"), "TMPDIR": str(folder)} if identity else {}),
        }
        command = ("bash", "-c", _SCRIPT, "bash", str(environment), test_command((clone / "README.md").read_text()))
        with _loops(_LOOPS if condition == "busy" else 0):
            began = time.monotonic()
            done = subprocess.run(
                command,
                cwd=clone,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                start_new_session=True,
                preexec_fn=_restore_signals,
                **identity,
            )
        return Outcome(code=done.returncode, seconds=time.monotonic() - began, output=done.stdout)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _restore_signals() -> None:
    """Undo that this program may run in the background itself."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _run(*command: str) -> None:
    """Run a command; exit with its message if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"suite_trials: `{' '.join(command)}`: {error.strerror}; name a program that exists")
    if done.returncode:
        sys.exit(f"suite_trials: `{' '.join(command)}`: {done.stderr.strip()}")


def _give_to(folder: Path, user: str) -> dict[str, int]:
    """Give a folder to a user, and return the arguments of `subprocess.run` that make it the user of a process."""
    entry = pwd.getpwnam(user)
    _run("chown", "-R", f"{entry.pw_uid}:{entry.pw_gid}", str(folder))
    return {"user": entry.pw_uid, "group": entry.pw_gid}


@contextlib.contextmanager
def _loops(count: int) -> Iterator[None]:
    """Keep a number of processes busy meanwhile."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.send_signal(signal.SIGKILL)
            process.wait()


def _options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.suite_trials", description=__doc__.split("\n\n")[0])
    parser.add_argument("--python", nargs="+", default=[sys.executable], help="interpreters (default: this one)")
    parser.add_argument(
        "--condition", nargs="+", choices=CONDITIONS, default=CONDITIONS[:3], help="default: idle, busy and nohup"
    )
    parser.add_argument("--revision", default="HEAD", help="what is tested (default: HEAD)")
    parser.add_argument("--user", default="nobody", help="whom `user` runs as (default: nobody)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
