"""Jobs that are run under two installations: small programs stand in for the revisions."""

import os
import sys

import pytest

from benchmarks import report, runs
from benchmarks.installations import Installation
from benchmarks.jobs import Job
from benchmarks.processes import FailedError, count_instructions, counter, imported_modules, measure

needs_counter = pytest.mark.skipif(not counter(), reason="neither perf nor valgrind counts instructions here")


def installation(folder, label, program, interpreter=sys.executable):
    """Return an installation whose `opspec-lint` is a small program."""
    made = Installation(label, folder / label)
    made.scripts.mkdir(parents=True)
    (made.folder / "home").mkdir()
    (made.scripts / "python").symlink_to(sys.executable)
    script = made.scripts / "opspec-lint"
    script.write_text(f"#!{interpreter}\n{program}\n")
    script.chmod(0o755)
    return made


def job(**fields):
    given = {
        "name": "job",
        "title": "a job",
        "command": ("opspec-lint",),
        "baseline": ("python", "-c", "pass"),
        "baseline_title": "an empty Python",
        "is_counted": False,
    }
    return Job(**{**given, **fields})


def result(tmp_path, old, new, repeat=2, **fields):
    """Return the result of a job under two programs."""
    made = [installation(tmp_path, "old", old), installation(tmp_path, "new", new)]
    (result,) = runs.run([job(**fields)], made, repeat)
    return result


def test_every_label_is_measured_as_often_as_requested_and_modules_are_named(tmp_path):
    results = result(tmp_path, "import colorsys", "import colorsys, this, os; os._exit(1)", repeat=3)
    assert not results.failed
    assert {label: len(figures.seconds) for label, figures in results.figures.items()} == {
        "old": 3,
        "new": 3,
        "baseline": 3,
    }
    assert "colorsys" in results.figures["old"].modules
    assert set(results.figures["new"].modules) - set(results.figures["old"].modules) == {"this"}
    assert results.figures["baseline"].modules is None
    assert all(figures.memory > 1000 for figures in results.figures.values())
    assert "  imports now: this" in report.render(results, 1).splitlines()


def test_the_labels_run_in_turn_and_none_always_follows_the_same(tmp_path):
    log = tmp_path / "log"
    note = f"open({str(log)!r}, 'a').write({{!r}})"
    code = note.format("b")
    result(tmp_path, note.format("o"), note.format("n"), repeat=3, baseline=("python", "-c", code))
    assert log.read_text()[:12] == "onb" + "onb" + "nbo" + "bon"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import sys; print('no such option', file=sys.stderr); sys.exit(2)", "ended with 2: no such option"),
        ("import nothing_of_this_name", "ended with 1: ModuleNotFoundError: No module named 'nothing_of_this_name'"),
    ],
)
def test_a_command_that_fails_is_a_failed_result(tmp_path, program, reason):
    results = result(tmp_path, "", program)
    assert results.failed == f"`opspec-lint` {reason}"
    assert report.render(results, 1).splitlines()[1] == f"  failed: {results.failed}"


def test_data_is_prepared_and_named_to_the_commands(tmp_path):
    program = "import sys; sys.exit(0 if 'opspec_lint' in open(sys.argv[1]).read() else 2)"
    results = result(tmp_path, program, program, data=("scripts",), command=("opspec-lint", "{data}/opspec-lint"))
    assert not results.failed


def test_both_revisions_read_specs_of_the_older_revision(tmp_path):
    for label in ("old", "new"):
        (tmp_path / label / "specs").mkdir(parents=True)
        (tmp_path / label / "specs" / "ops.json").write_text(label)
    program = "import sys; sys.exit(0 if open(sys.argv[1]).read() == 'old' else 2)"
    results = result(tmp_path, program, program, command=("opspec-lint", "{specs}/ops.json"))
    assert not results.failed


