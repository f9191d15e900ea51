from __future__ import annotations

import io
import json
import os
import subprocess
import zipfile

import pytest

from opspec_lint.cli import main
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.frameworks.pytorch.extract import cpp_source, native
from opspec_lint.frameworks.pytorch.extract.cpp import Registrations
from opspec_lint.frameworks.pytorch.extract.cpp_source import Tree
from opspec_lint.frameworks.pytorch.formats.schemas import dumps
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.frameworks.pytorch.sources import wheel
from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.support.repositories import environment
from tests.support.trees.pytorch_trees import CPP, CUSTOM, PYTHON, YAML

SOURCE, WHEEL = SOURCES.load("pytorch-source"), SOURCES.load("pytorch-wheel")

SCHEMAS = """\
aten::f.Tensor(Tensor self, int n=1) -> Tensor  # tags: core, pointwise
aten::f.Tensor_out(Tensor self, int n=1, *, Tensor(a!) out) -> Tensor(a!)
aten::g(Tensor self, *, int[2] p=[0, 0]) -> Tensor
aten::g.out(Tensor self, *, int[2] p=[0, 0], Tensor(a!) out) -> Tensor(a!)
aten::g_(Tensor(a!) self, *, int[2] p=[0, 0]) -> Tensor(a!)  # tags:
aten::h(Tensor self) -> (Tensor values, Tensor indices)  # tags:
"""
OF_CPP = """\
TORCH_EXTENSION_NAME_more::seven() -> ()
ns::five() -> ()
ns::four(Tensor _0, int[] _1, str _2) -> (Tensor _0, float? _1)
ns::one(Tensor x, int n=1) -> Tensor
ns::six() -> ()
ns::three(Tensor x) -> str
ns::two.out(Tensor x) -> ()
old::a(Tensor _0, int[] _1, str _2) -> (Tensor _0, float? _1)
old::b(Tensor x) -> Tensor
old::c(Tensor _0, bool _1) -> Tensor _0
old::d() -> int _0
"""
OF_PYTHON = """\
own::four(Tensor x) -> Tensor
py::one(Tensor x) -> Tensor
py::three(Tensor x, *, int n) -> ()
py::two(Tensor x) -> Tensor
"""


OF_CUSTOM = """\
o::a(Tensor x, SymInt n, float f=1e-05, bool b=True, str s="mean", SymInt? q=None, *, Scalar k=2, Device? d=None, \
ScalarType t=6) -> Tensor
o::b(Tensor(a0!) x, Tensor[] z, Tensor(a2!)[] y, Tensor?[] w, SymInt[]? i=None, float[]? g=None, bool[] bs=None) -> ()
o::c(Tensor x, Tensor? y, SymInt n=-1) -> (Tensor, Tensor[], SymInt, float, bool, Scalar)
o::d(Tensor x) -> ((Tensor))
o::e(Tensor(a0!) x, SymInt n) -> Tensor[]
o::f(Tensor x, *, SymInt n) -> Tensor
o::g(Tensor x, int y) -> Tensor
"""


def test_a_function_is_an_op_by_its_annotations(tmp_path):
    spec = extracted(tmp_path, ops_DOT_py=CUSTOM)
    assert dumps(spec) == OF_CUSTOM
    assert unread(spec) == []


@pytest.mark.parametrize(
    ("function", "more"),
    [
        ("def f(x: torch.Tensor) -> None", "mutates_args=NAMES"),
        ("def f(x: torch.Tensor) -> None", ""),
        ("def f(x) -> None", "mutates_args=()"),
        ("def f(x: torch.Tensor)", "mutates_args=()"),
        ("def f(x: dict[str, int]) -> None", "mutates_args=()"),
        ("def f(x: list[list[int]]) -> None", "mutates_args=()"),
        ("def f(x: list[torch.Tensor] | None) -> None", "mutates_args=()"),
        ("def f(x: list[str]) -> None", "mutates_args=()"),
        ("def f(x: int | float) -> None", "mutates_args=()"),
        ("def f(x: 'int |') -> None", "mutates_args=()"),
        ("def f(x: int = N) -> None", "mutates_args=()"),
        ("def f(x: int = (1, 2)) -> None", "mutates_args=()"),
        ("def f(*x: int) -> None", "mutates_args=()"),
        ("def f(x: int, /) -> None", "mutates_args=()"),
        ("def f(x: int) -> str", "mutates_args=()"),
        ("def f(x: int) -> tuple[str, int]", "mutates_args=()"),
        ("def f(x: torch.Tensor) -> torch.Tensor", "mutates_args=('x',), tags=torch.Tag.inplace"),
    ],
)
def test_a_function_whose_schema_cannot_be_determined_is_named(tmp_path, function, more):
    text = f'import torch\n@torch.library.custom_op("o::f", {more})\n{function}: ...\n'
    assert unread(extracted(tmp_path, ops_DOT_py=text)) == [("ops.py:2", "o::f")]


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, capture_output=True, env=environment())


