"""The public view of a spec."""

from __future__ import annotations

from collections import abc

from opspec_lint.api.values import FrozenMapping, frozen
from opspec_lint.kit.lazy_mapping import LazyMapping
from opspec_lint.kit.record import Record
from opspec_lint.spec import canonical, fields, values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, ClassVar

    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec import model
    from opspec_lint.spec.fields import Section


class Argument(Record):
    """An input, an output or an attr of an op.

    `fields` has what the source states, default values included, by the names of the spec file. A field that is not
    there is unknown, which is neither yes nor no.
    """

    name: str
    fields: Mapping[str, Any]


class Op(Record):
    """An operator: what a node of a saved model may, and must, contain. `fields` is as for an argument."""

    name: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    attrs: tuple[Argument, ...]
    fields: Mapping[str, Any]


class Spec(Record):
    """The operators of one release of a framework.

    `reference` is what `load` was given, and `file` the name in messages. `version` and `commit` are None if the source
    states none. `binding` is how a saved model refers to an argument: "name", "signature" or "slot". An op of `ops` is
    made when it is accessed.
    """

    __slots__ = ("__dict__", "_loaded", "_place")
    reference: str
    file: str
    framework: str
    version: str | None
    commit: str | None
    binding: str
    ops: Mapping[str, Op]

    if TYPE_CHECKING:
        _loaded: ClassVar[Loaded]  # slots of the instance, which are no fields
        _place: ClassVar[str]

    @property
    def text(self) -> str:
        """The canonical text, which `opspec-lint extract` writes."""
        return canonical.dumps(self._loaded.spec)

    def __eq__(self, value: object) -> bool:
        return isinstance(value, Spec) and (self is value or self._loaded.spec == value._loaded.spec)

    def __hash__(self) -> int:
        return hash((self.file, self.framework, self.version, self.commit))

    def __repr__(self) -> str:
        return f"Spec(file={self.file!r}, framework={self.framework!r}, version={self.version!r}, ops={len(self.ops)})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        whole = without_functions(self._loaded.spec)
        # `files` has functions, which cannot be pickled.
        return spec_of, (self.reference, self._place, self._loaded.replace(spec=whole, files=None))


def without_functions(spec: model.Spec) -> model.Spec:
    """Return an equal spec that goes to other processes: all that is made when it is accessed is made now."""
    made = {name: value for name, value in spec.__dict__.items() if isinstance(value, abc.Mapping)}
    return spec.replace(**{name: dict(value) for name, value in made.items()})


def spec_of(reference: str, place: str, loaded: Loaded) -> Spec:
    """Return the public view of a spec that was loaded.

    Args:
        reference: the reference of the caller.
        place: the reference, with absolute paths.
        loaded: the spec.
    """
    spec = loaded.spec
    made = Spec(
        reference=reference,
        file=spec.file,
        framework=spec.provenance.framework,
        version=spec.provenance.version,
        commit=spec.provenance.commit,
        binding=spec.binding,
        ops=LazyMapping(spec.ops, lambda _, op: _op(op, fields.field_table(spec.provenance.framework))),
    )
    object.__setattr__(made, "_loaded", loaded)
    object.__setattr__(made, "_place", place)
    return made


def _op(op: model.Op, table: fields.FieldTable) -> Op:
    return Op(
        name=op.name,
        inputs=_arguments(op.inputs, "inputs", table),
        outputs=_arguments(op.outputs, "outputs", table),
        attrs=_arguments(op.attrs, "attrs", table),
        fields=_fields(op, "ops", table),
    )


def _arguments(arguments: Iterable[model.Declared], section: Section, table: fields.FieldTable) -> tuple[Argument, ...]:
    return tuple(Argument(name=argument.name, fields=_fields(argument, section, table)) for argument in arguments)


def _fields(declared: model.Declared, section: Section, table: fields.FieldTable) -> FrozenMapping:
    known = ((name, declared.get(name)) for name in table.fields_of(section))
    return FrozenMapping({name: frozen(values.thaw(value)) for name, value in known if value is not UNKNOWN})
