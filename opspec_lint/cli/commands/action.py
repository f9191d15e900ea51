"""Check a pull request as a step of GitHub Actions.

`action.yml` runs this command. It takes no arguments: its inputs, the event and the files to write are in the
environment, as GitHub documents it. The exit code is that of `check`.

In a workflow, the step is `- uses: OWNER/opspec-lint@COMMIT`; `opspec-lint init --from URL@COMMIT` writes the workflow.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress

from opspec_lint.cli import output
from opspec_lint.github import comment, event, inputs, lines, log, outputs, reviews, revisions
from opspec_lint.github.api import Api, proxies_of
from opspec_lint.github.remote import CheckoutRemote
from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN, FINDINGS, InputError, OpspecError, internal_error
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.report import annotations as github_annotations
from opspec_lint.report import release
from opspec_lint.report.entries import counts, entries
from opspec_lint.report.markup import COMMENT_ROOM
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.report.versions import parse_versions
from opspec_lint.sources.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.github.event import WorkflowEvent
    from opspec_lint.github.inputs import Inputs
    from opspec_lint.github.revisions import Revisions
    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.lint.approvals import Reviews
    from opspec_lint.report.findings import Report

    _Message: TypeAlias = tuple[str, str]
    """The level and the text of an annotation about the step itself."""

SUMMARY = "check a pull request as a step of GitHub Actions"

_LEAST = 4096
"""Bytes left for a step's summary below which none is written."""
_GRAPHQL = "https://api.github.com/graphql"
_LONGEST = 2000
"""Characters of a message."""


def configure(arguments: Arguments) -> None:
    """Declare the arguments: there are none."""


def run(options: Options) -> Outcome:
    """Check, write all reports, and return the log; a failure is shown in each place that would have the verdict."""
    environment: Mapping[str, str] = options.environment
    try:
        return _check(environment, options.today)
    except OpspecError as error:
        return _failure_outcome(environment, error)
    except Exception as error:
        return _failure_outcome(environment, internal_error(error))


def _check(environment: Mapping[str, str], today: str) -> Outcome:
    """Check the revisions of the event, and return the log of the step.

    In this order: write the reports and outputs, update the comment or else say why it cannot be, update the
    suggestions, and write the step summary and the page. A call of GitHub that fails is a message in the log, and
    changes no exit code.
    """
    step_inputs = inputs.read(environment)
    pair, report = _report(environment, step_inputs, today)
    report = report.replace(address=comment.files_at(environment, pair.shown))
    files = _write_reports(environment, step_inputs, report)
    outputs.put(
        environment,
        {
            "verdict": "findings" if report.failed else "clean",
            "errors": str(report.count("error")),
            "warnings": str(report.count("warning")),
            "notes": str(report.count("note")),
            "waived": str(len(report.waived)),
            "approved": str(len(report.approved)),
            "release": release.verdict(report).part,
            **files,
        },
    )
    messages: list[_Message] = [("notice", remark) for remark in pair.remarks]
    body = _markdown(report, COMMENT_ROOM) + comment.footer(environment, pair.shown)
    # A pull request without findings, or with old ones only, gets no comment by default.
    may_create = step_inputs.comment == "always" or (report.news and bool(report.findings))
    troubles = list(_update_comment(environment, body, may_create=may_create))
    messages += troubles or _update_suggestions(environment, report)
    # GitHub rejects a summary above its limit as a whole, and earlier commands of the step may have written to it.
    room = outputs.summary_room(environment)
    if room > _LEAST:
        outputs.summarise(environment, _summary(report, room, _count_by_level(messages)))
    else:
        messages.append(("notice", "the step summary has no room left"))
    messages += _write_page(environment, os.path.dirname(files["report"]), report)
    log_parts = [
        # The first of a level are shown, and only these lines say what the step could not do.
        *(log.annotation(level, text) for level, text in messages),
        log.group("opspec-lint: report", REPORTERS.load("text").render(report)),
        github_annotations.render(report, _count_by_level(messages)),
    ]
    return Outcome(text="".join(log_parts), code=FINDINGS if report.failed else CLEAN)


def _count_by_level(messages: list[_Message]) -> Counter[str]:
    return Counter(level for level, _ in messages)


