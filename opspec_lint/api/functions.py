"""The functions of the public API."""

from __future__ import annotations

import os

from opspec_lint.api import places
from opspec_lint.api.arguments import checked_items
from opspec_lint.api.errors import public_errors
from opspec_lint.api.results import Audit, Report, made_audit, made_report
from opspec_lint.api.spec import Spec, spec_of
from opspec_lint.kit.errors import UsageError, unknown_name
from opspec_lint.sources.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal, TypeVar

    from opspec_lint.api.auditing import Audited, Auditing
    from opspec_lint.api.comparing import End
    from opspec_lint.api.places import Path
    from opspec_lint.sources.libraries import Libraries
    from opspec_lint.spec import model as internal

    _Value = TypeVar("_Value")


@public_errors
def load(
    reference: Path, *, base_dir: Path | None = None, build: str | None = None, include: Iterable[Path] = ()
) -> Spec:
    """Return the spec that a reference names.

    >>> import opspec_lint
    >>> spec = opspec_lint.load("paddle@3.0.0")
    >>> spec.framework, spec.version, [attr.name for attr in spec.ops["trace"].attrs][:3]
    ('paddle', '3.0.0', ['axis1', 'axis2', 'offset'])

    Args:
        reference: a reference as the command line takes it: a file in any format, a source such as
            `paddle-source:/src/Paddle@develop`, a released spec, or `REVISION:PATH`, a file at a revision of the
            repository around `base_dir`.
        base_dir: the absolute folder that relative paths count from. Without it they are refused.
        build: the build of a source tree, None for its default.
        include: folders in which the files that a schema includes are searched.

    Raises:
        InputError: the reference names nothing, or it cannot be read.
        UsageError: a path is relative, and `base_dir` is not given.
    """
    reading = _reading(base_dir).replace(
        build=build, include=tuple(places.absolute(folder, base_dir) for folder in _several(include, "include"))
    )
    return _load(reference, reading, base_dir)


@public_errors
def check(  # noqa: PLR0913 - each is an option of the command line
    base: Spec | Path,
    head: Spec | Path,
    *,
    profile: str | None = None,
    waivers: Path | None = None,
    config: Path | None = None,
    ops: Iterable[str] | None = None,
    libraries: Iterable[Path] = (),
    released: str | None = None,
    next_version: str | None = None,
    base_dir: Path | None = None,
    today: str | None = None,
) -> Report:
    """Compare two specs, and judge every difference, as `opspec-lint check BASE HEAD` does.

    >>> import opspec_lint
    >>> report = opspec_lint.check("paddle@2.6.2", "paddle@3.0.0", ops=["abs"])
    >>> report.failed, report.comparisons[0].profile
    (False, 'paddle')

    Args:
        base: the spec that existing models were saved with, or its reference.
        head: the spec that replaces it, or its reference.
        profile: the policy, of those that `opspec-lint check --help` lists; None for the framework's default.
        waivers: a file of accepted findings.
        config: a configuration file.
        ops: the ops to compare, as names or patterns such as `conv*`; None for all.
        libraries: references of specs whose ops are loaded into both releases.
        released: the version of base, from which the next version is derived.
        next_version: the next version; it is an error if it is too small.
        base_dir: the absolute folder that relative paths count from.
        today: the day on which waivers are judged, as YYYY-MM-DD in UTC; None for the present day.

    Raises:
        InputError: a spec cannot be read, or the two cannot be compared.
        UsageError: an argument, the configuration or the file of waivers is wrong.
    """
    from opspec_lint.api.comparing import Comparing
    from opspec_lint.api.made import comparison_of
    from opspec_lint.project.profile_choice import ProfileChoice

    reading = _reading(base_dir)
    profiles = () if profile is None else (ProfileChoice(profile=_known_profile(profile)),)
    only = None if ops is None else tuple(_several(ops, "ops"))
    day = _today(today)
    options = Comparing(
        reading=reading,
        profiles=profiles,
        only=only,
        libraries=tuple(places.reference(name, base_dir) for name in _several(libraries, "libraries")),
    )
    if waivers is not None or config is not None or released is not None or next_version is not None:
        from opspec_lint.project.check_context import Request
        from opspec_lint.report.versions import parse_versions

        has_versions = released is not None or next_version is not None
        request = Request(
            reading=reading,
            recognises=True,
            config=None if config is None else places.absolute(config, base_dir),
            waivers=None if waivers is None else places.absolute(waivers, base_dir),
            profiles=profiles,
            only=only,
            versions=parse_versions(released, next_version, ("released", "next_version")) if has_versions else None,
            today=day,
        )
        options = options.replace(request=request)
    return made_report(comparison_of(_end(base, reading, base_dir), _end(head, reading, base_dir), options))


