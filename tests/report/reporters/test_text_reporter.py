from __future__ import annotations

import os
import re

import pytest

from opspec_lint.kit.terminal import Terminal
from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Report, Waived
from opspec_lint.report.headline import headline
from opspec_lint.report.ranking import first_breaks
from opspec_lint.report.reporters.text import _COLORS, render, render_on
from opspec_lint.sources import recognise
from opspec_lint.spec.model import Origin
from opspec_lint.spec.notation import parse_spec
from tests.support.nasty import REPORTS, comparison, every_report, finding, report, side
from tests.support.paths import SPECS
from tests.support.programs import run
from tests.support.repositories import Repository, spec


@pytest.fixture(scope="module")
def releases():
    base, head = (recognise.read(os.path.join(SPECS, f"paddle-{version}.json")).spec for version in ("2.6.2", "3.0.0"))
    return report_of(check(base, head))


def shown(base, head, profile="paddle", **options):
    return render(report_of(check(parse_spec(base), parse_spec(head), PROFILES.load(profile))), **options)


@pytest.mark.parametrize("width", [40, 60])
def test_lines_are_no_wider_than_the_terminal(width):
    read = {name: recognise.read(f"{SPECS}/{name}").spec for name in ("paddle-2.6.2.json", "paddle-3.0.0.json")}
    sides = [spec.replace(file=name) for name, spec in read.items()]  # the path of a checkout is as long as it is
    long = ["@ALL_KERNELS", "_RUNTIME_SHAPE"]
    for only in (None, ("histogram", "tdm_sampler")):
        every = report_of(check(*sides, PROFILES.load("paddle"), only=only)).replace(base="origin/main (1a2b3c4)")
        for color in (False, True):
            text = render_on(every, Terminal(width=width, color=color, has_links=color, has_legend=True))
            lines = re.sub(r"\x1b\]8;;.*?\x1b\\|\x1b\[[\d;]*m", "", text).split("\n")
            assert [line for line in lines if len(line) > width and not any(name in line for name in long)] == []


@pytest.mark.parametrize("width", [80, 120])
def test_the_first_screen_has_the_verdict_and_the_worst_findings(width):
    specs = [recognise.read(f"{SPECS}/paddle-{version}.json").spec for version in ("2.6.2", "3.0.0")]
    every = report_of(check(*specs, PROFILES.load("paddle")))
    screen = render_on(every, Terminal(width=width)).split("\n")[:24]
    worst = [first.finding for first in first_breaks(every.findings, 3)]
    assert screen[0] == headline(every)
    assert re.findall(r"\[(\w+)\]", "\n".join(screen)) == [finding.rule for finding in worst]
    assert [finding.rule for finding in worst][-1] == "op_removed"
    assert re.search(r"error +\w+, \w+, \w+ and \d+ more ops: ", " ".join("\n".join(screen).split()))
    short = report("p", findings=[finding("x")])
    assert headline(short) not in render_on(short, Terminal(width=width))
    assert headline(every) not in render_on(every, Terminal())


