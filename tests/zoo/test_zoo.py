"""Many models: the verdicts of single audits, a row for each file, and nothing read twice."""

import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import warnings
from collections import Counter
from operator import itemgetter
from pathlib import Path

import pytest

from opspec_lint.models import files
from tests.support import zoo
from tests.support.paths import SPECS as SPECS_FOLDER
from tests.support.patience import PATIENCE
from tests.support.programs import run, spawn

TF, PADDLE, ONNX = "tensorflow@2.18.1", "paddle@3.0.0", "onnx@1.23.2"
SPECS = "--against", TF, "--against", PADDLE, "--against", ONNX


@pytest.fixture
def folder(tmp_path):
    """A zoo with models of every format, what is none, and what cannot be read."""
    folder = tmp_path / "zoo"
    for name, write in zoo.WRITERS.items():
        write(folder / name)
    zoo.onnx(folder / "old.onnx", op="Upsample", opset=13)
    (folder / "broken.pdmodel").write_bytes(b"\x0a\xff\xff\xff\xff\x7f" + b"x" * 50)
    (folder / "empty.onnx").touch()
    (folder / "notes.txt").write_text("no model")
    os.mkfifo(folder / "pipe.pb")
    (folder / "loop").symlink_to(folder)
    (folder / "nowhere.onnx").symlink_to(folder / "missing.onnx")
    return folder


def audited(folder, file, *more, specs=SPECS, start="fork"):
    """Audit a zoo in this process, and return the exit code and the rows.

    The workers are forks, which need not import what this process has; `spawn` starts new processes, as users have it.
    """
    context = multiprocessing.get_context(start)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setattr(multiprocessing, "get_context", lambda _: context)
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        ran = run("audit", folder, *specs, "--results", file, "--jobs", "1", "--format", "jsonl", *more)
    assert ran.code in (0, 1, 3), ran.err
    return ran.code, [json.loads(line) for line in ran.out.splitlines()]


def keyed(rows):
    return {(row["model"], row["against"], row["loader"]): (row["verdict"], row["reason"]) for row in rows}


def single(path, specs=SPECS):
    ran = run("audit", path, *specs, "--skip-others", "--format", "json")
    return json.loads(ran.out)["audits"]


def test_the_rows_are_those_of_single_audits(tmp_path, folder):
    code, rows = audited(folder, tmp_path / "zoo.db", start="spawn")
    assert code == 3
    assert len(keyed(rows)) == len(rows)
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        for audit in single(path):
            assert audit in rows


def test_what_is_no_model_has_rows_if_it_is_broken_a_pipe_or_a_link(tmp_path, folder):
    _, rows = audited(folder, tmp_path / "zoo.db")
    unreadable = {os.path.relpath(row["model"], folder) for row in rows if row["verdict"] == "unreadable"}
    assert unreadable == {"broken.pdmodel", "empty.onnx", "pipe.pb", "loop", "nowhere.onnx"}
    assert not any(row["model"].endswith("notes.txt") for row in rows)
    assert sum(row["model"].endswith("loop") for row in rows) == 3


def test_a_file_that_is_named_counts_though_it_is_no_model(tmp_path, folder):
    file = tmp_path / "zoo.db"
    assert audited(folder / "notes.txt", file)[1][0]["verdict"] == "unreadable"
    assert not any(row["model"].endswith("notes.txt") for row in audited(folder, file)[1])


