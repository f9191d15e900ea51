"""Ways in which a statement of C++ does or does not take effect, each beside a sound one: `{R}` is the statement,
and `{R_}` its expression.

What is expected of the statement: "alive" in every build, "dead" in none, "unknown" if it depends on the macro SWITCH
or on what `at_run_time()` returns, "unlikely" if only a macro that nothing defines makes it alive.
"""

from __future__ import annotations

ALIVE, DEAD, UNKNOWN, UNLIKELY = "alive", "dead", "unknown", "unlikely"

CONDITIONS_OF_PREPROCESSOR = {
    "plain": ("{R}", ALIVE),
    "#if 0": ("#if 0\n{R}\n#endif", DEAD),
    "#if 1": ("#if 1\n{R}\n#endif", ALIVE),
    "#else of #if 1": ("#if 1\n#else\n{R}\n#endif", DEAD),
    "#else of #if 0": ("#if 0\n#else\n{R}\n#endif", ALIVE),
    "#elif after a true branch": ("#if 1\n#elif 1\n{R}\n#endif", DEAD),
    "#if false": ("#if false\n{R}\n#endif", DEAD),
    "#if true": ("#if true\n{R}\n#endif", ALIVE),
    "#if with arithmetic": ("#if 2 - 2\n{R}\n#endif", DEAD),
    "#if with a hexadecimal number": ("#if 0x0\n{R}\n#endif", DEAD),
    "#if with a binary number": ("#if 0b11 == 3\n{R}\n#endif", ALIVE),
    "#if with an octal number": ("#if 010 == 10\n{R}\n#endif", DEAD),
    "#if with a suffix": ("#if 0UL\n{R}\n#endif", DEAD),
    "#if with separated digits": ("#if 1'0 == 10\n{R}\n#endif", ALIVE),
    "#if with characters": ("#if 'a' == 'b'\n{R}\n#endif", DEAD),
    "#if with a signed and an unsigned number": ("#if -1 > 0u\n{R}\n#endif", ALIVE),
    "#if with a conditional operator": ("#if 1 ? 0 : 1\n{R}\n#endif", DEAD),
    "#if with shifts and bits": ("#if ((1 << 3) | 1) != 9 || (~0 & 6 ^ 2) != 4\n{R}\n#endif", DEAD),
    "#if with quotients": ("#if 7 / 2 == 3 && -7 % 3 == -1\n{R}\n#endif", ALIVE),
    "#if with an operand that does not count": ("#if 0 && 1 / 0\n#else\n{R}\n#endif", ALIVE),
    "#if with operators in words": ("#if not 1 or 1 not_eq 1\n{R}\n#endif", DEAD),
    "a macro with parentheses": ("#define HERE (0)\n#if HERE\n{R}\n#endif", DEAD),
    "nested #if 0": ("#if 0\n#if 1\n#endif\n{R}\n#endif", DEAD),
    "a macro that nothing defines": ("#ifdef NEVER\n{R}\n#endif", UNLIKELY),
    "a macro that nothing defines, tested by value": ("#if NEVER > 2\n{R}\n#endif", UNLIKELY),
    "not a macro that nothing defines": ("#ifndef NEVER\n{R}\n#endif", ALIVE),
    "a macro that the file defines": ("#define HERE 1\n#if HERE\n{R}\n#endif", ALIVE),
    "a macro that the file defines as 0": ("#define HERE 0\n#if HERE\n{R}\n#endif", DEAD),
    "a macro that the file undefines": ("#define HERE\n#undef HERE\n#ifdef HERE\n{R}\n#endif", DEAD),
    "a default of a macro": ("#ifndef HERE\n#define HERE 1\n#endif\n#if HERE\n{R}\n#endif", ALIVE),
    "a macro of a build": ("#ifdef SWITCH\n{R}\n#endif", UNKNOWN),
    "not a macro of a build": ("#if !defined(SWITCH)\n{R}\n#endif", UNKNOWN),
    "both branches of a macro of a build": ("#ifdef SWITCH\n{R}\n#else\n{R}\n#endif", ALIVE),
    "three branches": ("#if SWITCH > 1\n{R}\n#elif defined SWITCH\n{R}\n#else\n{R}\n#endif", ALIVE),
    "two of three branches": ("#if SWITCH > 1\n{R}\n#elif defined SWITCH\n{R}\n#else\n#endif", UNKNOWN),
    "a macro that depends on another one": ("#define HERE SWITCH\n#if HERE\n{R}\n#endif", UNKNOWN),
    "#error": ("#error no\n{R}", DEAD),
    "#error in a dead branch": ("#if 0\n#error no\n#endif\n{R}", ALIVE),
    "#error if nothing defines a macro": ("#ifdef NEVER\n#error no\n#endif\n{R}", ALIVE),
    "#error if a build defines a macro": ("#ifdef SWITCH\n#error no\n#endif\n{R}", UNKNOWN),
    "a continued comment": ("// note \\\n{R}\n", DEAD),
    "a comment continued after blanks": ("// note \\ \n{R}\n", DEAD),
    "a comment that ends": ("// note\n{R}\n", ALIVE),
    "a comment whose slashes are on two lines": ("/\\\n/ {R}\n", DEAD),
    "a comment whose signs are on two lines": ("/\\\n* {R} *\\\n/", DEAD),
    "a product that is no comment": ("int a = 4 / \\\n 2; (void)a; {R}", ALIVE),
    "a comment over lines": ("/* {R}\n*/", DEAD),
    "#if 0 behind a form feed": ("\f#if 0\n{R}\n\f#endif", DEAD),
    "#if 0 behind a vertical tab": ("\v#\vif 0\n{R}\n#endif", DEAD),
    "a continued #": ("#\\\nif 0\n{R}\n#endif", DEAD),
    "a continued #if": ("#\\\nif \\\n0\n{R}\n#endif", DEAD),
    "%: for #": ("%:if 0\n{R}\n%:endif", DEAD),
    "digraphs": ("<% int a<:1:> = <%5 %2%>; (void)a<:0:>; %> {R}", ALIVE),
    "a string": ('const char* s = R"({R})"; (void)s;', DEAD),
}

