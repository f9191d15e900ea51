"""ONNX Runtime of an interpreter: its schemas, what it runs with which types, and the versions that it takes."""

from __future__ import annotations

import sys

import pytest

from opspec_lint.frameworks.onnxruntime import kernels as kernel_module
from opspec_lint.frameworks.onnxruntime.kernels import add_kernels
from opspec_lint.frameworks.onnxruntime.sources import runtime
from opspec_lint.kit.errors import InputError
from opspec_lint.lint.check import check
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.notation import parse_spec

PACKAGE = """
import os
__version__ = "9.8.7"
def set_default_logger_severity(level): pass
class SessionOptions: pass

class InferenceSession:
    def __init__(self, data, options, providers):
        if data[1] > 9:
            raise RuntimeError("Unsupported model IR version: %d" % data[1])
        if b"Identity" in data and data[-1] > (2 if b"ml" in data else 17):
            raise RuntimeError("Opset %d is under development" % data[-1])
        if b"Deadly" in data:
            os.abort()
        if b"Missing" in data or b"Sum" in data:
            raise RuntimeError("NOT_IMPLEMENTED : Could not find an implementation")
        if b"Inlined" in data and bytes([0x08, 3]) in data:
            raise RuntimeError("NOT_IMPLEMENTED : Could not find an implementation")
"""
STATE = """
import enum

class Bag:
    def __init__(self, **values): self.__dict__.update(values)

class Option(enum.Enum):
    Single = 0

def schema(name, since, domain=""):
    end = lambda name: Bag(name=name, option=Option.Single, typeStr="T", isHomogeneous=True)
    allowed = Bag(type_param_str="T", allowed_type_strs=["tensor(float)", "tensor(int8)"])
    return Bag(
        domain=domain, name=name, since_version=since, deprecated=False, min_input=1, min_output=1,
        inputs=[end("X")], outputs=[end("Y")], type_constraints=[allowed], attributes={},
    )

def get_all_operator_schema():
    return [schema(*each) for each in SCHEMAS]

def get_all_opkernel_def():
    return [Bag(domain="", op_name="Sum", version_range=span, provider="CPUExecutionProvider",
        type_constraints={"T": ["tensor(float)"]}) for span in ((1, 5), (6, 2147483647))]

SCHEMAS = [("Sum", 1), ("Sum", 6), ("Sum", 8), ("Deadly", 1), ("Inlined", 1), ("Missing", 1), ("Scale", 2, "ml")]
"""


def interpreter(folder):
    package = folder / "onnxruntime"
    (package / "capi").mkdir(parents=True)
    (package / "__init__.py").write_text(PACKAGE)
    (package / "capi" / "__init__.py").write_text("")
    (package / "capi" / "onnxruntime_pybind11_state.py").write_text(STATE)
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return str(python)


def test_a_runtime_is_queried_and_tried(tmp_path):
    spec = runtime.SOURCE.spec(interpreter(tmp_path), Reading(caches=False))
    assert (spec.provenance.framework, spec.provenance.version) == ("onnxruntime", "9.8.7")
    assert spec.loading == {"ir_version": 9, "opsets": {"ai.onnx": 17, "ml": 2}}
    runs = {name: op.get("kernels").get("CPUExecutionProvider", ()) for name, op in spec.ops.items()}
    assert runs == {
        "Sum@1": ("T=tensor(float)",),
        "Sum@6": ("T=tensor(float)",),
        "Sum@8": (),
        "Deadly@1": (),
        "Missing@1": (),
        "Inlined@1": ("T=tensor(float)",),
        "ml::Scale@2": ("T=tensor(float)", "T=tensor(int8)"),
    }


def test_an_interpreter_without_a_runtime_is_an_error(tmp_path):
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)
    with pytest.raises(InputError, match="onnxruntime"):
        runtime.SOURCE.spec(str(python), Reading(caches=False))


def kernels(types, arguments=("T",), first=1, last=None):
    schema = {
        "domain": "",
        "name": "F",
        "since_version": 3,
        "outputs": [],
        "inputs": [{"name": f"x{at}", "type": kind} for at, kind in enumerate(arguments)],
        "type_constraints": {"T": ["a", "b"], "U": ["c", "d"], "unused": ["e"]},
    }
    kernel = {"domain": "", "op": "F", "from": first, "to": last, "provider": "P", "types": types}
    add_kernels([schema], [kernel], [])
    return schema["kernels"].get("P")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"types": {"T": ["a"]}, "last": 3}, ["T=a"]),
        ({"types": {"T": ["a"]}, "last": 2}, None),
        ({"types": {"T": ["a"]}}, None),
        ({"types": {"T": ["a"]}, "first": 3}, ["T=a"]),
        ({"types": {"T": ["a", "z"]}, "first": 3, "arguments": ("T", "U")}, ["T=a; U=c", "T=a; U=d"]),
        ({"types": {"x1": ["c"]}, "first": 3, "arguments": ("T", "U")}, ["T=a; U=c", "T=b; U=c"]),
        ({"types": {"x0": ["plain"]}, "first": 3, "arguments": ("plain",)}, [""]),
        ({"types": {"x0": ["other"]}, "first": 3, "arguments": ("plain",)}, None),
    ],
)
def test_a_kernel_is_for_versions_and_types(given, expected):
    assert kernels(**given) == expected


def test_types_that_an_op_no_longer_runs_with_are_an_error():
    text = 'F@1(X: T) -> (Y: T) & {{"kernels": {{"CPUExecutionProvider": {}}}}}'
    both, first = text.format('["T=tensor(float)", "T=tensor(int8)"]'), text.format('["T=tensor(int8)"]')
    sides = [parse_spec(item, framework="onnxruntime", binding="opset") for item in (both, first)]
    (lost,) = check(*sides).findings
    assert (lost.rule, lost.level) == ("kernels_lost", "error")
    assert lost.message == "'F@1' no longer runs with CPUExecutionProvider: T=tensor(float)"
    (gained,) = check(*sides[::-1]).findings
    assert (gained.rule, gained.level) == ("kernels_gained", "note")


@pytest.mark.parametrize("name", ["T", "x0"])
def test_of_too_many_combinations_the_restricted_variables_are_kept_by_whatever_name(name, monkeypatch):
    monkeypatch.setattr(kernel_module, "_MAX_COMBINATIONS", 1)
    assert kernels({name: ["a"]}, ("T", "U"), last=3) == ["T=a"]
