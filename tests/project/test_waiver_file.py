from __future__ import annotations

import json
import os
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opspec_lint.cli import output
from opspec_lint.kit import whole_file
from opspec_lint.kit.errors import OpspecError, UsageError
from opspec_lint.kit.held_folder import hold_folder
from opspec_lint.kit.text import is_visible
from opspec_lint.project import waiver_file
from opspec_lint.project.waiver_file import add_entries, default_file, make_entry
from opspec_lint.spec import values
from tests.support.findings import default_changed
from tests.support.judging import apply
from tests.support.nasty import NESTED, TEXTS
from tests.support.projects import TODAY, WAIVERS
from tests.support.repositories import Repository

FIRST, ANOTHER = default_changed(), default_changed(name="b", old=0.5, new=[1, {"float": "NaN"}])
ENTRY = make_entry(FIRST, "nobody uses it", "ops team", None)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.yaml"


def put(path, *entries):
    """Add entries to a file, and return what it then waives of findings and what is wrong with it."""
    text = add_entries(str(path), entries)
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return text


def applied(path, *findings):
    waived, faults = apply(waiver_file.read(str(path)), findings, TODAY)
    return sorted(waived), faults


def keys(*findings):
    return sorted(finding.fingerprint for finding in findings)


def test_an_entry_names_and_pins_the_finding():
    assert make_entry(FIRST, "r", "o", "2026-12-31") == {
        "rule": "attr_default_changed",
        "op": "relu",
        "kind": "attr",
        "name": "a",
        "fingerprint": FIRST.fingerprint,
        "old": 1,
        "new": 2,
        "reason": "r",
        "owner": "o",
        "expires": "2026-12-31",
    }


def test_what_is_long_or_not_there_is_left_to_the_fingerprint():
    made = make_entry(default_changed(op=None, name=None, old=None, new="x" * 300), "r", "o", None)
    assert set(made) == {"rule", "kind", "fingerprint", "reason", "owner"}


def test_a_new_file_states_what_it_is(path):
    text = put(path, ENTRY)
    assert text.startswith("# Accepted findings of opspec-lint")
    assert "\nversion: 1\nwaivers:\n- rule: attr_default_changed\n  op: relu\n" in text
    assert applied(path, FIRST, ANOTHER) == (keys(FIRST), [])
    put(path, make_entry(ANOTHER, "r", "o", TODAY))
    assert applied(path, FIRST, ANOTHER) == (keys(FIRST, ANOTHER), [])


HEAD = "# mine\n\nversion:   1\nwaivers:  # all\n"
OLD = [
    "- {fingerprint: 0123456789abcdef,   reason: 'a', owner: b}  # why",
    '- fingerprint: "0123456789abcdef"\n  reason: >\n    folded\n\n    text\n  owner: b\n\n  # end',
]


@pytest.mark.parametrize("indent", [0, 2, 4])
@pytest.mark.parametrize("old", OLD)
@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n# the end\n"])
def test_every_byte_before_stays(path, indent, old, end):
    before = HEAD + "\n".join(" " * indent + line if line else line for line in old.split("\n")) + end
    path.write_bytes(before.encode())
    assert put(path, ENTRY).startswith(before)
    result = waiver_file.read(str(path))
    assert [item.summary for item in result] == ["0123456789abcdef", "attr_default_changed relu attr a"]
    assert applied(path, FIRST)[0] == keys(FIRST)


@pytest.mark.parametrize("end", ["", "\r\n"])
def test_lines_end_as_they_do(path, end):
    before = (HEAD + OLD[0]).replace("\n", "\r\n") + end
    path.write_bytes(before.encode())
    text = put(path, ENTRY)
    assert text.startswith(before)
    assert "\n" not in text.replace("\r\n", "")
    assert applied(path, FIRST)[0] == keys(FIRST)


def test_a_mark_at_the_beginning_stays(path):
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + OLD[0]).encode())
    put(path, ENTRY)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf# mine")
    assert applied(path, FIRST)[0] == keys(FIRST)


