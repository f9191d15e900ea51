"""The comparison of ops that a graph binds as signatures, also with their histories."""

from __future__ import annotations

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec.notation import parse_spec

BACKWARD, FORWARD = PROFILES.load("tensorflow"), PROFILES.load("tensorflow-forward")

LEGAL = [
    ("f(x: float) -> (y: float)", "f(a: float) -> (y: float)", "argument_name_changed"),
    ("f(x: float) -> (y: float)", 'f(x: T) -> (y: float) [T: type = "float"]', "argument_type_generalised"),
    ("f(x: float) -> ()", "f(x: float, o: Ts) -> () [Ts: list(type) = []]", "input_added_dispensable"),
    ("f(x: float) -> ()", "f(x: float, o: N * float) -> () [N: int >= 0 = 0]", "input_added_dispensable"),
    ("f() -> (y: float)", "f() -> (y: float, o: Ts) [Ts: list(type) = []]", "output_added_dispensable"),
    ("f(a: T, b: T) -> () [T: type]", "f(ab: N * T) -> () [T: type, N: int >= 0 = 2]", "argument_type_generalised"),
    ('f() -> () [T: type in ["half"]]', 'f() -> () [T: type in ["half", "float"]]', "allowed_values_widened"),
    ("f() -> () [N: int >= 2]", "f() -> () [N: int >= 1]", "minimum_lowered"),
    ("f() -> ()", "f() -> () [a: int = 1]", "attr_added_with_default"),
    ("f() -> () [a: int]", "f() -> () [a: int = 1]", "attr_default_added"),
    ("f(x: Ref(T)) -> () [T: type]", "f(x: T) -> () [T: type]", "input_ref_cleared"),
    ("f() -> (y: T) [T: type]", "f() -> (y: Ref(T)) [T: type]", "output_ref_set"),
]
ILLEGAL = [
    ("f(x: float) -> ()", 'f(x: T) -> () [T: type = "half"]', ["argument_type_changed input x"]),
    ("f(x: float) -> ()", "f(x: float, y: float) -> ()", ["input_added_not_dispensable input y"]),
    ("f(x: float) -> ()", "f(x: float, o: N * float) -> () [N: int >= 0 = 1]", ["input_added_not_dispensable input o"]),
    ("f(x: float, y: half) -> ()", "f(y: half) -> ()", ["input_removed input x"]),
    ("f(x: float, y: half) -> ()", "f(y: half, x: float) -> ()", ["argument_order_changed input x"]),
    ("f(x: float, y: half) -> ()", "f(a: float, y: int32) -> ()", ["argument_type_changed input y"]),
    ("f() -> (y: float)", "f() -> (z: float)", ["output_renamed output y"]),
    ("f() -> (y: float)", "f() -> ()", ["output_removed output y"]),
    ("f(x: float) -> ()", "f(x: Ref(float)) -> ()", ["input_ref_set input x"]),
    ("f() -> (y: Ref(float))", "f() -> (y: float)", ["output_ref_cleared output y"]),
    ("f() -> () [a: int]", "f() -> ()", ["attr_removed attr a"]),
    ("f() -> () [a: float = 0.0]", "f() -> () [a: float = -0.0]", ["attr_default_changed attr a"]),
    ("f(x: Ts) -> () [Ts: list(type)]", "f(x: Ns) -> () [Ns: list(type)]", ["attr_renamed attr Ts"]),
    (
        "f(x: N * float) -> () [N: int]",
        "f(x: Ts) -> () [N: int, Ts: list(type) = []]",
        ["argument_type_changed input x"],
    ),
]


def errors(base, head, policy=BACKWARD):
    specs = [parse_spec(text, binding="signature") for text in (base, head)]
    findings = judge(diff(*specs), policy, framework="tensorflow", in_order=True)
    return [f"{finding.rule} {finding.kind} {finding.name}" for finding in findings if finding.level == "error"]


@pytest.mark.parametrize(("base", "head", "event"), LEGAL)
def test_what_tensorflow_takes_is_a_note_and_an_error_forward(base, head, event):
    changes = diff(*(parse_spec(text, binding="signature") for text in (base, head)))
    assert event in {change.event for change in changes}
    assert errors(base, head) == []
    if event != "argument_name_changed":
        assert errors(base, head, FORWARD)


@pytest.mark.parametrize(("base", "head", "expected"), ILLEGAL)
def test_what_tensorflow_refuses_is_an_error_that_names_it_first(base, head, expected):
    assert errors(base, head)[: len(expected)] == expected


def test_inputs_of_the_same_type_that_changed_places_are_a_warning_as_tensorflow_does_not_see_it():
    base, head = (parse_spec(text, binding="signature") for text in ("f(x: T, y: T) -> ()", "f(y: T, x: T) -> ()"))
    (finding,) = judge(diff(base, head), BACKWARD)
    assert (finding.rule, finding.level) == ("arguments_swapped", "warning")
    assert "the framework's own check does not notice" in finding.message


