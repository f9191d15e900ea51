from __future__ import annotations

import json
import random
import struct
import sys

import pytest

from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from tests.support import limited, memory
from tests.support.hostile import models as hostile_models
from tests.support.models import onnx_models, pir_models, pytorch_models, tflite_models
from tests.support.models.paddle_programs import node as paddle_node
from tests.support.models.paddle_programs import program
from tests.support.models.paddle_programs import release as paddle_release
from tests.support.models.tensorflow_models import (
    FLOAT,
    bundle,
    calls,
    function,
    graph,
    meta_graph,
    node,
    placeholder,
    release,
    saved_model,
    sealed,
    table,
)
from tests.support.samples import sampled

X = placeholder()
SPECS = {"tensorflow": [("spec", release())], "paddle": [("spec", paddle_release("scale(X) -> (Out)"))]}
VERDICTS = {"loads", "changed", "cannot_tell", "fails_at_run", "refused", "unreadable"}
SECONDS = 20
MEMORY = 1 << 30


def verdicts(path, framework="tensorflow", loaders=()):
    """The verdicts of a path, which must come in bounded time and memory."""
    with limited.processor_time(SECONDS), memory.at_most(MEMORY):
        verdicts = [row.verdict for row in audit(str(path), SPECS[framework], loaders, LoadOptions())]
    assert set(verdicts) <= VERDICTS
    return verdicts


