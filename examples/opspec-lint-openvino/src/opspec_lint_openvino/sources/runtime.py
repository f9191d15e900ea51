"""The source `openvino-runtime`: the OpenVINO in an interpreter, which runs `_runtime_probe`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.interpreter import Query, run_query
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import Provenance, Spec
from opspec_lint.spec.records import OpReader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.fields import Section

SCHEME = "openvino-runtime"
KNOWS: Mapping[Section, tuple[str, ...]] = {
    "ops": ("min_version", "max_version"),
    "inputs": ("duplicable", "dispensable"),
    "attrs": ("type", "default_value", "allowed_values"),
}
TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "list"}
MANY = 12
"""The most inputs that the probe tries: an op that takes so many takes any number."""
ANSWER = {"version": (str,), "ir_versions": (list,), "ops": (list,), "enums": (dict,)}


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the OpenVINO in an interpreter; "" is the interpreter that runs this program.

    Raises:
        InputError: the interpreter cannot run, or has no usable OpenVINO.
    """
    file = f"{SCHEME}:{argument}" if argument else SCHEME
    query = Query(
        scheme=SCHEME, title="OpenVINO", name="openvino", requirement="openvino", source=__file__, answer=ANSWER
    )
    answer = run_query(query, argument, reading.environment)
    try:
        ops: dict[str, Any] = {f"{op['version']}.{op['name']}": op_record(op, answer["enums"]) for op in answer["ops"]}
        gaps = gaps_of(answer["ops"])
    except (AttributeError, IndexError, KeyError, TypeError):
        raise InputError(file, "returned malformed data", advice="is it an ordinary OpenVINO?") from None
    return Spec(
        file=file,
        provenance=Provenance(framework="openvino", version=answer["version"], made_by=SCHEME),
        ops=OpReader("openvino", KNOWS).table(ops),
        loading={"ir_versions": tuple(answer["ir_versions"]), "gaps": gaps},
    )


def gaps_of(ops: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return the classes that an opset lacks though an earlier one and a later one have them, by opset."""
    gaps: dict[str, tuple[str, ...]] = {}
    for op in ops:
        for number in sorted({*range(min(op["opsets"]), max(op["opsets"]))} - {*op["opsets"]}):
            gaps[f"opset{number}"] = (*gaps.get(f"opset{number}", ()), f"{op['version']}.{op['name']}")
    return gaps


def op_record(op: dict[str, Any], enums: dict[str, list[str]]) -> dict[str, Any]:
    """Return the record of an op. Its inputs have no names: a file refers to them by their places."""
    return {
        "min_version": min(op["opsets"]),
        "max_version": max(op["opsets"]),
        "inputs": [] if op["name"] == "Constant" else input_records(op["inputs"]),
        "attrs": [attr_record(attribute, enums) for attribute in op["attributes"]],
    }


def input_records(counts: list[int]) -> list[dict[str, Any]]:
    """Return the inputs of an op that is read with some numbers of inputs; unknown ones if it is read with none."""
    if not counts:
        return [{"name": "0", "unknown": ["dispensable", "duplicable"]}]
    least, most = min(counts), max(counts)
    number = most if most < MANY else max(least, 1)
    records: list[dict[str, Any]] = [{"name": str(place), "dispensable": place >= least} for place in range(number)]
    if most == MANY:
        records[-1]["duplicable"] = True
    return records


def attr_record(attribute: dict[str, Any], enums: dict[str, list[str]]) -> dict[str, Any]:
    """Return the record of an attribute; a default that no constructor sets is unknown."""
    record = {"name": attribute["name"], "type": TYPES[attribute["kind"]]}
    record |= {"default_value": attribute["default"]} if "default" in attribute else {"unknown": ["default_value"]}
    return record | ({"allowed_values": enums[attribute["enum"]]} if enums.get(attribute["enum"]) else {})


SOURCE = Source(
    summary="the OpenVINO installed here, or that of another interpreter: openvino-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
