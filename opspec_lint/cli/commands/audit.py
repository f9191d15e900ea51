"""Check saved models against the spec of a release: will they load, and compute the same?

MODEL is a model of ONNX (.onnx), TFLite (.tflite), PyTorch (.pt2 of torch.export, or TorchScript), TensorFlow (the
folder of a SavedModel, a GraphDef, a MetaGraphDef, the prefix of a checkpoint) or Paddle (.pdmodel, the .json of a PIR
program, or their folder); its content decides, and no framework is needed. SPEC is what `check` takes. Nothing of a
model is executed or unpickled, no weight is read without --checksums, and no file outside of its folder is looked at.

Without --against, the answer lists the included releases of the model's framework that load the model. The exit code
is then 0 if one does, and 1 if none does. --against and --require name the releases that have to: the exit code is 1 if
one does not load the model. Where neither is known, --unknown decides.

With --profile, the interface of each model is judged instead, and no SPEC is needed: --profile retracing names hazards
of retracing in its functions.

A loader is one way to load a model: what stops a model differs by who loads it. Without --loader all loaders are asked
that take models of that kind. They are:
"""

from __future__ import annotations

from opspec_lint.cli.destinations import configure_formats, destinations
from opspec_lint.cli.required import expanded
from opspec_lint.cli.shared_options import configure_libraries, configure_loader, configure_reading, libraries, reading
from opspec_lint.kit.command_line import Outcome, OutputFile, WrongValueError, choice_of, listed
from opspec_lint.kit.errors import CLEAN, FAILED, FINDINGS, InputError, OpspecError, UsageError
from opspec_lint.lint.profile import PROFILES
from opspec_lint.models import audit_json, audit_text, loader
from opspec_lint.models.audit import Audit, audit, audit_model, is_no_model, report
from opspec_lint.models.decision import UNKNOWN, decide, with_unknown_level
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.models.loader import Loader
    from opspec_lint.models.reach import Reach
    from opspec_lint.sources.libraries import Libraries
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

    _Named: TypeAlias = Sequence[tuple[str, Spec]]
    """Specs, each with what the caller calls it."""

SUMMARY = "check saved models against the spec of a release"
EXAMPLES = (
    "opspec-lint audit export/",
    "opspec-lint audit net.onnx --against onnxruntime@1.23.2",
    "opspec-lint audit models/ --results models.sqlite",
)

_OF_LOADERS = (
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
)
"""The options that say how a model is loaded."""
_OF_RESULTS = ("csv", "parquet")
"""The formats that only an audit with a file of results has."""
_OWN = {"text": audit_text.render, "json": audit_json.render}
"""The formats that an audit has a text of its own in."""