EXPRESSIONS = {
    "in a macro": ("#define HERE(x) do { x; } while (0)\nHERE({R_});", ALIVE),
    "in a macro that tests it": ("#define HERE(x) do { int v = (x, 1); if (v) {} } while (0)\nHERE({R_});", ALIVE),
    "in a macro with a sign in a string": (
        '#define HERE(x) do { const char* s = "T? x && y"; (void)s; x; } while (0)\nHERE({R_});',
        ALIVE,
    ),
    "in a macro that may skip it": ("#define HERE(x) do { if (at_run_time()) { x; } } while (0)\nHERE({R_});", UNKNOWN),
    "an operand of && that counts": ("int a = 1; (void)(a == 1 && ({R_}, true));", ALIVE),
    "an operand of && that does not count": ("(void)(false && ({R_}, true));", DEAD),
    "an operand of || that does not count": ("(void)(true || ({R_}, true));", DEAD),
    "an operand of || at run time": ("(void)(at_run_time() || ({R_}, true));", UNKNOWN),
    "an operand of && and ||": ("(void)(false && at_run_time() || ({R_}, true));", ALIVE),
    "an operand of a condition": ("if (false && ({R_}, true)) {}", DEAD),
    "the second operand of ?:": ("true ? (void)({R_}) : (void)0;", ALIVE),
    "the third operand of ?:": ("true ? (void)0 : (void)({R_});", DEAD),
    "the third operand of ?: at run time": ("at_run_time() ? (void)0 : (void)({R_});", UNKNOWN),
    "a nested ?:": ("false ? (void)0 : true ? (void)({R_}) : (void)0;", ALIVE),
    "a nested ?: that is dead": ("false ? true ? (void)({R_}) : (void)0 : (void)0;", DEAD),
    "the operand of sizeof": ("(void)sizeof(({R_}, 0));", DEAD),
    "the operand of decltype": ("using T = decltype(({R_}), 0);", DEAD),
}
"""Kinds with the expression `{R_}` of the statement."""

