"""The library blocks that macros discard, replace or make, as in a compiled program."""

from __future__ import annotations

import shutil

import pytest

from tests.support.compiled_readers import READERS, outcomes, verdict
from tests.support.unreached import ALIVE, DEAD, UNKNOWN

READER = next(reader for reader in READERS if reader.name == "pytorch")._replace(
    statement='TORCH_LIBRARY(a, m) { m.def("f(Tensor x) -> Tensor"); }',
    file="BODY\n",
    before="static void define_a(...) {}\n",  # where no block defines one that takes a library
    call="Library library; define_a(library);\n#undef def\n",
)
OPERATORS = 'static auto made = torch::RegisterOperators().op("a::f(Tensor x) -> Tensor", &f);'
MACROS = {
    "a macro that discards it": ("#define HERE(...)\nHERE({R})", DEAD),
    "a macro that makes a text of it": ("#define HERE(...) #__VA_ARGS__\nstatic const char* s = HERE({R});", DEAD),
    "a macro that keeps it": ("#define HERE(...) __VA_ARGS__\nHERE({R})", ALIVE),
    "a macro that discards it by another one": (
        "#define DROP_ALL(...)\n#define HERE(...) DROP_ALL(__VA_ARGS__)\nHERE({R})",
        DEAD,
    ),
    "a macro that mentions it in a comment": ("#define HERE(...) /* __VA_ARGS__ */\nHERE({R})", DEAD),
    "a macro that a build defines": (
        "#ifdef SWITCH\n#define HERE(...) __VA_ARGS__\n#else\n#define HERE(...)\n#endif\nHERE({R})",
        UNKNOWN,
    ),
    "the body of a macro": ("#define HERE {R}\nHERE", ALIVE),
    "the body of a macro that is not used": ("#define HERE {R}\n", DEAD),
    "def in a dead branch": ("#if 0\n#define def(...)\n#endif\n{R}", ALIVE),
    "def behind all uses": ("{R}\n#define def(...)\n", ALIVE),
    "def before a use": ('#define def(...) def("")\n#undef def\n#define def(...) id()\n{R}', DEAD),
    "def that is removed": ("#define def(...)\n#undef def\n{R}", ALIVE),
    "def that is restored": (
        '#pragma push_macro("def")\n#undef def\n#define def(...) id()\n#pragma pop_macro("def")\n{R}',
        ALIVE,
    ),
    "an assertion that fails": ('static_assert(sizeof(char) == 2, "");\n{R}', DEAD),
}


@pytest.mark.parametrize("kind", MACROS)
def test_a_block_in_a_macro_is_decided(tmp_path, kind):
    body, expected = MACROS[kind]
    assert verdict(READER, body, tmp_path) == expected


def test_a_def_that_a_build_drops_is_unknown(tmp_path):
    body = "#ifdef SWITCH\n#undef def\n#define def(...)\n#endif\n{R}"
    assert verdict(READER, body, tmp_path) == UNKNOWN


@pytest.mark.parametrize("kind", [kind for kind in MACROS if "def" not in kind])
def test_an_object_that_registers_in_a_macro_is_decided(tmp_path, kind):
    body, expected = MACROS[kind]
    assert verdict(READER._replace(statement=OPERATORS), body, tmp_path) == expected


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ on the path")
def test_a_compiled_program_has_the_same_blocks(tmp_path):
    bodies, expected = zip(*MACROS.values(), strict=True)
    compiled = [tuple(outcome) for outcome in outcomes(READER, bodies, tmp_path / "compiled")]
    assert [{(True,): ALIVE, (False,): DEAD}.get(outcome, UNKNOWN) for outcome in compiled] == list(expected)