def formats() -> list[str]:
    """Return the names of the output formats; those of a framework report changes of its ops."""
    return [*REPORTERS.of(""), *_OF_RESULTS]


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    arguments.listing = lambda: listed(LOADERS.names(), lambda name: LOADERS.load(name).summary)
    add("models", metavar="MODEL", values="*", help="a saved model; with --results, also where many of them are")
    add(
        "--against",
        repeats=True,
        metavar="SPEC",
        help="the spec of the release that has to load it, or a range of releases, tflite@2.12.1..; may be repeated",
    )
    add(
        "--require",
        repeats=True,
        metavar="SPEC",
        help="a release, or a range, that has to load it; without --against, all others are shown too; may be repeated",
    )
    add(
        "--unknown",
        accept=choice_of("way to count it", lambda: UNKNOWN),
        known=lambda: UNKNOWN,
        default="warning",
        help="how it counts if it is unknown whether a release loads it: error, warning or ignore (default: warning)",
    )
    configure_libraries(arguments)
    configure_loader(arguments)
    add(
        "--profile",
        accept=choice_of("profile", PROFILES.names),
        known=PROFILES.names,
        help="judge the interface of each model by this policy, without a SPEC: retracing",
    )
    add(
        "--saved-by",
        metavar="SPEC",
        help="the spec of the release that saved it, if the model does not name an included one",
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
    add("--results", metavar="FILE", help="audit many models: keep the results in this file, and continue it")
    add("--summary", values=0, help="show what the file of --results has, and audit nothing")
    add("--jobs", metavar="N", accept=_positive, help="with --results: the number of workers (default: the processors)")
    add(
        "--engine",
        metavar="NAME[:ADDRESS]",
        help=lambda: f"with --results: what audits: {', '.join(_engines())} (default: pool)",
    )
    configure_formats(arguments, formats)
    configure_reading(arguments)


def _positive(word: str) -> int:
    if not word.isascii() or not word.isdecimal() or not int(word):
        raise WrongValueError(f"{word!r} is not a number of workers")
    return int(word)


def _engines() -> list[str]:
    from opspec_lint.zoo.engine import ENGINES

    return [f"{name}[:ADDRESS]" if ENGINES.load(name).takes_address else name for name in ENGINES.names()]


def run(options: Options) -> Outcome:
    """Audit, and return the report; the exit code is 3 if a model cannot be read, and 1 if any does not load.

    Raises:
        UsageError: a spec is of another framework than a model, or no loader takes a model.
        OpspecError: no model can be read, where all releases are asked.
    """
    places = destinations(options.format or (), options.output)
    if options.results is not None:
        from opspec_lint.cli import zoo_audit

        return zoo_audit.run(options, places)
    _require_no_results(options, places)
    if options.profile is not None:
        return _of_profile(options, places)
    how = reading(options)
    asked = _asked(options, how)
    if options.verify:
        from opspec_lint.cli import verifying

        return verifying.run(options, asked, places)
    wanted = [] if options.loader is None else [LOADERS.load(options.loader)]
    reaches: list[Reach] = []
    failed: list[InputError] = []
    named = expanded(options)
    loaded = libraries(options, how)
    specs = {
        name: loaded.added_to(references.resolve(name, how).spec)
        for name in dict.fromkeys([*named.against, *named.require])
    }
    if options.against:
        audits = list(_audits(options, specs, wanted, asked))
    else:
        audits, reaches, failed = _under_all(options, specs, wanted, asked, loaded)
    loaded.require_used()
    if options.waivers is not None:
        audits = _waived(audits, options)
    decision = decide((audit.row for audit in audits), named.requirement(options.unknown))
    code = max(decision.code, FAILED if failed else CLEAN)
    audits = [audit.replace(findings=with_unknown_level(audit.findings, options.unknown)) for audit in audits]
    texts = {name: _rendered(audits, reaches, name) for name, _ in places}
    remarks = (*(f"error: {each.line}" for each in failed), *decision.remarks)
    return _outcome(texts, places, code).replace(remarks=remarks)


def _require_no_results(options: Options, places: Sequence[tuple[str, str | None]]) -> None:
    """Refuse what only an audit with a file of results takes.

    Raises:
        UsageError: such an option is given, or no model is named.
    """
    given = [name for name in ("summary", "jobs", "engine") if getattr(options, name)]
    given += [f"format {name}" for name, _ in places if name in _OF_RESULTS]
    if given:
        raise UsageError(f"--{given[0]} needs --results", advice="name the file that keeps the results")
    if not options.models:
        raise UsageError("no model was named", advice="opspec-lint audit MODEL --against SPEC")


def _outcome(texts: Mapping[str, str], places: Sequence[tuple[str, str | None]], code: int) -> Outcome:
    """Return the outcome that has the text of each format at its place."""
    files = [OutputFile(path=file, content=texts[name]) for name, file in places if file is not None]
    shown = "".join(texts[name] for name, file in places if file is None)
    return Outcome(text=shown, code=code, files=files, makes_folder=True)


def _asked(options: Options, how: Reading) -> LoadOptions:
    return LoadOptions(
        tags=None if options.tags is None else tuple(each for each in options.tags.split(",") if each),
        signature=options.signature,
        producer_ops=_named(options.producer_ops, how),
        saved_by=_named(options.saved_by, how),
        released=_released(how),
        checksums=options.checksums,
    )


def _audits(
    options: Options, specs: Mapping[str, Spec], wanted: Sequence[Loader], asked: LoadOptions
) -> Iterator[Audit]:
    """Yield the audits under the specs that are named."""
    for path in options.models if specs else ():
        yield from audit(path, list(specs.items()), wanted, asked, skip_foreign=options.skip_others)


def _under_all(
    options: Options, required: Mapping[str, Spec], wanted: Sequence[Loader], asked: LoadOptions, loaded: Libraries
) -> tuple[list[Audit], list[Reach], list[InputError]]:
    """Return the audits under every included release that a loader of the model goes by, and what cannot be read.

    With the audits come the releases that load each model. `required` are further specs.

    Raises:
        OpspecError: no model can be read.
        UsageError: a required spec is of another framework than a model.
    """
    from functools import cache

    from opspec_lint.sources import released

    release = cache(lambda name: None if (spec := asked.released(name)) is None else loaded.added_to(spec))

    def releases(families: Container[str]) -> tuple[_Named, _Named]:
        """Return the released specs of families, and the required specs that are no such release."""
        names = released.names(families)
        known = [(name, spec) for name in names if (spec := release(name)) is not None]
        return known, [(name, spec) for name, spec in required.items() if name not in names]

    is_strict = not options.skip_others
    found = [_under_known(path, releases, wanted, asked, is_strict=is_strict) for path in options.models]
    failed = [each for each in found if isinstance(each, InputError)]
    if failed and len(failed) == len(found):
        first, *others = failed
        raise OpspecError(first.message, advice=first.advice, others=tuple(others))
    known = [each for each in found if not isinstance(each, InputError)]
    return [each for audits, _ in known for each in audits], [each for _, reach in known for each in reach], failed


def _under_known(
    path: str,
    releases: Callable[[Container[str]], tuple[_Named, _Named]],
    wanted: Sequence[Loader],
    asked: LoadOptions,
    *,
    is_strict: bool,
) -> tuple[list[Audit], list[Reach]] | InputError:
    """Return the audits of a model under the releases that its loaders go by; an error if it cannot be read."""
    from opspec_lint.models.reach import compute_reaches
    from opspec_lint.models.recognise import read_model

    formats = sorted({name for each in wanted for name in each.formats})
    try:
        model = read_model(path, formats if is_strict else ())
        known, others = releases(loader.spec_families(model.format))
        audits = list(audit_model(model, known, wanted, asked, skip_foreign=not is_strict))
        more = list(audit_model(model, others, wanted, asked, skip_foreign=not is_strict))
        return audits + more, list(compute_reaches(model, audits))
    except InputError as error:
        return ([], []) if not is_strict and is_no_model(path, error) else error


def _of_profile(options: Options, places: Sequence[tuple[str, str | None]]) -> Outcome:
    """Judge the interface of each model by a policy.

    Raises:
        UsageError: options are given that say how a model is loaded.
    """
    from opspec_lint.models.interface_report import interface_report

    given = [name for name in _OF_LOADERS if getattr(options, name)]
    if given:
        problem = f"--profile judges a model without loading it, so that --{given[0].replace('_', '-')} has no effect"
        raise UsageError(problem, advice="remove one of the two")
    how = reading(options)
    policy = PROFILES.load(options.profile)
    found = interface_report((references.resolve(each, how).spec for each in options.models), policy)
    texts = {name: REPORTERS.load(name).render(found) for name, _ in places}
    return _outcome(texts, places, FINDINGS if found.failed else CLEAN)


def _named(reference: str | None, how: Reading) -> Spec | None:
    return None if reference is None else references.resolve(reference, how).spec


def _released(how: Reading) -> Callable[[str], Spec | None]:
    """Return a function that returns the spec of a release that is included, None for another release."""
    from functools import cache

    from opspec_lint.sources import released

    return cache(lambda name: references.resolve(name, how).spec if name in released.names() else None)


def _waived(audits: Sequence[Audit], options: Options) -> list[Audit]:
    """Return audits, the findings that a file of waivers clears marked as waived."""
    from opspec_lint.lint.steps import Steps
    from opspec_lint.lint.waivers import Waivers
    from opspec_lint.project import waiver_file

    waivers = Waivers(waiver_file.read(options.waivers), options.today)
    steps = Steps(waived=waivers.waiving([finding for each in audits for finding in each.findings]))
    return [each.replace(findings=steps.through(each.findings)) for each in audits]


def _rendered(audits: Sequence[Audit], reaches: Sequence[Reach], name: str) -> str:
    return _OWN[name](audits, reaches) if name in _OWN else REPORTERS.load(name).render(report(audits))
