"""Interpreters with a TFLite runtime that is made up: it takes ops up to a version, and may die of one."""

from __future__ import annotations

import sys

RUNTIME = """
import os, struct, time
__version__ = {version!r}
TAKES, DEADLY = {takes!r}, {deadly!r}
class Interpreter:
    def __init__(self, model_content):
        version, code = struct.unpack_from("<ii", model_content, 68)
        if DEADLY == (code, version):
            os.abort()
        if version > TAKES.get(code, 0):
            raise ValueError("Didn't find op for builtin opcode '%d' version '%d'" % (code, version))
"""


def interpreter(folder, version, takes, deadly=None):
    """Return an interpreter whose runtime takes ops by code up to a version, and dies of one op and version."""
    return interpreter_of(folder, version, RUNTIME.format(version=version, takes=takes, deadly=deadly))


def interpreter_of(folder, version, text):
    """Return an interpreter whose runtime has the text of a module."""
    package = folder / version / "ai_edge_litert"
    package.mkdir(parents=True)
    (package / "interpreter.py").write_text(text)
    (package / "__init__.py").write_text(f"__version__ = {version!r}\n")
    return interpreter_with(package.parent)


def interpreter_with(folder):
    """Return an interpreter that finds the packages in a folder."""
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return str(python)
