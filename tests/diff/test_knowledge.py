"""Knowledge that one side lacks: one fact for each field, and the side that decides what is extra."""

from __future__ import annotations

import pytest

from opspec_lint.diff.changes.knowledge import drop_ignored_ops
from opspec_lint.diff.knowledge import knowledge_changes
from opspec_lint.diff.specs import diff
from opspec_lint.kit.errors import InputError
from opspec_lint.lint.check import check
from opspec_lint.spec import fields
from opspec_lint.spec.model import UNKNOWN, Attr, Checkpoint, GraphVersions, Input, Op, Output, Provenance, Spec, Update
from opspec_lint.spec.notation import parse_spec

MAKE = {"ops": Op, "inputs": Input, "outputs": Output, "attrs": Attr}
VALUES = {
    "flag": True,
    "text": "t",
    "name": "n",
    "names": ("c",),
    "integer": 1,
    "number": 1.0,
    "value": 1,
    "values": (1,),
    "condition": (("c",),),
}
FIELDS = [
    (framework, section, field)
    for framework in ("paddle", "tensorflow")
    for section in fields.SECTIONS
    for field in fields.field_table(framework).fields_of(section).values()
]
every_field = pytest.mark.parametrize(
    ("framework", "section", "field"), FIELDS, ids=[f"{field[0]}-{field[1]}-{field[2].name}" for field in FIELDS]
)
every_binding = pytest.mark.parametrize("binding", ["name", "signature"])
RELEASE = GraphVersions(producer=8, min_consumer=1, min_producer=1, bad_consumers=(3,), producer_since="2024-01-01")
ANOTHER_RELEASE = {
    "producer": 9,
    "min_consumer": 2,
    "min_producer": 0,
    "bad_consumers": (4,),
    "producer_since": "2023-01-01",
}


def spec(op, **more):
    provenance = Provenance(framework=more.pop("framework", "paddle"))
    return Spec(file="s", provenance=provenance, ops={"f": op}, **more)


def op_with(section, field, value):
    """An op, of which all that there is knows every field of the model, and one thing has a value of a field."""
    messages = {} if value is UNKNOWN else {field.name: value}
    if section == "ops":
        return Op(name="f", attrs=(Attr(name="a", type="INT"),), **messages)
    known = {"type": "INT"} if section == "attrs" and field.name != "type" else {}
    return Op(name="f", **{section: (MAKE[section](name="a", **known | messages),)})


def events(base, head):
    return [(change.event, change.field) for change in diff(base, head)]


@every_field
@every_binding
def test_every_field_is_compared(framework, section, field, binding):
    """Whatever a spec file can say of ops and arguments, no change of it is passed over in silence."""
    default = "other" if field.default is fields.ALWAYS_WRITTEN else field.default
    base, head = (
        spec(op_with(section, field, value), framework=framework, binding=binding)
        for value in (default, VALUES[field.form])
    )
    assert diff(base, head)
    assert diff(head, base)


@every_field
@every_binding
def test_every_field_that_is_lost_is_a_fact(framework, section, field, binding):
    known, unknown = (
        spec(op_with(section, field, value), framework=framework, binding=binding)
        for value in (VALUES[field.form], UNKNOWN)
    )
    assert ("knowledge_lost", field.name) in events(known, unknown)
    gained = "extra_learned" if field.name == "extra" else "knowledge_gained"
    assert (gained, field.name) in events(unknown, known)


@pytest.mark.parametrize("field", GraphVersions._fields)
def test_every_number_of_a_release_is_compared(field):
    base = spec(Op(name="f"), graph_versions=RELEASE)
    head = spec(Op(name="f"), graph_versions=RELEASE.replace(**{field: ANOTHER_RELEASE[field]}))
    assert field in {item for _, item in events(base, head)}
    assert field in {item for _, item in events(head, base)}


NEW_A = Update(action="new", kind="attr", name="a", remark="r", default_value=1)
A_BUGFIX = Update(action="bugfix", remark="r", default_value=1)
ANOTHER_UPDATE = {"action": "modify", "kind": "input", "name": "b", "remark": "s", "default_value": 2}


