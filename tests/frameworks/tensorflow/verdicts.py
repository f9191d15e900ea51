"""What opspec-lint says of pairs of OpDefs, in the form in which TensorFlow's code says it."""

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
    told = {}
    for finding in check(base, head, PROFILES.load("tensorflow")).findings:
        if finding.level == "error":
            which = 0 if finding.rule == "op_invalid" else 2 if finding.rule in DEFAULTS else 1
            told.setdefault(finding.op, ([], [], []))[which].append(finding)
    return told


def disagreements(old, new, theirs, ours) -> list[str]:
    """Return in which points the two disagree about one op.

    Args:
        old: the OpDef in base.
        new: the OpDef in head.
        theirs: the three messages of TensorFlow's code.
        ours: the three lists of findings.
    """
    if old.SerializeToString(deterministic=True) == new.SerializeToString(deterministic=True):
        return [] if not any(ours) else ["we see a difference where there is none"]
    wrong = []
    for name, said, found in zip(("valid", "compatible", "defaults"), theirs, ours, strict=True):
        if said == "not asked" or SUPERSEDED in said:
            continue
        if bool(said) is not bool(found):
            wrong.append(f"{name}: TensorFlow {said[:300]!r}, we {[(each.rule, each.name) for each in found]}")
        elif said and not _is_about(found[0], said):
            wrong.append(f"{name}: TensorFlow {said[:300]!r}, we first {found[0].rule} of {found[0].name}")
    return wrong


def _is_about(finding, said: str) -> bool:
    """Tell whether a finding names what a message of TensorFlow's names."""
    if finding.rule == "op_invalid":
        return _same_words(finding.new, said)
    attr = re.search(r"Attr '([^']*)'", said)
    if attr:
        return finding.kind == "attr" and finding.name == attr[1]
    place = re.search(r"(Input|Output) (\d+) changed from", said)
    if place:
        return finding.kind == place[1].lower() and finding.rule.endswith(("ref_set", "ref_cleared"))
    if "signature mismatch" in said:
        return finding.kind == ("input" if "Input signature" in said else "output")
    return "Name mismatch" in said


def _same_words(ours: str, theirs: str) -> bool:
    """Compare two reasons without what TensorFlow adds on where it came from, which differs from release to release."""
    theirs, ours = (re.split(r"; in OpDef: |\n\t|(?= for attr ')", text)[0] for text in (theirs, ours))
    return theirs.strip() == ours.strip()
