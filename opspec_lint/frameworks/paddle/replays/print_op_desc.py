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
    """Query an installed Paddle, and return the output of Paddle's script.

    Raises InputError for an interpreter that cannot run, or has no Paddle.
    """
    from opspec_lint.frameworks.paddle.sources.runtime import probe

    answer = probe(options.python or "", options.environment)
    files = []
    if options.op_versions is not None:
        import json

        text = json.dumps(answer["op_versions"] or {}, indent=1, sort_keys=True) + "\n"
        files.append(OutputFile(path=options.op_versions, content=text))
    return Outcome(text=answer["op_desc"] + "\n", code=CLEAN, files=files)