@pytest.mark.parametrize("field", Update._fields)
def test_every_field_of_an_update_is_compared(field):
    def registered(update, note=""):
        return spec(Op(name="f"), op_versions={"f": (Checkpoint(note=note, updates=(update,)),)})

    assert diff(registered(NEW_A), registered(NEW_A.replace(**{field: ANOTHER_UPDATE[field]})))
    assert diff(registered(NEW_A), registered(NEW_A, note="n"))
    assert diff(registered(NEW_A), registered(A_BUGFIX))


NEW_B = NEW_A.replace(name="b", default_value=UNKNOWN)


@pytest.mark.parametrize(
    ("before", "after", "events"),
    [
        ((NEW_A,), (NEW_B, NEW_A), []),
        ((NEW_A, NEW_B), (NEW_B, NEW_A), []),
        ((NEW_A,), (NEW_A.replace(action="modify", default_value=UNKNOWN), NEW_A), []),
        ((NEW_A,), (NEW_A.replace(default_value=UNKNOWN), NEW_A), []),
        ((NEW_A,), (NEW_B, NEW_A.replace(default_value=UNKNOWN)), ["knowledge_lost"]),
        ((NEW_B, NEW_A.replace(default_value=UNKNOWN)), (NEW_A,), ["knowledge_gained"]),
        ((NEW_A,), (NEW_B,), []),
    ],
)
def test_updates_of_op_versions_are_paired_by_what_they_name(before, after, events):
    def registered(updates):
        return spec(Op(name="f"), op_versions={"f": tuple(Checkpoint(updates=(update,)) for update in updates)})

    result = [fact.event for fact in diff(registered(before), registered(after)) if fact.event.startswith("knowledge")]
    assert result == events


def test_every_field_of_a_spec_is_compared_or_named_here():
    """A new field of the model fails here, until it is compared or is said not to be part of the contract."""
    base = parse_spec("f(x: int) -> ()\nf(x: int, y: int) -> ()", binding=None).replace(graph_versions=RELEASE)
    base = base.replace(op_versions={"f": (Checkpoint(updates=(NEW_A,)),)})
    changed = {
        "ops": {},
        "op_versions": {},
        "binding": "name",
        "earlier": {"f": (Op(name="f"),)},
        "graph_versions": RELEASE.replace(producer=9),
        "loading": {"develop_version": 1},
    }
    of_no_contract = {"file", "provenance", "history_origins", "name_origins", "field_origins", "remarks"}
    of_no_contract |= {"build_files"}  # a lost one is a finding of its own, of `lint.lost_builds`
    assert changed.keys() | of_no_contract == set(Spec._fields)
    for field, value in changed.items():
        assert diff(base, base.replace(**{field: value})), field


@pytest.mark.parametrize(("field", "nothing"), [("op_versions", UNKNOWN), ("graph_versions", None), ("earlier", {})])
def test_what_a_spec_speaks_of_as_a_whole(field, nothing):
    earlier = (Op(name="f", inputs=(Input(name="x", type="int"),)),)
    known = spec(Op(name="f"), op_versions={}, graph_versions=RELEASE, earlier={"f": earlier}, binding="signature")
    assert events(known, known.replace(**{field: nothing})) == [("knowledge_lost", field)]
    assert events(known.replace(**{field: nothing}), known) == [("knowledge_gained", field)]


def test_the_day_of_a_release():
    known = spec(Op(name="f"), graph_versions=RELEASE)
    unknown = spec(Op(name="f"), graph_versions=RELEASE.replace(producer_since=None))
    assert events(known, unknown) == [("knowledge_lost", "producer_since")]
    assert events(unknown, known) == [("knowledge_gained", "producer_since")]


