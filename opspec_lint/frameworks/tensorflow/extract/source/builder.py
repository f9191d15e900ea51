"""Does to an OpDef what the methods of OpDefBuilder do (framework/op_def_builder.cc)."""

from __future__ import annotations

from functools import partial

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.frameworks.tensorflow.extract.source import argument_specs, attr_specs, documentation
from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.data_types import Groups

    Place = tuple[str, int, int | None]
    Spec = tuple[str, Place]

IGNORED = frozenset({"SetShapeFn", "SetForwardTypeFn"})
"""The methods that set a function; an OpDef has nothing of it."""
_FLAGS = {
    "SetIsCommutative": "is_commutative",
    "SetIsAggregate": "is_aggregate",
    "SetIsStateful": "is_stateful",
    "SetDoNotOptimize": "is_stateful",
    "SetAllowsUninitializedInput": "allows_uninitialized_input",
    "SetIsDistributedCommunication": "is_distributed_communication",
}
_SECTIONS = {"Input": "inputs", "Output": "outputs", "Attr": "attrs"}
_OTHERS = ("ControlOutput", "Deprecated", "Doc", "AllowAttrTypeAny", "SetTypeConstructor")
METHODS = frozenset({*IGNORED, *_FLAGS, *_SECTIONS, *_OTHERS})


class Dialect(Record):
    """Behavior of the OpDefBuilder of a release.

    `groups` are the types of each group; `marks_resources`: an op with an argument of type `resource` is stateful,
    since 1.1. `refuses_faults`: an op with a faulty string is not registered, since 0.10; before, it was registered.
    """

    groups: Groups
    marks_resources: bool = True
    refuses_faults: bool = True


class Finished(Record):
    """An op that was built: its serialized OpDef, and the places of its inputs, outputs and attrs.

    `hides_type`: the full type of its first output is the result of a function that cannot be evaluated. `fault` is the
    message with which TensorFlow rejects a string, None for a valid op, and `fault_place` its
    place.
    """

    name: str
    opdef: bytes
    places: dict[str, list[Place]]
    hides_type: bool = False
    fault: str | None = None
    fault_place: Place | None = None


class Builder:
    """An op that is being built.

    Args:
        name: its name.
        dialect: what the release does.
    """

    def __init__(self, name: str, dialect: Dialect) -> None:
        self._dialect = dialect
        self._opdef = message("OpDef")(name=name)
        self._specs: dict[str, list[Spec]] = {section: [] for section in _SECTIONS.values()}
        self._faults: list[tuple[str, Place]] = []
        self._doc: Spec | None = None
        self._allows_any = False
        self._full_type: Any = None
        self._hides_type = False

    def call(self, method: str, arguments: Sequence[Callable[[], Any]], place: Place) -> None:
        """Do what a method does.

        Args:
            method: its name.
            arguments: a function for argument argument that returns its value.
            place: where it is called.

        Raises:
            UnresolvedError: the method is not known, or an argument cannot be evaluated.
        """
        name = self._opdef.name
        if method in _SECTIONS:
            self._specs[_SECTIONS[method]].append((_text(method, arguments), place))
        elif method in _FLAGS:
            if not arguments or _truth(method, arguments):
                setattr(self._opdef, _FLAGS[method], True)
        elif method == "SetTypeConstructor":
            self._construct_type(arguments)
        elif method == "ControlOutput":
            self._opdef.control_output.append(_text(method, arguments))
        elif method == "AllowAttrTypeAny":
            self._allows_any = True
        elif method == "Deprecated":
            self._deprecate(arguments, place)
        elif method == "Doc":
            if self._doc is not None:
                self._faults.append((f"Extra call to Doc() for Op {name}", place))
            else:
                self._doc = (_text(method, arguments), place)
        elif method not in IGNORED:
            raise UnresolvedError(f"the method {method} is not known")

    def _deprecate(self, arguments: Sequence[Callable[[], Any]], place: Place) -> None:
        if self._opdef.HasField("deprecation"):
            self._faults.append((f"Deprecated called twice for Op {self._opdef.name}", place))
            return
        if len(arguments) != 2:
            raise UnresolvedError(f"Deprecated with {len(arguments)} arguments")
        version, explanation = arguments[0](), arguments[1]()
        if not isinstance(version, int) or not isinstance(explanation, str):
            raise UnresolvedError("Deprecated with arguments of other types")
        self._opdef.deprecation.version = int(version)
        self._opdef.deprecation.explanation = str(explanation)

    def _construct_type(self, arguments: Sequence[Callable[[], Any]]) -> None:
        try:
            value = arguments[0]() if len(arguments) == 1 else None
        except UnresolvedError:
            value = None
        self._full_type = value if isinstance(value, message("FullTypeDef")) else None
        self._hides_type = self._full_type is None

    def finish(self) -> Finished:
        """Return the op, as OpDefBuilder::Finalize does."""
        opdef = self._opdef
        for spec, place in self._specs["attrs"]:
            attr = opdef.attr.add()
            parse_attr = partial(attr_specs.parse, spec, attr, self._dialect.groups, allows_any=self._allows_any)
            self._try(parse_attr, place, "Attr", spec)
        for method, arguments in (("Input", opdef.input_arg), ("Output", opdef.output_arg)):
            for spec, place in self._specs[_SECTIONS[method]]:
                self._try(partial(argument_specs.parse, spec, arguments.add(), opdef), place, method, spec)
        every = (*opdef.input_arg, *opdef.output_arg)
        if self._dialect.marks_resources and any(argument.type == argument_specs.RESOURCE for argument in every):
            opdef.is_stateful = True
        if self._full_type is not None and opdef.output_arg:
            opdef.output_arg[0].experimental_full_type.CopyFrom(self._full_type)
        if self._doc is not None:
            text, place = self._doc
            self._try(partial(documentation.parse, text, opdef), place)
        faults = self._faults if self._dialect.refuses_faults else []
        fault, fault_place = faults[0] if faults else (None, None)
        return Finished(
            name=opdef.name,
            opdef=opdef.SerializeToString(deterministic=True),
            places={section: [place for _, place in specs] for section, specs in self._specs.items()},
            hides_type=self._hides_type and bool(opdef.output_arg),
            fault=fault,
            fault_place=fault_place,
        )

    def _try(self, parse: Callable[[], None], place: Place, method: str = "", spec: str = "") -> None:
        try:
            parse()
        except RejectedError as error:
            where = f' from {method}("{spec}")' if method else ""
            self._faults.append((f"{error.problem}{where} for Op {self._opdef.name}", place))


def _text(method: str, arguments: Sequence[Callable[[], Any]]) -> str:
    """Return the value of the only argument of a method, a string."""
    if len(arguments) != 1:
        raise UnresolvedError(f"{method} with {len(arguments)} arguments")
    value = arguments[0]()
    if not isinstance(value, str):
        raise UnresolvedError(f"{method} with an argument that is no string")
    return str(value)


def _truth(method: str, arguments: Sequence[Callable[[], Any]]) -> bool:
    """Return the value of the argument that the C API gives to a method which sets a flag."""
    value = arguments[0]()
    if not isinstance(value, int):
        raise UnresolvedError(f"{method} with an argument that is no bool")
    return bool(value)
