"""Random changes of one fact in real specs, in every kind of file, and ways in which a fact can be missing.

A change is made in the document, not in the model: anything that a person, a merge or a script may do to a file.
"""

from __future__ import annotations

import copy
import json
from functools import cache

import yaml
from google.protobuf import json_format, text_format
from jsonschema import Draft202012Validator

from opspec_lint.documents.decode import decode
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.sources import recognise
from opspec_lint.spec import canonical, fields
from opspec_lint.spec.model import UNKNOWN
from tests.support.paths import SPECS
from tests.support.specimens import KINDS as OF_SPECS
from tests.support.specimens import of_kind

PADDLE = ("paddle-1.8.5", "paddle-2.6.2", "paddle-3.3.1")
TENSORFLOW = ("tensorflow-1.15.0", "tensorflow-2.18.1")
VALUES = {
    "flag": (True, False),
    "text": ("INT", "FLOAT", "other"),
    "name": ("x", None),
    "names": (["x"], []),
    "integer": (1, None),
    "number": (1.0, 2, None),
    "value": (0, 1, 0.0, -0.0, True, "", "x", [], [1], None, {"float": "NaN"}),
    "values": ([1], ["a", "b"], [], None, {"a": 1}, {"a": ["x"]}, {"a": ["x", "y"]}),
    "condition": ([["a"]], [["a"], ["b", "c"]], None),
}


def values_of(field):
    """Return values of a field that differ, of those that its schema accepts."""
    validator = Draft202012Validator(field.schema)
    return [value for value in VALUES[field.form] if not field.schema or validator.is_valid(value)]


KINDS = ("canonical JSON", "canonical YAML", "print_op_desc JSON", "print_op_desc YAML")
OP_LISTS = ("OpList JSON", "OpList text", "OpList binary")


@cache
def released(name):
    """Return a released spec, decoded, and read."""
    data = (SPECS / f"{name}.json").read_bytes()
    return json.loads(data), recognise.spec_of(decode(data, name))


def document(rng, kind):
    """Return a small document of a kind: some real ops of a release, with all facts that their file states."""
    if kind in OF_SPECS:
        return _part(rng, rng.choice(of_kind(kind)))
    framework = PADDLE if kind.startswith("print") else TENSORFLOW if kind in OP_LISTS else PADDLE + TENSORFLOW
    name = rng.choice(framework)
    value, spec = released(name)
    chosen = sorted(rng.sample(sorted(value["ops"]), 4) + [op for op in with_more(name) if rng.random() < 0.5])
    ops = {op: spec.ops[op] for op in chosen}
    if kind.startswith("print"):
        return {op: raw(op_spec) for op, op_spec in ops.items()}
    earlier = {chosen[0]: (spec.ops[chosen[0]].replace(attrs=()),)} if name in TENSORFLOW else {}
    if kind in OP_LISTS:
        return message("OpList").FromString(op_lists.dump(spec.replace(ops=ops, earlier=earlier)))
    histories = spec.op_versions and {op: spec.op_versions[op] for op in chosen if op in spec.op_versions}
    cut = spec.replace(ops=ops, earlier=earlier, op_versions=histories) if histories != {} else spec.replace(ops=ops)
    return json.loads(canonical.dumps(cut))


def _part(rng, spec):
    """Return the document of a spec, or of some of its ops where there are many."""
    names = sorted(spec.ops)
    chosen = names if len(names) < 20 else rng.sample(names, 4)
    histories = spec.op_versions and {op: spec.op_versions[op] for op in chosen if op in spec.op_versions}
    return json.loads(canonical.dumps(spec.replace(ops={op: spec.ops[op] for op in chosen}, op_versions=histories)))


@cache
def with_more(name):
    """Return some ops for which a release states more than for most."""
    value, _ = released(name)
    histories = sorted(value.get("op_versions", {}))[:6]
    odd = [op for op, record in value["ops"].items() if record.keys() - {"inputs", "outputs", "attrs", "description"}]
    return [op for op in (*histories, *odd[:6]) if op in value["ops"]][:8]


def raw(op):
    """Return the record that print_op_desc writes for an op."""
    sections = {"Inputs": op.inputs, "Outputs": op.outputs, "Attrs": op.attrs}
    return {key: {argument.name: _raw_argument(argument) for argument in section} for key, section in sections.items()}


def _raw_argument(argument):
    names = ("duplicable", "dispensable", "intermediate", "extra", "quant", "generated", "default_value", "type")
    record = {name: argument.get(name) for name in names}
    if isinstance(record["type"], str):
        record["type"] = ATTR_TYPES.index(record["type"])
    return {name: value for name, value in record.items() if value is not UNKNOWN}


