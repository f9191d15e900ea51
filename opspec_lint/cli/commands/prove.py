"""Prove each difference of two specs by a saved model that one release loads and the other does not.

BASE and HEAD are what `check` takes. For every finding, the command writes the smallest model that base accepts and
that head breaks by the finding, without a framework; for a forward break, one that head accepts. If an interpreter is
given for each release, both load the model, and run it if loading alone decides nothing, in processes with limits of
time and memory. The finding is then confirmed, refuted or not provable.

With --store, the command keeps the models that base loads, and `prove --store DIR HEAD` loads them all in a later
release. The loaders are:
"""

from __future__ import annotations

import os

from opspec_lint.cli.destinations import STANDARD_OUTPUT
from opspec_lint.cli.release_order import order_hints
from opspec_lint.cli.shared_options import configure_format, configure_reading, reading
from opspec_lint.kit.command_line import Outcome, OutputFile, choice_of, summary_lines
from opspec_lint.kit.errors import CLEAN, FINDINGS, UsageError
from opspec_lint.lint.profile import PROFILES
from opspec_lint.proof import prover
from opspec_lint.proof.prover import PROVERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.proof.claim_trials import Proof
    from opspec_lint.proof.prove import Proofs, ReleasePair
    from opspec_lint.proof.prover import Prover
    from opspec_lint.proof.trial import Trial, TrialSetup
    from opspec_lint.proof.writer import Writer
    from opspec_lint.report.findings import Comparison

SUMMARY = "show each difference of two specs by a model that stops loading"
EXAMPLES = ("opspec-lint prove paddle@2.6.2 paddle@3.0.0 --op histogram --head-python venv/bin/python",)
_FORMATS = ("text", "json")
_RUNTIME = "-runtime"
_MEBIBYTE = 1 << 20


