"""The reporter `junit`: JUnit XML with a test case per finding.

An error is a failure; waived and approved findings are skipped; warnings and notes pass. Elements and attributes follow
the schema of Jenkins (junit-10.xsd).
"""

from __future__ import annotations

from opspec_lint.kit.text import distinct, one_line
from opspec_lint.report import answers
from opspec_lint.report.entries import entries, in_order, subject_of
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report


def render(report: Report) -> str:
    """Return the report as XML."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the text in parts: the first lines, each test case, and the last lines."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    tests, failures = len(report.findings) or 1, report.count("error")
    counts = {"name": "opspec-lint", "tests": str(tests), "failures": str(failures), "errors": "0"}
    root = Element("testsuites", counts)
    suite = SubElement(root, "testsuite", counts, skipped=str(len(report.waived) + len(report.approved)))
    properties = SubElement(suite, "properties")
    for key, value in _properties(report):
        SubElement(properties, "property", name=key, value=one_line(value))
    if not report.findings:
        SubElement(suite, "testcase", classname="opspec-lint", name="no findings")
    indent(root, space=" ")
    # Test cases are written between the two parts: a tree of hundreds of thousands would fill the memory.
    before, end, after = tostring(root, encoding="unicode").rpartition("\n </testsuite>")
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{before}'
    # Readers may merge test cases with the same class and name.
    names = distinct(f"{finding.rule}: {subject_of(finding)}" for finding, _ in in_order(report))
    for entry, name in zip(entries(report), names, strict=True):
        case = _case(entry, name)
        indent(case, space=" ", level=2)
        yield f"\n  {tostring(case, encoding='unicode')}"
    yield f"{end}{after}\n"


def _case(entry: Entry, name: str) -> Element:
    """Return the test case of an entry."""
    from xml.etree.ElementTree import Element, SubElement

    finding = entry.finding
    case = Element("testcase", classname=one_line(finding.op or finding.kind), name=name)
    if entry.cleared is not None:
        SubElement(case, "skipped", message=entry.cleared).text = f"{finding.level}: {_text(entry)}"
    elif finding.level == "error":
        SubElement(case, "failure", type=finding.rule, message=entry.message).text = _text(entry)
    else:
        SubElement(case, "system-out").text = f"{finding.level}: {_text(entry)}"
    return case


def _properties(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the properties of the test suite: compared files, profiles, counts of answers."""
    if report.base is not None:
        yield "revision of base", report.base
    outcomes = answers.outcomes(report)
    if outcomes:
        yield from ((f"models.{key}", str(count)) for key, count in answers.counts(outcomes).items())
    for comparison in report.comparisons:
        yield from (("base", comparison.base.file), ("head", comparison.head.file), ("profile", comparison.profile))


def _text(entry: Entry) -> str:
    """Return the message, the details, the place and the fingerprint of an entry."""
    place = f"{one_line(entry.place.path)}:{entry.place.line}:{entry.place.column}"
    return "\n".join([entry.message, *entry.lines, f"at: {place}", f"fingerprint: {entry.finding.fingerprint}"])


REPORTER = Reporter(
    summary="JUnit XML, for the test reports of CI systems", render=render, parts=parts, wants_lines=True
)
