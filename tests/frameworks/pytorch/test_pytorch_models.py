"""The reading of PyTorch's archives: text and JSON, and never a pickle."""

from __future__ import annotations

import json
import struct
import zipfile

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models import archive
from opspec_lint.models.format import Candidate
from opspec_lint.models.recognise import read_model
from opspec_lint.models.view import VIEWS, ShownModel
from tests.support import limited
from tests.support.models.pytorch_models import (
    BOMB,
    LINEAR,
    SCRIPT,
    exported,
    node,
    program,
    script,
    tensor,
    weights,
    zipped,
)


def read(tmp_path, data, name="m.pt"):
    path = tmp_path / name
    path.write_bytes(data)
    return read_model(str(path))


def _shown(made):
    return [VIEWS.load(name).render([ShownModel(model=made)]) for name in VIEWS.names()]


def test_all_that_a_script_states(tmp_path):
    made = read(tmp_path, script())
    (meta,) = made.meta_graphs
    assert (made.framework, made.format, meta.producer) == ("pytorch", "torchscript", 10)
    assert [(graph.name, graph.ops()) for graph in meta.graphs] == [
        ("", ("aten::div", "aten::gelu", "mine::twice", "aten::len")),
        ("__torch__.M.other", ()),
        ("__torch__.nn.Linear.forward", ("aten::linear",)),
        ("__torch__.nn.helper", ("aten::relu",)),
    ]
    (signature,) = meta.signatures
    assert {name: argument.dtype for name, argument in signature.inputs.items()} == {
        "x": "Tensor",
        "n": "Dict[str, Tensor]",
    }
    assert signature.outputs[""].dtype == "Tuple[Tensor, int]"
    assert [variable.name for variable in meta.variables] == ["w", "k", "lin.weight", "0.weight"]
    assert made.remarks[0].startswith("the model was traced")
    assert made.sizes() == {"graph": len(SCRIPT) + len(LINEAR), "variables": 16}


def test_code_that_is_too_long_to_be_parsed_is_reported(tmp_path):
    files = {f"m/code/__torch__/{name}.py": "$" * (1 << size) for name, size in (("a", 19), ("b", 20), ("c", 20))}
    made = read(tmp_path, zipped(files | {"m/code/__torch__/d.py": "$" * (1 << 20 | 1)}))
    assert [entry for entry, _ in made.content.problems if "/" in entry] == list(files)[:2]
    assert [remark.partition(" is ")[0] for remark in made.remarks[-2:]] == [
        "'m/code/__torch__/c.py'",
        "'m/code/__torch__/d.py'",
    ]


def test_a_method_that_ends_a_file_that_is_cut(tmp_path):
    made = read(tmp_path, zipped({"m/code/__torch__.py": "class M(Module):\n  def forward(self: M,\n    x: Tens"}))
    (meta,) = made.meta_graphs
    assert [graph.ops() for graph in meta.graphs] == [()]


@pytest.mark.parametrize("place", ["m/version", "m/.data/version"])
def test_the_version_of_an_archive_has_had_two_places(tmp_path, place):
    made = read(tmp_path, zipped({"m/code/__torch__.py": "", place: "3\n"}))
    assert made.meta_graphs[0].producer == 3


def test_classes_that_are_made_of_others_without_end(tmp_path):
    heads = [
        f"class C{at}(Module):\n  __parameters__ = ['w', ]\n  a : __torch__.C{at + 1}\n  b : __torch__.C{at + 1}\n"
        for at in range(60)
    ]
    text = "".join(heads).replace("'", '"') + '  def forward(self: __torch__.C59) -> int:\n    return torch.len("")\n'
    made = read(tmp_path, zipped({"m/code/__torch__.py": text}))
    assert len(made.meta_graphs[0].variables) <= 20_001


def test_all_that_an_exported_program_states(tmp_path):
    made = read(tmp_path, exported(), "m.pt2")
    (meta,) = made.meta_graphs
    assert (made.format, meta.tags, meta.written_by, meta.producer) == ("pt2", ("model",), "2.13.0", 8)
    assert meta.opsets == {"aten": 10}
    assert [(graph.name, graph.ops()) for graph in meta.graphs] == [
        ("", ("aten::add.Tensor", "higher_order::cond")),
        ("true_graph_0", ("aten::neg",)),
    ]
    add, cond = meta.graphs[0].nodes
    assert (add.name, add.inputs, add.outputs) == ("y", (("self", ("x",)),), (("", ("y",)),))
    assert add.attrs == {"other": 2}
    assert cond.attrs == {"": {"graph": "true_graph_0"}}
    (signature,) = meta.signatures
    assert (signature.inputs["x"].dtype, signature.inputs["x"].shape) == ("float32", (-1, 4))
    assert [(variable.name, variable.dtype, variable.shape) for variable in meta.variables] == [
        ("lin.weight", "bfloat16", (3,))
    ]


