"""The arguments that the entries of Paddle's YAML files declare, by the rules of the generator of op makers."""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.cpp.expressions import NoNames, evaluate
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type, to_attr_value
from opspec_lint.frameworks.paddle.extract.declarations import Declarations
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, resolve_scalar
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.declarations import Flags, VariableSection
    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.extract.yaml.enum_values import Enums
    from opspec_lint.frameworks.paddle.extract.yaml.generator import MakerRules
    from opspec_lint.spec.records import Place

    class Argument(TypedDict):
        """An argument of an entry: its type and name, its default as written, and its place."""

        type: str
        name: str
        default: str | None
        line: int
        column: int


COMMA = pattern(r",(?![^{]*\})")
"""A comma between arguments, not inside of braces."""
OUTPUT = pattern(r"([a-zA-Z0-9_[\]]+)\s*(\([a-zA-Z0-9_@]+\))?\s*(\{[^\}]+\})?")
"""An output: type, name in parentheses, size in braces."""
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
_QUOTED_TYPES = ("Scalar(double)", "std::string")
"""The type in YAML and the C++ type of an attr whose default some generators write in quotes."""
_BATCH_NORMS = frozenset({"sparse_batch_norm", "sparse_sync_batch_norm"})


def entry_name(entry: YamlEntry) -> str:
    """Return the name of an entry as written; "" if it has none."""
    # A loop and no generator: each entry is asked for its name about ten times.
    for key in _NAMES:
        if key in entry:
            name = entry[key]
            return str(name) if isinstance(name, Scalar) else ""
    return ""


def required_text(entry: YamlEntry, key: str) -> Scalar:
    """Return the text under a key of an entry.

    Raises UnresolvedError if there is no text.
    """
    value = entry.get(key)
    if not isinstance(value, Scalar):
        raise UnresolvedError(f"its {key} is missing, or is not a string")
    return value


def listed_names(entry: YamlEntry, key: str) -> frozenset[str]:
    """Return the names that an entry lists under a key; none if it lacks the key.

    Raises UnresolvedError if the value is no text.
    """
    if key not in entry:
        return frozenset()
    return frozenset(part.strip() for part in COMMA.split(required_text(entry, key).strip()))


def is_input(kind: str) -> bool:
    """Return whether an argument of a type in YAML is an input."""
    return kind in _INPUTS


def is_self_contained(entry: YamlEntry) -> bool:
    """Return whether an entry describes its op itself, and does not only delegate to others (`invoke`, `composite`)."""
    return "invoke" not in entry and not ("composite" in entry and "kernel" not in entry)


def makes_op(entry: YamlEntry) -> bool:
    """Return whether the generator makes an op of an entry."""
    return is_self_contained(entry) and "kernel" in entry and "infer_meta" in entry


def read_declarations(  # noqa: PLR0913 - an entry and its context
    entry: YamlEntry, compat: YamlEntry | None, rules: MakerRules, enums: Enums, source: YamlSource, *, op: str
) -> Declarations:
    """Return the arguments that an entry declares.

    `compat` is its entry of op_compat.yaml, and `op` its name in programs. Raises UnresolvedError for an entry that
    cannot be evaluated.
    """
    try:
        return _EntryReader(entry, compat or {}, rules, enums, source, op).all()
    except UnresolvedError as error:
        raise error.at(source.path, entry.line) from None


class YamlSource:
    """A YAML file: its path, and the lines and columns of offsets."""

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
        """Return the place of an offset: file, line and column."""
        return self.path, *self.place(offset)

    def at_line(self, offset: int) -> Place:
        """Return the place of an offset, without a column."""
        return self.path, self.place(offset)[0], None

    def find(self, name: str, start: int, end: int) -> tuple[int, int]:
        """Return the line and column of a name between two offsets; of `start` if it does not occur there."""
        return self.place(next(occurrences(self.text, name, start, end), start))


def parse_arguments(entry: YamlEntry, source: YamlSource) -> list[Argument]:
    """Parse the arguments of an entry: `(Tensor x, float eps = 1e-5)`.

    Raises UnresolvedError for another form.
    """
    written = required_text(entry, "args")
    text = written.strip()
    if not (text.startswith("(") and text.endswith(")")):
        raise UnresolvedError("its args are not in parentheses")
    arguments: list[Argument] = []
    for part in COMMA.split(text[1:-1].strip()):
        type_and_name = part.strip().split(" ", 1)
        if type_and_name == [""] and not arguments:
            break  # `()`
        # The generator asserts the same in parse_arg (parse_utils.py).
        if len(type_and_name) != 2 or type_and_name[1].count("=") > 1:
            raise UnresolvedError(f"the argument {part.strip()!r} is not of the form TYPE NAME = DEFAULT")
        name, _, default = (part_of_argument.strip() for part_of_argument in type_and_name[1].partition("="))
        line, column = source.find(name, written.start, written.end)
        kind = type_and_name[0].strip()
        arguments.append({"type": kind, "name": name, "default": default or None, "line": line, "column": column})
    return arguments


