from __future__ import annotations

import os
import struct

import pytest

from opspec_lint.models.recognise import read_model
from tests.support.models.tensorflow_models import (
    FLOAT,
    INT32,
    OPS,
    STRING,
    audited,
    bundle,
    function,
    graph,
    message,
    meta_graph,
    node,
    outcome,
    placeholder,
    release,
    saved_model,
    table_of,
    write,
)

V1, V2, META, CHECKPOINT = (
    *("v1.saved_model.loader.load", "saved_model.load"),
    *("v1.train.import_meta_graph", "train.load_checkpoint"),
)
SHARD = "variables/variables.data-00000-of-00001"
OLD = release(producer=561)
X = placeholder()
W = ("w", FLOAT, [2], struct.pack("<2f", 1, 2))
both = pytest.mark.parametrize("loader", [V1, V2])


def of_session(folder, *tags, nodes=(X,), restores=("w",), tensors=(W,), **more):
    """A SavedModel of TensorFlow 1, with its variables."""
    saved_model(folder, meta_graph(graph(*nodes), *(tags or ["serve"]), restores=restores, **more))
    if tensors is not None:
        bundle(folder / "variables" / "variables", tensors)
    return folder


@both
def test_a_whole_model_loads(tmp_path, loader):
    assert outcome(audited(of_session(tmp_path), loader)) == ("loads", None, [])


@both
@pytest.mark.parametrize(
    ("tags", "expected"), [(("serve",), "loads"), (("train",), "refused"), (("serve", "gpu"), "refused")]
)
def test_tags_have_to_be_the_same_set(tmp_path, loader, tags, expected):
    assert audited(of_session(tmp_path), loader, tags=tags).verdict == expected


def test_of_several_meta_graphs_one_has_to_be_named(tmp_path):
    metas = [meta_graph(graph(X), "train"), meta_graph(graph(X), "serve")]
    folder = saved_model(tmp_path, *metas)
    assert outcome(audited(folder, V2)) == ("refused", "tags", ["model_tags"])
    assert audited(folder, V2, tags=("train",)).verdict == "loads"
    assert audited(folder, V1).verdict == "loads"


@both
def test_a_model_without_meta_graphs_is_refused(tmp_path, loader):
    assert outcome(audited(saved_model(tmp_path), loader)) == ("refused", "tags", ["model_tags"])


@both
def test_its_own_op_list_strips_unknown_attrs(tmp_path, loader):
    nodes = [X, node("y", "Pool", "x", T=FLOAT, k=1, extra=True)]
    ops = 'op { name: "Pool" attr { name: "extra" type: "bool" default_value { b: true } } }'
    assert audited(of_session(tmp_path / "a", nodes=nodes, ops=ops), loader, OLD).verdict == "loads"
    assert audited(of_session(tmp_path / "b", nodes=nodes), loader, OLD).reason == "unknown_attr"


@both
@pytest.mark.parametrize(
    ("tensors", "reason"),
    [
        (None, "checkpoint_missing"),
        ([("v", FLOAT, [2], bytes(8))], "checkpoint_key"),
        ([("w", INT32, [2], bytes(8))], "checkpoint_dtype"),
        ([W, ("v", FLOAT, [2], bytes(8))], None),
    ],
)
def test_variables_have_to_be_in_the_checkpoint(tmp_path, loader, tensors, reason):
    result = audited(of_session(tmp_path, tensors=tensors), loader)
    assert (result.verdict, result.reason) == ("loads" if reason is None else "refused", reason)


def shape(size):
    def put(into):
        into.shape.dim.add(size=size)

    return put


@both
@pytest.mark.parametrize(("size", "verdict"), [(2, "loads"), (3, "fails_at_run")])
def test_a_variable_of_another_shape_fails_when_a_session_uses_it(tmp_path, loader, size, verdict):
    nodes = [X, node("w", "VarHandleOp", dtype=FLOAT, shape=shape(size))]
    assert audited(of_session(tmp_path, nodes=nodes), loader).verdict == verdict


def damage(path, how):
    data = path.read_bytes()
    path.write_bytes(how(data))