def test_every_repetition_starts_with_the_cache_that_the_warm_up_left(tmp_path):
    program = (
        "import os, sys; place = os.environ['XDG_CACHE_HOME'] + '/seen'\n"
        "if sys.argv[1:] == ['fill']: open(place, 'w').close()\n"
        "else: os.remove(place)"
    )
    assert not result(tmp_path, program, program, repeat=3, warm_up=("opspec-lint", "fill")).failed


def test_every_repetition_starts_with_an_empty_cache_if_nothing_warms_it_up(tmp_path):
    program = "import os, sys; os.mkdir(sys.argv[1] + '/seen')"
    assert not result(tmp_path, program, program, repeat=3, command=("opspec-lint", "{cache}")).failed


def test_measured_processes_see_no_variables_of_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("OPSPEC_LINT_TRACEBACK", "1")
    program = (
        "import os, sys; names = set(os.environ); home = os.environ['HOME']\n"
        "sys.exit(2 if 'PYTHONPATH' in names or 'OPSPEC_LINT_TRACEBACK' in names else 0)"
    )
    assert not result(tmp_path, program, program).failed


LOOP = "at=0; while [ $at -lt {} ]; do at=$((at + 1)); done"
"""A program of the shell, which starts under valgrind in a fraction of the time that a Python takes."""


@needs_counter
def test_planted_instructions_are_reported_as_growth(tmp_path):
    made = [
        installation(tmp_path, label, LOOP.format(count), "/bin/sh") for label, count in (("old", 5000), ("new", 6000))
    ]
    (result,) = runs.run([job(is_counted=True)], made, repeat=1)
    old, new = (result.figures[label].instructions for label in ("old", "new"))
    assert 1.05 < new / old < 1.2
    (line,) = report.growths([result], 5)
    assert line.startswith("job: instructions grew by ")
    assert report.growths([result], 20) == []


@needs_counter
def test_instructions_are_the_same_every_time_and_include_those_of_children(tmp_path):
    environment = installation(tmp_path, "new", LOOP.format(5000), "/bin/sh").environment
    first, again = (count_instructions(["opspec-lint"], "/", environment) for _ in range(2))
    assert first == pytest.approx(again, rel=1e-3)
    both = count_instructions(["sh", "-c", "opspec-lint; opspec-lint"], "/", environment)
    assert both == pytest.approx(2 * first, rel=0.2)


def test_modules_are_those_of_python_scripts_alone(tmp_path):
    environment = installation(tmp_path, "new", "import colorsys").environment
    assert "colorsys" in imported_modules(["opspec-lint"], "/", environment)
    assert imported_modules(["sh", "-c", "opspec-lint"], "/", environment) is None
    assert imported_modules(["python", "-c", "pass"], "/", environment) is None
    script = tmp_path / "script"
    script.write_text(
        "import sys, os\nassert sys.path[0] == os.path.dirname(sys.argv[0])\nassert sys.argv[1:] == ['a']"
    )
    assert "colorsys" not in imported_modules(["python", str(script), "a"], "/", environment)


def test_a_program_that_does_not_exist_is_a_failure(tmp_path):
    with pytest.raises(FailedError, match="there is no program 'opspec-lint'"):
        measure(["opspec-lint"], "/", {"PATH": str(tmp_path)})


def test_peak_memory_is_that_of_the_command_not_of_those_that_measure_it(tmp_path):
    environment = {"PATH": os.environ["PATH"]}
    filled = bytearray(60 << 20)
    assert 0 < measure(["true"], str(tmp_path), environment).memory < len(filled) >> 11
    code = f"data = b'x' * {60 << 20}"
    assert measure([sys.executable, "-c", code], str(tmp_path), environment).memory > 60 << 10


def test_processor_time_of_children_counts(tmp_path):
    environment = {"PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    cost = measure(["sh", "-c", f'"{sys.executable}" -c "$0"; true', burn], str(tmp_path), environment)
    assert cost.seconds >= 0.3
