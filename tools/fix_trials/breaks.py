"""Typical breaks of contributors to Paddle, as edits of the text of a file."""

from __future__ import annotations

import re

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping
    from typing import Literal


class Break(Record):
    """A kind of break: the language of the files it is made in, and a function that makes it in one.

    `make` returns the broken text, None if the file has no place for it. `profile` is the profile under which the break
    is an error, None for the default one.
    """

    language: Literal["cpp", "yaml", "compat", "fbs"]
    make: Callable[[str, random.Random], str | None]
    profile: str | None = None


_STATEMENT = r"^[ \t]*Add{what}\s*\(\s*\"\w+\"(?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*;[ \t]*\n"
_ATTR = re.compile(_STATEMENT.format(what=r"Attr\s*<[^;()]*>"), re.M)
_INPUT = re.compile(_STATEMENT.format(what="Input"), re.M)
_OUTPUT = re.compile(_STATEMENT.format(what="Output"), re.M)
_SET_DEFAULT = re.compile(r"\s*\.SetDefault\((?:[^()]|\([^()]*\))*\)")
_NUMBER = re.compile(r"(?<=\.SetDefault\()-?\d+(?:\.\d+f?)?(?=\))")
_DISPENSABLE = re.compile(r"\s*\.AsDispensable\(\)")
_ARGS = re.compile(r"^  args\s*:\s*\((.*)\)[ \t]*$", re.M)
_ATTR_OF_ENTRY = re.compile(
    r",\s*(?:int|float|bool|str|int64_t|double|int\[\]|float\[\])\s+\w+(?:\s*=\s*[^,(){}]+)?(?=,|$)"
)
_DEFAULT_OF_ENTRY = re.compile(r"\s*=\s*-?[\w.]+(?=\s*(?:,|$))")
_NUMBER_OF_ENTRY = re.compile(r"(?<== )-?\d+(?=\s*(?:,|$))")
_MEMBER = re.compile(r"^    \w+ : \w+\n", re.M)
_FIELD_DEFAULT = re.compile(r"(?<==)[ ]?\d+(?=[;\s(])")
_FIELD_TYPE = re.compile(r"(?<=\w:)int(?=[;\s=])")
_OPTIONAL = re.compile(r"^  optional\s*:.*\n", re.M)


def without(statement: re.Pattern[str]) -> Callable[[str, random.Random], str | None]:
    """Return a break that deletes one match."""

    def make(text: str, seeded: random.Random) -> str | None:
        matches = list(statement.finditer(text))
        if not matches:
            return None
        match = seeded.choice(matches)
        return text[: match.start()] + text[match.end() :]

    return make


def replaced(pattern: re.Pattern[str], new: Callable[[str], str]) -> Callable[[str, random.Random], str | None]:
    """Return a break that replaces one match by a text made from the match."""

    def make(text: str, seeded: random.Random) -> str | None:
        matches = list(pattern.finditer(text))
        if not matches:
            return None
        match = seeded.choice(matches)
        return text[: match.start()] + new(match[0]) + text[match.end() :]

    return make


def _in_args(part: re.Pattern[str], new: Callable[[str], str]) -> Callable[[str, random.Random], str | None]:
    """Return a break that replaces a part of the `args` of one entry."""

    def make(text: str, seeded: random.Random) -> str | None:
        matches = [
            (args.start(1) + match.start(), args.start(1) + match.end())
            for args in _ARGS.finditer(text)
            for match in part.finditer(args[1])
        ]
        if not matches:
            return None
        start, end = seeded.choice(matches)
        return text[:start] + new(text[start:end]) + text[end:]

    return make


def changed_number(text: str) -> str:
    return f"{text[:-1]}1f" if text.endswith("f") else f"{text}1"


BREAKS: Mapping[str, Break] = {
    "attr_removed": Break(language="cpp", make=without(_ATTR)),
    "input_removed": Break(language="cpp", make=without(_INPUT)),
    "output_removed": Break(language="cpp", make=without(_OUTPUT)),
    "attr_added": Break(
        language="cpp", make=replaced(_OUTPUT, lambda text: f'{text}    AddAttr<int>("new_attr", "(int) New.");\n')
    ),
    "input_added": Break(
        language="cpp", make=replaced(_OUTPUT, lambda text: f'    AddInput("NewInput", "(Tensor) New.");\n{text}')
    ),
    "default_removed": Break(language="cpp", make=without(_SET_DEFAULT)),
    "default_changed": Break(language="cpp", make=replaced(_NUMBER, changed_number)),
    "dispensable_removed": Break(language="cpp", make=without(_DISPENSABLE)),
    "yaml_attr_removed": Break(language="yaml", make=_in_args(_ATTR_OF_ENTRY, lambda _: "")),
    "yaml_attr_added": Break(language="yaml", make=_in_args(re.compile("$"), lambda _: ", int new_attr")),
    "yaml_input_added": Break(
        language="yaml", make=_in_args(re.compile(r"(?=, (?!Tensor))"), lambda _: ", Tensor new_input")
    ),
    "yaml_default_removed": Break(language="yaml", make=_in_args(_DEFAULT_OF_ENTRY, lambda _: "")),
    "yaml_default_changed": Break(language="yaml", make=_in_args(_NUMBER_OF_ENTRY, changed_number)),
    "attr_unregistered": Break(
        language="cpp",
        make=replaced(_OUTPUT, lambda text: f'{text}    AddAttr<int>("new_attr", "(int) New.").SetDefault(0);\n'),
        profile="paddle-2021",
    ),
    "compat_removed": Break(language="compat", make=without(_MEMBER)),
    "compat_changed": Break(language="compat", make=replaced(_MEMBER, lambda line: line.replace("\n", "Old\n"))),
    "fbs_default_changed": Break(language="fbs", make=replaced(_FIELD_DEFAULT, changed_number)),
    "fbs_type_changed": Break(language="fbs", make=replaced(_FIELD_TYPE, lambda _: "float")),
    "yaml_optional_removed": Break(language="yaml", make=without(_OPTIONAL)),
}
"""The breaks by name."""
