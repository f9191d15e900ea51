"""The spec of a release from records of schemas, which come from a dump, an interpreter or a source tree.

A record has the values of an OpSchema under the names of onnx 1.19: domain, name, since_version, deprecated, inputs and
outputs (name, option, type, homogeneous, min_arity), type_constraints, attributes (type, required, default). A field
that a release does not have is unknown. Releases before 1.13 have no `min_arity`; it follows from the least number of
inputs.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.framework import BINDING, RELEASED
from opspec_lint.frameworks.onnx.identity import DEFAULT, highest_versions, identity
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.float32 import shortest
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Op, Origin, Output, Provenance, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    from opspec_lint.spec.condition import Condition
    from opspec_lint.spec.model import Remark, Unknown

    _V = TypeVar("_V", Input, Output)

_OPTIONS = ("Single", "Optional", "Variadic")
_SCHEMA: Mapping[str, type] = {
    **dict.fromkeys(("domain", "name"), str),
    **dict.fromkeys(("since_version", "min_input", "min_output"), int),
    **dict.fromkeys(("inputs", "outputs"), list),
    **dict.fromkeys(("type_constraints", "attributes"), dict),
    "deprecated": bool,
}
"""The keys that every record must have, with their types."""
_OPTIONAL_FIELDS = ("has_function", "kernels", "adapters")
"""The fields of an op that not every source states."""
_ARGUMENT: Mapping[str, type] = {"name": str, "option": str, "type": str}
_ATTRIBUTE: Mapping[str, type] = {"type": str, "required": bool}
_OPTIONAL: Mapping[str, type] = {"has_function": bool, "homogeneous": bool, "min_arity": int, "adapters": list}
"""The keys that a record, or a part of it, may lack, with their types."""


def spec_of(  # noqa: PLR0913 - what a release says beyond its schemas
    schemas: Any,
    provenance: Provenance,
    file: str,
    *,
    ir_version: int,
    opsets: Mapping[str, int],
    released: Mapping[str, int] | None = None,
    is_located: bool = False,
    remarks: tuple[Remark, ...] = (),
) -> Spec:
    """Return the spec of a release from the records of its schemas.

    Args:
        schemas: the records.
        provenance: the origin of the records.
        file: the name of the source in messages.
        ir_version: the highest version of the file format that the release takes.
        opsets: the highest version of each domain that the source states; for another domain, it is the highest version
            of a schema.
        released: the opset of each domain in the last release, for domains for which the source states it.
        is_located: True if the records have the places of a source tree.
        remarks: remarks about schemas of a source tree that cannot be evaluated.

    Raises:
        InputError: a record does not describe a schema.
    """
    if not isinstance(schemas, list) or not (schemas or remarks):
        raise _malformed_error(file, "schemas", "expected a list of schemas")
    records = {}
    for index, record in enumerate(schemas):
        _require_schema(record, f"schemas[{index}]", file)
        op = identity(record["domain"], record["name"], record["since_version"])
        if op in records:
            raise _malformed_error(file, f"schemas[{index}]", f"{op} is there twice")
        records[op] = record
    known = {domain or DEFAULT: version for domain, version in highest_versions(records).items()}
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(records, _op, _default_values, __name__, located=is_located, declared=_without_places),
        binding=BINDING,
        loading={
            "ir_version": ir_version,
            "opsets": {**known, **opsets},
            **({RELEASED: dict(released)} if released else {}),
        },
        remarks=remarks,
    )


def _without_places(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without the places of its parts, which change when lines are inserted above them."""
    arguments = {section: list(map(_without_origin, record[section])) for section in ("inputs", "outputs")}
    attributes = {name: _without_origin(attribute) for name, attribute in record["attributes"].items()}
    return {**_without_origin(record), **arguments, "attributes": attributes, "places": None}


