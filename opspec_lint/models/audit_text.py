"""Audits as text for people: per model the verdict and the findings; models without findings share one line.

It prints for each model and release the verdict, the findings and, in an audit under all releases, the ranges of
releases that load it.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from opspec_lint.kit.text import one_line, plural, wrap
from opspec_lint.models.audit import VERDICT_TEXTS, release_name, verdict_sentence
from opspec_lint.models.fault import NOT_FETCHED
from opspec_lint.report.answers import describe_verdicts
from opspec_lint.report.details import describe_waiver
from opspec_lint.report.findings import LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.reach import ReleaseReach
    from opspec_lint.report.answers import Verdict
    from opspec_lint.report.findings import Finding

_WIDTH = 110
_MAX_FINDINGS = 20
"""Findings of one audit that are listed; `--format json` lists all."""
_NOT_LOADED: dict[Verdict, str] = {
    "changed": "with a different meaning in",
    "fails_at_run": "fails when it runs in",
    "refused": "not in",
    "unreadable": "not in",
}
"""The text of a verdict other than `loads`, to be followed by the name of a release."""
_RELEASES_MARK = "\0"
"""A placeholder for the releases in a reason; NUL occurs in no reason."""
_GROUP_FROM = 4
"""From this number of models on, models with an equal result share one line, which names this many."""


def render(audits: Sequence[Audit], reaches: Sequence[ReleaseReach] = ()) -> str:
    """Return audits as text; with `reaches`, only the releases that load each model."""
    if reaches:
        return "\n".join([*_reach_lines(reaches), ""])
    silent = [audit for audit in audits if _is_silent(audit)]
    lines = [line for audit in audits if audit not in silent for line in _audit_lines(audit)]
    return "\n".join([*lines, *_loading_lines(silent), _summary_line(audits) if audits else "nothing to audit", ""])


def _is_silent(audit: Audit) -> bool:
    """Return True if an audit has nothing to report but that the model loads."""
    return audit.verdict == "loads" and not audit.findings


def _loading_lines(audits: Sequence[Audit]) -> Iterator[str]:
    """Yield lines for the models that load without findings; many models with an equal result share one line."""
    loaders: dict[str, dict[str, list[str]]] = {}  # by model and release
    for audit in audits:
        loaders.setdefault(audit.model, {}).setdefault(release_name(audit), []).append(audit.loader or "")
    models_by_text: dict[str, list[str]] = {}
    for model, releases in loaders.items():
        models_by_text.setdefault(f"{VERDICT_TEXTS['loads']} {_releases_by_loaders(releases)}", []).append(model)
    for text, names in models_by_text.items():
        if len(names) < _GROUP_FROM:
            yield from (one_line(f"{model}: {text}") for model in names)
        else:
            more = f" and {len(names) - _GROUP_FROM} more" if len(names) > _GROUP_FROM else ""
            named = ", ".join(names[:_GROUP_FROM]) + more
            yield one_line(f"{plural(len(names), 'model')} {text.replace('loads', 'load', 1)}: {named}")
    if models_by_text:
        yield ""


def _reach_lines(reaches: Sequence[ReleaseReach]) -> Iterator[str]:
    """Yield per model and framework the releases that load it, then the reasons why others do not."""
    by_framework: dict[tuple[str, str], list[ReleaseReach]] = {}
    for reach in reaches:
        by_framework.setdefault((reach.model, reach.families[0]), []).append(reach)
    for (model, framework), group in by_framework.items():
        ranges: dict[str, list[str]] = {}
        for reach in group:
            if reach.loading:
                ranges.setdefault(_loading_ranges(reach), []).append(reach.loader)
        ranges_text = "; ".join(f"{versions} ({', '.join(loaders)})" for versions, loaders in ranges.items())
        is_unknown = any(reach.unknown for reach in group)
        without_range = f"{'not known to load in any' if is_unknown else 'loads in no known'} release of {framework}"
        yield one_line(f"{model}: loads in {ranges_text}" if ranges_text else f"{model}: {without_range}")
        reasons = list(_reasons_with_releases(group))
        known = list(dict.fromkeys(_release_title(name) for reach in group for name in reach.known))
        for text, releases in reasons:
            yield from _wrapped_lines(
                text.replace(_RELEASES_MARK, _releases_by_loaders(releases, known), 1), indent="  "
            )
        if reasons:
            yield ""


def _reasons_with_releases(reaches: Sequence[ReleaseReach]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yield each reason with the loaders by release; first the refusals, then the unknown releases.

    The reason contains `_RELEASES_MARK` in the place of its releases, so that equal reasons share one entry.
    """
    loaders_by_reason: dict[str, dict[str, list[str]]] = {}
    for reach in reaches:
        for refusal in reach.refusals:
            releases = loaders_by_reason.setdefault(
                f"{_NOT_LOADED[refusal.verdict]} {_RELEASES_MARK}: {refusal.reason}", {}
            )
            releases.setdefault(_release_title(refusal.release), []).append(reach.loader)
    for reach in reaches:
        for doubt in reach.unknown:
            remedy = f"; {doubt.remedy}" if doubt.remedy else ""
            releases = loaders_by_reason.setdefault(f"unknown for {_RELEASES_MARK}: {doubt.reason}{remedy}", {})
            releases.setdefault(_release_title(doubt.release), []).append(reach.loader)
    yield from loaders_by_reason.items()


