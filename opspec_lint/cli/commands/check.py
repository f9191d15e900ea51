"""Compare two specs and judge every difference.

BASE is the spec that existing models were saved with, HEAD is the spec that replaces it. Each is a spec file (a
canonical spec in JSON or YAML, or the output of Paddle's print_op_desc), such a file at a revision of the repository
around us (REVISION:PATH) or in its index (:PATH), or a source.

Without BASE and HEAD, what the configuration names is checked, or else every spec file under specs/: the work tree
against its merge base with the upstream branch, or against HEAD where there is no upstream branch.
"""

from __future__ import annotations

import os

from opspec_lint.kit.command_line import Outcome, listed, one_of
from opspec_lint.kit.errors import CLEAN, FINDINGS, UsageError
from opspec_lint.lint import profile
from opspec_lint.lint.check import check, report
from opspec_lint.report import reporter
from opspec_lint.report.findings import LEVELS
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import references, source
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.interface.declarations import is_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.kit.terminal import Terminal
    from opspec_lint.lint.approvals import Reviews
    from opspec_lint.project.check import Request
    from opspec_lint.report.findings import Report
    from opspec_lint.report.reporter import Reporter
    from opspec_lint.report.versions import Versions
    from opspec_lint.sources.companion import Companion
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SUMMARY = "compare two specs and judge every difference"


def formats() -> list[str]:
    """Return the names of the output formats."""
    return REPORTERS.names()


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.listing = schemes
    arguments.add("base_spec", metavar="BASE", values="?", help="the spec that existing models were saved with")
    arguments.add("head_spec", metavar="HEAD", values="?", help="the spec that replaces it")
    configure_inputs(arguments)
    arguments.add(
        "--format",
        repeats=True,
        accept=_format,
        known=formats,
        metavar="NAME[=FILE]",
        help=lambda: (
            f"the output format, and the file it goes to; may be repeated: {', '.join(formats())} (default: text)"
        ),
    )
    arguments.add("--output", metavar="FILE", help="the file for the report (default: -, standard output)")
    arguments.add(
        "--fail-on",
        metavar="LEVEL",
        default="error",
        accept=one_of("level", _levels),
        known=_levels,
        help="the exit code is 1 from findings of this level on: note, warning or error (default: error)",
    )
    arguments.add("--quiet", values=0, help="print the report only if the check fails")
    arguments.add(
        "--color",
        metavar="WHEN",
        default="auto",
        accept=one_of("choice", _whens),
        known=_whens,
        help="colors in the text report: auto, always or never (default: auto)",
    )
    arguments.add("--statistics", values=0, help="count findings by rule; the same as --format statistics")
    arguments.add("--reviews", metavar="FILE", help="GitHub's list of reviews, for findings that need an approval")
    arguments.add("--author", metavar="LOGIN", help="the author of the change, who cannot approve it")
    arguments.add("--proofs", repeats=True, metavar="FILE", help="what `prove --format json` wrote, for the report")
    arguments.add("--released", metavar="VERSION", help="the version of BASE, from which the next version is derived")
    arguments.add("--next", metavar="VERSION", help="the next version; the check fails if it is too small")


def _levels() -> tuple[str, ...]:
    return LEVELS[1:]


def _whens() -> tuple[str, ...]:
    return ("auto", "always", "never")


def configure_inputs(arguments: Arguments) -> None:
    """Declare the options that say what is compared, and how; `base_spec` and `head_spec` are up to the command."""
    configure_ends(arguments)
    add = arguments.add
    add("--op", repeats=True, metavar="OP", help="check only this op, or those of a pattern ('conv*'); may be repeated")
    configure_reading(arguments)
    add("--base-op-versions", metavar="FILE", help="the op versions of BASE; they replace those in its spec")
    add("--head-op-versions", metavar="FILE", help="the op versions of HEAD; they replace those in its spec")


def configure_ends(arguments: Arguments) -> None:
    """Declare the options that say what of a repository is compared with what, and under which policy."""
    add = arguments.add
    add("--base", metavar="REVISION", help="compare with the merge base of HEAD and this revision")
    add("--exact", values=0, help="compare with the revision of --base itself, not with a merge base")
    add("--staged", values=0, help="check the staged files, not the work tree")
    add("--head", metavar="REVISION", help="check a revision, not the work tree")
    add("--fetch", values=0, help="fetch a revision that the clone lacks")
    add("--config", metavar="FILE", help="use this configuration file, not the repository's own")
    add("--waivers", metavar="FILE", help="use this waiver file, not the repository's own")
    add(
        "--profile",
        accept=one_of("profile", profile.names),
        known=profile.names,
        help=lambda: f"the policy: {', '.join(profile.names())} (default: that of the framework)",
    )


