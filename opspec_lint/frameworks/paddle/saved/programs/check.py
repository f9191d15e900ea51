"""The check of a program against the ops of a release, block by block."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.backward import forward_op
from opspec_lint.frameworks.paddle.saved.programs.messages import text
from opspec_lint.frameworks.paddle.saved.programs.named_variables import NamedVariables
from opspec_lint.frameworks.paddle.saved.programs.node_check import NodeCheck
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.kit.version import numbers
from opspec_lint.models.fault import model_fault, new_fault, op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
    from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Spec

_LAST_ATTR_TYPE_OF_1_8 = ATTR_TYPES.index("LONGS")
"""The last attr type of 1.8, which every later release knows as well."""
_ALL_TYPES_SINCE = [2, 5]
"""The release since which all attr types are known."""
_LAST_VARIABLE_TYPE_OF_1_8 = 21
"""The last variable type that 1.8 knows; a release that knows newer attr types knows all variable types."""
_EMPTY = b"@EMPTY@"
"""The argument that means none."""


class ProgramCheck:
    """The check of one program.

    `spec` is the release that loads it, `saver` the release that saved it, `effect` the effect of a fault of a node,
    and `accepted_types` the types that the loader converts to the declared type.
    """

    def __init__(
        self,
        program: Any,
        spec: Spec,
        saver: Saver,
        effect: Effect,
        *,
        accepted_types: Mapping[str, tuple[str, ...]] = attrs.ACCEPTED_TYPES,
    ) -> None:
        self._accepted_types = accepted_types
        self._program = program
        self._spec = spec
        self._saver = saver
        self._effect: Effect = effect
        self._versions = {text(pair.op_name): pair.op_version.version for pair in program.op_version_map.pair}
        self._faults_by_node: dict[Any, list[Fact]] = {}
        self._newest_type_code = newest_type(spec)

    def faults(self) -> Iterator[Fact]:
        """Yield the faults of the program: first those for which the release cannot parse it."""
        blocks = self._program.blocks
        yield from self._parse_faults()
        for block in blocks:
            declared = self._visible_variables(block)
            named_variables = NamedVariables(self._spec, declared, self._effect)
            name = "" if block.idx == blocks[0].idx else f"block {block.idx}"
            for index, node in enumerate(block.ops):
                node_name = f"{text(node.type)}#{index}"
                for fault in (
                    *self._node_faults(node),
                    *self._undeclared_variables(node, declared),
                    *named_variables.faults(node),
                ):
                    yield fault.replace(graph=name, node=node_name)

    def _parse_faults(self) -> Iterator[Fact]:
        """Yield the types of variables and attrs that the release's protobuf schema lacks."""
        if self._newest_type_code >= len(ATTR_TYPES):
            return
        blocks = self._program.blocks
        attrs_of_unknown_type: dict[tuple[bytes, ...], list[Given]] = {}
        for block in blocks:
            name = "" if block.idx == blocks[0].idx else f"block {block.idx}"
            yield from self._variable_faults(block, name)
            for index, node in enumerate(block.ops):
                op, entries = text(node.type), tuple(node.attrs)
                if entries not in attrs_of_unknown_type:
                    attrs_of_unknown_type[entries] = [
                        attr for attr in attrs.read(entries).values() if self._is_type_unknown(attr)
                    ]
                for attr in attrs_of_unknown_type[entries]:
                    fault = _unparsed_fault(f"the attr '{attr.name}' of '{op}' has the type {attr.type}", attr.name)
                    yield fault.replace(op=op, graph=name, node=f"{op}#{index}")

    def _is_type_unknown(self, attr: Given) -> bool:
        """Return whether the protobuf schema of the release lacks the type of an attr."""
        return attr.code > max(self._newest_type_code, _LAST_ATTR_TYPE_OF_1_8)

    def _visible_variables(self, block: Any) -> dict[bytes, Any]:
        """Return the variables of a block and of the blocks around it, by name."""
        by_index = {any_block.idx: any_block for any_block in self._program.blocks}
        variables: dict[bytes, Any] = {}
        seen: set[int] = set()
        current: Any = block
        while current is not None and current.idx not in seen:
            seen.add(current.idx)
            variables = {variable.name: variable for variable in current.vars} | variables
            current = by_index.get(current.parent_idx)
        return variables

    def _variable_faults(self, block: Any, graph: str) -> Iterator[Fact]:
        """Yield the types of variables that the release cannot parse."""
        if self._newest_type_code > _LAST_ATTR_TYPE_OF_1_8:
            return
        for variable in block.vars:
            element_type = variable.type.lod_tensor.tensor.data_type
            code = max(variable.type.type, element_type, variable.type.selected_rows.data_type)
            if code > _LAST_VARIABLE_TYPE_OF_1_8:
                problem = f"the variable '{text(variable.name)}' has the type {code}"
                yield _unparsed_fault(problem, text(variable.name)).replace(graph=graph)

    def _node_faults(self, node: Any) -> list[Fact]:
        """Return the faults of a node; equal nodes are checked once."""
        inputs, outputs = _arguments_given(node.inputs), _arguments_given(node.outputs)
        entries = tuple(node.attrs)
        # Repeated layers have equal nodes, which are checked once.
        key = node.type, tuple(inputs.items()), tuple(outputs.items()), entries
        if key not in self._faults_by_node:
            self._faults_by_node[key] = list(self._check_node(text(node.type), inputs, outputs, entries))
        return self._faults_by_node[key]

    def _check_node(
        self, op: str, inputs: dict[str, bool], outputs: dict[str, bool], entries: tuple[bytes, ...]
    ) -> Iterator[Fact]:
        """Yield the faults of a node."""
        given = attrs.read(entries)
        if any(map(self._is_type_unknown, given.values())):
            # `_parse_faults` reports this: the release cannot parse the file.
            return
        declared = self._spec.ops.get(op)
        if declared is None:
            yield from self._undeclared_op_faults(op)
            return
        version = self._versions.get(op)
        check = NodeCheck(declared, self._spec, self._saver, version, self._effect, accepted_types=self._accepted_types)
        yield from check.faults(inputs, outputs, given)

    def _undeclared_op_faults(self, op: str) -> Iterator[Fact]:
        """Yield the fault of an op that the release does not declare; gradients are judged by their forward op."""
        forward = forward_op(op)
        if forward is None:
            yield new_fault(
                event="model_op_unknown", kind="op", op=op, name=op, effect=self._effect, reason="unknown_op"
            )
        elif forward not in self._spec.ops:
            facts = {
                "problem": f"'{op}' is a gradient, which no spec of Paddle has, and the release has no '{forward}'",
                "remedy": "load the model with the release itself, or export it for inference",
            }
            yield new_fault(event="model_not_judged", kind="op", op=op, name=op, effect="cannot_tell", facts=facts)

    def _undeclared_variables(self, node: Any, declared: Mapping[bytes, Any]) -> Iterator[Fact]:
        """Yield a fault for each input that names a variable which no block declares."""
        for parameter in node.inputs:
            for argument in parameter.arguments:
                if argument not in declared and argument != _EMPTY:
                    yield op_fault(
                        "model_input_missing",
                        text(node.type),
                        self._effect,
                        "input_missing",
                        kind="input",
                        name=text(parameter.parameter),
                        problem=f"names the variable '{text(argument)}', which no block declares",
                    )


