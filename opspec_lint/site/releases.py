"""The releases of the site: a line for each framework, oldest first."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.models.loader import LOADERS
from opspec_lint.spec import fields, op_choice, op_table
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.identity import without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Spec


class Release(Record):
    """A release: its full name (`paddle@2.6.2`), its label in its line, its day, and its spec."""

    name: str
    label: str
    date: str | None
    spec: Spec


class Line(Record):
    """The releases of a framework, oldest first. `title` is what people call the framework.

    `only` are the ops that the site is limited to, None for all.
    """

    framework: str
    title: str
    releases: tuple[Release, ...]
    only: frozenset[str] | None = None

    @property
    def table(self) -> FieldTable:
        """The fields of its ops and arguments."""
        return fields.field_table(self.framework)

    @property
    def newest(self) -> Release:
        """The newest release."""
        return self.releases[-1]

    def ops_of(self, release: Release) -> Collection[str]:
        """Return the names of the ops of a release that the site is about."""
        names = op_table.names(release.spec.ops)
        return names if self.only is None else self.only.intersection(names)


def lines(specs: Iterable[tuple[str, Spec]], only: Collection[str] | None = None) -> tuple[Line, ...]:
    """Return the lines of some releases, in order of the framework.

    Args:
        specs: the name and the spec of each release; of one family, older ones first.
        only: names and patterns of the ops that the site is limited to, None for all. A name without a version or
            overload selects every one. A framework without such an op has no line.
    """
    by_framework: dict[str, list[tuple[str, Spec]]] = {}
    for name, spec in specs:
        by_framework.setdefault(spec.provenance.framework, []).append((name, spec))
    made = [_line(framework, by_framework[framework]) for framework in sorted(by_framework)]
    if only is None:
        return tuple(made)
    limited = (line.replace(only=_selected(line, only)) for line in made)
    return tuple(line for line in limited if line.only)


def family_of(framework: str) -> Callable[[str], str]:
    """Return the function that returns the name which versions and overloads of an op of a framework share."""
    return FRAMEWORKS.load(framework).family if framework in FRAMEWORKS else without_build


def _selected(line: Line, only: Collection[str]) -> frozenset[str]:
    names = {name for release in line.releases for name in op_table.names(release.spec.ops)}
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(family_of(line.framework)(name), []).append(name)
    chosen = {name for family in op_choice.select_names(only, families) for name in families[family]}
    return frozenset(chosen.union(op_choice.select_names(only, names)))


def _line(framework: str, specs: list[tuple[str, Spec]]) -> Line:
    families = _families(framework)

    def age_of_family(named: tuple[str, Spec]) -> int:
        name, _ = named
        return families.get(_family(name), 0)

    specs = sorted(specs, key=age_of_family)
    # Equal ops become one object, so that comparisons of releases skip them by identity.
    tables = op_table.share_equal_ops(spec.ops for _, spec in specs)
    return Line(
        framework=framework,
        title=FRAMEWORKS.load(framework).title if framework in FRAMEWORKS else framework,
        releases=tuple(
            Release(name=name, label=_label(name, framework), date=spec.provenance.released, spec=spec.replace(ops=ops))
            for (name, spec), ops in zip(specs, tables, strict=True)
        ),
    )


def _families(framework: str) -> dict[str, int]:
    """Return the order of the families of releases that the specs of a framework come from."""
    loaders = (loader for loader in LOADERS.every() if loader.spec_framework == framework)
    return {family: place for loader in loaders for place, family in enumerate(loader.families)}


def _family(name: str) -> str:
    return name.partition("@")[0]


def _label(name: str, framework: str) -> str:
    family, _, version = name.partition("@")
    return version if family == framework else f"{family} {version}"


def framework_of(family: str) -> str:
    """Return the framework of a family of releases: `tflite` for `litert`, mostly the family itself."""
    loaders = (loader for loader in LOADERS.every() if family in loader.families)
    return next((loader.spec_framework for loader in loaders), family)