def configure_reading(arguments: Arguments) -> None:
    """Declare the options that say how a source tree is read."""
    add = arguments.add
    add(
        "--build",
        known=builds,
        metavar="BUILD",
        help="the build of a source tree: all, cpu, gpu or xpu (default: all)",
    )
    add("--no-cache", values=0, help="ignore the cache of source trees, and write nothing to it")


def builds() -> list[str]:
    """Return the names of the builds of a source tree."""
    every = (source.load(scheme).builds for scheme in SOURCES.names())
    return list(dict.fromkeys(build for builds in every for build in builds))


def reading(options: Options) -> Reading:
    """Return how the options of `configure_reading` say that a source is to be read."""
    from opspec_lint.sources.reading import Reading

    return Reading(
        environment=options.environment,
        build=options.build,
        caches=not options.no_cache,
        may_fetch=getattr(options, "fetch", False),
        progress=options.progress,
        standard_input=options.standard_input,
    )


def run(options: Options) -> Outcome:
    """Check, and return the report; the exit code is 1 if anything is at error level."""
    formats_ = [*(options.format or ()), *([("statistics", None)] if options.statistics else ())]
    wanted = _destinations(formats_ or [("text", None)], options.output)
    reporters = {name: reporter.load(name) for name, _ in wanted}
    report = make_report(options, wants_lines=any(each.wants_lines for each in reporters.values()))
    if options.proofs:
        from opspec_lint.proof.attach import attached

        report = attached(report, options.proofs)
    files = {file: reporters[name].render(report) for name, file in wanted if file is not None}
    shown = [reporters[name] for name, file in wanted if file is None]
    fails = report.has(options.fail_on)
    is_silent = options.quiet and not fails
    text = "" if is_silent else "".join(_shown(report, each, options.terminal) for each in shown)
    return Outcome(text=text, code=FINDINGS if fails else CLEAN, files=files, makes_folder=True)


def _shown(report: Report, format_: Reporter, terminal: Terminal) -> str:
    return format_.render(report) if format_.render_on is None else format_.render_on(report, terminal)


def make_report(options: Options, *, wants_lines: bool) -> Report:
    """Return the report that `base_spec`, `head_spec` and the options of `configure_inputs` ask for.

    Raises:
        UsageError: they contradict each other.
    """
    of_repository = [name for name in ("base", "exact", "staged", "head") if getattr(options, name)]
    of_specs = [name for name in ("base_op_versions", "head_op_versions") if getattr(options, name)]
    if options.head_spec is not None:
        if options.base_spec == options.head_spec == references.STANDARD_INPUT:
            raise UsageError("BASE and HEAD are both standard input", advice="name a file for one of them")
        if of_repository:
            raise UsageError(f"--{of_repository[0]} applies to a repository, not to BASE and HEAD", advice=_WAYS)
        return _of_specs(options, wants_lines=wants_lines)
    if options.base_spec is not None or of_specs:
        raise UsageError("BASE was given without HEAD", advice=_WAYS)
    return _of_repository(options, wants_lines=wants_lines)


_WAYS = "name two specs, `check BASE HEAD`, or none: `check [--base REVISION] [--staged]`"


def _of_repository(options: Options, *, wants_lines: bool) -> Report:
    from opspec_lint.project.check import check_project

    return check_project(request_of(options, wants_lines=wants_lines))


def request_of(options: Options, *, wants_lines: bool = False) -> Request:
    """Return what of a repository the options of `configure_ends` ask for.

    Raises:
        UsageError: they contradict each other.
    """
    from opspec_lint.git.repository import INDEX, WORK_TREE

    base, head = options.base, options.head
    pushed = tuple(options.environment.get(f"PRE_COMMIT_{end}_REF") for end in ("FROM", "TO"))
    if options.staged:
        if head is not None:
            raise UsageError("--staged and --head name two heads", advice="remove one of the two")
        if base is None and all(pushed):  # pre-commit run --from-ref --to-ref, and before a push
            base, head = pushed
        else:
            head = INDEX
    if options.exact and base is None:
        raise UsageError("--exact needs --base", advice="name the revision to compare with")
    return _request(options, base=base, head=WORK_TREE if head is None else head, wants_lines=wants_lines)


