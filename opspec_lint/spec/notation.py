"""A notation of ops, one per line, for messages, tests and documentation.

    matmul(X, Y, Bias?) -> (Out, Mask~) [axis: INT = -1, names: STRINGS {extra}] @ +attr axis | ~attr axis

After the name of an input or output, `?` means dispensable, `*` duplicable, `~` intermediate, and `: T` is its type if
the framework declares one: `N * T`, where N and T may be attrs, or `Ref(T)`; `& {...}` has its other fields.

An attr has its type, `in [...]` for its allowed values, `>=` for its minimum, `<=` for its maximum, `=` for its default
value. Flags are in braces. After the attrs come the flags of the op, then `deprecated "use g" from 9`, `invalid "the
reason"` and `builds ["gpu"]`. A flag that is not written is false, a default value not set, builds are all, and
anything else is unknown; an unknown flag has a question mark (`{extra?}`). All other known fields of an op or attr
follow as a JSON object: `& {"min_version": 1, "max_version": 3}`.

`@` introduces the version history: `+` new, `~` modified, `-` deleted, `!` a bugfix, and `|` between checkpoints.
Values are JSON; unusual names and types are quoted. Lines that begin with `versions` and `loading` are about a whole
release: `versions {"producer": 9}` is its `graph_versions`.
"""

from __future__ import annotations

