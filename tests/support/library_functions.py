"""Ways in which C++ code hands a library to the code that registers ops in it.

Each kind is the text before the library block, the statements of the block, and what becomes of the statement `{R}`.
"""

from __future__ import annotations

from tests.support.unreached import ALIVE, DEAD, UNKNOWN

ADD = "static void add(Library& m) { {R} }"
LIBRARY_FUNCTIONS = {
    "a template": ("template <class T> void add(Library& m) { {R} }", "add<int>(m);", ALIVE),
    "a template of two types": (
        "template <class A, class B> void add(Library& m) { {R} }",
        "add<int, std::function<void()>>(m);",
        ALIVE,
    ),
    "a template that is not called": ("template <class T> void add(Library& m) { {R} }", "", DEAD),
    "a flag of a template": ("template <bool ON> void add(Library& m) { if (ON) { {R} } }", "add<true>(m);", ALIVE),
    "a flag of a template that is false": (
        "template <bool ON> void add(Library& m) { if constexpr (ON) { {R} } }",
        "add<false>(m);",
        DEAD,
    ),
    "a number of a template": ("template <int N> void add(Library& m) { if (N > 2) { {R} } }", "add<2>(m);", DEAD),
    "a specialization without ops": (
        "template <int N> void add(Library& m) { {R} }\ntemplate <> void add<1>(Library& m) {}",
        "add<1>(m);",
        DEAD,
    ),
    "a template beside a specialization": (
        "template <int N> void add(Library& m) { {R} }\ntemplate <> void add<1>(Library& m) {}",
        "add<2>(m);",
        ALIVE,
    ),
    "a static method": ("struct S { static void add(Library& m) { {R} } };", "S::add(m);", ALIVE),
    "a static method of the other class": (
        "struct S { static void add(Library& m) { {R} } };\nstruct T { static void add(Library& m) {} };",
        "T::add(m);",
        DEAD,
    ),
    "a method": ("struct S { void add(Library& m) const { {R} } };", "S s; s.add(m);", ALIVE),
    "a method of a new object": ("struct S { void add(Library& m) { {R} } };", "S().add(m);", ALIVE),
    "a method outside of its class": (
        "struct S { void add(Library& m); };\nvoid S::add(Library& m) { {R} }",
        "S s{}; s.add(m);",
        ALIVE,
    ),
    "a virtual method": (
        "struct B { virtual void add(Library& m) {} };\nstruct D : B { void add(Library& m) override { {R} } };",
        "D d; d.add(m);",
        ALIVE,
    ),
    "a virtual method of the base": (
        "struct B { virtual void add(Library& m) {} };\nstruct D : B { void add(Library& m) override { {R} } };",
        "B b; b.add(m);",
        DEAD,
    ),
    "a virtual method by a reference": (
        "struct B { virtual void add(Library& m) {} };\nstruct D : B { void add(Library& m) override { {R} } };",
        "D d; B& b = d; b.add(m);",
        UNKNOWN,
    ),
    "a method that is inherited": (
        "struct B { void add(Library& m) { {R} } };\nstruct D : B {};",
        "D d; d.add(m);",
        ALIVE,
    ),
    "a method of a class that is a template": (
        "template <class T> struct S { static void add(Library& m) { {R} } };",
        "S<int>::add(m);",
        ALIVE,
    ),
    "operator()": ("struct S { void operator()(Library& m) const { {R} } };", "S()(m);", ALIVE),
    "operator() of an object": ("struct S { void operator()(Library& m) const { {R} } };", "S s; s(m);", ALIVE),
    "operator() in braces": ("struct S { void operator()(Library& m) const noexcept { {R} } };", "S{}(m);", ALIVE),
    "operator() that nothing calls": ("struct S { void operator()(Library& m) { {R} } };", "S s; (void)s;", DEAD),
    "a constructor": ("struct S { S(Library& m) { {R} } };", "S s(m);", ALIVE),
    "a constructor in braces": ("struct S { explicit S(Library& m) : n(1) { {R} } int n; };", "S s{m};", ALIVE),
    "a constructor of a new object": ("struct S { S(Library& m) { {R} } };", "S{m};", ALIVE),
    "a local class": ("", "struct S { static void add(Library& m) { {R} } }; S::add(m);", ALIVE),
    "a local operator()": ("", "struct S { void operator()(Library& m) const { {R} } }; S()(m);", ALIVE),
    "a lambda with the library": ("", "[](Library& m) { {R} }(m);", ALIVE),
    "a lambda of the file": ("static auto add = [](Library& m) { {R} };", "add(m);", ALIVE),
    "a pointer to a function": (ADD, "auto f = &add; f(m);", ALIVE),
    "a pointer to a function that is not called": (ADD, "auto f = &add; (void)f;", DEAD),
    "a function object": (ADD, "std::function<void(Library&)> f = add; f(m);", ALIVE),
    "a function behind return": (ADD, "return; add(m);", DEAD),
    "a method behind return": ("struct S { void add(Library& m) { {R} } };", "S s; return; s.add(m);", DEAD),
    "a template at run time": (
        "template <class T> void add(Library& m) { {R} }",
        "if (at_run_time()) add<int>(m);",
        UNKNOWN,
    ),
    "a table of functions": (ADD, "void (*all[])(Library&) = {add}; all[0](m);", UNKNOWN),
    "a list of functions": (ADD, "for (auto f : {&add}) { f(m); }", UNKNOWN),
}
UNFOLLOWED = frozenset({"a virtual method by a reference", "a table of functions", "a list of functions"})
"""Unknown for the reader, alive for a program."""