def declared(*attrs):
    return tuple(
        Op(name="f", attrs=tuple(Attr(name=name, type="int", default_value=0) for name in attr)) for attr in attrs
    )


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (("a", "ab"), ("a", "ab"), []),
        (("a", "ab"), ("a", "ab", "abc"), []),  # base's own became an earlier one
        (("a", "ab"), ("a", "abc"), []),
        (("a", "ab"), ("ab",), ["knowledge_lost"]),
        (("a", "ab"), ("b", "ab"), ["knowledge_lost"]),
        (("a", "b", "ab"), ("b", "a", "ab"), ["knowledge_lost"]),
        (("a", "b", "ab"), ("b", "ab"), ["knowledge_lost"]),
        (("a", "ab"), ("a", "b", "ab"), ["knowledge_gained"]),
        (("a", "ab"), ("a", "ab", "ab"), ["knowledge_gained"]),
        (("a", "ab"), ("a", "c", "abc"), ["knowledge_gained"]),
    ],
)
def test_earlier_declarations(base, head, expected):
    sides = []
    for attrs in (base, head):
        *earlier, last = declared(*attrs)
        sides.append(spec(last, earlier={"f": tuple(earlier)} if earlier else {}, binding="signature"))
    events = [change.event for change in diff(*sides) if change.field == "earlier"]
    assert events == expected


def test_a_single_fact_for_a_field_with_its_ops_counted():
    base = parse_spec("f(X) -> (Out) [a: INT = 0, b: INT = 0]\ng() -> () [a: INT = 0]\nh() -> () [a: INT = 0]")
    head = parse_spec("f(X) -> (Out) [a: INT = ?, b: INT = ?]\ng() -> () [a: INT = ?]\nh() -> () [a: INT = 0]")
    (change,) = diff(base, head)
    assert (change.event, change.field) == ("knowledge_lost", "default_value")
    assert change.things == (("f", "a"), ("f", "b"), ("g", "a"))
    assert change.template_values()["what"] == "`default_value` of 3 attrs of 2 ops (f, g)"
    assert (change.old, change.new) == (["f.a", "f.b", "g.a"], None)


def test_a_single_fact_for_inputs_outputs_and_attrs():
    base, head = parse_spec("f(X) -> (Out) [a: INT]"), parse_spec("f(X {extra?}) -> (Out {extra?}) [a: INT {extra?}]")
    (change,) = diff(base, head)
    assert change.template_values()["what"] == "`extra` of 3 arguments of the op 'f'"
    assert drop_ignored_ops(change, lambda op: op == "f") is None
    assert drop_ignored_ops(change, lambda op: op == "g") == change


def test_what_is_extra_does_not_have_to_be_known():
    base, head = parse_spec("f() -> () [a: INT = 0 {extra}]"), parse_spec("f() -> () [a: INT = ? {extra}]")
    assert [change.is_exempt for change in diff(base, head)] == [True]
    base, head = parse_spec("f() -> () [a: INT = 0 {extra}]"), parse_spec("f() -> () [a: INT = 0 {extra?}]")
    assert [(change.event, change.is_exempt) for change in diff(base, head)] == [("knowledge_lost", False)]


def test_an_input_of_another_name_at_the_same_place():
    base, head = (parse_spec(f"f({text}) -> ()", binding="signature") for text in ("x: T {dispensable}", "y: T"))
    head = head.replace(ops={"f": head.ops["f"].replace(inputs=(Input(name="y", type="T"),))})
    assert ("knowledge_lost", "dispensable") in events(base, head)
    by_name = [side.replace(binding="name") for side in (base, head)]
    assert ("knowledge_lost", "dispensable") not in events(*by_name)


def test_only_some_ops():
    base = parse_spec("f() -> () [a: INT = 0]\ng() -> () [a: INT = 0]")
    head = parse_spec("f() -> () [a: INT = ?]\ng() -> () [a: INT = ?]")
    assert [{op for op, _ in change.things} for change in diff(base, head, ["g"])] == [{"g"}]
    assert list(knowledge_changes(base, head, [], fields.field_table("paddle"))) == []


