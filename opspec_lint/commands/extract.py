"""Write the spec of a source as a canonical spec file.

SOURCE is a spec file in any format, such a file at a revision (REVISION:PATH) or in the index (:PATH), or one of:
"""

from __future__ import annotations

from opspec_lint import sources, specfile
from opspec_lint.commands.check import configure_reading, reading, schemes, with_versions
from opspec_lint.errors import CLEAN
from opspec_lint.options import Outcome
from opspec_lint.plain import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.model import Remark
    from opspec_lint.options import Parser

SUMMARY = "write the spec of a source as a spec file"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.listing = schemes
    parser.add_argument("source", metavar="SOURCE", help="what to take the spec from")
    parser.add_argument("--output", metavar="FILE", help="write the spec there, instead of to standard output")
    configure_reading(parser)
    parser.add_argument("--op-versions", metavar="FILE", help="the op versions of SOURCE, in place of any it brings")


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - a spec file has no colours
    """Extract, and return the canonical text."""
    resolved = sources.resolve(options.source, options.environment, settings=reading(options))
    spec = with_versions(resolved, options.op_versions)
    unresolved = tuple(map(_line, spec.remarks))
    text = specfile.dumps(spec)
    if options.output is None:
        return Outcome(text=text, code=CLEAN, remarks=unresolved)
    remark = f"{options.output}: {plural(len(spec.ops), 'op')}"
    remarks = (*unresolved, remark)
    return Outcome(text="", code=CLEAN, files={options.output: text}, makes_folder=True, remarks=remarks)


def _line(remark: Remark) -> str:
    """Return a remark of the extractor on one line, in the words of its rule."""
    from opspec_lint import rulebook

    facts = {"name": remark.name, "op": remark.op or "", **remark.facts}
    place = f"{remark.origin.file}:{remark.origin.line}: " if remark.origin else ""
    return f"{place}{rulebook.load(remark.event).message.format_map(facts)}"
