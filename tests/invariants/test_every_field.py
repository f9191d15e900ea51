"""Every field of every framework: a thing that says another value of it has a finding under `strict`.

A field that is added without a rule fails here: nothing is found, or the finding names no rule.
"""

from __future__ import annotations

import copy
import json
from functools import cache

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.lint.check import check
from opspec_lint.lint.rulebook import RULES
from opspec_lint.spec import canonical, fields
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.model import UNKNOWN
from tests.invariants.test_fact_changes import STRICT, says
from tests.support.fact_changes import VALUES, bytes_of, spec_of
from tests.support.specimens import KINDS, of_kind

OF = {
    "written_versions": ([1], [1, 2], None),
    "oldest_runtimes": ({"1": "1.5.0"}, {"1": "2.0.0"}, None),
    "delegates": ({"gpu": 1}, {"gpu": 2}, None),
    "patches": ([], [{"version": 1, "kind": "delete_attr", "target": "a"}]),
    "called_as": ("signature", "graph", "function", "concrete function"),
    "passing": (None, "keyword", "varargs"),
    "default": (None, "1", "2"),
    "form": ("table", "struct"),
    "underlying": ("ubyte", "ushort"),
    "min_version": (1, 2, None),
    "max_version": (2, 3, None),
    "slot": (0, 1, 99),
    "type": ("int", "INT", "FLOAT", "float32[2]", "int32[2]", None),
}
"""Values of fields that hold what their form alone does not say."""
_OPS = 8
"""How many ops of a specimen are tried, each alone, with its first thing of a section."""


def every_field():
    """Yield each framework with each field that its specs may speak of."""
    for framework in fields.FRAMEWORKS.names():
        for section in fields.SECTIONS:
            for name in fields.field_table(framework).fields_of(section):
                yield pytest.param(framework, section, name, id=f"{framework} {section} {name}")


def documents(framework):
    """Yield a document for each of some ops of each kind of specs of a framework, with that op alone."""
    for kind in KINDS:
        if of_kind(kind)[0].provenance.framework == framework:
            yield from map(json.loads, texts(kind))


@cache
def texts(kind):
    """Return the texts of the ops of a kind that say most, each alone in a spec."""
    spec = of_kind(kind)[0].replace(op_versions=UNKNOWN)
    alone = [canonical.dumps(spec.replace(ops={name: spec.ops[name]})) for name in sorted(spec.ops)]
    return sorted(alone, key=len, reverse=True)[:_OPS]


def thing(value, section):
    """Return the first thing of a section of the only op, or None."""
    (op,) = value["ops"].values()
    return op if section == "ops" else next(iter(op.get(section, ())), None)


def variants(whole, section, field):
    """Return documents that differ in one field of the first thing of a section."""
    whole["knows"][section] = sorted({*whole["knows"].get(section, ()), field})
    framework = whole["provenance"]["framework"]
    form = fields.field_table(framework).fields_of(section)[field].form
    made = []
    for output in OF.get(field, VALUES[form]) if thing(whole, section) is not None else ():
        changed = copy.deepcopy(whole)
        changing = thing(changed, section)
        changing[field] = output
        changing["unknown"] = [item for item in changing.get("unknown", ()) if item != field]
        made.append(changed)
    return made


def read(value):
    try:
        return spec_of(bytes_of("canonical JSON", value))
    except InputError:
        return None


def outcome(base, head):
    """Return "found", "refused" or "same" for two specs, "silent" where a difference has no error."""
    if base is None or head is None:
        return "refused"
    try:
        findings = check(base, head, STRICT).findings
    except InputError:
        return "refused"
    if any(finding.level == "error" for finding in findings):
        return "found"
    return "same" if says(base) == says(head) else "silent"


@pytest.mark.parametrize(("framework", "section", "field"), list(every_field()))
def test_a_field_that_differs_is_detected(framework, section, field):
    outcomes = set()
    for whole in documents(framework):
        specs = [read(variant) for variant in variants(whole, section, field)]
        outcomes |= {outcome(*pair) for pair in zip(specs, [*specs[1:], *specs[:1]], strict=True)}
    assert "silent" not in outcomes
    assert outcomes & {"found", "refused"}, "no thing of the specimens says two values of it"


@pytest.mark.parametrize("framework", fields.FRAMEWORKS.names())
def test_every_event_of_a_field_has_a_rule(framework):
    events = {event for field in FRAMEWORKS.load(framework).fields for event in field.events}
    assert events <= set(RULES.names())
    assert all(field.events for field in FRAMEWORKS.load(framework).fields)
