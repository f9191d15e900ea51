"""Scenes of releases: each side is the ops of a framework; with two frameworks, base is translated to head's ops."""

from __future__ import annotations

from opspec_lint.lint import examples
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import default_for
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.model import UNKNOWN


def are_releases(side):
    """Return whether the entries of a side are releases."""
    return bool(side) and all(name.partition(" ")[0] in FRAMEWORKS.names() for name in side)


def findings(base, head, rule):
    """Return the findings of a comparison in which the rule is on, even if it is off by default."""
    specs = [[spec(text, *name.split(" ")) for name, text in side.items()] for side in (base, head)]
    ((old, *before), (new,)) = specs
    policy = default_for(new.provenance.framework).with_levels({rule.id: "error"}) if rule.level == "off" else None
    return check(old, new, policy, before=before[0] if before else None).findings


def spec(text, framework, version=None):
    """Return the spec of a release; an op that states no name in programs has its own."""
    parsed = examples.parse(text, framework=framework)
    ops = {
        name: op.replace(own={**op.own, "legacy_names": ()}) if op.get("legacy_names") is UNKNOWN else op
        for name, op in parsed.ops.items()
    }
    named = parsed.provenance.replace(framework=framework, version=version)
    return parsed.replace(provenance=named, ops=ops if framework == "paddle-pir" else parsed.ops)