@both
@pytest.mark.parametrize(
    ("file", "how", "reason"),
    [
        ("variables.index", lambda data: data[:-9], "checkpoint_corrupt"),
        ("variables.index", lambda data: data[:-1] + b"x", "checkpoint_corrupt"),
        ("variables.index", lambda data: b"\xff" + data[1:], "checkpoint_corrupt"),
        ("variables.index", lambda data: data[:0], "checkpoint_corrupt"),
        ("variables.data-00000-of-00001", lambda data: data[:-1], "checkpoint_corrupt"),
        ("variables.data-00000-of-00001", None, "checkpoint_missing"),
    ],
)
def test_a_damaged_checkpoint_is_refused(tmp_path, loader, file, how, reason):
    folder = of_session(tmp_path)
    path = folder / "variables" / file
    path.unlink() if how is None else damage(path, how)
    result = audited(folder, loader)
    assert (result.verdict, result.reason) == ("refused", reason)


@both
def test_a_checkpoint_may_be_compressed(tmp_path, loader):
    folder = of_session(tmp_path)
    bundle(folder / "variables" / "variables", [W], is_compressed=True)
    assert audited(folder, loader).verdict == "loads"
    bundle(folder / "variables" / "variables", [("v", FLOAT, [2], bytes(8))], is_compressed=True)
    assert audited(folder, loader).reason == "checkpoint_key"


@both
def test_only_checksums_read_the_weights(tmp_path, loader):
    folder = of_session(tmp_path)
    damage(folder / "variables" / "variables.data-00000-of-00001", lambda data: b"\x01" + data[1:])
    assert audited(folder, loader).verdict == "loads"
    report = audited(folder, loader, checksums=True)
    assert outcome(report) == ("refused", "checkpoint_corrupt", ["model_checkpoint_corrupt"])
    assert report.findings[0].name == "w"


def with_asset(folder, name="words.txt", text="a", **more):
    meta = meta_graph(graph(X, node("t", "InitializeTableFromTextFileV2", "x", "x")), "serve", **more)
    meta.asset_file_def.add(filename=name).tensor_info.name = "x:0"
    saved_model(folder, meta)
    if text is not None:
        (folder / "assets").mkdir()
        (folder / "assets" / "words.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("how", "fact"),
    [
        ({}, None),
        ({"text": None}, "is not there"),
        ({"text": ""}, "is empty"),
        ({"name": "others.txt"}, "is not there"),
        ({"name": "../../etc/passwd"}, "is outside the model's folder"),
    ],
)
def test_assets(tmp_path, how, fact):
    rules = ("model_asset", "model_not_judged")
    reported_for = [
        finding.message for finding in audited(with_asset(tmp_path, **how), V1).findings if finding.rule in rules
    ]
    assert [fact in message for message in reported_for] == ([] if fact is None else [True])


@both
@pytest.mark.parametrize(("op", "verdict"), [("NoOp", "loads"), ("ReadFile", "fails_at_run")])
def test_an_asset_that_no_table_is_filled_from(tmp_path, loader, op, verdict):
    meta = meta_graph(graph(X, node("r", op)), "serve")
    meta.asset_file_def.add(filename="words.txt").tensor_info.name = "x:0"
    spec = release(ops=OPS + "ReadFile() -> ()\n")
    assert audited(saved_model(tmp_path, meta), loader, spec).verdict == verdict


def test_an_asset_is_not_followed_out_of_its_folder(tmp_path):
    folder = with_asset(tmp_path / "model")
    path = folder / "assets" / "words.txt"
    path.unlink()
    os.symlink("/etc/hostname", path)
    assert "outside" in next(
        finding.message for finding in audited(folder, V1).findings if finding.rule == "model_not_judged"
    )


REFERENCES = OPS + "VariableV2() -> (ref: Ref(dtype)) [dtype: type]\nRead(ref: Ref(T)) -> (value: T) [T: type]\n"


@pytest.mark.parametrize(
    ("output", "verdicts"), [("v:0", ("loads", "refused")), ("r:0", ("loads", "loads")), ("r", ("loads", "loads"))]
)
def test_no_function_returns_a_reference(tmp_path, output, verdicts):
    meta = meta_graph(graph(node("v", "VariableV2", dtype=FLOAT), node("r", "Read", "v", T=FLOAT)), "serve")
    meta.signature_def["count"].outputs["n"].name = output
    folder = saved_model(tmp_path, meta)
    audits = [audited(folder, loader, release(ops=REFERENCES)) for loader in (V1, V2)]
    assert tuple(audit.verdict for audit in audits) == verdicts
    assert audits[1].reason == ("signature_reference" if verdicts[1] == "refused" else None)


RANKED = OPS + "MatMul(a: float, b: float) -> (product: float)\nRelu(x: float) -> (y: float)\n"


