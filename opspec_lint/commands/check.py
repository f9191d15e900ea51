"""Compare two specs and judge every difference.

BASE is what saved models were made under, HEAD is what is to take its place. Each is a spec file (a canonical spec in
JSON or YAML, or the output of Paddle's print_op_desc), such a file at a revision of the repository around us
(REVISION:PATH) or in its index (:PATH), or a source.

Without BASE and HEAD, what the configuration names is checked, or else every spec file under specs/: the work tree
against the point where it and the upstream branch parted, or against HEAD where there is no upstream branch.
"""

from __future__ import annotations

import os

from opspec_lint import catalogue, profile, sources
from opspec_lint.check import check, judge_versions, report
from opspec_lint.errors import CLEAN, FINDINGS, UsageError
from opspec_lint.options import Outcome, listed, one_of, suggesting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.approvals import Reviews
    from opspec_lint.findings import Report
    from opspec_lint.model import Spec
    from opspec_lint.options import Parser
    from opspec_lint.project import Request
    from opspec_lint.release import Versions
    from opspec_lint.settings import Settings

SUMMARY = "compare two specs and judge every difference"


def formats() -> list[str]:
    """Return the names of the output formats."""
    return catalogue.names("reporters")


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.listing = schemes
    parser.add_argument("base_spec", metavar="BASE", nargs="?", help="what saved models were made under")
    parser.add_argument("head_spec", metavar="HEAD", nargs="?", help="what is to take its place")
    configure_inputs(parser)
    parser.add_argument(
        "--format",
        action="append",
        type=suggesting(_format, formats),
        metavar="NAME[=FILE]",
        help=f"the output format, and the file it goes to; may be repeated: {', '.join(formats())} (default: text)",
    )
    parser.add_argument("--output", metavar="FILE", help="where a report without a file of its own goes")
    parser.add_argument("--reviews", metavar="FILE", help="GitHub's list of the reviews, for findings that need a team")
    parser.add_argument("--author", metavar="LOGIN", help="who made the change, and so cannot approve of it")
    parser.add_argument("--released", metavar="VERSION", help="the version of BASE, to name the next one by")
    parser.add_argument("--next", metavar="VERSION", help="the next version, to fail where it is too small")


def configure_inputs(parser: Parser) -> None:
    """Declare the options that say what is compared, and how; `base_spec` and `head_spec` are up to the command."""
    configure_ends(parser)
    add = parser.add_argument
    add("--op", action="append", metavar="OP", help="look at this op alone; may be repeated")
    configure_reading(parser)
    add("--base-op-versions", metavar="FILE", help="the op versions of BASE, in place of any it brings")
    add("--head-op-versions", metavar="FILE", help="the op versions of HEAD, in place of any it brings")


def configure_ends(parser: Parser) -> None:
    """Declare the options that say what of a repository is compared with what, and under which policy."""
    add = parser.add_argument
    add("--base", metavar="REVISION", help="compare with the point where HEAD and this revision parted")
    add("--exact", action="store_true", help="compare with the revision of --base itself")
    add("--staged", action="store_true", help="check what is staged, and not what lies in the work tree")
    add("--head", metavar="REVISION", help="check a revision, and not what lies in the work tree")
    add("--fetch", action="store_true", help="fetch a revision that is not here")
    add("--config", metavar="FILE", help="a configuration in place of the repository's own")
    add("--waivers", metavar="FILE", help="the waivers, in place of the repository's own")
    add(
        "--profile",
        type=one_of("profile", profile.names),
        help=f"the policy: {', '.join(profile.names())} (default: that of the framework)",
    )


def configure_reading(parser: Parser) -> None:
    """Declare the options that say how a source tree is read."""
    add = parser.add_argument
    add(
        "--build",
        type=suggesting(str, builds),
        metavar="BUILD",
        help="the build of a source tree: all, cpu, gpu or xpu (default: all)",
    )
    add("--no-cache", action="store_true", help="read a source tree anew, and keep nothing of it")


def builds() -> list[str]:
    """Return the names of the builds of a source tree."""
    from opspec_lint.paddle_tree.builds import ALL, BUILDS

    return [ALL, *BUILDS]


def reading(options: Namespace) -> Settings:
    """Return how the options of `configure_reading` say that a source is to be read."""
    from opspec_lint.settings import Settings

    return Settings(
        environment=options.environment,
        build=options.build,
        caches=not options.no_cache,
        may_fetch=getattr(options, "fetch", False),
        progress=options.progress,
    )


def run(options: Namespace, *, color: bool) -> Outcome:
    """Check, and return the report; the exit code is 1 if anything is at error level."""
    wanted = _destinations(options.format or [("text", None)], options.output)
    reporters = {name: catalogue.module("reporters", name) for name, _ in wanted}
    wants_lines = any(getattr(reporter, "WANTS_LINES", False) for reporter in reporters.values())
    report = make_report(options, wants_lines=wants_lines)
    files = {file: reporters[name].render(report) for name, file in wanted if file is not None}
    text = "".join(reporters[name].render(report, color=color) for name, file in wanted if file is None)
    return Outcome(text=text, code=FINDINGS if report.failed else CLEAN, files=files)