@pytest.mark.parametrize("empty", ["[]", "[]\n", " []  \n\n", "\n  []\n"])
def test_an_empty_list_is_replaced(path, empty):
    before = "# mine\nversion: 1\nwaivers:"
    path.write_text(f"{before} {empty}")
    assert put(path, ENTRY).startswith(before)
    assert applied(path, FIRST) == (keys(FIRST), [])


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        ('{"version": 1, "waivers": []}', '{"version": 1, "waivers": ['),
        ('{\n "waivers": [\n ],\n "version": 1\n}\n', '{\n "waivers": ['),
        ('{"version": 1, "waivers": [{"fingerprint": "0123456789abcdef",   "old": [1]}]}\n', '   "old": [1]}'),
        ('{"version": 1,\r\n"waivers": [\r\n{"fingerprint": "0123456789abcdef"}\r\n]\r\n}', '\r\n{"fingerprint": "012'),
    ],
)
def test_json_stays_json_as_it_was_written(path, before, kept):
    path.write_bytes(before.encode())
    text = put(path, ENTRY, make_entry(ANOTHER, "größe 🙂", "o", None))
    assert kept in text
    assert text.endswith(before[before.rindex("]") :])
    assert len(json.loads(text)["waivers"]) == len(json.loads(before)["waivers"]) + 2
    assert applied(path, FIRST, ANOTHER)[0] == keys(FIRST, ANOTHER)


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        ("waivers: []\nversion: 1\n", "]\nversion: 1\n"),
        ("version: 1\nwaivers: []  # none\n", "]  # none\n"),
        ("version: 1\nwaivers: []\n...\n", "]\n...\n"),
        ("version: 1\nwaivers: [{fingerprint: 0123456789abcdef}]\n", "]\n"),
        ("{waivers: [], version: 1}", "], version: 1}"),
    ],
)
def test_a_list_in_brackets_stays_one(path, before, kept):
    path.write_text(before)
    text = put(path, ENTRY)
    assert text.startswith(before[: before.index("]")].rstrip())
    assert text.endswith(kept)
    assert applied(path, FIRST)[0] == keys(FIRST)


@pytest.mark.parametrize(
    "before",
    [
        "waivers:\n- fingerprint: 0123456789abcdef\nversion: 1\n",
        "version: 1\nwaivers:\n- fingerprint: 0123456789abcdef\n  owner: o\n  reason: |\n    no newline at its end",
    ],
)
def test_what_cannot_be_added_to_is_refused(path, before):
    path.write_text(before)
    with pytest.raises(UsageError, match="an entry cannot be appended without changing the others") as caught:
        add_entries(str(path), [ENTRY])
    assert caught.value.exit_code == 2
    assert path.read_text() == before


@pytest.mark.parametrize(
    "before", ["", "[]", "version: 1\n", "version: 1\nwaivers:\n", "\0", "version: 9\nwaivers: []"]
)
def test_what_is_no_file_of_waivers_is_refused(path, before):
    path.write_text(before)
    with pytest.raises(UsageError, match=r"w\.yaml: "):
        add_entries(str(path), [ENTRY])


# --- any finding at all


NASTY = st.sampled_from([text for text in TEXTS if text]) | st.text(max_size=12)
WHY = (st.sampled_from([text for text in TEXTS if text.strip() and text.isprintable()]) | st.text(min_size=1)).filter(
    lambda text: is_visible(text) and not any("\ud800" <= char <= "\udfff" for char in text)
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats().map(values.thaw)
    | NASTY
    | st.sampled_from(["1e-05", "007", "0x1f", "1_000", "null", "yes", "=", "<<", "2026-05-15", "-", "? a", NESTED]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NASTY.filter(lambda key: key != "float"), inner),
    max_leaves=8,
)
FINDINGS = st.builds(
    default_changed,
    rule=st.sampled_from(["attr_default_changed", "op_removed", "spec_removed"]),
    kind=st.sampled_from(["op", "input", "attr", "source", "config", "registration"]),
    op=NASTY | st.none(),
    name=NASTY | st.none(),
    field=st.sampled_from(["default_value", None]),
    old=VALUES,
    new=VALUES,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([None, HEAD + "  " + OLD[0], '{"version": 1, "waivers": []}']),
    st.lists(FINDINGS, min_size=2, max_size=4, unique_by=lambda finding: finding.fingerprint),
    WHY,
    WHY,
)
def test_any_finding_can_be_waived_and_nothing_else_is(tmp_path, before, expected, reason, owner):
    path = tmp_path / "w.yaml"
    path.unlink(missing_ok=True)
    if before is not None:
        path.write_text(before)
    first, *others = expected
    put(path, make_entry(first, reason, owner, TODAY))
    waived, faults = applied(path, *expected)
    assert waived == keys(first)
    assert [fault.event for fault in faults if fault.name != "0123456789abcdef"] == []
    output = waiver_file.read(str(path))[-1]
    assert (output.get("reason"), output.get("owner"), output.get("expires")) == (reason, owner, TODAY)
    put(path, *(make_entry(item, reason, owner, None) for item in others))
    assert applied(path, *expected)[0] == keys(*expected)


