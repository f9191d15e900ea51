"""Checks of whole repositories, and the spec and configuration files for them."""

from __future__ import annotations

import json

from opspec_lint.project.check import check_project
from opspec_lint.project.check_context import Request
from opspec_lint.project.profile_choice import ProfileChoice
from opspec_lint.sources.loaded import Loaded
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical
from opspec_lint.spec.notation import parse_spec

TODAY = "2026-05-15"
FILE = "specs/ops.json"
WAIVERS = "opspec-waivers.yaml"


def text(*lines, **options):
    """Return the canonical text of a spec, from the notation."""
    return canonical.dumps(parse_spec("\n".join(lines), **options))


def loaded(notation):
    """Return a spec as it was named on the command line, from the notation."""
    spec = parse_spec(notation)
    return Loaded(spec=spec, path=spec.file)


def config(**settings):
    """Return the text of an opspec-lint.yaml; JSON is YAML."""
    return json.dumps(settings) + "\n"


def waivers(*entries):
    """Return the text of a file of waivers, each with a reason and an owner unless it says otherwise."""
    complete = [{"reason": "nobody uses it", "owner": "ops team", **entry} for entry in entries]
    return json.dumps({"version": 1, "waivers": complete}) + "\n"


def check(repository, **request):
    """Check a repository as `opspec-lint check` does."""
    fetching = request.pop("may_fetch", False)
    if "profile" in request:
        request["profiles"] = (ProfileChoice(profile=request.pop("profile")),)
    reading = Reading(environment=repository.environment, caches=False, may_fetch=fetching)
    defaults = {"reading": reading, "folder": str(repository.top), "today": TODAY}
    return check_project(Request(**defaults | request))


def facts(report):
    """Return the level and the rule of each finding that is not waived, with its op, or else its name."""
    return sorted(
        (finding.level, finding.rule, finding.op or finding.name)
        for finding in report.findings
        if finding.waived is None
    )


def levels(report):
    return {finding.rule: finding.level for finding in report.findings}
