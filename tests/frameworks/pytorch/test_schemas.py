from __future__ import annotations

import json

import pytest

from opspec_lint.cli import main
from opspec_lint.frameworks.pytorch.compare.predicates import backward, forward
from opspec_lint.frameworks.pytorch.schemas.text import SchemaError, parse, show
from opspec_lint.lint.check import check
from opspec_lint.sources import recognise

CANONICAL = {
    "a::f(float e=1e-05, float o=1, float[] two=[1, 2])": "a::f(float e=1e-05, float o=1.0, float[] two=[1.0, 2.0])",
    "a::f(int n=0x2F)": "a::f(int n=0)",
    "a::f(int[2] p=0, bool[3] q=True, int r=Mean)": "a::f(int[2] p=[0, 0], bool[3] q=[True, True, True], int r=1)",
    "a::f(Scalar x=1, Scalar y=1., float? z=1)": "a::f(Scalar x=1, Scalar y=1.0, float? z=1)",
    "a::f(MemoryFormat m=contiguous_format, ScalarType? t=long)": "a::f(MemoryFormat m=0, ScalarType? t=4)",
    'a::f(str s=\'a"b\', str t="\\013")': 'a::f(str s="a\\"b", str t="\\u000b")',
    "a::f(DeviceIndex d, Dimname n, number s)": "a::f(int d, str n, Scalar s)",
    "a::f( Tensor (a | b -> c)  x , * , Tensor(d!)[] out )": "a::f(Tensor(a|b -> c) x, *, Tensor(d!)[] out)",
    "a::f(Tensor(a -> a) x, Tensor?(b)[] y, Tensor! z)": "a::f(Tensor(a) x, Tensor(b)?[] y, Tensor($0!) z)",
    "a::f(Dict(str, t)(a!) x, (int, (t, tVal)[])[] y, ...)": "a::f(Dict(str, t)(a!) x, (int, (t, tVal)[])[] y, ...)",
    "a::f(Scalar? x, float? x)": "a::f(Scalar? x, float? x)",
}
BROKEN = {
    "a::f(int x": "column 11: expected `,`, found 'the end'",
    "a::f(int x) -> () y": "column 19: expected the end of the schema, found 'y'",
    "a::f(int 5) -> ()": "column 10: expected the name of an argument, found '5) -> ()'",
    "a::f(int x=) -> ()": "column 12: expected a default value, found ') -> ()'",
    "a::f(int x=nan) -> ()": "'nan' is no default value",
    "a::f(int x=99999999999999999999) -> ()": "has more than 64 bits",
    "a::f(Dict(str) x) -> ()": "expected 2 types in Dict(...)",
    "a::f(" + "(" * 10_000 + "int" + ")" * 10_000 + " x) -> ()": "types are nested more than 64 levels deep",
    "a::f(int" + "[]" * 10_000 + " x) -> ()": "types are nested more than 64 levels deep",
    "a::f(int[99999999999] x) -> ()": "expected a size, or `]`",
    "hello": "expected a schema, `NAMESPACE::NAME(ARGUMENTS) -> RETURNS`",
}
VERDICTS = [  # head, accepted backward, accepted forward; base is the first
    ("a::f(Tensor x, int n, *, float e=1., Tensor(a!) out) -> Tensor(a!)", True, True),
    ("a::f(Tensor x, SymInt n, *, float e=1, Tensor(a!) out) -> Tensor(a!)", True, True),
    ("a::f(Tensor x, int n, *, float e=1., int k=1, Tensor(a!) out) -> Tensor(a!)", True, True),
    ("a::f(Tensor x, int n, *, float e=1., int[] k=[], Tensor(a!) out) -> Tensor(a!)", True, False),
    ("a::f(Tensor x, int n, *, float e=1., int k, Tensor(a!) out) -> Tensor(a!)", False, False),
    ("a::f(Tensor x, int n, *, float e=1., Tensor(a!) out, int k) -> Tensor(a!)", True, False),
    ("a::f(Tensor x, int n, *, Tensor(a!) out) -> Tensor(a!)", False, True),
    ("a::f(Tensor? x, int n, *, float e=1., Tensor(a!) out) -> Tensor(a!)", True, False),
    ("a::f(Tensor x, Scalar n, *, float e=1., Tensor(a!) out) -> Tensor(a!)", True, False),
    ("a::f(Tensor x, int m, *, float e=1., Tensor(a!) out) -> Tensor(a!)", False, False),
    ("a::f(Tensor x, *, int n, float e=1., Tensor(a!) out) -> Tensor(a!)", False, False),
    ("a::f(Tensor x, int n, *, float e=2., Tensor(a!) out) -> Tensor(a!)", False, False),
    ("a::f(Tensor x, int n, *, float e=1., Tensor(b!) out) -> Tensor(b!)", False, False),
    ("a::f(Tensor x, int n, *, float e=1., Tensor(a!) out) -> Tensor(a!)?", False, True),
    ("a::f(Tensor x, int n, *, float e=1., Tensor(a!) out) -> (Tensor(a!), int)", False, False),
]


@pytest.mark.parametrize("text", CANONICAL)
def test_a_schema_has_a_single_canonical_text(text):
    canonical = f"{CANONICAL[text]} -> ()"
    assert show(parse(f"{text} -> ()")) == canonical
    assert parse(canonical) == parse(f"{text} -> ()")


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_schema_is_refused_with_its_place(text):
    with pytest.raises(SchemaError) as raised:
        parse(text)
    assert BROKEN[text] in str(raised.value)