def make_report(options: Namespace, *, wants_lines: bool) -> Report:
    """Return the report that `base_spec`, `head_spec` and the options of `configure_inputs` ask for.

    Raises:
        UsageError: they contradict each other.
    """
    of_repository = [name for name in ("base", "exact", "staged", "head") if getattr(options, name)]
    of_specs = [name for name in ("base_op_versions", "head_op_versions") if getattr(options, name)]
    if options.head_spec is not None:
        if of_repository:
            raise UsageError(f"--{of_repository[0]} is for a repository, and not for BASE and HEAD", advice=_WAYS)
        return _of_specs(options, wants_lines=wants_lines)
    if options.base_spec is not None or of_specs:
        raise UsageError("BASE and HEAD belong together", advice=_WAYS)
    return _of_repository(options, wants_lines=wants_lines)


_WAYS = "name two specs, `check BASE HEAD`, or none: `check [--base REVISION] [--staged]`"


def _of_repository(options: Namespace, *, wants_lines: bool) -> Report:
    from opspec_lint import project

    return project.check_project(request_of(options, wants_lines=wants_lines))


def request_of(options: Namespace, *, wants_lines: bool = False) -> Request:
    """Return what of a repository the options of `configure_ends` ask for.

    Raises:
        UsageError: they contradict each other.
    """
    from opspec_lint import git

    base, head = options.base, options.head
    pushed = tuple(options.environment.get(f"PRE_COMMIT_{end}_REF") for end in ("FROM", "TO"))
    if options.staged:
        if head is not None:
            raise UsageError("--staged and --head name two heads", advice="leave one of them out")
        if base is None and all(pushed):  # pre-commit run --from-ref --to-ref, and before a push
            base, head = pushed
        else:
            head = git.INDEX
    if options.exact and base is None:
        raise UsageError("--exact needs --base", advice="name the revision to compare with")
    return _request(options, base=base, head=git.WORK_TREE if head is None else head, wants_lines=wants_lines)


def _of_specs(options: Namespace, *, wants_lines: bool) -> Report:
    reviews = [name for name in ("reviews", "author") if getattr(options, name, None) is not None]
    if reviews and not options.config:
        raise UsageError(f"--{reviews[0]} needs a configuration that names reviewers", advice="name it with --config")
    versions = _versions(options)
    request = _request(options) if options.config or options.waivers else None
    base, head = (
        _spec(reference, versions, options)
        for reference, versions in (
            (options.base_spec, options.base_op_versions),
            (options.head_spec, options.head_op_versions),
        )
    )
    if request is not None:
        from opspec_lint import project

        found = project.check_specs(base, head, request)
    else:
        policy = profile.load(options.profile) if options.profile else None
        found = report(check(base, head, policy, options.op))
        if versions is not None:
            general = judge_versions(found, versions, {})
            found = report(*found.comparisons, general=general).but(versions=versions)
    return _with_lines(found, options) if wants_lines else found


def _spec(reference: str, versions: str | None, options: Namespace) -> Spec:
    found = sources.resolve(reference, options.environment, may_fetch=options.fetch, settings=reading(options))
    return with_versions(found, versions)


def _request(options: Namespace, **ends: Any) -> Request:
    from opspec_lint.project import Request

    return Request(
        environment=options.environment,
        is_exact=options.exact,
        config=options.config,
        waivers=options.waivers,
        profile=options.profile,
        only=None if options.op is None else tuple(options.op),
        may_fetch=options.fetch,
        settings=reading(options),
        reviews=_reviews(options),
        versions=_versions(options),
        today=options.today,
        **ends,
    )


def _reviews(options: Namespace) -> Callable[[], Reviews] | None:
    """Return how to come by the reviews; the file is read at once, so that a wrong one is never passed over.

    Raises:
        UsageError: it holds no reviews, or the author is no login.
    """
    path, author = getattr(options, "reviews", None), getattr(options, "author", None)
    if path is None:
        if author is not None:
            raise UsageError("--author is nothing without --reviews", advice="name the file of the reviews")
        return None
    from opspec_lint import approvals

    author = None if author is None else approvals.parse_login(author, "--author")
    found = approvals.Reviews(reviews=approvals.read(path), author=author)
    return lambda: found


def _versions(options: Namespace) -> Versions | None:
    """Return the versions that the options name.

    Raises:
        UsageError: one is none, or the released one is missing.
    """
    released, following = getattr(options, "released", None), getattr(options, "next", None)
    if released is None and following is None:
        return None
    from opspec_lint import release

    return release.named(released, following, ("--released", "--next"))


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


def _with_lines(found: Report, options: Namespace) -> Report:
    """Return the report with the lines of its findings in the spec files that were compared."""
    from opspec_lint import places
    from opspec_lint.locate import Locator

    texts = (sources.text(reference, options.environment) for reference in (options.base_spec, options.head_spec))
    base, head = (None if text is None else Locator(file, text) for file, text in texts)
    return found.but(comparisons=tuple(places.locate(each, base, head) for each in found.comparisons))


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
