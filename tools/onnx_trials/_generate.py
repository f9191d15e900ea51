"""Writer of ONNX models that loaders are tried with: executed by an interpreter with a recent onnx, as a script.

python _generate.py FOLDER SEED writes models, and kinds.json: the kind of each by its file name. The models are the
node tests of the wheel, as they are and under other opsets; one node for each version of each op, with attributes and
types that its schema allows; and mutations of both, each of one kind.
"""

# ruff: noqa: S311 - the models are drawn, and each mutation is named by its function
from __future__ import annotations

import copy
import json
import random
import sys
from pathlib import Path

import onnx
from onnx import AttributeProto, ModelProto, TensorProto, defs, helper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Mutation = Callable[[ModelProto, random.Random], object]
    """Changes a model; one that cannot be changed so raises a `LookupError`."""

OPSETS = range(1, 27)
LARGEST = 200_000
"""Bytes of a node test that is used: larger ones differ by their weights only."""
PER_SCHEMA = 2
"""Models of each version of an op."""
PER_MUTATION = 45
USUAL_IR = 0.8
"""The share of mutated models whose IR version older releases take, too."""
TYPES = [code for code in TensorProto.DataType.values() if code]
VALUES = {
    AttributeProto.FLOAT: 1.0,
    AttributeProto.INT: 1,
    AttributeProto.STRING: "a",
    AttributeProto.FLOATS: [1.0],
    AttributeProto.INTS: [1],
    AttributeProto.STRINGS: ["a"],
}
CONSTANTS = {f"value_{name}": value for name, value in (("int", 1), ("ints", [1]), ("float", 1.0), ("string", "a"))}
CONSTANTS |= {"value_floats": [1.0], "value_strings": ["a"]}
TYPE_ATTRIBUTES = ("to", "dtype")
"""Attributes whose value is a type of elements."""


def main(folder: str, seed: str) -> None:
    chance = random.Random(int(seed))
    stored = list(node_tests())
    single = list(schema_models(chance))
    kinds = {}
    for number, (kind, model) in enumerate(every_model(stored, single, chance)):
        name = f"{number:05}.onnx"
        Path(folder, name).write_bytes(model.SerializeToString())
        kinds[name] = kind
    Path(folder, "kinds.json").write_text(json.dumps(kinds), encoding="utf-8")


def every_model(
    stored: list[ModelProto], single: list[ModelProto], chance: random.Random
) -> Iterator[tuple[str, ModelProto]]:
    yield from (("node_test", model) for model in stored)
    yield from (("schema", model) for model in single)
    for model in stored:
        yield "changed_opset", changed(model, changed_opset, chance)
    for name, mutation in MUTATIONS.items():
        made = 0
        sources = stored * 2 + single
        for model in chance.sample(sources, len(sources)):
            try:
                yield name, changed(model, mutation, chance)
            except LookupError:
                continue
            made += 1
            if made == PER_MUTATION:
                break


def changed(model: ModelProto, mutation: Mutation, chance: random.Random) -> ModelProto:
    copied = copy.deepcopy(model)
    if chance.random() < USUAL_IR:
        copied.ir_version = min(copied.ir_version, 9)
    mutation(copied, chance)
    return copied


def node_tests() -> Iterator[ModelProto]:
    """Yield the models of the node tests of the wheel."""
    root = Path(onnx.__file__).parent / "backend" / "test" / "data"
    for path in sorted(root.glob("*/*/model.onnx")):
        if path.stat().st_size <= LARGEST:
            yield onnx.load(path, load_external_data=False)


def schema_models(chance: random.Random) -> Iterator[ModelProto]:
    """Yield models of one node for each version of each op, valid by the schema."""
    for schema in sorted(
        defs.get_all_schemas_with_history(), key=lambda item: (item.domain, item.name, item.since_version)
    ):
        if "preview" not in schema.domain:
            for _ in range(PER_SCHEMA):
                yield schema_model(schema, chance)


