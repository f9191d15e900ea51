"""Compare two outputs of print_op_desc, as Paddle's own tools/check_op_desc.py does.

Without --op-versions it prints the block of the script of January 2020, which is the wiki's; with it the two blocks of
the script's last version. As with the originals, findings leave the exit code at 0.
"""

from __future__ import annotations

from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options

_USAGE = "Usage: python check_op_desc.py OP_DESC_DEV.spec OP_DESC_PR.spec\n"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.usage = "check_op_desc [--op-versions FILE] BASE PR"
    arguments.add("specs", metavar="SPEC", values="*", help="the op descs of the develop branch, then of the PR's")
    arguments.add("--op-versions", metavar="FILE", help="the op version registry of the PR branch")


def run(options: Options) -> Outcome:
    """Compare, and return the output of the original; raise InputError for a file of another form."""
    from opspec_lint.frameworks.paddle import replay

    if len(options.specs) != 2:
        return Outcome(text=_USAGE, code=CLEAN)
    base, pr = map(replay.load, options.specs)
    if options.op_versions is None:
        return Outcome(text=replay.check_2020(base, pr), code=CLEAN, is_raw=True)
    output = replay.check_2021(base, pr, replay.load_versions(options.op_versions))
    return Outcome(text=output, code=CLEAN, is_raw=True)
