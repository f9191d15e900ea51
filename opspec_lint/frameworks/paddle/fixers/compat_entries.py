"""Restores members of op_compat.yaml, which the translation of programs to PIR reads."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.fixers._compat import restored_members
from opspec_lint.lint.fixer import Fixer

FIXER = Fixer(
    rules=(
        *("attr_renamed", "input_renamed", "output_renamed", "legacy_name_changed", "legacy_names_lost"),
        *("translation_argument_dropped", "translation_argument_rebound", "translation_attr_absent"),
        *("translation_attr_filled", "translation_input_absent", "translation_op_missing", "translation_output_absent"),
    ),
    fixes=restored_members,
)
