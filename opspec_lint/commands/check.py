"""Compare two specs and judge every difference.

BASE is what saved models were made under, HEAD is what is to take its place. Each is a spec file (a canonical spec in
JSON or YAML, or the output of Paddle's print_op_desc), such a file at a revision of the repository around us
(REVISION:PATH) or in its index (:PATH), or a source:
"""

from __future__ import annotations

import os

from opspec_lint import catalogue, profile, sources
from opspec_lint.check import check
from opspec_lint.errors import CLEAN, FINDINGS, UsageError
from opspec_lint.options import Outcome, listed, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.findings import Report
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
        action="append",
        type=_format,
        metavar="NAME[=FILE]",
        help=f"the output format, and the file it goes to; may be repeated: {', '.join(formats())} (default: text)",
    )
    parser.add_argument("--output", metavar="FILE", help="where a report without a file of its own goes")
    parser.add_argument("--op", action="append", metavar="OP", help="look at this op alone; may be repeated")
    parser.add_argument("--base-op-versions", metavar="FILE", help="the op versions of BASE, in place of any it brings")
    parser.add_argument("--head-op-versions", metavar="FILE", help="the op versions of HEAD, in place of any it brings")


def run(options: Namespace, *, color: bool) -> Outcome:
    """Check, and return the report; the exit code is 1 if anything is at error level."""
    wanted = _destinations(options.format or [("text", None)], options.output)
    base = with_versions(sources.resolve(options.base, options.environment), options.base_op_versions)
    head = with_versions(sources.resolve(options.head, options.environment), options.head_op_versions)
    policy = profile.load(options.profile) if options.profile else None
    report = check(base, head, policy, options.op)
    reporters = {name: catalogue.module("reporters", name) for name, _ in wanted}
    if any(getattr(reporter, "WANTS_LINES", False) for reporter in reporters.values()):
        report = _with_lines(report, options)
    files = {file: reporters[name].render(report) for name, file in wanted if file is not None}
    text = "".join(reporters[name].render(report, color=color) for name, file in wanted if file is None)
    return Outcome(text=text, code=FINDINGS if report.failed else CLEAN, files=files)


def _format(word: str) -> tuple[str, str | None]:
    name, separator, file = word.partition("=")
    return one_of("format", formats)(name), file if separator else None


def _destinations(wanted: list[tuple[str, str | None]], output: str | None) -> list[tuple[str, str | None]]:
    """Return the formats with the file that each goes to; None, for one at most, is standard output.

    Raises:
        UsageError: two go to the same place, one to a file without a name, or none to `--output`.
    """
    if output is not None and all(file is not None for _, file in wanted):
        raise UsageError("every format names a file, so that none goes to --output", advice="leave one of them out")
    named = [(name, output if file is None else file) for name, file in wanted]
    places: dict[str | None, str] = {}
    for name, file in named:
        if file == "":
            raise UsageError(f"the format {name} names no file", advice="write --format NAME=FILE")
        place = file and os.path.realpath(file)
        if place in places:
            problem = f"the formats {places[place]} and {name} go to the same place"
            raise UsageError(problem, advice="name a file for one: --format NAME=FILE")
        places[place] = name
    return named


def _with_lines(report: Report, options: Namespace) -> Report:
    """Return the report with the lines of its findings in the spec files that were compared."""
    from opspec_lint import places
    from opspec_lint.locate import Locator

    texts = (sources.text(reference, options.environment) for reference in (options.base, options.head))
    base, head = (None if text is None else Locator(file, text) for file, text in texts)
    return places.locate(report, base, head)


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
