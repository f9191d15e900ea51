"""`-` is standard output for every --output, and never the name of a file."""

from __future__ import annotations

import pytest

from tests.support.models import onnx_models
from tests.support.programs import run


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.onnx").write_bytes(onnx_models.whole())


@pytest.mark.parametrize(
    "texts",
    [
        ("extract", "paddle@1.8.5"),
        ("check", "paddle@2.6.2", "paddle@3.0.0", "--op", "relu"),
        ("show", "m.onnx"),
    ],
)
def test_a_text_goes_to_standard_output(tmp_path, texts):
    ran, plain = run(*texts, "--output", "-"), run(*texts)
    assert (ran.code, ran.out, ran.err) == (plain.code, plain.out, plain.err)
    assert ran.out
    assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]


@pytest.mark.parametrize("option", ["--output", "--store"])
def test_standard_output_is_no_folder(tmp_path, option):
    ran = run("prove", "paddle@2.6.2", "paddle@3.0.0", "--op", "relu", option, "-")
    assert (ran.code, ran.out) == (2, "")
    assert f"{option} names a folder, and - is standard output" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]
