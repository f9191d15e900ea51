"""The comparison of verdicts on public models with loaders: its choice of files, and its report."""

from __future__ import annotations

import json

from opspec_lint.kit.lfs_pointer import START
from tests.support import zoo
from tests.support.repositories import Repository
from tools.public_models import main


def test_the_models_of_a_repository(tmp_path, monkeypatch, capsys):
    onnx = zoo.onnx(tmp_path / "made.onnx").read_bytes()
    files = {
        "a/net.onnx": onnx,
        "b/copy.onnx": onnx,
        "c/fetched.onnx": START + b"v1\n",
        "d/test_data_set_0/input_0.pb": b"\x08\x01",
        "e/saved_model.pb": b"\x08\x01",
        "e/variables/variables.index": b"index",
        "e/assets.extra/more.pb": b"more",
        "README.md": b"no model",
    }
    made = Repository.make(tmp_path / "nets", dict.fromkeys(files, ""))
    for name, data in files.items():
        (made.top / name).write_bytes(data)
    made.git("add", "-A")
    made.git("commit", "-qm", "models")
    folder = tmp_path / "out"
    monkeypatch.setattr("sys.argv", ["", str(folder), "--collect", str(made.top)])
    assert main() == 0
    assert capsys.readouterr().out == f"{made.top}: 2 models\n"
    copied = {str(path.relative_to(folder / "models" / "nets")) for path in (folder / "models").rglob("*.*")}
    assert {name for name in copied if (folder / "models" / "nets" / name).is_file()} == {
        *("a/net.onnx", "e/saved_model.pb", "e/variables/variables.index", "e/assets.extra/more.pb")
    }


def test_the_report_of_kept_results(tmp_path, monkeypatch, capsys):
    rows = [
        {"model": f"models/nets/{number}.onnx", "release": "onnx@1.17.0", "loader": "onnx.checker", "verdict": "loads"}
        | {"outcome": "loads" if number else "refused", "agreement": "agrees" if number else "differs"}
        | {"reason": None, "error": None if number else "no such op"}
        for number in range(100)
    ]
    (tmp_path / "verified").mkdir()
    (tmp_path / "verified" / "onnx.json").write_text(json.dumps({"rows": rows}), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["", str(tmp_path), "--verify", "onnx/bin/python"])
    assert main() == 1
    out = capsys.readouterr().out
    assert "onnx@1.17.0 (onnx.checker): 100 models of 1 repositories, 1 wrong (1.00%), 0 unknown (0.00%)" in out
    assert "the loader refused (no such op)" in out
