"""Scenes: the examples of rules that no two specs show, each made real. `docs/reference/notation.md` describes them."""

from __future__ import annotations

from tests.support.scenes import audits, listing, releases, repositories, trees


def findings(rule, example, folder):
    """Make the scene of an example of a rule in a folder, and return its findings."""
    base, head = map(listing.entries, example)
    framework = rule.framework.replace("_", "-")
    if audits.is_audit(head):
        return audits.findings(base, head, folder)
    if releases.are_releases(head):
        return releases.findings(base, head, rule)
    if trees.whole(head, framework):
        return trees.findings(base, head, framework, folder)
    return repositories.findings(base, head, folder)
