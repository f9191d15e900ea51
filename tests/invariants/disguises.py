"""Sequences of pull requests that break a spec file and change beside it what tells how the file is to be read.

A step changes the origin that the spec states, what it knows, how a declaration is called, the name or the format of
the file. The break is in one of the steps, and what hid it may be gone at the end.
"""

from __future__ import annotations

import copy
import json

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.lint import profile
from opspec_lint.lint.check import check
from opspec_lint.spec.fields import FRAMEWORKS
from tests.support.fact_changes import bytes_of, document, mutated, spec_of
from tests.support.specimens import KINDS

MAKERS = (
    *(None, "print_op_desc", "paddle-source", "paddle-runtime", "paddle-pir-wheel", "paddle-pir-source", "OpList"),
    *(
        "tensorflow",
        "paddle",
        "tflite",
        "onnx",
        "pytorch",
        "tensorflow-runtime",
        "tflite-source",
        "tflite-runtime of x",
    ),
)
VERSIONS = (None, "1.0", "2.4.0", "2.12.1", "2.18.1", "3.0.0")
OF_ORIGIN = ("loader_checks_less", "source_kind_changed")
PATHS = ("specs/ops.json", "specs/other.json", "specs/ops.yaml", "specs/new/ops.json", "docs/ops.json", "specs/ops.txt")
CALLED = ("signature", "function", "concrete function", "graph")
_TRIES = 60


def _maker(rng, value):
    _provenance(value, "made_by", rng.choice(MAKERS))


def _version(rng, value):
    _provenance(value, rng.choice(("version", "commit")), rng.choice(VERSIONS))


def _provenance(value, key, output):
    value["provenance"].pop(key, None)
    if output is not None:
        value["provenance"][key] = output


def _framework(rng, value):
    value["provenance"]["framework"] = rng.choice((*FRAMEWORKS.names(), "mine"))


def _knows(rng, value):
    section = rng.choice(sorted(value["knows"]) or ["ops"])
    known = value["knows"].get(section, [])
    value["knows"][section] = rng.sample(known, rng.randrange(len(known) + 1))


def _called(rng, value):
    for op in rng.sample(sorted(value["ops"]), rng.randrange(len(value["ops"]) + 1)):
        if "called_as" in value["ops"][op]:
            value["ops"][op]["called_as"] = rng.choice(CALLED)


def _builds(rng, value):
    op = value["ops"][rng.choice(sorted(value["ops"]))]
    op["builds"] = rng.choice((["none"], ["xpu"], ["gpu", "cpu"]))


def _binding(rng, value):
    value.pop("binding", None)
    if rng.random() < 0.7:
        value["binding"] = rng.choice(("signature", "slot", "position", "interface", "op_version"))


DISGUISES = (_maker, _maker, _maker, _version, _version, _knows, _called, _framework, _binding)


class State:
    """A spec file: the document, and the path and the format of the file."""

    def __init__(self, value, path=PATHS[0], kind="canonical JSON"):
        self.value, self.path, self.kind = value, path, kind

    def file(self):
        """Return the bytes of the file."""
        return bytes_of(self.kind, self.value)


def _disguised(rng, state, original):
    """Return a state in which one or two things are told in another way, or as they were at first."""
    value, path, kind = copy.deepcopy(state.value), state.path, state.kind
    if rng.random() < 0.25:
        value["provenance"], value["knows"] = (copy.deepcopy(original.value[key]) for key in ("provenance", "knows"))
        path, kind = original.path, original.kind
    for _ in range(rng.choice((1, 1, 2))):
        how = rng.random()
        if how < 0.15:
            path = rng.choice(PATHS)
        elif how < 0.3:
            kind = rng.choice(("canonical JSON", "canonical YAML"))
        else:
            rng.choice(DISGUISES)(rng, value)
    return State(value, path, kind)


def _broken(rng, state):
    """Return a state in which the spec breaks: by a change of one fact, or by the builds that have an op."""
    for _ in range(_TRIES):
        if rng.random() < 0.15:
            value = copy.deepcopy(state.value)
            _builds(rng, value)
        else:
            value = _mutated(rng, state.value)
        if isinstance(value, dict) and breaks(state.value, value):
            return State(value, state.path, state.kind)
    return None


def _mutated(rng, value):
    """Return a document with another fact, None where nothing but a cut file came of it."""
    try:
        return json.loads(mutated(rng, "canonical JSON", value)[0])
    except ValueError:
        return None


def breaks(base, head):
    """Tell whether a document breaks another one under the profile of the framework, whatever its source is."""
    try:
        specs = [spec_of(bytes_of("canonical JSON", side)) for side in (base, head)]
        policy = profile.default_for(specs[0].provenance.framework)
        findings = check(*specs, policy, at_base=True).findings
    except (InputError, UsageError, ValueError):
        return False
    return any(finding.level == "error" and finding.rule not in OF_ORIGIN for finding in findings)


def sequence(rng):
    """Return two or three states after a first one, of which the last breaks the first; None where none was found."""
    first = State(document(rng, rng.choice(KINDS)))
    states, length = [first], rng.choice((2, 3))
    at = rng.randrange(length)
    for step in range(length):
        state = states[-1]
        if step == at:
            state = _broken(rng, state)
            if state is None:
                return None
        if step != at or rng.random() < 0.5:
            state = _disguised(rng, state, first)
        states.append(state)
    return states if breaks(first.value, states[-1].value) or _is_hidden(first, states[-1]) else None


def _is_hidden(first, last):
    """Tell whether the last document breaks the first one once it states the origin of the first."""
    kept = {key: first.value[key] for key in ("provenance", "binding") if key in first.value}
    return breaks(first.value, copy.deepcopy(last.value) | kept)
