"""The TFLite runtime of an interpreter: small ones of our own in Python, and real wheels where they are named."""

from __future__ import annotations

import os
import struct
import sys

import pytest

from opspec_lint.frameworks.tflite.sources import _runtime_probe, runtime
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical
from opspec_lint.spec.model import UNKNOWN
from tests.support.paths import SPECS
from tests.support.wheels import python_with

INTERPRETER = '''
import enum, os, struct

OPS = {0: ("ADD", 1, 3), 1: ("AVERAGE", 2, 2), 2: ("NOTHING", 1, 0), 32: ("CUSTOM", 0, 0), 130: ("LATE", 1, 1)}
REFERENCE = {0: 1}
CUSTOM = {"Mine": (1, 2), "a.fatal-op": (1, 1)}


class OpResolverType(enum.Enum):
    AUTO = 0
    BUILTIN_REF = 2


class Interpreter:
    def __init__(self, model_content, experimental_op_resolver_type=OpResolverType.AUTO):
        code, version, name = read(model_content)
        self.custom, self.is_reference = None, experimental_op_resolver_type is OpResolverType.BUILTIN_REF
        if code == 32 and name:
            self.custom = name, version
            return
        if code == 32:
            raise ValueError("Operator with CUSTOM builtin_code has no custom_code.\\nRegistration failed.\\n")
        if code not in OPS:
            raise ValueError(f"Op builtin_code out of range: {code}. Are you using old TFLite binary with newer model?")
        name, least, most = OPS[code]
        if experimental_op_resolver_type is OpResolverType.BUILTIN_REF:
            most = REFERENCE.get(code, 0)
        if not least <= version <= most:
            raise ValueError(f"Didn't find op for builtin opcode '{name}' version '{version}'\\nRegistration failed.")

    def allocate_tensors(self):
        name, version = self.custom
        least, most = (0, 0) if self.is_reference and name == "Mine" else CUSTOM.get(name, (0, 0))
        if not least <= version <= most:
            raise RuntimeError(f"Encountered unresolved custom op: {name}.\\nSee instructions")
        if name == "a.fatal-op":
            os.abort()
        raise RuntimeError("NumInputs(node) != 1 (0 != 1)")


def at(data, place):
    return place + struct.unpack_from("<I", data, place)[0]


def field(data, table, slot):
    vtable = table - struct.unpack_from("<i", data, table)[0]
    size, = struct.unpack_from("<H", data, vtable)
    offset = struct.unpack_from("<H", data, vtable + 4 + 2 * slot)[0] if 4 + 2 * slot < size else 0
    return table + offset if offset else None


def read(data):
    """Read a model as any reader of FlatBuffers does."""
    assert data[4:8] == b"TFL3"
    model = at(data, 0)
    assert struct.unpack_from("<I", data, field(data, model, 0)) == (3,)
    code, graph, buffer = (only(data, field(data, model, slot)) for slot in (1, 2, 4))
    name = text(data, field(data, code, 1))
    assert not [place for slot in range(3) if (place := field(data, buffer, slot)) is not None]
    assert not any(struct.unpack_from("<I", data, at(data, field(data, graph, slot)))[0] for slot in (1, 2))
    tensors = at(data, field(data, graph, 0))
    if struct.unpack_from("<I", data, tensors)[0]:
        tensor = at(data, tensors + 4)
        assert struct.unpack_from("<Ii", data, at(data, field(data, tensor, 0))) == (1, 1)
        number, = struct.unpack_from("<b", data, field(data, tensor, 1))
        if number not in (0, 1, 2, 9):
            raise ValueError(f"Unsupported data type {number} in tensor")
    if name:
        node = only(data, field(data, graph, 3))
        assert struct.unpack_from("<I", data, field(data, node, 0)) == (0,)
        assert not any(struct.unpack_from("<I", data, at(data, field(data, node, slot)))[0] for slot in (1, 2))
        assert text(data, field(data, node, 5)).encode() == b"\\0\\0\\1\\0\\0$\\1"
    else:
        assert struct.unpack_from("<I", data, at(data, field(data, graph, 3))) == (0,)
    byte, = struct.unpack_from("<b", data, field(data, code, 0))
    wide, = struct.unpack_from("<i", data, field(data, code, 3))
    version, = struct.unpack_from("<i", data, field(data, code, 2))
    return max(byte, wide), version, name


def only(data, place):
    """Return the only table of a vector."""
    vector = at(data, place)
    assert struct.unpack_from("<I", data, vector) == (1,)
    return at(data, vector + 4)


def text(data, place):
    if place is None:
        return ""
    begin = at(data, place)
    size, = struct.unpack_from("<I", data, begin)
    return data[begin + 4 : begin + 4 + size].decode()
'''
"""A runtime that reads the model and looks for a kernel; some op codes in between are none of its own."""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Put a runtime on the path, and return its folder."""
    root = tmp_path / "root"
    (root / "tflite_runtime").mkdir(parents=True)
    (root / "tflite_runtime" / "__init__.py").write_text('__version__ = "9.8.7"\n')
    text = INTERPRETER.replace("if code not in OPS:", "if code > 130:").replace(
        "OPS[code]", 'OPS.get(code, ("", 1, 0))'
    )
    (root / "tflite_runtime" / "interpreter.py").write_text(text)
    texts = ("other text", "Mine", "NotThere", "FlexAdd", "a.fatal-op", "Encountered unresolved custom op: %s.", "")
    (root / "tflite_runtime" / "_wrapper.so").write_bytes(b"\x7fELF\0" + "\0".join(texts).encode())
    (root / "tflite_runtime" / "_other.so").write_bytes(b"\0Mine2\0")
    monkeypatch.setenv("PYTHONPATH", str(root))
    return root


def extract(python=""):
    return runtime.SOURCE.spec(python, Reading(environment=dict(os.environ)))


@pytest.mark.usefixtures("package")
def test_a_runtime_is_queried_op_by_op_and_version_by_version():
    spec = extract()
    assert (spec.provenance.framework, spec.provenance.version) == ("tflite", "9.8.7")
    assert spec.provenance.made_by == "tflite-runtime of tflite_runtime"
    actual = {name: (op.min_version, op.max_version, op.get("reference_max_version")) for name, op in spec.ops.items()}
    assert actual == {
        "ADD": (1, 3, 1),
        "AVERAGE": (2, 2, None),
        "CUSTOM": (None, None, None),
        "CUSTOM:Mine": (1, 2, None),
        "CUSTOM:a.fatal-op": (1, 1, 1),
        "LATE": (1, 1, None),
        "NOTHING": (None, None, None),
    }
    assert {op.get(field) for op in spec.ops.values() for field in ("written_versions", "options")} == {UNKNOWN}
    assert spec.loading == {"tensor_types": ("float32", "float16", "int32", "int8")}


def test_a_runtime_without_the_other_resolver_states_nothing_of_it(package):
    file = package / "tflite_runtime" / "interpreter.py"
    file.write_text(file.read_text().replace("BUILTIN_REF = 2", "OTHER = 2").replace(".BUILTIN_REF", ".OTHER"))
    assert {op.get("reference_max_version") for op in extract().ops.values()} == {UNKNOWN}


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        ("ImportError('numpy.core.multiarray failed to import')", "failed to import; install numpy<2 with it"),
        ("ValueError('Model provided has model identifier')", "Model provided has model identifier"),
        ("RuntimeError('no memory')", "no memory"),
    ],
)
def test_what_is_no_refusal_of_a_kernel_is_an_error_and_no_answer(package, raised, message):
    file = package / "tflite_runtime" / "interpreter.py"
    file.write_text(
        file.read_text().replace("        code, version, name = read(", f"        raise {raised}\n        read(")
    )
    with pytest.raises(InputError) as caught:
        extract()
    assert message in caught.value.message


def test_an_interpreter_without_a_runtime_is_a_single_message(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(InputError) as caught:
        extract()
    assert "has no TFLite runtime" in caught.value.message
    assert "-m pip install ai-edge-litert" in caught.value.advice


@pytest.mark.parametrize(("code", "version"), [(0, 1), (3, 8), (126, 2), (127, 1), (209, 3)])
def test_a_model_is_what_flatbuffers_state_it_is(code, version):
    scope = {}
    exec(INTERPRETER, scope)  # noqa: S102 - it is our own
    data = _runtime_probe.model(code, version)
    assert scope["read"](data) == (code, version, "")
    assert len(data) == 140
    assert struct.unpack_from("<I", data) == (24,)


@pytest.mark.parametrize(("name", "version"), [("abc", 1), ("abcd", 2), ("odml.update_kv_cache", 1)])
def test_a_model_of_a_custom_op_is_a_flatbuffer(name, version):
    scope = {}
    exec(INTERPRETER, scope)  # noqa: S102 - it is our own
    assert scope["read"](_runtime_probe.custom_model(name, version)) == (32, version, name)


def test_a_runtime_without_the_library_lists_no_custom_ops(package):
    (package / "tflite_runtime" / "_wrapper.so").unlink()
    assert not [name for name in extract().ops if name.startswith("CUSTOM:")]


def test_the_released_specs_are_what_a_runtime_states():
    for name, least in (("tflite-2.4.4", 120), ("tflite-2.12.1", 150), ("tflite-2.17.1", 200), ("litert-2.1.2", 200)):
        spec = recognise.read(str(SPECS / f"{name}.json")).spec
        assert spec.provenance.framework == "tflite"
        assert spec.provenance.version == name.partition("-")[2]
        assert len(spec.ops) >= least
        assert (spec.ops["CONV_2D"].min_version, spec.ops["CUSTOM"].max_version) == (1, None)
        assert spec.ops["CUSTOM:TFLite_Detection_PostProcess"].max_version == 1
        assert "int8" in spec.loading["tensor_types"]


@pytest.mark.wheel
@pytest.mark.parametrize(
    ("family", "wheel", "version"),
    [
        ("tflite", "tensorflow", "2.4.4"),
        ("tflite", "tensorflow", "2.12.1"),
        ("tflite", "tensorflow", "2.17.1"),
        ("litert", "litert", "2.1.2"),
    ],
)
def test_a_wheel_gives_the_released_spec(family, wheel, version):
    released = recognise.read(str(SPECS / f"{family}-{version}.json")).spec
    bare = {op: item.replace(own=_without_rows(item.own)) for op, item in released.ops.items()}
    undated = released.replace(ops=bare, provenance=released.provenance.replace(released=None))
    assert canonical.dumps(extract(python_with(wheel, version))) == canonical.dumps(undated)


def _without_rows(own):
    """What a runtime says; the rows of a released spec are those of its source."""
    return {field: value for field, value in own.items() if field != "oldest_runtimes"}


@pytest.mark.usefixtures("package")
def test_the_python_that_runs_us_can_be_named():
    assert extract(sys.executable).ops.keys() == extract().ops.keys()
