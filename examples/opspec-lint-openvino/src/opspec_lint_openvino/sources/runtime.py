"""The source `openvino-runtime`: the OpenVINO in an interpreter, which runs `_runtime_probe`."""

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.interpreter import Query, run_query
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import Provenance, Spec
from opspec_lint.spec.records import OpReader

SCHEME = "openvino-runtime"
KNOWS = {
    "ops": ("min_version", "max_version"),
    "inputs": ("duplicable", "dispensable"),
    "attrs": ("type", "default_value", "allowed_values"),
}
TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "list"}
MANY = 12
"""The most inputs that the probe tries: an op that takes so many takes any number."""


def extract(argument, reading):
    """Return the spec of the OpenVINO in an interpreter; "" is the interpreter that runs this program.

    Raises:
        InputError: the interpreter cannot run, or has no usable OpenVINO.
    """
    file = f"{SCHEME}:{argument}" if argument else SCHEME
    query = Query(
        scheme=SCHEME,
        title="OpenVINO",
        name="openvino",
        requirement="openvino",
        source=__file__,
        answer={"version": (str,), "ir_versions": (list,), "opsets": (int,), "ops": (list,), "enums": (dict,)},
    )
    answer = run_query(query, argument, reading.environment)
    try:
        ops = {f"{op['version']}.{op['name']}": op_record(op, answer["enums"]) for op in answer["ops"]}
    except (AttributeError, IndexError, KeyError, TypeError):
        raise InputError(file, "returned malformed data", advice="is it an ordinary OpenVINO?") from None
    return Spec(
        file=file,
        provenance=Provenance(framework="openvino", version=answer["version"], made_by=SCHEME),
        ops=OpReader("openvino", KNOWS).table(ops),
        loading={"ir_versions": tuple(answer["ir_versions"])},
    )


def op_record(op, enums):
    """Return the record of an op. Its inputs have no names: a file refers to them by their places."""
    record = {
        "min_version": min(op["opsets"]),
        "max_version": max(op["opsets"]),
        "inputs": input_records(op["inputs"]),
        "attrs": [attr_record(attribute, enums) for attribute in op["attributes"]],
    }
    # The validation of some ops accepts no inputs of unknown type; that of a constant is never run.
    return record if op["inputs"] else {**record, "unknown": ["inputs"]}


def input_records(counts):
    """Return the inputs of an op whose validation accepts some numbers of inputs."""
    if not counts:
        return []
    least, most = min(counts), max(counts)
    records = [{"name": str(place), "dispensable": place >= least} for place in range(min(most, max(least, 1)))]
    if most == MANY:
        records[-1]["duplicable"] = True
        return records
    return records + [{"name": str(place), "dispensable": True} for place in range(len(records), most)]


def attr_record(attribute, enums):
    """Return the record of an attribute; a default that no constructor sets is unknown."""
    record = {"name": attribute["name"], "type": TYPES[attribute["kind"]]}
    record |= {"default_value": attribute["default"]} if "default" in attribute else {"unknown": ["default_value"]}
    return record | ({"allowed_values": enums[attribute["enum"]]} if enums.get(attribute["enum"]) else {})


SOURCE = Source(
    summary="the OpenVINO installed here, or that of another interpreter: openvino-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