@pytest.mark.parametrize("text", ["0\x85", "a\u2028b\u2029", "two\nlines\n", "a\r", "\ufeff", " a ", "\t"])
@pytest.mark.parametrize("before", [None, HEAD + "    " + OLD[0]])
def test_line_breaks_of_every_kind_can_be_written(path, text, before):
    if before is not None:
        path.write_text(before)
    put(path, make_entry(FIRST, f"{text}r", f"o{text}", None))
    output = waiver_file.read(str(path))[-1]
    assert (output.get("reason"), output.get("owner")) == (f"{text}r", f"o{text}")


@pytest.mark.parametrize("text", [text for text in TEXTS if text])
def test_nasty_names_can_be_waived(path, text):
    result = [
        default_changed(op=text, name=text, old=text, new=[text]),
        default_changed(op=text, name="b", old={text: text}),
    ]
    put(path, *(make_entry(item, "r", "o", None) for item in result))
    assert applied(path, *result) == (keys(*result), [])


def test_a_value_as_deep_as_one_can_be(path):
    deep = 1
    for _ in range(values.MAX_DEPTH):
        deep = [deep]
    result = default_changed(old=deep, new=2)
    put(path, make_entry(result, "r", "o", None))
    assert applied(path, result) == (keys(result), [])


# --- which file


def test_the_file_that_waivers_go_to(tmp_path, monkeypatch):
    repository = Repository.make(tmp_path / "top", {"a/b/x": ""})

    def reported(folder, named=None):
        monkeypatch.chdir(repository.top / folder)
        return default_file(named, repository.environment)[0]

    assert reported("") == WAIVERS
    assert reported("a/b") == f"../../{WAIVERS}"
    repository.write({"a/opspec-lint.toml": "", "a/b/other.toml": 'waivers = "../w.yaml"'})
    assert reported("a/b") == f"../{WAIVERS}"
    assert reported("a/b", "other.toml") == "../w.yaml"
    repository.write({"a/opspec-lint.toml": 'waivers = "b/w.json"'})
    assert reported("a") == "b/w.json"
    assert reported("") == WAIVERS
    repository.write({"a/opspec-lint.toml": 'waiver = "b/w.json"'})
    with pytest.raises(UsageError, match="unknown key"):
        reported("a/b")


def test_outside_of_any_repository_it_is_the_usual_one_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert default_file(None, {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent), "PATH": "/usr/bin:/bin"}) == (
        WAIVERS,
        None,
    )


def test_many_that_add_at_once_lose_nothing(path):
    def add(number):
        own = make_entry(default_changed(op=f"op{number}", name="a", old=1, new=2), "r", "o", None)
        output.write(str(path), lambda: add_entries(str(path), [own]))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {item.fields["op"] for item in waiver_file.read(str(path))} == {f"op{number}" for number in range(12)}
    assert os.listdir(path.parent) == [path.name]


def test_what_cannot_be_locked_is_reported(path, monkeypatch):
    with hold_folder(str(path.parent)) as folder, whole_file.exclusive_access(folder, prefix=".opspec-lint-"):
        monkeypatch.setattr(whole_file.time, "sleep", lambda _: None)
        with pytest.raises(OpspecError, match="another program is writing to its folder"):
            output.write(str(path), lambda: add_entries(str(path), [ENTRY]))
    assert not path.exists()


def test_an_entry_that_is_there_is_not_added_again(path):
    put(path, ENTRY)
    before = path.read_bytes()
    put(path, ENTRY)
    assert path.read_bytes() == before