def _spoil(folder):
    """Overwrite all files in their places, so that only their contents change."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            subject = path.stat()
            with path.open("r+b") as stream:
                stream.write(b"\xff" * subject.st_size)
            os.utime(path, ns=(subject.st_atime_ns, subject.st_mtime_ns))


def test_a_second_run_reads_nothing(tmp_path, folder):
    _, first = audited(folder, tmp_path / "zoo.db")
    _spoil(folder)
    assert audited(folder, tmp_path / "zoo.db")[1] == first


def test_a_new_spec_reads_no_model(tmp_path, folder):
    _, want = audited(folder, tmp_path / "once.db")
    audited(folder, tmp_path / "zoo.db", specs=SPECS[:2])
    _spoil(folder)
    assert audited(folder, tmp_path / "zoo.db")[1] == want


def test_another_option_is_another_verdict(tmp_path, folder):
    audited(folder, tmp_path / "zoo.db")
    _, rows = audited(folder, tmp_path / "zoo.db", "--tags", "none")
    assert rows == audited(folder, tmp_path / "other.db", "--tags", "none")[1]
    assert "tags" in {row["reason"] for row in rows}


def test_a_model_that_changed_is_read_again(tmp_path, folder):
    file = tmp_path / "zoo.db"
    audited(folder, file)
    zoo.onnx(folder / "old.onnx")
    _, rows = audited(folder, file)
    assert [row["verdict"] for row in rows if row["model"].endswith("old.onnx") and row["loader"]] == ["loads"]


def test_a_model_whose_neighbour_changed_is_read_again(tmp_path, folder):
    file = tmp_path / "zoo.db"
    _, first = audited(folder, file)
    (folder / "saved_model" / "saved" / "variables" / "variables.index").unlink()
    _, rows = audited(folder, file)
    changed = {key for key, verdict in keyed(rows).items() if keyed(first).get(key) != verdict}
    assert {os.path.basename(model) for model, _, _ in changed} == {"saved_model.pb"}


def test_a_model_that_moved_keeps_its_verdict(tmp_path, folder):
    file = tmp_path / "zoo.db"
    _, first = audited(folder, file)
    shutil.move(folder / "broken.pdmodel", folder / "onnx" / "broken.pdmodel")
    _, rows = audited(folder, file)
    assert len(rows) == len(first)
    result = [row for row in rows if row["model"].endswith("broken.pdmodel")]
    assert all(str(folder / "onnx" / "broken.pdmodel") in row["findings"][0]["message"] for row in result)


def test_a_model_that_is_gone_has_no_rows(tmp_path, folder):
    file = tmp_path / "zoo.db"
    audited(folder, file)
    (folder / "old.onnx").unlink()
    assert not any(row["model"].endswith("old.onnx") for row in audited(folder, file)[1])
    ran = run("audit", "--results", file, "--summary", "--format", "jsonl")
    assert "old.onnx" not in ran.out


def test_patterns_and_lists(tmp_path, folder):
    _, rows = audited(f"{folder}/**/*.onnx", tmp_path / "a.db")
    assert {os.path.basename(row["model"]) for row in rows} == {"model.onnx", "old.onnx", "empty.onnx", "nowhere.onnx"}
    listed = f"{folder}/old.onnx\n{folder}/tflite/net.tflite\n".encode()
    ran = spawn("audit", "-", *SPECS, "--results", tmp_path / "b.db", "--format", "jsonl", input=listed)
    assert {os.path.basename(json.loads(line)["model"]) for line in ran.stdout.splitlines()} == {"old.onnx"}


@pytest.mark.parametrize("form", ["zip", "tar", "gztar"])
def test_an_archive_is_a_zoo(tmp_path, folder, form):
    for name in ("pipe.pb", "loop", "nowhere.onnx"):
        (folder / name).unlink()
    _, want = audited(folder, tmp_path / "a.db")
    archive = shutil.make_archive(str(tmp_path / "models"), form, folder)
    _, rows = audited(archive, tmp_path / "b.db")
    moved = [json.loads(json.dumps(row).replace(archive, str(folder))) for row in rows]
    assert keyed(moved) == keyed(want)


def test_weights_are_not_read(tmp_path):
    path = zoo.onnx(tmp_path / "zoo" / "big.onnx", weights=4 << 20)
    audited(tmp_path / "zoo", tmp_path / "zoo.db")
    assert (tmp_path / "zoo.db").stat().st_size < 256 << 10 < files.file_size(str(path))


def test_waivers_clear_findings_of_results(tmp_path, folder):
    file = tmp_path / "zoo.db"
    _, rows = audited(folder / "old.onnx", file)
    fingerprint = next(
        finding["fingerprint"] for row in rows for finding in row["findings"] if finding["level"] == "error"
    )
    waivers = tmp_path / "waivers.json"
    entry = {"fingerprint": fingerprint, "reason": "nobody loads it", "owner": "me", "expires": "2999-01-01"}
    waivers.write_text(json.dumps({"version": 1, "waivers": [entry]}))
    code, after = audited(folder / "old.onnx", file, "--waivers", waivers)
    assert code == 0
    assert after[0]["findings"][0]["waived"]["owner"] == "me"


def test_audit_under_all_fitting_releases(tmp_path, folder):
    """Rows, counts and exit codes are the same as in audits without a spec, and a summary repeats them."""
    file = tmp_path / "zoo.db"
    for name in ("pipe.pb", "loop", "nowhere.onnx", "broken.pdmodel", "empty.onnx"):
        (folder / name).unlink()
    code, rows = audited(folder, file, specs=())
    for name in ("old.onnx", "paddle_pir/net.json", "tflite/net.tflite"):
        ran = run("audit", folder / name, "--format", "json")
        alone = json.loads(ran.out)
        own = [row for row in rows if row["model"] == str(folder / name)]
        key = itemgetter("against", "loader")
        assert sorted(own, key=key) == sorted(alone["audits"], key=key)
        assert Counter(row["loads"] for row in own) == Counter(alone["counts"])
    assert code == 1
    for name in ("paddle_pir", "tflite", "torch.export"):  # no release loads these
        shutil.rmtree(folder / name)
    (folder / "old.onnx").unlink()
    code, rows = audited(folder, file, specs=())
    assert code == 0  # each model loads somewhere, or that is unknown
    for options, expected in (
        ((), 0),
        (("--unknown", "error"), 1),
        (("--require", "onnx@1.5.0..1.7"), 1),
        (("--require", TF), 0),
    ):
        assert run("audit", "--results", file, "--summary", *options).code == expected
    summary = json.loads(run("audit", "--results", file, "--summary", "--format", "json").out)
    assert summary["counts"] == Counter(row["loads"] for row in rows)
    assert run("audit", "--results", file, "--summary", "--require", SPECS_FOLDER / "onnx-1.5.0.json").code == 2


WRONG = [
    (["--results", "{db}"], "no models"),
    (["{zoo}", "--results", "{db}", "--summary"], "--summary"),
    (["{zoo}", "--against", TF, "--results", "{db}", "--oldest"], "--oldest"),
    (["{zoo}", "--against", TF, "--results", "{db}", "--format", "sarif"], "sarif"),
    (["{zoo}", "--against", TF, "--results", "{db}", "--format", "parquet"], "needs a file"),
    (["{zoo}", "--against", TF, "--results", "{db}", "--engine", "ray"], "ray"),
    (["{zoo}", "--against", TF, "--results", "{db}", "--engine", "pool:x"], "address"),
    (["{zoo}", "--against", TF, "--results", "{db}", "--jobs", "0"], "number of workers"),
    (["{zoo}", "--against", TF, "--jobs", "2"], "--results"),
    (["{zoo}", "--against", TF, "--format", "csv"], "--results"),
    (["{zoo}/none-*", "--against", TF, "--results", "{db}"], "matches no file"),
    ([], "no model"),
]


@pytest.mark.parametrize(("texts", "message"), WRONG)
def test_wrong_usage_is_a_single_message(tmp_path, folder, texts, message):
    ran = run("audit", *(item.format(zoo=folder, db=tmp_path / "zoo.db") for item in texts))
    assert ran.code in (2, 3)
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_a_file_that_is_no_results_is_left_alone(tmp_path, folder):
    file = tmp_path / "notes.db"
    file.write_text("mine")
    assert run("audit", folder, *SPECS, "--results", file).code == 3
    assert file.read_text() == "mine"


@pytest.mark.parametrize("engine", ["pool", "dask"])
def test_no_module_of_the_current_folder_is_imported(tmp_path, folder, engine):
    if engine == "dask":
        pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    mark = tmp_path / "imported"
    for name in ("socket", "signal", "selectors", "json", "multiprocessing", "opspec_lint"):
        (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write(__name__)\n")
    program = Path(sys.executable).with_name("opspec-lint")
    command = [program, "audit", "old.onnx", "--against", ONNX, "--results", tmp_path / "zoo.db", "--jobs", "1"]
    command += ["--engine", engine]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert "Upsample" in ran.stdout, ran.stderr
    assert not mark.exists()
