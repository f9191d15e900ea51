"""Long reports: they are written as they are made, and no second copy of them is kept."""

from __future__ import annotations

import tracemalloc

import pytest

from opspec_lint.cli import output
from opspec_lint.lint.check import check, report
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.spec.notation import parse_spec

COUNT = 1_500
IN_PARTS = [name for name in REPORTERS.names() if REPORTERS.load(name).parts is not None]


@pytest.fixture(scope="module")
def long_report():
    base, head = (
        parse_spec("\n".join(f"op{number}(X) -> (Out) [a: INT = {value}, b: INT]" for number in range(COUNT)))
        for value in (1, 2)
    )
    return report(check(base, head))


def test_the_long_formats_are_written_in_parts():
    assert {"azure", "gitlab", "html", "json", "jsonl", "junit", "rdjson", "sarif"} <= set(IN_PARTS)


@pytest.mark.parametrize("name", IN_PARTS)
def test_the_parts_are_the_text_and_take_little_memory(long_report, name):
    made = REPORTERS.load(name)
    text = made.render(long_report)
    tracemalloc.start()
    size = sum(len(part) for part in made.render_parts(long_report))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == len(text)
    assert most / COUNT < 1500


def test_a_file_is_written_in_parts_or_not_at_all(tmp_path):
    path = tmp_path / "report"
    path.write_text("old")

    def broken():
        yield "new"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        output.write(str(path), broken())
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("report", "old")]
    output.write(str(path), iter(("a", "\udcff", "é")))
    assert path.read_bytes() == b"a\\udcff\xc3\xa9"
