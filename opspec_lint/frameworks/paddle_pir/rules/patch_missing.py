"""A patch file is missing.

Flags:
    A patch file that the loader applies by the versions which the tree states, and that does not exist.

Why it breaks:
    The loader looks it up, and stops with an error for every program of an older version.

Instead:
    Add the file, even without an entry, or lower the version.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="patch/{name} does not exist, and the loader needs it for programs of older versions",
    witness="no program of an older version loads",
    advice="add patch/{name}, even without an entry, or lower the versions in serialize_deserialize/CMakeLists.txt",
    facts={"name": "0.yaml"},
    flagged=(
        (
            "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=1)",
            "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=0)",
        ),
    ),
    passes=(
        (
            "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=1)",
            "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=0)\npatch/0.yaml:",
        ),
    ),
)
