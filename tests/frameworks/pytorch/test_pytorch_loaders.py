from __future__ import annotations

import json

import pytest

from opspec_lint.frameworks.pytorch.framework import EXPORT_LAYOUTS, EXPORT_SCHEMA, OPERATOR_VERSION, UPGRADERS
from opspec_lint.models.audit import audit_model
from opspec_lint.models.loader import LoadOptions
from opspec_lint.models.recognise import read_model
from opspec_lint.sources import recognise
from opspec_lint.sources.libraries import Libraries
from tests.support.models.pytorch_models import exported, node, program, tensor, zipped

TORCHSCRIPT = "prim::Print(...) -> ()\n"


LIMITS = {OPERATOR_VERSION: 10, EXPORT_SCHEMA: (8, 20), EXPORT_LAYOUTS: ("flat", "pt2")}


def release(text, **loading):
    loading = {**LIMITS, **loading}
    return recognise.spec_of(recognise.document_of(text.encode(), "schemas.txt")).replace(loading=loading)


def audited(tmp_path, data, spec):
    path = tmp_path / "m.pt"
    path.write_bytes(data)
    (report,) = audit_model(read_model(str(path)), [("spec", spec)], (), LoadOptions())
    return report.verdict, [(finding.rule, finding.op, finding.name) for finding in report.findings], report


def scripted(body, version="10"):
    text = f"class M(Module):\n  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    {body}\n"
    return archived({"m/code/__torch__.py": text, "m/.data/version": version})


def archived(entries):
    records = {"m/data.pkl": b"", "m/constants.pkl": b"", "m/version": "3"}
    return zipped({name: data for name, data in {**records, **entries}.items() if data is not None})


MAIN = "m/code/__torch__.py"
CODE = """class M(Module):
  part : __torch__.nn.Part
  kind : __torch__.Kind
  registered : __torch__.torch.classes.quantized.Packed
  def forward(self: __torch__.M,
    x: Tensor) -> Tensor:
    _0 = (self.part).forward(x, )
    _1 = torch.eq(self.kind, __torch__.Kind.one)
    print("__torch__.NotCode", '\\d', inf, -nan, 1., 0.+1.j)  # __torch__.NotCode
    return __torch__.helper(_0, )
class Kind(Enum):
  one = 1
class Plain:
  def f(self: __torch__.Plain) -> None:
    return None
def helper(x: Tensor) -> Tensor:
  return torch.f(x)
"""
PART = """class Part(Module):
  def forward(self: __torch__.nn.Part,
    x: Tensor) -> Tensor:
    return torch.f(x)
"""
WHOLE = {MAIN: CODE, "m/code/__torch__/nn.py": PART}


def edited(old, new):
    assert old in CODE
    return {MAIN: CODE.replace(old, new)}


