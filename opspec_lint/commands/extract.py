"""Write the spec of a source as a canonical spec file.

SOURCE is a spec file in any format, such a file at a revision (REVISION:PATH) or in the index (:PATH), or one of:
"""

from __future__ import annotations

from opspec_lint import sources, specfile
from opspec_lint.commands.check import schemes, with_versions
from opspec_lint.errors import CLEAN
from opspec_lint.options import Outcome
from opspec_lint.plain import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.options import Parser

SUMMARY = "write the spec of a source as a spec file"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.listing = schemes
    parser.add_argument("source", metavar="SOURCE", help="what to take the spec from")
    parser.add_argument("--output", metavar="FILE", help="write the spec there, instead of to standard output")
    parser.add_argument("--op-versions", metavar="FILE", help="the op versions of SOURCE, in place of any it brings")


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - a spec file has no colours
    """Extract, and return the canonical text."""
    spec = with_versions(sources.resolve(options.source, options.environment), options.op_versions)
    text = specfile.dumps(spec)
    if options.output is None:
        return Outcome(text=text, code=CLEAN)
    remark = f"{options.output}: {plural(len(spec.ops), 'op')}"
    return Outcome(text="", code=CLEAN, files={options.output: text}, remarks=(remark,))