def schema_model(schema: defs.OpSchema, chance: random.Random) -> ModelProto:
    chosen = {item.type_param_str: chance.choice(list(item.allowed_type_strs)) for item in schema.type_constraints}
    attributes = [
        attribute(item, chance)
        for item in schema.attributes.values()
        if item.required or (item.name in TYPE_ATTRIBUTES and chance.random() < 0.7)
    ]
    inputs = [(f"i{place}", chosen.get(type_of(item), type_of(item))) for place, item in taken(schema.inputs, chance)]
    outputs = [(f"o{place}", chosen.get(type_of(item), type_of(item))) for place, item in taken(schema.outputs, chance)]
    node = onnx.NodeProto(op_type=schema.name, domain=schema.domain, name="n", attribute=attributes)
    node.input.extend(name for name, _ in inputs)
    node.output.extend(name for name, _ in outputs)
    graph = onnx.GraphProto(name="g", node=[node])
    has_shape = chance.random() < 0.6
    for values, section in ((inputs, graph.input), (outputs, graph.output)):
        section.extend(onnx.ValueInfoProto(name=name, type=type_proto(kind)) for name, kind in values)
        if has_shape:
            for item in section:
                if item.type.HasField("tensor_type"):
                    item.type.tensor_type.shape.dim.add()
    imports = [helper.make_opsetid(schema.domain, schema.since_version)]
    return helper.make_model(graph, opset_imports=imports, ir_version=chance.choice((4, 7, 8, 9)), producer_name="made")


def type_of(argument: defs.OpSchema.FormalParameter) -> str:
    return argument.type_str


def taken(arguments: list[defs.OpSchema.FormalParameter], chance: random.Random) -> list[tuple[int, object]]:
    """Return the inputs or outputs that a node has: the optional ones up to some place, and some of a variadic one."""
    option = defs.OpSchema.FormalParameterOption
    required = sum(item.option == option.Single for item in arguments)
    arguments_taken = list(enumerate(arguments))[: chance.randint(required, len(arguments))] if arguments else []
    last = arguments[-1] if arguments else None
    if last is not None and last.option == option.Variadic:
        arguments_taken = [item for item in enumerate(arguments) if item[1].option != option.Variadic]
        arguments_taken += [(len(arguments_taken) + place, last) for place in range(max(last.min_arity, 1))]
    return arguments_taken


def attribute(declared: defs.OpSchema.Attribute, chance: random.Random) -> AttributeProto:
    kind = int(declared.type)
    if declared.name in TYPE_ATTRIBUTES and kind == AttributeProto.INT:
        return helper.make_attribute(declared.name, chance.choice(TYPES))
    if kind == AttributeProto.TENSOR:
        return helper.make_attribute(declared.name, helper.make_tensor("t", TensorProto.FLOAT, [1], [1.0]))
    if kind == AttributeProto.GRAPH:
        branch = helper.make_graph([], "branch", [], [])
        return helper.make_attribute(declared.name, branch)
    if kind == AttributeProto.TYPE_PROTO:
        return helper.make_attribute(declared.name, helper.make_tensor_type_proto(TensorProto.FLOAT, [1]))
    if kind in VALUES:
        return helper.make_attribute(declared.name, VALUES[kind])
    return AttributeProto(name=declared.name, type=kind)


def type_proto(kind: str) -> onnx.TypeProto:
    """Return the type that schemas write as `seq(tensor(float))`."""
    outer, _, inner = kind.rstrip()[:-1].partition("(")
    made = onnx.TypeProto()
    if outer in ("tensor", "sparse_tensor"):
        tensor_type = made.tensor_type if outer == "tensor" else made.sparse_tensor_type
        tensor_type.elem_type = TensorProto.DataType.Value(inner.upper())
    elif outer == "seq":
        made.sequence_type.elem_type.CopyFrom(type_proto(inner))
    elif outer == "optional":
        made.optional_type.elem_type.CopyFrom(type_proto(inner))
    elif outer == "map":
        key, _, value = inner.partition(",")
        made.map_type.key_type = TensorProto.DataType.Value(key.strip().upper())
        value = value.strip()
        made.map_type.value_type.CopyFrom(type_proto(value if "(" in value else f"tensor({value})"))
    return made


