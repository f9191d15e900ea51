"""The record of a schema, built by the methods of OpSchema (onnx/defs/schema.cc)."""

from __future__ import annotations

from opspec_lint.cpp.numbers import kind_of
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import std_string
from opspec_lint.frameworks.onnx.extract import protos
from opspec_lint.frameworks.onnx.extract.names import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from opspec_lint.cpp.chains import Span
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.onnx.extract.protos import OnnxEnums

    Place = tuple[str, int]
    """A file of the tree, and a line of it, from 1."""

IGNORED = frozenset(
    {"SetDoc", "TypeAndShapeInferenceFunction", "ShapeInferenceFunction", "PartialDataPropagationFunction",
     "SetContextDependentFunctionBodyBuilder", "SetNodeDeterminism", "SetSupportLevel", "SetLocation", "SetName",
     "SetDomain", "SinceVersion", "NumInputs", "NumOutputs", "AllowUncheckedAttributes"}
)  # fmt: skip
"""Methods that do not change the published part of a schema, or set what the macro around the schema states."""
_MESSAGES = {"TENSOR": "TensorProto", "SPARSE_TENSOR": "SparseTensorProto", "GRAPH": "GraphProto"}
"""The attribute types whose default is a message; the record has the name of the message instead of its content."""

_EMPTY = {"INT": 0, "FLOAT": 0.0, "STRING": ""}
"""The empty value of the attribute types that are neither lists nor messages."""


class MethodArguments:
    """The arguments of a call, evaluated on demand, because the texts of documentation need not be evaluated.

    `value` evaluates the tokens in a range, and raises UnresolvedError if it cannot.
    """

    def __init__(self, spans: Sequence[Span], tokens: Tokens, value: Callable[[Span], Any]) -> None:
        self._spans = spans
        self._tokens = tokens
        self._value = value

    def __len__(self) -> int:
        return len(self._spans)

    def first_token(self, index: int) -> str:
        """Return the first token of an argument."""
        return self._tokens[self._spans[index][0]][1]

    def value(self, index: int) -> Any:
        """Return the value of an argument. Raises UnresolvedError if there is none, or it cannot be evaluated."""
        if index >= len(self):
            raise UnresolvedError(f"an argument is missing: there are {len(self)}")
        return self._value(self._spans[index])

    def text(self, index: int) -> str:
        """Return the value of an argument that is a string."""
        value = self.value(index)
        if not isinstance(value, str):
            raise UnresolvedError("an argument that is no string")
        return std_string(value)

    def number(self, index: int, default: int) -> int:
        """Return the value of an argument that is an integer, or the default if it is omitted."""
        value = self.value(index) if index < len(self) else default
        if not isinstance(value, int):
            raise UnresolvedError("an argument that is no whole number")
        return int(value)


