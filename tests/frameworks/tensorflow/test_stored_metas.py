from __future__ import annotations

import pytest

from opspec_lint.frameworks.tensorflow.saved.graphs import metas
from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer
from opspec_lint.kit.errors import InputError
from opspec_lint.models.audit import audit
from opspec_lint.models.byte_source import ByteSource
from opspec_lint.models.loader import LoadOptions
from tests.support.models.tensorflow_models import (
    FLOAT,
    audited,
    graph,
    message,
    meta_graph,
    node,
    outcome,
    placeholder,
    release,
    write,
)

X = placeholder()
FILE = "saved_model.pb"


def pools(count):
    return [X, *(node(f"n{at}", "Pool", "x", T=FLOAT, k=2) for at in range(count))]


def bytes_field(number, data):
    size = len(data)
    return bytes((number << 3 | 2, size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14)) + data


def test_a_meta_graph_is_what_protobuf_reads():
    data = meta_graph(graph(*pools(30)), "serve").SerializeToString()
    result = metas.meta_graph(ByteSource(data), "m")
    expected = message("RawMetaGraphDef").FromString(data)
    assert list(result.graph_def.node) == list(expected.graph_def.node)
    assert result.graph_def.versions == expected.graph_def.versions
    assert result.meta_info_def == expected.meta_info_def
    assert not result.HasField("saver_def")


def test_parts_of_a_graph_are_put_together():
    first, second = graph(*pools(3)), graph(node("q", "NoOp"), producer=9)
    data = bytes_field(2, first.SerializeToString()) + bytes_field(2, second.SerializeToString())
    graph_def = metas.meta_graph(ByteSource(data), "m").graph_def
    assert [item.name for item in graph_def.node] == ["x", "n0", "n1", "n2", "q"]
    assert graph_def.versions.producer == 9


@pytest.mark.parametrize("limit", [0, 1, 10_000])
def test_a_message_of_many_fields_is_left_to_protobuf(monkeypatch, limit):
    monkeypatch.setattr(metas, "_MOST", limit)
    meta = meta_graph(graph(*pools(3)), "serve").SerializeToString()
    data = b"\x08\x01" + bytes_field(2, meta) + b"\x3b\x3c" + bytes_field(2, meta)  # a group between them
    meta_graphs = metas.meta_graphs(ByteSource(data), "m")
    assert [[node.name for node in meta_graph.graph_def.node] for meta_graph in meta_graphs] == [
        ["x", "n0", "n1", "n2"]
    ] * 2


@pytest.mark.parametrize("large", [b"", bytes(1 << 14)])
def test_a_damaged_node_is_seen_when_the_model_is_read(tmp_path, large):
    damaged = bytes_field(1, b"\x0a\x02\xff\xfe\x12\x04NoOp" + bytes_field(5, large))
    meta = bytes_field(2, graph(*pools(3)).SerializeToString() + damaged)
    with pytest.raises(InputError, match="is no SavedModel: its bytes cannot be decoded"):
        metas.meta_graphs(ByteSource(bytes_field(2, meta)), FILE)
    (tmp_path / FILE).write_bytes(bytes_field(2, meta))
    result = list(audit(str(tmp_path), [("spec", release())], [], LoadOptions()))
    assert {row.verdict for row in result} == {"unreadable"}


def test_loaders_that_import_the_same_graph_share_what_is_detected(tmp_path, monkeypatch):
    made = []
    main_faults = Importer.main_faults
    monkeypatch.setattr(Importer, "main_faults", lambda self: made.append(self) or main_faults(self))
    nodes = [*pools(3), node("y", "Pool", "gone", T=FLOAT, k=2)]
    write(tmp_path / FILE, message("SavedModel")(meta_graphs=[meta_graph(graph(*nodes), "serve")]))
    both, another = release(), release(producer=561)
    result = list(audit(str(tmp_path), [("a", both), ("b", another)], [], LoadOptions()))
    assert [(row.against, row.reason) for row in result] == [("a", "input_missing")] * 2 + [("b", "input_missing")] * 2
    assert len(made) == 2
    assert outcome(audited(tmp_path, result[0].loader)) == ("refused", "input_missing", ["model_wiring"])
