"""The ops whose classes are written by hand: a header has their names, and the C++ beside it what they declare."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.declarations import Declarations
from opspec_lint.frameworks.paddle.extract.dialect.headers import COMMENT, classes
from opspec_lint.frameworks.paddle.extract.dialect.ops import default_value
from opspec_lint.frameworks.paddle.saved.pir.patches import SCALAR
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.extract.declarations import VariableSection
    from opspec_lint.frameworks.paddle.extract.dialect.headers import OpClass
    from opspec_lint.frameworks.paddle.extract.dialect.results import LocatedPirOp

    Found: TypeAlias = "tuple[str, LocatedPirOp | UnresolvedError]"

_FOLDER = "paddle/fluid/pir/dialect/operator/ir/"
_FORMER = ("paddle/fluid/pir/dialect/paddle_dialect/ir/", "paddle/fluid/ir/dialect/paddle_dialect/ir/")
_FILES = ("manual_op", "control_flow_op", "manual_pylayer_op", "tensorrt_op")
PLACES = (
    *((f"{_FOLDER}{name}.h", f"{_FOLDER}{name}.cc") for name in _FILES),
    *((f"{folder}pd_manual_op.h", f"{folder}pd_manual_op.cc") for folder in _FORMER),
    ("paddle/pir/include/core/builtin_op.h", "paddle/pir/src/core/builtin_op.cc"),
    ("paddle/pir/include/dialect/control_flow/ir/cf_op.h", "paddle/pir/src/dialect/control_flow/ir/cf_op.cc"),
)
"""The headers with such classes, each with the file that defines their methods."""

_LIST = pattern(r"#\s*undef\s+GET_OP_LIST\b(.*?)#\s*else\b", "s")
_WORD = pattern(r"\w+")
_INFO = pattern(r"\b(\w+)::GetOpInfo\(\)\s*\{(.*?)(?:\breturn\b|\n\})", "s")
_ITEM = pattern(r'\bOp(Input|Attribute|Output)Info\(\s*"([^"]*)"\s*,\s*"([^"]*)"\s*,?\s*([^()]*)\)')
_BEGINNING = pattern(r"\bOp(?:Input|Attribute|Output)Info\(")
_CONSTANT = pattern(r'\b(\w+)\[\]\s*=\s*"([^"]*)"')
_NAME = pattern(r'"([^"]*)"|(\w+)')
_ATTRS = pattern(r"\b(\w+)::attributes_name\[[^\]]*\]\s*=\s*\{([^}]*)\}")
_QUOTED = pattern(r'"([^"]*)"')
_VECTOR = "VectorType<"
_SECTIONS: dict[str, VariableSection] = {"Input": "inputs", "Output": "outputs"}


def written(text_of: Callable[[str], str | None]) -> Iterator[tuple[str, Found]]:
    """Yield the ops of hand-written classes, each with its header, and what keeps one from being told.

    Args:
        text_of: returns the text of a file of the tree, None where there is none.
    """
    for header, source in PLACES:
        text = text_of(header)
        if text is not None:
            for each in _Written(header, text, text_of(source) or "", source).all():
                yield header, each


class _Written:
    def __init__(self, header: str, text: str, source: str, path: str) -> None:
        self._header = header
        self._path = path
        self._classes = list(classes(text))
        listed = _LIST.search(source)
        self._registered = frozenset(_WORD.findall(listed[1])) if listed is not None else None
        self._infos = {name: (body, source.count("\n", 0, at) + 1) for name, body, at in _matches(_INFO, source)}
        constants = dict(_CONSTANT.findall(text))
        self._attrs = {
            name: [constants.get(word, quoted) for quoted, word in _NAME.findall(COMMENT.sub("", body))]
            for name, body in _ATTRS.findall(source)
        }

    def all(self) -> Iterator[Found]:
        for each in self._classes:
            if self._registered is not None and each.name not in self._registered:
                continue
            try:
                yield each.op, self._op(each)
            except UnresolvedError as error:
                yield each.op, error.at(self._header, each.line)

    def _op(self, each: OpClass) -> LocatedPirOp:
        if not each.has_info:
            return self._variadic(each)
        if each.name not in self._infos:
            raise UnresolvedError(f"{self._path} does not say what {each.name} declares", self._header, each.line)
        body, line = self._infos[each.name]
        found = Declarations()
        place = (self._path, line, 1)
        items = _ITEM.findall(body)
        if len(items) != len(_BEGINNING.findall(body)):
            raise UnresolvedError(f"not all that {each.name} declares is understood", self._path, line)
        for section, name, kind, more in items:
            flags = [word.strip() == "true" for word in more.split(",")]
            full = f"{kind}<{_held(each, name, more)}>" if kind == SCALAR else kind
            if section == "Attribute":
                found.add_attr(name, full, place, self._default(each, name, full))
                continue
            variable = found.add_variable(
                _SECTIONS[section], name, place, [("duplicable", _VECTOR in kind), ("dispensable", flags[0])]
            )
            variable["type"] = kind if section == "Output" else full
            if section == "Output":
                if len(flags) > 1 and flags[1]:
                    variable["intermediate"] = True
            elif len(flags) > 2 and flags[2]:
                variable["mutable_attr"] = True
                variable["default"] = self._default(each, name, full)
        return found.to_op(place)

    def _variadic(self, each: OpClass) -> LocatedPirOp:
        """Return an op without a list of what it takes and gives."""
        names = self._attrs.get(each.name, [])
        if len(names) != (each.count or 0) or not all(names):
            problem = f"{self._path} does not say what the {each.count} attrs of {each.name} are"
            raise UnresolvedError(problem, self._header, each.line)
        found = Declarations()
        place = (self._header, each.line, 1)
        for _, name in sorted(each.inputs.items()):
            found.add_variable("inputs", name, place)
        for _, name in sorted(each.outputs.items()):
            found.add_variable("outputs", name, place)
        for name in names:
            found.add_attr(name, None, place)
        return found.to_op(place, variadic=True)

    @staticmethod
    def _default(each: OpClass, name: str, kind: str) -> Any:
        found = each.attrs.get(name)
        return None if found is None else default_value(found.default, kind)


def _held(each: OpClass, name: str, more: str) -> str:
    """Return the C++ type of what a Scalar holds: as the list of attrs says, or else as `Build` takes it."""
    said = next((word for word in _QUOTED.findall(more) if word), "")
    built = each.attrs.get(name)
    return said or (built.held if built is not None else "")


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str, int]]:
    return ((match[1], match[2], match.start()) for match in pattern.finditer(text))
