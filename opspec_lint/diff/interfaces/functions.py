"""Comparison of two Python functions in saved models: whether calls of base's traces still find a trace in head.

A restored function never makes a new trace. TensorFlow dispatches a call like this (`saved_model.load`,
tensorflow/python/saved_model/function_deserialization.py): it binds the arguments to the parameters, with default
values, and runs the first trace that fits. A trace fits if the structures are the same, tensors have its dtype and a
shape that it accepts, and Python values are equal (so that True is 1). If no trace fits, it tries again with values and
arrays converted to tensors.

So each trace of base becomes a call. It is compared with the trace of head that has equal arguments, or else accepts
all such calls, or else differs in the fewest tensors.
"""

from __future__ import annotations

from opspec_lint.diff.interfaces import parameters, results
from opspec_lint.diff.interfaces.facts import DeclarationPair
from opspec_lint.diff.interfaces.tensors import compare_input
from opspec_lint.spec.interface import traces
from opspec_lint.spec.interface.shapes import accepts_shape, compare_shapes, converts_to_dtype
from opspec_lint.spec.interface.types import CompositeType, GroupType, TensorType, UnknownType, ValueType, children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.diff.interfaces.callers import Loaders
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.traces import Trace
    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Op

_MOST_TRACES = 400
"""The most traces that are compared one by one; a function with more has another fault."""


