"""The inputs, outputs, attrs and default values that `--fix=unsafe` restores in C++ and YAML."""

from __future__ import annotations

import pytest

from tests.support.fixing import Fixing, changed, fixed
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS
from tests.support.trees.paddle_yaml import TREE, YAML, entry

FILE = f"{OPERATORS}/f_op.cc"
X = 'AddInput("X", "an input; of f");'
MASK = 'AddInput("Mask", "").AsDispensable();'
OUT = 'AddOutput("Out", "");'
SIZE = """// How large it is.
    AddAttr<int>("size", "of (it)")
        .SetDefault(3)
        .AddCustomChecker([](const int& size) { PADDLE_ENFORCE_GT(size, 0); });"""
NAME = 'AddAttr<std::string>("name", "");'
SCOPE = 'AddOutput(FOp::kScope, "");'


def cpp(*statements):
    code = CLASS.format(name="FOpMaker", body="\n    ".join(statements))
    kernel = "class FOp : public framework::OperatorWithKernel {};\n"
    constant = 'const char FOp::kScope[] = "Scope";\n'
    second = CLASS.format(name="GOpMaker", body="\n    ".join((X, OUT)))
    registered = "REGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\nREGISTER_OPERATOR(g, ops::FOp, ops::GOpMaker);\n"
    return BASE | {FILE: f"{kernel}{constant}{second}{code}\n{registered}"}


def yaml(args, output="Tensor(out)"):
    return BASE | TREE | {f"{YAML}/ops.yaml": entry(args=args, output=output)}


def repaired(tmp_path, base, head, rule):
    """Return the findings of a rule, and head after their fixes."""
    trying = Fixing(tmp_path, "paddle-source")
    broken = [finding for finding in trying.findings(base, head) if finding.rule == rule]
    assert [fix.safety for finding in broken for fix in finding.fixes] == ["unsafe"]
    after = fixed(head, broken)
    assert not [finding for finding in trying.findings(base, after) if finding.rule == rule]
    return after


@pytest.mark.parametrize(
    ("rule", "gone"),
    [
        ("input_removed", X),
        ("input_removed", MASK),
        ("output_removed", OUT),
        ("output_removed", SCOPE),
        ("attr_removed", NAME),
    ],
)
def test_a_statement_is_restored_where_it_was(tmp_path, rule, gone):
    statements = (X, MASK, OUT, SCOPE, SIZE, NAME)
    base, head = cpp(*statements), cpp(*(statement for statement in statements if statement != gone))
    assert repaired(tmp_path, base, head, rule) == base


def test_a_statement_next_to_names_by_constants_is_restored(tmp_path):
    base, head = cpp(SCOPE, NAME), cpp(SCOPE)
    assert repaired(tmp_path, base, head, "attr_removed") == base


def test_a_statement_of_several_lines_is_restored_without_its_comment(tmp_path):
    base, head = cpp(X, OUT, SIZE, NAME), cpp(X, OUT, NAME)
    restored = base[FILE].replace("    // How large it is.\n", "")
    assert repaired(tmp_path, base, head, "attr_removed")[FILE] == restored


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(cpp(X, OUT), id="restored"),
        pytest.param({path: text.replace("FOpMaker", "NewMaker") for path, text in cpp(X, OUT).items()}, id="renamed"),
    ],
)
def test_a_statement_is_restored_only_into_the_class_it_was_in(tmp_path, head):
    trying = Fixing(tmp_path, "paddle-source")
    (finding,) = [broken for broken in trying.findings(cpp(X, MASK, OUT), head) if broken.rule == "input_removed"]
    assert bool(finding.fixes) is ("FOpMaker" in head[FILE])


def test_a_default_value_in_cpp_is_restored(tmp_path):
    base = cpp(X, OUT, SIZE)
    head = {path: text.replace("\n        .SetDefault(3)", "") for path, text in base.items()}
    assert '"of (it)").SetDefault(3)\n' in repaired(tmp_path, base, head, "attr_default_removed")[FILE]


@pytest.mark.parametrize(
    ("kind", "zero"),
    [("int", "0"), ("bool", "false"), ("float", "0.0f"), ("std::string", '""'), ("std::vector<int>", "{}")],
)
def test_a_new_attr_in_cpp_gets_the_zero_of_its_type(tmp_path, kind, zero):
    new = f'AddAttr<{kind}>("new", "")\n        .AddCustomChecker([](const int&) {{ return; }});'
    after = repaired(tmp_path, cpp(X, OUT), cpp(X, OUT, new), "attr_added_without_default")
    assert f'("new", "").SetDefault({zero})\n' in after[FILE]


ARGS = "(Tensor x, Tensor y, int[] a = {1, 2}, float b = 1.0f, bool c = true)"
OUTPUT = "Tensor(out), Tensor(mask){x.size()}"


@pytest.mark.parametrize(
    ("rule", "args", "output"),
    [
        ("input_removed", ARGS.replace("Tensor y, ", ""), OUTPUT),
        ("input_removed", ARGS.replace("Tensor x, ", ""), OUTPUT),
        ("attr_removed", ARGS.replace(", int[] a = {1, 2}", ""), OUTPUT),
        ("attr_removed", ARGS.replace(", bool c = true", ""), OUTPUT),
        ("attr_default_removed", ARGS.replace(" = 1.0f", ""), OUTPUT),
        ("attr_default_removed", ARGS.replace(" = {1, 2}", ""), OUTPUT),
    ],
)
def test_arguments_and_default_values_of_an_entry_are_restored(tmp_path, rule, args, output):
    base, head = yaml(ARGS, OUTPUT), yaml(args, output)
    assert repaired(tmp_path, base, head, rule) == base


@pytest.mark.parametrize(
    ("new", "zero"),
    [("int d", "0"), ("str d", '""'), ("int[] d", "{}"), ("Scalar(double) d", "0"), ("IntArray d", "{}")],
)
def test_a_new_attr_of_an_entry_gets_the_zero_of_its_type(tmp_path, new, zero):
    after = repaired(tmp_path, yaml(ARGS), yaml(f"{ARGS[:-1]}, {new})"), "attr_added_without_default")
    assert changed(yaml(ARGS), after) == {f"{YAML}/ops.yaml"}
    assert f", {new} = {zero})" in after[f"{YAML}/ops.yaml"]
