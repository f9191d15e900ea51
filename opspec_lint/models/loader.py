"""What a loader is: a module of a framework's `loaders/`, with a `LOADER`.

A loader is a profile of its own: what stops a model differs by who loads it.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, with_dots
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Generic, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from typing_extensions import TypeVar

    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

    # A loader is found by the format of a model, at run time: so the content of both is the same, unseen by mypy.
    Content_contra = TypeVar("Content_contra", default=Any, contravariant=True)
else:
    Content_contra = None

LOADERS: Catalogue[Loader] = Catalogue("frameworks/*/loaders", offers="LOADER", spell=with_dots)
"""The loaders, by name: two underscores of the file name stand for a dot."""


class LoadOptions(Record):
    """The arguments of a call of a loader.

    `tags` are those of the meta graph to load, None if the call names none, and `signature` the key of a signature of
    it. `producer_ops` is the op list of the release that wrote the model, `saved_by` its spec: they state the default
    values that the saver had. `released` returns the spec of a release by name, such as `paddle@2.6.2`, None if
    there is none. With `checksums` the weights are read, to check them.
    """

    tags: tuple[str, ...] | None = None
    signature: str | None = None
    producer_ops: Spec | None = None
    saved_by: Spec | None = None
    released: Callable[[str], Spec | None] = lambda name: None  # noqa: ARG005 - no release is known
    checksums: bool = False

    def saver_of(self, model: Model) -> Spec | None:
        """Return the spec of the release that saved a model: the one that was named, or else what the model says."""
        if self.saved_by is not None:
            return self.saved_by
        version = next((each.written_by for each in model.meta_graphs), None)
        return None if version is None else self.released(f"{model.framework}@{version}")


class Loader(Record, Generic[Content_contra]):
    """A loader. `summary` is a line of `audit --help`, `formats` the formats of models that it takes.

    `audit` yields what stops or changes a model under the spec of a release, in the order in which the loader meets it.
    `only_when_named` keeps the loader out of audits that do not name it, as not every model of its formats is meant for
    it. `specs_of` is the framework whose specs state what it takes, "" for the framework of the model.

    `released_as` are the families of released specs that it goes by, older ones first, if they are not those of the
    framework. `claim` returns the oldest release that loads a model, None if the given specs do not state which release
    added what the model needs. `reads_as` returns the op, out of those of a release, that the release takes for an op
    that it does not have, None if there is none.
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
    def judged_by(self) -> str:
        """The framework whose specs say what it takes."""
        return self.specs_of or self.framework

    @property
    def families(self) -> tuple[str, ...]:
        """The families of released specs that it goes by, older ones first."""
        return self.released_as or (self.judged_by,)


def unknown_for(model: Model) -> UsageError:
    """Return the error for a model that no loader takes."""
    import shlex

    from opspec_lint.models.format import MODEL_FORMATS

    reason = MODEL_FORMATS.load(model.format).without_loader
    if reason:
        problem, _, advice = reason.rpartition("; ")
        return UsageError(f"{model.file}: {problem}", advice=advice)
    return UsageError(
        f"{model.file} is a model of {model.framework}, and no loader of such models is known",
        advice=f"`{shlex.join(['opspec-lint', 'show', model.file])}` shows its contents",
    )


def specs_for(model_format: str) -> set[str]:
    """Return the frameworks by whose specs any loader of models of a format goes."""
    return {each.judged_by for each in LOADERS.every() if model_format in each.formats}


def families_for(model_format: str) -> set[str]:
    """Return the families of released specs by which any loader of models of a format goes."""
    return {family for each in LOADERS.every() if model_format in each.formats for family in each.families}


def of_format(model_format: str, framework: str | None = None) -> list[Loader]:
    """Return the loaders that models of a format are meant for.

    Args:
        model_format: the format.
        framework: the framework of the specs that models are checked against. Where that is not the models' own, the
            loaders that go by such specs are meant.
    """
    every = [each for each in LOADERS.every() if model_format in each.formats]
    apart = [each for each in every if each.specs_of and each.specs_of == framework]
    return apart or [each for each in every if not each.only_when_named]
