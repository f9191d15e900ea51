"""Print the op descs of an installed Paddle, byte for byte as its own tools/print_op_desc.py does."""

from __future__ import annotations

from opspec_lint.errors import CLEAN
from opspec_lint.options import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.options import Parser


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("--python", metavar="PYTHON", help="the interpreter that has the Paddle (default: this one)")
    parser.add_argument("--op-versions", metavar="FILE", help="also write the op version registry there")


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - the original has no colours
    """Ask the Paddle, and return what its own script would print.

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle.
    """
    from opspec_lint.extractors.paddle_runtime import probe

    told = probe(options.python)
    files = {}
    if options.op_versions is not None:
        import json

        files[options.op_versions] = json.dumps(told.op_versions or {}, indent=1, sort_keys=True) + "\n"
    return Outcome(text=told.op_desc + "\n", code=CLEAN, files=files)