def _of_specs(options: Options, *, wants_lines: bool) -> Report:
    reviews = [name for name in ("reviews", "author") if getattr(options, name, None) is not None]
    if reviews and not options.config:
        raise UsageError(f"--{reviews[0]} needs a configuration that names reviewers", advice="name it with --config")
    asks_for_more = options.config or options.waivers or _versions(options)
    request = _request(options) if asks_for_more else None
    from opspec_lint.documents.json_text import Memo

    how = reading(options).but(memo=Memo())
    base, head = (
        with_versions(references.resolve(reference, how), versions)
        for reference, versions in (
            (options.base_spec, options.base_op_versions),
            (options.head_spec, options.head_op_versions),
        )
    )
    if request is not None:
        from opspec_lint.project.check import check_specs

        found = check_specs(base, head, request)
    else:
        policy = profile.load(options.profile) if options.profile else None
        found = report(check(base, head, policy, options.op))
    is_small = any(is_interface(each.head.provenance) for each in found.comparisons) and found.findings
    return _with_lines(found, options) if wants_lines or is_small else found


def _request(options: Options, **ends: Any) -> Request:
    from opspec_lint.project.check import Request

    return Request(
        reading=reading(options),
        is_exact=options.exact,
        config=options.config,
        waivers=options.waivers,
        profile=options.profile,
        only=None if options.op is None else tuple(options.op),
        reviews=_reviews(options),
        versions=_versions(options),
        is_ci=options.environment.get("CI", "").lower() not in _NO,
        today=options.today,
        **ends,
    )


_NO = ("", "0", "false", "no")
"""The values of the variable CI, which all the common CI systems set, that deny one."""


def _reviews(options: Options) -> Callable[[], Reviews] | None:
    """Return how to come by the reviews; the file is read at once, so that a wrong one is never passed over.

    Raises:
        UsageError: it holds no reviews, or the author is no login.
    """
    path, author = getattr(options, "reviews", None), getattr(options, "author", None)
    if path is None:
        if author is not None:
            raise UsageError("--author requires --reviews", advice="name the file of the reviews")
        return None
    from opspec_lint.lint import approvals

    author = None if author is None else approvals.parse_login(author, "--author")
    found = approvals.Reviews(reviews=approvals.read(path), author=author)
    return lambda: found


def _versions(options: Options) -> Versions | None:
    """Return the versions that the options name.

    Raises:
        UsageError: one is none, or the released one is missing.
    """
    released, following = getattr(options, "released", None), getattr(options, "next", None)
    if released is None and following is None:
        return None
    from opspec_lint.report.versions import named

    return named(released, following, ("--released", "--next"))


def _format(word: str) -> tuple[str, str | None]:
    name, separator, file = word.partition("=")
    return one_of("format", formats)(name), file if separator else None


def _destinations(wanted: list[tuple[str, str | None]], output: str | None) -> list[tuple[str, str | None]]:
    """Return the formats with the file that each goes to; None, for one at most, is standard output.

    Raises:
        UsageError: two go to the same place, one to a file without a name, or none to `--output`.
    """
    if output is not None and all(file is not None for _, file in wanted):
        raise UsageError("every format names its own file, so --output has no effect", advice="remove one of the two")
    named = [(name, output if file is None else file) for name, file in wanted]
    named = [(name, None if file == "-" else file) for name, file in named]
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


def _with_lines(found: Report, options: Options) -> Report:
    """Return the report with the lines of its findings in the spec files that were compared."""
    from opspec_lint.documents.locator import Locator
    from opspec_lint.lint import anchors_in_file

    how = reading(options)
    sides = [references.text(reference, how) for reference in (options.base_spec, options.head_spec)]
    base, head = (None if text is None else Locator(file, text) for file, text in sides)
    paths = [None if text is None else file for file, text in sides]
    located = (anchors_in_file.locate(each, base, head) for each in found.comparisons)
    return found.but(
        comparisons=tuple(
            each.but(base=each.base.but(path=paths[0]), head=each.head.but(path=paths[1])) for each in located
        )
    )


def schemes() -> str:
    """Return the scheme of every source, with a line on each."""
    return listed(SOURCES.names(), lambda scheme: source.load(scheme).summary)


def with_versions(spec: Spec, path: str | None) -> Spec:
    """Return a spec with the op versions of a file, where one is named.

    Raises:
        InputError: the file cannot be read, or holds no op versions.
    """
    if path is None:
        return spec
    from opspec_lint.documents.decode import read_document
    from opspec_lint.sources.companion import COMPANIONS

    companion: Companion = COMPANIONS.load("op_versions").COMPANION
    return companion.complete(spec, read_document(path))
