"""Compares two functions of Python, of which a call has to fit a trace: a restored function never makes a new one.

Dispatch is that of TensorFlow's `saved_model.load`: arguments are bound to the parameters, default values too. A trace
fits where the structures are the same, tensors have its dtype and a shape that it takes, and values of Python are equal
(so that True is 1). What no trace fits is tried again with values and arrays made tensors.
"""

from __future__ import annotations

from opspec_lint.diff.interfaces import parameters, results
from opspec_lint.diff.interfaces.facts import DeclarationPair
from opspec_lint.diff.interfaces.tensors import compare_input
from opspec_lint.spec.interface import traces
from opspec_lint.spec.interface.shapes import accepts_shape, compare_shapes, converts_to_dtype
from opspec_lint.spec.interface.types import Composite, Group, Tensor, UnknownType, Value, children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.diff.interfaces.callers import Loaders
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.traces import Trace
    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Op

_MOST = 400
"""Traces of a function that are compared one by one; with more, a function has another fault."""


def compare(whole: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    """Yield every fact that tells two functions apart."""
    old, new = whole.old, whole.new
    names = parameters.find_renames(old, new)
    yield from parameters.compare(whole, names)
    before, after = _known(traces.traces_of(old)), _known(traces.traces_of(new))
    seen = set()
    found = _Traces(old, new, names, loads).facts(before[:_MOST], after[:_MOST])
    for each in (*found, *_beyond(whole, before, after)):
        identity = each.event, each.name, each.old, each.new
        if identity not in seen:
            seen.add(identity)
            yield each


def _known(found: Sequence[Trace]) -> list[Trace]:
    """Return the traces of which something says what they take."""
    return [each for each in found if UnknownType() not in each.arguments.values()]


def _beyond(whole: DeclarationPair, before: Sequence[Trace], after: Sequence[Trace]) -> Iterator[Fact]:
    """Yield the traces beyond those that are compared one by one that the other side does not have as they are."""
    old, new = ({(each.text, str(each.result)) for each in side} for side in (before, after))
    for each in before[_MOST:]:
        if (each.text, str(each.result)) not in new:
            yield whole.fact("trace_removed", "attr", each.text, str(each.result))
    for each in after[_MOST:]:
        if (each.text, str(each.result)) not in old:
            yield whole.fact("trace_added", "attr", each.text, None, str(each.result), callers=())


class _Traces:
    """The traces of a function in base and head.

    Args:
        old: the function of base.
        new: that of head.
        names: the new names of parameters.
        loads: who may load head's model.
    """

    def __init__(self, old: Op, new: Op, names: Mapping[str, str], loads: Loaders) -> None:
        self._old = old
        self._new = new
        self._names = names
        self._loads = loads
        self._defaults = {each.name: traces.type_of_default(each.get("default") or "?") for each in new.inputs}
        self._was_default = {each.name: traces.type_of_default(each.get("default") or "?") for each in old.inputs}
        has = {each.name for each in new.inputs}
        self._gone = {each.name for each in old.inputs if names.get(each.name, each.name) not in has}

    def facts(self, before: Sequence[Trace], after: Sequence[Trace]) -> Iterator[Fact]:
        """Yield what became of every trace of base, and what head has newly."""
        used = set()
        bound = [(trace, asked) for trace in before if (asked := self._asked(trace)) is not None]
        known = [asked for _, asked in bound]
        for trace, asked in bound:
            same = next((each for each in after if self._same(asked, each)), None)
            nearest = same or next((each for each in after if self._fits(asked, each)), None)
            nearest = nearest or self._nearest(asked, after)
            if nearest is None:
                yield DeclarationPair(self._old, self._new, trace).fact(
                    "trace_removed", "attr", trace.text, str(trace.result)
                )
                continue
            used.add(nearest.text)
            pair = DeclarationPair(self._old, self._new, trace, nearest)
            was_there = self._fits(asked, nearest) and any(self._same(each, nearest) for each in known)
            if not was_there:
                yield from self._arguments(pair, asked, nearest)
            yield from results.compare(pair, trace.result, nearest.result)
        for trace in after:
            if trace.text not in used and not any(self._same(asked, trace) for asked in known):
                yield from self._added(trace, known)

    def _asked(self, trace: Trace) -> dict[str, Type] | None:
        """Return the types that a call of a trace gives head's parameters, None where it gives one that is gone."""
        if any(self._was_default.get(name) != each for name, each in trace.arguments.items() if name in self._gone):
            return None
        asked = {self._names.get(name, name): each for name, each in trace.arguments.items() if name not in self._gone}
        added = (name for name, each in self._defaults.items() if name not in asked and each != UnknownType())
        return asked | {name: self._defaults[name] for name in added}

    def _fits(self, asked: Mapping[str, Type], trace: Trace) -> bool:
        """Tell whether all calls of some arguments fit a trace; what has to be given newly is a fact of its own."""
        return asked.keys() <= trace.arguments.keys() and all(
            self._takes(each, trace.arguments[name]) for name, each in asked.items()
        )

    def _takes(self, old: Type, new: Type) -> bool:
        if isinstance(old, Tensor) and isinstance(new, Tensor):
            return old.dtype == new.dtype and accepts_shape(old.shape, new.shape)
        if isinstance(old, Value):
            return _equal(old, new) if isinstance(new, Value) else _is_made(old, new)
        if isinstance(old, Group) and isinstance(new, Group):
            return self._alike(old, new) and all(
                self._takes(one, other) for (_, one), (_, other) in zip(old.items, new.items, strict=True)
            )
        if isinstance(old, Composite) and isinstance(new, Composite) and old.type_name == new.type_name and old.parts:
            one, other = (self._loads.looked_at(each) if each.parts else each for each in (old, new))
            return bool(new.parts) and self._takes(one, other) and old.parts[1:] == new.parts[1:]
        return old == new

    def _alike(self, old: Group, new: Group) -> bool:
        """Tell whether two groups are of one structure; an old TensorFlow takes a list for a tuple."""
        sequences = {"tuple", "list"}
        is_same = old.kind == new.kind or (self._loads.skips_shape_checks and {old.kind, new.kind} == sequences)
        keys = [[key for key, _ in each.items] for each in (old, new)]
        return is_same and keys[0] == keys[1]

    def _nearest(self, asked: Mapping[str, Type], after: Sequence[Trace]) -> Trace | None:
        """Return the trace of head that differs in tensors alone, in the fewest; None where values tell all apart."""
        near: list[tuple[int, int, Trace]] = []
        for trace in after:
            given = trace.arguments
            if asked.keys() <= given.keys() and all(_is_near(each, given[name]) for name, each in asked.items()):
                differing = sum(not self._takes(each, given[name]) for name, each in asked.items())
                near.append((differing, len(near), trace))
        return min(near)[2] if near else None

    def _arguments(self, pair: DeclarationPair, asked: Mapping[str, Type], trace: Trace) -> Iterator[Fact]:
        """Yield what became of the arguments of a trace."""
        back = {new: old for old, new in self._names.items()}
        for name, each in asked.items():
            yield from self._argument(pair, back.get(name, name), each, trace.arguments[name])

    def _argument(self, pair: DeclarationPair, name: str, old: Type, new: Type) -> Iterator[Fact]:
        if isinstance(old, Value) and isinstance(new, Tensor) and _is_made(old, new):
            yield pair.fact("value_became_tensor", "input", name, str(old), str(new), callers=())
        elif isinstance(old, Group) and isinstance(new, Group) and self._alike(old, new):
            for (step, one), (_, other) in zip(children(old), children(new), strict=True):
                yield from self._argument(pair, name + step, one, other)
        elif not (isinstance(old, Value) and isinstance(new, Value) and _equal(old, new)):
            yield from compare_input(pair, self._loads, name, old, new)

    def _same(self, asked: Mapping[str, Type], trace: Trace) -> bool:
        given = trace.arguments
        return asked.keys() <= given.keys() and all(given[name] == each for name, each in asked.items())

    def _added(self, trace: Trace, known: Sequence[Mapping[str, Type]]) -> Iterator[Fact]:
        """Yield that head has a new trace, and whether it takes calls that another one of base converted."""
        pair = DeclarationPair(self._old, self._new, None, trace)
        drawn = any(_differs_in_dtype(asked, trace.arguments) for asked in known)
        event: EventId = "trace_added_drawing" if drawn else "trace_added"
        callers = None if drawn else ()
        yield pair.fact(event, "attr", trace.text, None, str(trace.result), callers=callers)


def _equal(old: Value, new: Value) -> bool:
    return old.text == new.text or old.value == new.value


def _is_made(old: Value, new: Type) -> bool:
    """Tell whether a value of Python becomes a tensor that a trace takes."""
    return isinstance(new, Tensor) and converts_to_dtype(old.value, new.dtype) and accepts_shape((), new.shape)


def _is_near(old: Type, new: Type) -> bool:
    """Tell whether two arguments differ in what is said of tensors alone, or in the structure of what holds them."""
    if isinstance(old, Value) and isinstance(new, Value):
        return _equal(old, new)
    if isinstance(old, Value) or isinstance(new, Value):
        return _is_made(old, new) if isinstance(old, Value) else False
    return True


def _differs_in_dtype(one: Mapping[str, Type], other: Mapping[str, Type]) -> bool:
    """Tell whether what one trace takes after a conversion is what another one takes at once."""
    if not one.keys() <= other.keys():
        return False
    pairs = [(each, other[name]) for name, each in one.items() if each != other[name]]
    return bool(pairs) and all(
        isinstance(a, Tensor)
        and isinstance(b, Tensor)
        and a.dtype != b.dtype
        and compare_shapes(a.shape, b.shape) == "same"
        for a, b in pairs
    )