CONTROL_FLOW = {
    "after return": ("return; {R}", DEAD),
    "before return": ("{R} return;", ALIVE),
    "after throw": ("throw 1; {R}", DEAD),
    "after a call that ends the program": ("std::exit(0); {R}", DEAD),
    "after abort": ("abort(); {R}", DEAD),
    "after _Exit": ("std::_Exit(0); {R}", DEAD),
    "after __builtin_unreachable": ("__builtin_unreachable(); {R}", DEAD),
    "after abort at run time": ("if (at_run_time()) ::abort(); {R}", UNKNOWN),
    "after throw in a block that is dead": ("if (false) { throw 1; } {R}", ALIVE),
    "after throw at run time": ("if (at_run_time()) throw 1; {R}", UNKNOWN),
    "after a macro that returns": ("#define HERE return\nHERE; {R}", DEAD),
    "after a macro that throws in a block": ("#define HERE(x) do { throw x; } while (0)\nHERE(1); {R}", DEAD),
    "after a macro that returns at run time": ("#define HERE if (at_run_time()) return\nHERE; {R}", UNKNOWN),
    "after a macro that does nothing": ("#define HERE(x) (void)(x)\nHERE(1); {R}", ALIVE),
    "behind a macro that is if (false)": ("#define HERE if (false)\nHERE {R}", DEAD),
    "behind a macro that is if (true)": ("#define HERE if (true)\nHERE {R}", ALIVE),
    "behind a macro that is an if": ("#define HERE if (at_run_time())\nHERE {R}", UNKNOWN),
    "behind a macro that is an else": ("#define HERE else\nif (at_run_time()) {} HERE {R}", UNKNOWN),
    "behind a macro that has a statement": ("#define HERE(x) if (x) { (void)0; }\nHERE(1) {R}", ALIVE),
    "after return in a block": ("{ return; } {R}", DEAD),
    "after both branches return": ("if (at_run_time()) { return; } else { return; } {R}", DEAD),
    "after one branch returns": ("if (at_run_time()) return; {R}", UNKNOWN),
    "after return in a dead branch": ("if (false) return; {R}", ALIVE),
    "after return in a build": ("#ifdef SWITCH\nreturn;\n#endif\n{R}", UNKNOWN),
    "skipped by goto": ("goto end; {R} end:;", DEAD),
    "after the label of goto": ("goto end; end: {R}", ALIVE),
    "skipped by goto at run time": ("if (at_run_time()) goto end; {R} end:;", UNKNOWN),
    "a lambda called in an operand that does not count": ("auto add = [&] { {R} }; false ? add() : (void)0;", DEAD),
    "a lambda called in parentheses": ("([&] { {R} })();", ALIVE),
    "a lambda that another one hides": ("auto add = [&] { {R} }; { auto add = [&] {}; add(); }", DEAD),
    "a lambda that one hides elsewhere": ("auto add = [&] { {R} }; { auto add = [&] {}; add(); } add();", ALIVE),
    "a lambda that is replaced": ("std::function<void()> add = [&] { {R} }; add = [] {}; add();", DEAD),
    "a lambda that is replaced behind its call": (
        "std::function<void()> add = [&] { {R} }; add(); add = [] {};",
        ALIVE,
    ),
    "a lambda that is replaced at run time": (
        "std::function<void()> add = [&] { {R} }; if (at_run_time()) add = [] {}; add();",
        UNKNOWN,
    ),
    "a variable that a reference changes": (
        "bool on = true; bool& same = on; same = at_run_time(); if (on) {R}",
        UNKNOWN,
    ),
    "if (false)": ("if (false) { {R} }", DEAD),
    "if (false) without braces": ("if (false) {R}", DEAD),
    "if (true)": ("if (true) { {R} }", ALIVE),
    "else of if (true)": ("if (true) {} else { {R} }", DEAD),
    "if constexpr": ("if constexpr (sizeof(int) == 3) { {R} }", DEAD),
    "if constexpr that holds": ("if constexpr (sizeof(int) == 4) { {R} }", ALIVE),
    "a constant that is false": ("constexpr bool off = false; if (off) { {R} }", DEAD),
    "a variable that is false": ("bool on = true; on = false; if (on) { {R} }", DEAD),
    "a variable that is true": ("bool on = false; on = true; if (on) { {R} }", ALIVE),
    "a condition at run time": ("if (at_run_time()) { {R} }", UNKNOWN),
    "both branches at run time": ("if (at_run_time()) { {R} } else { {R} }", ALIVE),
    "&& false": ("if (at_run_time() && false) { {R} }", DEAD),
    "|| true": ("if (at_run_time() || true) { {R} }", ALIVE),
    "while (0)": ("while (0) { {R} }", DEAD),
    "do while (0)": ("do { {R} } while (0);", ALIVE),
    "after break in do while (0)": ("do { break; {R} } while (0);", DEAD),
    "a loop that never runs": ("for (int i = 0; i < 0; ++i) { {R} }", DEAD),
    "a loop that runs": ("for (int i = 0; i < 1; ++i) { {R} }", ALIVE),
    "a loop over nothing": ("for (int i : std::initializer_list<int>{}) { (void)i; {R} }", DEAD),
    "after a loop without an end": ("while (true) { std::exit(0); } {R}", DEAD),
    "after break": ("while (true) { break; {R} }", DEAD),
    "after continue": ("for (int i = 0; i < 2; ++i) { continue; {R} }", DEAD),
    "a case that does not occur": ("switch (1) { case 2: {R} }", DEAD),
    "a case that occurs": ("switch (2) { case 2: {R} }", ALIVE),
    "the default of a switch": ("switch (1) { case 2: break; default: {R} }", ALIVE),
    "before the first case": ("switch (1) { {R} case 1: break; }", DEAD),
    "a case that falls through": ("switch (1) { case 1: case 2: {R} }", ALIVE),
    "a case at run time": ("switch (int(at_run_time())) { case 1: {R} }", UNKNOWN),
    "a lambda that is not called": ("auto f = [&] { {R} }; (void)sizeof(f);", DEAD),
    "a lambda that nothing names": ("auto f [[maybe_unused]] = [&] { {R} };", DEAD),
    "a lambda that is called": ("auto f = [&] { {R} }; f();", ALIVE),
    "a lambda that is called in a dead branch": ("auto f = [&] { {R} }; if (false) f();", DEAD),
    "a lambda whose name another one has that is called": (
        "{ auto f [[maybe_unused]] = [&] { {R} }; }\nauto f = [] {}; f();",
        DEAD,
    ),
    "a lambda that is called in its block": ("{ auto f = [&] { {R} }; f(); }\nauto f = [] {}; f();", ALIVE),
    "a lambda that is called at once": ("[&] { {R} }();", ALIVE),
    "a lambda that call_once calls": ("static std::once_flag f; std::call_once(f, [&] { {R} });", ALIVE),
    "a lambda that call_once calls after return": (
        "static std::once_flag f; return; std::call_once(f, [&] { {R} });",
        DEAD,
    ),
    "a lambda that call_once does not call": (
        "static std::once_flag f; std::call_once(f, [] {}); std::call_once(f, [&] { {R} });",
        UNKNOWN,
    ),
    "after return in a lambda that is called": ("auto f = [&] { return; {R} }; f();", DEAD),
    "after return of another lambda": ("auto f = [&] { return; }; f(); {R}", ALIVE),
    "a handler": ("try {} catch (...) { {R} }", UNKNOWN),
    "a try block": ("try { {R} } catch (...) {}", ALIVE),
}
"""Ways that only a function has; the kinds that a reader does not decide are "unknown", whatever a program does."""

