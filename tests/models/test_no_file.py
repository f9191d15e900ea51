"""Paths that are no file on a disk, in the place of a model or of a part: a message, and no wait."""

from __future__ import annotations

import os
import resource
import socket

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models.audit import audit
from opspec_lint.models.files import NoModelError
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.models.recognise import read_model
from opspec_lint.spec.model import Provenance, Spec
from tests.support import limited
from tests.support.models import pir_models
from tests.support.models.paddle_programs import release as paddle_release
from tests.support.models.tensorflow_models import FLOAT, bundle, graph, meta_graph, placeholder, release, saved_model
from tests.support.programs import run

SPECS = {"tensorflow": release(), "paddle": paddle_release("scale(X) -> (Out) []")}
TAKEN = [item.name for item in LOADERS.every() if item.framework in SPECS]
A_DEVICE = "it is a pipe, a socket or a device"


def _socket(path):
    made = socket.socket(socket.AF_UNIX)
    folder = os.getcwd()
    os.chdir(path.parent)  # the name of a socket may have some hundred characters
    try:
        made.bind(path.name)
    finally:
        os.chdir(folder)
        made.close()


PATHS = {
    "a pipe": (os.mkfifo, InputError, A_DEVICE),
    "a socket": (_socket, InputError, A_DEVICE),
    "a device without an end": (lambda path: path.symlink_to("/dev/zero"), InputError, A_DEVICE),
    "a device that is empty": (lambda path: path.symlink_to("/dev/null"), InputError, A_DEVICE),
    "a link to nothing": (lambda path: path.symlink_to("nothing"), NoModelError, "is a link to nothing"),
    "a link to itself": (lambda path: path.symlink_to(path.name), InputError, "symbolic links"),
    "a folder": (lambda path: path.mkdir(), NoModelError, "is a folder, and holds no model of a known kind"),
    "nothing": (lambda _: None, NoModelError, "there is no such file or folder"),
}


@pytest.mark.parametrize("name", ["model", "m.pb", "m.tflite", "m.onnx", "m.pt2", "__model__", "m.index", "m.json"])
@pytest.mark.parametrize(("make", "kind", "problem"), PATHS.values(), ids=PATHS)
def test_what_is_no_model_file_is_named(tmp_path, name, make, kind, problem):
    path = tmp_path / name
    make(path)
    with pytest.raises(kind, match=problem):
        read_model(str(path))


def _verdicts(path, name):
    loaded = LOADERS.load(name)
    return [row.verdict for row in audit(str(path), [("spec", SPECS[loaded.framework])], [loaded], LoadOptions())]


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("form", PATHS)
def test_no_loader_waits_for_what_is_no_file(tmp_path, name, form):
    PATHS[form][0](tmp_path / "model")
    outcome = limited.call(_verdicts, tmp_path / "model", name, seconds=10)
    assert not outcome.failure
    assert outcome.value == ["unreadable"]


def test_a_file_that_is_not_there_is_no_model_file_to_the_runtime_of_tflite_too():
    loaded = LOADERS.load("tflite.Interpreter")
    spec = Spec(file="spec", provenance=Provenance(framework="tflite"), ops={})
    (result,) = audit("/none/m.tflite", [("spec", spec)], [loaded], LoadOptions())
    assert (result.verdict, result.reason) == ("unreadable", "no_model_file")


PARTS = ["saved_model.pb", "variables", "variables/variables.index", "variables/variables.data-00000-of-00001"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("form", ["a pipe", "a device without an end", "a link to itself", "a folder", "nothing"])
def test_a_part_of_a_saved_model_that_is_no_file(tmp_path, part, form):
    folder = saved_model(tmp_path / "saved", meta_graph(graph(placeholder()), "serve", restores=["w"]))
    bundle(folder / "variables" / "variables", [("w", FLOAT, [2], bytes(8))])
    path = folder / part
    path.rename(tmp_path / "moved")
    PATHS[form][0](path)
    outcome = limited.call(_verdicts_with_checksums, folder, seconds=10)
    assert not outcome.failure
    leads_out = (form, part) == ("a device without an end", PARTS[-1])  # such a link is not followed
    assert set(outcome.value) <= ({"cannot_tell"} if leads_out else {"refused", "unreadable"})


def _verdicts_with_checksums(folder):
    expected = [LOADERS.load(name) for name in ("saved_model.load", "v1.saved_model.loader.load")]
    load_options = LoadOptions(tags=("serve",), checksums=True)
    shown = run("show", str(folder))
    assert shown.code in (0, 3)
    return [row.verdict for row in audit(str(folder), [("spec", SPECS["tensorflow"])], expected, load_options)]


@pytest.mark.parametrize(("make", "kind", "problem"), list(PATHS.values())[:3], ids=list(PATHS)[:3])
def test_a_program_in_a_folder_that_is_no_file(tmp_path, make, kind, problem):
    make(tmp_path / "__model__")
    with pytest.raises(kind, match=problem):
        read_model(str(tmp_path))


def test_an_empty_file_is_reported_to_be_empty(tmp_path):
    (tmp_path / "m.onnx").write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        read_model(str(tmp_path / "m.onnx"))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("m.onnx", "is not an ONNX model"),
        ("m.tflite", "is not a TFLite model"),
        ("m.pdmodel", "is not a ProgramDesc"),
        ("m.pt2", "is not a readable zip archive"),
        ("m.pb", "is not a saved model of a known kind"),
    ],
)
def test_a_file_of_no_known_kind_is_held_against_the_kind_of_its_name(tmp_path, name, problem):
    (tmp_path / name).write_bytes(b"hello")
    with pytest.raises(InputError, match=problem):
        read_model(str(tmp_path / name))


def _shown(folder):
    return run("show", str(folder)).out


def test_show_states_what_it_cannot_show_of_a_saved_model(tmp_path):
    folder = saved_model(tmp_path / "saved", meta_graph(graph(placeholder()), "serve", restores=["w"]))
    bundle(folder / "variables" / "variables", [("w", FLOAT, [2], bytes(8))])
    assert "cannot be shown" not in _shown(folder)
    (folder / "variables" / "variables.index").write_bytes(b"x" * 100)
    assert "its variables cannot be shown" in _shown(folder)
    (folder / "saved_model.pb").write_bytes(b"")
    assert "it has no meta graph" in _shown(folder)


@pytest.mark.parametrize("name", ["text", "json", "dot"])
def test_more_models_are_shown_than_files_may_be_open(tmp_path, name):
    whole = graph(placeholder()).SerializeToString()
    paths = [tmp_path / f"{at}.pb" for at in range(60)]
    for path in paths:
        path.write_bytes(whole)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    run("show", str(paths[0]), "--format", name)  # so that all modules are imported
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 30, hard))
    try:
        shown = run("show", *map(str, paths), "--format", name)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (shown.code, shown.err) == (0, "")


def test_numbers_that_fill_pages_are_cut_short(tmp_path):
    (tmp_path / "m.json").write_bytes(pir_models.program(version=int("9" * 4000)))
    assert len(_shown(tmp_path / "m.json")) < 3000
