"""Writes the options and the inputs of the ops of TFLite, for `frameworks/tflite/saved/arguments.json`.

    python -m tools.tflite_arguments REPOSITORY@REVISION

The schema declares the options of a node, in tables of the unions `BuiltinOptions` and `BuiltinOptions2`. It does not
name the inputs: the dialect of the converter does, in the order of the file (`let arguments = (ins ...)` in
tfl_ops.td).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.documents.file_context import FileContext
from opspec_lint.frameworks.tflite.saved import codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SCHEMA, _DIALECT = "tflite/converter/schema/schema.fbs", "tflite/converter/ir/tfl_ops.td"
_UNIONS = ("BuiltinOptions", "BuiltinOptions2")
_OP = re.compile(r'^def TFL_\w+\s*:\s*TFL_\w*<\s*"(\w+)"(.*?)(?=^def |^class |\Z)', re.MULTILINE | re.DOTALL)
_ARGUMENTS = re.compile(r"let arguments = \(\s*ins\b(.*?)\n?\s*\);", re.DOTALL)
_ARGUMENT = re.compile(r"(.+?):\$(\w+)(?:,|$)", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*")


def main(reference: str) -> None:
    """Print the arguments of a revision, one table, enum or op a line."""
    repository, _, revision = reference.rpartition("@")
    git = ("git", "-C", repository)
    schema, dialect = (
        subprocess.run([*git, "show", f"{revision}:{path}"], capture_output=True, check=True).stdout
        for path in (_SCHEMA, _DIALECT)
    )
    parts = {**_options(schema), "inputs": dict(_inputs(dialect.decode()))}
    lines = (
        f' "{part}": {{\n'
        + ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in items.items())
        + "\n }"
        for part, items in parts.items()
    )
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


def _options(schema: bytes) -> dict[str, dict[str, Any]]:
    """Return the unions with their tables, the tables with their fields, and the enums with their type and values."""
    declarations = {
        _plain(declaration.name): declaration
        for declaration in read_schema(schema, _SCHEMA, FileContext(read=lambda _: None)).declarations.values()
    }
    unions = {
        union: {str(member.number): _plain(member.name) for member in declarations[union].members} for union in _UNIONS
    }
    tables = {
        table: {
            field.name: [field.slot, _plain(field.type), field.default]
            for field in declarations[table].fields
            if not field.is_deprecated
        }
        for tables_by_number in unions.values()
        for table in tables_by_number.values()
    }
    used = {type_.strip("[]") for fields in tables.values() for _, type_, _ in fields.values()}
    enums = {
        name: [declarations[name].scalar, {str(value.number): value.name for value in declarations[name].values}]
        for name in sorted(used & declarations.keys())
        if declarations[name].form == "enum"
    }
    return {"unions": unions, "tables": tables, "enums": enums}


def _inputs(dialect: str) -> Iterator[tuple[str, list[str]]]:
    """Yield ops with the names of their inputs; of the arguments of an op in the dialect, the others are attrs."""
    builtins = set(codes.BUILTINS)
    for mnemonic, body in _OP.findall(dialect):
        arguments = _ARGUMENTS.search(body)
        if mnemonic.upper() in builtins and arguments is not None:
            listed = _ARGUMENT.findall(_COMMENT.sub("", arguments[1]).strip())
            yield mnemonic.upper(), [name for type_, name in listed if "Attr" not in type_]


def _plain(name: str) -> str:
    """Return a name or a type without its namespace."""
    return name.replace("tflite.", "")


if __name__ == "__main__":
    main(*sys.argv[1:])
