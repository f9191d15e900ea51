"""The studies: programs that need frameworks or whole repositories, which no test has."""

import importlib

import pytest

from tests.support import paths

MODULES = sorted(path.stem for path in (paths.TOP / "benchmarks").glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("module", MODULES)
def test_every_module_finds_what_it_imports(module):
    """Nothing else runs a study when the code that it is about moves."""
    if module == "editor":
        pytest.importorskip("pygls")
    assert importlib.import_module(f"benchmarks.{module}").__doc__
