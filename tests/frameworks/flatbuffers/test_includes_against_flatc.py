"""Declarations of several schema files that include each other: each case is decided as flatc does.

flatc accepts the file `{"f": 1}` if and only if the table that is the root has a field `f`.
"""

from __future__ import annotations

import subprocess

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.references import resolve

pytestmark = pytest.mark.flatc
FIELD = "table M { f:int; }"
NONE = "table M { g:int; }"
ROOT = "root_type M;"
A, A_AND_ROOT = {"a.fbs": FIELD}, f'include "a.fbs";\n{ROOT}'
CASES = {
    "an include": ({**A, "main.fbs": A_AND_ROOT}, True),
    "a commented include": ({**A, "main.fbs": f'// include "a.fbs";\n{NONE}{ROOT}'}, False),
    "a table in a comment": ({"main.fbs": f"// {FIELD}\n{NONE}{ROOT}"}, False),
    "a table in a comment of lines": ({"main.fbs": f"/* {FIELD}\n{FIELD} */ {NONE}{ROOT}"}, False),
    "a table in a comment of an included file": ({"a.fbs": f"/*{FIELD}*/", "main.fbs": A_AND_ROOT}, False),
    "a table behind a comment that ends": ({"main.fbs": f"// note\n/**/{FIELD}{ROOT}"}, True),
    "a comment that a backslash does not continue": ({"main.fbs": f"// note \\\n{FIELD}{ROOT}"}, True),
    "a field in a comment": ({"main.fbs": f"table M {{ // f:int;\n g:int; }}{ROOT}"}, False),
    "an include twice": ({**A, "main.fbs": f'include "a.fbs";\n{A_AND_ROOT}'}, True),
    "an include by another path": ({**A, "main.fbs": f'include "./a.fbs";\n{A_AND_ROOT}'}, True),
    "an include of an absent file": ({"main.fbs": f'include "b.fbs";\n{FIELD}{ROOT}'}, False),
    "an absent file in a comment": ({"main.fbs": f'/* include "b.fbs"; */{FIELD}{ROOT}'}, True),
    "an include of an include": ({**A, "b.fbs": 'include "a.fbs";', "main.fbs": f'include "b.fbs";\n{ROOT}'}, True),
    "files that include each other": ({"a.fbs": f'include "main.fbs";\n{FIELD}', "main.fbs": A_AND_ROOT}, True),
    "an include of itself": ({"main.fbs": f'include "main.fbs";\n{FIELD}{ROOT}'}, True),
    "an include behind a table": ({**A, "main.fbs": f"table N {{}}\n{A_AND_ROOT}"}, False),
    "an include behind a namespace": ({**A, "main.fbs": f"namespace x;\n{A_AND_ROOT}"}, False),
    "a table of two files": ({**A, "main.fbs": f'include "a.fbs";\n{FIELD}{ROOT}'}, False),
    "a namespace of an included file": ({"a.fbs": f"namespace x;\n{FIELD}", "main.fbs": A_AND_ROOT}, False),
    "a name with a namespace": (
        {"a.fbs": f"namespace x;\n{FIELD}", "main.fbs": 'include "a.fbs";\nroot_type x.M;'},
        True,
    ),
    "a namespace that does not go on": (
        {"a.fbs": f"namespace x;\n{NONE}", "main.fbs": f'include "a.fbs";\n{FIELD}{ROOT}'},
        True,
    ),
    "a table behind the root": ({"main.fbs": f"{FIELD}{ROOT}table N {{ f:int; }}"}, True),
    "a root before its table": ({"main.fbs": f"{ROOT}{FIELD}"}, False),
    "two roots, of which the last counts": ({"main.fbs": f"{FIELD}table N {{ g:int; }}{ROOT}root_type N;"}, False),
    "two roots, of which the last has the field": (
        {"main.fbs": f"table N {{ g:int; }}{FIELD}root_type N;{ROOT}"},
        True,
    ),
    "text behind the root that is no declaration": ({"main.fbs": f"{FIELD}{ROOT} nonsense"}, False),
    "a root of an included file": ({"a.fbs": f"{FIELD}{ROOT}", "main.fbs": 'include "a.fbs";'}, None),
    "a field that is declared twice": ({"main.fbs": f"table M {{ f:int; f:int; }}{ROOT}"}, False),
    "a field of a type of an absent file": ({"main.fbs": f"table M {{ f:int; t:T; }}{ROOT}"}, False),
}
"""The files, and what is expected of both: True if the root has the field, None if flatc alone decides."""


def flatc_takes(folder):
    """Return whether flatc converts a file with the field."""
    (folder / "doc.json").write_text('{"f": 1}', encoding="utf-8")
    command = ["flatc", "--binary", "-o", "out", "main.fbs", "doc.json"]
    return not subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode


def has_field(folder):
    """Return whether the spec of the files has the field; False if they are refused."""
    try:
        ops = resolve(str(folder / "main.fbs"), Reading(caches=False)).spec.ops
    except InputError:
        return False
    return any(op.get("root") and any(attr.name == "f" for attr in op.attrs) for op in ops.values())


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_a_declaration_is_in_force_as_for_flatc(files, expected, tmp_path):
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    accepted = flatc_takes(tmp_path)
    assert has_field(tmp_path) == accepted
    assert expected in (None, accepted)