def extracted(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return SOURCE.spec(str(folder), Reading(environment=os.environ))


def unread(spec):
    return [(remark.origin.place, remark.name) for remark in spec.remarks]


def test_native_functions_are_read_with_tags_and_what_torchgen_generates_of_them(tmp_path):
    path = tmp_path / native.PATH
    path.parent.mkdir(parents=True)
    path.write_text(YAML)
    spec = extracted(tmp_path)
    assert dumps(spec) == SCHEMAS
    assert {name: op.origin.line for name, op in spec.ops.items() if op.origin.line > 2} == {
        **dict.fromkeys(("aten::g_", "aten::g", "aten::g.out"), 9),
        "aten::h": 13,
    }
    assert unread(spec) == [(f"{native.PATH}:15", "aten::broken")]


def test_a_wheel_is_read_without_installing_it(tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("torchgen/packaged/ATen/native/native_functions.yaml", YAML)
        archive.writestr("torch/version.py", "__version__ = '9.8.7'\n")
    path = tmp_path / "torch.whl"
    path.write_bytes(data.getvalue())
    spec = WHEEL.spec(str(path), Reading())
    assert (dumps(spec), spec.provenance.version) == (SCHEMAS, "9.8.7")


def test_a_wheel_is_read_up_to_the_size_that_is_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "torch.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("torchgen/packaged/ATen/native/native_functions.yaml", YAML)
    monkeypatch.setattr(wheel, "_MAX_BYTES", len(YAML.encode()))
    assert dumps(WHEEL.spec(str(path), Reading())) == SCHEMAS
    monkeypatch.setattr(wheel, "_MAX_BYTES", len(YAML.encode()) - 1)
    with pytest.raises(InputError, match="is larger than"):
        WHEEL.spec(str(path), Reading())


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no wheel"])
def test_what_is_no_wheel_is_refused(tmp_path, data):
    path = tmp_path / "torch.whl"
    path.write_bytes(data)
    with pytest.raises(InputError, match="is not a wheel"):
        WHEEL.spec(str(path), Reading())


def test_registrations_in_cpp_are_read_with_their_lines(tmp_path):
    spec = extracted(tmp_path, csrc__ops_DOT_cpp=CPP)
    assert dumps(spec) == OF_CPP
    assert spec.ops["ns::two.out"].origin.place == "csrc/ops.cpp:14"
    assert unread(spec) == [("csrc/ops.cpp:18", "NAMED"), ("csrc/ops.cpp:28", "old::e")]


def test_a_function_of_another_file_gives_a_schema(tmp_path):
    spec = extracted(
        tmp_path,
        a_DOT_cpp='TORCH_LIBRARY(ns, m) { m.def("f", &n::f); }',
        b_DOT_h="namespace n { EXPORTED at::Tensor f(at::Tensor x, c10::optional<int64_t> n = c10::nullopt); }",
    )
    assert dumps(spec) == "ns::f(Tensor _0, int? _1) -> Tensor _0\n"


def test_a_file_is_read_again_where_it_or_a_function_of_another_file_changed(tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(cpp_source, "CppFile", lambda path, text: read.append(text) or CppFile(path, text))
    own, another = 'TORCH_LIBRARY(a, m) { m.def("g() -> ()"); }', 'TORCH_LIBRARY(ns, m) { m.def("f", &made); }'
    extracted(tmp_path, a_DOT_cpp=own, b_DOT_cpp=another, b_DOT_h="at::Tensor made(at::Tensor x);")
    read.clear()
    spec = extracted(tmp_path, b_DOT_h="at::Tensor made(at::Tensor x, int64_t n);")
    assert dumps(spec) == "a::g() -> ()\nns::f(Tensor _0, int _1) -> Tensor _0\n"
    assert own not in read
    assert sorted(extracted(tmp_path, a_DOT_cpp=own.replace("g()", "h()")).ops) == ["a::h", "ns::f"]


OPEN = {
    "an open call": ('m.def("a(Tensor x)', []),
    "an open file": ('m.def("a() -> ()");', ["ns::a"]),
    "crossing brackets": ('m.def("a() -> ()"}; m.def("b() -> ()");', ["ns::b"]),
    "branches with a brace each": (
        '\n#if X\n{ m.def("a() -> ()");\n#else\n{ m.def("b() -> ()");\n#endif\n}',
        ["ns::a", "ns::b"],
    ),
    "an open block before another": (
        'm.def("a() -> ()"); TORCH_LIBRARY(other, m) { m.def("b() -> ()"); }',
        ["ns::a", "other::b"],
    ),
    "a schema in many wrappers": (f'm.def({"schema(" * 3000}"a() -> ()"{")" * 3000}); ', ["ns::a"]),
    "a type in many others": (
        f'm.def("a", []({"optional<" * 3000}int64_t{">" * 3000} x) -> bool {{}}); m.def("b() -> ()");',
        ["ns::b"],
    ),
    "an open chain": ('m.def("a() -> ()"); RegisterOperators().op("b::c() -> ()").', ["ns::a", "b::c"]),
    "a name at the end": ('m.def("a() -> ()"); RegisterOperators', ["ns::a"]),
    "no UTF-8": (r'm.def("\xff() -> ()"); m.def("b() -> ()");', ["ns::b"]),
}
"""Bodies of a block whose brace is never closed, and the ops that are read of them."""


@pytest.mark.parametrize("body", OPEN)
def test_code_that_is_no_cpp_leaves_the_rest_readable(body):
    text, ops = OPEN[body]
    read = Registrations(f"TORCH_LIBRARY(ns, m) {{ {text}", "ops.cpp", Tree({})).read()
    assert [line.text.partition("(")[0] for line in read if isinstance(line, Line)] == ops


def test_definitions_in_python_are_read_and_never_run(tmp_path):
    spec = extracted(tmp_path, py__ops_DOT_py=PYTHON, broken_DOT_py="torch.library.define(", tests__t_DOT_py=PYTHON)
    assert dumps(spec) == OF_PYTHON
    assert unread(spec) == [
        ("broken.py:1", "broken.py"),
        ("py/ops.py:16", "five(Tensor x) -> Tensor"),
        ("py/ops.py:17", "torch.library.define"),
    ]


def test_a_tree_without_ops_is_reported(tmp_path):
    with pytest.raises(NothingThereError, match="no TORCH_LIBRARY"):
        extracted(tmp_path, a_DOT_cpp="int main() {}")


def test_a_tree_whose_only_block_is_dead_has_no_ops(tmp_path):
    block = 'TORCH_LIBRARY(a, m) { m.def("f(Tensor x) -> Tensor"); }'
    assert not extracted(tmp_path / "dead", a_DOT_cpp=f"#if 0\n{block}\n#endif\n").ops
    with pytest.raises(NothingThereError, match="no TORCH_LIBRARY"):
        extracted(tmp_path / "comment", a_DOT_cpp=f"// {block}\n")


def test_a_macro_that_no_build_defines_replaces_nothing(tmp_path):
    block = 'TORCH_LIBRARY(a, m) { m.def("f(Tensor x) -> Tensor"); }'
    spec = extracted(tmp_path, a_DOT_cpp=f"#if 0\n#define def(...)\n#endif\n{block}\n")
    assert spec.ops["a::f"].declared_if is None


def test_a_break_of_an_extension_is_detected_between_two_revisions_with_its_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    (tmp_path / "ops.cpp").write_text(CPP)
    git("add", ".")
    git("commit", "-q", "-m", "one")
    (tmp_path / "ops.cpp").write_text(CPP.replace("int n=1", "int n"))
    git("add", ".")
    for head in (".@:index", "."):
        code = main.main(["check", "pytorch-source:.@HEAD", f"pytorch-source:{head}", "--format", "json"])
        (finding,) = [
            finding for finding in json.loads(capsys.readouterr().out)["findings"] if finding["level"] == "error"
        ]
        place = finding["head_origin"]["file"], finding["head_origin"]["line"]
        assert (code, finding["rule"], finding["op"], place) == (
            1,
            "schema_default_removed",
            "ns::one",
            ("ops.cpp", 11),
        )


def test_init_finds_an_extension(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "ops.cpp").write_text(CPP)
    git("add", ".")
    git("commit", "-q", "-m", "one")
    assert main.main(["init"]) == 0
    assert 'source = "pytorch-source:."' in (tmp_path / "opspec-lint.toml").read_text()
