"""The probe of `onnxruntime-runtime`, which runs in an interpreter with ONNX Runtime and returns its contract.

It needs only Python 3.6 and its standard library. `_probe_main`, which runs after it, writes the answer to a file:
{"version", "ir_version", "opsets", "schemas", "kernels", "fallbacks"}.

The Python bindings list schemas and kernels. The highest IR version and opsets are found by loading tiny models. The
runtime also runs an op without a kernel, by a function body (which may depend on the node) or by a cast from float16.
No binding lists these, so each op is tried in a model of one node with the types for which it has no kernel.
"""

# ruff: noqa: TC004 - at run time, the texts of `probe_tools` and `_writing` are in front of this one
from importlib import import_module
from itertools import product

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.onnx._writing import (
        attribute_field,
        empty_tensor_field,
        encode_model,
        node_field,
        value_info_field,
    )
    from opspec_lint.sources.probe_tools import in_children

MAX_VERSION = 100
"""The highest version that is tried."""
MAX_COMBINATIONS = 1000
"""Combinations of types of one op that are tried; if there are more, only one variable at a time varies."""
UNNAMED = {13: "TYPE_PROTO", 14: "TYPE_PROTOS"}
"""The attribute types that the enum of the bindings does not name."""
INTERNAL = ("com.ms.internal", "com.microsoft.nchwc")
"""Domains of ops that the runtime derives from others, and that no model contains."""


def probe() -> "dict[str, Any]":
    """Import the runtime, and return its contract."""
    runtime = import_module("onnxruntime")
    state = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    runtime.set_default_logger_severity(4)
    load = loader(runtime)
    schemas = [schema_record(schema) for schema in state.get_all_operator_schema()]
    kernels = [kernel_record(definition) for definition in state.get_all_opkernel_def()]
    domains = sorted({schema["domain"] for schema in schemas if not schema["domain"].startswith(INTERNAL)})
    return {
        "version": runtime.__version__,
        "ir_version": highest_ir_version(load),
        "opsets": {domain: highest_opset(load, domain) for domain in domains},
        "schemas": schemas,
        "kernels": kernels,
        "fallbacks": find_fallbacks(load, schemas, kernels),
    }


def loader(runtime: "Any") -> "Any":
    """Return a function that loads a model, and returns the message of a refusal or ""."""
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    # Thousands of sessions are opened, each of which would start a pool of threads.
    options.intra_op_num_threads = options.inter_op_num_threads = 1

    def load(data: bytes) -> str:
        try:
            runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # whatever it raises is a refusal
            return str(error) or type(error).__name__
        return ""

    return load


def schema_record(schema: "Any") -> "dict[str, Any]":
    """Return the record of a schema."""
    return {
        "domain": schema.domain,
        "name": schema.name,
        "since_version": schema.since_version,
        "deprecated": bool(schema.deprecated),
        "min_input": schema.min_input,
        "min_output": schema.min_output,
        "inputs": [argument(parameter) for parameter in schema.inputs],
        "outputs": [argument(parameter) for parameter in schema.outputs],
        "type_constraints": {
            constraint.type_param_str: list(constraint.allowed_type_strs) for constraint in schema.type_constraints
        },
        "attributes": {
            name: {"type": UNNAMED.get(int(attr.type)) or enum_name(attr.type), "required": bool(attr.required)}
            for name, attr in schema.attributes.items()
        },
    }


def argument(parameter: "Any") -> "dict[str, Any]":
    """Return the record of an input or output of a schema."""
    return {
        "name": parameter.name,
        "option": enum_name(parameter.option),
        "type": parameter.typeStr,
        "homogeneous": bool(parameter.isHomogeneous),
    }


def enum_name(member: "Any") -> str:
    """Return the name of an enum member, without its class."""
    return str(member).rpartition(".")[2]


def kernel_record(definition: "Any") -> "dict[str, Any]":
    """Return the record of a kernel: op, versions, and types by the name of a type variable or argument."""
    first, last = definition.version_range
    return {
        "domain": definition.domain,
        "op": definition.op_name,
        "from": first,
        # The bindings report the highest int32 as the end of an open range.
        "to": last if last < (1 << 31) - 1 else None,
        "provider": definition.provider,
        "types": {name: sorted(types) for name, types in definition.type_constraints.items()},
    }


def highest_ir_version(load: "Any") -> int:
    """Return the highest version of the file format that the runtime accepts."""
    taken = [
        version
        for version in range(3, MAX_VERSION)
        if "IR version" not in load(encode_model(version, "", 7, identity("tensor(float)")))
    ]
    return max(taken)


def highest_opset(load: "Any", domain: str) -> int:
    """Return the highest version of a domain that the runtime accepts as an import."""
    version = 0
    while version < MAX_VERSION:
        imported = [("", 7)] if domain else []
        refusal = load(encode_model(7, domain, version + 1, identity("tensor(float)"), imported))
        if "opset" in refusal.lower():
            break
        version += 1
    return version