@public_errors
def audit(  # noqa: PLR0913 - each is an option of the command line
    model: Path | Iterable[Path],
    specs: Spec | Path | Iterable[Spec | Path] | None = None,
    *,
    loader: str | None = None,
    waivers: Path | None = None,
    libraries: Iterable[Path] = (),
    saved_by: Spec | Path | None = None,
    producer_ops: Path | None = None,
    tags: Iterable[str] | None = None,
    signature: str | None = None,
    checksums: bool = False,
    skip_others: bool = False,
    unknown: Literal["error", "warning", "ignore"] = "warning",
    base_dir: Path | None = None,
    today: str | None = None,
) -> Audit:
    """Check saved models against releases, as `opspec-lint audit` does. Nothing of a model is executed.

    Args:
        model: a saved model, or several.
        specs: the specs that have to load it, their references, or ranges such as `tflite@2.12.1..`; None for all
            included releases of its framework.
        loader: the loader, of those that `opspec-lint audit --help` lists; None for every loader of such models.
        waivers: a file of accepted findings.
        libraries: references of specs whose ops are loaded into each release.
        saved_by: the spec of the release that saved the models, if they do not name an included one.
        producer_ops: the op list given to the loader, in place of the model's own.
        tags: the tags to load.
        signature: the signature to check.
        checksums: read the weights, and verify their checksums.
        skip_others: pass over files that are not models, and models of another framework.
        unknown: how it counts if it is unknown whether a release loads a model: "error" makes the audit fail, as a
            refusal does; "warning" and "ignore" do not.
        base_dir: the absolute folder that relative paths count from.
        today: the day on which waivers are judged, as YYYY-MM-DD in UTC; None for the present day.

    Raises:
        InputError: a spec cannot be read, or, without `specs`, any of the models; the error names all of these. With
            `specs`, a model that cannot be read has the verdict "unreadable" instead.
        UsageError: an argument or the file of waivers is wrong, or no loader takes a model.
    """
    from opspec_lint.api.auditing import Auditing, released_by
    from opspec_lint.api.made import MadeAudit
    from opspec_lint.models.decision import UNKNOWN, Requirement
    from opspec_lint.models.loader import LOADERS, LoadOptions
    from opspec_lint.sources.libraries import read_libraries

    if unknown not in UNKNOWN:
        raise unknown_name("way to count it", unknown, UNKNOWN)
    day = _today(today)
    reading = _reading(base_dir)
    paths = _model_paths(model, base_dir)
    loaded = read_libraries([places.reference(name, base_dir) for name in _several(libraries, "libraries")], reading)
    named = None if specs is None else _specs_with_libraries(specs, loaded, reading, base_dir)
    options = Auditing(
        loaders=() if loader is None else (LOADERS.load(loader),),
        load_options=LoadOptions(
            tags=None if tags is None else tuple(_several(tags, "tags")),
            signature=signature,
            producer_ops=None if producer_ops is None else _internal(producer_ops, reading, base_dir),
            saved_by=None if saved_by is None else _internal(saved_by, reading, base_dir),
            released=released_by(reading),
            checksums=checksums,
        ),
        libraries=loaded,
        skip_foreign=skip_others,
    )
    audited = _audit_readable(paths, named, options)
    if waivers is not None:
        audited = audited.apply_waivers(places.absolute(waivers, base_dir), day)
    requirement = Requirement(releases=None if named is None else frozenset(named), unknown=unknown)
    audited, decision = audited.apply_requirement(requirement)
    return made_audit(MadeAudit(audited=audited, code=decision.code))


@public_errors
def releases(framework: str | None = None) -> tuple[str, ...]:
    """Return the names of the released specs that opspec-lint and its plug-ins bring, older releases first.

    >>> import opspec_lint
    >>> opspec_lint.releases("paddle")[-1].startswith("paddle@3.")
    True

    Args:
        framework: the framework, such as `paddle-pir`; None for all.

    Raises:
        UsageError: no released spec is of the framework.
    """
    from opspec_lint.kit import plugins
    from opspec_lint.sources import released

    plugins.activate()
    known = sorted({released.family(name) for name in released.names()})
    if framework is not None and framework not in known:
        raise unknown_name("framework", framework, known)
    return tuple(released.names(None if framework is None else {framework}))


@public_errors
def render(result: Report | Audit, format: str) -> str:  # noqa: A002 - the name of the option of the command line
    """Return the text of a report or an audit in an output format of the command line, such as `text` or `sarif`.

    Args:
        result: the result of `check` or of `audit`.
        format: a format of `opspec-lint check` for a report, of `opspec-lint audit` for an audit; their `--help` lists
            them. `text` is without colours.

    Raises:
        UsageError: there is no such format.
    """
    return result._made.rendered(format)  # noqa: SLF001 - the other half of the public API


def _model_paths(model: Path | Iterable[Path], base_dir: Path | None) -> list[str]:
    """Return the absolute paths of one or several models.

    Raises:
        UsageError: there is no model.
    """
    models = [model] if isinstance(model, str | os.PathLike) else checked_items(model, "model")
    paths = [places.absolute(path, base_dir) for path in models]
    if not paths:
        raise UsageError("no model was named", advice="pass the path of a saved model")
    return paths


