"""The readers of C++ and of build files know nothing of any framework: what they need to know is passed in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec_lint import builds, cpp

_FRAMEWORK = re.compile(
    r"onnx|schema|paddle|fluid|phi\b|PADDLE|REGISTER_|Maker|GradVarName|@GRAD|BlockDesc|VarDesc|AttrType|(?<![.\w])(?:attrs?|ops?|tensors?)\b",
    re.IGNORECASE,
)
_MODULES = sorted(path for package in (builds, cpp) for path in Path(package.__path__[0]).rglob("*.py"))


@pytest.mark.parametrize("path", _MODULES, ids=lambda path: path.stem)
def test_no_word_of_a_framework_is_in_a_reader(path):
    assert not _FRAMEWORK.findall(path.read_text(encoding="utf-8"))


def test_the_check_sees_the_words_of_a_framework():
    assert len(_MODULES) > 20
    for text in (
        "PADDLE_ENFORCE_EQ",
        'name.startswith("paddle/")',
        "REGISTER_OPERATOR",
        "the op maker",
        "an attr",
        "OpSchema",
    ):
        assert _FRAMEWORK.search(text), text