def find_fallbacks(load: "Any", schemas: "list[dict[str, Any]]", kernels: "list[dict[str, Any]]") -> "list[Any]":
    """Return pairs of a schema's index and types by variable that the op runs with although it has no kernel.

    Some models crash older runtimes; one that does counts as refused.
    """
    models = [
        (place, types)
        for place, schema in enumerate(schemas)
        for types in type_combinations(schema)
        if not schema["domain"].startswith(INTERNAL) and not has_kernel(schema, types, kernels)
    ]

    def runs(way: "tuple[tuple[int, dict[str, str]], bool]") -> bool:
        (place, types), is_full = way
        return is_taken(load(node_model(schemas[place], types, is_full=is_full)))

    outcomes = in_children(runs, [(pair, is_full) for pair in models for is_full in (False, True)])
    return [pair for at, pair in enumerate(models) if any(outcomes[2 * at : 2 * at + 2])]


def is_taken(refusal: str) -> bool:
    """Return True if the runtime found an implementation; a failure on the values of the inputs does not matter."""
    return not refusal or ("Exception during initialization" in refusal and "tensor type" not in refusal)


def type_combinations(schema: "dict[str, Any]") -> "list[dict[str, str]]":
    """Return the combinations of types of an op's variables; if they are too many, one variable at a time varies."""
    used = {argument_record["type"] for section in ("inputs", "outputs") for argument_record in schema[section]}
    variables = {name: sorted(set(types)) for name, types in sorted(schema["type_constraints"].items()) if name in used}
    count = 1
    for types in variables.values():
        count *= len(types)
    if count > MAX_COMBINATIONS:
        plain = {name: "tensor(float)" if "tensor(float)" in types else types[0] for name, types in variables.items()}
        return [dict(plain, **{name: kind}) for name, types in variables.items() for kind in types]
    return [dict(zip(variables, combination)) for combination in product(*variables.values())]  # noqa: B905 - Python 3.6


def has_kernel(schema: "dict[str, Any]", types: "dict[str, str]", kernels: "list[dict[str, Any]]") -> bool:
    """Return True if a kernel runs an op with types; one with an open end covers only its first version."""
    since = schema["since_version"]
    named = {
        argument_record["name"]: types.get(argument_record["type"])
        for part in ("inputs", "outputs")
        for argument_record in schema[part]
    }
    for kernel in kernels:
        if (kernel["domain"], kernel["op"]) != (schema["domain"], schema["name"]):
            continue
        is_open = kernel["to"] is None
        if since != kernel["from"] if is_open else not kernel["from"] <= since <= kernel["to"]:
            continue
        bound = {name: types.get(name) or named.get(name) for name in kernel["types"]}
        if all(bound[name] is None or bound[name] in allowed for name, allowed in kernel["types"].items()):
            return True
    return False


def node_model(schema: "dict[str, Any]", types: "dict[str, str]", *, is_full: bool) -> bytes:
    """Return a model of one node with its required attributes, and with or without its optional inputs.

    Both are tried: some types belong to optional inputs alone, and some optional inputs need values that are not known
    here.
    """
    ends = {
        part: list(argument_types(schema[part], types, is_full=is_full and part == "inputs"))
        for part in ("inputs", "outputs")
    }
    if not ends["outputs"]:
        ends["outputs"] = [types.get(output["type"], output["type"]) for output in schema["outputs"][:1]]
    names = {part: [f"{part[0]}{at}" for at in range(len(types_of_part))] for part, types_of_part in ends.items()}
    is_constant = not schema["inputs"] and schema["attributes"].get("value", {}).get("type") == "TENSOR"
    needed = [name for name, attr in schema["attributes"].items() if attr["required"] and not is_constant]
    attributes = [attribute_field(name, schema["attributes"][name]["type"]) for name in needed]
    if is_constant:
        attributes.append(empty_tensor_field("value", ends["outputs"][0]))
    node = node_field(schema["domain"], schema["name"], names["inputs"], names["outputs"], attributes)
    values = [
        value_info_field(number, name, kind)
        for part, number in (("inputs", 11), ("outputs", 12))
        for name, kind in zip(names[part], ends[part])  # noqa: B905 - Python 3.6
    ]
    imported = [("", 7)] if schema["domain"] else []
    return encode_model(7, schema["domain"], schema["since_version"], node + b"".join(values), imported)


def argument_types(arguments: "list[dict[str, Any]]", types: "dict[str, str]", *, is_full: bool) -> "Iterator[str]":
    """Yield the types of the arguments of a node, up to the last required one, or of all with `is_full`."""
    last = max((at for at, record in enumerate(arguments) if is_full or record["option"] != "Optional"), default=-1)
    return (types.get(record["type"], record["type"]) for record in arguments[: last + 1])


def identity(kind: str) -> bytes:
    """Return the fields of a graph that returns its input unchanged."""
    return (
        node_field("", "Identity", ["i0"], ["o0"], [])
        + value_info_field(11, "i0", kind)
        + value_info_field(12, "o0", kind)
    )
