"""Audits as text for a person: what becomes of each model, and why; of many that load, one line."""

from __future__ import annotations

from opspec_lint.kit.text import one_line, plural, wrap
from opspec_lint.models.audit import WORDS, release_of, sentence
from opspec_lint.models.fault import NOT_FETCHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.audit import Audit, Verdict
    from opspec_lint.models.reach import Reach
    from opspec_lint.report.findings import Finding

_WIDTH = 110
_MOST = 20
"""Errors of one audit that are listed; `--format json` has all."""
_NOT: dict[Verdict, str] = {
    "changed": "with a different meaning in",
    "cannot_tell": "not known for",
    "fails_at_run": "fails when it runs in",
    "refused": "not in",
    "unreadable": "not in",
}
"""What becomes of a model that does not load as it was saved, before the name of a release."""
_MANY = 4
"""Models that load alike, from which on they are one line; so many of them are named."""


def render(audits: Sequence[Audit], reaches: Sequence[Reach] = ()) -> str:
    """Return audits as text; only under which releases models load, if that was asked for."""
    if reaches:
        return "\n".join([*_reaches(reaches), ""])
    silent = [each for each in audits if _is_silent(each)]
    lines = [line for each in audits if each not in silent for line in _audit(each)]
    return "\n".join([*lines, *_loading(silent), _summary(audits) if audits else "nothing to audit", ""])


def _is_silent(audit: Audit) -> bool:
    return audit.verdict == "loads" and not audit.findings


def _loading(audits: Sequence[Audit]) -> Iterator[str]:
    """Yield which models load, those that load alike in one line."""
    where: dict[str, dict[str, list[str]]] = {}
    for audit in audits:
        where.setdefault(audit.model, {}).setdefault(release_of(audit), []).append(audit.loader or "")
    models: dict[str, list[str]] = {}
    for model, releases in where.items():
        models.setdefault(f"{WORDS['loads']} {_where(releases)}", []).append(model)
    for text, found in models.items():
        if len(found) < _MANY:
            yield from (one_line(f"{model}: {text}") for model in found)
        else:
            more = f" and {len(found) - _MANY} more" if len(found) > _MANY else ""
            yield one_line(
                f"{plural(len(found), 'model')} {text.replace('loads', 'load', 1)}: {', '.join(found[:_MANY])}{more}"
            )
    if models:
        yield ""


def _reaches(reaches: Sequence[Reach]) -> Iterator[str]:
    """Yield of each model a line for each framework, and why other releases do not load it."""
    by_framework: dict[tuple[str, str], list[Reach]] = {}
    for each in reaches:
        by_framework.setdefault((each.model, each.families[0]), []).append(each)
    for (model, framework), found in by_framework.items():
        ranges: dict[str, list[str]] = {}
        for each in found:
            if each.loading:
                ranges.setdefault(_range(each), []).append(each.loader)
        said = "; ".join(f"{versions} ({', '.join(loaders)})" for versions, loaders in ranges.items())
        yield one_line(f"{model}: loads in {said or f'no known release of {framework}'}")
        why: dict[tuple[str, str], dict[str, list[str]]] = {}
        for each in found:
            for refusal in each.refusals:
                said_of = why.setdefault((_NOT[refusal.verdict], refusal.reason), {})
                said_of.setdefault(_shown(refusal.release), []).append(each.loader)
        for (word, reason), releases in why.items():
            yield from _wrapped(f"{word} {_where(releases)}: {reason}", indent="  ")
        if why:
            yield ""


def _range(reach: Reach) -> str:
    """Return the releases that load a model: `tensorflow 2.4.4 to 2.18.1`, and what is alone."""
    runs: list[list[str]] = []
    for name in reach.known:
        if name in reach.loading and runs and runs[-1]:
            runs[-1].append(name)
        else:
            runs.append([name] if name in reach.loading else [])
    texts = [(_shown(run[0]), _shown(run[-1])) for run in runs if run]
    if reach.is_claimed and reach.oldest is not None:
        texts[0] = (f"{_shown(reach.oldest)}, as its op versions say,", texts[0][1])
    said = [first if first == last else f"{first} to {_after(first, last)}" for first, last in texts]
    return ", ".join([said[0], *(_after(said[0], each) for each in said[1:])])


def _after(first: str, text: str) -> str:
    """Return a release without its framework, if one before it has named that."""
    framework = first.partition(" ")[0]
    return text.removeprefix(f"{framework} ")


def _where(releases: dict[str, list[str]]) -> str:
    """Return releases with the loaders, which are named once if they are the same for all."""
    loaders = list(releases.values())
    names = list(releases)
    if all(each == loaders[0] for each in loaders):
        return f"{', '.join([names[0], *(_after(names[0], each) for each in names[1:])])} ({', '.join(loaders[0])})"
    shown = [names[0], *(_after(names[0], each) for each in names[1:])]
    return ", ".join(f"{name} ({', '.join(each)})" for name, each in zip(shown, loaders, strict=True))


def _shown(release: str) -> str:
    return release.replace("@", " ", 1)


def _audit(audit: Audit) -> Iterator[str]:
    reason = "" if audit.reason is None else f": {audit.reason}"
    yield one_line(f"{audit.model}: {sentence(audit)}{reason}")
    errors = [each for each in audit.findings if each.level == "error"]
    for finding in errors[:_MOST]:
        yield from _finding(finding)
    left = [plural(len(errors) - _MOST, "more error")] if len(errors) > _MOST else []
    missing = [each for each in audit.findings if each.rule == NOT_FETCHED]
    for finding in missing[:_MOST]:
        yield f"  {finding.level:<7} {one_line(finding.message)}  [{finding.rule}]"
        yield from _wrapped(f"instead: {finding.advice}")
    notes = len(audit.findings) - len(errors) - len(missing[:_MOST])
    left += [plural(notes, "note")] if notes else []
    if left:
        yield f"  {' and '.join(left)}; --format json has them all"
    yield ""


def _finding(finding: Finding) -> Iterator[str]:
    yield f"  {'error' if finding.counts else 'waived':<7} {one_line(finding.message)}  [{finding.rule}]"
    if finding.waived is not None:
        yield from _wrapped(f"waived by {finding.waived.owner}: {finding.waived.reason}")
    else:
        yield from _wrapped(f"breaks: {finding.breaks}")
        yield from _wrapped(f"instead: {finding.advice}")


def _wrapped(text: str, indent: str = "          ") -> Iterator[str]:
    """Yield a text as lines, none of which begins with a word that is a command to a CI runner."""
    return map(one_line, wrap(one_line(text), width=_WIDTH, indent=indent))


def _summary(audits: Sequence[Audit]) -> str:
    verdicts = [each.verdict for each in audits]
    counts = (f"{verdicts.count(verdict)} {verdict}" for verdict in WORDS if verdict in verdicts)
    return f"{plural(len(audits), 'audit')}: {', '.join(counts)}"
