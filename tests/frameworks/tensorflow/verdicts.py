"""The verdicts of opspec-lint on pairs of OpDefs, in the form of TensorFlow's code."""

from __future__ import annotations

import re

from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES

SUPERSEDED = "has added/removed it's default; from no default"
"""TensorFlow 1.15 still refused to add a default value; the releases since then take it."""
DEFAULTS = ("attr_default_changed", "attr_default_removed")


def spec(opdefs):
    """Return the spec of some OpDefs."""
    oplist = message("OpList")()
    oplist.op.extend(opdefs)
    return op_lists.parse(oplist.SerializeToString(deterministic=True), "ops.pb")


def verdicts(base, head):
    """Return for each op what stands for ValidateOpDef, OpDefCompatible and OpDefAttrDefaultsUnchanged."""
    messages = {}
    for finding in check(base, head, PROFILES.load("tensorflow")).findings:
        if finding.level == "error":
            which = 0 if finding.rule == "op_invalid" else 2 if finding.rule in DEFAULTS else 1
            messages.setdefault(finding.op, ([], [], []))[which].append(finding)
    return messages


def disagreements(old, new, reference, own) -> list[str]:
    """Return in which points the two disagree about one op.

    Args:
        old: the OpDef in base.
        new: the OpDef in head.
        theirs: the three messages of TensorFlow's code.
        ours: the three lists of findings.
    """
    if old.SerializeToString(deterministic=True) == new.SerializeToString(deterministic=True):
        return [] if not any(own) else ["we see a difference where there is none"]
    wrong = []
    for name, output, result in zip(("valid", "compatible", "defaults"), reference, own, strict=True):
        if output == "not asked" or SUPERSEDED in output:
            continue
        if bool(output) is not bool(result):
            wrong.append(
                f"{name}: TensorFlow {output[:300]!r}, we {[(finding.rule, finding.name) for finding in result]}"
            )
        elif output and not _concerns(result[0], output):
            wrong.append(f"{name}: TensorFlow {output[:300]!r}, we first {result[0].rule} of {result[0].name}")
    return wrong


def _concerns(finding, output: str) -> bool:
    """Tell whether a finding names what a message of TensorFlow's names."""
    if finding.rule == "op_invalid":
        return _same_text(finding.new, output)
    attr = re.search(r"Attr '([^']*)'", output)
    if attr:
        return finding.kind == "attr" and finding.name == attr[1]
    place = re.search(r"(Input|Output) (\d+) changed from", output)
    if place:
        return finding.kind == place[1].lower() and finding.rule.endswith(("ref_set", "ref_cleared"))
    if "signature mismatch" in output:
        return finding.kind == ("input" if "Input signature" in output else "output")
    return "Name mismatch" in output


def _same_text(own: str, reference: str) -> bool:
    """Compare two reasons without what TensorFlow adds on where it came from, which differs from release to release."""
    reference, own = (re.split(r"; in OpDef: |\n\t|(?= for attr ')", text)[0] for text in (reference, own))
    return reference.strip() == own.strip()
