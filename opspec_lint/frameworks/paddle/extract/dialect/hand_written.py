"""The PIR ops with hand-written classes: headers have the names, and the C++ files beside them the declarations."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.declarations import Declarations
from opspec_lint.frameworks.paddle.extract.dialect.headers import COMMENT, op_classes
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

    NamedOp: TypeAlias = "tuple[str, LocatedPirOp | UnresolvedError]"

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
_IDENTIFIER = pattern(r"\w+")
_INFO = pattern(r"\b(\w+)::GetOpInfo\(\)\s*\{(.*?)(?:\breturn\b|\n\})", "s")
_ITEM = pattern(r'\bOp(Input|Attribute|Output)Info\(\s*"([^"]*)"\s*,\s*"([^"]*)"\s*,?\s*([^()]*)\)')
_ITEM_START = pattern(r"\bOp(?:Input|Attribute|Output)Info\(")
_CONSTANT = pattern(r'\b(\w+)\[\]\s*=\s*"([^"]*)"')
_NAME = pattern(r'"([^"]*)"|(\w+)')
_ATTRS = pattern(r"\b(\w+)::attributes_name\[[^\]]*\]\s*=\s*\{([^}]*)\}")
_QUOTED = pattern(r'"([^"]*)"')
_VECTOR = "VectorType<"
_SECTIONS: dict[str, VariableSection] = {"Input": "inputs", "Output": "outputs"}


def hand_written_ops(text_of: Callable[[str], str | None]) -> Iterator[tuple[str, NamedOp]]:
    """Yield (header, (op, its record or the error that prevents it)) for each hand-written class."""
    for header, source in PLACES:
        text = text_of(header)
        if text is not None:
            for named_op in _ClassFile(header, text, text_of(source) or "", source).ops():
                yield header, named_op


class _ClassFile:
    """The op classes of one header, with the definitions in the C++ file beside it."""

    def __init__(self, header: str, text: str, source: str, path: str) -> None:
        self._header = header
        self._path = path
        self._classes = list(op_classes(text))
        op_list = _LIST.search(source)
        self._registered = frozenset(_IDENTIFIER.findall(op_list[1])) if op_list is not None else None
        self._infos = {name: (body, source.count("\n", 0, at) + 1) for name, body, at in _matches(_INFO, source)}
        constants = dict(_CONSTANT.findall(text))
        self._attrs = {
            name: [constants.get(constant, quoted) for quoted, constant in _NAME.findall(COMMENT.sub("", body))]
            for name, body in _ATTRS.findall(source)
        }

    def ops(self) -> Iterator[NamedOp]:
        """Yield the registered ops."""
        for op_class in self._classes:
            # A class that the list of ops does not name is never registered with the dialect.
            if self._registered is not None and op_class.name not in self._registered:
                continue
            try:
                yield op_class.op, self._read_op(op_class)
            except UnresolvedError as error:
                yield op_class.op, error.at(self._header, op_class.line)

    def _read_op(self, op_class: OpClass) -> LocatedPirOp:
        """Return the op of a class, by its `GetOpInfo`."""
        if not op_class.has_info:
            return self._read_variadic_op(op_class)
        if op_class.name not in self._infos:
            raise UnresolvedError(
                f"{self._path} does not say what {op_class.name} declares", self._header, op_class.line
            )
        body, line = self._infos[op_class.name]
        declarations = Declarations()
        place = (self._path, line, 1)
        items = _ITEM.findall(body)
        # An item in another form would silently be missing from the op.
        if len(items) != len(_ITEM_START.findall(body)):
            raise UnresolvedError(f"not all that {op_class.name} declares is understood", self._path, line)
        for section, name, kind, extra_arguments in items:
            # The order of op_yaml_info_util.h: optional, no_need_buffer, is_mutable_attribute of an input; optional,
            # intermediate of an output.
            flags = [flag.strip() == "true" for flag in extra_arguments.split(",")]
            full_type = f"{kind}<{_scalar_type(op_class, name, extra_arguments)}>" if kind == SCALAR else kind
            if section == "Attribute":
                declarations.add_attr(name, full_type, place, self._default(op_class, name, full_type))
                continue
            is_output = section == "Output"
            variable = declarations.add_variable(
                _SECTIONS[section],
                name,
                place,
                (
                    ("duplicable", _VECTOR in kind),
                    ("dispensable", flags[0]),
                    ("intermediate", is_output and len(flags) > 1 and flags[1]),
                ),
            )
            variable["type"] = kind if is_output else full_type
            if not is_output and len(flags) > 2 and flags[2]:
                variable["mutable_attr"] = True
                variable["default"] = self._default(op_class, name, full_type)
        return declarations.to_op(place)

    def _read_variadic_op(self, op_class: OpClass) -> LocatedPirOp:
        """Return an op without `GetOpInfo`; only its accessors and attr names are known."""
        names = self._attrs.get(op_class.name, [])
        if len(names) != (op_class.count or 0) or not all(names):
            problem = f"{self._path} does not say what the {op_class.count} attrs of {op_class.name} are"
            raise UnresolvedError(problem, self._header, op_class.line)
        declarations = Declarations()
        place = (self._header, op_class.line, 1)
        for _, name in sorted(op_class.inputs.items()):
            declarations.add_variable("inputs", name, place)
        for _, name in sorted(op_class.outputs.items()):
            declarations.add_variable("outputs", name, place)
        for name in names:
            declarations.add_attr(name, None, place)
        return declarations.to_op(place, variadic=True)

    @staticmethod
    def _default(op_class: OpClass, name: str, kind: str) -> Any:
        """Return the default that a parameter of `Build` gives an attr; None for none."""
        parameter = op_class.attrs.get(name)
        return None if parameter is None else default_value(parameter.default, kind)


def _scalar_type(op_class: OpClass, name: str, extra_arguments: str) -> str:
    """Return the C++ type of a Scalar: by the list of attrs, or else by `Build`."""
    stated = next((quoted for quoted in _QUOTED.findall(extra_arguments) if quoted), "")
    parameter = op_class.attrs.get(name)
    return stated or (parameter.value_type if parameter is not None else "")


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the two groups and the offset of each match."""
    return ((match[1], match[2], match.start()) for match in pattern.finditer(text))