@pytest.mark.parametrize(("head", "is_backward", "is_forward"), VERDICTS)
def test_a_change_is_refused_as_the_predicates_of_pytorch_refuse_it(head, is_backward, is_forward):
    old, new = parse(VERDICTS[0][0]), parse(head)
    assert [not list(backward(old, new)), not list(forward(old, new))] == [is_backward, is_forward]


@pytest.mark.parametrize(("head", "is_backward", "is_forward"), VERDICTS)
def test_the_profile_finds_exactly_what_the_predicates_refuse(tmp_path, capsys, head, is_backward, is_forward):
    result = findings(tmp_path, capsys, VERDICTS[0][0], head)
    backwards = [finding for finding in result if finding["level"] == "error" and "backward" in finding["directions"]]
    forwards = [
        finding for finding in result if finding["level"] in ("error", "warning") and "forward" in finding["directions"]
    ]
    assert [not backwards, not forwards] == [is_backward, is_forward]


@pytest.mark.parametrize(
    ("base", "head", "direction"),
    [
        ("a::f(Tensor x, int n) -> Tensor", "a::f(Tensor x) -> Tensor", "forward"),
        ("a::f(Tensor x) -> Tensor", "a::f(Tensor x) -> int", "forward"),
        ("a::f(*, Tensor(a!) out) -> ()", "a::f(*, Tensor(a!) out, int k) -> ()", "backward"),
    ],
)
def test_the_sound_profile_closes_the_holes_of_the_predicates(tmp_path, capsys, base, head, direction):
    level = {"backward": "error", "forward": "warning"}[direction]
    for profile, closed in (("pytorch", False), ("pytorch-sound", True)):
        result = findings(tmp_path, capsys, base, head, profile)
        seen = [
            finding for finding in result if direction in finding["directions"] and finding["level"] in ("error", level)
        ]
        assert bool(seen) is closed, profile


def test_an_insertion_is_a_single_finding_and_no_move_of_what_follows(tmp_path, capsys):
    result = findings(
        tmp_path, capsys, "a::f(Tensor x, int n, int m) -> ()", "a::f(Tensor x, bool b, int n, int m) -> ()"
    )
    assert [(finding["rule"], finding["name"], finding["level"]) for finding in result] == [
        ("schema_argument_added", "b", "error")
    ]


def test_an_overload_under_another_name_is_renamed(tmp_path, capsys):
    result = findings(tmp_path, capsys, "a::f.x(Tensor x) -> ()\na::g() -> ()", "a::f.y(Tensor x) -> ()\na::g() -> ()")
    assert [(finding["rule"], finding["op"], finding["new_name"], finding["directions"]) for finding in result] == [
        ("schema_renamed", "a::f.x", "a::f.y", ["backward", "forward"])
    ]


def test_a_line_that_is_no_schema_is_reported_and_hides_no_other(tmp_path, capsys):
    result = findings(tmp_path, capsys, "a::f(int x) -> ()\na::g() -> ()", "a::f(int x -> ()\na::g(int n) -> ()")
    assert {(finding["rule"], finding["op"]) for finding in result} == {
        ("op_unresolved", "a::f"),
        ("schema_argument_added", "a::g"),
    }
    assert next(finding["head_origin"]["line"] for finding in result if finding["rule"] == "op_unresolved") == 1


def test_methods_of_custom_classes_are_distinguished_by_their_class(tmp_path, capsys):
    line = "{}(__torch__.torch.classes.q.{} _0) -> int _0\n"
    base = "".join(line.format("unpack", name) for name in ("A", "B"))
    result = findings(tmp_path, capsys, base, base.replace("B _0) -> int", "B _0) -> str"))
    assert [(finding["rule"], finding["op"]) for finding in result] == [
        ("schema_return_type_changed", "__torch__.torch.classes.q.B::unpack")
    ]


def findings(folder, capsys, base, head, profile="pytorch"):
    for name, text in (("base.txt", base), ("head.txt", head)):
        (folder / name).write_text(f"{text}\n")
    files = [str(folder / name) for name in ("base.txt", "head.txt")]
    main.main(["check", *files, "--profile", profile, "--format", "json"])
    out, err = capsys.readouterr()
    assert not err
    return json.loads(out)["findings"]


def finding_of(folder, base, head):
    """Return the message and the advice of the only finding between two schemas."""
    for name, text in (("base.txt", base), ("head.txt", head)):
        (folder / name).write_text(f"{text}\n")
    specs = [recognise.read(str(folder / name)).spec for name in ("base.txt", "head.txt")]
    (finding,) = check(*specs).findings
    return finding.message, finding.advice


@pytest.mark.parametrize(
    ("base", "head", "message", "advice"),
    [
        ("Tensor _0", "Tensor", "the return '_0' has no name any more", "keep the name '_0'"),
        (
            "Tensor",
            "Tensor y",
            "the return 0, which had no name, is now named 'y'",
            "leave the return without a name",
        ),
        ("Tensor y", "Tensor z", "the return 'y' is now named 'z'", "keep the name 'y'"),
    ],
)
def test_a_return_that_has_no_name_is_not_named_by_its_position(tmp_path, base, head, message, advice):
    assert finding_of(tmp_path, f"a::f(Tensor x) -> {base}", f"a::f(Tensor x) -> {head}") == (message, advice)


@pytest.mark.parametrize(("name", "is_inferred"), [("_1", True), ("n", False)])
def test_an_argument_of_a_c_function_needs_a_schema_string_for_its_default(tmp_path, name, is_inferred):
    _, advice = finding_of(tmp_path, "a::f(Tensor _0) -> Tensor _0", f"a::f(Tensor _0, bool {name}) -> Tensor _0")
    assert ("a schema string that gives '_1' a default value and keeps all other names" in advice) is is_inferred
