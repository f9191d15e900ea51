"""What the entries of Paddle's YAML files declare, by the rules of the generator that turns them into makers."""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.cpp.expressions import NoNames, evaluate
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type, to_attr_value
from opspec_lint.frameworks.paddle.extract.declarations import Declarations
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, resolved
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.declarations import VariableFlag, VariableSection
    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.extract.yaml.generator import Rules
    from opspec_lint.spec.records import Place

    class Argument(TypedDict):
        """An argument of an entry: its type and name, its default as it is written, and where it stands."""

        type: str
        name: str
        default: str | None
        line: int
        column: int


COMMA = pattern(r",(?![^{]*\})")
"""A comma between two arguments, and none between braces."""
OUTPUT = pattern(r"([a-zA-Z0-9_[\]]+)\s*(\([a-zA-Z0-9_@]+\))?\s*(\{[^\}]+\})?")
"""An output: its type, its name in parentheses, and its size in braces."""
_NAMES = ("op", "api", "backward_op", "backward_api")
_INPUTS = frozenset({"Tensor", "Tensor[]"})
_OUTPUTS = frozenset({"Tensor", "Tensor[]", "SelectedRows"})
_VECTORS = {"int": "std::vector<int>", "int64_t": "std::vector<int64_t>"}
_SCALARS = {
    "Scalar": "float",
    "Scalar(float)": "float",
    "Scalar(double)": "double",
    "Scalar(int)": "int",
    "Scalar(int64_t)": "int64_t",
}
_DATA_TYPES = {"FLOAT16": "FP16", "FLOAT32": "FP32", "FLOAT64": "FP64", "BFLOAT16": "BF16"}
_DATA_TYPES |= {"FLOAT8_E4M3FN": "FP8_E4M3FN", "FLOAT8_E5M2": "FP8_E5M2"}
_BATCH_NORMS = frozenset({"sparse_batch_norm", "sparse_sync_batch_norm"})


class Enums:
    """The enums that defaults in YAML are written with, as `phi::` has them.

    `asked` counts how often one was asked for.

    Args:
        types: the numbers of VarType.Type by name.
        find: returns the number of an enumerator of an enum class, None where there is none.
    """

    def __init__(self, types: Mapping[str, int], find: Callable[[str, str], int | None]) -> None:
        self._types = types
        self._find = find
        self.asked = 0

    def data_type(self, text: str) -> int:
        """Return the number of `DataType::FLOAT32` in framework.proto."""
        self.asked += 1
        name = text.rpartition("::")[2].strip()
        if name == "UNDEFINED":
            return -1
        number = self._types.get(_DATA_TYPES.get(name, name))
        if number is None:
            raise UnresolvedError(f"the data type {text} is not known")
        return number

    def layout(self, text: str) -> int:
        """Return the number of `DataLayout::NCHW`."""
        self.asked += 1
        number = self._find("DataLayout", text.rpartition("::")[2].strip())
        if number is None:
            raise UnresolvedError(f"the layout {text} is not known")
        return number

    def place(self, text: str) -> int:
        """Return the number of the kind of place of `CPUPlace()`."""
        self.asked += 1
        match = re.fullmatch(r"(?:\w+::)*(\w*)Place\(\)", text)
        name = match[1] if match else "" if text == "{}" else None
        number = None if name is None else self._find("AllocationType", name or "UNDEFINED")
        if number is None:
            raise UnresolvedError(f"the place {text} is not known")
        return number


def name_of(entry: YamlEntry) -> str:
    """Return the name of an entry as it is written, "" for one that has none."""
    name = next((entry[key] for key in _NAMES if key in entry), None)
    return str(name) if isinstance(name, Scalar) else ""


def text_of(entry: YamlEntry, key: str) -> Scalar:
    """The text that an entry has under a key.

    Raises:
        UnresolvedError: the entry has no text under the key.
    """
    value = entry.get(key)
    if not isinstance(value, Scalar):
        raise UnresolvedError(f"its {key} is missing, or is not a string")
    return value


def names_of(entry: YamlEntry, key: str) -> frozenset[str]:
    """Return the names that an entry lists under a key, none where it does not have the key.

    Raises:
        UnresolvedError: the entry has something other than a text under the key.
    """
    if key not in entry:
        return frozenset()
    return frozenset(part.strip() for part in COMMA.split(text_of(entry, key).strip()))


def is_input(kind: str) -> bool:
    """Tell whether an argument of a type is an input."""
    return kind in _INPUTS


def has_own_form(entry: YamlEntry) -> bool:
    """Tell whether an entry says itself what its op does, and does not leave that to other ops alone."""
    return "invoke" not in entry and not ("composite" in entry and "kernel" not in entry)


def is_declared(entry: YamlEntry) -> bool:
    """Tell whether the generator makes an op of an entry at all."""
    return has_own_form(entry) and "kernel" in entry and "infer_meta" in entry


