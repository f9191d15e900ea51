"""Write the spec of a source as a canonical spec file.

SOURCE is a spec file in any format, such a file at a revision (REVISION:PATH) or in the index (:PATH), an included
spec (paddle@2.6.2; `opspec-lint specs` lists them), or one of:
"""

from __future__ import annotations

from opspec_lint.api.comparing import with_versions
from opspec_lint.cli.shared_options import configure_reading, outcome, reading, schemes
from opspec_lint.kit.errors import CLEAN
from opspec_lint.kit.text import plural
from opspec_lint.lint.remarks import remark_message
from opspec_lint.sources import references
from opspec_lint.spec import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options, Outcome

SUMMARY = "write the spec of a source as a spec file"
EXAMPLES = (
    "opspec-lint extract paddle-runtime --output specs/paddle.json",
    "opspec-lint extract paddle-source:.@v3.0.0 --output specs/paddle-3.0.0.json",
)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.listing = schemes
    arguments.add("source", metavar="SOURCE", help="the source of the spec")
    arguments.add("--output", metavar="FILE", help="the file for the spec (default: -, standard output)")
    configure_reading(arguments)
    arguments.add("--op-versions", metavar="FILE", help="the op versions of SOURCE; they replace those in its spec")


def run(options: Options) -> Outcome:
    """Extract the spec, and return its canonical text."""
    resolved = references.resolve(options.source, reading(options)).spec
    spec = with_versions(resolved, options.op_versions)
    unresolved = tuple(map(remark_message, spec.remarks))
    text = canonical.dumps(spec)
    result = outcome(text, CLEAN, options.output)
    counts = tuple(f"{file.path}: {plural(len(spec.ops), 'op')}" for file in result.files)
    return result.replace(remarks=(*unresolved, *counts))
