"""Show each difference of two specs by a saved model that the one release loads and the other does not.

BASE and HEAD are what `check` takes. For every finding, the smallest model that base accepts and head is said to break
is written, without a framework; of what breaks in the other direction, one that head accepts. With an interpreter for
each release both load it, and run it where loading it does not settle what is claimed, in processes with limits of time
and memory. The finding is then confirmed, refuted or not provable.

With --store the models that base takes are kept, and `prove --store DIR HEAD` tries a later release on all of them.
The loaders that can be asked are:
"""

from __future__ import annotations

import os

from opspec_lint.cli.destinations import STANDARD_OUTPUT
from opspec_lint.cli.release_order import order_hints
from opspec_lint.cli.shared_options import configure_format, configure_reading, reading
from opspec_lint.kit.command_line import Outcome, OutputFile, choice_of, listed
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
    arguments.listing = lambda: listed(PROVERS.names(), lambda name: PROVERS.load(name).summary)
    add("base_spec", metavar="BASE", values=1, help="the spec that existing models were saved with; HEAD with --store")
    add("head_spec", metavar="HEAD", values="?", help="the spec that replaces it")
    add("--base-python", metavar="PYTHON", help="an interpreter that has the release of BASE")
    add("--head-python", metavar="PYTHON", help="an interpreter that has the release of HEAD")
    add(
        "--loader",
        accept=choice_of("loader", PROVERS.names),
        known=PROVERS.names,
        help="who loads the models (default: that of the framework)",
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
        help="that one model may take to be loaded (default: 60), and the framework to be imported (default: 600)",
    )
    add("--memory", metavar="MIB", help="that loading models may take, besides the framework (default: 4096)")
    configure_format(arguments, formats)
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Prove, and return the report; the exit code is 1 if an error is not refuted, or a stored model is not taken.

    Raises:
        UsageError: an interpreter is missing or has another release than its spec, or the framework has no loader.
        InputError: a spec cannot be read, or an interpreter cannot be run.
    """
    if options.head_spec is None:
        return _try_stored(options)
    from opspec_lint.lint.check import check
    from opspec_lint.proof import prove
    from opspec_lint.proof.writer import WRITERS
    from opspec_lint.sources import references

    for option, folder in (("--output", options.output), ("--store", options.store)):
        if folder == STANDARD_OUTPUT:
            raise UsageError(f"{option} names a folder, and - is standard output", advice="name a folder: ./-")
    for option, word in (("--seconds", options.seconds), ("--memory", options.memory)):
        _number(option, word)
    how = reading(options)
    base, head = (references.resolve(each, how).spec for each in (options.base_spec, options.head_spec))
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
    wrote = WRITERS.load(chosen.writer)
    found = prove.prove(comparison.findings, ends, chosen, wrote, options.progress)
    proofs = found.proofs
    files = {} if options.output is None else _files(proofs, options.output, wrote.suffix)
    written = [OutputFile(path=path, content=data, below=options.output) for data, path in files.items()]
    if options.store is not None:
        kept = _kept(options, ends, (name, wrote), proofs)
        written += [OutputFile(path=path, content=data, below=options.store) for path, data in kept.items()]
    is_open = any(
        each.finding.level == "error" and each.finding.counts and each.judgement.verdict != "refuted" for each in proofs
    )
    text = _rendered(options.format, comparison, name, found, files)
    hints = order_hints([comparison])
    return Outcome(text=text, code=FINDINGS if is_open else CLEAN, files=written, makes_folder=True, remarks=hints)


def _rendered(name: str, comparison: Comparison, loader: str, proofs: Proofs, files: Mapping[bytes, str]) -> str:
    from opspec_lint.proof import proof_json, proof_text

    render = proof_json.render if name == "json" else proof_text.render
    return render(comparison, loader, proofs, files)


def _kept(
    options: Options, ends: ReleasePair, made: tuple[str, Writer], proofs: Sequence[Proof]
) -> dict[str, str | bytes]:
    """Return the files of the store: models of base that showed something, and one of each op.

    Raises:
        UsageError: base is no release.
        InputError: its interpreter cannot be run.
    """
    from opspec_lint.proof import store, trial

    loader, writer = made
    models = store.models_of_every_op(ends.base, writer)
    models |= {each.model: each.finding.op or "" for each in proofs if each.model and each.direction == "backward"}
    became: dict[bytes, tuple[str, Trial | None]] = {data: (op, None) for data, op in models.items()}
    if ends.base_setup is not None:
        trials = trial.load_all(ends.base_setup, list(models), options.progress).trials
        became = {data: (op, each) for (data, op), each in zip(models.items(), trials, strict=True)}
    return store.store_files(options.store, ends.base, loader, writer.suffix, became)


def _try_stored(options: Options) -> Outcome:
    """Try a release on the models that a store keeps of others.

    Raises:
        UsageError: no store is named, or the framework has no loader to ask.
        InputError: the store cannot be read, or the interpreter cannot be run.
    """
    if options.store is None:
        raise UsageError(
            "HEAD is missing", advice="name two specs, `prove BASE HEAD`, or a store: `prove --store DIR HEAD`"
        )
    for option in ("base_python", "output", "op", "profile"):
        if getattr(options, option):
            word = option.replace("_", "-")
            raise UsageError(f"--{word} applies to two specs, and HEAD alone is tried on a store")
    from opspec_lint.proof import later, later_report, store
    from opspec_lint.sources import references

    head = references.resolve(options.base_spec, reading(options)).spec
    framework = prover.framework_of(options.loader, store.frameworks(options.store), head.provenance.framework)
    name, chosen = prover.choose(options.loader, framework, head.provenance.framework)
    models = store.read(options.store, framework)
    setup = _setup(options, chosen, options.head_python, options.base_spec, saves=False)
    fates = later.later_results(models, head, (name, setup), chosen.error_summary, options.progress)
    render = later_report.as_json if options.format == "json" else later_report.as_text
    code = FINDINGS if any(not each.is_taken for each in fates) else CLEAN
    return Outcome(text=render(head, name, fates, is_tried=setup is not None), code=code)


def _files(proofs: Sequence[Proof], folder: str, suffix: str) -> dict[bytes, str]:
    """Return where the models of proofs are written, by their bytes."""
    from opspec_lint.proof.naming import model_file_name

    return {
        each.model: os.path.join(folder, model_file_name(each.finding.op, each.model, suffix))
        for each in proofs
        if each.model is not None
    }


def _setup(options: Options, chosen: Prover, python: str | None, reference: str, *, saves: bool) -> TrialSetup | None:
    """Return where a release is asked: in the interpreter that was named for it, or that its spec is taken from."""
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


def _number(option: str, word: str | None) -> int:
    """Return the number that an option gives, 0 for none.

    Raises:
        UsageError: the word is not a number above 0.
    """
    if word is None:
        return 0
    if not word.isdecimal() or not 0 < int(word) <= 1 << 20:
        raise UsageError(f"{option} {word!r} is not a number above 0", advice=f"write {option} 60")
    return int(word)