@pytest.mark.parametrize(
    ("entries", "problems"),
    [
        ({}, []),
        ({"m/version": None}, ["it has no 'version'"]),
        ({"m/version": None, "m/.data/version": "10"}, []),
        ({"m/data.pkl": None, "m/constants.pkl": None}, ["it has no 'data.pkl'", "it has no 'constants.pkl'"]),
        ({"m/data.pkl": None, "m/model.json": "{}"}, []),
        ({"m/code/__torch__/nn.py": None}, ["its code does not define '__torch__.nn.Part'"]),
        (edited("class M(", "class N("), ["its code does not define '__torch__.M'"]),
        (edited("def helper", "def other"), ["its code does not define '__torch__.helper'"]),
        (edited("    return __torch__", "    return $ __torch__"), ["line 10: "]),
        (edited("    return __torch__", "   return __torch__"), ["line 10: "]),
        (edited("_0, )\n", "_0, (\n"), ["line 10: "]),
        (edited("inf,", '"inf,'), ["line 9: "]),
        ({MAIN: CODE + "x = 1\n"}, [f"'{MAIN}' is no TorchScript: line 18: neither a class nor a function"]),
        ({MAIN: "\x01\x02 no code $(", "m/code/__torch__/nn.py": "\0"}, ["line 1: ", "null bytes"]),
        ({MAIN: "", "m/code/__torch__/nn.py": ""}, ["its code defines no class, so that it has no module"]),
        ({MAIN: CODE.replace("torch.f(x)", "torch.f(" + "(" * 5000 + "x" + ")" * 5000 + ")")}, []),
    ],
)
def test_an_archive_that_torch_cannot_read_is_refused_whatever_its_ops_are(tmp_path, entries, problems):
    spec = release("aten::f(Tensor x) -> Tensor\naten::eq(Any a, Any b) -> bool\n")
    verdict, _, result = audited(tmp_path, archived(WHOLE | entries), spec)
    refused = [finding.message for finding in result.findings if finding.rule == "model_header"]
    assert [problem in message for problem, message in zip(problems, refused, strict=True)] == [True] * len(problems)
    assert (verdict == "refused") is bool(problems)


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        ("torch.f(x, 1)", "loads"),
        ("torch.f(x, n=1)", "loads"),
        ("torch.f(x, [1, 2], )", "loads"),
        ('torch.f(x, "1), (")', "loads"),
        ("torch.f(x, '#,', mode='a')", "loads"),
        ("torch.f(torch.g(x), (1, 2), mode=torch.g(x))", "loads"),
        ("torch.f(x)", "refused"),
        ("torch.f(x, 1, 2)", "refused"),
        ("torch.f(x, m=1)", "refused"),
        ("torch.f(x, 1, n=1)", "refused"),
        ("torch.two(x)", "loads"),
        ("torch.two(x, 1)", "loads"),
        ("torch.two(x, 1, 2)", "refused"),
        ("torch.gone(x)", "refused"),
        ("ops.other.f(x)", "cannot_tell"),
        ("torch.any_number(x, 1, 2, 3)", "loads"),
    ],
)
def test_a_call_needs_an_overload_that_takes_it(tmp_path, call, verdict):
    spec = release(
        "aten::f(Tensor x, int n, *, str mode='a') -> Tensor\naten::g(Tensor x) -> Tensor\n"
        "aten::two(Tensor x) -> Tensor\naten::two.n(Tensor x, int n) -> Tensor\naten::any_number(...) -> Tensor\n"
        + TORCHSCRIPT
    )
    assert audited(tmp_path, scripted(f"return {call}"), spec)[0] == verdict


def test_an_archive_is_upgraded_by_its_version(tmp_path):
    upgraders = {UPGRADERS: {"aten::f": (("f_0_3", "aten::f(Tensor x, int old) -> Tensor", 4),)}, OPERATOR_VERSION: 10}
    spec = release("aten::f(Tensor x, *, int? new=None) -> Tensor\n" + TORCHSCRIPT, **upgraders)
    verdicts = [audited(tmp_path, scripted("return torch.f(x, 1)", version), spec)[0] for version in ("3", "4")]
    assert verdicts == ["loads", "refused"]


def test_an_archive_of_a_newer_version_is_refused(tmp_path):
    spec = release("aten::f(Tensor x) -> Tensor\n" + TORCHSCRIPT, **{OPERATOR_VERSION: 9})
    verdict, result, _ = audited(tmp_path, scripted("return torch.f(x)", "10"), spec)
    assert (verdict, result) == ("refused", [("model_graph_version", None, "version")])


def test_a_spec_of_native_functions_cannot_tell_of_ops_of_torchscript(tmp_path):
    spec = release("aten::f(Tensor x) -> Tensor\n")
    bodies = ("torch.len(x)", "ops.prim.Print(x)", "torch.f(x, 1)", "torch.f(x)", "torch.gone(x)")
    verdicts = [audited(tmp_path, scripted(f"return {body}"), spec)[0] for body in bodies]
    assert verdicts == ["cannot_tell", "cannot_tell", "cannot_tell", "loads", "refused"]


@pytest.mark.parametrize(
    ("schema", "verdict", "faults"),
    [
        ("aten::f.x(Tensor self, int n=1) -> Tensor", "loads", []),
        ("aten::f.x(Tensor self) -> Tensor", "changed", [("model_input_unknown", "n")]),
        ("aten::f.x(Tensor self, int n, int m) -> Tensor", "refused", [("model_input_missing", "m")]),
        ("aten::f.x(Tensor self, int n, *, int m) -> Tensor", "fails_at_run", [("model_input_missing", "m")]),
        ("aten::f.y(Tensor self, int n) -> Tensor", "refused", [("model_op_unknown", None)]),
        ("other::f.x(Tensor self, int n) -> Tensor", "cannot_tell", [("model_not_judged", "aten::f.x")]),
    ],
)
def test_a_program_of_export_names_overloads_and_arguments(tmp_path, schema, verdict, faults):
    made = exported(program(node("torch.ops.aten.f.x", {"self": tensor("x"), "n": {"as_int": 1}})))
    result = audited(tmp_path, made, release(schema + "\n"))
    assert (result[0], [(rule, name) for rule, _, name in result[1]]) == (verdict, faults)