# Measured with TensorFlow 2.4.4 and 2.18.1, as the signatures and nodes are here.
@pytest.mark.parametrize(
    ("producer", "signatures", "refused"),
    [
        (8, {"s": ("x", "y")}, "'o'"),  # Old is removed since graph version 9
        (9, {"s": ("x", "y")}, None),  # refused when it is imported already
        (8, {"s": ("o", "y")}, None),  # an input is not created again
        (8, {"s": ("z", "y")}, "'o'"),  # what is behind an input is created
        (8, {"s": ("x", "m")}, None),
        (8, {"s": ("m", "r")}, None),
        (8, {"s": ("z", "c")}, "'m'"),  # a control input is created too; its placeholder is a scalar by now
        (8, {"s": ("x", "c")}, None),  # the placeholder is an input, and keeps its unknown shape
        (8, {}, None),
    ],
)
def test_nodes_of_a_signature_are_created_for_the_graph_version_of_the_release(tmp_path, producer, signatures, refused):
    nodes = [
        placeholder("x", shape=lambda attr: attr.shape.SetInParent()),
        node("o", "Old", "x"),
        node("z", "Relu", "o"),
        node("y", "Relu", "z"),
        node("m", "MatMul", "x", "x"),
        node("r", "Relu", "m"),
        node("c", "Relu", "x", "^m"),
    ]
    meta = meta_graph(graph(*nodes, producer=producer), "serve")
    for key, (given, result) in signatures.items():
        meta.signature_def[key].inputs["given"].name = f"{given}:0"
        meta.signature_def[key].outputs["result"].name = f"{result}:0"
    folder = saved_model(tmp_path, meta)
    of_session, of_objects = (audited(folder, loader, release(ops=RANKED)) for loader in (V1, V2))
    created = [finding.message for finding in of_objects.findings if finding.rule == "model_signature"]
    assert [refused in message for message in created] == ([] if refused is None else [True])
    assert of_session.verdict == ("refused" if producer == 9 else "loads")
    assert of_objects.verdict == ("refused" if producer == 9 or refused else "loads")


@pytest.mark.parametrize("loader", [V1, V2, META])
@pytest.mark.parametrize(
    ("text", "of_2_8", "of_2_12"),
    [
        ("0.12.head", True, False),
        ("1.8.0-head", True, False),
        ("unknown", False, False),
        ("1-9", False, True),
        ("2.5.0-dev20210101", True, True),
        ("1.15.0-rc2", True, True),
        ("", True, True),
    ],
)
def test_the_release_compares_the_version_that_a_graph_names(tmp_path, loader, text, of_2_8, of_2_12):
    meta = meta_graph(graph(X), "serve", version=text)
    path = write(tmp_path / "net.meta", meta) if loader == META else saved_model(tmp_path, meta)
    for producer, is_read in ((987, of_2_8), (1395, of_2_12)):
        audit = audited(path, loader, release(producer=producer))
        assert (audit.verdict, audit.reason) == (("loads", None) if is_read else ("refused", "producer_version"))


def with_signature(folder, tensor):
    meta = meta_graph(graph(X), "serve")
    meta.signature_def["predict"].inputs["a"].name = tensor
    return saved_model(folder, meta)


@pytest.mark.parametrize(("loader", "verdict"), [(V1, "fails_at_run"), (V2, "refused")])
def test_a_signature_of_a_missing_tensor(tmp_path, loader, verdict):
    assert audited(with_signature(tmp_path / "a", "x:0"), loader).verdict == "loads"
    result = audited(with_signature(tmp_path / "b", "z:0"), loader)
    assert (result.verdict, result.reason) == (verdict, "signature_tensor")


@both
def test_a_signature_that_is_requested_has_to_be_there(tmp_path, loader):
    folder = with_signature(tmp_path, "x:0")
    assert audited(folder, loader, signature="predict").verdict == "loads"
    result = audited(folder, loader, signature="none")
    assert outcome(result) == ("refused", "signature", ["model_signature"])


# TensorFlow 2


