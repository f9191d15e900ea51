"""Check saved models against the spec of a release: will they load, and compute the same?

MODEL is a model of ONNX (.onnx), TFLite (.tflite), PyTorch (.pt2 of torch.export, or TorchScript), TensorFlow (the
folder of a SavedModel, a GraphDef, a MetaGraphDef, the prefix of a checkpoint) or Paddle (.pdmodel, the .json of a PIR
program, or their folder); its content decides, and no framework is needed. SPEC is what `check` takes. Nothing of a
model is executed or unpickled, no weight is read without --checksums, and no file outside of its folder is looked at.

Without --against, the answer lists the included releases of the model's framework that load the model. The exit code
is then 0 if one does, and 1 if none does. --against and --require name the releases that have to: the exit code is 1 if
one does not load the model. If it is unknown whether a release loads a model, --unknown decides.

With --profile, the interface of each model is judged instead, and no SPEC is needed: --profile retracing names hazards
of retracing in its functions.

A loader is one way to load a model, and loaders refuse different models. Without --loader, a model is judged for every
loader that takes models of its kind:
"""

from __future__ import annotations

from opspec_lint.api.auditing import Auditing, released_by, under_all, under_named
from opspec_lint.cli.destinations import configure_formats, destinations
from opspec_lint.cli.required import move_releases, named_releases
from opspec_lint.cli.shared_options import (
    configure_libraries,
    configure_loader,
    configure_reading,
    configure_site,
    libraries,
    named_loaders,
    reading,
    require_page,
)
from opspec_lint.kit.command_line import Outcome, OutputFile, WrongValueError, choice_of, summary_lines
from opspec_lint.kit.errors import CLEAN, FINDINGS, UsageError
from opspec_lint.lint.profile import PROFILES
from opspec_lint.models.decision import UNKNOWN
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SUMMARY = "check saved models against the spec of a release"
EXAMPLES = (
    "opspec-lint audit export/",
    "opspec-lint audit net.onnx --against onnxruntime@1.23.2",
    "opspec-lint audit models/ --results models.sqlite",
)

_LOADING_OPTIONS = (
    "against",
    "require",
    "library",
    "loader",
    "saved_by",
    "producer_ops",
    "tags",
    "signature",
    "checksums",
    "waivers",
    "site",
)
"""Options that affect how a model is loaded."""
_RESULT_FORMATS = ("csv", "parquet")
"""Formats that only an audit with stored results has."""


def formats() -> list[str]:
    """Return the names of the output formats, without those of frameworks, which report changes of ops."""
    return [*REPORTERS.of(""), *_RESULT_FORMATS]


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.listing = lambda: summary_lines(LOADERS.names(), lambda name: LOADERS.load(name).summary)
    arguments.add(
        "models",
        metavar="MODEL",
        values="*",
        help="a saved model, or with --results also a folder or a pattern of many; a released spec such as tflite@2.15 "
        "is taken for --against",
    )
    _configure_releases(arguments)
    configure_libraries(arguments)
    configure_loader(arguments)
    _configure_loading(arguments)
    _configure_results(arguments)
    configure_formats(arguments, formats)
    configure_site(arguments)
    configure_reading(arguments)


def _configure_releases(arguments: Arguments) -> None:
    """Declare the options that name releases, and how an unknown verdict counts."""
    add = arguments.add
    add(
        "--against",
        repeats=True,
        metavar="SPEC",
        help="the spec of the release that has to load the models, or a range of releases, tflite@2.12.1..; may be "
        "repeated",
    )
    add(
        "--require",
        repeats=True,
        metavar="SPEC",
        help="a release, or a range, that has to load the models; without --against, all others are shown too; may be "
        "repeated",
    )
    add(
        "--unknown",
        accept=choice_of("way to count it", lambda: UNKNOWN),
        known=lambda: UNKNOWN,
        default="warning",
        help="the level if it is unknown whether a release loads a model: error, warning or ignore (default: warning)",
    )


def _configure_loading(arguments: Arguments) -> None:
    """Declare the options for what is loaded, how, and by whom."""
    add = arguments.add
    add(
        "--profile",
        accept=choice_of("profile", PROFILES.names),
        known=PROFILES.names,
        help="judge the interface of each model by this policy, without a SPEC: retracing",
    )
    add(
        "--saved-by",
        metavar="SPEC",
        help="the spec of the release that saved the models, if they do not name an included one",
    )
    add("--producer-ops", metavar="FILE", help="the op list given to the loader, instead of the model's own")
    add("--tags", metavar="TAGS", accept=str, help="the tags to load, such as serve,gpu")
    add("--signature", metavar="KEY", accept=str, help="the signature to check")
    add("--checksums", values=0, help="read the weights and verify their checksums")
    add("--skip-others", values=0, help="skip files that are not models, and models of another framework")
    add("--waivers", metavar="FILE", help="findings that are accepted")
    add(
        "--verify",
        repeats=True,
        metavar="PYTHON",
        help="load the models in this interpreter, which has the framework, and compare with the verdicts: the exit "
        "code is 1 where one differs; may be repeated",
    )