def parse_outputs(entry: YamlEntry, source: YamlSource) -> list[Argument]:
    """Parse the outputs of an entry: `Tensor(out), Tensor[](grads){x.size()}`.

    Raises UnresolvedError for another form.
    """
    if resolve_scalar(entry.get("output")) is None:
        return []
    written = required_text(entry, "output")
    outputs: list[Argument] = []
    for part in COMMA.split(written.strip()):
        match = OUTPUT.search(part)
        if match is None or match[1] not in _OUTPUTS:
            raise UnresolvedError(f"the output {part.strip()!r} is not of the form TYPE(NAME)")
        name = match[2][1:-1] if match[2] else "out"
        line, column = source.find(name, written.start, written.end)
        outputs.append({"type": match[1], "name": name, "default": None, "line": line, "column": column})
    return outputs


class _EntryReader:
    """The reading of one entry: its arguments under the names and with the flags that the maker will have."""

    def __init__(  # noqa: PLR0913, PLR0917 - an entry and its context
        self, entry: YamlEntry, compat: Mapping[str, Any], rules: MakerRules, enums: Enums, source: YamlSource, op: str
    ) -> None:
        self._entry = entry
        self._compat = compat
        self._rules = rules
        self._enums = enums
        self._source = source
        self._op = op
        self._declarations = Declarations()

    def all(self) -> Declarations:
        """Return the declarations in the order of the generator: inputs, attrs, outputs."""
        rules = self._rules
        inputs, attrs = self._arguments()
        outputs = parse_outputs(self._entry, self._source)
        for argument in inputs:
            self._add_variable("inputs", argument, as_grad=rules.grad_inputs)
        kernel = self._entry.get("kernel")
        kernel_params = kernel.get("param") if isinstance(kernel, dict) else None
        for argument in attrs:
            if rules.keeps_all_attrs or kernel_params is None or argument["name"] in kernel_params:
                self._add_attr(argument)
        for argument in outputs:
            self._add_variable("outputs", argument, as_grad=rules.grad_outputs)
        return self._declarations

    def _arguments(self) -> tuple[list[Argument], list[Argument]]:
        """Return the inputs and the attrs among the arguments."""
        inputs: list[Argument] = []
        attrs: list[Argument] = []
        for argument in parse_arguments(self._entry, self._source):
            if argument["type"] in _INPUTS:
                inputs.append(argument)
            elif argument["type"] in self._rules.types:
                attrs.append(argument)
            else:
                raise UnresolvedError(f"the type {argument['type']} of the argument {argument['name']!r} is not known")
        return inputs, attrs

    def _name_in_programs(self, section: str, name: str) -> str:
        """Return the name of an argument in programs, as op_compat.yaml renames it."""
        # generate_sparse_op.py renames the attr of exactly these ops since 2024.
        is_layout = section == "attrs" and name == "data_format" and self._op in _BATCH_NORMS
        return str(
            self._mapping(section).get(name, "data_layout" if is_layout and self._rules.sparse_renames else name)
        )

    def _add_attr(self, argument: Argument) -> None:
        """Add an attr, and the inputs that may replace it when a model computes its value."""
        kind = argument["type"]
        config = self._config(argument, kind)
        # With support_tensor, a tensor takes the place of the value in the attr itself, and no input replaces it.
        support_tensor = (
            config is not None and self._rules.support_tensor and bool(resolve_scalar(config.get("support_tensor")))
        )
        if not support_tensor:
            self._add_replacing_inputs(argument, config)
        cpp_type = self._cpp_type(kind, config)
        attr_type_name = attr_type(cpp_type)
        if attr_type_name is None:
            raise UnresolvedError(f"the type {cpp_type or kind} of the attr {argument['name']!r} is not known")
        name = self._name_in_programs("attrs", argument["name"])
        default = argument["default"]
        if default is not None and config is not None and (kind, cpp_type) == _QUOTED_TYPES and self._rules.quotes:
            default = f'"{default}"'
        value = None if default is None else self._default(default, kind, name, attr_type_name, argument["line"])
        flags = (("support_tensor", support_tensor),)
        self._declarations.add_attr(name, attr_type_name, self._place(argument), value, flags=flags)

    def _cpp_type(self, kind: str, config: Mapping[str, Any] | None) -> str:
        """Return the C++ type of an attr; "" for an IntArray whose items have a type that is not known."""
        cpp_type = self._rules.types[kind]
        if config is not None and kind.startswith("Scalar"):
            return str(config.get("data_type", _SCALARS.get(kind, cpp_type)))
        if config is not None and kind == "IntArray":
            return _VECTORS.get(str(config.get("data_type", "int64_t")), "")
        return cpp_type

    def _add_replacing_inputs(self, argument: Argument, config: Mapping[str, Any] | None) -> None:
        """Add the inputs that may replace a Scalar or an IntArray; none for another attr.

        The generator adds the input for a Scalar in any case, the inputs for an IntArray if its settings name them.
        """
        is_array = argument["type"] == "IntArray"
        if argument["type"].startswith("Scalar") or (is_array and (config is None or "tensor_name" in config)):
            self._add_replacing_input(argument, config, "tensor_name", "Tensor")
        if is_array and (config is None or "tensors_name" in config):
            self._add_replacing_input(argument, config, "tensors_name", "TensorList", is_list=True)

    def _config(self, argument: Argument, kind: str) -> Mapping[str, Any] | None:
        """Return the settings of a Scalar or IntArray in op_compat.yaml; None if it has none."""
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

    def _add_replacing_input(
        self, argument: Argument, config: Mapping[str, Any] | None, key: str, suffix: str, *, is_list: bool = False
    ) -> None:
        """Add the input that may replace an attr: of the name under `key`, or else of the attr's and `suffix`."""
        configured_name = config.get(key) if config is not None else None
        if configured_name is None and config is not None and self._rules.needs_tensor_name and key == "tensor_name":
            name = argument["name"]
            raise UnresolvedError(f"op_compat.yaml has no tensor_name for {name!r}, which the generator needs")
        base_name = argument["name"] if self._rules.scalars else self._name_in_programs("attrs", argument["name"])
        name = str(configured_name) if configured_name is not None else _pascal_case(base_name) + suffix
        flags = (("duplicable", is_list), ("dispensable", True))
        self._declarations.add_variable("inputs", name, self._place(argument), flags)

    def _default(self, text: str, kind: str, name: str, attr_type_name: str, line: int) -> Any:
        """Return the default of an attr as a plain value of its type."""
        try:
            if kind == "DataType":
                return self._enums.data_type(text)
            if kind == "DataLayout":
                return self._enums.layout(text)
            if kind == "Place":
                return self._enums.place(text)
            tokens = tokenize(text, 0, len(text))
            return to_attr_value(evaluate(tokens, 0, len(tokens), NoNames()), attr_type_name)
        except UnresolvedError as error:
            raise UnresolvedError(
                f"the default {text} of {name!r} is unknown: {error.reason}", self._source.path, line
            ) from None

    def _mapping(self, key: str) -> Mapping[str, Any]:
        """Return a mapping of the entry of op_compat.yaml; empty if there is none."""
        value = self._compat.get(key)
        return value if isinstance(value, dict) else {}

    def _add_variable(self, section: VariableSection, argument: Argument, *, as_grad: bool) -> None:
        """Add an input or output under the name that the generator gives it."""
        name = self._name_in_programs(section, argument["name"])
        is_grad = as_grad and name.endswith("_grad")
        name = name[:-5] if is_grad else name
        if as_grad and self._rules.pascal_case:
            name = _pascal_case(name)
        name = f"{name}@GRAD" if is_grad else name
        self._declarations.add_variable(section, name, self._place(argument), self._flags(section, argument))

    def _flags(self, section: VariableSection, argument: Argument) -> Flags:
        """Yield the flags of an input or output."""
        rules, name = self._rules, argument["name"]
        is_output = section == "outputs"
        extra = self._compat.get("extra")
        extras = (extra.get(section) if isinstance(extra, dict) else None) or ()
        yield "duplicable", argument["type"].endswith("[]")
        yield "dispensable", (rules.optional_outputs or not is_output) and name in listed_names(self._entry, "optional")
        yield "intermediate", is_output and name in listed_names(self._entry, "intermediate")
        yield "extra", (rules.extra_outputs if is_output else rules.extra_inputs) and name in extras

    def _place(self, argument: Argument) -> Place:
        """Return the place of an argument in its entry."""
        return self._source.path, argument["line"], argument["column"]


def _pascal_case(name: str) -> str:
    """Convert a name to PascalCase: `start_axis` to `StartAxis`."""
    return "".join(part.capitalize() for part in name.split("_"))
