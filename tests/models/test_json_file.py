"""The limit of memory of JSON files of models: it is estimated before a text is decoded."""

from __future__ import annotations

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models import json_file


@pytest.mark.parametrize(("text", "is_refused"), [(b"[1, 2]", False), (b"[" * 20, True), (b"1" * 1100, True)])
def test_a_text_is_refused_whose_values_would_take_more_memory(monkeypatch, text, is_refused):
    monkeypatch.setattr(json_file, "_MAX_MEMORY", 1000)
    if not is_refused:
        assert json_file.decode_json(text, "m.json", "PIR program") == [1, 2]
        return
    with pytest.raises(InputError, match="would take more than"):
        json_file.decode_json(text, "m.json", "PIR program")
