from __future__ import annotations

import os

import pytest

from opspec_lint.frameworks.paddle.sources import runtime
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES

READING = Reading()
SCHEMES = ", ".join(SOURCES.names())
OP = '{"relu": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}'


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def extracted(monkeypatch):
    """Return the arguments that the Paddle extractor got, which are its answer."""
    requested = []
    fake = runtime.SOURCE.replace(extract=lambda argument, _: requested.append(argument) or "a spec")
    monkeypatch.setitem(SOURCES._loaded, "paddle-runtime", fake)
    return requested


@pytest.mark.parametrize(
    "name",
    [
        "ops.json",
        "ops",
        "paddle-runtime",
        "paddle-runtime:python3",
        "paddle@2.6.2",
        "a:b:c",
        ":x",
        "x:",
        "HEAD:ops.json",
        "größe",
    ],
)
def test_an_existing_file_comes_first(name, extracted):
    with open(name, "w", encoding="utf-8") as stream:
        stream.write(OP)
    assert list(references.resolve(name, READING).spec.ops) == ["relu"]
    assert references.resolve(name, READING).spec.file == name
    assert extracted == []


@pytest.mark.parametrize(
    ("reference", "argument"),
    [
        ("paddle-runtime", ""),
        ("paddle-runtime:", ""),
        ("paddle-runtime:python3.8", "python3.8"),
        ("paddle-runtime:/opt/a:b/python", "/opt/a:b/python"),
    ],
)
def test_then_a_known_scheme(reference, argument, extracted):
    assert references.resolve(reference, READING).spec == "a spec"
    assert extracted == [argument]


@pytest.mark.parametrize(
    "reference",
    ["nowhere.json", "", "paddle_runtime", "Paddle-Runtime", "tensorflow:x", "a\0b", "a\nb", "no/such/folder/ops.json"],
)
def test_else_a_single_error_names_the_known_schemes(reference):
    with pytest.raises(InputError) as caught:
        references.resolve(reference, READING)
    assert caught.value.message == f"{reference}: no such file, and not a known scheme"
    assert caught.value.advice.endswith(f"known schemes: {SCHEMES}; `opspec-lint specs` lists the released specs")


@pytest.mark.parametrize(
    ("reference", "near"),
    [
        ("op.json", "ops.json"),
        ("sub/base.jsn", "base.json"),
        ("./ops.jsn", "ops.json"),
        ("specs/paddle-2.6.2.json", "paddle@2.6.2"),
        ("paddle-pir-3.0.0.json", "paddle-pir@3.0.0"),
        ("paddle-2.6.2", "paddle@2.6.2"),
        ("paddle==2.6.2", "paddle@2.6.2"),
        ("paddle 2.6.2", "paddle@2.6.2"),
        ("paddle2.6.2", "paddle@2.6.2"),
        ("paddle@v2.6.2", "paddle@2.6.2"),
        ("paddlepaddle==2.6.2", "paddle@2.6.2"),
        ("tensorflow==2.15", "tensorflow@2.15.1"),
        ("Paddle", "paddle@3.3.1"),
    ],
)
def test_the_error_names_the_nearest_file(reference, near):
    os.mkdir("sub")
    for name in ("ops.json", "sub/base.json", "unlike.txt"):
        with open(name, "w", encoding="utf-8") as stream:
            stream.write(OP)
    with pytest.raises(InputError) as caught:
        references.resolve(reference, READING)
    assert caught.value.advice.startswith(f"did you mean {near!r}? known schemes: {SCHEMES}; ")


def test_a_link_that_leads_nowhere_is_a_file_that_cannot_be_read():
    os.symlink("gone.json", "link.json")
    with pytest.raises(InputError, match=r"link\.json: cannot be read: No such file or directory"):
        references.resolve("link.json", READING)


def test_a_folder_is_no_spec():
    os.mkdir("specs")
    with pytest.raises(InputError, match="specs: is a directory"):
        references.resolve("specs", READING)


@pytest.mark.parametrize("scheme", SOURCES.names())
def test_every_source_has_a_scheme_and_a_line_on_it(scheme):
    # A module that states its scheme, for messages, states that of its place.
    assert getattr(SOURCES.module(scheme), "SCHEME", scheme) == scheme
    assert SOURCES.load(scheme).summary
    assert ":" not in scheme


@pytest.mark.parametrize("is_there", [True, False])
def test_a_wheel_is_read_by_sources(is_there):
    name = "paddlepaddle-3.1.1-cp310-cp310-linux_x86_64.whl"
    if is_there:
        with open(name, "wb") as stream:
            stream.write(b"PK\x03\x04")
    with pytest.raises(InputError) as caught:
        references.resolve(name, READING)
    assert caught.value.problem == ("is a wheel, and not a spec file" if is_there else "no such file")
    assert f"paddle-pir-wheel:{name} reads a wheel of paddle" in caught.value.advice
    assert "tensorflow-runtime:PYTHON" in caught.value.advice