def formats() -> tuple[str, ...]:
    """Return the names of the output formats."""
    return _FORMATS


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    arguments.listing = lambda: summary_lines(PROVERS.names(), lambda name: PROVERS.load(name).summary)
    add(
        "base_spec",
        metavar="BASE",
        values=1,
        help="the spec that existing models were saved with; HEAD with --store",
    )
    add("head_spec", metavar="HEAD", values="?", help="the spec that replaces it")
    add("--base-python", metavar="PYTHON", help="an interpreter that has the release of BASE")
    add("--head-python", metavar="PYTHON", help="an interpreter that has the release of HEAD")
    add(
        "--loader",
        accept=choice_of("loader", PROVERS.names),
        known=PROVERS.names,
        help="the loader of the models (default: that of the framework)",
    )
    add(
        "--profile",
        accept=choice_of("profile", PROFILES.names),
        known=PROFILES.names,
        help="the policy whose findings are tried (default: that of the framework)",
    )
    add("--op", repeats=True, metavar="OP", help="try only this op, or those of a pattern; may be repeated")
    add("--output", metavar="DIR", help="the folder that the models are written to")
    add("--store", metavar="DIR", help="the folder that keeps models of each release, for later ones")
    add(
        "--seconds",
        metavar="N",
        help="the seconds to load one model (default: 60), and to import the framework (default: 600)",
    )
    add("--memory", metavar="MIB", help="the memory for loading models, besides that of the framework (default: 4096)")
    configure_format(arguments, formats)
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Prove, and return the report; the exit code is 1 if an error is not refuted, or a stored model does not load.

    Raises UsageError if an interpreter is missing or has another release than its spec, or the framework has no loader,
    InputError if a spec cannot be read or an interpreter cannot be run.
    """
    if options.head_spec is None:
        return _try_stored(options)
    from opspec_lint.lint.check import check
    from opspec_lint.proof import prove
    from opspec_lint.proof.writer import WRITERS
    from opspec_lint.sources import references

    _check_values(options)
    how = reading(options)
    base, head = (references.resolve(reference, how).spec for reference in (options.base_spec, options.head_spec))
    policy = PROFILES.load(options.profile) if options.profile else None
    comparison = check(base, head, policy, options.op)
    name, chosen = prover.choose(options.loader, base.provenance.framework, head.provenance.framework)
    ends = prove.ReleasePair(
        base=base,
        head=head,
        base_setup=_setup(options, chosen, options.base_python, options.base_spec, saves=True),
        head_setup=_setup(options, chosen, options.head_python, options.head_spec, saves=False),
    )
    if options.base_python and ends.head_setup is None and options.store is None:
        raise UsageError("--base-python needs --head-python", advice="name an interpreter for each release")
    writer = WRITERS.load(chosen.writer)
    result = prove.prove(comparison.findings, ends, chosen, writer, options.progress)
    proofs = result.proofs
    paths = {} if options.output is None else _model_files(proofs, options.output, writer.suffix)
    files = [OutputFile(path=path, content=data, below=options.output) for data, path in paths.items()]
    if options.store is not None:
        stored = _stored_files(options, ends, (name, writer), proofs)
        files += [OutputFile(path=path, content=data, below=options.store) for path, data in stored.items()]
    # An error that no trial refuted counts, as it does in `check`.
    is_open = any(
        proof.finding.level == "error" and proof.finding.counts and proof.judgement.verdict != "refuted"
        for proof in proofs
    )
    text = _render(options.format, comparison, name, result, paths)
    hints = order_hints([comparison])
    return Outcome(text=text, code=FINDINGS if is_open else CLEAN, files=files, makes_folder=True, remarks=hints)


def _check_values(options: Options) -> None:
    """Raise UsageError for an output folder `-`, or a limit that is no number, before interpreters are started."""
    for option, folder in (("--output", options.output), ("--store", options.store)):
        if folder == STANDARD_OUTPUT:
            raise UsageError(f"{option} names a folder, and - is standard output", advice="name a folder: ./-")
    for option, number_text in (("--seconds", options.seconds), ("--memory", options.memory)):
        _number(option, number_text)


def _render(name: str, comparison: Comparison, loader: str, proofs: Proofs, files: Mapping[bytes, str]) -> str:
    from opspec_lint.proof import proof_json, proof_text

    render = proof_json.render if name == "json" else proof_text.render
    return render(comparison, loader, proofs, files)


def _stored_files(
    options: Options, ends: ReleasePair, made: tuple[str, Writer], proofs: Sequence[Proof]
) -> dict[str, str | bytes]:
    """Return the files for the store: models of base that demonstrate a finding, and one model of each op.

    Raises UsageError if base is no release, InputError if its interpreter cannot be run.
    """
    from opspec_lint.proof import store, trial

    loader, writer = made
    models = store.models_of_every_op(ends.base, writer)
    models |= {proof.model: proof.finding.op or "" for proof in proofs if proof.model and proof.direction == "backward"}
    # The op of each model, and its trial in its own release, None without an interpreter.
    outcomes: dict[bytes, tuple[str, Trial | None]] = {data: (op, None) for data, op in models.items()}
    if ends.base_setup is not None:
        trials = trial.load_all(ends.base_setup, list(models), options.progress).trials
        outcomes = {data: (op, model_trial) for (data, op), model_trial in zip(models.items(), trials, strict=True)}
    return store.store_files(options.store, ends.base, loader, writer.suffix, outcomes)


def _try_stored(options: Options) -> Outcome:
    """Try a release on the models that a store has of earlier releases.

    Raises UsageError if no store is named or the framework has no loader, InputError if the store cannot be read or the
    interpreter cannot be run.
    """
    if options.store is None:
        raise UsageError(
            "HEAD is missing", advice="name two specs, `prove BASE HEAD`, or a store: `prove --store DIR HEAD`"
        )
    for option in ("base_python", "output", "op", "profile"):
        if getattr(options, option):
            option_name = option.replace("_", "-")
            raise UsageError(f"--{option_name} needs BASE and HEAD; HEAD alone loads the models of a store")
    from opspec_lint.proof import later, later_report, store
    from opspec_lint.sources import references

    head = references.resolve(options.base_spec, reading(options)).spec
    framework = prover.framework_of(options.loader, store.frameworks(options.store), head.provenance.framework)
    name, chosen = prover.choose(options.loader, framework, head.provenance.framework)
    models = store.read(options.store, framework)
    setup = _setup(options, chosen, options.head_python, options.base_spec, saves=False)
    results = later.later_results(models, head, (name, setup), chosen.error_summary, options.progress)
    render = later_report.as_json if options.format == "json" else later_report.as_text
    code = CLEAN if all(result.is_taken for result in results) else FINDINGS
    return Outcome(text=render(head, name, results, is_tried=setup is not None), code=code)


def _model_files(proofs: Sequence[Proof], folder: str, suffix: str) -> dict[bytes, str]:
    """Return the file names for the models of proofs, by the bytes of the models."""
    from opspec_lint.proof.naming import model_file_name

    return {
        proof.model: os.path.join(folder, model_file_name(proof.finding.op, proof.model, suffix))
        for proof in proofs
        if proof.model is not None
    }


def _setup(options: Options, chosen: Prover, python: str | None, reference: str, *, saves: bool) -> TrialSetup | None:
    """Return the setup for trials of a release: in the named interpreter, or the one that its spec comes from."""
    scheme, _, argument = reference.partition(":")
    if python is None and scheme.endswith(_RUNTIME) and not os.path.lexists(reference):
        python = argument
    if not python:
        return None
    from opspec_lint.interpreters import runner
    from opspec_lint.proof.trial import MEMORY, SECONDS, TrialSetup

    seconds = _number("--seconds", options.seconds)
    return TrialSetup(
        python=python,
        probe=chosen.saved_under() if saves and chosen.saved_under is not None else chosen.probe(),
        package=chosen.package,
        environment=options.environment,
        import_seconds=seconds or runner.SECONDS,
        seconds=seconds or SECONDS,
        memory=_number("--memory", options.memory) * _MEBIBYTE or MEMORY,
    )


def _number(option: str, text: str | None) -> int:
    """Parse the number of an option, 0 if it is not given. Raises UsageError if it is not above 0."""
    if text is None:
        return 0
    if not text.isdecimal() or not 0 < int(text) <= 1 << 20:
        raise UsageError(f"{option} {text!r} is not a number above 0", advice=f"write {option} 60")
    return int(text)
