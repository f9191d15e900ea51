"""The public calls of Paddle that load a model, each with the releases in which it takes a file."""

from __future__ import annotations

import pytest

from tests.support.models.paddle_programs import audited, node, program, release

STATIC = "static.load_inference_model"


@pytest.mark.parametrize(
    ("loader", "version", "expected"),
    [
        (STATIC, "2.6.2", ("loads", None)),
        (STATIC, "3.1.1", ("refused", "parse")),
        (STATIC, None, ("cannot_tell", None)),
        ("legacy_executor", "3.1.1", ("loads", None)),
        ("inference_predictor", "3.1.1", ("loads", None)),
    ],
)
def test_a_program_under_every_call(tmp_path, loader, version, expected):
    spec = release("scale(X) -> (Out) [scale: FLOAT = 1.0]", version=version)
    audit = audited(tmp_path, program(node("scale", ["X"], scale=("FLOAT", 1.0))), spec, loader)
    assert (audit.verdict, audit.reason) == expected