def _specs_with_libraries(
    specs: Spec | Path | Iterable[Spec | Path], libraries: Libraries, reading: Reading, base_dir: Path | None
) -> dict[str, internal.Spec]:
    """Return the specs that models have to load in, with the ops of libraries, by their names in the result.

    Raises:
        UsageError: there is no spec.
    """
    named = {name: libraries.added_to(spec) for name, spec in _releases(specs, reading, base_dir)}
    if not named:
        raise UsageError("no specs to audit against", advice="name one, or pass None for all included releases")
    return named


def _audit_readable(paths: Sequence[str], named: Mapping[str, internal.Spec] | None, options: Auditing) -> Audited:
    """Return the audits of models under the named specs, None for all included releases.

    Raises:
        InputError: models cannot be read, and no spec is named.
        UsageError: a library has ops of a framework without a spec that was read.
    """
    from opspec_lint.api.auditing import under_all, under_named, unreadable_error

    audited = under_all(paths, {}, options) if named is None else under_named(paths, named, options)
    if audited.failed:
        # No release is known for such a model, and each verdict of the JSON format is one on a release.
        raise unreadable_error(audited.failed)
    # Only now: an audit under all releases adds the libraries to each release that it reads.
    options.libraries.require_used()
    return audited


def _several(values: Iterable[_Value], argument: str) -> list[_Value]:
    """Return the values of an argument that takes several.

    Raises:
        UsageError: it is a single text, whose characters would count as values, or a single path.
    """
    if isinstance(values, str | os.PathLike):
        text = os.fspath(values)
        raise UsageError(f"{argument} is the single value {text!r}", advice=f"pass a list: {argument}=[{text!r}]")
    return checked_items(values, argument)


def _reading(base_dir: Path | None) -> Reading:
    """Return the options for reading specs: no environment, no cache, and revisions of the repository of `base_dir`."""
    return Reading(caches=False, folder=None if base_dir is None else places.absolute(os.curdir, base_dir))


def _load(reference: Path, reading: Reading, base_dir: Path | None) -> Spec:
    from opspec_lint.sources import references

    place = places.reference(reference, base_dir)
    return spec_of(os.fspath(reference), place, references.resolve(place, reading))


def _end(spec: Spec | Path, reading: Reading, base_dir: Path | None) -> End:
    """Return base or head of a comparison; a path is read."""
    from opspec_lint.api.comparing import End

    if not isinstance(spec, Spec):
        spec = _load(spec, reading, base_dir)
    return End(reference=spec._place, loaded=spec._loaded)  # noqa: SLF001 - the other half of the public API


def _internal(spec: Spec | Path, reading: Reading, base_dir: Path | None) -> internal.Spec:
    """Return a spec as the audit takes it."""
    if not isinstance(spec, Spec):
        spec = _load(spec, reading, base_dir)
    return spec._loaded.spec  # noqa: SLF001 - the other half of the public API


def _releases(
    specs: Spec | Path | Iterable[Spec | Path], reading: Reading, base_dir: Path | None
) -> Iterator[tuple[str, internal.Spec]]:
    """Yield specs with their names in the result; a range of releases becomes its releases."""
    from opspec_lint.sources import released

    items = [specs] if isinstance(specs, Spec | str | os.PathLike) else checked_items(specs, "specs")
    for spec in items:
        if isinstance(spec, Spec):
            # A spec that was loaded from a file may be called `NAME@VERSION` too, but its place is absolute.
            is_release = released.is_name(spec._place)  # noqa: SLF001 - the other half of the public API
            (name,) = released.expand(spec.reference) if is_release else (spec.reference,)
            yield name, _internal(spec, reading, base_dir)
            continue
        place = os.fspath(spec)
        # A file is meant itself, even if its name has the form of a range.
        is_file = os.path.isabs(place) or (base_dir is not None and os.path.lexists(places.absolute(spec, base_dir)))
        names = [place] if is_file else released.expand(place)
        for name in names:
            yield name, _internal(name, reading, base_dir)


def _known_profile(name: str) -> str:
    """Return the name of a profile, plug-ins included. Raises UsageError if there is none of this name."""
    from opspec_lint.kit import plugins
    from opspec_lint.lint.profile import PROFILES

    if name not in PROFILES:
        plugins.activate()
    if name not in PROFILES:
        raise unknown_name("profile", name, PROFILES.names())
    return name


def _today(day: str | None) -> str:
    """Return a day, or the present one in UTC."""
    import time

    from opspec_lint.kit.text import is_day

    if day is None:
        return time.strftime("%Y-%m-%d", time.gmtime())
    if not is_day(day):
        raise UsageError(f"today: {day!r} is not a day", advice="write YYYY-MM-DD")
    return day
