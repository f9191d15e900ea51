"""One line of text for one op, for messages, tests and documentation.

    matmul(X, Y, Bias?) -> (Out, Mask~) [axis: INT = -1, names: STRINGS {extra}] @ +attr axis | ~attr axis

Behind the name of an input or output stands `?` where it is dispensable, `*` where it is duplicable, `~` where it is
intermediate, and `: T` for its type where the framework declares one: `N * T` where N and T may be attrs, `Ref(T)`; `&
{...}` for what else is said of it. An attr has its type, `in [...]` for its allowed values, `>=` for its minimum, `<=`
for its maximum, `=` for its default value. Flags stand in braces, those of an op behind its attrs, and behind them
`deprecated "use g" from 9`, `invalid "the reason"` and `builds ["gpu"]`. A flag that is not written is false, a default
value not set, builds are all, and anything else unknown; an unknown flag has a question mark in the braces
(`{extra?}`). Any other field of an op or attr that is known stands behind these, in one JSON object: `& {"min_version":
1, "max_version": 3}`.
Behind `@` stands the version history: `+` new, `~` modified, `-` deleted, `!` a bugfix, and `|` between checkpoints.
Values are JSON; odd names and types are quoted. Lines that begin with `versions` and `loading` are about a whole
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
_ACTIONS = {"+": "new", "~": "modify", "-": "delete"}
_SIGNS = {action: sign for sign, action in _ACTIONS.items()}
_NAME = pattern(r"[A-Za-z_@][\w@.]*")
_TYPE = pattern(r"(?:[\w*. ]|\([^()]*\))+?(?=\s*(?:[,)\]{=&]|in (?:\[|\{\x22|null)|[<>]=|$))")
_REF = pattern(r"Ref\((.*)\)")
_SPACE = pattern(r"\s*")
_DECODER = json.JSONDecoder()


_ORDER = "?*~"
"""In which order marks stand."""


def _marked(form: str) -> dict[str, str]:
    """Return the marks of inputs and outputs for fields of a form, each with its field."""
    known = [
        field
        for field in fields.field_table_of_all_frameworks().fields_of("inputs").values()
        if field.mark and field.form == form
    ]
    return {field.mark: field.name for field in sorted(known, key=lambda field: _ORDER.find(field.mark))}


def _flag_names(section: Section) -> tuple[str, ...]:
    """Return the flags that things of a section may have, in any framework; the marked ones first."""
    known = (
        field
        for field in fields.field_table_of_all_frameworks().fields_of(section).values()
        if field.form == "flag" and field.is_shown
    )
    names = [each.name for each in known if each.name != "is_ref"]
    return tuple(dict.fromkeys([*(name for name in _marked("flag").values() if name in names), *names]))


class NotationError(ValueError):
    """A line is not in the notation; the message points to the place."""


def parse_spec(text: str, *, framework: str = "paddle", binding: str | None = BY_NAME) -> Spec:
    """Return the spec of some lines, one op each; of an op with several lines the last is the newest.

    Op versions are known if any of the lines says something of them. The binding None stands for a signature where any
    input or output has a type, and else by name.

    Raises:
        NotationError: a line is not in the notation.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    parsed = [_Parser(line).line() for line in lines if not line.startswith((_VERSIONS, _LOADING))]
    release = [_of_release(line) for line in lines if line.startswith(_VERSIONS)]
    loading = [_of_release(line) for line in lines if line.startswith(_LOADING)]
    versions = {op.name: history for op, history in parsed if history is not None}
    declared: dict[str, list[Op]] = {}
    for op, _ in parsed:
        declared.setdefault(op.name, []).append(op)
    return Spec(
        file="notation",
        provenance=Provenance(framework=framework),
        ops={name: declarations[-1] for name, declarations in declared.items()},
        op_versions=versions if versions else UNKNOWN,
        binding=binding or ("signature" if any(map(_has_types, (op for op, _ in parsed))) else BY_NAME),
        earlier={name: tuple(each[:-1]) for name, each in declared.items() if len(each) > 1},
        graph_versions=GraphVersions(**release[-1]) if release else None,
        loading=loading[-1] if loading else {},
    )


