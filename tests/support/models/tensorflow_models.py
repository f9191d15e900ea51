"""Builds graphs and saved models of TensorFlow without TensorFlow, and the specs that they are checked against."""

from __future__ import annotations

import struct

from google.protobuf import text_format

from opspec_lint.frameworks.tensorflow.saved.checkpoints import crc32c, table
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.spec.model import GraphVersions
from opspec_lint.spec.notation import parse_spec

OPS = """\
Placeholder() -> (output: dtype) [dtype: type, shape: shape = "unknown"]
Const() -> (output: dtype) [value: tensor, dtype: type]
Add(x: T, y: T) -> (z: T) [T: type in ["float", "int32"]]
Pool(x: T) -> (y: T) [T: type = "float", k: int >= 1, mode: string in ["SAME", "VALID"] = "SAME", wide: bool = false]
Assign(ref: Ref(T), value: T) -> () [T: type]
Old(x: float) -> (y: float) deprecated "use Add" from 9
Pack(values: N * T) -> (output: T) [N: int >= 1, T: type]
PartitionedCall(args: Tin) -> (output: Tout) [Tin: list(type) >= 0, Tout: list(type) >= 0, f: func]
NoOp() -> ()
Halve(x: T) -> (low: T, high: T) [T: type]
VarHandleOp() -> (resource: resource) [shared_name: string = "", dtype: type, shape: shape]
RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: dtypes) [dtypes: list(type) >= 1]
Merge(inputs: N * T) -> (output: T) [T: type, N: int >= 1]
NextIteration(data: T) -> (output: T) [T: type]
InitializeTableFromTextFileV2(table: resource, filename: string) -> ()
"""
FLOAT, INT32, STRING = 1, 3, 7


def release(producer=1395, ops=OPS, min_producer=0):
    """Return the spec of a release that writes and reads graphs of a version."""
    spec = parse_spec(ops, framework="tensorflow", binding="signature")
    return spec.replace(graph_versions=GraphVersions(producer=producer, min_producer=min_producer))


def graph(*nodes, producer=1395, functions=(), **versions):
    """Return a GraphDef of nodes, each made by `node`."""
    made = message("GraphDef")(node=nodes)
    made.versions.producer = producer
    for name, value in versions.items():
        field = getattr(made.versions, name, None)
        if isinstance(value, list):
            field.extend(value)
        else:
            setattr(made.versions, name, value)
    made.library.function.extend(functions)
    return made


def node(name, op, *inputs, device="", **attrs):
    """Return a NodeDef; attrs are types by number for `T` and `dtype`, and else whatever fits the value."""
    made = message("NodeDef")(name=name, op=op, input=inputs, device=device)
    for key, value in attrs.items():
        into = made.attr[key]
        if callable(value):
            value(into)
        elif isinstance(value, bool):
            into.b = value
        elif isinstance(value, int) and key in ("T", "dtype"):
            into.type = value
        elif isinstance(value, int):
            into.i = value
        elif isinstance(value, float):
            into.f = value
        elif isinstance(value, str):
            into.s = value.encode()
        else:
            into.list.type.extend(value)
    return made


def placeholder(name="x", dtype=FLOAT, **attrs):
    """Return a node that feeds a tensor."""
    return node(name, "Placeholder", dtype=dtype, **attrs)


def calls(name):
    """Return a setter of an attr to a function."""

    def put(into):
        into.func.name = name

    return put


def strings(*texts):
    """Return a setter of an attr to a tensor of strings."""

    def put(into):
        into.tensor.dtype = STRING
        into.tensor.string_val.extend(text.encode() for text in texts)

    return put


def function(name, *nodes):
    """Return a function of nodes, without arguments."""
    made = message("FunctionDef")(node_def=nodes)
    made.signature.name = name
    return made