class _Plain(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Writes YAML without anchors."""

    def ignore_aliases(self, data):  # noqa: ARG002
        return True


def bytes_of(kind, document):
    """Return the bytes of a file of a kind."""
    if kind == "OpList binary":
        return document.SerializeToString(deterministic=True)
    if kind == "OpList text":
        return text_format.MessageToString(document).encode()
    if kind == "OpList JSON":
        return json_format.MessageToJson(document).encode()
    if kind.endswith("JSON") or kind in OF_SPECS:
        return json.dumps(document).encode()
    return yaml.dump(document, Dumper=_Plain, sort_keys=False).encode()


def spec_of(data):
    """Return the spec that the bytes of a file hold."""
    return recognise.spec_of(recognise.document_of(data, "spec"))


# --- documents in JSON and YAML


def mutated(rng, kind, document):
    """Return the bytes of a document in which one thing is another, and what was done."""
    if kind in OP_LISTS:
        return _mutated_message(rng, kind, document)
    if rng.random() < (0.2 if kind.endswith("YAML") else 0.02):
        return _cut(rng, bytes_of(kind, document))
    document = copy.deepcopy(document)
    done = rng.choice((_drop, _drop, _replace, _replace, _replace, _forget, _state, _state, _turn))(rng, document)
    return bytes_of(kind, document), done


def _cut(rng, data):
    at = rng.choice((rng.randrange(len(data)), rng.randrange(len(data) * 9 // 10, len(data)), len(data) - 1))
    return data[:at], ("cut", "file")


def _places(value, key="", inside="", depth=0):
    """Yield every member of a document: its container, its key, and what it is called."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in list(members):
        called = f"{inside}.{name}" if isinstance(value, dict) and depth in (0, 1) else inside
        yield value, name, (name if isinstance(name, str) else key)
        yield from _places(member, name if isinstance(name, str) else key, called, depth + 1)


def _place(rng, document):
    """Return a member; what is near the top is as likely as what is deep down."""
    places = list(_places(document))
    names = sorted({name for _, _, name in places})
    name = rng.choice(names) if rng.random() < 0.5 else rng.choice(places)[2]
    return rng.choice([place for place in places if place[2] == name])


def _drop(rng, document):
    container, key, name = _place(rng, document)
    del container[key]
    return "drop", name


def _replace(rng, document):
    container, key, name = _place(rng, document)
    container[key] = rng.choice(list(_others(container[key])))
    return "replace", name


_REPLACEMENTS = (
    *(("True", "1"), ("False", "True"), ("None", "3"), ("None, ", ""), ("float32", "int32"), ("float32", "float64")),
    *(("4", "5"), ("2", "None"), ("(", "["), (")", ",)"), ("]", ", 1]"), ('"a"', '"b"'), ('"a"', "1"), ("[]", "[...]")),
    *(("float32", "?"), ("float32[", "RaggedTensor(float32["), ("int", "uint"), ("Int32", "Int64"), ("ubyte", "byte")),
    *(("Float", "Double"), ("a.b", "b"), ("[", ""), ("Point", "Line"), ("1", "2"), ("INT", "FLOAT"), ("float", "half")),
)
"""Parts of texts, each with a replacement."""


def _others(value):
    """Yield values that are not the one that there is."""
    yield None
    if isinstance(value, bool):
        yield from (not value, int(value))
    elif isinstance(value, (int, float)):
        yield from (
            value + 1,
            -value,
            float(value),
            int(value) if value == value and abs(value) < 1e300 else 0,
            str(value),
        )
        yield from (-0.0, 0.0, {"float": "NaN"})
    elif isinstance(value, str):
        yield from (value + "x", "", value.upper(), [value], "INT", "int", "signature", "2020-01-01", "graph", "?")
        yield from (value.replace(old, new) for old, new in _REPLACEMENTS if old in value)
    elif isinstance(value, list):
        yield from (value[1:], value[:-1], [*value, *value[:1]], value[::-1], [*value, 1], [])
    elif isinstance(value, dict):
        yield from ({}, [], {**value, "x": 1}, dict(list(value.items())[1:]))
    else:
        yield from (0, 0.0, "", [], False, True)


def _turn(rng, document):
    """Let two members of one container change places, or one have the other's name."""
    container, key, name = _place(rng, document)
    if isinstance(container, list):
        target = rng.randrange(len(container))
        container[key], container[target] = container[target], container[key]
        return "turn", name
    target = rng.choice(list(container))
    if rng.random() < 0.5:
        container[key], container[target] = container[target], container[key]
    else:
        container[f"{key}x"] = container.pop(key)
    return "turn", name


def _things(document):
    """Yield the sections, and the things that hold fields, of a document in either form."""
    if "opspec" not in document:
        for op in document.values():
            for section, arguments in op.items():
                yield from ((section.lower(), argument) for argument in arguments.values())
        return
    for op in (
        *document["ops"].values(),
        *(version for some in document.get("earlier", {}).values() for version in some),
    ):
        yield "ops", op
        for section in ("inputs", "outputs", "attrs"):
            yield from ((section, argument) for argument in op.get(section, ()))


def _fields(framework, section):
    """Return the fields of a section; if the framework has no such section, the fields of all frameworks."""
    return list(
        fields.field_table(framework).fields_of(section).values()
        or fields.field_table_of_all_frameworks().fields_of(section).values()
    )


def _state(rng, document):
    """Set a field of a thing, stated or not, to a random value."""
    section, thing = rng.choice(list(_things(document)) or [("ops", {})])
    framework = document["provenance"]["framework"] if "opspec" in document else "paddle"
    field = rng.choice(_fields(framework, section))
    thing[field.name] = rng.choice(VALUES[field.form])
    return "say", f"{section}.{field.name}"


def _forget(rng, document):
    """Let a fact be unknown in one of the ways in which that can be said."""
    if "opspec" not in document:
        section, thing = rng.choice([item for item in _things(document) if item[1]] or [("ops", {"x": 1})])
        field = rng.choice(list(thing))
        del thing[field]
        return "forget", f"{section}.{field}"
    section, thing = rng.choice(list(_things(document)) or [("ops", {})])
    if rng.random() < 0.3:
        known = document["knows"].get(section)
        if known:
            return "know less", f"{section}.{known.pop(rng.randrange(len(known)))}"
    framework = document["provenance"]["framework"]
    field = rng.choice(document["knows"].get(section) or [item.name for item in _fields(framework, section)])
    thing.pop(field, None)
    thing["unknown"] = [*thing.get("unknown", ()), field]
    return "forget", f"{section}.{field}"


# --- messages


def _mutated_message(rng, kind, document):
    changed = type(document)()
    changed.CopyFrom(document)
    if rng.random() < (0.2 if kind.endswith("text") else 0.02):
        return _cut(rng, bytes_of(kind, document))
    holder, path = changed, []
    while True:
        field = rng.choice([descriptor for descriptor in holder.DESCRIPTOR.fields if path or descriptor.name == "op"])
        path.append(field.name)
        inner = _inner(rng, holder, field) if field.message_type else None
        if inner is None or rng.random() < 0.1 * (len(path) > 1):
            break
        holder = inner
    done = _change_field(rng, holder, field)
    return bytes_of(kind, changed), (done, ".".join(path))


def _inner(rng, holder, field):
    """Return one of the messages that a field holds, None where it holds none."""
    value = getattr(holder, field.name)
    if _is_repeated(field):
        return value[rng.randrange(len(value))] if value else None
    return value if holder.HasField(field.name) else None


def _is_repeated(field):
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED


def _change_field(rng, holder, field):
    """Clear, set or change a field of a message; return which."""
    if _is_repeated(field):
        return _change_list(rng, getattr(holder, field.name), field)
    if field.message_type:
        if holder.HasField(field.name):
            holder.ClearField(field.name)
            return "clear"
        getattr(holder, field.name).SetInParent()
        return "set"
    if rng.random() < 0.3:
        holder.ClearField(field.name)
        return "clear"
    setattr(holder, field.name, _scalar(rng, field))
    return "replace"


def _change_list(rng, items, field):
    if items and rng.random() < 0.5:
        if rng.random() < 0.2:
            del items[:]
            return "clear"
        del items[rng.randrange(len(items))]
        return "drop"
    if not field.message_type:
        items.append(_scalar(rng, field))
    elif items:
        items.add().CopyFrom(items[rng.randrange(len(items) - 1)] if len(items) > 1 else items[0])
    else:
        items.add()
    return "add"


def _scalar(rng, field):
    kinds = {field.CPPTYPE_STRING: (b"x", b"y") if field.type == field.TYPE_BYTES else ("x", "int", "T", "")}
    kinds |= {
        field.CPPTYPE_BOOL: (True, False),
        field.CPPTYPE_ENUM: tuple(value.number for value in field.enum_type.values) if field.enum_type else (),
    }
    kinds |= dict.fromkeys((field.CPPTYPE_FLOAT, field.CPPTYPE_DOUBLE), (0.0, -0.0, 1.5))
    return rng.choice(kinds.get(field.cpp_type, (0, 1, 2)))