def of_objects(folder, *functions, nodes=(X,), keys=("w/value",), has_graph=True, variable_shape=2):
    """A SavedModel of TensorFlow 2: a root with one variable, and its checkpoint."""
    meta = meta_graph(graph(*nodes, functions=functions), "serve")
    objects = meta.object_graph_def.nodes
    objects.add().children.add(node_id=1, local_name="w")
    objects[0].user_object.identifier = "_generic_user_object"
    variable = objects.add().variable
    variable.dtype = FLOAT
    variable.shape.dim.add(size=variable_shape)
    saved_model(folder, meta)
    saved = message("TrackableObjectGraph")()
    saved.nodes.add().children.add(node_id=1, local_name="w")
    saved.nodes.add().attributes.add(name="VARIABLE_VALUE", full_name="w", checkpoint_key="w/value")
    data = saved.SerializeToString()
    length = bytes([len(data)]) if len(data) < 128 else bytes([len(data) & 0x7F | 0x80, len(data) >> 7])
    tensors = [(key, FLOAT, [2], bytes(8)) for key in keys]
    if has_graph:
        tensors.append(("_CHECKPOINTABLE_OBJECT_GRAPH", STRING, [], length + bytes(4) + data))
    bundle(folder / "variables" / "variables", tensors)
    return folder


@pytest.mark.parametrize("linked", ["variables", "variables/variables.index", SHARD])
def test_variables_are_not_followed_out_of_the_folder(tmp_path, linked):
    folder = of_objects(tmp_path / "model")
    os.rename(folder / linked, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", folder / linked)
    report = audited(folder, V2)
    assert outcome(report) == ("cannot_tell", None, ["model_not_judged"])
    assert "is outside the model's folder, and is not read" in report.findings[0].message
    (remark,) = read_model(str(folder)).remarks
    assert "is outside the model's folder" in remark


UNKNOWN = node("n", "Nothing")


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({}, None),
        ({"nodes": [X, UNKNOWN]}, None),  # the main graph is not imported
        ({"keys": ["v/value"]}, "checkpoint_key"),
        ({"has_graph": False}, "object_graph"),
        ({"variable_shape": 3}, "checkpoint_shape"),
    ],
)
def test_objects(tmp_path, how, reason):
    result = audited(of_objects(tmp_path, **how), V2)
    assert (result.verdict, result.reason) == ("loads" if reason is None else "refused", reason)


def test_every_function_is_built_for_objects_and_only_what_is_reached_for_a_session(tmp_path):
    folder = of_objects(tmp_path, function("f", UNKNOWN))
    assert audited(folder, V2).reason == "unknown_op"
    assert audited(folder, V1).reason != "unknown_op"


def test_an_unknown_attr_in_a_function(tmp_path):
    folder = of_objects(tmp_path, function("f", node("n", "NoOp", extra=True)))
    assert audited(folder, V2, OLD).reason == "unknown_attr"
    assert audited(folder, V2).verdict == "loads"


def with_slots(folder, identifier):
    """The same with an optimizer whose slot belongs to the variable."""
    of_objects(folder)
    saved = message("SavedModel").FromString((folder / "saved_model.pb").read_bytes())
    objects = saved.meta_graphs[0].object_graph_def.nodes
    objects[0].children.add(node_id=2, local_name="adam")
    optimizer = objects.add()
    optimizer.user_object.identifier = identifier
    optimizer.slot_variables.add(original_variable_node_id=1, slot_name="m", slot_variable_node_id=3)
    slot = objects.add().variable
    slot.dtype = FLOAT
    slot.shape.dim.add(size=2)
    write(folder / "saved_model.pb", saved)
    return folder


@pytest.mark.parametrize(
    ("identifier", "version", "expected"),
    [
        ("optimizer", 134, "loads"),
        ("optimizer", 1395, "loads"),
        ("optimizer", 1645, "loads"),
        ("optimizer", 1700, "refused"),
        ("optimizer", 1994, "refused"),
        ("_generic_user_object", 1395, "refused"),
        ("_generic_user_object", 1994, "refused"),
    ],
)
def test_the_slots_of_an_optimizer_are_restored_by_keras_2_alone(tmp_path, identifier, version, expected):
    report = audited(with_slots(tmp_path, identifier), V2, release(producer=version))
    assert (report.verdict, report.reason) == (expected, None if expected == "loads" else "optimizer_slots")
    assert audited(tmp_path, V1, release(producer=version)).reason != "optimizer_slots"
    if expected == "refused":
        (finding,) = (finding for finding in report.findings if finding.level == "error")
        assert (finding.rule, finding.name) == ("model_optimizer_slots", "adam")
        assert ("TF_USE_LEGACY_KERAS=1" in finding.advice) is (identifier == "optimizer")