@pytest.mark.parametrize(
    ("limits", "verdict", "named"),
    [
        ({}, "loads", None),
        ({EXPORT_SCHEMA: (5, 3)}, "refused", "schema_version"),
        ({EXPORT_SCHEMA: None}, "cannot_tell", "schema_version"),
        ({EXPORT_LAYOUTS: ("flat",)}, "refused", "layout"),
        ({EXPORT_LAYOUTS: None}, "cannot_tell", "layout"),
    ],
)
def test_a_release_reads_programs_of_its_own_format(tmp_path, limits, verdict, named):
    made = exported(program(node("torch.ops.aten.f", {"self": tensor("x")})))
    spec = release("aten::f(Tensor self) -> Tensor\n")
    stated = {key: value for key, value in {**spec.loading, **limits}.items() if value is not None}
    result = audited(tmp_path, made, spec.replace(loading=stated))
    assert (result[0], [name for _, _, name in result[1]]) == (verdict, [named] if named else [])


def test_the_old_layout_of_a_program_has_a_version(tmp_path):
    old = program(node("torch.ops.aten.f", {"self": tensor("x")}), schema_version={"major": 5, "minor": 3})
    made = zipped({"serialized_exported_program.json": json.dumps(old), "version": "5.3"})
    text = "aten::f(Tensor self) -> Tensor\n"
    specs = release(text), release(text, **{EXPORT_SCHEMA: (5, 1), EXPORT_LAYOUTS: ("flat",)})
    assert [audited(tmp_path, made, spec)[0] for spec in specs] == ["refused", "loads"]


def test_a_limit_that_a_spec_does_not_state_is_named(tmp_path):
    spec = release("aten::f(Tensor x) -> Tensor\n" + TORCHSCRIPT).replace(loading={})
    verdict, _, result = audited(tmp_path, scripted("return torch.f(x)", "99"), spec)
    assert verdict == "cannot_tell"
    assert "does not state the newest version" in result.findings[0].message


def test_the_ops_of_an_extension_are_added_to_a_release(tmp_path):
    body = scripted("return ops.mine.twice(x)")
    spec = release(TORCHSCRIPT)
    verdict, _, result = audited(tmp_path, body, spec)
    assert (verdict, "--library" in result.findings[0].advice) == ("cannot_tell", True)
    library = release("mine::twice(Tensor x) -> Tensor\n")
    assert audited(tmp_path, body, Libraries([("dump", library)]).added_to(spec))[0] == "loads"


@pytest.mark.parametrize(
    ("plain", "of_cuda", "script", "program_"),
    [
        ("Tensor self, int n", "Tensor self, int n", "loads", "loads"),
        ("Tensor self, int n", "Tensor self, int n, int m=1", "loads", "loads"),
        ("Tensor self, int n", "Tensor self", "cannot_tell", "cannot_tell"),
        ("Tensor self, int n, int m", "Tensor self, int n", "cannot_tell", "cannot_tell"),
        ("Tensor self, int n, int m", "Tensor self, int n, int k", "refused", "refused"),
    ],
)
def test_audit_judges_calls_by_build(tmp_path, plain, of_cuda, script, program_):
    spec, cuda = (release(f"aten::f.x({arguments}) -> Tensor\n{TORCHSCRIPT}") for arguments in (plain, of_cuda))
    spec = spec.replace(ops={**spec.ops, "aten::f.x [cuda.cpp]": cuda.ops["aten::f.x"]})
    exporting = exported(program(node("torch.ops.aten.f.x", {"self": tensor("x"), "n": {"as_int": 1}})))
    for data, expected in ((scripted("return torch.f(x, 1)"), script), (exporting, program_)):
        verdict, _, result = audited(tmp_path, data, spec)
        assert verdict == expected
        assert [("cuda.cpp" in finding.message) for finding in result.findings] == (
            [] if verdict == "loads" else [verdict == "cannot_tell"]
        )