def compare(functions: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    """Yield every difference between two functions; differences that several traces have are stated once."""
    old, new = functions.old, functions.new
    names = parameters.find_renames(old, new)
    yield from parameters.compare(functions, names)
    before, after = _fully_typed(traces.traces_of(old)), _fully_typed(traces.traces_of(new))
    seen = set()
    facts = _TraceComparison(old, new, names, loads).facts(before[:_MOST_TRACES], after[:_MOST_TRACES])
    for fact in (*facts, *_compare_excess_traces(functions, before, after)):
        key = fact.event, fact.name, fact.old, fact.new
        if key not in seen:
            seen.add(key)
            yield fact


def _fully_typed(all_traces: Sequence[Trace]) -> list[Trace]:
    """Return the traces whose arguments all have a known type."""
    return [trace for trace in all_traces if UnknownType() not in trace.arguments.values()]


def _compare_excess_traces(pair: DeclarationPair, before: Sequence[Trace], after: Sequence[Trace]) -> Iterator[Fact]:
    """Yield the traces beyond the first `_MOST_TRACES` that the other side lacks in exactly this form."""
    old, new = ({(trace.text, str(trace.result)) for trace in side} for side in (before, after))
    for trace in before[_MOST_TRACES:]:
        if (trace.text, str(trace.result)) not in new:
            yield pair.fact("trace_removed", "attr", trace.text, str(trace.result))
    for trace in after[_MOST_TRACES:]:
        if (trace.text, str(trace.result)) not in old:
            yield pair.fact("trace_added", "attr", trace.text, None, str(trace.result), callers=())


class _TraceComparison:
    """A comparison of the traces of a function in base and head.

    Args:
        old: the function of base.
        new: the function of head.
        names: the new names of renamed parameters.
        loads: the runtimes that may load head's model.
    """

    def __init__(self, old: Op, new: Op, names: Mapping[str, str], loads: Loaders) -> None:
        self._old = old
        self._new = new
        self._names = names
        self._loads = loads
        self._defaults, self._old_defaults = _types_of_defaults(new), _types_of_defaults(old)
        remaining = {parameter.name for parameter in new.inputs}
        old_names = [parameter.name for parameter in old.inputs]
        self._removed_parameters = {name for name in old_names if names.get(name, name) not in remaining}

    def facts(self, before: Sequence[Trace], after: Sequence[Trace]) -> Iterator[Fact]:
        """Yield the differences of base's traces from head's, then head's additional traces.

        A trace of base is compared with its counterpart in head: one with equal arguments, or one that accepts all its
        calls, or else the nearest one.
        """
        used_texts = set()
        calls_of_traces = [(trace, call) for trace in before if (call := self._bind_to_head(trace)) is not None]
        calls = [call for _, call in calls_of_traces]
        for trace, call in calls_of_traces:
            with_equal_arguments = (candidate for candidate in after if self._has_equal_arguments(call, candidate))
            accepting = (candidate for candidate in after if self._accepts_all_calls(call, candidate))
            counterpart = next(with_equal_arguments, None) or next(accepting, None) or self._nearest_trace(call, after)
            if counterpart is None:
                yield DeclarationPair(self._old, self._new, trace).fact(
                    "trace_removed", "attr", trace.text, str(trace.result)
                )
                continue
            used_texts.add(counterpart.text)
            pair = DeclarationPair(self._old, self._new, trace, counterpart)
            base_has_it = any(self._has_equal_arguments(candidate, counterpart) for candidate in calls)
            # If base had this trace as well, old calls that fit it are compared with it already.
            if not (base_has_it and self._accepts_all_calls(call, counterpart)):
                yield from self._compare_arguments(pair, call, counterpart)
            yield from results.compare(pair, trace.result, counterpart.result)
        for trace in after:
            if trace.text not in used_texts and not any(self._has_equal_arguments(call, trace) for call in calls):
                yield from self._added_trace_fact(trace, calls)

    def _bind_to_head(self, trace: Trace) -> dict[str, Type] | None:
        """Return the arguments for head's parameters in a call of base's trace; None if it passes a removed one."""
        # A call that omits a removed parameter gives it the default value, and needs no such parameter in head.
        removed = self._removed_parameters
        if any(self._old_defaults.get(name) != type_ for name, type_ in trace.arguments.items() if name in removed):
            return None
        call = {self._names.get(name, name): type_ for name, type_ in trace.arguments.items() if name not in removed}
        added = (name for name, type_ in self._defaults.items() if name not in call and type_ != UnknownType())
        return call | {name: self._defaults[name] for name in added}

    def _accepts_all_calls(self, call: Mapping[str, Type], trace: Trace) -> bool:
        """Return whether a trace accepts every call with some types; new required parameters are facts elsewhere."""
        return call.keys() <= trace.arguments.keys() and all(
            self._accepts_type(type_, trace.arguments[name]) for name, type_ in call.items()
        )

    def _accepts_type(self, old: Type, new: Type) -> bool:
        """Return whether an argument of type `new` accepts every value of type `old`."""
        if isinstance(old, TensorType) and isinstance(new, TensorType):
            return old.dtype == new.dtype and accepts_shape(old.shape, new.shape)
        if isinstance(old, ValueType):
            return _equal_values(old, new) if isinstance(new, ValueType) else _becomes_tensor(old, new)
        if isinstance(old, GroupType) and isinstance(new, GroupType):
            return self._same_structure(old, new) and all(
                self._accepts_type(old_part, new_part)
                for (_, old_part), (_, new_part) in zip(old.items, new.items, strict=True)
            )
        if (
            isinstance(old, CompositeType)
            and isinstance(new, CompositeType)
            and old.type_name == new.type_name
            and old.parts
        ):
            old_part, new_part = (self._loads.checked_type(part) if part.parts else part for part in (old, new))
            return bool(new.parts) and self._accepts_type(old_part, new_part) and old.parts[1:] == new.parts[1:]
        return old == new

    def _same_structure(self, old: GroupType, new: GroupType) -> bool:
        """Return whether two groups have the same structure; an old TensorFlow accepts a list for a tuple."""
        sequences = {"tuple", "list"}
        is_same = old.kind == new.kind or (self._loads.skips_shape_checks and {old.kind, new.kind} == sequences)
        return is_same and [key for key, _ in old.items] == [key for key, _ in new.items]

    def _nearest_trace(self, call: Mapping[str, Type], after: Sequence[Trace]) -> Trace | None:
        """Return head's trace that differs from a call in the fewest tensors, and in no Python value; or None."""
        # The number of differing tensors, then the place: traces themselves cannot be compared.
        candidates: list[tuple[int, int, Trace]] = []
        for trace in after:
            accepted = trace.arguments
            if call.keys() <= accepted.keys() and all(
                _may_be_near(type_, accepted[name]) for name, type_ in call.items()
            ):
                differing = sum(not self._accepts_type(type_, accepted[name]) for name, type_ in call.items())
                candidates.append((differing, len(candidates), trace))
        if not candidates:
            return None
        _, _, nearest = min(candidates)
        return nearest

    def _compare_arguments(self, pair: DeclarationPair, call: Mapping[str, Type], trace: Trace) -> Iterator[Fact]:
        """Yield the differences between a call and the arguments of a trace."""
        old_names = {new: old for old, new in self._names.items()}
        for name, type_ in call.items():
            yield from self._compare_argument(pair, old_names.get(name, name), type_, trace.arguments[name])

    def _compare_argument(self, pair: DeclarationPair, name: str, old: Type, new: Type) -> Iterator[Fact]:
        """Yield the differences between the old and the new type of an argument, or of its parts."""
        if isinstance(old, ValueType) and isinstance(new, TensorType) and _becomes_tensor(old, new):
            yield pair.fact("value_became_tensor", "input", name, str(old), str(new), callers=())
        elif isinstance(old, GroupType) and isinstance(new, GroupType) and self._same_structure(old, new):
            for (step, old_part), (_, new_part) in zip(children(old), children(new), strict=True):
                yield from self._compare_argument(pair, name + step, old_part, new_part)
        elif not (isinstance(old, ValueType) and isinstance(new, ValueType) and _equal_values(old, new)):
            yield from compare_input(pair, self._loads, name, old, new)

    def _has_equal_arguments(self, call: Mapping[str, Type], trace: Trace) -> bool:
        """Return whether a trace has exactly the types of a call; parameters that the call omits do not count."""
        accepted = trace.arguments
        return call.keys() <= accepted.keys() and all(accepted[name] == type_ for name, type_ in call.items())

    def _added_trace_fact(self, trace: Trace, calls: Sequence[Mapping[str, Type]]) -> Iterator[Fact]:
        """Yield that head has a new trace; "drawing" if it takes over calls that another trace got converted."""
        pair = DeclarationPair(self._old, self._new, None, trace)
        takes_converted = any(_differs_only_in_dtype(call, trace.arguments) for call in calls)
        event: EventId = "trace_added_drawing" if takes_converted else "trace_added"
        callers = None if takes_converted else ()
        yield pair.fact(event, "attr", trace.text, None, str(trace.result), callers=callers)


def _types_of_defaults(op: Op) -> dict[str, Type]:
    """Return the types that a call passes for omitted parameters, by name; unknown for one without a default."""
    return {parameter.name: traces.type_of_default(parameter.get("default") or "?") for parameter in op.inputs}


def _equal_values(old: ValueType, new: ValueType) -> bool:
    """Return whether two Python values are equal; values that cannot be parsed are compared as text."""
    return old.text == new.text or old.value == new.value


def _becomes_tensor(old: ValueType, new: Type) -> bool:
    """Return whether a Python value is converted to a tensor that a trace accepts."""
    return isinstance(new, TensorType) and converts_to_dtype(old.value, new.dtype) and accepts_shape((), new.shape)


def _may_be_near(old: Type, new: Type) -> bool:
    """Return whether two types may belong to the same argument of similar traces: all but different Python values."""
    if isinstance(old, ValueType) and isinstance(new, ValueType):
        return _equal_values(old, new)
    if isinstance(old, ValueType) or isinstance(new, ValueType):
        return _becomes_tensor(old, new) if isinstance(old, ValueType) else False
    return True


def _differs_only_in_dtype(call: Mapping[str, Type], accepted: Mapping[str, Type]) -> bool:
    """Return whether a trace accepts, without a conversion, what a call has with other dtypes."""
    if not call.keys() <= accepted.keys():
        return False
    pairs = [(type_, accepted[name]) for name, type_ in call.items() if type_ != accepted[name]]
    return bool(pairs) and all(
        isinstance(a, TensorType)
        and isinstance(b, TensorType)
        and a.dtype != b.dtype
        and compare_shapes(a.shape, b.shape) == "same"
        for a, b in pairs
    )
