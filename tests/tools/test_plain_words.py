"""The check of docstrings and names, and its allow-list, whose counts only fall."""

from __future__ import annotations

import pytest

from tools.plain_words.__main__ import main
from tools.plain_words.allow_list import ALLOWED, Entry, load, lower, problems
from tools.plain_words.wording import Hit, hits

ADVISED_AGAINST = {
    '"""What a script adds."""': [("noun clause", "What a script adds.")],
    '"""Those that differ."""': [("noun clause", "Those that differ.")],
    'class C:\n  """Whether it loads."""': [("noun clause", "Whether it loads.")],
    'def f():\n  """Return it.\n\n  It is told of which."""': [("phrase", "is told"), ("phrase", "of which")],
    'async def f():\n  """Stands for a dot."""': [("phrase", "Stands for")],
    "class NotFound: pass": [("class name", "not_found")],
    "def is_told(): pass": [("function name", "is_told")],
    "def f(*, asked): pass": [("parameter name", "asked")],
    "lambda each: 1": [("parameter name", "each")],
    "[one for one in x]": [("variable name", "one")],
    "_WORDS = 1": [("variable name", "_WORDS")],
}
PLAIN = [
    '"""The ops that a script adds."""',
    '"""Whatever is a word that only begins like one."""',
    '"""However, the foundation of items stands."""',
    "def findings(bone, teller, background): pass",
    "found.each = x.told(one=1)",
    "from x import words",
    'text = "What is told of it"',
]
SOURCE = "def f(found):\n    each = found\n"
TEXT = """\
# A comment.

[[allowed]]
path = "a"
count = 3
reason = "not converted yet"

[[allowed]]
path = "a/b"
count = 2
reason = "not converted yet"

[[allowed]]
path = "a/b/c.py"
texts = ["words"]
count = 1
reason = "the words of a dictionary"
"""


@pytest.mark.parametrize("source", ADVISED_AGAINST)
def test_what_is_advised_against_is_a_hit(source):
    assert [(hit.kind, hit.text) for hit in hits(source, "module")] == ADVISED_AGAINST[source]


@pytest.mark.parametrize("source", PLAIN)
def test_plain_words_are_no_hit(source):
    assert list(hits(source, "module")) == []


def test_a_hit_has_its_line_and_a_module_is_named_for_its_file():
    expected = [
        Hit(1, "module name", "told"),
        Hit(1, "parameter name", "found"),
        Hit(2, "variable name", "each"),
    ]
    assert sorted(hits(SOURCE, "told")) == expected


def _hits(*texts):
    return [Hit(number, "variable name", text) for number, text in enumerate(texts, 1)]


def test_a_hit_without_an_entry_is_a_problem():
    entries = [Entry("a", 1, "why")]
    assert list(problems({"a/m.py": _hits("each"), "ab/m.py": _hits("told")}, entries)) == [
        "ab/m.py:1: variable name: told"
    ]


def test_more_hits_than_an_entry_allows_are_a_problem():
    (problem,) = problems({"a/m.py": _hits("each", "told")}, [Entry("a", 1, "why")])
    assert problem.startswith("a: 2 hits, but 1 are allowed")


def test_fewer_hits_than_an_entry_allows_are_a_problem_until_its_count_is_lowered():
    left = {"a/m.py": _hits("each"), "a/b/c.py": _hits("words", "told")}
    assert len(list(problems(left, load(TEXT)))) == 2
    lowered = lower(TEXT, left)
    assert [(entry.path, entry.count) for entry in load(lowered)] == [("a", 1), ("a/b", 1), ("a/b/c.py", 1)]
    assert list(problems(left, load(lowered))) == []


def test_no_count_is_raised_and_an_entry_without_hits_goes():
    lowered = lower(TEXT, {"a/m.py": _hits(*(["each"] * 9))})
    assert [(entry.path, entry.count) for entry in load(lowered)] == [("a", 3)]
    assert lowered.startswith("# A comment.\n")


def test_an_entry_for_a_text_takes_no_other_hit():
    entries = [Entry("a", 1, "why", ("words",))]
    assert list(problems({"a/m.py": _hits("words", "told")}, entries)) == ["a/m.py:2: variable name: told"]


def test_an_entry_without_a_reason_is_refused():
    with pytest.raises(ValueError, match="the entry of a has no reason"):
        load('[[allowed]]\npath = "a"\ncount = 1\nreason = " "\n')


def test_the_hits_of_a_path_are_listed(capsys):
    assert main(["tools/plain_words/wording.py"]) == 0
    assert capsys.readouterr().out == "0 hits\n"


def test_every_entry_of_the_repository_has_a_reason():
    assert load(ALLOWED.read_text(encoding="utf-8"))
