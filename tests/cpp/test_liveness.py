"""A statement takes effect where a compiled program executes it, or the condition for that is named."""

from __future__ import annotations

import subprocess

import pytest

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.spec.condition import ALWAYS, NEVER, disjunction, show
from tests.support.unreached import (
    ALIVE,
    DEAD,
    KINDS,
    UNDECIDED,
    UNKNOWN,
    UNLIKELY,
)

PROGRAM = """#include <cstdio>
#include <cstdlib>
#include <initializer_list>
struct Library { void add() { std::printf("added\\n"); } };
static bool chosen = false;
static bool at_run_time() { return chosen; }
static void register_all(Library& m) {
BODY
}
int main(int count, char**) {
  chosen = count > 1;
  Library m;
  try { register_all(m); } catch (int) {}
}
"""
every_case = pytest.mark.parametrize(("text", "expected"), KINDS.values(), ids=KINDS)


def program(text):
    return PROGRAM.replace("BODY", text.replace("{R}", "m.add();"))


def conditions(source):
    """Return the conditions of the calls of `m.add` that are compiled."""
    live = Liveness(CppFile("f.cc", source), {}, lambda name: name == "SWITCH", hidden=("m",))
    bare = live.code.bare
    opening = bare.index("{", bare.index("void register_all"))
    live.follow(opening + 1, bare.index("int main"), len(bare))
    assert not live.unread
    offsets = [at for at in range(len(bare)) if bare.startswith("m.add", at)]
    return [live.at(offset)[0] for offset in offsets]


@every_case
def test_a_statement_takes_effect_under_its_condition(text, expected):
    condition = disjunction(conditions(program(text)))
    actual = {ALWAYS: ALIVE, NEVER: DEAD}.get(condition, UNKNOWN)
    assert actual == (UNKNOWN if expected == UNLIKELY else expected), show(condition)


UNREADABLE = {
    "a brace in one branch": "#ifdef SWITCH\nif (a) {\n#endif\nm.add();",
    "deep blocks": "{" * 3000 + "m.add();" + "}" * 3000,
    "many tokens": "m.add();" * 20_000 + "{}",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_a_function_that_cannot_be_followed_is_named_with_its_line(text):
    live = Liveness(CppFile("f.cc", f"\nvoid f(Library& m) {{\n{text}\n}}"), {}, lambda name: name == "SWITCH")
    live.follow(live.code.bare.index("{") + 1, len(live.code.bare) - 1, len(live.code.bare))
    assert [line for line, _ in live.unread] == [2]
    assert all(live.at(offset)[0] == ALWAYS for offset in (live.code.bare.index("m.add"),))


def test_long_conditions_and_many_of_them_take_no_time():
    long = f"#if {'(' * 5000}A{')' * 5000}\n{'!' * 5000}\n#endif\n"
    many = "".join(f"#ifdef A{number}\nm.add();\n#endif\n" for number in range(3000))
    live = Liveness(CppFile("f.cc", long + many), {}, lambda _: True)
    offsets = [at for at in range(len(live.code.bare)) if live.code.bare.startswith("m.add", at)]
    assert len({live.at(offset)[0] for offset in offsets}) == 3000


def test_endless_calls():
    text = "".join(f"static void f{number}() {{ f{number + 1}(); }}\n" for number in reversed(range(2000)))
    live = Liveness(CppFile("f.cc", text))
    assert live.enter(text.index("f2000"), lambda *_: None) not in (ALWAYS, NEVER)


@pytest.mark.compiler
@pytest.mark.parametrize("name", KINDS)
def test_a_compiled_program_executes_what_takes_effect(name, tmp_path):
    text, expected = KINDS[name]
    results = {
        is_executed(program(text), tmp_path, macros, more) for macros in ((), ("-DSWITCH=1",)) for more in ((), ("x",))
    }
    if expected == UNLIKELY or name in UNDECIDED:
        assert results == {False}
    else:
        assert results == {ALIVE: {True}, DEAD: {False}, UNKNOWN: {True, False}}[expected]


def is_executed(source, folder, macros, arguments):
    """Return whether a program adds something; one that cannot be compiled does not."""
    (folder / "f.cc").write_text(source, encoding="utf-8")
    compiled = subprocess.run(
        ["g++", "-std=c++17", "-w", *macros, "f.cc", "-o", "f"], cwd=folder, capture_output=True, check=False
    )
    if compiled.returncode:
        assert "#error" in source, compiled.stderr.decode()
        return False
    run = subprocess.run([folder / "f", *arguments], capture_output=True, check=False)
    return b"added" in run.stdout
