"""The costs of `validate`, which is given files of any size, by anybody."""

from __future__ import annotations

import json
import sys
import tracemalloc

import pytest

from opspec_lint.cli.commands import validate
from opspec_lint.kit.command_line import Options

FLAGS = {"extra": False, "quant": False}
MANY = {
    "ops": {f"op{index}": {"Inputs": {"X": FLAGS}, "Outputs": {"Out": FLAGS}, "Attrs": {}} for index in range(1_000)},
    "integers": {"f": {"Inputs": {}, "Outputs": {}, "Attrs": {"a": {"type": 3, "default_value": [0] * 50_000}}}},
    "texts": {"f": {"Inputs": {}, "Outputs": {}, "Attrs": {"a": {"type": 5, "default_value": ["abc"] * 25_000}}}},
}


@pytest.mark.parametrize("document", MANY.values(), ids=MANY)
@pytest.mark.parametrize("twice", [False, True])
def test_a_file_takes_some_times_its_size_at_most(document, twice, tmp_path):
    text = json.dumps(document)
    if twice:
        text = text[:-1] + f", {text[1:-1]}}}"
    path = tmp_path / "print_op_desc.json"
    path.write_text('{"f": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}')
    validate.run(Options(files=[str(path)], include=None, canonical=False))  # what is imported once is not counted
    path.write_text(text)
    tracemalloc.start()
    try:
        outcome = validate.run(Options(files=[str(path)], include=None, canonical=False))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert ("occurs twice" in outcome.text) is twice
    # An entry of a mapping with text as keys takes 16 bytes from Python 3.11 on, and took 24.
    assert peak < (15 if sys.version_info >= (3, 11) else 18) * len(text)