BEHIND_HELPERS = {
    "a function that is declared not to return": (
        "[[noreturn]] static void fail() { std::exit(0); }",
        "fail(); {R}",
        DEAD,
    ),
    "one with an attribute": (
        "static void fail() __attribute__((noreturn));\nstatic void fail() { std::exit(0); }",
        "fail(); {R}",
        DEAD,
    ),
    "a function that throws": ("static void fail() { throw 1; }", "fail(); {R}", DEAD),
    "a function that calls one that throws": (
        "static void fail() { throw 1; }\nstatic void inner(int x) { (void)x; fail(); }",
        "inner(1); {R}",
        DEAD,
    ),
    "a static method that ends the process": (
        "struct S { static void fail() { std::exit(0); } };",
        "S::fail(); {R}",
        DEAD,
    ),
    "a function that throws in a dead branch": (
        "static void fail() { if (false) { throw 1; } }",
        "fail(); {R}",
        ALIVE,
    ),
    "a function that returns before it throws": ("static void fail() { return; throw 1; }", "fail(); {R}", ALIVE),
    "a function that throws, called in a dead branch": (
        "static void fail() { throw 1; }",
        "if (false) fail(); {R}",
        ALIVE,
    ),
    "a function that throws, called at run time": (
        "static void fail() { throw 1; }",
        "if (at_run_time()) { fail(); } {R}",
        UNKNOWN,
    ),
    "an exception of another function": ("static void fail() { throw 1; }", "{R} fail();", ALIVE),
    "a macro of the file that checks a condition": (
        "#define HERE(x) do { if (!(x)) throw 1; } while (0)",
        "HERE(at_run_time()); {R}",
        UNKNOWN,
    ),
}
"""Kinds that need a text before the function: this text, the statements, and what becomes of the statement."""

KINDS = {**CONDITIONS_OF_PREPROCESSOR, **CONTROL_FLOW}
"""All of them: the text, in which `{R}` is the statement, and what becomes of it."""

UNDECIDED = frozenset({"a lambda that is not called", "a lambda that call_once does not call", "a handler"})
"""Unknown for a reader, dead for a program."""


def with_statement(text, statement):
    """Return a text of code with a statement in its place."""
    return text.replace("{R_}", statement.rstrip().removesuffix(";")).replace("{R}", statement)