def damaged(data, seed):
    """A few hundred ways to damage bytes: cut at every hundredth, or with some bits the other way round."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for part in range(100):
        yield data[: len(data) * part // 100]
    for _ in range(100):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        yield bytes(changed)


def check_damaged(path, whole, seed, *, model=None, **requested):
    """Make sure that a model gets a verdict however the bytes of its file are damaged."""
    result = set()
    for data in damaged(whole, seed):
        path.write_bytes(data)
        first = verdicts(model or path, **requested)
        assert first
        result |= {*first}
    assert result - {"loads"}


WHOLE = graph(X, node("y", "Pool", "x", T=FLOAT, k=2), functions=[function("f", node("n", "NoOp"))])


def test_a_damaged_graph(tmp_path):
    check_damaged(tmp_path / "graph.pb", WHOLE.SerializeToString(), 1)


def test_a_damaged_program(tmp_path):
    whole = program(paddle_node("scale", ["X"], a=("INT", 1)))
    check_damaged(tmp_path / "m.pdmodel", whole, 2, framework="paddle", loaders=[LOADERS.load("legacy_executor")])


@pytest.mark.parametrize("file", ["saved_model.pb", "variables/variables.index"])
def test_a_damaged_saved_model(tmp_path, file):
    saved_model(tmp_path, meta_graph(WHOLE, "serve", restores=["w"]))
    bundle(tmp_path / "variables" / "variables", [("w", FLOAT, [2], bytes(8))])
    check_damaged(tmp_path / file, (tmp_path / file).read_bytes(), 3, model=tmp_path)


def test_many_nodes_in_a_cycle(tmp_path):
    count = 20_000
    nodes = [node(f"n{at}", "Pool", f"n{(at + 1) % count}", T=FLOAT, k=1) for at in range(count)]
    (tmp_path / "graph.pb").write_bytes(graph(*nodes).SerializeToString())
    assert verdicts(tmp_path / "graph.pb") == ["refused"]


def test_functions_that_call_each_other_ten_thousand_deep(tmp_path):
    call = {"Tin": [], "Tout": []}
    chain = [function(f"f{at}", node("c", "PartitionedCall", f=calls(f"f{at + 1}"), **call)) for at in range(10_000)]
    loop = function("f10000", node("c", "PartitionedCall", f=calls("f0"), **call))
    made = graph(node("c", "PartitionedCall", f=calls("f0"), **call), functions=[*chain, loop])
    (tmp_path / "graph.pb").write_bytes(made.SerializeToString())
    assert verdicts(tmp_path / "graph.pb") == ["loads"]


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_claim_of_four_gigabytes_in_twenty_bytes(tmp_path, number):
    data = bytes([number << 3 | 2]) + b"\xff\xff\xff\xff\x0f" + bytes(14)
    (tmp_path / "graph.pb").write_bytes(data)
    assert verdicts(tmp_path / "graph.pb") == ["unreadable"]


def test_attrs_nested_deep(tmp_path):
    inner = b""
    for _ in range(5000):  # a function with an attr that is a function with an attr ...
        entry = b"\x0a\x01a\x12" + _length(b"\x52" + _length(inner))
        inner = b"\x0a\x01f\x12" + _length(entry)
    attr = b"\x0a\x01a\x12" + _length(b"\x52" + _length(inner))
    data = b"\x0a\x01n\x12\x04NoOp\x2a" + _length(attr)
    (tmp_path / "graph.pb").write_bytes(b"\x0a" + _length(data))
    assert verdicts(tmp_path / "graph.pb") == ["unreadable"]


def _length(data):
    digits, value = [], len(data)
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value]) + data


def test_a_number_attr_that_claims_a_billion_tensors(tmp_path):
    (tmp_path / "graph.pb").write_bytes(graph(X, node("y", "Pack", "x", N=10**9, T=FLOAT)).SerializeToString())
    assert verdicts(tmp_path / "graph.pb")


@pytest.mark.parametrize("handle", [b"\xff\xff\xff\xff\x7f\x01", b"\x00\xff\xff\xff\xff\x7f", b"\xff" * 12])
def test_a_table_whose_offsets_lie(tmp_path, handle):
    (tmp_path / "m.index").write_bytes(bytes(100) + (b"\x00\x00" + handle).ljust(40, b"\0")[:40] + table.MAGIC)
    assert verdicts(tmp_path / "m") == ["unreadable"]


def test_a_table_that_names_a_single_block_again_and_again(tmp_path):
    body = struct.pack("<II", 0, 1).rjust(40_000, b"\0")
    data = sealed(body)
    entry = b"\x00\x01\x04k" + b"\x00" + b"\xc0\xb8\x02"
    index = sealed(entry * 5000 + struct.pack("<II", 0, 1))
    handles = b"\x00\x00" + _varint(len(data)) + _varint(len(index) - 5)
    (tmp_path / "m.index").write_bytes(data + index + handles.ljust(40, b"\0") + table.MAGIC)
    assert verdicts(tmp_path / "m") == ["unreadable"]


def _varint(value):
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def test_blocks_of_a_program_that_are_each_others_parents(tmp_path):
    block = b"\x08\x00\x10\x01"
    another = b"\x08\x01\x10\x00"
    data = b"\x0a" + _length(block) + b"\x0a" + _length(another)
    (tmp_path / "m.pdmodel").write_bytes(data)
    assert set(verdicts(tmp_path / "m.pdmodel", "paddle")) == {"loads"}


OF_SINGLE_FILE = [name for name, (_, files) in hostile_models.seeds().items() if len(files) == 1]


def read(path):
    """Read, show and judge a path in bounded time and memory; return the verdicts."""
    outcome = limited.call(hostile_models._judged, str(path), seconds=SECONDS, memory=MEMORY)
    assert not outcome.failure
    return outcome.value


@pytest.mark.parametrize("name", OF_SINGLE_FILE)
def test_a_model_that_is_damaged_in_a_hundred_ways(tmp_path, name):
    ((file, whole),) = hostile_models.seeds()[name][1].items()
    path = tmp_path / file
    seen = set()
    for data in damaged(whole, 4):
        path.write_bytes(data)
        seen.update(hostile_models._judged(str(path)))
    assert "unreadable" in seen
    path.write_bytes(whole)
    assert read(path) != ["unreadable"]


@pytest.mark.parametrize("seed", sampled(range(40), range(15)))
def test_a_model_that_is_damaged_by_chance(seed):
    outcome = limited.call(hostile_models.judged, seed, seconds=SECONDS, memory=MEMORY)
    assert not outcome.failure
    assert outcome.value


def test_graphs_ten_thousand_deep_in_onnx(tmp_path):
    inner = onnx_models.graph([onnx_models.node("Op")])
    for _ in range(10_000):
        inner = onnx_models.graph([onnx_models.node("If", (), (), onnx_models.attr("then", g=inner))])
    (tmp_path / "m.onnx").write_bytes(onnx_models.model(inner))
    assert read(tmp_path / "m.onnx") == ["unreadable"]


def test_regions_ten_thousand_deep_in_pir(tmp_path):
    opening = b'{"#": "1.if", "regions": [{"blocks": [{"ops": ['
    data = pir_models.program(pir_models.op("1.x")).replace(b'"1.x"', b'"1.x", "regions": [{"blocks": [{"ops": [@]}]}]')
    data = data.replace(b"@", opening * 10_000 + b"]}]}]}" * 10_000)
    (tmp_path / "m.json").write_bytes(data)
    # The json module of Python 3.14 goes as deep as its stack allows, earlier ones a thousand values.
    assert set(read(tmp_path / "m.json")) == {"refused" if sys.version_info >= (3, 14) else "unreadable"}


@pytest.mark.parametrize(
    "text", [lambda: '{"a":' * 10_000, lambda: "[{}" + ",{}" * 30_000_000 + "]", lambda: "[" * 10_000]
)
def test_json_that_is_deep_or_wide_in_an_archive(tmp_path, text):
    (tmp_path / "m.pt2").write_bytes(pytorch_models.exported(text()))
    assert read(tmp_path / "m.pt2") == ["unreadable"]


@pytest.mark.parametrize(
    "line", ['"' * 999, '\\"' * 500, "torch." * 200, "def f(" * 150, "a:b[," * 200, "class C(" * 100]
)
def test_text_that_is_slow_to_search(tmp_path, line):
    """Some 3 MB: many lines, and a long one that ends with half an escape."""
    count = 1_500_000 // len(line)
    text = "class M(Module):\n" + f"  {line}\n" * count + line * count + "\\\n"
    (tmp_path / "m.pt").write_bytes(pytorch_models.script(**{"m/code/__torch__.py": text}))
    outcome = limited.call(hostile_models._judged, str(tmp_path / "m.pt"), memory=MEMORY)
    assert not outcome.failure
    assert outcome.value in (["loads"], ["refused"], ["cannot_tell"])


@pytest.mark.parametrize("name", OF_SINGLE_FILE)
@pytest.mark.parametrize("claim", [b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\xff"])
def test_a_claim_of_four_gigabytes_at_every_place(tmp_path, name, claim):
    ((file, whole),) = hostile_models.seeds()[name][1].items()
    path = tmp_path / file
    with memory.at_most(MEMORY):
        for at in range(0, len(whole), max(1, len(whole) // 60)):
            path.write_bytes(whole[:at] + claim + whole[at + len(claim) :])
            assert hostile_models._judged(str(path))


LONG = "n" * (1 << 20)


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("m.onnx", lambda: _of_onnx(2000)),
        ("m.json", lambda: pir_models.program(pir_models.op(f"1.{LONG}", regions=pir_models.regions() * 2000))),
        ("m.tflite", lambda: tflite_models.named_again(LONG, 2000)),
        (
            "m.pt",
            lambda: pytorch_models.zipped({"m/code/a.py": f"class {LONG}(M):\n" + "  def f(x: T) -> T:\n" * 999}),
        ),
        ("m.pt2", lambda: pytorch_models.exported(_of_export(2000))),
    ],
)
def test_a_long_name_that_many_are_called_by(tmp_path, file, data):
    (tmp_path / file).write_bytes(data())
    assert read(tmp_path / file)


def _of_onnx(count):
    inner = onnx_models.graph([onnx_models.node("Op")])
    many = onnx_models.message((1, "g"), *((11, inner) for _ in range(count)), (20, 10))
    return onnx_models.model(onnx_models.graph([onnx_models.node("If", (), (), many, name=LONG)]))


def _of_export(count):
    inner = {"as_graph": {"name": "g", "graph": pytorch_models.graph()}}
    middle = pytorch_models.graph(*(pytorch_models.node("x", {"a": inner}) for _ in range(count)))
    outer = pytorch_models.node("x", {"a": {"as_graph": {"name": LONG, "graph": middle}}})
    return json.dumps(pytorch_models.program(outer))