def declared(  # noqa: PLR0913 - an entry and all that bears on it
    entry: YamlEntry, compat: YamlEntry | None, rules: Rules, enums: Enums, source: YamlSource, *, op: str
) -> Declarations:
    """Return the arguments of an op that an entry declares.

    Args:
        entry: the entry.
        compat: the entry of op_compat.yaml that goes with it, None where there is none.
        rules: the rules of the generator.
        enums: the enums of defaults.
        source: the file of the entry.
        op: the name of the op in programs.

    Raises:
        UnresolvedError: the entry cannot be evaluated.
    """
    try:
        return _Reader(entry, compat or {}, rules, enums, source, op).all()
    except UnresolvedError as error:
        raise error.at(source.path, entry.line) from None


class YamlSource:
    """A YAML file: its path, and where offsets stand."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._breaks: list[int] | None = None

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column, from 1, of an offset."""
        if self._breaks is None:
            self._breaks = [match.end() for match in re.finditer("\n", self.text)]
        line = bisect_right(self._breaks, offset)
        return line + 1, offset - (self._breaks[line - 1] if line else 0) + 1

    def at(self, offset: int) -> Place:
        """Return the file, the line and the column of an offset."""
        return self.path, *self.place(offset)

    def at_line(self, offset: int) -> Place:
        """Return the file and the line of an offset."""
        return self.path, self.place(offset)[0], None

    def find(self, name: str, start: int, end: int) -> tuple[int, int]:
        """Return the place of a name between two offsets, that of the first offset where it does not occur."""
        return self.place(next(occurrences(self.text, name, start, end), start))


def arguments_of(entry: YamlEntry, source: YamlSource) -> list[Argument]:
    """The arguments of an entry: `(Tensor x, float eps = 1e-5)`.

    Raises:
        UnresolvedError: the entry is of another form.
    """
    written = text_of(entry, "args")
    text = written.strip()
    if not (text.startswith("(") and text.endswith(")")):
        raise UnresolvedError("its args are not in parentheses")
    found: list[Argument] = []
    for part in COMMA.split(text[1:-1].strip()):
        words = part.strip().split(" ", 1)
        if words == [""] and not found:
            break
        if len(words) != 2 or words[1].count("=") > 1:
            raise UnresolvedError(f"the argument {part.strip()!r} is not of the form TYPE NAME = DEFAULT")
        name, _, default = (word.strip() for word in words[1].partition("="))
        line, column = source.find(name, written.start, written.end)
        kind = words[0].strip()
        found.append({"type": kind, "name": name, "default": default or None, "line": line, "column": column})
    return found


def outputs_of(entry: YamlEntry, source: YamlSource) -> list[Argument]:
    """The outputs of an entry: `Tensor(out), Tensor[](grads){x.size()}`.

    Raises:
        UnresolvedError: the entry is of another form.
    """
    if resolved(entry.get("output")) is None:
        return []
    written = text_of(entry, "output")
    found: list[Argument] = []
    for part in COMMA.split(written.strip()):
        match = OUTPUT.search(part)
        if match is None or match[1] not in _OUTPUTS:
            raise UnresolvedError(f"the output {part.strip()!r} is not of the form TYPE(NAME)")
        name = match[2][1:-1] if match[2] else "out"
        line, column = source.find(name, written.start, written.end)
        found.append({"type": match[1], "name": name, "default": None, "line": line, "column": column})
    return found


