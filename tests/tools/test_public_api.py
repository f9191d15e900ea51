"""The comparison of public names finds what breaks callers, and nothing that is private."""

from __future__ import annotations

import pytest

from tests.support.repositories import Repository
from tools import public_api

FILES = {
    "opspec_lint/__init__.py": '__all__ = ["load"]\ndef __getattr__(name): ...\n',
    "opspec_lint/api/__init__.py": "",
    "opspec_lint/api/functions.py": "def load(reference, *, build=None): ...\ndef _own(): ...\n",
    "opspec_lint/api/results.py": "class Report:\n    version: int\n    def has(self, level): ...\n",
    "opspec_lint/models/__init__.py": "",
    "opspec_lint/models/fault.py": "def op_fault(op): ...\n",
    "opspec_lint/models/private.py": "def helper(op): ...\n",
    "docs/reference/plugins.md": "| `opspec_lint.models.fault` | `op_fault` |\n",
}


@pytest.mark.types
@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("opspec_lint/api/functions.py", "def load", "def read", "load: Public object was removed"),
        ("opspec_lint/api/functions.py", ", *, build=None", "", "load(build): Parameter was removed"),
        ("opspec_lint/api/functions.py", "build=None", "build", "load(build): Parameter is now required"),
        ("opspec_lint/api/results.py", "    version: int\n", "", "Report.version: Public object was removed"),
        ("opspec_lint/api/results.py", "has(", "is_of(", "Report.has: Public object was removed"),
        ("opspec_lint/models/fault.py", "op_fault(op)", "op_fault(op, name)", "op_fault(name): Parameter was added"),
        ("opspec_lint/models/fault.py", None, None, "fault.py:0: <module>: Public object was removed"),
        ("opspec_lint/api/functions.py", "_own", "_other", None),
        ("opspec_lint/models/private.py", "helper", "other", None),
    ],
)
def test_a_break_of_a_public_name_is_reported(tmp_path, monkeypatch, capsys, file, old, new, message):
    repository = Repository.make(tmp_path / "r", FILES)
    if old is None:
        repository.write({file: None, "docs/reference/plugins.md": ""})
    else:
        repository.write({file: FILES[file].replace(old, new)})
    monkeypatch.setattr(public_api, "TOP", repository.top)
    code = public_api.main(["HEAD"])
    printed = capsys.readouterr().out
    assert (code, message is None or message in printed) == (0 if message is None else 1, True), printed