def some_node(model: ModelProto, chance: random.Random) -> onnx.NodeProto:
    return chance.choice(model.graph.node)


def some_attribute(model: ModelProto, chance: random.Random) -> tuple[onnx.NodeProto, AttributeProto]:
    node = chance.choice([item for item in model.graph.node if item.attribute])
    return node, chance.choice(node.attribute)


def default_import(model: ModelProto) -> onnx.OperatorSetIdProto:
    return next((item for item in model.opset_import if not item.domain), None) or model.opset_import[0]


def changed_opset(model: ModelProto, chance: random.Random) -> None:
    for item in model.opset_import:
        item.version = chance.choice(OPSETS) if not item.domain else chance.choice((1, 2, 3, 4, 5))
    model.ir_version = chance.choice((3, 4, 6, 7, 8, 9, 10))


def newer_opset(model: ModelProto, chance: random.Random) -> None:
    default_import(model).version = chance.choice((22, 24, 26, 27, 28, 99))


def ir_version(model: ModelProto, chance: random.Random) -> None:
    model.ir_version = chance.choice((1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 99))


def no_ir_version(model: ModelProto, chance: random.Random) -> None:  # noqa: ARG001
    model.ClearField("ir_version")


def no_import(model: ModelProto, chance: random.Random) -> None:  # noqa: ARG001
    del model.opset_import[:]


def import_twice(model: ModelProto, chance: random.Random) -> None:
    imported = default_import(model)
    model.opset_import.add(domain=imported.domain, version=chance.choice((imported.version, imported.version - 1, 7)))


def import_by_name(model: ModelProto, chance: random.Random) -> None:
    default_import(model).domain = "ai.onnx"
    if chance.random() < 0.5:
        for node in model.graph.node:
            node.domain = "ai.onnx"


def node_domain_by_name(model: ModelProto, chance: random.Random) -> None:
    some_node(model, chance).domain = "ai.onnx"


def custom_domain(model: ModelProto, chance: random.Random) -> None:
    some_node(model, chance).domain = "my.ops"
    if chance.random() < 0.5:
        model.opset_import.add(domain="my.ops", version=1)


