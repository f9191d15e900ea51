"""Audits as text for a person: what becomes of each model, and why; of many that load, one line."""

from __future__ import annotations

from collections import Counter

from opspec_lint.kit.text import one_line, plural, wrap
from opspec_lint.models.audit import WORDS, release_of, sentence
from opspec_lint.models.fault import NOT_FETCHED
from opspec_lint.report.answers import counted
from opspec_lint.report.findings import LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.reach import Reach
    from opspec_lint.report.answers import Verdict
    from opspec_lint.report.findings import Finding

_WIDTH = 110
_MOST = 20
"""Errors of one audit that are listed; `--format json` has all."""
_NOT: dict[Verdict, str] = {
    "changed": "with a different meaning in",
    "fails_at_run": "fails when it runs in",
    "refused": "not in",
    "unreadable": "not in",
}
"""What becomes of a model that does not load as it was saved, before the name of a release."""
_HERE = "\0"
"""The place of releases in a text; no reason contains it."""
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
        is_unknown = any(reach.unknown for reach in found)
        none = f"{'not known to load in any' if is_unknown else 'loads in no known'} release of {framework}"
        yield one_line(f"{model}: loads in {said}" if said else f"{model}: {none}")
        why = list(_reasons(found))
        known = list(dict.fromkeys(_shown(name) for reach in found for name in reach.known))
        for text, releases in why:
            yield from _wrapped(text.replace(_HERE, _where(releases, known), 1), indent="  ")
        if why:
            yield ""


def _reasons(reaches: Sequence[Reach]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yield each reason, the place of releases left open, with these: first what refuses, then what is unknown."""
    why: dict[str, dict[str, list[str]]] = {}
    for reach in reaches:
        for refusal in reach.refusals:
            releases = why.setdefault(f"{_NOT[refusal.verdict]} {_HERE}: {refusal.reason}", {})
            releases.setdefault(_shown(refusal.release), []).append(reach.loader)
    for reach in reaches:
        for doubt in reach.unknown:
            remedy = f"; {doubt.remedy}" if doubt.remedy else ""
            releases = why.setdefault(f"unknown for {_HERE}: {doubt.reason}{remedy}", {})
            releases.setdefault(_shown(doubt.release), []).append(reach.loader)
    yield from why.items()


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


def _where(releases: dict[str, list[str]], known: Sequence[str] = ()) -> str:
    """Return releases with their loaders; each set of loaders is named once."""
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
    return ", ".join([texts[0], *(_after(texts[0], text) for text in texts[1:])])


def _range_text(run: Sequence[str], known: Sequence[str]) -> str:
    if len(run) == 1:
        return run[0]
    is_open = run[-1] == known[-1] and run[0] != known[0]
    return f"{run[0]} or later" if is_open else f"{run[0]} to {_after(run[0], run[-1])}"


def _shown(release: str) -> str:
    return release.replace("@", " ", 1)


def _audit(audit: Audit) -> Iterator[str]:
    reason = "" if audit.reason is None else f": {audit.reason}"
    yield one_line(f"{audit.model}: {sentence(audit)}{reason}")
    deciding = [finding for finding in audit.findings if finding.level != "note" or finding.rule == NOT_FETCHED]
    for finding in sorted(deciding, key=lambda finding: -LEVELS.index(finding.level))[:_MOST]:
        yield from _finding(finding)
    left = [plural(len(deciding) - _MOST, "more finding")] if len(deciding) > _MOST else []
    notes = len(audit.findings) - len(deciding)
    left += [plural(notes, "note")] if notes else []
    if left:
        yield f"  {' and '.join(left)}; --format json has them all"
    yield ""


def _finding(finding: Finding) -> Iterator[str]:
    level = "unknown" if finding.level == "warning" else finding.level
    yield f"  {level if finding.counts else 'waived':<7} {one_line(finding.message)}  [{finding.rule}]"
    if finding.rule == NOT_FETCHED:
        yield from _wrapped(f"instead: {finding.advice}")
    elif finding.waived is not None:
        yield from _wrapped(f"waived by {finding.waived.owner}: {finding.waived.reason}")
    else:
        yield from _wrapped(f"breaks: {finding.breaks}")
        yield from _wrapped(f"instead: {finding.advice}")


def _wrapped(text: str, indent: str = "          ") -> Iterator[str]:
    """Yield a text as lines, none of which begins with a word that is a command to a CI runner."""
    return map(one_line, wrap(one_line(text), width=_WIDTH, indent=indent))


def _summary(audits: Sequence[Audit]) -> str:
    return f"{plural(len(audits), 'audit')}: {counted(Counter(audit.verdict for audit in audits))}"