class _Reader:
    def __init__(  # noqa: PLR0913, PLR0917 - an entry and all that bears on it
        self, entry: YamlEntry, compat: Mapping[str, Any], rules: Rules, enums: Enums, source: YamlSource, op: str
    ) -> None:
        self._entry = entry
        self._compat = compat
        self._rules = rules
        self._enums = enums
        self._source = source
        self._op = op
        self._found = Declarations()

    def all(self) -> Declarations:
        rules = self._rules
        inputs, attrs = self._arguments()
        outputs = outputs_of(self._entry, self._source)
        for each in inputs:
            self._add_variable("inputs", each, as_grad=rules.grad_inputs)
        kernel = self._entry.get("kernel")
        taken = kernel.get("param") if isinstance(kernel, dict) else None
        for each in attrs:
            if rules.keeps_all_attrs or taken is None or each["name"] in taken:
                self._add_attr(each)
        for each in outputs:
            self._add_variable("outputs", each, as_grad=rules.grad_outputs)
        return self._found

    def _arguments(self) -> tuple[list[Argument], list[Argument]]:
        inputs: list[Argument] = []
        attrs: list[Argument] = []
        for argument in arguments_of(self._entry, self._source):
            if argument["type"] in _INPUTS:
                inputs.append(argument)
            elif argument["type"] in self._rules.types:
                attrs.append(argument)
            else:
                raise UnresolvedError(f"the type {argument['type']} of the argument {argument['name']!r} is not known")
        return inputs, attrs

    def _new_name(self, section: str, name: str) -> str:
        """The name of an argument in op_compat.yaml."""
        is_layout = section == "attrs" and name == "data_format" and self._op in _BATCH_NORMS
        return str(
            self._mapping(section).get(name, "data_layout" if is_layout and self._rules.sparse_renames else name)
        )

    def _add_attr(self, argument: Argument) -> None:
        """Add an attr, and the inputs that may take its place."""
        kind = argument["type"]
        cpp = self._rules.types[kind]
        config = self._config(argument, kind)
        support_tensor = config is not None and self._rules.support_tensor and resolved(config.get("support_tensor"))
        default = argument["default"]
        if kind.startswith("Scalar"):
            if config is not None:
                cpp = str(config.get("data_type", _SCALARS.get(kind, cpp)))
                if kind == "Scalar(double)" and cpp == "std::string" and default is not None and self._rules.quotes:
                    default = f'"{default}"'
            if not support_tensor:
                self._add_companion(argument, config, "tensor_name", "Tensor")
        elif kind == "IntArray":
            if config is not None:
                cpp = _VECTORS.get(str(config.get("data_type", "int64_t")), "")
            if not support_tensor:
                if config is None or "tensor_name" in config:
                    self._add_companion(argument, config, "tensor_name", "Tensor")
                if config is None or "tensors_name" in config:
                    self._add_companion(argument, config, "tensors_name", "TensorList", is_list=True)
        held = attr_type(cpp)
        if held is None:
            raise UnresolvedError(f"the type {cpp or kind} of the attr {argument['name']!r} is not known")
        name = self._new_name("attrs", argument["name"])
        value = None if default is None else self._default(default, kind, name, held, argument["line"])
        attr = self._found.add_attr(name, held, self._place(argument), value)
        if support_tensor:
            attr["support_tensor"] = True

    def _config(self, argument: Argument, kind: str) -> Mapping[str, Any] | None:
        """The settings of a Scalar or IntArray in op_compat.yaml, None where it has none."""
        if kind.startswith("Scalar") and self._rules.scalars:
            section = "scalar"
        elif kind == "IntArray" and self._rules.int_arrays:
            section = "int_array"
        else:
            return None
        config = self._mapping(section).get(argument["name"])
        if config is not None and not isinstance(config, dict):
            raise UnresolvedError(f"{section} of {argument['name']!r} in op_compat.yaml is not a mapping")
        return config

    def _add_companion(
        self, argument: Argument, config: Mapping[str, Any] | None, key: str, suffix: str, *, is_list: bool = False
    ) -> None:
        """Add the input that may take the place of an attr."""
        own = config.get(key) if config is not None else None
        if own is None and config is not None and self._rules.needs_tensor_name and key == "tensor_name":
            name = argument["name"]
            raise UnresolvedError(f"op_compat.yaml has no tensor_name for {name!r}, which the generator needs")
        written = argument["name"] if self._rules.scalars else self._new_name("attrs", argument["name"])
        name = str(own) if own is not None else _pascal_case(written) + suffix
        flags: list[tuple[VariableFlag, bool]] = [("duplicable", is_list), ("dispensable", True)]
        self._found.add_variable("inputs", name, self._place(argument), flags)

    def _default(self, text: str, kind: str, name: str, held: str, line: int) -> Any:
        try:
            if kind == "DataType":
                return self._enums.data_type(text)
            if kind == "DataLayout":
                return self._enums.layout(text)
            if kind == "Place":
                return self._enums.place(text)
            words = tokenize(text, 0, len(text))
            return to_attr_value(evaluate(words, 0, len(words), NoNames()), held)
        except UnresolvedError as error:
            raise UnresolvedError(
                f"the default {text} of {name!r} is unknown: {error.reason}", self._source.path, line
            ) from None

    def _mapping(self, key: str) -> Mapping[str, Any]:
        value = self._compat.get(key)
        return value if isinstance(value, dict) else {}

    def _add_variable(self, section: VariableSection, argument: Argument, *, as_grad: bool) -> None:
        """Add an input or output, under the name that the generator gives it."""
        name = self._new_name(section, argument["name"])
        is_grad = as_grad and name.endswith("_grad")
        name = name[:-5] if is_grad else name
        if as_grad and self._rules.pascal_case:
            name = _pascal_case(name)
        name = f"{name}@GRAD" if is_grad else name
        self._found.add_variable(section, name, self._place(argument), self._flags(section, argument))

    def _flags(self, section: VariableSection, argument: Argument) -> Iterator[tuple[VariableFlag, bool]]:
        rules, name = self._rules, argument["name"]
        is_output = section == "outputs"
        extra = self._compat.get("extra")
        extras = (extra.get(section) if isinstance(extra, dict) else None) or ()
        yield "duplicable", argument["type"].endswith("[]")
        yield "dispensable", (rules.optional_outputs or not is_output) and name in names_of(self._entry, "optional")
        yield "intermediate", is_output and name in names_of(self._entry, "intermediate")
        yield "extra", (rules.extra_outputs if is_output else rules.extra_inputs) and name in extras

    def _place(self, argument: Argument) -> Place:
        return self._source.path, argument["line"], argument["column"]


def _pascal_case(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
