"""Print the op descs of an installed Paddle, byte for byte as its own tools/print_op_desc.py does."""

from __future__ import annotations

from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import CLEAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("--python", metavar="PYTHON", help="the interpreter that has Paddle installed (default: this one)")
    arguments.add("--op-versions", metavar="FILE", help="also write the op version registry to this file")


def run(options: Options) -> Outcome:
    """Ask the Paddle, and return what its own script would print.

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle.
    """
    from opspec_lint.frameworks.paddle.sources.runtime import probe

    told = probe(options.python or "", options.environment)
    files = []
    if options.op_versions is not None:
        import json

        text = json.dumps(told["op_versions"] or {}, indent=1, sort_keys=True) + "\n"
        files.append(OutputFile(path=options.op_versions, content=text))
    return Outcome(text=told["op_desc"] + "\n", code=CLEAN, files=files)