def test_the_slots_of_an_optimizer_under_a_release_that_imports_keras_late(tmp_path):
    report, by_keras = (
        audited(with_slots(tmp_path, "optimizer"), loader, release(producer=808)) for loader in (V2, KERAS)
    )
    assert (report.verdict, report.reason) == ("refused", "optimizer_slots")
    assert "before the model is loaded" in report.findings[0].advice
    assert by_keras.reason != "optimizer_slots"


def test_a_release_of_no_known_version_may_have_either_keras(tmp_path):
    spec = release().replace(graph_versions=None)
    audit = audited(with_slots(tmp_path, "optimizer"), V2, spec)
    assert audit.verdict == "cannot_tell"
    assert "tf.version.GRAPH_DEF_VERSION" in audit.findings[0].advice


def test_the_way_around_keras_3_is_one_that_loads(tmp_path):
    without = audited(of_keras(tmp_path / "a", "{}"), KERAS, release(producer=1994)).findings[0].advice
    slots = audited(with_slots(tmp_path / "b", "optimizer"), KERAS, release(producer=1994)).findings[0].advice
    assert ("tf.saved_model.load" in without, "tf.saved_model.load" in slots) == (True, False)
    assert "TF_USE_LEGACY_KERAS=1" in slots


def branches(*names):
    """Return a function that sets an attr to a list of functions."""

    def put(into):
        for name in names:
            into.list.func.add(name=name)

    return put


CASE = "Case(input: Tin) -> (output: Tout) [Tin: list(type) >= 0, Tout: list(type) >= 0, branches: list(func) >= 1]"


@pytest.mark.parametrize(("version", "reason"), [(134, "function_missing"), (561, None), (1994, None)])
def test_functions_of_a_list_are_not_detected_by_the_first_loader_of_objects(tmp_path, version, reason):
    case = node("c", "Case", Tin=[], Tout=[], branches=branches("one", "two"))
    folder = of_objects(tmp_path, function("f", case), function("one"), function("two"))
    report = audited(folder, V2, release(producer=version, ops=OPS + CASE + "\n"))
    assert report.reason == reason
    named = [finding.name for finding in report.findings if finding.rule == "model_function_missing"]
    assert named == (["one", "two"] if reason else [])


def test_a_session_without_a_saver_restores_no_variable(tmp_path):
    result = audited(of_objects(tmp_path), V1)
    assert outcome(result) == ("fails_at_run", "uninitialized", ["model_uninitialized"])


def initialized(collection=None):
    """Return a folder's maker: a model without variables, with an initializer in a collection or a signature."""

    def make(folder, placed):
        meta = meta_graph(graph(X, placed), "serve")
        if collection is None:
            meta.signature_def["__saved_model_init_op"].outputs["__saved_model_init_op"].name = "x:0"
        else:
            meta.collection_def[collection].node_list.value.append("x")
        return saved_model(folder, meta)

    return make


def without_saver(folder, placed):
    """A model whose variables have no saver: TensorFlow makes one."""
    meta = meta_graph(graph(X, placed), "serve")
    meta.collection_def["variables"].bytes_list.value.append(b"w")
    return saved_model(folder, meta)


def restored(folder, placed):
    return of_session(folder, nodes=(X, placed))


def imported_alone(folder, placed):
    return saved_model(folder, meta_graph(graph(X, placed), "serve"))


HARDWARE, ELSEWHERE = ("cannot_tell", None, ["model_not_judged"]), ("refused", "device", ["model_device"])
LOADS, FAILS = ("loads", None, []), ("fails_at_run", "device", ["model_device"])


@pytest.mark.parametrize(
    "make",
    [restored, without_saver, initialized(), initialized("saved_model_main_op"), initialized("legacy_init_op")],
)
@pytest.mark.parametrize(
    ("device", "expected"),
    [
        *((device, HARDWARE) for device in ("/device:GPU:0", "/gpu:0", "/device:GPU:*", "/device:TPU:0", "/cpu:1")),
        *((device, ELSEWHERE) for device in ("/job:worker/task:0", "/replica:1", "/task:1", "/job:w/device:GPU:0")),
        *((device, LOADS) for device in ("", "/cpu:0", "/job:localhost/replica:0/task:0/device:CPU:0", "/cpu:*")),
    ],
)
def test_loading_that_runs_a_session_places_every_node(tmp_path, make, device, expected):
    """Measured in 1.15.0 and 2.18.1, on a machine without a GPU."""
    assert outcome(audited(make(tmp_path, node("n", "NoOp", device=device)), V1)) == expected


