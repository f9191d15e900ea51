"""The findings of an audit, read from its results file or its JSON report, so that waivers can be written for them."""

from __future__ import annotations

import json

from opspec_lint.kit.database import is_sqlite
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.zoo import lines, results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.report.findings import Finding

_ADVICE = "name the output of `opspec-lint audit --format json`, or the file of `opspec-lint audit --results`"


def read_findings(file: str) -> tuple[Finding, ...]:
    """Return the findings of an audit, each once; they have no waivers.

    Raises:
        InputError: the file cannot be read, or is neither kind of file.
        UsageError: there is no such file.
    """
    records = _stored_records(file) if is_sqlite(file) else _records_of_report(file)
    by_identity: dict[str, Finding] = {}
    try:
        for record in records:
            finding = lines.finding_of(record)
            by_identity.setdefault(finding.fingerprint, finding)
    except (KeyError, TypeError) as error:
        raise InputError(file, f"has a finding without {error}", advice=_ADVICE) from None
    return tuple(by_identity.values())


def _stored_records(file: str) -> Iterator[Mapping[str, Any]]:
    with results.open_results(file) as stored:
        stored.begin_all()
        for verdict in stored.model_verdicts():
            yield from lines.findings_of(verdict)


def _records_of_report(file: str) -> Iterator[Mapping[str, Any]]:
    data = read_named_file(file, "report of an audit", _ADVICE)
    try:
        document = json.loads(data)
        for audit in document["audits"]:
            yield from audit["findings"]
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{file}: is no JSON report of an audit", advice=_ADVICE) from None
