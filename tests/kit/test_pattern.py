from __future__ import annotations

import gc
import re

import pytest

from opspec_lint.kit.pattern import _METHODS, _Compiled, pattern
from tests.support import paths

_PACKAGE = paths.TOP / "opspec_lint"


def test_it_is_compiled_with_its_flags_when_it_is_first_used():
    made = pattern(r"^a.b$", "ms")
    assert [match[0] for match in made.finditer("x\na\nb\ny")] == ["a\nb"]
    assert pattern(r"^a.b$").search("x\na\nb\ny") is None


@pytest.mark.parametrize("method", _METHODS)
def test_every_method_is_that_of_the_compiled_one(method):
    arguments = ("-", "ab") if method.startswith("sub") else ("ab",)
    made, compiled = (getattr(item, method)(*arguments) for item in (pattern("[ab]"), re.compile("[ab]")))
    if method == "finditer":
        made, compiled = ([item.span() for item in result] for result in (made, compiled))
    assert repr(made) == repr(compiled)


def test_what_no_pattern_has_is_no_method():
    assert not hasattr(pattern("a"), "unknown")


def test_a_faulty_expression_is_refused_when_it_is_used():
    with pytest.raises(re.error):
        pattern("(").search("a")


def test_every_pattern_of_the_package_is_an_expression():
    for path in sorted(_PACKAGE.rglob("*.py")):
        if not path.name.startswith("_") and "kit.pattern import" in path.read_text(encoding="utf-8"):
            __import__(".".join(path.relative_to(_PACKAGE.parent).with_suffix("").parts))
    gc.unfreeze()  # tests/conftest.py froze what was imported to collect the tests
    every = [value for value in gc.get_objects() if isinstance(value, _Compiled)]
    gc.freeze()
    assert len(every) > 300
    assert all(callable(item.search) for item in every)
