"""The special handlers of the translation to PIR: the ops that have one, and the names in its code.

`op_translator.cc` registers a class for each op (`special_handlers["split"] = SplitOpTranscriber();`). All strings in
the class and its bases count that can name an op, input, output or attr. The condition of the statement is a part of
the value.
"""

from __future__ import annotations

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.tokens import closing_brace
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, disjunction, show
from opspec_lint.spec.identity import without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.spec.condition import Condition
    from opspec_lint.spec.records import LocatedOp, Place

    Translator: TypeAlias = tuple[Mapping[str, list[str]], Place]
    """The value of the field `translator`, and the line that registers the class."""

FIELD = "translator"
_FILE = "paddle/fluid/ir_adaptor/translator/op_translator.cc"
_REGISTERED = pattern(r'\bspecial_handlers\s*\[\s*"([\w@]+)"\s*\]\s*=\s*(\w+)?')
_CONSTRUCTOR = pattern(r"\b(\w+)\s*::\s*\1\s*\(")
_CLASS = pattern(r"\b(?:struct|class)\s+(\w+)(?:\s+final)?\s*(?::\s*(?:public\s+)?(?:\w+::)*(\w+)[^{;]*)?\{")
_NAME = pattern(r'"((?:pd_op\.)?[A-Za-z_][\w@]*)"')


def read_translators(files: CppFiles, defined: Mapping[str, str]) -> dict[str, Translator] | None:
    """Return the special handler of each op that has one; None for a tree without a translation."""
    raw = files.raw(_FILE)
    if raw is None:
        return None
    file = CppFile(_FILE, raw)
    # The directives are those of a build, so that only control flow is a condition; both views have the same offsets.
    live, code = Liveness(file, defined), file.code(defined)
    bodies = {
        match[1]: (match[2], code.text[match.end() : closing_brace(code.bare, match.end() - 1)])
        for match in _CLASS.finditer(code.bare)
    }
    handlers: dict[str, tuple[Condition, set[str], Place]] = {}
    for match in _REGISTERED.finditer(code.text):
        live.enter(match.start(), _entry)
        condition, _ = live.at(match.start())
        names = _names_in_class(match[2], bodies)
        if condition != ALWAYS and match[1] in handlers:  # such as the handler of another branch
            earlier, used, _ = handlers[match[1]]
            condition, names = disjunction((earlier, condition)), names | used
        if condition != NEVER:
            handlers[match[1]] = condition, names, (_FILE, code.place(match.start())[0], None)
    return {op: (_value(condition, names), place) for op, (condition, names, place) in handlers.items()}


def _value(condition: Condition, names: set[str]) -> Mapping[str, list[str]]:
    """Return the value of the field for a handler that is registered under a condition."""
    only = "" if condition == ALWAYS else f", only under `{show(condition)}`"
    return {"translated by": [f"a special handler{only}"], "names": sorted(names)}


def _entry(head: str, scope: tuple[str, ...]) -> Condition | None:  # noqa: ARG001 - of all functions of this kind
    """Return that a constructor is called, None for another function, which only its callers call."""
    return ALWAYS if _CONSTRUCTOR.search(head) else None


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


def _names_in_class(class_name: str | None, bodies: Mapping[str, tuple[str | None, str]]) -> set[str]:
    """Return the names that a class and its bases use; `bodies` has the base (None for none) and text of a class."""
    names: set[str] = set()
    seen: set[str] = set()
    while class_name is not None and class_name in bodies and class_name not in seen:
        seen.add(class_name)
        class_name, body = bodies[class_name]
        names.update(_NAME.findall(body))
    return names
