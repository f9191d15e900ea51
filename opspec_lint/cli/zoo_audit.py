"""Audits of many models with stored results: `audit --results FILE`."""

from __future__ import annotations

import os
from contextlib import ExitStack

from opspec_lint.cli.output import require_place
from opspec_lint.cli.progress import make_progress
from opspec_lint.cli.required import named_releases
from opspec_lint.cli.shared_options import libraries, named_loaders, reading
from opspec_lint.kit import table_files
from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import UsageError
from opspec_lint.models.decision import decide
from opspec_lint.models.loader import LOADERS
from opspec_lint.sources import references, released

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.cli.required import NamedReleases
    from opspec_lint.kit.command_line import Options
    from opspec_lint.lint.waivers import Waivers
    from opspec_lint.models.decision import Decision
    from opspec_lint.sources.libraries import Libraries
    from opspec_lint.sources.reading import Reading
    from opspec_lint.zoo.results import ModelVerdict, Results
    from opspec_lint.zoo.work import Setup, Target

FORMATS = ("text", "json", "jsonl", "html", "markdown", "csv", "parquet")
_NOT_HERE = ("profile", "site", "verify")
_OF_LOADING = ("library", "saved_by", "producer_ops", "tags", "signature", "checksums", "jobs", "engine", "skip_others")
"""Options of an audit that change nothing about stored results."""


def run(options: Options, places: Sequence[tuple[str, str | None]]) -> Outcome:
    """Audit the models that have no stored verdicts, and return the reports on all.

    Raises UsageError if the options contradict each other, InputError if the results or a list of models cannot be
    read.
    """
    _require_fitting(options, places)
    with ExitStack() as stack:
        results = _open_for_summary(options, stack) if options.summary else _run_audit(options, stack)
        waivers = _waivers(options)
        decision = _decide(results, options, waivers)
        texts = [(_render(name, results, options, waivers, is_shown=file is None), file) for name, file in places]
        files = [OutputFile(path=file, content=text) for text, file in texts if file is not None]
        shown = [text for text, file in texts if file is None]
        parts = _stream_texts(shown, stack.pop_all())
        return Outcome(
            text="", parts=parts, code=decision.code, files=files, makes_folder=True, remarks=decision.remarks
        )


def _stream_texts(texts: Sequence[Iterable[str] | bytes], opened: ExitStack) -> Iterator[str]:
    """Yield the texts in parts, and close the results after the last one."""
    with opened:
        for text in texts:
            if isinstance(text, bytes):
                yield text.decode("utf-8", "surrogateescape")
            else:
                yield from text


def _require_fitting(options: Options, places: Sequence[tuple[str, str | None]]) -> None:
    """Raise UsageError for options that contradict each other or have no effect; `places` are (format, file)."""
    given = [name for name in _NOT_HERE if getattr(options, name)]
    if given:
        raise UsageError(f"--{given[0]} has no effect with --results", advice="remove one of the two")
    unsupported = next((name for name, _ in places if name not in FORMATS), None)
    if unsupported is not None:
        raise UsageError(f"--format {unsupported} cannot show results", advice=f"use one of: {', '.join(FORMATS)}")
    if any(name == "parquet" and file is None for name, file in places):
        raise UsageError("--format parquet needs a file", advice="--format parquet=FILE")
    if options.summary and options.models:
        raise UsageError("--summary shows stored results, and audits no models", advice="remove one of the two")
    unused = [name for name in _OF_LOADING if options.summary and getattr(options, name)]
    if unused:
        problem = f"--summary shows stored results, so that --{unused[0].replace('_', '-')} has no effect"
        raise UsageError(problem, advice="remove it, or audit the models again")
    if not options.summary and not options.models:
        raise UsageError("no models were named", advice="name folders or files, or --summary to show stored results")


def _open_for_summary(options: Options, stack: ExitStack) -> Results:
    """Return the stored results of all models, limited to the releases and loaders that the user named."""
    from opspec_lint.zoo import results as store

    results = stack.enter_context(store.open_results(options.results))
    results.begin_all()
    named = named_releases(options)
    _require_targets(results, named)
    results.keep_targets([*named.against, *named.require] if named.against else [])
    loaders, known = [loader.name for loader in named_loaders(options)], results.loaders()
    for loader in loaders:
        if loader not in known:
            problem = f"{options.results}: the results have no audits by {loader}"
            advice = f"they have those by: {', '.join(known)}; audit the models by it, and then summarize"
            raise UsageError(problem, advice=advice)
    results.keep_loaders(loaders)
    return results


def _run_audit(options: Options, stack: ExitStack) -> Results:
    """Audit the models that have no stored verdicts, store the new ones, and return the results of this run."""
    from opspec_lint.zoo import drive, engine, listing
    from opspec_lint.zoo import results as store

    setup = _setup(options)
    workers_engine, address = engine.parse_engine(options.engine or "pool")
    require_place(options.results)
    results = stack.enter_context(store.open_results_to_write(options.results))
    results.begin(setup.targets, is_of_all=setup.is_of_all)
    drive.list_places(results, listing.places(options.models, options.standard_input))
    jobs = options.jobs or _processors()
    show = make_progress(options, "models", has_lines=True)
    drive.audit_all(results, setup, jobs, lambda: workers_engine.start(setup, jobs, address), show)
    results.forget_missing(path for path in options.models if os.path.isdir(path))
    return results


