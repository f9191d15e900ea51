"""The history of an op in op_version.yaml."""

from __future__ import annotations

import pytest

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.entries import parse_entries
from opspec_lint.frameworks.paddle.extract.yaml.op_versions import read_history
from opspec_lint.spec import records
from opspec_lint.spec.model import Checkpoint, Update


def history(text):
    """Return the checkpoints of the op of an entry, and their places."""
    (entry,) = parse_entries(text, "v.yaml")
    history = read_history(entry, "v.yaml")
    return records.checkpoints_from_records(history["checkpoints"]), history["places"]


def point(*lines):
    return "- op : f\n  version :\n    - checkpoint : why\n      action :\n" + "".join(f"        {x}\n" for x in lines)


def test_every_kind_of_update():
    keys = [f"{verb}_{kind}" for verb in ("add", "modify", "delete") for kind in ("attr", "input", "output")]
    lines = [line for key in keys for line in (f"- {key} : {key}_x", f"  comment : of {key}", "  default : 1")]
    result = history(point(*lines, "- fix_bug : x", "  comment : it was wrong"))
    (checkpoint,) = result[0]
    assert checkpoint.note == "why"
    actions = {"add": "new", "modify": "modify", "delete": "delete"}
    expected = [
        Update(
            action=actions[key.partition("_")[0]],
            kind=key.partition("_")[2],
            name=f"{key}_x",
            remark=f"of {key}",
            default_value=1 if key in ("add_attr", "modify_attr") else None,
        )
        for key in keys
    ]
    assert checkpoint.updates == (*expected, Update(action="bugfix", remark="it was wrong"))
    lines = [3, *(5 + 3 * at for at in range(len(keys))), 32]
    assert result[1] == [[("v.yaml", line, None) for line in lines]]


@pytest.mark.parametrize(
    ("written", "default"),
    [
        ("-1", -1),
        ("1.5", 1.5),
        ("0.1f", 0.10000000149011612),
        ("true", None),  # YAML's, which Python writes as True
        ("'true'", True),
        ('"\\"a\\""', "a"),
        ("std::vector<int>{1, 2}", (1, 2)),
        ("paddle::none", None),
        ("none", None),
    ],
)
def test_defaults(written, default):
    text = point("- add_attr : a", f"  default : {written}")
    if written == "true":
        with pytest.raises(UnresolvedError, match="the name True has no known value"):
            history(text)
        return
    default_value = history(text)[0][0].updates[0].default_value
    assert (type(default_value), default_value) == (type(default), default)


def test_what_is_not_stated_is_empty():
    text = "- op : f\n  version :\n    - action :\n        - add_attr : a\n        - strange : b\n"
    update = Update(action="new", kind="attr", name="a", default_value=None)
    assert history(text)[0] == (Checkpoint(updates=(update,)),)
    assert history("- op : f\n")[0] == ()


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("- op : f\n  version :\n    - word", "a checkpoint without its action", 1),
        ("- op : f\n  version :\n    - checkpoint : x", "a checkpoint without its action", 1),
        ("- op : f\n  version :\n    - action : x", "a checkpoint without its action", 1),
        (point("- word"), "an action that is not a mapping", 3),
        (point("- add_attr : a", "  default : a::b"), "the name a::b has no known value", 5),
        (point("- add_attr : a", "  default : f(1)"), "the function f is not known", 5),
    ],
)
def test_what_the_generator_would_not_read(text, reason, line):
    with pytest.raises(UnresolvedError) as caught:
        history(text)
    assert (caught.value.reason, caught.value.file, caught.value.line) == (reason, "v.yaml", line)
