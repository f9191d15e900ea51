import importlib.machinery
import importlib.util
import os
import py_compile
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opspec_lint.cli import quick_imports

_ENDING = f".{sys.implementation.cache_tag}.pyc"


@pytest.fixture
def mill(tmp_path):
    """Return the folder of a package with a module and a subpackage, compiled."""
    folder = tmp_path / "mill"
    for name, text in {"__init__": "", "wheel": "RATE = 1\n", "parts/__init__": "SIZE = 2\n"}.items():
        source = folder / f"{name}.py"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        _compile(source)
    return folder


def _compile(source, **options):
    py_compile.compile(str(source), doraise=True, **options)


def _outcome(spec):
    """Return the code of a module and the file that it names, or the error for it."""
    try:
        code = spec.loader.get_code(spec.name)
    except Exception as error:
        return repr(error)
    return code, code.co_filename


def _both(folder, name):
    """Return the specs of a submodule by the finder and by Python's own."""
    importlib.invalidate_caches()
    path = [str(folder)]
    finder = quick_imports._Finder("mill.", _ENDING)
    return finder.find_spec(f"mill.{name}", path), importlib.machinery.PathFinder.find_spec(f"mill.{name}", path)


@pytest.mark.parametrize("name", ["wheel", "parts"])
def test_modules_are_as_python_imports_them(mill, name):
    quick, own = map(importlib.util.module_from_spec, _both(mill, name))
    for module in (quick, own):
        module.__spec__.loader.exec_module(module)
    differing = {"__loader__", "__spec__", "__builtins__"}
    assert {k: v for k, v in vars(quick).items() if k not in differing} == {
        k: v for k, v in vars(own).items() if k not in differing
    }
    assert quick.__spec__.parent == own.__spec__.parent


@pytest.mark.parametrize("name", ["wheel", "parts"])
def test_a_valid_pyc_file_is_not_compiled_again(mill, name, monkeypatch):
    monkeypatch.setattr(importlib.machinery.SourceFileLoader, "source_to_code", None)
    quick, own = _both(mill, name)
    assert _outcome(quick) == _outcome(own)


def test_python_finds_modules_with_any_different_name(mill):
    finder = quick_imports._Finder("mill.", _ENDING)
    assert finder.find_spec("mill", None) is None
    assert finder.find_spec("json.decoder", [str(mill)]) is None
    assert finder.find_spec("mill.absent", [str(mill)]) is None
    assert finder.find_spec("mill.wheel", [str(mill), str(mill)]) is None


def _change_text(source, draw):
    source.write_text(f"RATE = {draw.randrange(10)}\n")  # of equal length


def _change_length(source, draw):
    source.write_text(f"RATE = {draw.randrange(10**6)}\n")


def _touch(source, draw):
    os.utime(source, (0, draw.choice([0, 1, 2**31, 1_700_000_000.5])))


def _compile_again(source, _):
    _compile(source)


def _compile_by_hash(source, draw):
    _compile(source, invalidation_mode=draw.choice([*py_compile.PycInvalidationMode]))


def _cut(source, draw):
    cached = _cached(source)
    cached.write_bytes(cached.read_bytes()[: draw.choice([0, 3, 12, 16, 40])])


def _spoil(source, draw):
    data = bytearray(_cached(source).read_bytes().ljust(16, b"\0"))
    data[draw.randrange(16)] ^= 1 << draw.randrange(8)
    _cached(source).write_bytes(data)


def _delete_pyc(source, _):
    _cached(source).unlink()


def _copy(source, _):
    copy = source.parent.with_name("copy")
    shutil.copytree(source.parent, copy)  # with the times of the files
    shutil.rmtree(source.parent)
    shutil.move(copy, source.parent)


def _older(source, _):
    source.with_suffix(".old").write_text("RATE = 0\n")
    os.utime(source.with_suffix(".old"), (1_000_000_000, 1_000_000_000))
    os.replace(source.with_suffix(".old"), source)


def _cached(source):
    cached = Path(importlib.util.cache_from_source(str(source)))
    cached.parent.mkdir(exist_ok=True)
    if not cached.exists():
        cached.write_bytes(b"")
    return cached


_CHANGES = (
    *(_change_text, _change_length, _touch, _compile_again, _compile_by_hash),
    *(_cut, _spoil, _delete_pyc, _copy, _older),
)


@pytest.mark.parametrize("seed", range(10))
def test_changed_installations_give_what_python_makes_of_them(mill, seed, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", seed % 2 == 0)
    draw = random.Random(seed)  # noqa: S311 - the same changes in each run
    source = mill / "wheel.py"
    for _ in range(100):
        change = draw.choice(_CHANGES)
        change(source, draw)
        state = _cached(source).read_bytes() if draw.random() < 0.5 else None
        quick, own = _both(mill, "wheel")
        first = _outcome(quick)
        if state is not None:
            _cached(source).write_bytes(state)  # as the first may have written it
        assert first == _outcome(own), change.__name__


def test_code_of_a_copied_installation_names_its_own_file(mill):
    copy = mill.parent / "copy"
    shutil.copytree(mill, copy)  # with the times of the files
    quick, _ = _both(copy, "wheel")
    assert quick.loader.get_code("mill.wheel").co_filename == str(copy / "wheel.py")


@pytest.mark.parametrize("options", [[], ["-O"], ["-B"], ["-X", "pycache_prefix=cache"]])
def test_the_program_runs_with_any_option_of_python(options, tmp_path):
    line = [sys.executable, *options, "-m", "opspec_lint", "explain", "attr_removed"]
    run = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("attr_removed")