def _configure_results(arguments: Arguments) -> None:
    """Declare the options of an audit of many models with stored results."""
    add = arguments.add
    add("--results", metavar="FILE", help="audit many models: keep the results in this file, and continue it")
    add("--summary", values=0, help="show the results in the file of --results, and audit no models")
    add(
        "--jobs",
        metavar="N",
        accept=_worker_count,
        help="with --results: the number of workers (default: the processors)",
    )
    add(
        "--engine",
        metavar="NAME[:ADDRESS]",
        help=lambda: f"with --results: the engine that runs the workers: {', '.join(_engines())} (default: pool)",
    )


def _worker_count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not int(text):
        raise WrongValueError(f"{text!r} is not a number of workers")
    return int(text)


def _engines() -> list[str]:
    from opspec_lint.zoo.engine import ENGINES

    return [f"{name}[:ADDRESS]" if ENGINES.load(name).takes_address else name for name in ENGINES.names()]


def run(options: Options) -> Outcome:
    """Audit, and return the report; the exit code is 3 if a model cannot be read, and 1 if any does not load.

    Raises UsageError if a spec is of another framework than a model, or no loader takes a model, OpspecError if no
    model can be read in an audit under all releases.
    """
    places = destinations(options.format or (), options.output)
    move_releases(options)
    if options.results is not None:
        from opspec_lint.cli import zoo_audit

        return zoo_audit.run(options, places)
    _refuse_result_options(options, places)
    if options.profile is not None:
        return _audit_interfaces(options, places)
    how = reading(options)
    load_options = _load_options(options, how)
    if options.verify:
        from opspec_lint.cli import verifying

        return verifying.run(options, load_options, places)
    named = named_releases(options)
    loaded = libraries(options, how)
    specs = {
        name: loaded.added_to(references.resolve(name, how).spec)
        for name in dict.fromkeys([*named.against, *named.require])
    }
    auditing = Auditing(
        loaders=named_loaders(options),
        load_options=load_options,
        libraries=loaded,
        skip_foreign=options.skip_others,
    )
    audit_models = under_named if options.against else under_all
    audited = audit_models(options.models, specs, auditing)
    loaded.require_used()
    if not options.skip_others:
        audited.require_used(auditing.loaders)
    if options.waivers is not None:
        audited = audited.apply_waivers(options.waivers, options.today)
    audited, decision = audited.apply_requirement(named.requirement(options.unknown))
    texts = {name: audited.rendered(name, options.site) for name, _ in places}
    return _outcome(texts, places, decision.code).replace(remarks=decision.remarks)


def _refuse_result_options(options: Options, places: Sequence[tuple[str, str | None]]) -> None:
    """Raise UsageError for options that need stored results, and if no model is named."""
    given = [name for name in ("summary", "jobs", "engine") if getattr(options, name)]
    given += [f"format {name}" for name, _ in places if name in _RESULT_FORMATS]
    if given:
        raise UsageError(f"--{given[0]} needs --results", advice="name the file that keeps the results")
    require_page(options, [name for name, _ in places])
    if not options.models:
        raise UsageError("no model was named", advice="opspec-lint audit MODEL --against SPEC")


def _outcome(texts: Mapping[str, str], places: Sequence[tuple[str, str | None]], code: int) -> Outcome:
    """Return the outcome with the text of each format in its file, or on standard output."""
    files = [OutputFile(path=file, content=texts[name]) for name, file in places if file is not None]
    shown = "".join(texts[name] for name, file in places if file is None)
    return Outcome(text=shown, code=code, files=files, makes_folder=True)


def _load_options(options: Options, how: Reading) -> LoadOptions:
    """Return the options for the loaders, from the command line."""
    return LoadOptions(
        tags=None if options.tags is None else tuple(tag for tag in options.tags.split(",") if tag),
        signature=options.signature,
        producer_ops=_resolve_spec(options.producer_ops, how),
        saved_by=_resolve_spec(options.saved_by, how),
        released=released_by(how),
        checksums=options.checksums,
    )


def _audit_interfaces(options: Options, places: Sequence[tuple[str, str | None]]) -> Outcome:
    """Judge the interface of each model by a profile. Raises UsageError for options on how a model is loaded."""
    from opspec_lint.models.interface_report import interface_report

    given = [name for name in _LOADING_OPTIONS if getattr(options, name)]
    if given:
        problem = f"--profile judges a model without loading it, so that --{given[0].replace('_', '-')} has no effect"
        raise UsageError(problem, advice="remove one of the two")
    how = reading(options)
    policy = PROFILES.load(options.profile)
    report = interface_report((references.resolve(reference, how).spec for reference in options.models), policy)
    texts = {name: REPORTERS.load(name).render(report) for name, _ in places}
    return _outcome(texts, places, FINDINGS if report.failed else CLEAN)


def _resolve_spec(reference: str | None, how: Reading) -> Spec | None:
    return None if reference is None else references.resolve(reference, how).spec
