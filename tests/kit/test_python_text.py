"""No text of others makes Python's parser print a warning."""

from __future__ import annotations

import ast
import re
import warnings

import pytest

from opspec_lint.kit import python_text
from tests.support.paths import TOP

WARNED = r'"\d"'
"""Python 3.10 and 3.11 warn of it by DeprecationWarning, later ones by SyntaxWarning."""


@pytest.fixture(autouse=True)
def every_warning_is_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SyntaxError):
            ast.parse(WARNED)
        yield


def test_nothing_is_warned_of():
    assert python_text.parse_module(WARNED).body[0].value.value == "\\d"
    assert python_text.parse_module(WARNED.encode()).body[0].value.value == "\\d"
    assert python_text.parse_expression(WARNED).value == "\\d"
    assert python_text.literal_value(f" [{WARNED}, 1]") == ["\\d", 1]


@pytest.mark.parametrize("text", ["a b", "\0", "f("])
@pytest.mark.parametrize("parse", [python_text.parse_module, python_text.parse_expression, python_text.literal_value])
def test_what_is_no_python_is_an_error(parse, text):
    with pytest.raises((SyntaxError, ValueError)):
        parse(text)


def test_no_module_has_a_parser_of_its_own():
    own = re.compile(r"\bast\.parse\(|\bliteral_eval\(|(?<![.\w])compile\(")
    users = {
        path.relative_to(TOP / "opspec_lint").as_posix()
        for path in (TOP / "opspec_lint").rglob("*.py")
        if own.search(path.read_text(encoding="utf-8"))
    }
    # These evaluate nodes that are parsed already.
    users -= {
        "frameworks/paddle/extract/dialect/special_names.py",
        "frameworks/pytorch/extract/python/installed_packages.py",
    }
    assert users == {"kit/python_text.py"}
