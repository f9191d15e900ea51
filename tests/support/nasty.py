"""Reports with everything that a spec from an untrusted pull request could hold; every reporter renders them all."""

from __future__ import annotations

import pytest

from opspec_lint.fixes.fix import Fix
from opspec_lint.fixes.text_file import TextFile
from opspec_lint.lint import check as pipeline
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Approval, Comparison, Finding, Proven, Report, Side, Waived
from opspec_lint.spec.model import Attr, Checkpoint, Input, Op, Origin, Output, Provenance, Spec, Update
from opspec_lint.spec.values import NAN
from tests.support.findings import event_of

TEXTS = (
    "two\nlines\r\nand a return\rand a tab\t.",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b31m \x00 \x7f \x08",
    "100 % %s %(op)s {op} {0} {{",
    "::error file=a,line=1::title%0A##[group]::set-output name=a::b",
    "<script>alert('1')</script> & \"quoted\" <!-- --> ]]>",
    "größe 層 🙂 e\u0301 \u202e right to left \u2028 line \u2029 paragraph \u0085 next \ufeff mark",
    "lone \ud800 surrogates \udfff",
    "| a | table | `code` *bold* [link](https://example.com) \\ # - >",
    "long " * 400,
    "unbroken" * 400,
    " ",
    "",
    "a line may break here: ::warning::x" * 20,
)
PROFILES_OF_TEXTS = ("paddle", "paddle-2021", "strict")
NESTED = [1, [2, {"a": [3, {"float": "NaN"}]}], TEXTS[1]]


def side(text, ops=3):
    return Side(file=text, provenance=Provenance(framework=text or "paddle", version=text, commit=text), ops=ops)


def finding(text, **fields):
    """Return a finding that says the same nasty thing everywhere."""
    every = {
        "rule": "attr_default_changed",
        "level": "error",
        "directions": ("backward",),
        "kind": "attr",
        "op": text,
        "name": text,
        "field": "default_value",
        "old": text,
        "new": [text],
        "message": text or "nothing",
        "breaks": text or "nothing",
        "advice": text or "nothing",
    }
    return Finding(**{"event": event_of((every | fields)["rule"]), **every, **fields})


def fix(text):
    """Return a fix of a file whose name, lines and new text are nasty, but can occur in a file."""
    plain = text.encode(errors="replace").decode()
    file = TextFile(plain or "f", f"a\n{plain}\nb".encode())
    edits = (file.edit(2, 2 + len(plain), plain + "\n"), file.edit(0, 0, f"{plain}\n```\n"))
    return Fix(description=text, safety="safe", edits=edits)


def kinds(text):
    """One finding of every kind, and of everything else that a reporter could treat in its own way."""
    added = {"dispensable": False, "quant": True}
    renamed = {"new_name": text + "x", "confidence": 0.75, "field": None}
    concerns_all = {"op": None, "name": None, "field": None, "old": None, "new": None}
    return [
        finding(text),
        finding(text, fixes=(fix(text),)),
        finding(text, old={"float": "NaN"}, new={"float": "-Infinity"}),
        finding(text, proofs=(Proven(verdict="confirmed", direction="backward", loaded_by=text, reason=text),)),
        finding(text, old=NESTED, new=[1, [2, {"a": []}], text]),
        finding(text, old=list(range(50)), new=[]),
        finding(text, old={text: text}, new={text: None}),
        finding(text, field="type", old=text, new="INTS", rule="attr_type_changed"),
        finding(text, field="extra", old=False, new=True, rule="extra_set", directions=(), level="note"),
        finding(text, kind="input", field=None, old={}, new=None, rule="input_removed", level="warning"),
        finding(text, kind="input", field=None, old=None, new=added, rule="input_added_not_dispensable", review=text),
        finding(text, kind="output", field=None, old=None, new={}, rule="output_added_not_dispensable", review="slim"),
        finding(text, field=None, old=None, new={"default_value": text}, rule="attr_added_with_default", review=text),
        finding(text, kind="input", old={"name": text}, new=added, rule="input_renamed", **renamed),
        finding(text, kind="output", old={}, new=added, rule="output_moved", **renamed),
        finding(text, kind="op", field=None, old=None, new=None, rule="op_removed"),
        finding(text, kind="registration", field=text, old=None, new=None, rule="op_version_names_nothing"),
        finding(text, kind="registration", **concerns_all, rule="op_version_unknown", level="warning"),
        finding(text, kind="source", **concerns_all, rule="op_unresolved"),
        finding(text, kind="waiver", **concerns_all, rule="waiver_unused", directions=()),
        finding(text, base_origin=Origin(file=text, line=1, column=2), head_origin=Origin(file=text, line=10**9)),
        finding(text, base_origin=Origin(file=text), directions=("forward",), rule="attr_default_removed", new=None),
        finding(text, also=(text, "b.json", text)),
        *waived_kinds(text),
    ]


