"""Entry points of the programs opspec-lint, print_op_desc and check_op_desc: all input, output and exit codes."""

from __future__ import annotations

import gc
import os
import sys
import time

from opspec_lint.cli import interrupts
from opspec_lint.kit import lifetime
from opspec_lint.kit.command_line import Arguments, Outcome
from opspec_lint.kit.errors import (
    CLEAN,
    FAILED,
    InputError,
    OpspecError,
    Terminated,
    UsageError,
    internal_error,
    similar_name_advice,
    unknown_name,
)
from opspec_lint.kit.terminal import Terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opspec_lint.cli.command import Replay

_PROGRAM = "opspec-lint"
_SIGNALLED = 128
"""The exit code of a program that a signal ends is this and the number of the signal, as for shells."""
_VTE_WITH_LINKS = 5000
"""The first version of VTE, the terminal of GNOME, that supports hyperlinks."""
_WITH_LINKS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby")


def main(argv: Sequence[str] | None = None) -> int:
    """Run opspec-lint and return its exit code: 0 clean, 1 findings, 2 wrong usage, 3 unreadable input or failure."""
    return _run_safely(_PROGRAM, lambda: _command(list(sys.argv[1:] if argv is None else argv)))


def entry(program: Callable[[], int] = main) -> None:
    """Run a program, and end the process with its exit code.

    A check leaves a hundred thousand objects behind, and freeing them one by one takes Python as long as comparing
    them. So the process ends without cleaning up, after everything was flushed.
    """
    gc.disable()  # a program that lives for some milliseconds has no garbage worth looking for
    lifetime.end_at_once()
    try:
        interrupts.raise_an_exception()
        code = program()
    except KeyboardInterrupt:
        code = interrupts.INTERRUPTED
    os._exit(code)


def print_op_desc(argv: Sequence[str] | None = None) -> int:
    """Run the replay of Paddle's print_op_desc.py."""
    return _run_safely("print_op_desc", lambda: _replay("print_op_desc", argv))


def check_op_desc(argv: Sequence[str] | None = None) -> int:
    """Run the replay of Paddle's check_op_desc.py."""
    return _run_safely("check_op_desc", lambda: _replay("check_op_desc", argv))


def _command(arguments: list[str]) -> Outcome:
    """Run the command that the first argument names, or return the help text or the version."""
    if sys.flags.optimize > 1:
        raise UsageError(
            "the texts of rules and commands are docstrings, which `python -OO` removes",
            advice="run it without `-OO`, and without PYTHONOPTIMIZE=2",
        )
    # Modules that not every command needs are imported where they are used, since start-up dominates small commands.
    from opspec_lint.cli.command import COMMANDS

    if not arguments:
        raise UsageError("no command was given", advice=f"`{_PROGRAM} --help` lists them")
    command = arguments[0]
    if command in ("--version", "-V"):
        from opspec_lint import __version__

        return Outcome(text=f"{_PROGRAM} {__version__}\n", code=CLEAN)
    if command in ("--help", "-h") or arguments == ["help"]:
        return Outcome(text=_help(), code=CLEAN)
    if command == "help":
        return _command([arguments[1], "--help"])
    if command not in COMMANDS:
        if command.startswith("-"):
            raise _unknown_option(command)
        raise unknown_name("command", command, [*COMMANDS.names(), "--help", "--version"])
    return _run(COMMANDS.load(command), f"{_PROGRAM} {command}", arguments[1:])


def _unknown_option(option: str) -> UsageError:
    """Return the error for an option in place of a command; the name of a format is often meant."""
    from opspec_lint.report.reporter import REPORTERS

    name = option.lstrip("-")
    if name in REPORTERS:
        return UsageError(
            f"unknown option {option!r}",
            advice=f"write --format {name} after the command: `opspec-lint check BASE HEAD --format {name}`",
        )
    near = similar_name_advice(option, ("--help", "--version"))
    return UsageError(f"unknown option {option!r}", advice=near or "the command comes first: `opspec-lint COMMAND ...`")


