"""Trees of build files in memory, and what CMake itself compiles in them."""

from __future__ import annotations

import subprocess

from opspec_lint.builds.build_files import BuildFiles
from tests.support.dict_tree import DictTree


def builds_of(texts):
    """Return the build files with certain texts, by path."""
    return BuildFiles(DictTree(texts))


def compiles(folder, name, *options, target="all"):
    """Return whether a build of a folder with CMake compiles a source of a certain name."""
    build = folder / f"build{len(list(folder.iterdir()))}"
    command = ["cmake", "-G", "Ninja", "-S", folder, "-B", build, "-DCMAKE_CXX_COMPILER_FORCED=1", *options]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return False
    steps = ["ninja", "-C", build, "-n", "-v", target]
    commands = subprocess.run(steps, capture_output=True, text=True, check=True).stdout
    return " -c " in commands and name in commands
