"""What the entries of Paddle's YAML files declare, by the rules of the generator that turns them into makers."""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.frameworks.paddle.source.attr_types import attr_type, converted
from opspec_lint.frameworks.paddle.source.cpp.expressions import NoNames, evaluate
from opspec_lint.frameworks.paddle.source.cpp.preprocessed import occurrences
from opspec_lint.frameworks.paddle.source.cpp.tokens import tokens
from opspec_lint.frameworks.paddle.source.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.source.declared import Declaration, Proto
from opspec_lint.frameworks.paddle.source.yaml.entries import Scalar, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.source.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.source.yaml.generator import Rules

COMMA = re.compile(r",(?![^{]*\})")
"""A comma between two arguments, and none between braces."""
OUTPUT = re.compile(r"([a-zA-Z0-9_[\]]+)\s*(\([a-zA-Z0-9_@]+\))?\s*(\{[^\}]+\})?")
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

    Args:
        types: the numbers of VarType.Type by name.
        find: returns the number of an enumerator of an enum class, None where there is none.
    """

    def __init__(self, types: Mapping[str, int], find: Callable[[str, str], int | None]) -> None:
        self._types = types
        self._find = find

    def data_type(self, text: str) -> int:
        """Return the number of `DataType::FLOAT32` in framework.proto."""
        name = text.rpartition("::")[2].strip()
        if name == "UNDEFINED":
            return -1
        number = self._types.get(_DATA_TYPES.get(name, name))
        if number is None:
            raise UnresolvedError(f"the data type {text} is not known")
        return number

    def layout(self, text: str) -> int:
        """Return the number of `DataLayout::NCHW`."""
        number = self._find("DataLayout", text.rpartition("::")[2].strip())
        if number is None:
            raise UnresolvedError(f"the layout {text} is not known")
        return number

    def place(self, text: str) -> int:
        """Return the number of the kind of place of `CPUPlace()`."""
        match = re.fullmatch(r"(?:\w+::)*(\w*)Place\(\)", text)
        name = match[1] if match else "" if text == "{}" else None
        number = None if name is None else self._find("AllocationType", name or "UNDEFINED")
        if number is None:
            raise UnresolvedError(f"the place {text} is not known")
        return number


class Argument:
    """An argument of an entry: its type and names, its default, and where it stands."""

    __slots__ = ("default", "name", "new_name", "place", "type")

    def __init__(self, kind: str, name: str, default: str | None, place: tuple[int, int]) -> None:
        self.type = kind
        self.name = self.new_name = name
        self.default = default
        self.place = place


def name_of(entry: YamlEntry) -> str:
    """Return the name of an entry as it is written, "" for one that has none."""
    name = next((entry[key] for key in _NAMES if key in entry), None)
    return str(name) if isinstance(name, Scalar) else ""


def text_of(entry: YamlEntry, key: str) -> Scalar:
    """Return what an entry has under a key, which has to be a text.

    Raises:
        UnresolvedError: it has nothing there, or no text.
    """
    value = entry.get(key)
    if not isinstance(value, Scalar):
        raise UnresolvedError(f"its {key} is missing, or is not a string")
    return value


def names_of(entry: YamlEntry, key: str) -> frozenset[str]:
    """Return the names that an entry lists under a key, none where it does not have the key.

    Raises:
        UnresolvedError: it has no text there.
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
) -> Proto:
    """Return what an entry declares.

    Args:
        entry: the entry.
        compat: the entry of op_compat.yaml that goes with it, None where there is none.
        rules: the rules of the generator.
        enums: the enums of defaults.
        source: the file of the entry.
        op: the name of the op in programs.

    Raises:
        UnresolvedError: it cannot be told.
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

    def find(self, name: str, start: int, end: int) -> tuple[int, int]:
        """Return the place of a name between two offsets, that of the first offset where it does not occur."""
        return self.place(next(occurrences(self.text, name, start, end), start))


def arguments_of(entry: YamlEntry, source: YamlSource) -> list[Argument]:
    """Return what an entry has as `args`: `(Tensor x, float eps = 1e-5)`.

    Raises:
        UnresolvedError: it is of another form.
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
        place = source.find(name, written.start, written.end)
        found.append(Argument(words[0].strip(), name, default or None, place))
    return found