def _loading_ranges(reach: ReleaseReach) -> str:
    """Return the releases that load a model as ranges: `tensorflow 2.4.4 to 2.18.1, 2.20.0`."""
    runs = [
        list(releases)
        for is_loading, releases in groupby(reach.known, lambda name: name in reach.loading)
        if is_loading
    ]
    ends = [(_release_title(run[0]), _release_title(run[-1])) for run in runs]
    if reach.is_claimed and reach.oldest is not None:
        _, newest = ends[0]
        ends[0] = f"{_release_title(reach.oldest)}, as its op versions say,", newest
    texts = [
        oldest if oldest == newest else f"{oldest} to {_without_framework(oldest, newest)}" for oldest, newest in ends
    ]
    return ", ".join([texts[0], *(_without_framework(texts[0], text) for text in texts[1:])])


def _without_framework(first: str, text: str) -> str:
    """Remove the framework from a release title if `first`, which precedes it in the text, begins with the same one."""
    framework = first.partition(" ")[0]
    return text.removeprefix(f"{framework} ")


def _releases_by_loaders(releases: dict[str, list[str]], known: Sequence[str] = ()) -> str:
    """Return releases with their loaders; releases with the same loaders are named together."""
    by_loaders: dict[str, list[str]] = {}
    for name, loaders in releases.items():
        by_loaders.setdefault(", ".join(loaders), []).append(name)
    return "; ".join(f"{_ranges(names, known)} ({loaders})" for loaders, names in by_loaders.items())


def _ranges(names: Sequence[str], known: Sequence[str]) -> str:
    """Return releases as ranges of the known ones, older ones first: `onnx 1.5.0 to 1.9.0, 1.20.1 or later`."""
    before = dict(zip(known[1:], known, strict=False))
    runs: list[list[str]] = []
    for name in names:
        if runs and before.get(name) == runs[-1][-1]:
            runs[-1].append(name)
        else:
            runs.append([name])
    texts = [_range_text(run, known) for run in runs]
    return ", ".join([texts[0], *(_without_framework(texts[0], text) for text in texts[1:])])


def _range_text(run: Sequence[str], known: Sequence[str]) -> str:
    """Return one range as text; a range that reaches the newest known release is open."""
    if len(run) == 1:
        return run[0]
    is_open = run[-1] == known[-1] and run[0] != known[0]
    return f"{run[0]} or later" if is_open else f"{run[0]} to {_without_framework(run[0], run[-1])}"


def _release_title(release: str) -> str:
    """Return `tensorflow 2.18.1` for `tensorflow@2.18.1`."""
    return release.replace("@", " ", 1)


def _audit_lines(audit: Audit) -> Iterator[str]:
    """Yield the verdict of an audit and its findings, errors first."""
    reason = "" if audit.reason is None else f": {audit.reason}"
    yield one_line(f"{audit.model}: {verdict_sentence(audit)}{reason}")
    # Notes do not decide the verdict. The exception is a pointer of git-lfs, which makes it unknown.
    deciding = [finding for finding in audit.findings if finding.level != "note" or finding.rule == NOT_FETCHED]
    # The sort is stable: findings of one level stay in the order in which the loader detects them.
    for finding in sorted(deciding, key=lambda finding: -LEVELS.index(finding.level))[:_MAX_FINDINGS]:
        yield from _finding_lines(finding)
    left = [plural(len(deciding) - _MAX_FINDINGS, "more finding")] if len(deciding) > _MAX_FINDINGS else []
    notes = len(audit.findings) - len(deciding)
    left += [plural(notes, "note")] if notes else []
    if left:
        yield f"  {' and '.join(left)}; --format json has them all"
    yield ""


def _finding_lines(finding: Finding) -> Iterator[str]:
    """Yield the message of a finding, how models break, and the advice."""
    level = "unknown" if finding.level == "warning" else finding.level
    yield f"  {level if finding.counts else 'waived':<7} {one_line(finding.message)}  [{finding.rule}]"
    if finding.rule == NOT_FETCHED:
        yield from _wrapped_lines(f"instead: {finding.advice}")
    elif finding.waived is not None:
        yield from _wrapped_lines(describe_waiver(finding.waived))
    else:
        yield from _wrapped_lines(f"breaks: {finding.breaks}")
        yield from _wrapped_lines(f"instead: {finding.advice}")


def _wrapped_lines(text: str, indent: str = "          ") -> Iterator[str]:
    """Yield a text as wrapped lines."""
    # A wrapped line may begin with a word such as `::error`, which CI runners execute; `one_line` disarms it.
    return map(one_line, wrap(one_line(text), width=_WIDTH, indent=indent))


def _summary_line(audits: Sequence[Audit]) -> str:
    """Return the number of audits per answer."""
    return f"{plural(len(audits), 'audit')}: {describe_verdicts(Counter(audit.verdict for audit in audits))}"
