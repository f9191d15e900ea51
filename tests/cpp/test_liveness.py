"""A statement takes effect where a compiled program executes it, or the condition for that is named."""

from __future__ import annotations

import pytest

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.spec.condition import ALWAYS, NEVER, disjunction, show
from tests.support.compiled_readers import CppReader, outcomes
from tests.support.unreached import (
    ALIVE,
    BEHIND_HELPERS,
    DEAD,
    EXPRESSIONS,
    KINDS,
    UNDECIDED,
    UNKNOWN,
    UNLIKELY,
)

PLAIN = CppReader(
    name="plain",
    statement="m.add();",
    file="static void register_all(Library& m) {\nBODY\n}\n",
    stubs="struct Library { void add() { added(); } };\n",
    before="",
    call="Library m; register_all(m);",
    read=None,
)
ALL_KINDS = {**{name: ("", *kind) for name, kind in {**KINDS, **EXPRESSIONS}.items()}, **BEHIND_HELPERS}
every_case = pytest.mark.parametrize(("before", "text", "expected"), ALL_KINDS.values(), ids=ALL_KINDS)


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
def test_a_statement_takes_effect_under_its_condition(before, text, expected):
    condition = disjunction(conditions(PLAIN.text(text, f"static bool at_run_time();\n{before}") + "int main() {}"))
    actual = {ALWAYS: ALIVE, NEVER: DEAD}.get(condition, UNKNOWN)
    assert actual == (UNKNOWN if expected == UNLIKELY else expected), show(condition)


def test_a_function_of_many_labels_is_followed():
    labels = "".join(f"if (at_run_time({number})) goto l{number}; l{number}: m.add();" for number in range(1500))
    source = f"{PLAIN.text('if (at_run_time(0)) return;' + labels, 'bool at_run_time(int);')}int main() {{}}"
    reached = conditions(source)
    assert len(reached) == 1500
    assert NEVER not in reached
    assert ALWAYS not in reached


def test_a_call_returns_if_the_lambdas_in_the_called_lambda_do():
    begins, ends = zip(*((f"auto f{depth} = [&] {{ ", f"}}; f{depth}(); ") for depth in range(40)), strict=True)
    text = f"{''.join(begins)}if (at_run_time()) throw 1;{''.join(reversed(ends))}m.add();"
    (condition,) = conditions(PLAIN.text(text, "static bool at_run_time();") + "int main() {}")
    assert show(condition) == "not at_run_time()"


THROWING = "\nvoid throw_if(int x) { if (x) throw x; }"
UNREADABLE = {
    "a brace in one branch": "#ifdef SWITCH\nif (a) {\n#endif\nm.add();",
    "deep blocks": "{" * 3000 + "m.add();" + "}" * 3000,
    "many tokens": "m.add();" * 20_000 + "{}",
    "many calls that may throw": f"throw_if(0{''.join(f', throw_if(a{n})' for n in range(60))}); m.add();",
    "many operators": f"bool b = {' && '.join(['test()'] * 8000)}; m.add();",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_a_function_that_cannot_be_followed_is_named_with_its_line(text):
    source = f"\nvoid f(Library& m) {{\n{text}\n}}"
    end = len(source) - 1
    live = Liveness(CppFile("f.cc", source + THROWING), {}, lambda name: name == "SWITCH")
    live.follow(live.code.bare.index("{") + 1, end, end)
    assert [line for line, _ in live.unread] == [2]
    assert all(live.at(offset)[0] == ALWAYS for offset in (live.code.bare.index("m.add"),))


@pytest.mark.parametrize(
    ("call", "expected"), [("", DEAD), ("Local::help(m);", UNKNOWN), ("Local local; local.help(m);", UNKNOWN)]
)
def test_a_method_of_a_local_class_takes_effect_where_it_is_called(call, expected):
    local = "struct Local { static void help(Library& m) { m.add(); } };"
    (condition,) = conditions(f"void register_all(Library& m) {{ {local} {call} }} int main() {{}}")
    assert {ALWAYS: ALIVE, NEVER: DEAD}.get(condition, UNKNOWN) == expected


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
def test_a_compiled_program_executes_what_takes_effect(tmp_path):
    befores, texts, _ = zip(*ALL_KINDS.values(), strict=True)
    compiled = outcomes(PLAIN, texts, tmp_path / "compiled", befores)
    for name, (*_, expected), results in zip(ALL_KINDS, ALL_KINDS.values(), compiled, strict=True):
        condition = DEAD if expected == UNLIKELY or name in UNDECIDED else expected
        assert (name, results) == (name, {ALIVE: {True}, DEAD: {False}, UNKNOWN: {True, False}}[condition])
