"""The reader of C++ knows nothing of Paddle: what it needs to know is passed in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec_lint.frameworks.paddle.source import cpp

_PADDLE = re.compile(
    r"paddle|fluid|phi\b|PADDLE|REGISTER_|Maker|GradVarName|@GRAD|BlockDesc|VarDesc|AttrType|\b(?:attrs?|ops?|tensors?)\b",
    re.IGNORECASE,
)
_MODULES = sorted(path for folder in cpp.__path__ for path in Path(folder).glob("*.py"))


@pytest.mark.parametrize("path", _MODULES, ids=lambda path: path.stem)
def test_no_word_of_paddle_stands_in_the_reader_of_cpp(path):
    own = re.sub(r"opspec_lint\.frameworks\.paddle\.source\.cpp", "", path.read_text(encoding="utf-8"))
    assert not _PADDLE.findall(own)


def test_the_check_sees_the_words_of_paddle():
    assert len(_MODULES) > 20
    for word in ("PADDLE_ENFORCE_EQ", 'name.startswith("paddle/")', "REGISTER_OPERATOR", "the op maker", "an attr"):
        assert _PADDLE.search(word), word