def luminance(number):
    """Return the relative luminance (WCAG 2) of one of the 216 colours of a cube, or of the 24 greys after them."""
    steps = (*divmod((number - 16) // 6, 6), (number - 16) % 6)
    grey = ((8 + 10 * (number - 232)) / 255,) * 3
    values = grey if number >= 232 else [0 if step == 0 else (55 + 40 * step) / 255 for step in steps]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", ["error", "warning", "note", "clean", "dim"])
def test_a_colour_can_be_read_on_black_and_on_white(name):
    light = luminance(int(_COLORS[name].rpartition(";")[2]))
    assert min((light + 0.05) / 0.05, 1.05 / (light + 0.05)) > 4


def test_a_rule_is_a_link_where_the_terminal_shows_links():
    linked = report("p", findings=[finding("x")]).replace(documentation="https://example.org/docs")
    address = "https://example.org/docs/reference/rules/attr_default_changed.md"
    link = f"\x1b]8;;{address}\x1b\\\\attr_default_changed\x1b]8;;\x1b\\\\"
    assert link.replace("\\\\", "\\") in render_on(linked, Terminal(color=True, width=200, has_links=True))
    assert "]8;;" not in render_on(linked, Terminal(color=True, width=200))
    assert "]8;;" not in render_on(linked.replace(documentation=None), Terminal(color=True, width=200, has_links=True))


def test_the_legend_is_the_end_of_the_report():
    first = report("p", findings=[finding("x")])
    text = render_on(first, Terminal(width=100, has_legend=True))
    assert text.startswith(render_on(first, Terminal(width=100)))
    legend = " ".join(text.removeprefix(render_on(first, Terminal(width=100))).split())
    assert all(f"{text}" in legend for text in ("break", "backward", "forward", "dispensable", "extra", "--no-legend"))


def test_a_real_pair_of_releases_is_readable(releases):
    text = render(releases)
    lines = text.splitlines()
    assert lines[0] == "paddle 2.6.2 -> paddle 3.0.0"
    assert "(784 ops)" in lines[1]
    assert "profile paddle" in lines[1]
    assert len(lines) < len(releases.findings)
    assert max(map(len, lines)) < 400
    assert releases.count("error") > 150
    for reported in releases.findings:
        if reported.level == "error":
            assert reported.message in text or reported.kind == "op"
            assert reported.op in text
            assert reported.rule in text
    assert f"{releases.count('error')} errors, " in text
    assert "opspec-lint explain" in lines[-1]


def test_ops_of_which_there_is_a_single_thing_to_state_are_reported_together(releases):
    text = render(releases)
    removed = [finding.op for finding in releases.findings if finding.rule == "op_removed"]
    assert len(removed) == 127
    assert text.count("op_removed: break, backward") == 1
    assert "127 ops" in text


def test_findings_are_under_their_op_and_the_worst_come_first():
    base = "a(X?) -> ()\nb(X) -> () [c: INT = 1, d: INT = 2]\nz(X) -> ()"
    head = "a(X?, Y?) -> ()\nb(X?) -> () [c: INT = 1, d: INT = 3]\nz() -> ()"
    lines = shown(base, head, "strict").splitlines()
    assert [line for line in lines if line in "abz" and line] == ["b", "z", "a"]
    mixed = [
        finding("n", op="mild", level="warning"),
        finding("n", op="bad", name="2"),
        finding("n", op="note", level="note"),
    ]
    lines = render(report("p", findings=mixed)).splitlines()
    assert [line for line in lines if line in ("mild", "bad", "note")] == ["bad", "mild", "note"]


def test_a_few_findings_state_whom_they_break_and_what_to_do():
    text = shown("a(X) -> ()", "a() -> ()")
    assert "breaks: " in text
    assert "instead: " in text
    assert "1 error in 1 op" in text
    assert "explain input_removed" in text


def test_few_notes_are_listed_and_many_are_counted():
    few = render(report("p", findings=[finding(f"n{i}", op="o", level="note") for i in range(3)]))
    assert "n2" in few
    assert "3 notes" in few
    many = render(report("p", findings=[finding(f"n{i}", op="o", level="note") for i in range(100)]))
    assert "n2" not in many
    assert "100 notes" in many
    assert "notes are not listed; --op OP shows those of one op, --op '*' all" in many
    chosen = [finding(f"n{i}", op="o", level="note") for i in range(100)]
    assert "n99" in render(Report(comparisons=(comparison("p", chosen, only=("*",)),)))


def test_a_new_error_has_its_place_and_fingerprint_however_many_notes_and_waivers_there_are():
    notes = [finding(f"n{i}", level="note") for i in range(100)]
    place = Origin(file="specs/a.json", line=7, column=None)
    broken = finding("x", op="o", head_origin=place)
    lines = render(Report(base="main", comparisons=(comparison("p", [*notes, *OLD_ONES, broken]),))).splitlines()
    for detail in ("head specs/a.json:7", "breaks: x", "instead: x", f"fingerprint: {broken.fingerprint}"):
        assert f"            {detail}" in lines
    assert len(lines) < 20
    errors = [finding(f"e{n}", op="o", head_origin=place) for n in range(30)]
    text = render(Report(base="main", comparisons=(comparison("p", errors),)))
    assert [error.fingerprint in text for error in errors] == [True] * 30
    assert text.count("head specs/a.json:7") == 30


def test_nothing_to_state_is_reported():
    assert "no findings" in shown("a() -> ()", "a() -> ()")


def test_a_clean_report_states_that_it_passes():
    text = shown("a() -> ()", "a() -> ()\nb() -> ()")
    assert "no errors under this profile" in text
    assert "explain" not in text


def test_a_nested_default_is_shown_path_by_path():
    old, new = '[[1, 2], [3, {"k": 4}], "same"]', '[[1, 5], [3, {"k": 6}], "same"]'
    text = shown(f"a() -> () [b: INTS = {old}]", f"a() -> () [b: INTS = {new}]")
    assert "[0][1]: 2 -> 5\n" in text
    assert "[1][1]['k']: 4 -> 6\n" in text
    assert "same" not in text.split("[0][1]: ")[1].partition("\n            ")[0]


def test_a_flat_default_is_clear_from_the_message():
    text = shown("a() -> () [b: INTS = [1]]", "a() -> () [b: INTS = [2]]")
    assert "from [1] to [2]" in text
    assert "[0]: 1 -> 2" not in text


def test_of_many_places_the_first_are_shown():
    old, new = list(range(40)), list(range(100, 140))
    text = shown(f"a() -> () [b: INTS = {old}]", f"a() -> () [b: INTS = {new}]")
    assert text.count(" -> 1") >= 10
    assert "and 30 more" in text


@pytest.mark.parametrize("report_", every_report())
def test_colour_only_where_it_is_requested(report_):
    assert "\x1b" not in render(report_)
    assert "\x1b[" in render_on(report_, Terminal(color=True))


def test_where_lines_are_known_they_are_shown():
    text = render(REPORTS["all kinds, text 2"])
    assert "base 100 % %s %(op)s {op} {0} {{:1:2\n" in text
    assert "head 100 % %s %(op)s {op} {0} {{:1000000000\n" in text


# Several comparisons, and what is of none.


def test_a_single_comparison_is_reported_without_anything_on_others():
    findings = [finding("x", op="a"), finding("y", op="a", level="note"), finding("z", op=None, level="warning")]
    assert render(report("p", findings=findings)) == (
        "p p -> p p\n"
        "p (3 ops) -> p (1 op), profile p\n"
        "\n"
        "a\n"
        "  error     x  [attr_default_changed: break, backward]\n"
        "            breaks: x\n"
        "            instead: x\n"
        "  note      y  [attr_default_changed: break, backward]\n"
        "            breaks: y\n"
        "\n"
        "  warning   z  [attr_default_changed: break, backward]\n"
        "            breaks: z\n"
        "            instead: z\n"
        "\n"
        "1 error, 1 warning, 1 note in 1 op\n"
        "next: fix the errors; `opspec-lint explain attr_default_changed` explains the rule\n"
    )
    assert render(report("p", findings=[])) == (
        "p p -> p p\np (3 ops) -> p (1 op), profile p\n\nno findings: head and base declare every op alike\n"
    )
    assert render(report("p", findings=findings[2:])).splitlines()[-2] == "1 warning"


def test_several_comparisons_are_reported_in_turn_and_summed_once():
    lost = finding(
        "specs/gone.json", kind="source", op=None, message="the file is gone", rule="spec_removed", field=None
    )
    broken = finding("x", op="matmul")
    text = render(
        Report(
            base="origin/main (1a2b3c4)",
            general=(lost,),
            comparisons=(
                comparison("p", [broken], base=side("2.6"), head=side("3.0"), ignored=2),
                comparison("p", [finding("y", op="matmul", level="note")], base=side("a"), head=side("b"), ignored=1),
                comparison("p", [], base=side("c"), head=side("d")),
            ),
            unchanged=("e", "f", "g"),
        )
    )
    assert text.splitlines() == [
        "base: origin/main (1a2b3c4)",
        "",
        "  error     the file is gone  [spec_removed: break, backward]",
        "            breaks: specs/gone.json",
        "            instead: specs/gone.json",
        f"            fingerprint: {lost.fingerprint}",
        "",
        "2.6 2.6 -> 3.0 3.0",
        "2.6 (3 ops) -> 3.0 (3 ops), profile p",
        "2 findings in ops that the configuration ignores",
        "",
        "matmul",
        "  error     x  [attr_default_changed: break, backward]",
        "            breaks: x",
        "            instead: x",
        f"            fingerprint: {broken.fingerprint}",
        "",
        "a a -> b b",
        "a (3 ops) -> b (3 ops), profile p",
        "1 finding in ops that the configuration ignores",
        "",
        "matmul",
        "  note      y  [attr_default_changed: break, backward]",
        "            breaks: y",
        "",
        "c c -> d d",
        "c (3 ops) -> d (3 ops), profile p: no findings",
        "",
        "3 spec files have not changed since base",
        "2 errors, 1 note in 1 op",
        "next: fix the errors; `opspec-lint explain spec_removed` explains the rule",
        "      or waive it for a reason with `opspec-lint waive FINGERPRINT --owner WHO --reason WHY`",
    ]


@pytest.mark.parametrize(("count", "is_advised"), [(20, False), (21, True)])
def test_years_of_breaks_are_waived_together(count, is_advised):
    findings = [finding(f"f{n}") for n in range(count)]
    text = render(Report(comparisons=(comparison("p", findings),), base="main"))
    assert ("`opspec-lint waive --baseline --owner WHO`" in text) == is_advised


def test_of_many_findings_every_comparison_folds_its_own_and_the_rules_are_reported_once():
    removed = [finding(f"op{n}", kind="op", rule="op_removed", field=None) for n in range(15)]
    notes = [finding(f"n{n}", level="note") for n in range(4)]
    text = render(Report(comparisons=tuple(comparison("p", item) for item in (removed, removed, notes))))
    assert text.count("error     15 ops") == 2
    assert text.count("What the rules say") == 1
    assert text.count("op_removed: 30 findings") == 1
    assert "profile p: 4 notes\n\n" in text


def test_a_single_file_that_stays_is_reported_of():
    assert "\n1 spec file has not changed since base\n" in render(REPORTS["empty"].replace(unchanged=("a",)))


@pytest.mark.parametrize(
    ("item", "last"),
    [
        (Report(comparisons=()), "no findings: no spec file has changed"),
        (Report(comparisons=(), unchanged=("a",)), "no findings: no spec file has changed"),
        (
            Report(comparisons=(), unchanged=("a",), base="HEAD (1234567890), a commit of main"),
            "no findings: no spec file has changed since HEAD (1234567890), a commit of main",
        ),
        (Report(comparisons=(comparison("p", []),) * 2), "no findings: head and base declare every op alike"),
        (
            Report(comparisons=(comparison("p", [], only=("a", "b")),) * 2),
            "no findings: head and base declare a, b alike",
        ),
        (
            Report(comparisons=(comparison("p", []), comparison("p", [], ignored=1))),
            "no findings: head and base declare every other op alike",
        ),
    ],
)
def test_the_silence_of_several_comparisons_or_none(item, last):
    lines = render(item).splitlines()
    assert lines[-1] == last
    assert len(lines) == 1 or item.comparisons


def test_what_is_of_no_op_is_in_no_op():
    lost = finding("x", kind="source", op=None, level="warning")
    assert render(Report(comparisons=(), general=(lost,))).splitlines()[-2:] == [
        "1 warning",
        "no errors under this profile",
    ]


def test_further_bases_are_named():
    text = render(report("p", findings=[finding("x", also=("specs/1.json", "specs/2.json"))]))
    assert "\n            also against specs/1.json, specs/2.json\n" in text


# Waivers.

OLD = Waived(reason="nobody saved one", owner="ann", expires="2030-12-31")
NEW = OLD.replace(expires=None, is_new=True)
OLD_ONES = [finding(f"w{n}", waived=OLD) for n in range(200)]


def test_what_is_waived_is_marked_and_comes_after_the_others_of_its_op():
    findings = [
        finding("bad", op="a", waived=OLD),
        finding("mild", op="a", level="note"),
        finding("worse", op="b", waived=NEW),
        finding("mildest", op="c", level="note"),
    ]
    assert render(report("p", findings=findings)).splitlines()[3:] == [
        "b",
        "  waived    worse  [attr_default_changed: break, backward]",
        "            waived by ann: nobody saved one (new in this change)",
        "",
        "a",
        "  note      mild  [attr_default_changed: break, backward]",
        "            breaks: mild",
        "  waived    bad  [attr_default_changed: break, backward]",
        "            waived by ann until 2030-12-31: nobody saved one",
        "",
        "c",
        "  note      mildest  [attr_default_changed: break, backward]",
        "            breaks: mildest",
        "",
        "2 notes in 2 ops; 2 waived, 1 by a new waiver of this change",
        "no errors under this profile, except for findings that are waived",
    ]


@pytest.mark.parametrize(
    ("waivers", "texts"),
    [
        ([OLD], "1 waived"),
        ([OLD, OLD], "2 waived"),
        ([NEW, OLD], "2 waived, 1 by a new waiver of this change"),
        ([NEW, NEW], "2 waived, 2 by new waivers of this change"),
    ],
)
def test_the_summary_counts_what_is_waived_apart(waivers, texts):
    findings = [finding(f"n{n}", waived=waived) for n, waived in enumerate(waivers)]
    assert render(report("p", findings=findings)).splitlines()[-2] == texts
    lines = render(report("p", findings=[*findings, finding("x", rule="op_removed")])).splitlines()
    assert lines[-2] == f"1 error in 1 op; {texts}"
    assert lines[-1].endswith("explain op_removed` explains the rule")


@pytest.mark.parametrize(
    ("waivers", "is_listed"), [([OLD] * 5, True), ([OLD] * 6, False), ([NEW] * 20, True), ([NEW] * 21, False)]
)
def test_a_few_waived_findings_are_listed_and_many_are_counted(waivers, is_listed):
    waived = [finding(f"f{n}", op="o", waived=waiver) for n, waiver in enumerate(waivers)]
    text = render(report("p", findings=waived))
    assert text.count("waived by ann") == (len(waived) if is_listed else 0)
    assert f"{len(waived)} waived" in text
    assert ("waived findings are not listed; --op OP shows those of one op" in text) == (not is_listed)
    assert render(Report(comparisons=(comparison("p", waived, only=("o",)),))).count("waived by ann") == len(waived)


def test_what_is_counted_of_a_comparison_is_behind_its_files():
    notes = [finding(f"n{n}", level="note") for n in range(30)]
    item = Report(base="main", comparisons=(comparison("p", [*notes, *OLD_ONES]), comparison("q", OLD_ONES)))
    assert render(item).splitlines() == [
        "base: main",
        "",
        "p p -> p p",
        "p (3 ops) -> p (1 op), profile p: 30 notes, 200 waived",
        "",
        "q q -> q q",
        "q (3 ops) -> q (1 op), profile q: 200 waived",
        "",
        "30 notes in 30 ops; 400 waived",
        "notes and waived findings are not listed; --op OP shows those of one op, --op '*' all",
        "no errors under this profile, except for findings that are waived",
    ]


def test_a_waived_finding_is_dim():
    assert "  \x1b[38;5;243mwaived   \x1b[0m x  " in render_on(
        report("p", findings=[finding("x", waived=OLD)]), Terminal(color=True)
    )


@pytest.mark.parametrize("name", ["several, text 0", "several alike", "all waived"])
def test_with_op_every_finding_is_in_the_text(name):
    item = REPORTS[name]
    text = render(item.replace(comparisons=tuple(part.replace(only=("*",)) for part in item.comparisons)))
    every = [finding for finding in item.findings if finding.level != "note" or finding.waived]
    assert sum(line.startswith(("  error     ", "  warning   ", "  waived    ")) for line in text.splitlines()) >= len(
        every
    )


def test_what_is_wrong_with_a_waiver_has_no_fingerprint_to_waive_it_by():
    broken, fault = finding("x"), finding("y", kind="waiver", op=None, rule="waiver_unused", field=None)
    text = render(Report(base="main", general=(fault,), comparisons=(comparison("p", [broken]),)))
    assert f"fingerprint: {broken.fingerprint}" in text
    assert fault.fingerprint not in text
    assert "fingerprint" not in render(Report(comparisons=(comparison("p", [broken]),)))


def test_a_file_can_be_opened_from_where_the_check_was_started(tmp_path, monkeypatch):
    made = Repository.make(tmp_path / "top", {"specs/a.json": spec("f", "g")})
    made.write({"specs/a.json": spec("g")})
    (made.top / "sub" / "deep").mkdir(parents=True)
    for folder, path in ((made.top, "specs/a.json"), (made.top / "sub" / "deep", "../../specs/a.json")):
        monkeypatch.chdir(folder)
        ran = run("check")
        assert f" -> {path} (1 op)" in ran.out
        assert os.path.exists(path)