def test_a_count_beyond_reason_takes_no_memory():
    assert errors("f() -> ()", "f(x: N * float) -> () [N: int >= 0 = 2000000000]")
    assert not errors("f() -> ()", "f(x: N * float) -> () [N: int >= 0 = 1099511627776]")  # 0 in 32 bits


HISTORY = [
    # Every declaration is looked at, not only the last.
    (
        'f() -> () [T: type in ["half"]]\nf() -> () [T: type in ["float"]]',
        'f() -> () [T: type in ["float", "int8"]]',
        ["allowed_values_narrowed attr T"],
    ),
    ("f() -> () [a: int]\nf() -> ()", "f() -> () [b: int = 1]", ["attr_removed attr a"]),
    # A default value counts against the last one alone.
    ("f() -> () [a: int = 1]\nf() -> () [a: int = 2]", "f() -> () [a: int = 2, b: int = 1]", []),
    ("f() -> () [a: int = 1]\nf() -> () [a: int = 2]", "f() -> () [a: int = 1]", ["attr_default_changed attr a"]),
    # An attr that came after the first one must not get its default value late.
    ("f() -> ()\nf() -> () [a: int]", "f() -> () [a: int = 1]", ["attr_default_added_late attr a"]),
    ("f() -> () [a: int]\nf() -> () [a: int, b: int = 1]", "f() -> () [a: int = 1, b: int = 1]", []),
    # What is declared as it was last is not looked at; attrs are bound by name, so their order is nothing new.
    ("f() -> ()\nf() -> () [a: int, b: int]", "f() -> () [b: int, a: int]", []),
    ('f() -> () [T: type in ["half"]]\nf() -> () [T: type in ["float"]]', 'f() -> () [T: type in ["float"]]', []),
]


@pytest.mark.parametrize(("base", "head", "expected"), HISTORY)
def test_against_a_history(base, head, expected):
    assert errors(base, head) == expected


@pytest.mark.parametrize(
    ("first", "last", "event"),
    [
        ("f() -> ()", "f(x: float) -> ()", "input_added_not_dispensable"),
        ("f() -> ()", "f() -> (y: float)", "output_added_not_dispensable"),
        ("f(x: float) -> ()", "f() -> ()", "input_removed"),
        ("f() -> (y: float)", "f() -> ()", "output_removed"),
        ("f() -> (y: float)", "f() -> (z: float)", "output_renamed"),
        ("f(x: float) -> ()", "f(x: int32) -> ()", "argument_type_changed"),
        ("f(x: float, y: int32) -> ()", "f(y: int32, x: float) -> ()", "argument_order_changed"),
        ("f(x: float) -> ()", "f(x: Ref(float)) -> ()", "input_ref_set"),
        ("f() -> (y: Ref(float))", "f() -> (y: float)", "output_ref_cleared"),
        ("f() -> () [a: int]", "f() -> () [a: float]", "attr_type_changed"),
        ("f() -> () [a: int >= 1]", "f() -> () [a: int >= 2]", "minimum_raised"),
        ("f() -> ()", "f() -> () [a: int]", "attr_added_without_default"),
    ],
)
def test_what_base_broke_before_head_still_counts_against_the_first_declaration(first, last, event):
    base = parse_spec(f"{first}\n{last}", binding="signature")
    more = f"{last[:-1]}, z: int = 1]" if last.endswith("]") else f"{last} [z: int = 1]"
    head = parse_spec(more, binding="signature")
    assert [fact.event for fact in diff(base, head) if fact.remark] == [event]


def test_a_finding_states_against_which_declaration_it_is():
    base = parse_spec("f() -> () [a: int]\nf() -> ()\nf() -> () [c: int = 1]", binding="signature")
    head = parse_spec("f() -> () [b: int = 1, c: int = 1]", binding="signature")
    (finding,) = (finding for finding in judge(diff(base, head), BACKWARD) if finding.level == "error")
    assert finding.message == "the attr 'a' was removed, counted from the declaration 2 versions before base's"


@pytest.mark.parametrize("name", ["_Internal", "ExperimentalMap", "io_experimental"])
def test_internal_and_experimental_ops_are_exempt_from_the_public_profile(name):
    base, head = (
        parse_spec(f"{name}(x: T) -> ()\nf(x: T) -> ()", binding="signature"),
        parse_spec("g() -> (y: T)", binding="signature"),
    )
    levels = {finding.op: finding.level for finding in judge(diff(base, head), PROFILES.load("tensorflow-public"))}
    assert (levels[name], levels["f"]) == ("note", "error")


def test_a_number_whose_default_is_none_is_no_number():
    base = parse_spec("f(x: N * float) -> ()", binding="signature")
    head = parse_spec("f(x: N * float) -> () [N: int = 1]", binding="signature")
    (attr,) = head.ops["f"].attrs
    odd = head.replace(ops={"f": head.ops["f"].replace(attrs=(attr.replace(default_value=(1, 2)),))})
    assert diff(base, odd)
