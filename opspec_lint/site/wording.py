"""The wording of findings on the site: the reason, its proof, and the equivalent command."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding
    from opspec_lint.site.judgements import Judgements


def command(judged: Judgements, base: int, head: int, op: str | None = None) -> str:
    """Return the command with the same findings about models of one release in another: for all ops, or for one."""
    import shlex

    names = judged.saved.releases[base].name, judged.loading.releases[head].name
    more = [] if op is None else ["--op", op]
    return shlex.join(["opspec-lint", "check", *names, "--profile", judged.profile, *more])


def reason_text(finding: Finding, *, is_older: bool, is_missing: bool) -> str:
    """Return why a release does not load a model, as a clause about the release.

    Args:
        finding: the finding.
        is_older: whether the release is older than the one that saved the model.
        is_missing: whether the release does not have the op.
    """
    if is_missing:
        return "has no such op"
    if finding.rule == f"{finding.kind}_removed" and finding.name is not None:
        return f"has no {finding.kind} {finding.name}"
    return f"compared with base, {finding.message}" if is_older else finding.message


def older_version_text(older: str) -> str:
    """Return on which condition a release loads a node of an op that it has only as an older version."""
    return f"it reads the node as {older}, and refuses it if {older} lacks one of its attrs, inputs or outputs"


def proof_text(finding: Finding) -> str:
    """Return whether a loader confirmed or refuted a finding, or whether it follows from the rules."""
    for proof in finding.proofs:
        if proof.direction == "backward" and proof.verdict in ("confirmed", "refuted"):
            return f"{proof.verdict} by {proof.loaded_by}"
    return "by the rules"
