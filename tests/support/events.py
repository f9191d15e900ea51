"""All events that have a rule of their name."""

from __future__ import annotations

import os

import opspec_lint.frameworks.paddle
from opspec_lint.documents import schema
from opspec_lint.frameworks.paddle.formats import print_op_desc
from opspec_lint.lint import rulebook
from opspec_lint.spec import file_schema

RULES = list(rulebook.RULES.every())
NAMED = {rule.id for rule in RULES if rule.id in rule.on}
EVENTS = {rule.id for rule in RULES if rule.id in NAMED and rule.is_of_contract}
"""Events about ops."""
CIRCUMSTANCES = {rule.id for rule in RULES if not rule.is_of_contract}
"""Events about a saved model, a file, a setting, a waiver or the reading of a source."""

PADDLE_SCHEMAS = os.path.join(os.path.dirname(opspec_lint.frameworks.paddle.__file__), "schemas")


def schema_named(name):
    """Return the JSON Schema of a kind of document."""
    if name == "opspec":
        return file_schema.schema()
    if name == "print_op_desc":
        return print_op_desc.json_schema()
    return schema.load(name, PADDLE_SCHEMAS) if name == "op_versions" else schema.load(name)