def _without_origin(declared: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a record without its place."""
    return {**declared, "origin": None}


def _op(name: str, record: dict[str, Any]) -> Op:
    """Return the op of a record."""
    types = {variable: tuple(sorted(set(allowed))) for variable, allowed in record["type_constraints"].items()}
    return Op(
        name=name,
        inputs=tuple(_argument(Input, argument) for argument in record["inputs"]),
        outputs=tuple(_argument(Output, argument) for argument in record["outputs"]),
        attrs=tuple(_attr(*item) for item in sorted(record["attributes"].items())),
        origin=_origin(record),
        declared_if=_condition(record),
        places=_places(record),
        own={
            "type_constraints": types,
            "arity": _arity(record),
            "deprecated": record["deprecated"],
            **{field: values.freeze(record[field]) for field in _OPTIONAL_FIELDS if field in record},
        },
    )


def _origin(record: dict[str, Any]) -> Origin | None:
    """Return the place of a schema's declaration in a source tree, None for any other source."""
    origin = record.get("origin")
    return origin if isinstance(origin, Origin) else None


def _condition(record: dict[str, Any]) -> Condition | Unknown | None:
    """Return the condition under which a source tree declares the schema, UNKNOWN for any other source."""
    is_of_tree = _origin(record) is not None
    return record.get("declared_if", UNKNOWN) if is_of_tree else UNKNOWN


def _places(record: dict[str, Any]) -> dict[str, Origin]:
    """Return the places of the fields that a source tree declares elsewhere than where the schema begins."""
    return record["places"] if _origin(record) is not None else {}


def _argument(make: type[_V], record: dict[str, Any]) -> _V:
    """Return an input or output of a record."""
    return make(
        name=record["name"],
        type=record["type"],
        duplicable=record["option"] == "Variadic",
        dispensable=record["option"] == "Optional",
        origin=_origin(record),
    )


def _arity(record: dict[str, Any]) -> dict[str, dict[str, Any]] | None:
    """Return the arity of the variadic input and output, None if there is none."""
    arity = {}
    for section, least in (("inputs", record["min_input"]), ("outputs", record["min_output"])):
        last = record[section][-1] if record[section] else {"option": ""}
        if last["option"] == "Variadic":
            # A variadic argument is the last one, so the arguments before it are part of `min_input`.
            own = last.get("min_arity", max(0, least - len(record[section]) + 1))
            arity[section] = {"min": own, "is_homogeneous": last.get("homogeneous", True)}
    return arity or None


def _attr(name: str, record: dict[str, Any]) -> Attr:
    """Return an attribute of a record."""
    default = _default(record["default"]) if "default" in record else UNKNOWN
    return Attr(
        name=name,
        type=record["type"],
        default_value=default,
        own={"required": record["required"]},
        origin=_origin(record),
    )


def _default(value: Any) -> Any:
    """Return a default value; floats have 32 bits, and become the shortest decimal that rounds to them."""
    if isinstance(value, list):
        return tuple(map(_default, value))
    if type(value) is not float or value - value != 0:
        return values.freeze(value)
    return shortest(value)


def _default_values(record: dict[str, Any]) -> list[Any]:
    """Return the default values in a record."""
    return [attribute.get("default") for attribute in record["attributes"].values()]


def _require_schema(record: Any, where: str, file: str) -> None:
    """Raise InputError unless a record has the structure of a schema."""
    _require_keys(record, _SCHEMA, where, file)
    for section in ("inputs", "outputs"):
        for index, argument in enumerate(record[section]):
            place = f"{where}.{section}[{index}]"
            _require_keys(argument, _ARGUMENT, place, file)
            if argument["option"] not in _OPTIONS:
                raise _malformed_error(file, f"{place}.option", f"expected one of {', '.join(_OPTIONS)}")
    for name, attribute in record["attributes"].items():
        _require_keys(attribute, _ATTRIBUTE, f"{where}.attributes.{name}", file)
        if not values.is_attr_value(attribute.get("default")):
            raise _malformed_error(file, f"{where}.attributes.{name}.default", "expected the value of an attribute")
    for variable, allowed in record["type_constraints"].items():
        if not isinstance(allowed, list) or not all(isinstance(kind, str) for kind in allowed):
            raise _malformed_error(file, f"{where}.type_constraints.{variable}", "expected a list of types")


def _require_keys(record: Any, keys: Mapping[str, type], where: str, file: str) -> None:
    """Raise InputError unless a record has the keys, each with a value of its type."""
    if not isinstance(record, dict):
        raise _malformed_error(file, where, "expected a mapping")
    for key, kind in keys.items():
        if key not in record:
            raise _malformed_error(file, where, f"the key {key!r} is missing")
        if type(record[key]) is not kind:
            raise _malformed_error(file, f"{where}.{key}", f"expected a value of type {kind.__name__}")
    for key, kind in _OPTIONAL.items():
        if key in record and type(record[key]) is not kind:
            raise _malformed_error(file, f"{where}.{key}", f"expected a value of type {kind.__name__}")


def _malformed_error(file: str, where: str, problem: str) -> InputError:
    """Return the error for a malformed record."""
    return InputError(file, problem, where=where, advice="name a complete dump of the schemas of onnx.defs")