import json

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec import fields, values
from opspec_lint.spec.model import (
    BY_NAME,
    UNKNOWN,
    Attr,
    Checkpoint,
    GraphVersions,
    Input,
    Op,
    Output,
    Provenance,
    Spec,
    Update,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any, NoReturn, TypeVar

    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.model import Flag

    _A = TypeVar("_A", Input, Output)

_VERSIONS, _LOADING = "versions {", "loading {"
_ACTIONS_BY_SIGN = {"+": "new", "~": "modify", "-": "delete"}
_SIGNS_BY_ACTION = {action: sign for sign, action in _ACTIONS_BY_SIGN.items()}
_NAME = pattern(r"[A-Za-z_@][\w@.]*")
_TYPE = pattern(r"(?:[\w*. ]|\([^()]*\))+?(?=\s*(?:[,)\]{=&]|in (?:\[|\{\x22|null)|[<>]=|$))")
_REF = pattern(r"Ref\((.*)\)")
_SPACE = pattern(r"\s*")
_DECODER = json.JSONDecoder()


_MARK_ORDER = "?*~"
"""The order in which marks are written."""


def _fields_by_mark(form: str) -> dict[str, str]:
    """Return the fields of inputs and outputs of a form, by their marks: `{"?": "dispensable"}`."""
    known = [
        field
        for field in fields.field_table_of_all_frameworks().fields_of("inputs").values()
        if field.mark and field.form == form
    ]
    return {field.mark: field.name for field in sorted(known, key=lambda field: _MARK_ORDER.find(field.mark))}


def _flag_names(section: Section) -> tuple[str, ...]:
    """Return the flags that things of a section may have in any framework; those with a mark first."""
    known = (
        field
        for field in fields.field_table_of_all_frameworks().fields_of(section).values()
        if field.form == "flag" and field.is_shown
    )
    names = [field.name for field in known if field.name != "is_ref"]
    return tuple(dict.fromkeys([*(name for name in _fields_by_mark("flag").values() if name in names), *names]))


class NotationError(ValueError):
    """A line that does not follow the notation; the message points to the place."""


def parse_spec(text: str, *, framework: str = "paddle", binding: str | None = BY_NAME) -> Spec:
    """Return the spec of some lines, one op per line; of several lines about one op, the last is the current one.

    Op versions are known if any line has a history. The binding None means a signature if any input or output has a
    type, and otherwise by name.

    Raises:
        NotationError: a line does not follow the notation.
    """
    # `splitlines` would also split at characters that may stand in a quoted text, such as U+2028.
    lines = [line for line in text.split("\n") if line.strip()]
    parsed_ops = [_Parser(line).line() for line in lines if not line.startswith((_VERSIONS, _LOADING))]
    graph_versions = [_parse_release_line(line) for line in lines if line.startswith(_VERSIONS)]
    loading = [_parse_release_line(line) for line in lines if line.startswith(_LOADING)]
    histories = {op.name: history for op, history in parsed_ops if history is not None}
    declarations: dict[str, list[Op]] = {}
    for op, _ in parsed_ops:
        declarations.setdefault(op.name, []).append(op)
    if binding is None:
        binding = "signature" if any(_has_types(op) for op, _ in parsed_ops) else BY_NAME
    return Spec(
        file="notation",
        provenance=Provenance(framework=framework),
        ops={name: same_name[-1] for name, same_name in declarations.items()},
        op_versions=histories if histories else UNKNOWN,
        binding=binding,
        earlier={name: tuple(same_name[:-1]) for name, same_name in declarations.items() if len(same_name) > 1},
        graph_versions=GraphVersions(**graph_versions[-1]) if graph_versions else None,
        loading=loading[-1] if loading else {},
    )


def _has_types(op: Op) -> bool:
    return any(argument.type is not UNKNOWN for argument in (*op.inputs, *op.outputs))


def _parse_release_line(line: str) -> dict[str, Any]:
    """Return the object in a line about a whole release."""
    members = json.loads(line[line.index("{") :])
    return {key: values.freeze(value) for key, value in members.items()}


def _unsigned_fields(section: Section) -> tuple[str, ...]:
    """Return the fields of a section that have no sign in the notation, and so are in the JSON object."""
    fields_with_sign = (
        "type",
        "default_value",
        "allowed_values",
        "minimum",
        "maximum",
        "deprecation",
        "deprecation_version",
    )
    known = fields.field_table_of_all_frameworks().fields_of(section).values()
    return tuple(
        field.name
        for field in known
        if (field.form != "flag" or not field.is_shown) and field.name not in (*fields_with_sign, "invalid")
    )


def show_update(update: Update) -> str:
    """Return the notation of one update of a version history: `+attr axis`."""
    if update.kind is None:
        return f"! {json.dumps(update.remark)}" if update.remark else "!"
    text = f"{_SIGNS_BY_ACTION[update.action]}{update.kind} {_show_name(str(update.name))}"
    return text if update.default_value in (None, UNKNOWN) else f"{text} = {_show_value(update.default_value)}"


def _show_name(name: str) -> str:
    return name if _NAME.fullmatch(name) else json.dumps(name)


def _show_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _split_type(argument: _A, attr_types: dict[str, Any]) -> _A:
    """Return an argument with its type in separate fields: `N * T` sets `number_attr` and `type_attr`."""
    if argument.type is UNKNOWN:
        return argument
    text = str(argument.type)
    ref = _REF.fullmatch(text)
    number, _, single = (ref[1] if ref else text).rpartition(" * ")
    field = {"type": "type_attr", "list(type)": "type_list_attr"}.get(attr_types.get(single, ""), "type")
    type_fields: dict[str, Any] = dict.fromkeys(("type", "type_attr", "type_list_attr"))
    type_fields |= {field: single, "number_attr": number or None, "is_ref": ref is not None}
    type_fields |= {name: None for name in _fields_by_mark("value").values() if argument.get(name) is UNKNOWN}
    return argument.replace(**type_fields)


class _Parser:
    """A recursive descent parser of one line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._skip()

    def line(self) -> tuple[Op, tuple[Checkpoint, ...] | None]:
        """Return the op of the line and its version history, None if the line has none."""
        name = self._name()
        inputs = self._list("(", ")", lambda: self._variable(Input))
        self._expect("->")
        outputs = self._list("(", ")", lambda: self._variable(Output))
        attrs = self._list("[", "]", self._attr) if self._at_token("[") else ()
        declared: dict[str, Any] = {}
        if self._at_token("{"):
            known = _flag_names("ops")
            flags = [name for name, _ in self._list("{", "}", lambda: self._flag(known))]
            declared |= {flag: flag in flags for flag in known}
        if self._accept("deprecated"):
            declared |= {"deprecation": self._value(), "deprecation_version": None}
        if self._accept("from"):
            declared["deprecation_version"] = self._value()
        if self._accept("invalid"):
            declared["invalid"] = self._value()
        if self._accept("builds"):
            declared["builds"] = self._value()
        declared |= self._unsigned_values("ops")
        history = self._history() if self._accept("@") else None
        if self._at < len(self._text):
            self._fail("the end of the line")
        # Only now: a type that is the name of an attr means the value of this attr, and attrs follow the arguments.
        attr_types = {attr.name: attr.type for attr in attrs}
        return Op(
            name=name,
            inputs=tuple(_split_type(argument, attr_types) for argument in inputs),
            outputs=tuple(_split_type(argument, attr_types) for argument in outputs),
            attrs=attrs,
            **declared,
        ), history

    def _variable(self, make: type[_A]) -> _A:
        """Return an input or output."""
        name = self._name()
        marks, known = _fields_by_mark("flag"), _flag_names("inputs")
        stated: dict[str, Any] = dict.fromkeys(known, False)
        while self._text[self._at : self._at + 1] in marks and self._at < len(self._text):
            stated[marks[self._text[self._at]]] = True
            self._advance(1)
        if self._accept(":"):
            stated["type"] = self._type()
        for mark, field in _fields_by_mark("value").items():
            if self._accept(mark):
                stated[field] = self._value()
        return make(name=name, **stated | self._flags(known))

    def _attr(self) -> Attr:
        """Parse an attr: `NAME: TYPE in VALUES >= MIN <= MAX = DEFAULT {FLAGS}`, each part but the name optional."""
        known = _flag_names("attrs")
        stated: dict[str, Any] = {"name": self._name(), "default_value": None, **dict.fromkeys(known, False)}
        if self._accept(":"):
            stated["type"] = self._type()
        if self._accept("in"):
            stated["allowed_values"] = self._value()
        if self._accept(">="):
            stated["minimum"] = self._value()
        if self._accept("<="):
            stated["maximum"] = self._value()
        if self._accept("="):
            stated["default_value"] = UNKNOWN if self._accept("?") else self._value()
        stated |= self._flags(known)
        return Attr(**stated | self._unsigned_values("attrs"))

    def _unsigned_values(self, section: Section) -> dict[str, Any]:
        """Return the fields in the JSON object after `&`."""
        if not self._accept("&"):
            return {}
        start, stated = self._at, self._value()
        if not isinstance(stated, dict) or not stated.keys() <= set(_unsigned_fields(section)):
            self._at = start
            self._fail(f"an object of fields ({', '.join(_unsigned_fields(section))})")
        return stated

    def _flags(self, known: tuple[str, ...]) -> dict[str, Flag]:
        return dict(self._list("{", "}", lambda: self._flag(known)) if self._at_token("{") else ())

    def _flag(self, known: tuple[str, ...]) -> tuple[str, Flag]:
        at, name = self._at, self._name()
        if name not in known:
            self._at = at
            self._fail(f"a flag ({', '.join(known)})")
        return name, UNKNOWN if self._accept("?") else True

    def _history(self) -> tuple[Checkpoint, ...]:
        """Parse a version history: updates between `,`, checkpoints between `|`, each with a note before it."""
        checkpoints = []
        while self._at < len(self._text):
            note = self._value() if self._at_token('"') else ""
            updates = []
            while self._at < len(self._text) and not self._accept("|"):
                updates.append(self._update())
                self._accept(",")
            checkpoints.append(Checkpoint(note=note, updates=tuple(updates)))
        return tuple(checkpoints)

    def _update(self) -> Update:
        """Read an update of an op: a bug fix, or a changed input, output or attr."""
        if self._accept("!"):
            return Update(action="bugfix", remark=self._value() if self._at_token('"') else "")
        action = next((_ACTIONS_BY_SIGN[sign] for sign in _ACTIONS_BY_SIGN if self._accept(sign)), None)
        kind = self._name() if action else None
        if kind not in ("input", "output", "attr"):
            self._fail("an update such as `+attr axis`")
        name = self._name()
        default = self._value() if self._accept("=") else None
        return Update(action=action, kind=kind, name=name, default_value=default)  # type: ignore[arg-type]

    def _list(self, opening: str, closing: str, item: Any) -> tuple[Any, ...]:
        self._expect(opening)
        items: list[Any] = []
        while not self._accept(closing):
            if items:
                self._expect(",")
            items.append(item())
        return tuple(items)

    def _name(self) -> str:
        if self._at_token('"'):
            return str(self._value())
        return self._match(_NAME, "a name")

    def _type(self) -> str:
        if self._at_token('"'):
            return str(self._value())
        return self._match(_TYPE, "a type").strip()

    def _value(self) -> Any:
        try:
            value, end = _DECODER.raw_decode(self._text, self._at)
        except ValueError:
            self._fail("a JSON value")
        self._advance(end - self._at)
        return values.freeze(value)

    def _match(self, pattern: re.Pattern[str], what: str) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            self._fail(what)
        self._advance(len(match.group()))
        return match.group()

    def _at_token(self, token: str) -> bool:
        return self._text.startswith(token, self._at)

    def _accept(self, token: str) -> bool:
        if self._at_token(token):
            self._advance(len(token))
            return True
        return False

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            self._fail(f"`{token}`")

    def _advance(self, width: int) -> None:
        self._at += width
        self._skip()

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _fail(self, expected: str) -> NoReturn:
        rest = self._text[self._at : self._at + 30] or "the end of the line"
        raise NotationError(f"column {self._at + 1}: expected {expected}, found {rest!r} in {self._text!r}")