def write(path, made):
    """Write a message to a file, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.SerializeToString())
    return str(path)


def audited(path, loader, spec=None, **options):
    """Return the one audit of a model."""
    (result,) = audit(
        str(path), [("spec", release() if spec is None else spec)], [LOADERS.load(loader)], LoadOptions(**options)
    )
    return result


def imported(tmp_path, *nodes, spec=None, functions=(), options=None, **versions):
    """Return the audit of a GraphDef under `import_graph_def`."""
    path = write(tmp_path / "graph.pb", graph(*nodes, functions=functions, **versions))
    return audited(path, "import_graph_def", spec, **(options or {}))


def outcome(audit):
    """Return the verdict and the reason of an audit, and the rules of its findings."""
    return audit.verdict, audit.reason, [finding.rule for finding in audit.findings]


# Tables


def _varint(value):
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def block(*entries):
    """Return a block of a table: entries that share nothing, and one restart."""
    body = b"".join(_varint(0) + _varint(len(key)) + _varint(len(value)) + key + value for key, value in entries)
    return body + struct.pack("<II", 0, 1)


def sealed(data, kind=0):
    """Return a block with what stands behind it."""
    whole = data + bytes([kind])
    return whole + struct.pack("<I", crc32c.mask(crc32c.extend(0, whole)))


def snappy(data):
    """Return bytes in Snappy's raw format, as one literal."""
    return _varint(len(data)) + bytes([61 << 2]) + struct.pack("<H", len(data) - 1) + data


def table_of(*entries, is_compressed=False):
    """Return a table of one block of data."""
    data = sealed(snappy(block(*entries)), 1) if is_compressed else sealed(block(*entries))
    meta = sealed(block())
    handle = _varint(0) + _varint(len(data) - 5)
    index = sealed(block((b"\xff", handle)))
    at = len(data) + len(meta)
    handles = _varint(len(data)) + _varint(len(meta) - 5) + _varint(at) + _varint(len(index) - 5)
    return data + meta + index + handles.ljust(40, b"\0") + table.MAGIC


def string_tensor(value):
    """Return the bytes of a tensor of one short string in a checkpoint: its length, a checksum, and the text."""
    return _varint(len(value)) + bytes(4) + value


def bundle(prefix, tensors, shards=1, *, is_compressed=False):
    """Write a V2 checkpoint: tensors are name, type by number, shape and bytes."""
    prefix.parent.mkdir(parents=True, exist_ok=True)
    header = message("BundleHeaderProto")(num_shards=shards)
    header.version.producer = 1
    entries, data = [(b"", header.SerializeToString())], b""
    for name, dtype, shape, value in sorted(tensors):
        entry = message("BundleEntryProto")(dtype=dtype, offset=len(data), size=len(value))
        for size in shape:
            entry.shape.dim.add(size=size)
        entry.crc32c = crc32c.mask(crc32c.extend(0, value))
        entries.append((name.encode(), entry.SerializeToString()))
        data += value
    prefix.with_name(f"{prefix.name}.index").write_bytes(table_of(*entries, is_compressed=is_compressed))
    prefix.with_name(f"{prefix.name}.data-00000-of-00001").write_bytes(data)
    return str(prefix)


# SavedModels


def meta_graph(made, *tags, version="2.12.1", restores=(), ops=""):
    """Return a MetaGraphDef around a GraphDef; `restores` are the keys that it restores as floats, and
    `ops` is the text of its op list.
    """
    meta = message("MetaGraphDef")(graph_def=made)
    meta.meta_info_def.tags.extend(tags)
    meta.meta_info_def.tensorflow_version = version
    if restores:
        meta.graph_def.node.extend(
            [
                node("save/names", "Const", dtype=STRING, value=strings(*restores)),
                node("save/slices", "Const", dtype=STRING, value=strings(*([""] * len(restores)))),
                node("save/prefix", "Const", dtype=STRING, value=strings("model")),
                node(
                    "save/restore",
                    "RestoreV2",
                    *("save/prefix", "save/names", "save/slices"),
                    dtypes=[FLOAT] * len(restores),
                ),
            ]
        )
        meta.saver_def.restore_op_name = "save/restore"
        meta.saver_def.filename_tensor_name = "save/prefix:0"
    if ops:
        text_format.Parse(ops, meta.meta_info_def.stripped_op_list)
    return meta


def saved_model(folder, *metas):
    """Write the `saved_model.pb` of meta graphs, and return the folder."""
    write(folder / "saved_model.pb", message("SavedModel")(saved_model_schema_version=1, meta_graphs=metas))
    return folder