def waived(text, *, new=False):
    return Waived(reason=text, owner=text, expires=text, is_new=new)


def waived_kinds(text):
    """Waived findings of every level, by waivers new and old; and one by a waiver without an end."""
    return [
        finding(text, waived=waived(text)),
        finding(text, waived=waived(text, new=True), also=(text,)),
        finding(text, level="warning", rule="attr_default_removed", waived=waived(text)),
        finding(text, level="note", rule="attr_default_added", waived=waived(text, new=True), directions=()),
        finding(text, kind="op", field=None, old=None, new=None, rule="op_removed", waived=waived(text), review=text),
        finding(text, kind="input", old=None, new={"quant": True}, field=None, waived=waived(text), review=text),
        finding(text, kind="op", rule="op_removed", field=None, waived=Waived(reason=text, owner=text)),
    ]


def approved_kinds(text):
    """Return findings that a team has approved, or has not, though it was asked."""
    some = text or "somebody"
    added = {"kind": "input", "old": None, "new": {"quant": True}, "field": None, "review": some}
    return [
        finding(text, **added, approval=Approval(by=(some,))),
        finding(text, **added, level="warning", rule="attr_added_with_default", approval=Approval(by=(some, some))),
        finding(text, **added, approval=Approval(by=(some,)), waived=waived(text, new=True)),
        finding(text, **added, rule="attr_removed", approval=Approval(problem=text)),
    ]


def general(text):
    """Return findings that concern no pair of specs: about files that came or went, the policy, and waivers."""
    none = {"op": None, "field": None, "old": None, "new": None, "directions": ()}
    return [
        finding(text, kind="source", rule="spec_removed", **none),
        finding(text, kind="source", rule="spec_removed", **none, base_origin=Origin(file=text, line=7)),
        finding(text, kind="source", rule="spec_added", level="note", **none, head_origin=Origin(file=text, line=1)),
        finding(text, kind="config", rule="policy_changed", level="warning", **none, review=text),
        finding(text, kind="waiver", rule="waiver_expired", **none, head_origin=Origin(file=text, line=3, column=5)),
        finding(text, kind="waiver", rule="waiver_unused", level="warning", **none | {"name": None}),
        finding(text, kind="source", rule="spec_removed", **none, waived=waived(text, new=True)),
    ]


def comparison(text, findings, **fields):
    every = {"base": side(text), "head": side(text, ops=1), "profile": text or "paddle", "findings": tuple(findings)}
    return Comparison(**every | fields)


def report(text, *, findings):
    return Report(comparisons=(comparison(text, findings),))


def several(text):
    """Return a report of all that there can be: several comparisons, general findings, a base, files that stay."""
    return Report(
        base=text,
        general=tuple(general(text)),
        comparisons=(
            comparison(text, kinds(text), ignored=3),
            comparison(text, [finding(text), finding(text, level="note")], base=side("old" + text), only=(text,)),
            comparison(text, [], only=(text, text)),
            comparison(text, waived_kinds(text), head=side("new" + text), ignored=1),
        ),
        unchanged=(text, text),
    )