def _report(environment: Mapping[str, str], step_inputs: Inputs, today: str) -> tuple[Revisions, Report]:
    """Check the repository, and return its revisions and the report."""
    from opspec_lint.git.repository import repository_around
    from opspec_lint.project.check import check_project
    from opspec_lint.project.check_context import Request
    from opspec_lint.project.profile_choice import parse_choice

    versions = parse_versions(step_inputs.released, step_inputs.next, ("the input `released`", "the input `next`"))
    repository = repository_around(step_inputs.folder, inputs.without_token(environment))
    if repository is None:
        advice = "run actions/checkout first; in a container, git may also need a `safe.directory` entry for the folder"
        raise InputError(step_inputs.folder, "this is not a git repository", advice=advice)
    server = environment.get("GITHUB_SERVER_URL") or "https://github.com"
    remote = CheckoutRemote(repository=repository, server=server, token=step_inputs.token)
    cause = event.read(environment)
    pair = revisions.choose(cause, step_inputs.base, remote)
    request = Request(
        reading=Reading(environment=remote.environment(), may_fetch=True),
        folder=step_inputs.folder,
        base=pair.base,
        is_exact=pair.is_exact,
        head=pair.head,
        config=step_inputs.config,
        waivers=step_inputs.waivers,
        is_tracked=True,
        profiles=tuple(map(parse_choice, step_inputs.profiles)),
        wants_lines=True,
        wants_fixes=True,
        reviews=_review_fetcher(environment, step_inputs, cause),
        versions=versions,
        is_ci=True,
        today=today,
    )
    report = check_project(request)
    if step_inputs.proofs is not None:
        from opspec_lint.proof.attach import attach_proofs

        report = attach_proofs(report, [os.path.join(step_inputs.folder, step_inputs.proofs)])
    return pair, report.replace(lines_there=_lines_in_shown_commit(report, pair, remote))


def _lines_in_shown_commit(report: Report, pair: Revisions, remote: CheckoutRemote) -> dict[tuple[str, int], int]:
    """Return the line numbers of findings in the commit that links lead to, where they differ from those in head."""
    # GitHub checks out the merge of a pull request, while links lead to the commit that the author pushed.
    if pair.head == pair.shown or not report.findings:
        return {}
    with suppress(OpspecError):  # links then lead to the lines of the merge
        remote.bring(pair.shown)
        places = {(entry.place.path, entry.place.line) for entry in entries(report)}
        return lines.translate_lines(remote.repository, pair.head, pair.shown, sorted(places))
    return {}


def _review_fetcher(environment: Mapping[str, str], step_inputs: Inputs, cause: WorkflowEvent) -> Callable[[], Reviews]:
    """Return a function that fetches the reviews at its first call: most checks need none."""
    cache: list[Reviews] = []

    def fetch_once() -> Reviews:
        if not cache:
            repository = environment.get("GITHUB_REPOSITORY", "")
            cache.append(reviews.fetch(_api(environment, step_inputs), repository, cause))
        return cache[0]

    return fetch_once


def _api(environment: Mapping[str, str], step_inputs: Inputs) -> Api:
    return Api(
        root=environment.get("GITHUB_API_URL") or "https://api.github.com",
        token=step_inputs.token,
        proxies=proxies_of(environment),
    )


def _write_reports(environment: Mapping[str, str], step_inputs: Inputs, report: Report) -> dict[str, str]:
    """Write the reports, and return the outputs of the step that name the files."""
    folder = outputs.report_folder(environment)
    files = {
        "report": os.path.join(folder, "report.json"),
        "sarif": outputs.safe_path(environment, step_inputs.sarif or os.path.join(folder, "report.sarif")),
        "markdown": os.path.join(folder, "report.md"),
    }
    for name, path in files.items():
        output.write(path, REPORTERS.load("json" if name == "report" else name).render(report))
    return files


def _write_page(environment: Mapping[str, str], folder: str, report: Report) -> Iterator[_Message]:
    """Write the page for reviewers, and the output that names it; yield a message if it cannot be written.

    It comes last and serves people only: if it fails, the verdict and all other reports are complete.
    """
    path = os.path.join(folder, "report.html")
    try:
        output.write(path, REPORTERS.load("html").render(report))
        outputs.put(environment, {"html": path})
    except Exception as error:
        trouble = error if isinstance(error, OpspecError) else internal_error(error)
        yield "warning", f"the html page was not written: {trouble.message}"