@pytest.mark.parametrize(("device", "expected"), [("/device:GPU:0", LOADS), ("/replica:1", FAILS), ("/task:1", FAILS)])
@pytest.mark.parametrize(("make", "loader"), [(imported_alone, V1), (restored, V2)])
def test_loading_without_a_run_places_no_node(tmp_path, make, loader, device, expected):
    assert outcome(audited(make(tmp_path, node("n", "NoOp", device=device)), loader)) == expected


def test_a_checkpoint_next_to_a_meta_graph_is_restored_by_a_run(tmp_path):
    placed = node("n", "NoOp", device="/device:GPU:0")
    path = write(tmp_path / "model.meta", meta_graph(graph(X, placed), restores=["w"]))
    assert outcome(audited(path, META)) == LOADS
    bundle(tmp_path / "model", [W])
    assert outcome(audited(path, META)) == HARDWARE


def test_the_import_is_judged_before_the_run_and_a_device_once(tmp_path):
    places = [node(f"n{number}", "NoOp", device=device) for number, device in enumerate(("/task:1", "/gpu:0") * 2)]
    report = audited(of_session(tmp_path, nodes=(X, *places, UNKNOWN)), V1)
    assert [finding.rule for finding in report.findings] == ["model_op_unknown", "model_device", "model_not_judged"]
    assert "the node 'n1' is placed on '/gpu:0'" in report.findings[2].message


def test_versions_are_not_looked_at_for_objects(tmp_path):
    folder = of_objects(tmp_path)
    saved = message("SavedModel").FromString((folder / "saved_model.pb").read_bytes())
    saved.meta_graphs[0].graph_def.versions.min_consumer = 99999
    write(folder / "saved_model.pb", saved)
    assert audited(folder, V2).verdict == "loads"
    assert audited(folder, V1).reason == "min_consumer"


# Files


def test_the_binary_file_counts_where_both_are_there(tmp_path):
    folder = of_session(tmp_path)
    (folder / "saved_model.pbtxt").write_text("broken", encoding="utf-8")
    assert audited(folder, V1).verdict == "loads"


def test_the_file_may_lack_a_schema_version(tmp_path):
    """TensorFlow Hub writes none; the file then begins with the number of a GraphDef's library."""
    meta = meta_graph(graph(placeholder()), "serve")
    path = write(tmp_path / "saved_model.pb", message("SavedModel")(meta_graphs=[meta]))
    assert audited(path, V1).verdict == "loads"


@pytest.mark.parametrize(("data", "reason"), [(None, "no_model_file"), (b"\xff\xff", "parse")])
def test_a_folder_without_a_readable_model(tmp_path, data, reason):
    if data is not None:
        (tmp_path / "saved_model.pb").write_bytes(data)
    assert outcome(audited(tmp_path, V1))[:2] == ("unreadable", reason)


def test_text(tmp_path):
    of_session(tmp_path)
    saved = message("SavedModel").FromString((tmp_path / "saved_model.pb").read_bytes())
    (tmp_path / "saved_model.pb").unlink()
    (tmp_path / "saved_model.pbtxt").write_text(str(saved), encoding="utf-8")
    assert audited(tmp_path, V1).verdict == "loads"


@both
@pytest.mark.parametrize(("producer", "verdict"), [(134, "unreadable"), (561, "loads"), (1994, "loads")])
def test_a_text_with_a_field_that_an_older_release_does_not_know(tmp_path, loader, producer, verdict):
    """The loads are those that were measured with a model of 2.4.4 in 1.15.0, 2.4.4 and 2.18.1."""
    of_session(tmp_path)
    saved = message("SavedModel").FromString((tmp_path / "saved_model.pb").read_bytes())
    saved.meta_graphs[0].meta_info_def.function_aliases["a"] = "b"
    (tmp_path / "saved_model.pb").write_bytes(saved.SerializeToString())
    assert audited(tmp_path, loader, release(producer=producer)).verdict == "loads"
    (tmp_path / "saved_model.pb").unlink()
    (tmp_path / "saved_model.pbtxt").write_text(str(saved), encoding="utf-8")
    report = audited(tmp_path, loader, release(producer=producer))
    assert report.verdict == verdict
    assert ("function_aliases" in str(report.findings)) == (verdict == "unreadable")