def outputs_of(entry: YamlEntry, source: YamlSource) -> list[Argument]:
    """Return what an entry has as `output`: `Tensor(out), Tensor[](grads){x.size()}`.

    Raises:
        UnresolvedError: it is of another form.
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
        found.append(Argument(match[1], name, None, source.find(name, written.start, written.end)))
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

    def all(self) -> Proto:
        inputs, attrs = self._arguments()
        outputs = outputs_of(self._entry, self._source)
        optional = names_of(self._entry, "optional")
        intermediate = names_of(self._entry, "intermediate")
        for section, arguments in (("inputs", inputs), ("attrs", attrs), ("outputs", outputs)):
            names = self._mapping(section)
            for argument in arguments:
                argument.new_name = str(names.get(argument.name, argument.new_name))
        extra = self._compat.get("extra")
        extra = extra if isinstance(extra, dict) else {}
        found = Proto()
        for argument in inputs:
            item = self._variable(argument, as_grad=self._rules.grad_inputs)
            self._flag(item, "duplicable", argument.type.endswith("[]"))
            self._flag(item, "dispensable", argument.name in optional)
            self._flag(item, "extra", self._rules.extra_inputs and argument.name in (extra.get("inputs") or ()))
            found.inputs.append(item)
        for argument in outputs:
            item = self._variable(argument, as_grad=self._rules.grad_outputs)
            self._flag(item, "duplicable", argument.type.endswith("[]"))
            self._flag(item, "dispensable", self._rules.optional_outputs and argument.name in optional)
            self._flag(item, "intermediate", argument.name in intermediate)
            self._flag(item, "extra", self._rules.extra_outputs and argument.name in (extra.get("outputs") or ()))
            found.outputs.append(item)
        kernel = self._entry.get("kernel")
        taken = kernel.get("param") if isinstance(kernel, dict) else None
        for argument in attrs:
            if self._rules.keeps_all_attrs or taken is None or argument.name in taken:
                self._attr(argument, found)
        return found

    def _arguments(self) -> tuple[list[Argument], list[Argument]]:
        inputs: list[Argument] = []
        attrs: list[Argument] = []
        for argument in arguments_of(self._entry, self._source):
            if argument.type in _INPUTS:
                inputs.append(argument)
            elif argument.type in self._rules.types:
                attrs.append(argument)
            else:
                raise UnresolvedError(f"the type {argument.type} of the argument {argument.name!r} is not known")
        if self._op in _BATCH_NORMS and self._rules.sparse_renames:
            for attr in attrs:
                attr.new_name = "data_layout" if attr.name == "data_format" else attr.name
        return inputs, attrs

    def _attr(self, argument: Argument, found: Proto) -> None:
        kind = argument.type
        cpp = self._rules.types[kind]
        config = self._config(argument, kind)
        support_tensor = config is not None and self._rules.support_tensor and resolved(config.get("support_tensor"))
        default = argument.default
        if kind.startswith("Scalar"):
            if config is not None:
                cpp = str(config.get("data_type", _SCALARS.get(kind, cpp)))
                if kind == "Scalar(double)" and cpp == "std::string" and default is not None and self._rules.quotes:
                    default = f'"{default}"'
            if not support_tensor:
                self._companion(found, argument, config, "tensor_name", "Tensor")
        elif kind == "IntArray":
            if config is not None:
                cpp = _VECTORS.get(str(config.get("data_type", "int64_t")), "")
            if not support_tensor:
                if config is None or "tensor_name" in config:
                    self._companion(found, argument, config, "tensor_name", "Tensor")
                if config is None or "tensors_name" in config:
                    self._companion(found, argument, config, "tensors_name", "TensorList", duplicable=True)
        item = self._item(argument.new_name, argument.place)
        item.type = attr_type(cpp)
        if item.type is None:
            raise UnresolvedError(f"the type {cpp or kind} of the attr {argument.name!r} is not known")
        if default is not None:
            item.default = self._default(default, kind, item)
        self._flag(item, "support_tensor", support_tensor)
        found.attrs.append(item)

    def _config(self, argument: Argument, kind: str) -> Mapping[str, Any] | None:
        """Return what op_compat.yaml says of a Scalar or IntArray, None where it says nothing."""
        if kind.startswith("Scalar") and self._rules.scalars:
            section = "scalar"
        elif kind == "IntArray" and self._rules.int_arrays:
            section = "int_array"
        else:
            return None
        config = self._mapping(section).get(argument.name)
        if config is not None and not isinstance(config, dict):
            raise UnresolvedError(f"{section} of {argument.name!r} in op_compat.yaml is not a mapping")
        return config

    def _companion(  # noqa: PLR0913 - one input, and what names it
        self,
        found: Proto,
        argument: Argument,
        config: Mapping[str, Any] | None,
        key: str,
        suffix: str,
        *,
        duplicable: bool = False,
    ) -> None:
        """Add the input that may take the place of an attr."""
        own = config.get(key) if config is not None else None
        if own is None and config is not None and self._rules.needs_tensor_name and key == "tensor_name":
            raise UnresolvedError(f"op_compat.yaml has no tensor_name for {argument.name!r}, which the generator needs")
        written = argument.name if self._rules.scalars else argument.new_name
        name = str(own) if own is not None else _pascal_case(written) + suffix
        item = self._item(name, argument.place)
        item.flags.add("dispensable")
        self._flag(item, "duplicable", duplicable)
        found.inputs.append(item)

    def _default(self, text: str, kind: str, item: Declaration) -> Any:
        try:
            if kind == "DataType":
                return self._enums.data_type(text)
            if kind == "DataLayout":
                return self._enums.layout(text)
            if kind == "Place":
                return self._enums.place(text)
            words = tokens(text, 0, len(text))
            return converted(evaluate(words, 0, len(words), NoNames()), item.type or "")
        except UnresolvedError as error:
            raise UnresolvedError(
                f"the default {text} of {item.name!r} is unknown: {error.reason}", self._source.path, item.line
            ) from None

    def _mapping(self, key: str) -> Mapping[str, Any]:
        value = self._compat.get(key)
        return value if isinstance(value, dict) else {}

    def _variable(self, argument: Argument, *, as_grad: bool) -> Declaration:
        """Return an input or output, under the name that the generator gives it."""
        is_grad = as_grad and argument.new_name.endswith("_grad")
        name = argument.new_name[:-5] if is_grad else argument.new_name
        if as_grad and self._rules.pascal_case:
            name = _pascal_case(name)
        return self._item(f"{name}@GRAD" if is_grad else name, argument.place)

    def _item(self, name: str, place: tuple[int, int]) -> Declaration:
        return Declaration(name, self._source.path, *place)

    @staticmethod
    def _flag(item: Declaration, flag: str, holds: object) -> None:
        if holds:
            item.flags.add(flag)


def _pascal_case(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
