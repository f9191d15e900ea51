"""The special handlers of the translation to PIR: the ops that have one, and the names in its code.

`op_translator.cc` registers a class for each op (`special_handlers["split"] = SplitOpTranscriber();`). All strings in
the class and its bases count that can name an op, input, output or attr.
"""

from __future__ import annotations

from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.tokens import closing_brace
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.identity import without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.spec.records import LocatedOp, Place

    Translator: TypeAlias = tuple[Mapping[str, list[str]], Place]
    """The value of the field `translator`, and the line that registers the class."""

FIELD = "translator"
_FILE = "paddle/fluid/ir_adaptor/translator/op_translator.cc"
_REGISTERED = pattern(r'\bspecial_handlers\s*\[\s*"([\w@]+)"\s*\]\s*=\s*(\w+)?')
_CLASS = pattern(r"\b(?:struct|class)\s+(\w+)(?:\s+final)?\s*(?::\s*(?:public\s+)?(?:\w+::)*(\w+)[^{;]*)?\{")
_NAME = pattern(r'"((?:pd_op\.)?[A-Za-z_][\w@]*)"')


def read_translators(files: CppFiles, defined: Mapping[str, str]) -> dict[str, Translator] | None:
    """Return the special handler of each op that has one; None for a tree without a translation."""
    raw = files.raw(_FILE)
    if raw is None:
        return None
    code = CppFile(_FILE, raw).code(defined)
    bodies = {
        match[1]: (match[2], code.text[match.end() : closing_brace(code.bare, match.end() - 1)])
        for match in _CLASS.finditer(code.bare)
    }
    handlers: dict[str, Translator] = {}
    for match in _REGISTERED.finditer(code.text):
        line, _ = code.place(match.start())
        handlers[match[1]] = (
            {"translated by": ["a special handler"], "names": _names_in_class(match[2], bodies)},
            (_FILE, line, None),
        )
    return handlers


def add_translators(ops: dict[str, LocatedOp], translators: Mapping[str, Translator]) -> dict[str, LocatedOp]:
    """Return the ops with the field `translator` added to ops that have a handler, in all their builds."""
    extended = dict(ops)
    for name, (record, places) in ops.items():
        translator = translators.get(without_build(name))
        if translator is not None:
            value, _ = translator
            fields: Any = {FIELD: value}
            extended[name] = {**record, **fields}, places
    return extended


def _names_in_class(class_name: str | None, bodies: Mapping[str, tuple[str | None, str]]) -> list[str]:
    """Return the names that a class and its bases use; `bodies` has the base (None for none) and text of a class."""
    names: set[str] = set()
    seen: set[str] = set()
    while class_name is not None and class_name in bodies and class_name not in seen:
        seen.add(class_name)
        class_name, body = bodies[class_name]
        names.update(_NAME.findall(body))
    return sorted(names)
