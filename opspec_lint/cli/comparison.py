"""The report for the options of `check` and `waive`: translates options to a request, and runs the check."""

from __future__ import annotations

import os

from opspec_lint.api.comparing import Comparing, End, compare
from opspec_lint.cli.shared_options import reading
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.sources import references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.kit.command_line import Options
    from opspec_lint.lint.approvals import Reviews
    from opspec_lint.project.check_context import Request
    from opspec_lint.report.findings import Report
    from opspec_lint.report.versions import Versions

_WAYS = "name two specs, `check BASE HEAD`, or a source tree or nothing: `check [SOURCE] [--base REVISION] [--staged]`"
_NO = ("", "0", "false", "no")
"""The values of the variable CI that mean no CI; all common CI systems set it."""


def make_report(
    options: Options, *, wants_lines: bool, wants_fixes: bool = False, wants_error_lines: bool = False
) -> Report:
    """Return the report for `base_spec`, `head_spec` and the options of `configure_inputs`.

    `wants_error_lines` applies to a repository: errors and warnings of the change get lines in spec files.

    Raises UsageError if the options contradict each other.
    """
    of_repository = [name for name in ("base", "exact", "staged", "head") if getattr(options, name)]
    of_specs = [name for name in ("base_op_versions", "head_op_versions", "library") if getattr(options, name)]
    if options.head_spec is not None:
        if options.base_spec == options.head_spec == references.STANDARD_INPUT:
            raise UsageError("BASE and HEAD are both standard input", advice="name a file for one of them")
        if of_repository:
            raise UsageError(f"--{of_repository[0]} applies to a repository, not to BASE and HEAD", advice=_WAYS)
        return _report_of_specs(options, wants_lines=wants_lines, wants_fixes=wants_fixes)
    if options.base_spec is not None and (of_specs or not references.has_revisions(options.base_spec)):
        raise UsageError("BASE was given without HEAD", advice=_WAYS)
    if of_specs:
        raise UsageError(f"--{of_specs[0].replace('_', '-')} needs BASE and HEAD", advice=_WAYS)
    wants = {"wants_lines": wants_lines, "wants_fixes": wants_fixes, "wants_error_lines": wants_error_lines}
    return _report_of_repository(options, **wants)


def _report_of_repository(options: Options, **wants: bool) -> Report:
    from opspec_lint.project.check import check_project

    if options.base_spec is None:
        return check_project(request_of(options, None, None, **wants))
    source, folder, base, head = _ends_of_source(options.base_spec, options)
    request = request_of(options, base, head, **wants)
    return check_project(request.replace(folder=folder, sources=(source,)))


def _ends_of_source(reference: str, options: Options) -> tuple[str, str, str | None, str | None]:
    """Return a source, its folder, and the revisions of base and head, which the source or the options name.

    Raises UsageError if the source has a single revision, or an end is named twice.
    """
    from opspec_lint.git.base_names import RANGE
    from opspec_lint.sources.trees import INDEX_NAME

    source, folder, named = references.split_source(reference)
    if not os.path.isdir(folder):
        path, at, revision = folder.rpartition("@")
        if not at or not os.path.isdir(path or "."):
            raise InputError(reference, f"there is no folder {folder!r}", advice="write SCHEME:DIR or SCHEME:DIR@A...B")
        tree = reference.removesuffix(f"@{revision}")
        advice = f"`{tree} --staged` checks the index"
        if revision != INDEX_NAME:
            advice = (
                f"`{reference}{RANGE}` compares the merge base with the work tree, `{reference} {tree}` that very "
                f"revision; `{tree} --head {revision}` checks the revision against its base"
            )
        raise UsageError(f"{reference} names only one side of a comparison", advice=advice)
    base, _, head = named.partition(RANGE)
    for option, end in (("base", base), ("head", head), ("staged", head)):
        if end and getattr(options, option):
            raise UsageError(f"--{option} and {named} name the same side", advice="remove one of the two")
    return source, folder, base or ("HEAD" if head else None), head or None