def _replay(name: str, argv: Sequence[str] | None) -> Outcome:
    from opspec_lint.cli.command import REPLAYS

    return _run(REPLAYS.load(name), name, list(sys.argv[1:] if argv is None else argv))


def _run(module: Replay, program: str, arguments: list[str]) -> Outcome:
    """Parse the arguments of a command, and run it with the time, the terminal and the environment."""
    declared = Arguments()
    module.configure(declared)
    wants_help = not {"--help", "-h"}.isdisjoint(arguments)
    options = None if wants_help else declared.parse(arguments)
    if options is None:
        from opspec_lint.cli.parser import Parser

        parser = Parser(program, module.__doc__ or "", declared, getattr(module, "EXAMPLES", ()))
        if wants_help:
            return Outcome(text=parser.format_help(), code=CLEAN)
        options = parser.parse(arguments)
    options.environment = dict(os.environ)
    options.progress = _show_progress
    options.clock = time.monotonic
    options.tell = (
        None
        if _is_progress_shown()
        else lambda line: _print_to_stderr(_escape_control_characters(f"{program}: {line}"))
    )
    options.terminal = _terminal(getattr(options, "color", "auto"))
    options.standard_input = _StandardInput()
    options.today, options.calendar = _today(), _today
    if not _is_progress_shown():
        return module.run(options)
    from opspec_lint.cli.at_work import at_work

    with at_work(program, _show_progress) as options.progress:
        return module.run(options)


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def _help() -> str:
    """Return the text of `--help`, with all commands."""
    from opspec_lint.cli.command import COMMANDS, summary_of

    lines = [f"  {name:<10} {summary_of(name)}" for name in COMMANDS.names()]
    return "\n".join(
        [
            f"usage: {_PROGRAM} [--help] [--version] COMMAND ...",
            "",
            "Checks that a change to a framework's operators keeps every saved model working.",
            "",
            *lines,
            "",
            f"`{_PROGRAM} COMMAND --help` shows the options of a command.",
            "Exit codes: 0 clean, 1 findings at error level, 2 wrong usage, 3 unreadable input or failure,",
            "130 interrupted.",
            "",
        ]
    )


def _terminal(when: str) -> Terminal:
    is_terminal = _is_terminal()
    has_color = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    color = when == "always" or (when == "auto" and has_color)
    width = _width() if is_terminal else None
    return Terminal(color=color, width=width, has_links=color and is_terminal and _takes_links())


def _takes_links() -> bool:
    """Return whether the terminal is known to support hyperlinks (OSC 8), or the user says so."""
    if "FORCE_HYPERLINK" in os.environ:
        return os.environ["FORCE_HYPERLINK"] not in ("", "0")
    # Other terminals would print the escape sequences of links as text.
    vte = os.environ.get("VTE_VERSION", "")
    return (
        (vte.isdecimal() and int(vte) >= _VTE_WITH_LINKS)
        or os.environ.get("TERM_PROGRAM") in _WITH_LINKS
        or os.environ.get("TERM") in ("xterm-kitty", "xterm-ghostty", "alacritty", "foot")
        or "WT_SESSION" in os.environ
    )


def _width() -> int | None:
    from contextlib import suppress

    if os.environ.get("COLUMNS", "").isdecimal():
        return int(os.environ["COLUMNS"]) or None
    with suppress(OSError):
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    return None