def _processors() -> int:
    # sched_getaffinity respects the limits of a container, cpu_count does not.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _setup(options: Options) -> Setup:
    """Return what the workers need to know: the releases to audit against, with their specs, and the options."""
    from opspec_lint.zoo.work import Setup

    how = reading(options)
    added = libraries(options, how)
    saved_by = _saver_target(options.saved_by, how)
    producer_ops = _saver_target(options.producer_ops, how)
    tags = None if options.tags is None else tuple(tag for tag in options.tags.split(",") if tag)
    loaders = tuple(loader.name for loader in named_loaders(options))
    # Everything that a verdict depends on besides spec and model: a part of the key of stored verdicts.
    verdict_options = [
        loaders,
        tags,
        options.signature,
        options.checksums,
        [saved_by and saved_by.key, producer_ops and producer_ops.key],
    ]
    named = named_releases(options)
    against = named.against or tuple(released.names(_families()))
    targets = tuple(
        _release_target(reference, how, added, verdict_options)
        for reference in dict.fromkeys([*against, *named.require])
    )
    added.require_used()
    return Setup(
        targets=targets,
        is_of_all=not named.against,
        loaders=loaders,
        tags=tags,
        signature=options.signature,
        saved_by=saved_by,
        producer_ops=producer_ops,
        checksums=options.checksums,
        skips_others=options.skip_others,
    )


def _saver_target(reference: str | None, how: Reading) -> Target | None:
    """Return the spec of the release that saved the models, None if the user named none."""
    if reference is None:
        return None
    from opspec_lint.zoo import specs

    return specs.make_target(reference, lambda: references.resolve(reference, how).spec, None)


def _release_target(reference: str, how: Reading, added: Libraries, verdict_options: Sequence[object]) -> Target:
    """Return a spec to audit against, with the ops of the libraries that the user named."""
    from opspec_lint.zoo import specs

    return specs.make_target(
        reference,
        lambda: added.added_to(references.resolve(reference, how).spec),
        verdict_options,
        is_as_released=not added,
    )


def _families() -> set[str]:
    """Return the families of released specs that loaders use."""
    return {family for loader in LOADERS.every() for family in loader.families}


def _waivers(options: Options) -> Waivers | None:
    """Return the waivers that the user named, None without any."""
    if options.waivers is None:
        return None
    from opspec_lint.lint.waivers import Waivers
    from opspec_lint.project import waiver_file

    return Waivers(waiver_file.read(options.waivers), options.today)


def _verdicts(results: Results, waivers: Waivers | None) -> Iterator[ModelVerdict]:
    """Yield the verdicts, with the findings marked that waivers accept."""
    if waivers is None:
        return results.model_verdicts()
    from opspec_lint.zoo import lines

    return lines.mark_waived(results.model_verdicts(), waivers)


def _decide(results: Results, options: Options, waivers: Waivers | None) -> Decision:
    """Return the exit code with its reasons; a summary without specs requires all specs of the results.

    Raises UsageError if a named release is not among the results.
    """
    named = named_releases(options)
    _require_targets(results, named)
    if options.summary and not named.against and not results.is_of_all():
        named = named.replace(against=tuple(results.targets()))
    if waivers is None:
        return decide(results.rows(), named.requirement(options.unknown))
    decision = decide((verdict.row for verdict in _verdicts(results, waivers)), named.requirement(options.unknown))
    # Every finding has been seen by now.
    return decision.with_general(waivers.findings_of_entries())


def _require_targets(results: Results, named: NamedReleases) -> None:
    """Raise UsageError if a named release is not among the results."""
    missing = {*named.require, *named.against} - set(results.targets())
    if missing:
        problem = f"the results have no audits against {min(missing)}"
        raise UsageError(problem, advice="audit the models against it, and then make the summary")


def _render(
    name: str, results: Results, options: Options, waivers: Waivers | None, *, is_shown: bool
) -> Iterable[str] | bytes:
    """Return the results in a format; `is_shown`: on standard output, which may be a terminal."""
    from opspec_lint.zoo import lines

    verdicts = _verdicts(results, waivers)
    if name == "jsonl":
        return lines.parts(verdicts)
    if name == "json" and not options.summary:
        return lines.as_json(verdicts)
    if name in table_files.FORMATS:
        return table_files.table_content(name, lines.COLUMNS, lines.rows(verdicts), is_shown=is_shown)
    from opspec_lint.zoo.summary import summarize
    from opspec_lint.zoo.view import VIEWS

    return (VIEWS.load(name).render(summarize(results, verdicts)),)