def spec(text, *, old):
    """Return a spec whose every name and value is nasty; the two sides differ in everything that a rule could judge."""
    provenance = Provenance(framework="paddle", version=text)
    twin = text + "y"
    flags = dict.fromkeys(("duplicable", "dispensable", "intermediate", "extra", "quant"), old)
    ops = [
        Op(
            name=text,
            inputs=(Input(name=text, **flags), *([Input(name=twin, dispensable=True)] if old else [])),
            outputs=(
                Output(name=text + ("o" if old else "n")),
                *([] if old else [Output(name=twin, dispensable=True)]),
            ),
            attrs=(
                Attr(
                    name=text,
                    type="STRINGS" if old else text,
                    default_value=(text, ((NAN, 1 if old else 2),)),
                    allowed_values=(text,) if old else (text, twin),
                    minimum=2 if old else 1,
                    maximum=2.5 if old else 3.5,
                    generated=old,
                ),
                Attr(name=f"{text}{old}", type="STRING", default_value=text),
                Attr(name=twin, default_value=float("inf") if old else NAN, extra=not old),
            ),
            deprecation=text if old else None,
            origin=Origin(file=text, line=3),
        ),
        Op(name=f"{text} only in {'base' if old else 'head'}"),
    ]
    updates = (
        Update(action="new", kind="attr", name=text + "z", remark=text, default_value=text),
        Update(action="bugfix", remark=text + str(old)),
    )
    return Spec(
        file=text,
        provenance=provenance,
        ops={op.name: op for op in ops},
        op_versions={text: (Checkpoint(note=text, updates=updates),)},
        binding="signature",
    )


def judged(text, profile):
    return pipeline.report(pipeline.check(spec(text, old=True), spec(text, old=False), PROFILES.load(profile)))


REPORTS = {
    "empty": report("paddle", findings=[]),
    **{f"all kinds, text {number}": report(text, findings=kinds(text)) for number, text in enumerate(TEXTS)},
    "many": report("paddle", findings=[nasty for text in TEXTS for nasty in kinds(text)]),
    "many removed ops": report(
        "p",
        findings=[finding(text, kind="op", rule="op_removed", field=None, old=None, new=None) for text in TEXTS * 3],
    ),
    **{f"several, text {number}": several(text) for number, text in enumerate(TEXTS)},
    "several alike": report("p", findings=kinds("p")).replace(comparisons=(comparison("p", kinds("p")),) * 11),
    "no comparison": Report(comparisons=()),
    "nothing but unchanged files": Report(comparisons=(), base="main", unchanged=TEXTS),
    "nothing but general findings": Report(comparisons=(), general=tuple(general("p"))),
    "several comparisons without findings": Report(comparisons=(comparison("a", []), comparison("b", []))),
    "all waived": report("p", findings=[nasty for text in TEXTS for nasty in waived_kinds(text)]),
    "all approved": report("p", findings=[nasty for text in TEXTS for nasty in approved_kinds(text)]),
    "notes alone": report("paddle", findings=[finding(text, level="note") for text in TEXTS]),
    **{
        f"{profile}, text {number}": judged(text, profile)
        for profile in PROFILES_OF_TEXTS
        for number, text in enumerate(TEXTS)
    },
}


def every_report():
    """Return the reports as parameters: each text is judged by one of the profiles; by the others it is exhaustive."""
    drawn = {f"{PROFILES_OF_TEXTS[number % 3]}, text {number}" for number in range(len(TEXTS))}
    left = {name for name in REPORTS if name.startswith(PROFILES_OF_TEXTS)} - drawn
    return [
        pytest.param(report_, id=name, marks=pytest.mark.exhaustive if name in left else ())
        for name, report_ in REPORTS.items()
    ]
