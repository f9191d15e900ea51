"""The declaration of a loader: the `LOADER` of a module in a framework's `loaders/`.

A loader is one function of the framework that loads models. Loaders of one framework differ in what stops a model.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, with_dots
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Generic, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from typing_extensions import TypeVar

    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

    # A loader is found by the format of a model, at run time: so the content of both is the same, unseen by mypy.
    Content_contra = TypeVar("Content_contra", default=Any, contravariant=True)
else:
    Content_contra = None

LOADERS: Catalogue[Loader] = Catalogue(
    "frameworks/*/loaders",
    offers="LOADER",
    is_open=True,
    spell=with_dots,
    results={"audit": "Iterator", "claim": "", "reads_as": ""},
)
"""The loaders by name; two underscores in the file name become a dot."""


class LoadOptions(Record):
    """The options of one load.

    `tags` select the meta graph to load (None: the caller gives none), `signature` is the key of a signature in it.
    `producer_ops` is the op list of the release that wrote the model, and `saved_by` its spec: both state the default
    values that the saver used. `released` returns the spec of a release by name, such as `paddle@2.6.2`, or None.
    `checksums` makes the loader read the weights and verify them.
    """

    tags: tuple[str, ...] | None = None
    signature: str | None = None
    producer_ops: Spec | None = None
    saved_by: Spec | None = None
    released: Callable[[str], Spec | None] = lambda name: None  # noqa: ARG005 - no release is known
    checksums: bool = False

    def saver_of(self, model: Model) -> Spec | None:
        """Return the spec of the release that saved a model: `saved_by`, or else the release that the model names."""
        if self.saved_by is not None:
            return self.saved_by
        version = next((meta.written_by for meta in model.meta_graphs), None)
        return None if version is None else self.released(f"{model.framework}@{version}")


class Loader(Record, Generic[Content_contra]):
    """A loader, and the audit that predicts its behaviour without it.

    `summary` is a line of `audit --help`. `formats` are the formats of models that it takes. `audit` yields the faults
    of a model under the spec of a release, in the order in which the real loader detects them. `only_when_named`
    excludes the loader from audits that name no loader, because not every model of its formats is meant for it.
    `specs_of` is the framework of the specs that it uses, "" for the framework of the model.

    `released_as` are the families of included specs that it uses, older ones first, if they differ from the
    framework's. `claim` returns the oldest release that loads a model by the versions of its ops, None if the given
    specs do not state them. `reads_as` returns the op of a release that the loader substitutes for an op that the
    release lacks, or None.
    """

    name: str = ""
    framework: str = ""
    summary: str
    formats: tuple[str, ...]
    audit: Callable[[Model[Content_contra], Spec, LoadOptions], Iterator[Fact]]
    only_when_named: bool = False
    specs_of: str = ""
    released_as: tuple[str, ...] = ()
    claim: Callable[[Model[Content_contra], Iterable[Spec]], str | None] | None = None
    reads_as: Callable[[str, Iterable[str]], str | None] | None = None

    @property
    def spec_framework(self) -> str:
        """The framework of the specs that the loader uses."""
        return self.specs_of or self.framework

    def uses(self, framework: str) -> bool:
        """Return whether the loader can use the specs of a framework."""
        return framework in (self.spec_framework, self.framework)

    @property
    def families(self) -> tuple[str, ...]:
        """The families of included specs that the loader uses, older ones first."""
        return self.released_as or (self.spec_framework,)


def loaders_of(model_format: str) -> list[Loader]:
    """Return all loaders that take models of a format, built-in ones first.

    A built-in loader and its formats belong to one framework, so the loaders of other frameworks are not imported.
    """
    from opspec_lint.models.format import MODEL_FORMATS

    names = LOADERS.of(MODEL_FORMATS.framework_of(model_format)) if model_format in MODEL_FORMATS else []
    built_in = [LOADERS.load(name) for name in names if LOADERS.is_built_in(name)]
    return [loader for loader in (*built_in, *LOADERS.plugged()) if model_format in loader.formats]


def no_loader_error(model: Model, named: Sequence[Loader] = ()) -> UsageError:
    """Return the error for a model that no loader takes, or none of the named ones."""
    import shlex

    from opspec_lint.models.format import MODEL_FORMATS

    taking = [loader.name for loader in loaders_of(model.format)]
    if named and taking:
        problem = f"{model.file}: no {model.format} is loaded by {' or '.join(loader.name for loader in named)}"
        return UsageError(problem, advice=f"name one of: {', '.join(taking)}")
    reason = MODEL_FORMATS.load(model.format).without_loader
    if reason:
        problem, _, advice = reason.rpartition("; ")  # the form that `ModelFormat.without_loader` documents
        return UsageError(f"{model.file}: {problem}", advice=advice)
    return UsageError(
        f"{model.file} is a model of {model.framework}, and no loader of such models is known",
        advice=f"`{shlex.join(['opspec-lint', 'show', model.file])}` shows its contents",
    )


def spec_frameworks(model_format: str) -> set[str]:
    """Return the frameworks of the specs that the loaders of a format use."""
    return {loader.spec_framework for loader in loaders_of(model_format)}


def spec_families(model_format: str) -> set[str]:
    """Return the families of included specs that the loaders of a format use."""
    return {family for loader in loaders_of(model_format) for family in loader.families}


def loaders_for(model_format: str, framework: str | None = None, named: Sequence[Loader] = ()) -> list[Loader]:
    """Return the loaders that audit models of a format: by default, or among the `named` ones.

    By default, loaders that use the specs of `framework` instead of their own framework's replace the others. Of the
    named ones, those that use its specs replace the others.
    """
    if named:
        taking = [loader for loader in named if model_format in loader.formats]
        return [loader for loader in taking if framework is None or loader.uses(framework)] or taking
    every = loaders_of(model_format)
    dedicated = [loader for loader in every if loader.specs_of and loader.specs_of == framework]
    return dedicated or [loader for loader in every if not _has_to_be_named(loader)]


def _has_to_be_named(loader: Loader) -> bool:
    """Return True for a loader that no audit uses by itself, such as each that a plug-in adds to a framework."""
    plugin = LOADERS.plugin_of(loader.name)
    return loader.only_when_named or (plugin is not None and plugin.kind == "loaders")
