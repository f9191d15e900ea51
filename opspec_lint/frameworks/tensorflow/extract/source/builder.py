"""The counterpart of TensorFlow's OpDefBuilder: builds an OpDef by its methods (framework/op_def_builder.cc)."""

from __future__ import annotations

from functools import partial

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.frameworks.tensorflow.extract.source import argument_specs, attr_specs, documentation
from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.frameworks.tensorflow.framework import OP_FLAGS
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.behavior import BuilderBehavior

    Place = tuple[str, int, int | None]
    Spec = tuple[str, Place]

IGNORED = frozenset({"SetShapeFn", "SetForwardTypeFn", "SetReverseTypeFn"})
"""The methods that set a C++ function, which is no part of an OpDef."""
_FLAGS = {method: flag for flag, methods in OP_FLAGS.items() for method in methods}
_SECTIONS = {"Input": "inputs", "Output": "outputs", "Attr": "attrs"}
METHODS = frozenset({*IGNORED, *_FLAGS, *_SECTIONS, "ControlOutput", "Deprecated", "Doc"}).union(
    {"AllowAttrTypeAny", "SetTypeConstructor"}
)


class BuiltOp(Record):
    """The result of building an op: the serialized OpDef, and the places of inputs, outputs and attrs.

    `hides_type`: the full type of the first output is the result of a function that cannot be evaluated. `fault` is the
    message with which TensorFlow rejects a string, None for a valid op, and `fault_place` the place of this string.
    `own_types` are the numbers of the data types of the tree that TensorFlow lacks.
    """

    name: str
    opdef: bytes
    places: dict[str, list[Place]]
    hides_type: bool = False
    own_types: tuple[int, ...] = ()
    fault: str | None = None
    fault_place: Place | None = None


class Builder:
    """Builds one op: `call` for each method in the source, then `finish`."""

    def __init__(self, name: str, behavior: BuilderBehavior) -> None:
        self._behavior = behavior
        self._opdef = message("OpDef")(name=name)
        self._specs: dict[str, list[Spec]] = {section: [] for section in _SECTIONS.values()}
        self._faults: list[tuple[str, Place]] = []
        self._doc: Spec | None = None
        self._allows_any = False
        self._full_type: Any = None
        self._hides_type = False

    def call(self, method: str, arguments: Sequence[Callable[[], Any]], place: Place) -> None:
        """Apply a call of a method of OpDefBuilder.

        Args:
            method: the name of the method.
            arguments: a function for each argument, which evaluates it: not every argument can be, or needs to be.
            place: the place of the call.

        Raises:
            UnresolvedError: the method is unknown, or an argument that it needs cannot be evaluated.
        """
        name = self._opdef.name
        if method in _SECTIONS:
            self._specs[_SECTIONS[method]].append((_string_argument(method, arguments), place))
        elif method in _FLAGS:
            if not arguments or _bool_argument(method, arguments):
                setattr(self._opdef, _FLAGS[method], True)
        elif method == "SetTypeConstructor":
            self._construct_type(arguments)
        elif method == "ControlOutput":
            self._opdef.control_output.append(_string_argument(method, arguments))
        elif method == "AllowAttrTypeAny":
            self._allows_any = True
        elif method == "Deprecated":
            self._deprecate(arguments, place)
        elif method == "Doc":
            if self._doc is not None:
                self._faults.append((f"Extra call to Doc() for Op {name}", place))
            else:
                self._doc = (_string_argument(method, arguments), place)
        elif method not in IGNORED:
            raise UnresolvedError(f"the method {method} is not known")

    def _deprecate(self, arguments: Sequence[Callable[[], Any]], place: Place) -> None:
        """Apply `.Deprecated(version, explanation)`."""
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
        """Apply `.SetTypeConstructor(...)`; a function that cannot be evaluated hides the full type."""
        try:
            value = arguments[0]() if len(arguments) == 1 else None
        except UnresolvedError:
            value = None
        self._full_type = value if isinstance(value, message("FullTypeDef")) else None
        self._hides_type = self._full_type is None

    def finish(self) -> BuiltOp:
        """Return the op, as OpDefBuilder::Finalize does: attrs first, since arguments refer to them, and Doc last."""
        opdef = self._opdef
        self._parse_specs()
        arguments = (*opdef.input_arg, *opdef.output_arg)
        if self._behavior.marks_resources and any(argument.type == argument_specs.RESOURCE for argument in arguments):
            opdef.is_stateful = True
        if self._full_type is not None and opdef.output_arg:
            opdef.output_arg[0].experimental_full_type.CopyFrom(self._full_type)
        if self._doc is not None:
            text, place = self._doc
            self._apply(partial(documentation.parse, text, opdef), place)
        faults = self._faults if self._behavior.refuses_faults else []
        fault, fault_place = faults[0] if faults else (None, None)
        return BuiltOp(
            name=opdef.name,
            opdef=opdef.SerializeToString(deterministic=True),
            places={section: [place for _, place in specs] for section, specs in self._specs.items()},
            hides_type=self._hides_type and bool(opdef.output_arg),
            own_types=tuple(self._behavior.types.own.values()),
            fault=fault,
            fault_place=fault_place,
        )

    def _parse_specs(self) -> None:
        """Parse the strings for attrs, inputs and outputs into the OpDef."""
        opdef, types = self._opdef, self._behavior.types
        for spec, place in self._specs["attrs"]:
            attr = opdef.attr.add()
            parse_attr = partial(attr_specs.parse, spec, attr, types, allows_any=self._allows_any)
            self._apply(parse_attr, place, "Attr", spec)
        for method, arguments in (("Input", opdef.input_arg), ("Output", opdef.output_arg)):
            for spec, place in self._specs[_SECTIONS[method]]:
                self._apply(partial(argument_specs.parse, spec, arguments.add(), opdef, types), place, method, spec)

    def _apply(self, parse: Callable[[], None], place: Place, method: str = "", spec: str = "") -> None:
        """Parse a string; if it is rejected, record TensorFlow's message, and go on as TensorFlow does."""
        try:
            parse()
        except RejectedError as error:
            where = f' from {method}("{spec}")' if method else ""
            self._faults.append((f"{error.problem}{where} for Op {self._opdef.name}", place))


def _string_argument(method: str, arguments: Sequence[Callable[[], Any]]) -> str:
    """Return the value of the only argument of a method, which has to be a string."""
    if len(arguments) != 1:
        raise UnresolvedError(f"{method} with {len(arguments)} arguments")
    value = arguments[0]()
    if not isinstance(value, str):
        raise UnresolvedError(f"{method} with an argument that is no string")
    return str(value)


def _bool_argument(method: str, arguments: Sequence[Callable[[], Any]]) -> bool:
    """Return the argument of a method that sets a flag: functions of the C API have one, C++ methods do not."""
    value = arguments[0]()
    if not isinstance(value, int):
        raise UnresolvedError(f"{method} with an argument that is no bool")
    return bool(value)
