"""From the ops of a release that saved a `.pdmodel` to the PIR ops of a release that translates it.

Each op of base is looked at as base saves it: with every attr that is not extra, with every input that is not
dispensable, and with every output that is neither extra nor dispensable. Backward ops are left out: a model that was
saved for inference has none.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs.attrs import Attr as Given
from opspec_lint.frameworks.paddle.translation import attr_types, names
from opspec_lint.frameworks.paddle.translation.node_check import NodeCheck
from opspec_lint.lint.circumstances import Circumstance
from opspec_lint.lint.crossing import Crossing
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.models.fault import Fault
    from opspec_lint.spec.model import Argument, Attr, Op, Origin, Spec

_EVENTS = {
    "model_op_unknown": "translation_op_missing",
    "model_attr_missing": "translation_attr_absent",
    "model_attr_filled": "translation_attr_filled",
    "model_attr_type": "translation_attr_type",
    "model_input_missing": "translation_input_absent",
    "model_output_missing": "translation_output_absent",
    "model_not_judged": "translation_not_told",
}


_BACKWARD = "_grad"


def compare(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Circumstance]:
    """Yield what becomes of each op of base."""
    known, version = names.of(head), attr_types.version_of(head)
    every = op_table.names(base.ops)
    for name in sorted(every if only is None else every & set(only)):
        if only is None and _BACKWARD in name:
            continue
        op = base.ops[name]
        check = NodeCheck(
            op.name,
            {each.name: ("x",) for each in op.inputs if _is_saved(each)},
            {each.name: ("y",) for each in op.outputs if _is_saved(each)},
            {each.name: _given(each) for each in op.attrs if each.extra is not True},
            (known, version),
        )
        for fault in check.faults():
            yield _fact(fault, op, None if check.target is None else check.target.origin)


def _is_saved(argument: Argument) -> bool:
    return argument.extra is not True and argument.dispensable is not True


def _given(attr: Attr) -> Given:
    return Given(name=attr.name, type=str(attr.type), code=0)


def _fact(fault: Fault, op: Op, origin: Origin | None) -> Circumstance:
    own = next((each for each in (*op.attrs, *op.inputs, *op.outputs) if each.name == fault.name), op)
    return Circumstance(
        event=_EVENTS[fault.event],
        kind=fault.kind,
        op=op.name,
        name=fault.name,
        facts={"old": fault.old, "new": fault.new, **fault.facts},
        old=fault.old,
        new=fault.new,
        base_origin=own.origin,
        origin=origin,
    )


CROSSING = Crossing(base="paddle", head="paddle-pir", profile="paddle-translation", compare=compare)