def _has_types(op: Op) -> bool:
    return any(each.type is not UNKNOWN for each in (*op.inputs, *op.outputs))


def _of_release(line: str) -> dict[str, Any]:
    found = json.loads(line[line.index("{") :])
    return {key: values.freeze(value) for key, value in found.items()}


def _rest(section: Section) -> tuple[str, ...]:
    """Return the fields of a section without a sign of their own."""
    signed = ("type", "default_value", "allowed_values", "minimum", "maximum", "deprecation", "deprecation_version")
    known = fields.field_table_of_all_frameworks().fields_of(section).values()
    return tuple(
        each.name
        for each in known
        if (each.form != "flag" or not each.is_shown) and each.name not in (*signed, "invalid")
    )


def show_update(update: Update) -> str:
    """Return the notation of one update of a version history: `+attr axis`."""
    if update.kind is None:
        return f"! {json.dumps(update.remark)}" if update.remark else "!"
    text = f"{_SIGNS[update.action]}{update.kind} {_show_name(str(update.name))}"
    return text if update.default_value in (None, UNKNOWN) else f"{text} = {_show_value(update.default_value)}"


def _show_name(name: str) -> str:
    return name if _NAME.fullmatch(name) else json.dumps(name)


def _show_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _with_types(argument: _A, kinds: dict[str, Any]) -> _A:
    """Return an argument whose type has been taken apart; what is called like an attr is the attr's to say."""
    if argument.type is UNKNOWN:
        return argument
    text = str(argument.type)
    ref = _REF.fullmatch(text)
    number, _, single = (ref[1] if ref else text).rpartition(" * ")
    field = {"type": "type_attr", "list(type)": "type_list_attr"}.get(kinds.get(single, ""), "type")
    found: dict[str, Any] = dict.fromkeys(("type", "type_attr", "type_list_attr"))
    found |= {field: single, "number_attr": number or None, "is_ref": ref is not None}
    found |= {name: None for name in _marked("value").values() if argument.get(name) is UNKNOWN}
    return argument.replace(**found)