def known_domain_not_imported(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.domain = chance.choice(("ai.onnx.ml", "com.microsoft", "ai.onnx.training", "ai.onnx.preview.training"))
    node.op_type = chance.choice((node.op_type, "Gelu", "Binarizer", "Normalizer"))
    if chance.random() < 0.4:
        model.opset_import.add(domain=node.domain, version=1)


def unused_import(model: ModelProto, chance: random.Random) -> None:
    model.opset_import.add(
        domain=chance.choice(("my.ops", "ai.onnx.ml", "com.microsoft")), version=chance.choice((1, 99))
    )


def unknown_op(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.op_type = chance.choice((node.op_type.lower(), f"{node.op_type}X", "", "ATen", "Crop", "Upsample", "Scatter"))


def unknown_attribute(model: ModelProto, chance: random.Random) -> None:
    name = chance.choice(("surprise", "__internal", "axis", "axes"))
    some_node(model, chance).attribute.append(helper.make_attribute(name, chance.choice((1, 1.0, [1], "a"))))


def missing_attribute(model: ModelProto, chance: random.Random) -> None:
    node, attribute = some_attribute(model, chance)
    node.attribute.remove(attribute)


def attribute_twice(model: ModelProto, chance: random.Random) -> None:
    node, attribute = some_attribute(model, chance)
    node.attribute.append(attribute)


def retyped_attribute(model: ModelProto, chance: random.Random) -> None:
    _, attribute = some_attribute(model, chance)
    value = chance.choice([value for kind, value in VALUES.items() if kind != attribute.type])
    attribute.CopyFrom(helper.make_attribute(attribute.name, value))


def attribute_type_contradicts(model: ModelProto, chance: random.Random) -> None:
    _, attribute = some_attribute(model, chance)
    attribute.type = chance.choice([kind for kind in (0, *VALUES, 4, 5) if kind != attribute.type])


def attribute_without_value(model: ModelProto, chance: random.Random) -> None:
    _, attribute = some_attribute(model, chance)
    kept = AttributeProto(name=attribute.name, type=attribute.type)
    attribute.CopyFrom(kept)


def attribute_value(model: ModelProto, chance: random.Random) -> None:
    _, attribute = some_attribute(model, chance)
    if attribute.type not in (AttributeProto.INT, AttributeProto.STRING):
        raise LookupError
    if attribute.type == AttributeProto.INT:
        attribute.i = chance.choice((-99, 0, 3, 17, 22, 99))
    else:
        attribute.s = b"BOGUS"


def attribute_refers(model: ModelProto, chance: random.Random) -> None:
    _, attribute = some_attribute(model, chance)
    attribute.CopyFrom(AttributeProto(name=attribute.name, type=attribute.type, ref_attr_name="of_function"))


def fewer_inputs(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.input.remove(chance.choice(node.input))


def more_inputs(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.input.extend([node.input[0]] * chance.choice((1, 2, 5)))


def empty_input(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.input[chance.choice(range(len(node.input)))] = ""


def dangling_input(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.input[chance.choice(range(len(node.input)))] = "nowhere"


def more_outputs(model: ModelProto, chance: random.Random) -> None:
    some_node(model, chance).output.extend(f"more{place}" for place in range(chance.choice((1, 3))))


def output_twice(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.output.append(node.output[0])


def empty_output(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.output[chance.choice(range(len(node.output)))] = ""


def no_arguments(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    del node.input[:]
    del node.output[:]


def tensor_values(model: ModelProto) -> list[onnx.ValueInfoProto]:
    values = [item for item in (*model.graph.input, *model.graph.output) if item.type.HasField("tensor_type")]
    if not values:
        raise LookupError
    return values


def single_type(model: ModelProto, chance: random.Random) -> None:
    chance.choice(tensor_values(model)).type.tensor_type.elem_type = chance.choice(TYPES)


def all_types(model: ModelProto, chance: random.Random) -> None:
    before = chance.choice(tensor_values(model)).type.tensor_type.elem_type
    after = chance.choice(TYPES)
    for item in tensor_values(model):
        if item.type.tensor_type.elem_type == before:
            item.type.tensor_type.elem_type = after


def no_element_type(model: ModelProto, chance: random.Random) -> None:
    chance.choice(tensor_values(model)).type.tensor_type.ClearField("elem_type")


def unknown_element_type(model: ModelProto, chance: random.Random) -> None:
    chance.choice(tensor_values(model)).type.tensor_type.elem_type = chance.choice((60, 99))


def no_shape(model: ModelProto, chance: random.Random) -> None:
    chance.choice(tensor_values(model)).type.tensor_type.ClearField("shape")


def no_type(model: ModelProto, chance: random.Random) -> None:
    chance.choice((*model.graph.input, *model.graph.output)).ClearField("type")


def no_value_name(model: ModelProto, chance: random.Random) -> None:
    chance.choice((*model.graph.input, *model.graph.output)).ClearField("name")


def stated_within(model: ModelProto, chance: random.Random) -> None:
    """State the type of a tensor between nodes, perhaps wrongly."""
    name = chance.choice([name for node in model.graph.node for name in node.output if name])
    model.graph.value_info.append(helper.make_tensor_value_info(name, chance.choice(TYPES[:13]), None))


def input_twice(model: ModelProto, chance: random.Random) -> None:
    model.graph.input.append(chance.choice(model.graph.input))


def graph_output_twice(model: ModelProto, chance: random.Random) -> None:
    model.graph.output.append(chance.choice(model.graph.output))


def unknown_graph_output(model: ModelProto, chance: random.Random) -> None:
    model.graph.output.append(helper.make_tensor_value_info("nowhere", chance.choice((1, 7)), [1]))


def no_graph_name(model: ModelProto, chance: random.Random) -> None:  # noqa: ARG001
    model.graph.ClearField("name")


def no_graph(model: ModelProto, chance: random.Random) -> None:  # noqa: ARG001
    model.ClearField("graph")


def no_outputs(model: ModelProto, chance: random.Random) -> None:  # noqa: ARG001
    del model.graph.output[:]


def same_node_names(model: ModelProto, chance: random.Random) -> None:
    before = chance.choice(model.graph.output)
    model.graph.node.append(helper.make_node("Identity", [before.name], ["again"], name="same"))
    for node in model.graph.node:
        node.name = "same"


def metadata_twice(model: ModelProto, chance: random.Random) -> None:
    for _ in range(2):
        model.metadata_props.add(key="k", value=chance.choice("ab"))


def with_weight(model: ModelProto, chance: random.Random) -> TensorProto:
    """Give one input of the graph a value, and return that."""
    weight = chance.choice(tensor_values(model))
    if weight not in list(model.graph.input) or weight.type.tensor_type.elem_type not in (1, 6, 7, 9, 11):
        raise LookupError
    dims = [max(item.dim_value, 1) for item in weight.type.tensor_type.shape.dim]
    size = 1
    for item in dims:
        size *= item
    if size > 1000:
        raise LookupError
    weight = helper.make_tensor(weight.name, weight.type.tensor_type.elem_type, dims, [1] * size)
    model.graph.initializer.append(weight)
    return model.graph.initializer[-1]


def weight(model: ModelProto, chance: random.Random) -> None:
    weight = with_weight(model, chance)
    if chance.random() < 0.5:
        model.graph.input.remove(next(item for item in model.graph.input if item.name == weight.name))


def weight_twice(model: ModelProto, chance: random.Random) -> None:
    model.graph.initializer.append(with_weight(model, chance))


def retyped_weight(model: ModelProto, chance: random.Random) -> None:
    weight = with_weight(model, chance)
    kind = chance.choice([code for code in (1, 6, 7, 9, 11) if code != weight.data_type])
    size = max(len(weight.float_data), len(weight.int64_data), len(weight.int32_data), len(weight.double_data))
    weight.CopyFrom(helper.make_tensor(weight.name, kind, list(weight.dims), [1] * size))


def reshaped_weight(model: ModelProto, chance: random.Random) -> None:
    weight = with_weight(model, chance)
    size = max(len(weight.float_data), len(weight.int64_data), len(weight.int32_data), len(weight.double_data))
    dims = chance.choice(([*weight.dims, 1], [size], [size, 1, 1]))
    weight.CopyFrom(helper.make_tensor(weight.name, weight.data_type, dims, [1] * size))


def weight_without_name(model: ModelProto, chance: random.Random) -> None:
    with_weight(model, chance).ClearField("name")


def weight_without_type(model: ModelProto, chance: random.Random) -> None:
    with_weight(model, chance).ClearField("data_type")


def weight_without_data(model: ModelProto, chance: random.Random) -> None:
    weight = with_weight(model, chance)
    weight.CopyFrom(TensorProto(name=weight.name, data_type=weight.data_type, dims=weight.dims))


def weight_is_also_made(model: ModelProto, chance: random.Random) -> None:
    name = chance.choice([name for node in model.graph.node for name in node.output if name])
    model.graph.initializer.append(helper.make_tensor(name, 1, [1], [1.0]))


def out_of_order(model: ModelProto, chance: random.Random) -> None:
    """Put a node that takes an output of another before that."""
    value = chance.choice([item for item in model.graph.output if item.name])
    model.graph.node.insert(0, helper.make_node("Identity", [value.name], ["before"]))
    model.graph.output.append(onnx.ValueInfoProto(name="before", type=value.type))


def cycle(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    node.input[chance.choice(range(len(node.input)))] = node.output[0]


def dead_node(model: ModelProto, chance: random.Random) -> None:
    """Add a node whose output nothing uses, of an op that may be unknown."""
    value = chance.choice(model.graph.input)
    op = chance.choice(("Identity", "Identity", "Nothing"))
    model.graph.node.append(helper.make_node(op, [value.name], ["dead"]))


def reversed_nodes(model: ModelProto, chance: random.Random) -> None:  # noqa: ARG001
    if len(model.graph.node) < 2:
        raise LookupError
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def as_function(model: ModelProto, chance: random.Random, **changes: object) -> onnx.FunctionProto:
    """Move a node into a function of the model."""
    node = some_node(model, chance)
    if any(item.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS) for item in node.attribute):
        raise LookupError
    inner = copy.deepcopy(node)
    function = onnx.FunctionProto(name="F", domain="my.functions")
    function.input.extend(dict.fromkeys(item for item in node.input if item))
    function.output.extend(dict.fromkeys(item for item in node.output if item))
    function.node.append(inner)
    function.opset_import.extend(model.opset_import)
    call = onnx.NodeProto(op_type="F", domain="my.functions", input=function.input, output=function.output)
    node.CopyFrom(call)
    model.functions.append(function)
    if changes.get("is_imported", True):
        model.opset_import.add(domain="my.functions", version=1)
    model.ir_version = max(model.ir_version, 8)
    return model.functions[-1]


def function(model: ModelProto, chance: random.Random) -> None:
    as_function(model, chance)


def function_of_old_ir(model: ModelProto, chance: random.Random) -> None:
    as_function(model, chance)
    model.ir_version = 7


def function_not_imported(model: ModelProto, chance: random.Random) -> None:
    as_function(model, chance, is_imported=False)


def function_of_changed_opset(model: ModelProto, chance: random.Random) -> None:
    function = as_function(model, chance)
    for item in function.opset_import:
        item.version = chance.choice(OPSETS)


def function_without_imports(model: ModelProto, chance: random.Random) -> None:
    del as_function(model, chance).opset_import[:]


def function_without_name(model: ModelProto, chance: random.Random) -> None:
    as_function(model, chance).ClearField(chance.choice(("name", "domain")))


def function_of_fewer_inputs(model: ModelProto, chance: random.Random) -> None:
    function = as_function(model, chance)
    function.input.remove(chance.choice(function.input))


def function_output_unknown(model: ModelProto, chance: random.Random) -> None:
    as_function(model, chance).output.append("nowhere")


def function_call_of_more_inputs(model: ModelProto, chance: random.Random) -> None:
    as_function(model, chance)
    call = next(item for item in model.graph.node if item.op_type == "F")
    call.input.append(call.input[0])


def function_call_with_attribute(model: ModelProto, chance: random.Random) -> None:
    attribute = as_function(model, chance)
    call = next(item for item in model.graph.node if item.op_type == "F")
    call.attribute.append(helper.make_attribute("alpha", 1.0))
    if chance.random() < 0.5:
        attribute.attribute.append("alpha")


def function_unused(model: ModelProto, chance: random.Random) -> None:
    """Add a function that nothing calls, of an op that is known or not."""
    op = chance.choice(("Identity", "Nothing"))
    made = helper.make_function(
        "my.functions", "Unused", ["x"], ["y"], [helper.make_node(op, ["x"], ["y"])], list(model.opset_import)
    )
    model.functions.append(made)
    if chance.random() < 0.5:
        model.opset_import.add(domain="my.functions", version=1)
    model.ir_version = max(model.ir_version, 8)


def function_twice(model: ModelProto, chance: random.Random) -> None:
    model.functions.append(as_function(model, chance))


def function_shadows_op(model: ModelProto, chance: random.Random) -> None:
    node = some_node(model, chance)
    body = [helper.make_node("Identity", ["x"], ["y"])]
    made = helper.make_function(node.domain, node.op_type, ["x"], ["y"], body, list(model.opset_import))
    model.functions.append(made)
    model.ir_version = max(model.ir_version, 8)


def function_recursive(model: ModelProto, chance: random.Random) -> None:
    function = as_function(model, chance)
    function.node.append(onnx.NodeProto(op_type="F", domain="my.functions", input=function.input, output=["other"]))
    function.opset_import.add(domain="my.functions", version=1)


def in_branch(model: ModelProto, chance: random.Random) -> tuple[onnx.GraphProto, onnx.NodeProto]:
    """Move a node into both branches of an If, and return the first one."""
    node = some_node(model, chance)
    inner = copy.deepcopy(node)
    names = [item for item in node.output if item]
    types = {item.name: item.type for item in (*model.graph.output, *model.graph.value_info)}
    if not names or any(name not in types for name in names):
        raise LookupError
    renamed = {name: f"{name}_inside" for name in names}
    inner.output[:] = [renamed.get(item, item) for item in inner.output]
    outputs = [onnx.ValueInfoProto(name=renamed[name], type=types[name]) for name in names]
    branch = onnx.GraphProto(name="branch", node=[inner], output=outputs)
    made = helper.make_node(
        "If", ["condition"], names, name="if", then_branch=branch, else_branch=copy.deepcopy(branch)
    )
    node.CopyFrom(made)
    model.graph.input.append(helper.make_tensor_value_info("condition", TensorProto.BOOL, []))
    return next(item.g for item in node.attribute if item.name == "then_branch"), node


def branch(model: ModelProto, chance: random.Random) -> None:
    in_branch(model, chance)


def branch_without_types(model: ModelProto, chance: random.Random) -> None:
    branch, _ = in_branch(model, chance)
    for item in branch.output:
        item.ClearField("type")


def retyped_branch(model: ModelProto, chance: random.Random) -> None:
    branch, _ = in_branch(model, chance)
    chance.choice([item for item in branch.output if item.type.HasField("tensor_type")]).type.tensor_type.elem_type = 10


def branch_with_dangling(model: ModelProto, chance: random.Random) -> None:
    branch, _ = in_branch(model, chance)
    branch.node[0].input[0] = "nowhere"


def branch_shadows(model: ModelProto, chance: random.Random) -> None:
    """Give an output of a node in a branch the name of an input of the graph around."""
    branch, _ = in_branch(model, chance)
    name = model.graph.input[0].name
    branch.node.append(helper.make_node("Identity", ["condition"], [name]))


def branch_without_name(model: ModelProto, chance: random.Random) -> None:
    branch, _ = in_branch(model, chance)
    branch.ClearField("name")


def branch_out_of_order(model: ModelProto, chance: random.Random) -> None:
    branch, _ = in_branch(model, chance)
    branch.node.insert(0, helper.make_node("Identity", [branch.output[0].name], ["before"]))


def branch_with_unknown_op(model: ModelProto, chance: random.Random) -> None:
    branch, _ = in_branch(model, chance)
    branch.node[0].op_type = "Nothing"


def branch_missing(model: ModelProto, chance: random.Random) -> None:
    _, node = in_branch(model, chance)
    del node.attribute[1:]


def training_info(model: ModelProto, chance: random.Random) -> None:
    made = model.training_info.add()
    made.algorithm.CopyFrom(model.graph)
    made.algorithm.name = "algorithm"
    made.algorithm.node[0].op_type = chance.choice(("Nothing", made.algorithm.node[0].op_type))


def chain(model: ModelProto, chance: random.Random) -> None:
    """Hand an output of the graph on by nodes whose types nothing states."""
    value = chance.choice(model.graph.output)
    first, second = chance.choice(("Identity", "Relu", "Abs", "Neg")), chance.choice(("Identity", "Cast", "Shape"))
    last = helper.make_node(second, ["between"], ["end"])
    if second == "Cast":
        last.attribute.append(helper.make_attribute("to", chance.choice(TYPES)))
    model.graph.node.extend([helper.make_node(first, [value.name], ["between"]), last])
    model.graph.output.append(onnx.ValueInfoProto(name="end"))


def cast_to(model: ModelProto, chance: random.Random) -> None:
    """Cast a tensor to some type, and that to float."""
    imported = chance.choice(tensor_values(model))
    kind = chance.choice(TYPES)
    model.graph.node.extend(
        [
            helper.make_node("Cast", [imported.name], ["between"], to=kind),
            helper.make_node("Cast", ["between"], ["end"], to=TensorProto.FLOAT),
        ]
    )
    model.graph.output.append(helper.make_tensor_value_info("end", TensorProto.FLOAT, None))
    default_import(model).version = chance.choice((9, 13, 19, 21, 22))


def constant(model: ModelProto, chance: random.Random) -> None:
    name, value = chance.choice([*CONSTANTS.items(), ("value", helper.make_tensor("t", TensorProto.INT64, [1], [1]))])
    made = helper.make_node("Constant", [], ["constant"])
    made.attribute.append(helper.make_attribute(name, value))
    model.graph.node.insert(0, made)
    default_import(model).version = chance.choice((1, 9, 10, 11, 12, 13, 19, 21, default_import(model).version))


def empty_sequence(model: ModelProto, chance: random.Random) -> None:
    kind = chance.choice(TYPES[:16])
    made = helper.make_node("SequenceEmpty", [], ["sequence"], **({"dtype": kind} if chance.random() < 0.8 else {}))
    model.graph.node.append(made)
    model.graph.node.append(helper.make_node("SequenceLength", ["sequence"], ["length"]))
    stated = helper.make_tensor_sequence_value_info("sequence", chance.choice((kind, kind, 7)), None)
    model.graph.output.append(stated)


def optional(model: ModelProto, chance: random.Random) -> None:
    kind = chance.choice(TYPES[:16])
    held = helper.make_tensor_type_proto(kind, None)
    if chance.random() < 0.5:
        held = helper.make_sequence_type_proto(held)
    made = helper.make_node("Optional", [], ["optional"], type=held)
    model.graph.node.append(made)
    stated = helper.make_optional_type_proto(held)
    model.graph.output.append(onnx.ValueInfoProto(name="optional", type=stated))


def type_attribute(model: ModelProto, chance: random.Random) -> None:
    """Add a node whose attribute states the type of its output, which is stated or not."""
    op, kind = chance.choice(("RandomNormal", "EyeLike", "RandomUniformLike", "Multinomial", "ConstantOfShape")), None
    attribute = chance.choice(tensor_values(model))
    made = helper.make_node(op, [] if op == "RandomNormal" else [attribute.name], ["made"])
    if op == "ConstantOfShape":
        made.attribute.append(
            helper.make_attribute("value", helper.make_tensor("t", chance.choice((1, 7, 9)), [1], [1]))
        )
    elif chance.random() < 0.7:
        kind = chance.choice(TYPES)
        made.attribute.append(helper.make_attribute("dtype", kind))
    if op == "RandomNormal":
        made.attribute.append(helper.make_attribute("shape", [2]))
    model.graph.node.append(made)
    model.graph.output.append(onnx.ValueInfoProto(name="made"))


MUTATIONS: dict[str, Mutation] = {
    item.__name__: item
    for item in (
        *(newer_opset, ir_version, no_ir_version, no_import, import_twice, import_by_name, node_domain_by_name),
        *(custom_domain, known_domain_not_imported, unused_import, unknown_op),
        *(unknown_attribute, missing_attribute, attribute_twice, retyped_attribute, attribute_type_contradicts),
        *(attribute_without_value, attribute_value, attribute_refers),
        *(fewer_inputs, more_inputs, empty_input, dangling_input, more_outputs, output_twice, empty_output),
        *(
            no_arguments,
            single_type,
            all_types,
            no_element_type,
            unknown_element_type,
            no_shape,
            no_type,
            no_value_name,
        ),
        *(stated_within, input_twice, graph_output_twice, unknown_graph_output, no_graph_name, no_graph, no_outputs),
        *(same_node_names, metadata_twice, weight, weight_twice, retyped_weight, reshaped_weight),
        *(weight_without_name, weight_without_type, weight_without_data, weight_is_also_made),
        *(out_of_order, cycle, dead_node, reversed_nodes),
        *(function, function_of_old_ir, function_not_imported, function_of_changed_opset, function_without_imports),
        *(function_without_name, function_of_fewer_inputs, function_output_unknown, function_call_of_more_inputs),
        *(function_call_with_attribute, function_unused, function_twice, function_shadows_op, function_recursive),
        *(branch, branch_without_types, retyped_branch, branch_with_dangling, branch_shadows),
        *(branch_without_name, branch_out_of_order, branch_with_unknown_op, branch_missing, training_info),
        *(chain, cast_to, constant, empty_sequence, optional, type_attribute),
    )
}


if __name__ == "__main__":
    main(*sys.argv[1:])
