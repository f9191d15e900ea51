"""Interpreters with a release of a framework, named by environment variables."""

from __future__ import annotations

import os

import pytest


def python_with(framework: str, version: str) -> str:
    """Return the interpreter that has a release; skip the test if the environment names none.

    OPSPEC_LINT_PADDLE_2_6_2 names the interpreter with Paddle 2.6.2. `.ci/wheels` lists the releases that CI installs.
    """
    variable = f"OPSPEC_LINT_{framework.upper()}_{version.replace('.', '_')}"
    if variable not in os.environ:
        pytest.skip(f"{variable} names no interpreter")
    return os.environ[variable]
