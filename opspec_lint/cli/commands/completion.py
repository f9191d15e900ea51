"""Print a script by which a shell completes the commands, their options, and the values of options.

SHELL is one of:
"""

from __future__ import annotations

from opspec_lint.cli.completion import SHELLS, program
from opspec_lint.kit.command_line import Outcome, choice_of, summary_lines
from opspec_lint.kit.errors import CLEAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options

SUMMARY = "print a completion script for a shell"
EXAMPLES = ("opspec-lint completion bash > ~/.local/share/bash-completion/completions/opspec-lint",)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.listing = lambda: summary_lines(SHELLS.names(), lambda name: SHELLS.load(name).SUMMARY)
    arguments.add(
        "shell",
        metavar="SHELL",
        accept=choice_of("shell", SHELLS.names),
        known=SHELLS.names,
        help=lambda: f"the shell: {', '.join(SHELLS.names())}",
    )


def run(options: Options) -> Outcome:
    """Return the script."""
    return Outcome(text=SHELLS.load(options.shell).render(program("opspec-lint")), code=CLEAN)
