"""A program checked against the ops of a release, block by block."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.backward import forward_of
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

_OF_1_8 = ATTR_TYPES.index("LONGS")
"""The last type of attrs that all releases from 1.8 on know."""
_KNOWS_ALL = [2, 5]
"""The release from which on all types of attrs are known."""
_VARIABLES_OF_1_8 = 21
"""The last type of variables that 1.8 knows; a release that knows newer attr types knows these all."""
_EMPTY = b"@EMPTY@"
"""The argument that stands for none."""


class ProgramCheck:
    """The check of one program.

    Args:
        program: the ProgramDesc.
        spec: the spec of the release that loads it.
        saver: the release that saved it.
        effect: what a fault of a node leads to.
        converted: the types that are taken for an attr of a type.
    """

    def __init__(
        self,
        program: Any,
        spec: Spec,
        saver: Saver,
        effect: Effect,
        *,
        converted: Mapping[str, tuple[str, ...]] = attrs.CONVERTED,
    ) -> None:
        self._converted = converted
        self._program = program
        self._spec = spec
        self._saver = saver
        self._effect: Effect = effect
        self._versions = {text(pair.op_name): pair.op_version.version for pair in program.op_version_map.pair}
        self._judged: dict[Any, list[Fact]] = {}
        self._newest = newest_type(spec)

    def faults(self) -> Iterator[Fact]:
        """Yield what is wrong with the program: first what keeps the release from parsing it at all."""
        blocks = self._program.blocks
        yield from self._parse_faults()
        for block in blocks:
            declared = self._declared(block)
            named = NamedVariables(self._spec, declared, self._effect)
            name = "" if block.idx == blocks[0].idx else f"block {block.idx}"
            for place, node in enumerate(block.ops):
                where = f"{text(node.type)}#{place}"
                for fault in (
                    *self._node_faults(node),
                    *self._undeclared(node, declared),
                    *named.faults(node),
                ):
                    yield fault.replace(graph=name, node=where)

    def _parse_faults(self) -> Iterator[Fact]:
        """Yield the types of variables and attrs that the protocol of the release does not have."""
        if self._newest >= len(ATTR_TYPES):
            return
        blocks = self._program.blocks
        newer: dict[tuple[bytes, ...], list[Given]] = {}
        for block in blocks:
            name = "" if block.idx == blocks[0].idx else f"block {block.idx}"
            yield from self._variable_faults(block, name)
            for place, node in enumerate(block.ops):
                op, entries = text(node.type), tuple(node.attrs)
                if entries not in newer:
                    newer[entries] = [attr for attr in attrs.read(entries).values() if self._is_newer(attr)]
                for attr in newer[entries]:
                    fault = _unparsed(f"the attr '{attr.name}' of '{op}' has the type {attr.type}", attr.name)
                    yield fault.replace(op=op, graph=name, node=f"{op}#{place}")

    def _is_newer(self, attr: Given) -> bool:
        """Tell whether the protocol of the release lacks the type of an attr."""
        return attr.code > max(self._newest, _OF_1_8)

    def _declared(self, block: Any) -> dict[bytes, Any]:
        """Return the variables that a block and those around it declare, by name."""
        by_index = {each.idx: each for each in self._program.blocks}
        found: dict[bytes, Any] = {}
        seen: set[int] = set()
        at: Any = block
        while at is not None and at.idx not in seen:
            seen.add(at.idx)
            found = {variable.name: variable for variable in at.vars} | found
            at = by_index.get(at.parent_idx)
        return found

    def _variable_faults(self, block: Any, graph: str) -> Iterator[Fact]:
        if self._newest > _OF_1_8:
            return
        for variable in block.vars:
            of_elements = variable.type.lod_tensor.tensor.data_type
            code = max(variable.type.type, of_elements, variable.type.selected_rows.data_type)
            if code > _VARIABLES_OF_1_8:
                problem = f"the variable '{text(variable.name)}' has the type {code}"
                yield _unparsed(problem, text(variable.name)).replace(graph=graph)

    def _node_faults(self, node: Any) -> list[Fact]:
        inputs, outputs = _given(node.inputs), _given(node.outputs)
        entries = tuple(node.attrs)
        key = node.type, tuple(inputs.items()), tuple(outputs.items()), entries
        if key not in self._judged:
            self._judged[key] = list(self._judge(text(node.type), inputs, outputs, entries))
        return self._judged[key]

    def _judge(
        self, op: str, inputs: dict[str, bool], outputs: dict[str, bool], entries: tuple[bytes, ...]
    ) -> Iterator[Fact]:
        given = attrs.read(entries)
        if any(map(self._is_newer, given.values())):
            return  # the file cannot be parsed
        declared = self._spec.ops.get(op)
        if declared is None:
            yield from self._undeclared_op(op)
            return
        version = self._versions.get(op)
        check = NodeCheck(declared, self._spec, self._saver, version, self._effect, converted=self._converted)
        yield from check.faults(inputs, outputs, given)

    def _undeclared_op(self, op: str) -> Iterator[Fact]:
        forward = forward_of(op)
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

    def _undeclared(self, node: Any, declared: Mapping[bytes, Any]) -> Iterator[Fact]:
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


def _given(parameters: Any) -> dict[str, bool]:
    return {text(each.parameter): any(name != _EMPTY for name in each.arguments) for each in parameters}


_newest: dict[int, tuple[Spec, int]] = {}
"""What was found of a spec, which many models are checked against."""
_AT_MOST = 64


def newest_type(spec: Spec) -> int:
    """Return the greatest code of the attr types that a release can parse: all since 2.5, else those of its ops."""
    found = _newest.get(id(spec))
    if found is None or found[0] is not spec:
        if len(_newest) >= _AT_MOST:
            _newest.clear()
        found = _newest[id(spec)] = spec, _newest_type(spec)
    return found[1]


def _newest_type(spec: Spec) -> int:
    release = [(numbers(part) or (0,))[0] for part in (spec.provenance.version or "0").split(".")]
    if release >= _KNOWS_ALL:
        return len(ATTR_TYPES)
    known = {attr.type for op in spec.ops.values() for attr in op.attrs}
    return max((ATTR_TYPES.index(str(name)) for name in known if name in ATTR_TYPES), default=len(ATTR_TYPES))


def is_parsed(attr_type: str, spec: Spec) -> bool:
    """Tell whether a release can parse a program with an attr of a type, whether or not its op has the attr."""
    return attr_type not in ATTR_TYPES or ATTR_TYPES.index(attr_type) <= max(newest_type(spec), _OF_1_8)


def _unparsed(problem: str, name: str) -> Fact:
    return model_fault("model_type_unknown", name, "refused", "parse", problem=problem)