class SchemaBuilder:
    """A builder of one record; `enums` are the enums of onnx.in.proto."""

    def __init__(self, enums: OnnxEnums) -> None:
        self._enums = enums
        self._arguments: dict[str, dict[int, dict[str, Any]]] = {"inputs": {}, "outputs": {}}
        self._constraints: dict[str, list[str]] = {}
        self._attributes: dict[str, dict[str, Any]] = {}
        self._has_function = False
        self._is_deprecated = False
        self._places: dict[str, Place] = {}

    def call(self, method: str, given: MethodArguments, place: Place) -> None:
        """Apply a method of OpSchema that is called at `place`.

        Raises UnresolvedError if the method is unknown, or its arguments cannot be evaluated.
        """
        if method in IGNORED:
            return
        if method in ("Input", "Output"):
            self._add_argument(f"{method.lower()}s", given, place)
        elif method == "Attr":
            self._add_attr(given, place)
        elif method == "TypeConstraint":
            self._add_constraint(given)
            self._places.setdefault("type_constraints", place)
        elif method == "FunctionBody":
            self._has_function = True
            self._places["has_function"] = place
        elif method == "Deprecate":
            self._is_deprecated = True
            self._places["deprecated"] = place
        else:
            raise UnresolvedError(f"the method {method} is not known")

    def _add_argument(self, section: str, given: MethodArguments, place: Place) -> None:
        """Add an input or output at its index."""
        # OpSchema::Input(n, name, description, type_str, param_option, is_homogeneous, min_arity, ...)
        self._arguments[section][given.number(0, -1)] = {
            "name": given.text(1),
            "option": OPTIONS[given.number(4, 0)],
            "type": given.text(3),
            "homogeneous": bool(given.number(5, 1)),
            "min_arity": given.number(6, 1),
            "origin": place,
        }

    def _add_constraint(self, given: MethodArguments) -> None:
        """Add the types that a type variable allows."""
        variable, allowed = given.text(0), given.value(1)
        if not isinstance(allowed, list) or not all(isinstance(kind, str) for kind in allowed):
            raise UnresolvedError(f"the types of {variable} are not stated")
        if variable in self._constraints:
            raise UnresolvedError(f"the types of {variable} are stated twice")
        self._constraints[variable] = [std_string(kind) for kind in allowed]

    def _add_attr(self, given: MethodArguments, place: Place) -> None:
        """Add an attribute, unless one of this name exists: OpSchema::Attr keeps the first."""
        name = given.text(0)
        # Two overloads have four arguments: Attr(name, description, conditionExplanation, type) and Attr(name,
        # description, type, default).
        is_explained = len(given) == 4 and isinstance(given.value(2), str)
        kind = self._enums.name(protos.ATTRIBUTE, given.number(3 if is_explained else 2, 0))
        if kind is None:
            raise UnresolvedError(f"the type of the attribute {name} is not known")
        stated = {"required": False, "default": _empty_default(kind)} if is_explained else _stated_default(kind, given)
        self._attributes.setdefault(name, {"type": kind, **stated, "origin": place})

    def record(self, domain: str, name: str, since: int) -> dict[str, Any]:
        """Return the record. Raises UnresolvedError if the indices of inputs or outputs have a gap."""
        sections = {section: _as_list(arguments, section) for section, arguments in self._arguments.items()}
        return {
            "domain": domain,
            "name": name,
            "since_version": since,
            "deprecated": self._is_deprecated,
            "has_function": self._has_function,
            "min_input": _min_count(sections["inputs"]),
            "min_output": _min_count(sections["outputs"]),
            **sections,
            "type_constraints": self._constraints,
            "attributes": self._attributes,
            "places": self._places,
        }


def _stated_default(kind: str, given: MethodArguments) -> dict[str, Any]:
    """Return the fields `required` and `default` that the arguments of `Attr` state."""
    if len(given) < 4:
        return {"required": True, "default": None}
    if kind in _MESSAGES and given.first_token(3) == _MESSAGES[kind]:
        return {"required": False, "default": _MESSAGES[kind]}
    value = given.value(3)
    # The overloads of OpSchema::Attr take a bool as `required`: no attribute type of ONNX is bool.
    if kind_of(value) == "bool":
        return {"required": value, "default": None}
    return {"required": False, "default": _default_value(value)}


def _empty_default(kind: str) -> Any:
    """Return the default of an attribute whose default is only described in words: the empty value of its type."""
    return [] if kind.endswith("S") else _EMPTY.get(kind, _MESSAGES.get(kind))


def _default_value(value: Any) -> Any:
    """Return a default value as JSON has it."""
    if isinstance(value, list):
        return [_default_value(item) for item in value]
    if isinstance(value, str):
        return std_string(value)
    if isinstance(value, float):
        return float(value)
    if kind_of(value) is not None:
        return int(value)
    raise UnresolvedError("a default value that is not stated")


def _as_list(arguments: dict[int, dict[str, Any]], section: str) -> list[dict[str, Any]]:
    """Return the arguments in the order of their indices."""
    if sorted(arguments) != list(range(len(arguments))):
        raise UnresolvedError(f"one of the {section} is missing")
    return [arguments[index] for index in range(len(arguments))]


def _min_count(arguments: list[dict[str, Any]]) -> int:
    """Return the least number of arguments: up to the last that is not optional (`OpSchema::Finalize`)."""
    least = 0
    for index, argument in enumerate(arguments):
        if argument["option"] == "Single":
            least = index + 1
        elif argument["option"] == "Variadic":
            least = index + argument["min_arity"]
    return least
