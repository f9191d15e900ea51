"""Builds programs of Paddle without Paddle, and the specs that they are checked against."""

from __future__ import annotations

import json
import re

from opspec_lint.frameworks.paddle.saved.programs.messages import writable_message_class
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.spec import values
from opspec_lint.spec.notation import parse_spec
from tests.support.models import node_lines

FIELDS = {
    "BLOCK": "block_idx",
    "INT": "i",
    "FLOAT": "f",
    "STRING": "s",
    "INTS": "ints",
    "BOOLEAN": "b",
    "LONG": "l",
    "LONGS": "longs",
    "VAR": "var_name",
    "VARS": "vars_name",
    "FLOATS": "floats",
    "BOOLEANS": "bools",
    "STRINGS": "strings",
    "FLOAT64": "float64",
    "FLOAT64S": "float64s",
}

DTYPES = {"float32": 5, "int64": 3, "complex128": 24}
TENSOR = re.compile(r"(\w+): (\w+)(\[.*\])?")


def release(*lines, version="2.6.2"):
    """Return the spec of a release."""
    spec = parse_spec("\n".join(lines), framework="paddle")
    return spec.replace(provenance=spec.provenance.replace(version=version))


def node(op, inputs=(), outputs=("Out",), **attrs):
    """Return an OpDesc. An attr is its type and value; inputs and outputs are names, or lists of arguments by name."""
    made = writable_message_class("OpDesc")(type=op.encode())
    for given, section in ((inputs, made.inputs), (outputs, made.outputs)):
        for name, arguments in (
            given.items() if isinstance(given, dict) else ((parameter, [parameter.lower()]) for parameter in given)
        ):
            section.add(parameter=name.encode(), arguments=[argument.encode() for argument in arguments])
    for name, (kind, value) in attrs.items():
        attr = writable_message_class("Attr")(name=name.encode(), type=ATTR_TYPES.index(kind))
        if kind == "SCALARS":
            attr.scalars.extend(writable_message_class("Scalar")(type=3, r=item) for item in value)
        elif isinstance(value, list):
            getattr(attr, FIELDS[kind]).extend(item.encode() if isinstance(item, str) else item for item in value)
        else:
            setattr(attr, FIELDS[kind], value.encode() if isinstance(value, str) else value)
        made.attrs.append(attr.SerializeToString())
    return made


def program(*nodes, variables=("x", "y", "out"), versions=(), shapes=(), kept=(), dtype=5, kinds=(), dtypes=()):
    """Return a ProgramDesc of one block; `kept` are the variables that are parameters, or persistable kinds.

    The elements of a variable have the type that `dtypes` states for it, else `dtype`.
    """
    made = writable_message_class("ProgramDesc")()
    made.version.version = 2006002
    block = made.blocks.add(idx=0, parent_idx=0, ops=nodes)
    for name in variables:
        variable = block.vars.add(name=name.encode(), persistable=name in kept or name in dict(kinds))
        variable.type.type = dict(kinds).get(name, 7)
        variable.type.lod_tensor.tensor.data_type = dict(dtypes).get(name, dtype)
        variable.type.lod_tensor.tensor.dims.extend(dict(shapes).get(name, [2, 3]))
    for name, version in versions:
        made.op_version_map.pair.add(op_name=name.encode()).op_version.version = version
    return made.SerializeToString()


def audited(tmp_path, data, spec, loader="legacy_executor", **options):
    """Return the one audit of a program."""
    path = tmp_path / "model.pdmodel"
    path.write_bytes(data)
    (result,) = audit(str(path), [("spec", spec)], [LOADERS.load(loader)], LoadOptions(**options))
    return result


def written(path, text):
    """Write the program of a scene: nodes, `versions {...}` of ops, and `variable` or `parameter x: int64[2, 3]`."""
    nodes, lines = node_lines.read(text, "versions", "variable", "parameter")
    made, names = [], []
    for op in nodes:
        inputs, outputs = (
            {argument.name: [node_lines.argument_of(argument)] for argument in section}
            for section in (op.inputs, op.outputs)
        )
        names += [name for given in (*inputs.values(), *outputs.values()) for name in given]
        attrs = {attr.name: (attr.type, values.thaw(attr.default_value)) for attr in op.attrs}
        made.append(node(op.name, inputs, outputs, **attrs))
    declared = {name: (kind, shape) for name, kind, shape in map(_tensor, (*lines["variable"], *lines["parameter"]))}
    data = program(
        *made,
        variables=dict.fromkeys((*declared, *names)),
        versions=node_lines.stated(lines["versions"]).items(),
        shapes=[(name, shape) for name, (_, shape) in declared.items()],
        kept=[line.partition(":")[0] for line in lines["parameter"]],
        dtypes=[(name, kind) for name, (kind, _) in declared.items()],
    )
    path.write_bytes(data)


def _tensor(line):
    name, kind, shape = TENSOR.fullmatch(line).groups()
    return name, DTYPES[kind], json.loads(shape or "[]")