def _arguments_given(parameters: Any) -> dict[str, bool]:
    """Return the parameters of a node, and whether each has an argument."""
    return {text(parameter.parameter): any(name != _EMPTY for name in parameter.arguments) for parameter in parameters}


_newest_types: dict[int, tuple[Spec, int]] = {}
"""The newest attr type of specs by their ids: many models are checked against the same spec."""
_MAX_CACHED = 64


def newest_type(spec: Spec) -> int:
    """Return the greatest code of the attr types that a release can parse: all since 2.5, else the types of its ops."""
    # The id of a spec that is gone may be reused, so the cache also compares the spec.
    cached = _newest_types.get(id(spec))
    if cached is None or cached[0] is not spec:
        if len(_newest_types) >= _MAX_CACHED:
            _newest_types.clear()
        cached = _newest_types[id(spec)] = spec, _compute_newest_type(spec)
    return cached[1]


def _compute_newest_type(spec: Spec) -> int:
    """Compute the code for `newest_type`."""
    # Part by part, so that 3.0.0b1 counts as 3.0.0: `numbers` refuses such a version as a whole.
    release = [(numbers(part) or (0,))[0] for part in (spec.provenance.version or "0").split(".")]
    if release >= _ALL_TYPES_SINCE:
        return len(ATTR_TYPES)
    known = {attr.type for op in spec.ops.values() for attr in op.attrs}
    return max((ATTR_TYPES.index(str(name)) for name in known if name in ATTR_TYPES), default=len(ATTR_TYPES))


def is_parsed(attr_type: str, spec: Spec) -> bool:
    """Return whether a release can parse programs with attrs of a type, whether or not the op has the attr."""
    return attr_type not in ATTR_TYPES or ATTR_TYPES.index(attr_type) <= max(newest_type(spec), _LAST_ATTR_TYPE_OF_1_8)


def _unparsed_fault(problem: str, name: str) -> Fact:
    """Return the fault of a program that the release cannot parse."""
    return model_fault("model_type_unknown", name, "refused", "parse", problem=problem)