def test_a_meta_graph_and_the_checkpoint_next_to_it(tmp_path):
    path = write(tmp_path / "model.meta", meta_graph(graph(X), restores=["w"]))
    assert audited(path, META).verdict == "loads"
    bundle(tmp_path / "model", [("v", FLOAT, [2], bytes(8))])
    assert audited(path, META).reason == "checkpoint_key"


def test_a_checkpoint_alone(tmp_path):
    prefix = bundle(tmp_path / "model", [W])
    for name in (prefix, f"{prefix}.index"):
        assert audited(name, CHECKPOINT).verdict == "loads"
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "/elsewhere/model"\n', encoding="utf-8")
    assert audited(tmp_path, CHECKPOINT).verdict == "loads"
    assert audited(tmp_path / "none", CHECKPOINT).reason == "no_model_file"


def test_a_checkpoint_of_version_1(tmp_path):
    listed = message("SavedTensorSlices")()
    listed.meta.tensor.add(name="w", type=FLOAT).shape.dim.add(size=2)
    (tmp_path / "old.ckpt").write_bytes(table_of((b"", listed.SerializeToString())))
    result = audited(tmp_path / "old.ckpt", CHECKPOINT)
    assert (result.verdict, result.model) == ("loads", str(tmp_path / "old.ckpt"))


KERAS = "keras.models.load_model"


def of_keras(folder, metadata="", *, has_file=False):
    """A SavedModel of TensorFlow 2 with one layer of Keras."""
    meta = meta_graph(graph(X), "serve")
    layer = meta.object_graph_def.nodes.add().user_object
    layer.identifier, layer.metadata = "_tf_keras_layer", metadata
    saved_model(folder, meta)
    objects = message("TrackableObjectGraph")().SerializeToString()
    value = bytes([len(objects)]) + bytes(4) + objects
    bundle(folder / "variables" / "variables", [("_CHECKPOINTABLE_OBJECT_GRAPH", STRING, [], value)])
    if has_file:
        (folder / "keras_metadata.pb").write_bytes(b"")
    return folder


@pytest.mark.parametrize(
    ("version", "metadata", "has_file", "expected"),
    [
        (561, "{}", False, "loads"),
        (561, "", True, "refused"),
        (987, "{}", False, "loads"),
        (987, "", True, "loads"),
        (987, "", False, "refused"),
        (1395, "", True, "loads"),
        (1645, "", True, "loads"),
        (1700, "", True, "refused"),
        (1994, "{}", True, "refused"),
    ],
)
def test_keras_looks_for_its_metadata_where_its_release_has_it(tmp_path, version, metadata, has_file, expected):
    result = audited(of_keras(tmp_path, metadata, has_file=has_file), KERAS, release(producer=version))
    assert result.verdict == expected
    assert result.reason == ("keras_format" if expected == "refused" else None)


def test_keras_loads_what_is_not_its_own_like_any_other_model(tmp_path):
    assert outcome(audited(of_session(tmp_path), KERAS)) == ("loads", None, [])
    assert audited(of_session(tmp_path, nodes=(X, node("y", "Gone")), restores=()), KERAS).reason == "unknown_op"


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


@both
@pytest.mark.parametrize(
    "file", ["saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"]
)
def test_what_git_lfs_did_not_fetch_is_not_judged(tmp_path, loader, file):
    folder = of_session(tmp_path)
    (folder / file).write_bytes(POINTER)
    report = audited(folder, loader)
    assert outcome(report) == ("cannot_tell", None, ["model_not_fetched"])
    assert not report.failed
    assert os.path.basename(file) in report.findings[0].message


@both
def test_what_is_wrong_next_to_a_file_that_was_not_fetched_is_detected(tmp_path, loader):
    folder = of_session(tmp_path, nodes=(X, node("y", "Gone")))
    (folder / "variables" / "variables.index").write_bytes(POINTER)
    report = audited(folder, loader)
    assert (report.verdict, report.reason) == ("refused", "unknown_op")
    assert "model_not_fetched" in [finding.rule for finding in report.findings]


@both
def test_an_asset_that_was_not_fetched(tmp_path, loader):
    meta = meta_graph(graph(X), "serve")
    meta.asset_file_def.add(filename="vocab.txt")
    saved_model(tmp_path, meta)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "vocab.txt").write_bytes(POINTER)
    assert outcome(audited(tmp_path, loader)) == ("cannot_tell", None, ["model_not_fetched"])
