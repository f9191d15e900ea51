"""The registrations of TensorFlow that macros, assertions and builds discard, keep or make."""

from __future__ import annotations

import pytest

from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.support.trees import tensorflow_trees as trees

SOURCE = SOURCES.load("tensorflow-source")
REGISTERED = 'REGISTER_OP("Op").Output("y: float");'
ALIVE, DEAD, UNRESOLVED = "alive", "dead", "unresolved"
PICKS = "#define PICK_0(...)\n#define PICK_1(...) __VA_ARGS__\n#define HERE(n, ...) PICK_##n(__VA_ARGS__)\n"
SAVE, RESTORE = '#pragma push_macro("REGISTER_OP")\n', '#pragma pop_macro("REGISTER_OP")\n'
DROP = "#undef REGISTER_OP\n#define REGISTER_OP(...)\n"
KINDS = {
    "a macro that discards it": ("#define HERE(...)\nHERE({R})", DEAD),
    "a macro that discards two": ("#define HERE(...)\nHERE(static int n = 0; {R})", DEAD),
    "a macro that makes a text of it": ("#define HERE(...) #__VA_ARGS__\nstatic const char* s = HERE({R});", DEAD),
    "a macro that discards it by another one": (
        "#define NONE(...)\n#define HERE(...) NONE(__VA_ARGS__)\nHERE({R})",
        DEAD,
    ),
    "a macro that picks it": (f"{PICKS}HERE(1, {{R}})", ALIVE),
    "a macro that picks none": (f"{PICKS}HERE(0, {{R}})", DEAD),
    "a macro that keeps it": ("#define HERE(...) __VA_ARGS__\nHERE({R})", ALIVE),
    "a macro that a true branch defines": (
        "#if 1\n#define HERE(...) __VA_ARGS__\n#else\n#define HERE(...)\n#endif\nHERE({R})",
        ALIVE,
    ),
    "the body of a macro": ("#define HERE {R}\nHERE", ALIVE),
    "the body of a macro that is not used": ("#define HERE {R}\n", DEAD),
    "a build that drops registrations": (
        "#ifdef USE_FOO\n#undef REGISTER_OP\n#define REGISTER_OP(...)\n#endif\n{R}",
        UNRESOLVED,
    ),
    "registrations that are dropped behind it": ("{R}\n#undef REGISTER_OP\n#define REGISTER_OP(...)\n", ALIVE),
    "registrations that are restored": (f"{SAVE}{DROP}{RESTORE}{{R}}", ALIVE),
    "an assertion that fails": ('static_assert(false, "");\n{R}', DEAD),
    "an assertion of a size that fails": ('static_assert(sizeof(char) == 2, "");\n{R}', DEAD),
    "an assertion that holds": ('static_assert(sizeof(char) == 1, "");\n{R}', ALIVE),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_registration_is_decided(tmp_path, kind):
    text, expected = KINDS[kind]
    tree = {**trees.registering(text.replace("{R}", REGISTERED)), "zero/more.cc": 'REGISTER_OP("More");\n'}
    spec = SOURCE.spec(str(trees.write(tmp_path, tree)), Reading(caches=False))
    is_unresolved = any(remark.event == "op_unresolved" for remark in spec.remarks)
    assert (UNRESOLVED if is_unresolved else ALIVE if "Op" in spec.ops else DEAD) == expected