def _summary(report: Report, limit: int, taken: Mapping[str, int]) -> str:
    """Return the summary of the step: the report, and the number of findings without annotation.

    `taken` are the annotations that the step has already. If the change concerns nothing that is checked, findings
    against releases are only counted.
    """
    if not report.touches and report.findings:
        return _quiet_summary(report)

    rest = github_annotations.describe_unannotated(report, taken)
    end = f"\n{rest}; the HTML page and the JSON report have them all.\n" if rest else ""
    return _markdown(report, limit - len(end)) + end


def _quiet_summary(report: Report) -> str:
    """Return three lines: the verdict, the reason why the report is short, and the base."""
    from opspec_lint.report.markup import code

    mark = "\u274c" if report.failed else "\u2705"
    return (
        f"{mark} **opspec-lint:** this change touches no contract and no setting; against releases there are "
        f"{counts(report.findings)}, as before.\n\n"
        f"<sub>base {code(report.base or 'unknown')}; the page of this run has everything</sub>\n"
    )


def _markdown(report: Report, limit: int) -> str:
    markdown = REPORTERS.load("markdown")
    return markdown.render(report) if markdown.render_within is None else markdown.render_within(report, limit)


def _update_comment(environment: Mapping[str, str], body: str, *, may_create: bool) -> Iterator[_Message]:
    """Create or update the comment on the pull request; yield messages on failures."""
    step_inputs, cause = inputs.read(environment), event.read(environment).pull_request
    if step_inputs.comment == "never" or cause is None:
        return
    place = _comment_target(environment, step_inputs, cause.number)
    api = _api(environment, step_inputs)
    graphql = environment.get("GITHUB_GRAPHQL_URL") or _GRAPHQL
    trouble = comment.keep(api, place, body, may_create=may_create, graphql=graphql)
    if trouble is None:
        return
    if trouble.status in (401, 403, 404):
        why = "the pull request is from a fork" if cause.is_from_fork else "grant the job `pull-requests: write`"
        text = f"no comment on the pull request: the token may not write one (status {trouble.status}); {why}"
        yield "notice", f"{text}. The step summary has the report"
    else:
        text = f"no comment on the pull request: {trouble.message}"
        yield "warning", f"{text}. The step summary has the report"


def _update_suggestions(environment: Mapping[str, str], report: Report) -> Iterator[_Message]:
    """Create or update the suggestions on the pull request; yield messages on failures."""
    from opspec_lint.github import suggestions
    from opspec_lint.report.patch import safest_fixes

    step_inputs, cause = inputs.read(environment), event.read(environment).pull_request
    if step_inputs.comment == "never" or cause is None:
        return
    graphql = environment.get("GITHUB_GRAPHQL_URL") or _GRAPHQL
    place = _comment_target(environment, step_inputs, cause.number)
    trouble = suggestions.keep(_api(environment, step_inputs), place, safest_fixes(report), cause.head, graphql)
    if trouble is not None:
        text = f"no suggestions on the pull request: {trouble.message}"
        yield "notice", f"{text}. The comment and the step summary have the patch"


def _comment_target(environment: Mapping[str, str], step_inputs: Inputs, number: int) -> comment.CommentTarget:
    """Return the pull request to comment on, with the mark that identifies the comments of this job."""
    return comment.CommentTarget(
        repository=environment.get("GITHUB_REPOSITORY", ""),
        number=number,
        mark=comment.mark(environment, step_inputs.folder, step_inputs.config or ""),
    )


def _failure_outcome(environment: Mapping[str, str], error: OpspecError) -> Outcome:
    """Write that the check could not be made to all places where people look for its verdict; return the outcome."""
    message = shorten(one_line(error.line), _LONGEST)
    markdown = f"## \u274c opspec-lint could not check\n\n    {message}\n"
    lines = [log.annotation("error", message)]
    # Each place may be the cause of the failure, so an error in one must not keep the message from the others.
    with suppress(OpspecError):
        outputs.put(environment, {"verdict": "failed"})
    with suppress(OpspecError):
        outputs.summarise(environment, markdown)
    with suppress(OpspecError):
        troubles = _update_comment(environment, markdown, may_create=False)
        lines += [log.annotation(level, text) for level, text in troubles]
    return Outcome(text="".join(lines), code=error.exit_code)
