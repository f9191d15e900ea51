"""Models behind URLs: the verdicts of their files on a disk, and objects that go or change between two looks."""

import json
import os
import shutil
import socket
import subprocess
import sys

import pytest

from opspec_lint.zoo import places, remote, specs, worker
from opspec_lint.zoo.work import Job, Setup
from tests.support import zoo
from tests.support.patience import until
from tests.support.programs import run, spawn

fsspec = pytest.importorskip("fsspec")

SPECS = "--against", "tensorflow@2.18.1", "--against", "paddle@3.0.0", "--against", "onnx@1.23.2"
NAMES = ("onnx", "saved_model", "paddle_program", "torch.export")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "zoo"
    for name in NAMES:
        zoo.WRITERS[name](folder / name)
    (folder / "broken.pdmodel").write_bytes(b"\x0a\xff\xff\xff\xff\x7f" + b"x" * 50)
    return folder


@pytest.fixture
def memory(folder):
    """The zoo in a file system in memory, which only this process has."""
    system = fsspec.filesystem("memory")
    system.put(f"{folder}/", "/zoo/", recursive=True)
    yield system
    system.store.clear()
    places.storage_of.cache_clear()


def audited(text, file):
    """Audit in a process of its own, so that nothing is known of an earlier listing."""
    ran = spawn("audit", text, *SPECS, "--results", file, "--jobs", "1", "--format", "jsonl")
    assert ran.returncode in (0, 1, 3), ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def keyed(rows, root):
    return {(row["model"].replace(root, ""), row["against"], row["loader"]): row["verdict"] for row in rows}


def read(place):
    target = specs.make_target("onnx@1.23.2", lambda: None, None)
    (row,) = worker.audit_batch(Setup(targets=(target,)), [Job(place=place, targets=(0,))])
    return row


def test_a_folder_and_an_archive_by_their_urls(tmp_path, folder):
    want = keyed(audited(folder, tmp_path / "a.db"), str(folder))
    assert keyed(audited(f"file://{folder}", tmp_path / "b.db"), f"file://{folder}") == want
    archive = shutil.make_archive(str(tmp_path / "models"), "zip", folder)
    assert keyed(audited(f"zip://**::{archive}", tmp_path / "c.db"), archive) == want


@pytest.mark.usefixtures("memory")
def test_files_in_memory():
    rows = {place.path: read(place) for place in remote.list_url("memory://zoo")}
    assert {os.path.basename(path): row.format for path, row in rows.items() if row.format} == {
        "model.onnx": "onnx",
        "saved_model.pb": "saved_model",
        "variables.index": "tensorflow_checkpoint",
        "net.pdmodel": "paddle_program",
        "net.pt2": "pt2",
    }


def test_an_object_that_goes_after_it_was_listed(memory):
    (place,) = (item for item in remote.list_url("memory://zoo") if item.path.endswith(".onnx"))
    places.storage_of(place.source)
    memory.rm("/zoo/onnx/model.onnx")
    row = read(place)
    (verdict,) = row.verdicts
    assert (row.place, verdict.verdict) == (place, "unreadable")


def test_no_such_url_is_a_single_message(tmp_path, folder):
    ran = run("audit", f"file://{folder}/none", *SPECS, "--results", tmp_path / "a.db")
    assert (ran.code, "Traceback" in ran.err) == (3, False)
    ran = run("audit", "nosuch://models", *SPECS, "--results", tmp_path / "b.db")
    assert (ran.code in (2, 3), "nosuch" in ran.err) == (True, True)


def made(system, name):
    """Make a bucket, and tell whether the server was there."""
    try:
        system.mkdir(name)
    except Exception:
        return False
    return True


@pytest.fixture
def s3(monkeypatch):
    """A server that behaves like S3, and a client of it."""
    pytest.importorskip("s3fs")
    pytest.importorskip("moto.server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"http://127.0.0.1:{port}"
    settings = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y", "AWS_ENDPOINT_URL": address}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    server = subprocess.Popen(
        [sys.executable, "-c", "import sys; from moto.server import main; main(sys.argv[1:])", "-p", port],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    system = fsspec.filesystem("s3", endpoint_url=address)
    until(lambda: made(system, "zoo"))
    yield system
    server.kill()
    server.wait()


def test_a_bucket(tmp_path, folder, s3):
    s3.put(f"{folder}/", "zoo/models/", recursive=True)
    file = tmp_path / "b.db"
    want = keyed(audited(folder, tmp_path / "a.db"), str(folder))
    actual = [keyed(audited("s3://zoo/models", file), "s3://zoo/models") for _ in range(2)]
    assert actual == [want, want]
    s3.pipe("zoo/models/onnx/model.onnx", b"\x0a\xff\xff\xff\xff\x7f")
    s3.rm("zoo/models/broken.pdmodel")
    rows = keyed(audited("s3://zoo/models", file), "s3://zoo/models")
    assert {verdict for (model, _, _), verdict in rows.items() if model == "/onnx/model.onnx"} == {"unreadable"}
    assert not any(model == "/broken.pdmodel" for model, _, _ in rows)


def test_of_a_long_file_only_the_blocks_are_read_that_are_looked_at(tmp_path, memory, monkeypatch):
    data = zoo.onnx(tmp_path / "long.onnx", weights=40 << 20).read_bytes()
    memory.pipe("/zoo/long/long.onnx", data)
    requested = []

    def cat_file(_, _path, start=0, end=None):
        requested.append(len(data[start:end]))
        return data[start:end]

    monkeypatch.setattr(type(memory), "cat_file", cat_file)
    (place,) = remote.list_url("memory://zoo/long")
    assert read(place).format == "onnx"
    assert sum(requested) < 8 << 20


def test_a_worker_lists_the_folder_of_its_model_and_no_other(memory, monkeypatch):
    folders, ls = [], type(memory).ls
    (place,) = (item for item in remote.list_url("memory://zoo") if item.path.endswith(".onnx"))
    monkeypatch.setattr(type(memory), "ls", lambda *args, **named: folders.append(args[1]) or ls(*args, **named))
    assert read(place).format == "onnx"
    assert set(folders) <= {"/zoo/onnx", "/zoo"}
