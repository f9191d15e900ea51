"""The classes of ops in C++ headers: generated ones in a wheel, hand-written ones in a tree and a wheel.

A class has a name, as many attrs as `attributes_num` says, methods `Build` that make an op, and a method for each input
and output with its position.
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
"""The types of parameters of `Build` that are inputs, or all attrs at once."""
_GIVEN = frozenset({"builder", "argument"})
"""The parameters of `Build` that are no arguments of the op."""


class BuildParameter(Record):
    """A parameter of `Build`: its C++ type, and its default value as it is written, None where it has none."""

    name: str
    type: str
    default: str | None

    @property
    def held(self) -> str:
        """The C++ type without what says how it is passed."""
        return self.type.removeprefix("const ").rstrip(" &")


class OpClass(Record):
    """A class of an op.

    `count` is the number of its attrs, None where it does not say. `builds` are the parameters of each `Build`, and
    `inputs` and `outputs` the names of the methods by position. `line` is where its name stands.
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
        """The names of the inputs by position: those of a `Build` where an op with information has too few methods."""
        named = [name for _, name in sorted(self.inputs.items())]
        values = max(map(_values, self.builds), key=len, default=[]) if self.has_info else []
        return values if len(values) > len(named) else named

    @property
    def attrs(self) -> dict[str, BuildParameter]:
        """The attrs, mutable ones too: what the `Build` with most parameters has that are no values."""
        return {each.name: each for each in max(map(_attrs, self.builds), key=len, default=[])}


def _attrs(build: tuple[BuildParameter, ...]) -> list[BuildParameter]:
    return [each for each in build if _kind(each) not in _NO_ATTR]


def _values(build: tuple[BuildParameter, ...]) -> list[str]:
    return [each.name.removesuffix("_") for each in build if _kind(each) in _VALUES]


def _kind(parameter: BuildParameter) -> str:
    return parameter.type.rpartition("::")[2].rstrip(" &>")


def classes(text: str) -> Iterator[OpClass]:
    """Yield the classes of a header."""
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
        before = text[max(0, match.start() - 4000) : match.start()]
        name = ([each[1] for each in _CLASS.finditer(before)] or [""])[-1]
        accessors = _ACCESSOR.findall(body)
        yield OpClass(
            op=match[1],
            name=name,
            line=line,
            count=int(count[1]) if count is not None else None,
            builds=tuple(_parameters(each) for each in _BUILD.findall(body)),
            inputs={int(number): own for own, of, number in accessors if of != "result"},
            outputs={int(number): own for own, of, number in accessors if of == "result"},
            has_info="GetOpInfo()" in body,
        )


def _parameters(text: str) -> tuple[BuildParameter, ...]:
    found = []
    for part in _split(text):
        match = _PARAMETER.fullmatch(part.strip())
        if match is not None and match["name"] not in _GIVEN:
            default = match["default"]
            found.append(
                BuildParameter(
                    name=match["name"],
                    type=" ".join(match["type"].split()),
                    default=None if default is None else default.strip(),
                )
            )
    return tuple(found)


def _split(text: str) -> list[str]:
    """Return the parts of a list of parameters: commas in braces, in parentheses and in texts do not part it."""
    if not any(each in text for each in '{("'):
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