class _StandardInput:
    """The content of standard input, read at the first call."""

    def __init__(self) -> None:
        self._data: bytes | None = None

    def __call__(self) -> bytes:
        """Return the bytes. Raises InputError if standard input cannot be read, or is larger than any spec."""
        if self._data is None:
            self._data = self._read()
        return self._data

    def _read(self) -> bytes:
        """Return the bytes of standard input. Raises InputError if it is closed or too large."""
        from opspec_lint.kit.limits import MAX_BYTES, too_large
        from opspec_lint.kit.named_file import read_bounded

        name = "standard input"
        if sys.stdin is None:
            raise InputError(name, "is closed")
        try:
            data = read_bounded(sys.stdin.buffer, MAX_BYTES)
        except OSError as error:
            raise InputError(name, f"cannot be read: {error.strerror}") from None
        if len(data) > MAX_BYTES:
            raise too_large(name)
        return data


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _run_safely(program: str, run: Callable[[], Outcome]) -> int:
    """Run a program and deliver its outcome; turn every error into one message and an exit code."""
    try:
        return _deliver(run(), program)
    except OpspecError as error:
        for problem in (error, *error.others):
            _print_error(program, problem.message, problem.advice)
        return error.exit_code
    except BrokenPipeError:
        return FAILED  # the reader has seen enough
    except KeyboardInterrupt:
        return interrupts.INTERRUPTED
    except Terminated as ended:
        return _SIGNALLED + ended.number
    except Exception as error:
        return _report_bug(program, error)


def _deliver(outcome: Outcome, program: str) -> int:
    """Write the files of an outcome, then print its text, parts and remarks; return its exit code.

    Files come first, so that a text that names them is true.
    """
    if outcome.folder:
        from opspec_lint.cli import whole_folder

        whole_folder.write(outcome.folder, outcome.files)
    elif outcome.files:
        from opspec_lint.cli import output

        for file in outcome.files:
            output.write(
                file.path,
                file.content,
                below=file.below,
                makes_folder=outcome.makes_folder,
                is_new=file.is_new,
                is_durable=file.is_durable,
            )
    if outcome.text:
        _print(_escape_control_characters(outcome.text) if outcome.is_raw and _is_terminal() else outcome.text)
    for part in outcome.parts:
        _print(part)
    for remark in outcome.remarks:
        _print_to_stderr(_escape_control_characters(f"{program}: {remark}"))
    return outcome.code


def _show_progress(doing: str) -> None:
    """Replace the progress line on the terminal, "" to clear it; do nothing elsewhere."""
    if _is_progress_shown():
        from contextlib import suppress

        with suppress(OSError):
            print(f"\r\x1b[K{doing}", end="", file=sys.stderr, flush=True)


def _is_progress_shown() -> bool:
    """Return whether standard error is a terminal on which a line can be replaced."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _escape_control_characters(text: str) -> str:
    from opspec_lint.kit.text import one_line

    return "\n".join(map(one_line, text.split("\n")))


def _print(text: str) -> None:
    """Write a text to standard output at once, whatever the encoding of the terminal."""
    if sys.stdout is None:
        raise OpspecError("standard output is closed")
    try:
        # The encoding of the terminal may lack characters of op names, which must not end the program.
        rest = memoryview(text.encode("utf-8", "backslashreplace"))
        # Unbuffered output (PYTHONUNBUFFERED, usual in containers) takes only a part where a signal interrupts a write.
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer must not be written when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise OpspecError(f"standard output cannot be written: {error.strerror}") from None


def _print_to_stderr(line: str) -> None:
    """Print a line to standard error; errors are ignored, since the exit code has the verdict."""
    from contextlib import suppress

    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr, flush=True)


def _print_error(program: str, message: str, advice: str) -> None:
    from opspec_lint.kit.text import one_line

    _print_to_stderr(f"{program}: error: {one_line(message)}")
    if advice:
        _print_to_stderr(f"{program}: advice: {one_line(advice)}")


def _report_bug(program: str, error: Exception) -> int:
    """Print an error of the program itself, and return its exit code."""
    # For a bug report; users otherwise get one message, and never a traceback.
    if os.environ.get("OPSPEC_LINT_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    internal = internal_error(error)
    _print_error(program, internal.message, internal.advice)
    return FAILED