class _Parser:
    """Recursive descent over one line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._skip()

    def line(self) -> tuple[Op, tuple[Checkpoint, ...] | None]:
        name = self._name()
        inputs = self._list("(", ")", lambda: self._variable(Input))
        self._expect("->")
        outputs = self._list("(", ")", lambda: self._variable(Output))
        attrs = self._list("[", "]", self._attr) if self._sees("[") else ()
        declared: dict[str, Any] = {}
        if self._sees("{"):
            known = _flag_names("ops")
            flags = [name for name, _ in self._list("{", "}", lambda: self._flag(known))]
            declared |= {flag: flag in flags for flag in known}
        if self._take("deprecated"):
            declared |= {"deprecation": self._value(), "deprecation_version": None}
        if self._take("from"):
            declared["deprecation_version"] = self._value()
        if self._take("invalid"):
            declared["invalid"] = self._value()
        if self._take("builds"):
            declared["builds"] = self._value()
        declared |= self._more("ops")
        history = self._history() if self._take("@") else None
        if self._at < len(self._text):
            self._fail("the end of the line")
        kinds = {attr.name: attr.type for attr in attrs}
        return Op(
            name=name,
            inputs=tuple(_with_types(each, kinds) for each in inputs),
            outputs=tuple(_with_types(each, kinds) for each in outputs),
            attrs=attrs,
            **declared,
        ), history

    def _variable(self, make: type[_A]) -> _A:
        name = self._name()
        marks, known = _marked("flag"), _flag_names("inputs")
        found: dict[str, Any] = dict.fromkeys(known, False)
        while self._text[self._at : self._at + 1] in marks and self._at < len(self._text):
            found[marks[self._text[self._at]]] = True
            self._advance(1)
        if self._take(":"):
            found["type"] = self._type()
        for mark, field in _marked("value").items():
            if self._take(mark):
                found[field] = self._value()
        return make(name=name, **found | self._flags(known))

    def _attr(self) -> Attr:
        known = _flag_names("attrs")
        found: dict[str, Any] = {"name": self._name(), "default_value": None, **dict.fromkeys(known, False)}
        if self._take(":"):
            found["type"] = self._type()
        if self._take("in"):
            found["allowed_values"] = self._value()
        if self._take(">="):
            found["minimum"] = self._value()
        if self._take("<="):
            found["maximum"] = self._value()
        if self._take("="):
            found["default_value"] = UNKNOWN if self._take("?") else self._value()
        found |= self._flags(known)
        return Attr(**found | self._more("attrs"))

    def _more(self, section: Section) -> dict[str, Any]:
        """Return the fields that have no sign of their own."""
        if not self._take("&"):
            return {}
        at, told = self._at, self._value()
        if not isinstance(told, dict) or not told.keys() <= set(_rest(section)):
            self._at = at
            self._fail(f"an object of fields ({', '.join(_rest(section))})")
        return told

    def _flags(self, known: tuple[str, ...]) -> dict[str, Flag]:
        return dict(self._list("{", "}", lambda: self._flag(known)) if self._sees("{") else ())

    def _flag(self, known: tuple[str, ...]) -> tuple[str, Flag]:
        at, name = self._at, self._name()
        if name not in known:
            self._at = at
            self._fail(f"a flag ({', '.join(known)})")
        return name, UNKNOWN if self._take("?") else True

    def _history(self) -> tuple[Checkpoint, ...]:
        checkpoints = []
        while self._at < len(self._text):
            note = self._value() if self._sees('"') else ""
            updates = []
            while self._at < len(self._text) and not self._take("|"):
                updates.append(self._update())
                self._take(",")
            checkpoints.append(Checkpoint(note=note, updates=tuple(updates)))
        return tuple(checkpoints)

    def _update(self) -> Update:
        if self._take("!"):
            return Update(action="bugfix", remark=self._value() if self._sees('"') else "")
        action = next((_ACTIONS[sign] for sign in _ACTIONS if self._take(sign)), None)
        kind = self._name() if action else None
        if kind not in ("input", "output", "attr"):
            self._fail("an update such as `+attr axis`")
        name = self._name()
        default = self._value() if self._take("=") else None
        return Update(action=action, kind=kind, name=name, default_value=default)  # type: ignore[arg-type]

    def _list(self, opening: str, closing: str, item: Any) -> tuple[Any, ...]:
        self._expect(opening)
        items: list[Any] = []
        while not self._take(closing):
            if items:
                self._expect(",")
            items.append(item())
        return tuple(items)

    def _name(self) -> str:
        if self._sees('"'):
            return str(self._value())
        return self._match(_NAME, "a name")

    def _type(self) -> str:
        if self._sees('"'):
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
        found = pattern.match(self._text, self._at)
        if found is None:
            self._fail(what)
        self._advance(len(found.group()))
        return found.group()

    def _sees(self, token: str) -> bool:
        return self._text.startswith(token, self._at)

    def _take(self, token: str) -> bool:
        if self._sees(token):
            self._advance(len(token))
            return True
        return False

    def _expect(self, token: str) -> None:
        if not self._take(token):
            self._fail(f"`{token}`")

    def _advance(self, width: int) -> None:
        self._at += width
        self._skip()

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _fail(self, expected: str) -> NoReturn:
        rest = self._text[self._at : self._at + 30] or "the end of the line"
        raise NotationError(f"column {self._at + 1}: expected {expected}, found {rest!r} in {self._text!r}")
