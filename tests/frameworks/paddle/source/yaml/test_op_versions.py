"""What op_version.yaml says of the history of an op."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.source.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.source.yaml.entries import entries
from opspec_lint.frameworks.paddle.source.yaml.op_versions import history_of


def history(text):
    (entry,) = entries(text, "v.yaml")
    return history_of(entry, "f", "v.yaml", (3, 5))


def point(*lines):
    return "- op : f\n  version :\n    - checkpoint : why\n      action :\n" + "".join(f"        {x}\n" for x in lines)


def test_every_kind_of_update():
    keys = [f"{verb}_{kind}" for verb in ("add", "modify", "delete") for kind in ("attr", "input", "output")]
    lines = [line for key in keys for line in (f"- {key} : {key}_x", f"  comment : of {key}", "  default : 1")]
    found = history(point(*lines, "- fix_bug : x", "  comment : it was wrong"))
    assert (found.op, found.file, found.line, found.column) == ("f", "v.yaml", 3, 5)
    ((note, updates, line),) = found.checkpoints
    assert (note, line) == ("why", 3)
    actions = {"add": "new", "modify": "modify", "delete": "delete"}
    expected = [
        (
            actions[key.partition("_")[0]],
            key.partition("_")[2],
            f"{key}_x",
            f"of {key}",
            1 if key in ("add_attr", "modify_attr") else None,
            5 + 3 * at,
        )
        for at, key in enumerate(keys)
    ]
    assert updates == [*expected, ("bugfix", None, None, "it was wrong", None, 32)]


@pytest.mark.parametrize(
    ("written", "default"),
    [
        ("-1", -1),
        ("1.5", 1.5),
        ("0.1f", 0.10000000149011612),
        ("true", None),  # YAML's, which Python writes as True
        ("'true'", True),
        ('"\\"a\\""', "a"),
        ("std::vector<int>{1, 2}", [1, 2]),
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
    ((_, ((*_, found, _),), _),) = history(text).checkpoints
    assert (type(found), found) == (type(default), default)


def test_what_is_not_said_is_empty():
    text = "- op : f\n  version :\n    - action :\n        - add_attr : a\n        - strange : b\n"
    assert history(text).checkpoints == [("", [("new", "attr", "a", "", None, 4)], 3)]
    assert history("- op : f\n").checkpoints == []


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
