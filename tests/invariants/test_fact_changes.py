"""`strict` says never clean of two files that do not say the same, however one fact of one of them is another.

OPSPEC_LINT_MUTATIONS=20000 python -m pytest tests/invariants/test_fact_changes.py runs it for long,
OPSPEC_LINT_SEED with other draws.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from opspec_lint.diff.interfaces.callers import runtime
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec import canonical
from opspec_lint.spec.interface import traces, types
from opspec_lint.spec.model import SECTIONS, UNKNOWN, Provenance
from tests.support.fact_changes import KINDS, OF_SPECS, OP_LISTS, bytes_of, document, mutated, spec_of
from tests.support.paths import TOP

COUNT = int(os.environ.get("OPSPEC_LINT_MUTATIONS", "1400"))
SEED = os.environ.get("OPSPEC_LINT_SEED", "0")
OF_ORIGIN = ("loader_checks_less", "source_kind_changed")
EACH = 20
"""How many changes are made of one document."""
EVERY = (*KINDS, *OP_LISTS, *OF_SPECS)
STRICT = PROFILES.load("strict")


def _every_op(change):
    """Return a way to change every declaration of every op of a spec."""

    def changed(spec):
        return spec.replace(
            ops={name: change(op, spec) for name, op in spec.ops.items()},
            earlier={name: tuple(change(op, spec) for op in spec.earlier[name]) for name in spec.earlier},
        )

    return changed


def _undocumented(op, _):
    sections = {
        section: tuple(thing.replace(description="") for thing in getattr(op, section)) for section in SECTIONS.values()
    }
    return op.replace(summary="", description="", **sections)


def _set_of_builds(op):
    named = sorted({*op.builds} - {"none"})
    return tuple(named or ["none"]) if op.builds else ()


def _with_sorted_attrs(op, spec):
    return op if spec.binding == "name" or op.invalid else op.replace(attrs=_sorted(op.attrs))


def _with_sorted_tensors(op, spec):
    called = op.get("called_as")
    if spec.binding != "interface" or called not in ("signature", "graph"):
        return op
    by_name = called == "signature" or not runtime(spec.provenance).feeds_by_position
    inputs = _sorted(op.inputs) if by_name else op.inputs
    return op.replace(inputs=inputs, outputs=_sorted(op.outputs) if called == "signature" else op.outputs)


def _with_sorted_parameters(op, spec):
    if spec.binding != "interface" or op.get("called_as") != "function":
        return op
    first = [argument for argument in op.inputs if argument.get("passing") is None]
    rest = [argument for argument in op.inputs if argument.get("passing") is not None]
    nameless = {"varargs": "*", "varkw": "**"}
    named = [item.replace(name=nameless.get(item.get("passing"), item.name)) for item in rest]
    return op.replace(inputs=(*first, *_sorted(named)))


def _with_plain_types(op, spec):
    if spec.binding != "interface":
        return op
    written = [attr.replace(name=_arguments(attr.name), type=_plain(attr.type)) for attr in op.attrs]
    plain = [
        argument.replace(type=_plain(argument.type), default=_plain(argument.get("default"))) for argument in op.inputs
    ]
    outputs = tuple(output.replace(type=_plain(output.type)) for output in op.outputs)
    return op.replace(inputs=tuple(plain), outputs=outputs, attrs=tuple(written))


def _arguments(text):
    positional, by_name = traces.parse_arguments(text)
    return traces.format_arguments(
        tuple(map(_as_number, positional)), {name: _as_number(by_name[name]) for name in by_name}
    )


def _as_number(result):
    """Return a type of an argument in which a bool or integer of Python is the number that it is equal to."""
    if isinstance(result, types.GroupType):
        return result.replace(items=tuple((name, _as_number(item)) for name, item in result.items))
    if isinstance(result, types.ValueType) and isinstance(result.value, (bool, int)):
        return result.replace(text=repr(float(result.value)))
    return result


def _plain(text):
    return str(types.parse(text)) if isinstance(text, str) else text


def _sorted(arguments):
    return tuple(sorted(arguments, key=lambda item: item.name))


def _with_numbers(op, spec):
    if spec.binding not in ("slot", "op_version"):
        return op
    return op.replace(attrs=tuple(attr.replace(default_value=_number(attr.default_value)) for attr in op.attrs))


def _number(value):
    return int(value) if isinstance(value, bool) else value


NON_FACTS = {
    "documentation may say anything": _every_op(_undocumented),
    "the builds that have an op are in no order": _every_op(lambda op, _: op.replace(builds=_set_of_builds(op))),
    "true is 1 as the default value of a field of a schema": _every_op(_with_numbers),
    "the tensors of a signature are given and taken by their keys, and those of a graph given by their names": (
        _every_op(_with_sorted_tensors)
    ),
    "parameters that are not passed by position have no place, and `*args` and `**kwargs` no name": (
        _every_op(_with_sorted_parameters)
    ),
    "a type, a default value or a trace of an interface may be spelt in several ways, "
    "and a number that a trace is given as `True`, `1` or `1.0`": _every_op(_with_plain_types),
    "attrs are bound by name, also where inputs are not": _every_op(_with_sorted_attrs),
    "no checkpoint is no history": lambda spec: (
        spec
        if spec.op_versions is UNKNOWN
        else spec.replace(op_versions={op: op_version for op, op_version in spec.op_versions.items() if op_version})
    ),
    "no earlier declaration is no history": lambda spec: spec.replace(
        earlier={op: spec.earlier[op] for op in spec.earlier if spec.earlier[op]}
    ),
    "where the spec comes from is no part of what it says": (
        lambda spec: spec.replace(provenance=Provenance(framework=spec.provenance.framework))
    ),
}
"""What is no fact, in words, and how a spec looks without it. Two specs whose canonical texts are the same without all
of these say the same."""


def says(spec):
    """Return all that a spec says, and nothing that is no fact."""
    for without in NON_FACTS.values():
        spec = without(spec)
    return canonical.dumps(spec)


class Base:
    """A spec, and all that it says."""

    def __init__(self, kind, document):
        self.document = document
        self.spec = spec_of(bytes_of(kind, document))
        self.says = says(self.spec)

    def against(self, data):
        """Return whether the bytes of a head are refused, found to differ, or clean, and whether that is right."""
        try:
            head = spec_of(data)
            result = [finding for finding in check(self.spec, head, STRICT).findings if finding.rule not in OF_ORIGIN]
        except (InputError, UsageError):
            return "refused", True
        differs = self.says != says(head.replace(provenance=self.spec.provenance))
        if result:
            return "found", differs and any(finding.level == "error" for finding in result)
        return "clean", not differs


@pytest.mark.parametrize("kind", EVERY)
def test_strict_finds_every_change_of_a_single_fact(kind, record_testsuite_property):
    rng = random.Random(f"{SEED} {kind}")  # noqa: S311
    counts, ways, wrong = Counter(), set(), []
    for turn in range(COUNT // len(EVERY)):
        if turn % EACH == 0:
            base = Base(kind, document(rng, kind))
        data, what = mutated(rng, kind, base.document)
        ended, is_right = base.against(data)
        counts[ended] += 1
        ways.add(what)
        if not is_right:
            wrong.append((what, ended, data.decode("utf-8", "replace")))
    record_testsuite_property(kind, f"{dict(counts)}, {len(ways)} ways")
    assert [item[:2] for item in wrong] == []
    assert counts["found"] > 0.25 * sum(counts.values())
    assert counts["refused"] > 0


@pytest.mark.parametrize("kind", EVERY)
def test_a_document_states_the_same_as_itself(kind):
    base = Base(kind, document(random.Random(kind), kind))  # noqa: S311
    assert base.against(bytes_of(kind, base.document)) == ("clean", True)


def test_the_documentation_lists_what_is_no_fact():
    page = (TOP / "docs/reference/spec-file.md").read_text(encoding="utf-8")
    listed = page.partition("## What is no difference")[2].partition("\n## ")[0]
    lines = [" ".join(line.split()) for line in listed.split("\n- ")[1:]]
    assert [non_fact for non_fact in NON_FACTS if not any(line.startswith(non_fact) for line in lines)] == []
