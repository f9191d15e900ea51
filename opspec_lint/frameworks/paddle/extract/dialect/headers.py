"""Parser of op classes in C++ headers: generated classes in a wheel, hand-written ones in trees and wheels.

A class has a name, the number of its attrs (`attributes_num`), `Build` methods that create the op, and an accessor for
each input and output by position.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

COMMENT = pattern(r"//[^\n]*|/\*.*?\*/", "s")
_NAME = pattern(r'\bname\(\)\s*\{\s*return\s*"([^"]+)"')
_CLASS = pattern(r"\bclass\s+(?:[A-Z][A-Z_]+\s+)?(\w+)\s*(?:final\s*)?:")
_COUNT = pattern(r"\battributes_num\s*=\s*(\d+)")
_BUILD = pattern(r"\bstatic\s+void\s+Build\(([^;]*?)\)\s*;")
_ACCESSOR = pattern(r"\b(\w+)\(\)\s*(?:const\s*)?\{\s*return\s+(operand_source|operand|result)\((\d+)\);")
_PARAMETER = pattern(r"(?P<type>.*?[\s&*>])(?P<name>\w+)\s*(?:=(?P<default>.*))?", "s")
_SIGN = pattern(r'[",{}()]')
_VALUES = frozenset({"Value", "OpResult"})
_NO_ATTR = _VALUES | {"AttributeMap"}
"""The types of `Build` parameters that are inputs, or all attrs at once."""
_NO_ARGUMENTS = frozenset({"builder", "argument"})
"""The parameters of `Build` that are no arguments of the op."""


class BuildParameter(Record):
    """A parameter of `Build`: name, C++ type, and its default as written (None for none)."""

    name: str
    type: str
    default: str | None

    @property
    def value_type(self) -> str:
        """The C++ type without `const` and `&`."""
        return self.type.removeprefix("const ").rstrip(" &")


class OpClass(Record):
    """The class of one op.

    `count` is the number of its attrs, None if not stated. `builds` are the parameters of each `Build`, `inputs` and
    `outputs` the accessors by position. `line` is the line of its name. `has_info`: it declares its arguments
    (`GetOpInfo`).
    """

    op: str
    name: str
    line: int
    count: int | None
    builds: tuple[tuple[BuildParameter, ...], ...]
    inputs: Mapping[int, str]
    outputs: Mapping[int, str]
    has_info: bool

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs by position: of the accessors, or of the parameters of `Build` if it has more."""
        accessors = [name for _, name in sorted(self.inputs.items())]
        values = max(map(_value_names, self.builds), key=len, default=[]) if self.has_info else []
        return values if len(values) > len(accessors) else accessors

    @property
    def attrs(self) -> dict[str, BuildParameter]:
        """The attrs by name, mutable ones included: the parameters of the longest `Build` that are no values."""
        return {parameter.name: parameter for parameter in max(map(_attr_parameters, self.builds), key=len, default=[])}


def _attr_parameters(build: tuple[BuildParameter, ...]) -> list[BuildParameter]:
    """Return the parameters that are attrs."""
    return [parameter for parameter in build if _type_name(parameter) not in _NO_ATTR]


def _value_names(build: tuple[BuildParameter, ...]) -> list[str]:
    """Return the names of the parameters that are values; a trailing `_` is a convention of the C++ only."""
    return [parameter.name.removesuffix("_") for parameter in build if _type_name(parameter) in _VALUES]


def _type_name(parameter: BuildParameter) -> str:
    """Return the type of a parameter without namespaces and references."""
    return parameter.type.rpartition("::")[2].rstrip(" &>")


def op_classes(text: str) -> Iterator[OpClass]:
    """Yield the op classes in a header."""
    names = list(_NAME.finditer(text))
    line, counted = 1, 0
    for place, match in enumerate(names):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        end = names[place + 1].start() if place + 1 < len(names) else len(text)
        body = text[match.end() : end]
        if "//" in body or "/*" in body:
            body = COMMENT.sub(" ", body)
        count = _COUNT.search(body)
        # A class is declared before its `name()`; the limit keeps the search short in a header of many classes.
        before = text[max(0, match.start() - 4000) : match.start()]
        name = ([class_match[1] for class_match in _CLASS.finditer(before)] or [""])[-1]
        accessors = _ACCESSOR.findall(body)
        yield OpClass(
            op=match[1],
            name=name,
            line=line,
            count=int(count[1]) if count is not None else None,
            builds=tuple(_parse_parameters(build) for build in _BUILD.findall(body)),
            inputs={
                int(number): name_of_accessor for name_of_accessor, source, number in accessors if source != "result"
            },
            outputs={
                int(number): name_of_accessor for name_of_accessor, source, number in accessors if source == "result"
            },
            has_info="GetOpInfo()" in body,
        )


def _parse_parameters(text: str) -> tuple[BuildParameter, ...]:
    """Return the parameters of a `Build`, without the ones that are no arguments."""
    parameters = []
    for part in _split_parameters(text):
        match = _PARAMETER.fullmatch(part.strip())
        if match is not None and match["name"] not in _NO_ARGUMENTS:
            default = match["default"]
            parameters.append(
                BuildParameter(
                    name=match["name"],
                    type=" ".join(match["type"].split()),
                    default=None if default is None else default.strip(),
                )
            )
    return tuple(parameters)


def _split_parameters(text: str) -> list[str]:
    """Split parameters at commas outside of braces, parentheses and strings."""
    if not any(bracket in text for bracket in '{("'):
        return text.split(",")
    parts = []
    depth, begin, quoted = 0, 0, False
    for match in _SIGN.finditer(text):
        sign = match[0]
        quoted ^= sign == '"'
        if not quoted:
            depth += (sign in "{(") - (sign in "})")
            if sign == "," and not depth:
                parts.append(text[begin : match.start()])
                begin = match.end()
    return [*parts, text[begin:]]
