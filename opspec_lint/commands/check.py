"""Compare two specs and judge every difference.

BASE is what saved models were made under, HEAD is what is to take its place. Each is a spec file (a canonical spec in
JSON or YAML, or the output of Paddle's print_op_desc), such a file at a revision of the repository around us
(REVISION:PATH) or in its index (:PATH), or a source:
"""

from __future__ import annotations

from opspec_lint import catalogue, profile, sources
from opspec_lint.check import check
from opspec_lint.errors import CLEAN, FINDINGS
from opspec_lint.options import Outcome, listed, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.model import Spec
    from opspec_lint.options import Parser

SUMMARY = "compare two specs and judge every difference"


def formats() -> list[str]:
    """Return the names of the output formats."""
    return catalogue.names("reporters")


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.listing = schemes
    parser.add_argument("base", metavar="BASE", help="what saved models were made under")
    parser.add_argument("head", metavar="HEAD", help="what is to take its place")
    parser.add_argument(
        "--profile",
        type=one_of("profile", profile.names),
        help=f"the policy: {', '.join(profile.names())} (default: that of the framework)",
    )
    parser.add_argument(
        "--format",
        type=one_of("format", formats),
        default="text",
        help=f"the output format: {', '.join(formats())} (default: text)",
    )
    parser.add_argument("--output", metavar="FILE", help="write the report there, instead of to standard output")
    parser.add_argument("--op", action="append", metavar="OP", help="look at this op alone; may be repeated")
    parser.add_argument("--base-op-versions", metavar="FILE", help="the op versions of BASE, in place of any it brings")
    parser.add_argument("--head-op-versions", metavar="FILE", help="the op versions of HEAD, in place of any it brings")


def run(options: Namespace, *, color: bool) -> Outcome:
    """Check, and return the report; the exit code is 1 if anything is at error level."""
    base = with_versions(sources.resolve(options.base, options.environment), options.base_op_versions)
    head = with_versions(sources.resolve(options.head, options.environment), options.head_op_versions)
    policy = profile.load(options.profile) if options.profile else None
    report = check(base, head, policy, options.op)
    text = catalogue.module("reporters", options.format).render(report, color=color and options.output is None)
    return Outcome(text=text, code=FINDINGS if report.failed else CLEAN, output=options.output)


def schemes() -> str:
    """Return the scheme of every source, with a line on each."""
    modules = sources.extractors()
    return listed(modules, lambda scheme: catalogue.module("extractors", modules[scheme]).SUMMARY)


def with_versions(spec: Spec, path: str | None) -> Spec:
    """Return a spec with the op versions of a file, where one is named.

    Raises:
        InputError: the file cannot be read, or holds no op versions.
    """
    if path is None:
        return spec
    from opspec_lint import op_versions

    return spec.but(op_versions=op_versions.load(path))
