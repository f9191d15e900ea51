"""Sequences of pull requests that together break something, each of which might look harmless for itself.

A sequence is a list of documents of one spec, base first. Whether it breaks anything is told by comparing its last
document with its first.
"""

from __future__ import annotations

import copy
import json
from itertools import islice, permutations

from opspec_lint.diff.specs import diff
from opspec_lint.lint import profile
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec import canonical, fields
from opspec_lint.spec.model import Checkpoint, Update
from tests.support.fact_changes import bytes_of, released, spec_of, values_of

RELEASES = {"paddle": "paddle-2.6.2", "tensorflow": "tensorflow-2.18.1"}
OPS = {"paddle": ("softmax", "transpose2"), "tensorflow": ("Concat", "MatMul")}


_TRIES = 6
"""How many pairs of values are tried for one that is an error under the profile of the framework."""


def document(framework, ops=None, **more):
    """The canonical document of some real ops."""
    _, spec = released(RELEASES[framework])
    chosen = {op: spec.ops[op] for op in ops or OPS[framework]}
    histories = {
        "softmax": (Checkpoint(note="n", updates=(Update(action="new", kind="attr", name="axis", default_value=1),)),)
    }
    cut = spec.replace(ops=chosen, op_versions=histories) if framework == "paddle" else spec.replace(ops=chosen)
    return json.loads(canonical.dumps(cut.replace(**more)))


def changed(value, change):
    """A copy of a document, changed."""
    value = copy.deepcopy(value)
    change(value)
    return value


def things(value, section):
    """The things of a section of all ops of a document."""
    for op in value["ops"].values():
        yield from [op] if section == "ops" else op.get(section, ())


def target(value, section):
    """The first thing of a section."""
    return next(things(value, section))


def state(section, field, output):
    """A change that lets the first thing of a section have a value."""

    def change(value):
        thing = target(value, section)
        thing[field] = output
        thing["unknown"] = [item for item in thing.get("unknown", ()) if item != field]
        known = value["knows"].setdefault(section, [])
        if field not in known:
            known.append(field)

    return change


def forget_here(section, field):
    """A change that lets a field of the first thing of a section be unknown."""

    def change(value):
        thing = target(value, section)
        thing.pop(field, None)
        thing["unknown"] = [*thing.get("unknown", ()), field]

    return change


def forget_everywhere(section, field):
    """A change that lets a field of all things of a section be unknown."""

    def change(value):
        value["knows"][section] = [item for item in value["knows"].get(section, ()) if item != field]
        for thing in things(value, section):
            thing.pop(field, None)
            thing["unknown"] = [item for item in thing.get("unknown", ()) if item != field]

    return change


def unrelated(value):
    """A harmless change: a new op."""
    value["ops"]["harmless"] = {}


def policy(base, head, framework):
    """The profile under which the last document breaks the first: the framework's own, or else `strict`."""
    for name in (profile.default_for(framework).name, "strict"):
        if fails(base, head, name):
            return name
    return None


def fails(base, head, name):
    """Tell whether a step between two documents is at error level, for a spec that is compared with itself."""
    specs = (spec_of(bytes_of("canonical JSON", side)) for side in (base, head))
    findings = check(*specs, PROFILES.load(name), at_base=True).findings
    return any(finding.level == "error" for finding in findings)


def of_fields():
    """Yield a name, the framework and the documents of sequences that forget a field and then say something else."""
    for framework in RELEASES:
        start = document(framework)
        for section in fields.SECTIONS:
            for field in fields.field_table(framework).fields_of(section).values():
                base, end = _break(start, section, field, framework)
                here, everywhere = forget_here(section, field.name), forget_everywhere(section, field.name)
                steps = {
                    "forgets here, says something else": [here],
                    "forgets everywhere, says something else": [everywhere],
                    "forgets here, adds an op, says something else": [here, unrelated],
                    "forgets everywhere, adds an op, says something else": [everywhere, unrelated],
                    "forgets here, forgets everywhere, says something else": [here, everywhere],
                }
                for title, changes in steps.items():
                    documents = [base]
                    for change in changes:
                        documents.append(changed(documents[-1], change))
                    yield f"{framework} {section} {field.name}: {title}", framework, [*documents, end]


def _break(start, section, field, framework):
    """Return two documents that tell a field of one thing in two ways, of which one breaks the other."""
    for first, second in islice(permutations(values_of(field), 2), _TRIES):
        base, end = (changed(start, state(section, field.name, item)) for item in (first, second))
        if policy(base, end, framework) == profile.default_for(framework).name:
            return base, end
    first, second = values_of(field)[:2]
    return changed(start, state(section, field.name, first)), changed(start, state(section, field.name, second))


def _mark_all(value):
    for section in ("inputs", "outputs", "attrs"):
        for thing in things(value, section):
            thing["extra"] = True
        value["knows"][section] = sorted({*value["knows"].get(section, ()), "extra"})


def _mark_none(value):
    for section in ("inputs", "outputs", "attrs"):
        for thing in things(value, section):
            thing.pop("extra", None)
        value["knows"][section] = sorted({*value["knows"].get(section, ()), "extra"})


def _forget_extra(value):
    for section in ("inputs", "outputs", "attrs"):
        forget_everywhere(section, "extra")(value)


def _another_default(value):
    for thing in things(value, "attrs"):
        thing["default_value"] = [7]