def test_where_the_author_worked_is_not_shown(tmp_path):
    made = read(tmp_path, exported())
    list(made.meta_graphs[0].graphs[0].nodes)
    assert "secret" not in "".join(_shown(made)) + repr(made.meta_graphs)


def test_a_program_of_an_older_release(tmp_path):
    document = program(node("torch.ops.aten.neg.default", {"self": tensor("x")}), schema_version=1)
    del document["torch_version"]
    entries = {"serialized_exported_program.json": json.dumps(document), "serialized_state_dict.pt": BOMB}
    (meta,) = read(tmp_path, zipped(entries)).meta_graphs
    assert (meta.tags, meta.written_by, meta.producer, meta.graphs[0].ops()) == ((), None, 1, ("aten::neg",))


@pytest.mark.parametrize(
    "document", ["", "[]", "{}", '{"graph_module": {"graph": {"nodes": [1]}}}', "[" * 100_000, '{"a": ' * 2000]
)
def test_what_is_no_program(tmp_path, document):
    with pytest.raises(InputError, match=r"is not a program of torch\.export"):
        read(tmp_path, exported(document))


def test_weights_alone_are_reported_to_be(tmp_path):
    made = read(tmp_path, weights())
    assert (made.format, made.meta_graphs) == ("torch_weights", ())
    assert "2 storages of weights, 24 bytes, and no graph" in made.remarks[0]


def test_an_entry_that_is_larger_than_it_may_be(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_READ", 1000)
    with pytest.raises(InputError, match="has more than 1000 bytes"):
        read(tmp_path, zipped({"m/code/__torch__.py": " " * 100_000}))


def test_a_bomb_is_opened_no_further_than_is_reported(tmp_path):
    path = tmp_path / "m.pt"
    name = "m/code/__torch__.py"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made, made.open(name, "w", force_zip64=True) as stream:
        for _ in range(300):
            stream.write(bytes(1 << 20))
    with pytest.raises(InputError, match="the limit for such an entry"):
        read_model(str(path))


@pytest.mark.parametrize("messages", [1, 0xFFFF])
def test_a_list_of_more_entries_than_any_model_has(tmp_path, messages):
    """Whatever number of entries the archive states at its end, in the old or the new form."""
    data = script()
    begin = data.find(b"PK\x01\x02")
    entry = data[begin : data.find(b"PK\x01\x02", begin + 1)]
    listed = entry * (archive.MAX_ENTRIES + 1)
    new = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(listed), begin)
    new += struct.pack("<4sLQL", b"PK\x06\x07", 0, begin + len(listed), 1)
    old = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, messages, messages, len(listed), begin, 0)
    path = tmp_path / "m.pt"
    path.write_bytes(data[:begin] + listed + (new if messages > 1 else b"") + old)
    with pytest.raises(InputError, match="more than any model has"):
        archive.Archive(Candidate(str(path)))


def test_a_list_that_is_longer_than_that_of_any_model(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_LIST", 100)
    path = tmp_path / "m.pt"
    path.write_bytes(script())
    with pytest.raises(InputError, match="more than any model has"):
        archive.Archive(Candidate(str(path)))


def test_thousands_of_programs_are_read_in_a_single_go(tmp_path):
    (tmp_path / "m.pt2").write_bytes(zipped({f"m/models/p{at}.json": json.dumps(program()) for at in range(3000)}))
    outcome = limited.call(_programs, tmp_path / "m.pt2", seconds=15)
    assert outcome.value == 3000


def _programs(path):
    return len(read_model(str(path)).meta_graphs)


def test_an_encrypted_entry_is_reported_to_be_one(tmp_path):
    data = bytearray(exported())
    struct.pack_into("<H", data, data.find(b"PK\x01\x02") + 8, 1)
    (tmp_path / "m.pt2").write_bytes(data)
    with pytest.raises(InputError, match=r"'m/models/model\.json' is encrypted"):
        read_model(str(tmp_path / "m.pt2"))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_compression_that_no_model_has(tmp_path, method):
    path = tmp_path / "m.pt"
    with zipfile.ZipFile(path, "w", method) as made:
        made.writestr("m/code/__torch__.py", "x")
    with pytest.raises(InputError, match="is compressed by method"):
        read_model(str(path))


def test_nothing_of_an_archive_is_unpickled_run_or_written(tmp_path, monkeypatch):
    import pickle
    import subprocess

    def never(*_, **__):
        raise AssertionError("a pickle was opened")

    for module, name in ((pickle, "load"), (pickle, "loads"), (pickle, "Unpickler"), (subprocess, "Popen")):
        monkeypatch.setattr(module, name, never)
    monkeypatch.chdir(tmp_path)
    for name, data in {"a.pt": script(), "b.pt2": exported(), "c.pt": weights()}.items():
        made = read(tmp_path, data, name)
        assert all(VIEWS.load(name).render([ShownModel(model=made)]) for name in VIEWS.names())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pt", "b.pt2", "c.pt"]