def request_of(options: Options, base: str | None = None, head: str | None = None, **wants: bool) -> Request:
    """Return the request for a check of a repository, from the options of `configure_ends`.

    `base` and `head` replace the ones of the options; None: use the options. `wants` are flags of the request. Raises
    UsageError if the options contradict each other.
    """
    from opspec_lint.git.repository import INDEX, WORK_TREE

    base, head = base or options.base, head or options.head
    if options.staged:
        if head is not None:
            raise UsageError("--staged and --head name two heads", advice="remove one of the two")
        if base is None:
            base, head = _ends_of_hook(options.environment)
        head = INDEX if head is None else head
    return _request(options, base=base, head=WORK_TREE if head is None else head, **wants)


def _ends_of_hook(environment: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return base and head as pre-commit names them, each None if it names none.

    `pre-commit run --from-ref --to-ref` names both. Before a push, "from" is the state of the remote branch: the same
    branch, which is no base for itself.
    """
    base, head, pushed_to = (environment.get(f"PRE_COMMIT_{name}") for name in ("FROM_REF", "TO_REF", "REMOTE_BRANCH"))
    if not base or not head:
        return None, None
    return (None if pushed_to else base), head


def _report_of_specs(options: Options, *, wants_lines: bool, wants_fixes: bool) -> Report:
    """Return the report of BASE and HEAD. Raises UsageError if an option needs a configuration."""
    reviews = [name for name in ("reviews", "author") if getattr(options, name, None) is not None]
    if reviews and not options.config:
        raise UsageError(f"--{reviews[0]} needs a configuration that names reviewers", advice="name it with --config")
    # Two specs alone need no repository; a configuration, waivers or versions are handled by its check.
    needs_project_check = options.config or options.waivers or options.usage or _versions(options)
    comparing = Comparing(
        reading=reading(options),
        profiles=tuple(options.profile or ()),
        only=None if options.op is None else tuple(options.op),
        libraries=tuple(options.library or ()),
        request=_request(options) if needs_project_check else None,
    )
    base = End(reference=options.base_spec, op_versions=options.base_op_versions)
    head = End(reference=options.head_spec, op_versions=options.head_op_versions)
    return compare(base, head, comparing, wants_lines=wants_lines, wants_fixes=wants_fixes)


def _request(options: Options, **ends: Any) -> Request:
    """Return the request for the check of a repository, from the options; `ends` are its further fields."""
    from opspec_lint.project.check_context import Request

    return Request(
        reading=reading(options),
        recognises=True,
        is_exact=options.exact,
        config=options.config,
        waivers=options.waivers,
        profiles=tuple(options.profile or ()),
        only=None if options.op is None else tuple(options.op),
        reviews=_reviews(options),
        versions=_versions(options),
        usage=options.usage,
        is_ci=options.environment.get("CI", "").lower() not in _NO,
        today=options.today,
        **ends,
    )


def _reviews(options: Options) -> Callable[[], Reviews] | None:
    """Return a function that returns the reviews; the file is read now, so that its errors are reported in any case.

    Raises UsageError if the file is no list of reviews, or the author is no login.
    """
    path, author = getattr(options, "reviews", None), getattr(options, "author", None)
    if path is None:
        if author is not None:
            raise UsageError("--author requires --reviews", advice="name the file of the reviews")
        return None
    from opspec_lint.github import review_list
    from opspec_lint.lint.approvals import Reviews

    author = None if author is None else review_list.parse_login(author, "--author")
    loaded = Reviews(reviews=review_list.read(path), author=author)
    return lambda: loaded


def _versions(options: Options) -> Versions | None:
    """Return the versions in the options. Raises UsageError if one is not semantic, or the released one is missing."""
    released, following = getattr(options, "released", None), getattr(options, "next", None)
    if released is None and following is None:
        return None
    from opspec_lint.report.versions import parse_versions

    return parse_versions(released, following, ("--released", "--next"))
