"""Files of torch.save hold no program: an audit says so, and what to do."""

from __future__ import annotations

import pytest

from opspec_lint.cli import main
from opspec_lint.models.recognise import read_model
from tests.support.models.pytorch_models import zipped

OLD_FORM = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."
ARCHIVE = zipped({"m/data.pkl": b"", "m/data/0": bytes(8), "m/version": "3"})


@pytest.mark.parametrize("data", [OLD_FORM, ARCHIVE])
def test_a_file_of_torch_save_is_named(tmp_path, capsys, data):
    path = tmp_path / "state.pt"
    path.write_bytes(data)
    assert read_model(str(path)).format == "torch_weights"
    assert main.main(["audit", str(path)]) == 2
    error = capsys.readouterr().err
    assert "torch.save wrote it" in error
    assert "advice: save the model with torch.jit.save or torch.export.save" in error