def _required_input(value):
    next(iter(value["ops"].values()))["inputs"].append({"name": "required"})


def _required_extra_input(value):
    next(iter(value["ops"].values()))["inputs"].append({"name": "required", "extra": True})
    value["knows"]["inputs"] = sorted({*value["knows"]["inputs"], "extra"})


def _unmark(value):
    for section in ("inputs", "outputs", "attrs"):
        for thing in things(value, section):
            thing.pop("extra", None)


OF_EXTRA = {
    "learns that all is extra, changes it": [_mark_all, _another_default],
    "learns that all is extra and changes it at once": [
        lambda value: (_mark_all(value), _another_default(value)),
        unrelated,
    ],
    "learns that nothing is extra, marks all, changes it": [_mark_none, _mark_all, _another_default],
    "adds what is required as extra": [_required_extra_input, unrelated],
    "learns that all is extra, adds what is required, unmarks it": [_mark_all, _required_extra_input, _unmark],
    "learns that all is extra, changes it, forgets it": [_mark_all, _another_default, _forget_extra],
}
"""Where base does not know what is extra."""
OF_KNOWN_EXTRA = {
    "forgets what is extra, marks all, changes it": [_forget_extra, _mark_all, _another_default],
    "forgets what is extra, changes what was not": [_forget_extra, _another_default],
    "forgets what is extra, adds what is required as extra": [_forget_extra, _required_extra_input],
    "marks all, changes it": [_mark_all, _another_default],
    "adds what is required as extra, unmarks it": [_required_extra_input, _unmark],
    "changes it, marks all": [_another_default, _mark_all],
}
"""Where base knows it. A sequence may end without what it did in between."""


def of_extra():
    """Yield sequences that let head's word excuse what head changes."""
    _, spec = released("paddle-2.6.2")
    some = [op for op in sorted(spec.ops) if any(not attr.extra for attr in spec.ops[op].attrs) and spec.ops[op].inputs]
    for op in some[::25]:
        known = document("paddle", (op,))
        for title, changes in OF_KNOWN_EXTRA.items():
            yield f"{op} {title}", "paddle", _after(known, changes)
        for title, changes in OF_EXTRA.items():
            yield f"{op} {title}", "paddle", _after(changed(known, _forget_extra), changes)


def _after(base, changes):
    documents = [base]
    for change in changes:
        documents.append(changed(documents[-1], change))
    return documents


def _set(**members):
    return lambda value: value.update(copy.deepcopy(members))


def _without(*keys):
    return lambda value: [value.pop(key, None) for key in keys]


def _reverse(value):
    for op in value["ops"].values():
        for section in ("inputs", "outputs"):
            if section in op:
                op[section] = op[section][::-1]


def _late(value):
    value["graph_versions"]["producer_since"] = "2000-01-01"


def _update_default(output):
    def change(value):
        (update,) = value["op_versions"]["softmax"][0]["updates"]
        update.pop("default_value", None)
        update.update({} if output is None else {"default_value": output})

    return change


def of_whole_specs():
    """Yield sequences that forget what a spec says beside its ops."""
    ordered, named = document("tensorflow"), document("paddle")
    versions = {**ordered["graph_versions"], "min_producer": ordered["graph_versions"]["producer"] + 1}
    versions["producer"] += 2
    old = {"earlier": {"MatMul": [ordered["ops"]["MatMul"]]}}
    broken = changed(ordered, lambda value: value["ops"]["MatMul"]["attrs"].pop())["ops"]["MatMul"]
    rewritten = copy.deepcopy(named["op_versions"])
    rewritten["softmax"][0]["updates"][0]["name"] = "other"
    with_history = changed(ordered, _set(**old))
    every = {
        "drops the binding, turns the arguments around": (ordered, [_without("binding"), _reverse]),
        "drops the binding, turns the arguments around, binds again": (
            ordered,
            [_without("binding"), _reverse, _set(binding="signature")],
        ),
        "drops the graph versions, has others": (ordered, [_without("graph_versions"), _set(graph_versions=versions)]),
        "drops the graph versions, adds an op, has others": (
            ordered,
            [_without("graph_versions"), unrelated, _set(graph_versions=versions)],
        ),
        "names another day, raises the lowest version": (ordered, [_late, _set(graph_versions=versions)]),
        "drops the op versions, has others": (named, [_without("op_versions"), _set(op_versions=rewritten)]),
        "drops the op versions, adds an op, has others": (
            named,
            [_without("op_versions"), unrelated, _set(op_versions=rewritten)],
        ),
        "drops the default value of an update, has another": (named, [_update_default(None), _update_default(9)]),
        "drops the earlier declarations, breaks them": (
            with_history,
            [_without("earlier"), lambda value: value["ops"].update(MatMul=broken)],
        ),
        "drops the earlier declarations, has others": (
            with_history,
            [_without("earlier"), _set(earlier={"MatMul": [broken]})],
        ),
    }
    for title, (base, changes) in every.items():
        yield title, base["provenance"]["framework"], _after(base, changes)


def every():
    """Yield every sequence: its name, the framework, and its documents."""
    yield from of_fields()
    yield from of_extra()
    yield from of_whole_specs()


def facts(base, head):
    """The events between two documents."""
    return [change.event for change in diff(*(spec_of(bytes_of("canonical JSON", side)) for side in (base, head)))]