@pytest.mark.parametrize(
    ("base", "head", "exempt"),
    [
        # Base says of something whether it is extra: what head adds is extra if head says so
        ("f(X) -> ()", "f(X, Y {extra}) -> ()", True),
        ("f() -> ()", "f(Y {extra}) -> ()", True),
        ("f() -> () [a: INT {extra}]", "f() -> () [b: INT {extra}]", True),
        # Base does not: head's word alone excuses nothing that no model may leave out
        ("f(X {extra?}) -> ()", "f(X {extra?}, Y {extra}) -> ()", False),
        ("f(X {extra?}) -> ()", "f(X {extra?}) -> () [a: INT {extra}]", False),
        ("f(X {extra?}) -> ()", "f(X {extra?}) -> () [a: INT = 0 {extra}]", True),
        ("f(X {extra?}) -> ()", "f(X {extra?}, Y? {extra}) -> ()", True),
        ("f() -> () [dims: INTS {extra?}]", "f() -> () [axis: INTS {extra}]", False),
    ],
)
def test_what_head_adds_as_extra(base, head, exempt):
    added = [change for change in diff(parse_spec(base), parse_spec(head)) if "added" in change.event or change.halves]
    assert [halve.is_exempt for change in added for halve in (change.halves[1:] or (change,))] == [exempt] * len(added)
    assert added


def test_a_binding_that_changed():
    base = parse_spec("f(x: T, y: T) -> ()", binding="signature")
    head = parse_spec("f(y: T, x: T) -> ()", binding="name")
    assert events(base, head) == events(head, base) == [("binding_changed", "binding")]


def test_a_default_value_that_is_lost_of_an_attr_that_came_late():
    first, old = declared("", "a")
    old = old.replace(attrs=(old.attrs[0].replace(default_value=None),))
    new = old.replace(attrs=(Attr(name="a", type="int"),))
    sides = [spec(side, earlier={"f": (first,)}, binding="signature") for side in (old, new)]
    assert ("knowledge_lost", "default_value") in events(*sides)
    assert "attr_default_added_late" not in [event for event, _ in events(*sides)]


def test_a_type_that_two_fields_hold():
    """One of the fields counts, as in a signature; that the other is another is a fact all the same."""
    base, head = (
        spec(Op(name="f", inputs=(Input(name="x", type="int32", type_attr=item),)), binding="signature")
        for item in ("T", None)
    )
    for sides in ((base, head), (head, base)):
        assert events(*sides)[0] == ("argument_type_generalised", "type_attr")


def test_what_a_maker_of_specs_never_states_is_not_lost():
    spec = parse_spec("f() -> () [a: INT {support_tensor}]", framework="paddle")
    unknown = parse_spec("f() -> () [a: INT {support_tensor?}]", framework="paddle")
    printed = unknown.replace(provenance=unknown.provenance.replace(made_by="print_op_desc"))
    assert [finding.rule for finding in check(spec, unknown).findings] == ["knowledge_lost"]
    assert [finding.rule for finding in check(spec, printed).findings] == ["source_kind_changed"]
    assert [finding.rule for finding in check(printed, spec).findings] == ["source_kind_changed"]


def test_what_a_maker_of_specs_never_states_it_may_not_forget_either():
    """Head has to state a field that base states although its kind of source does not have the field."""
    output, unknown = (
        parse_spec(f"f() -> () [a: INT {{support_tensor{mark}}}]", framework="paddle") for mark in ("", "?")
    )
    base, head = (
        item.replace(provenance=item.provenance.replace(made_by="print_op_desc")) for item in (output, unknown)
    )
    assert [finding.rule for finding in check(base, head).findings] == ["knowledge_lost"]


def test_head_does_not_state_for_itself_that_it_is_of_another_kind():
    specs = [parse_spec("f() -> ()", framework="paddle") for _ in range(2)]
    base, head = (
        spec.replace(provenance=spec.provenance.replace(made_by=kind)) for spec, kind in zip(specs, KINDS, strict=True)
    )
    assert levels(check(base, head)) == {"source_kind_changed": "note"}
    assert levels(check(base, head, at_base=True)) == {"source_kind_changed": "error"}
    named = base.replace(
        provenance=base.provenance.replace(made_by=f"{KINDS[0]} of another", version="9", commit="abc")
    )
    assert levels(check(base, named, at_base=True)) == {}


def test_head_does_not_state_for_itself_that_it_is_of_another_framework():
    base = parse_spec("f(X) -> ()", framework="paddle")
    head = parse_spec("pd_op.f() -> ()", framework="paddle-pir")
    with pytest.raises(InputError, match="is a spec of paddle-pir, but base"):
        check(base, head, at_base=True)


KINDS = ("paddle-runtime", "print_op_desc")


def levels(comparison):
    return {finding.rule: finding.level for finding in comparison.findings}
