"""The interface of a saved model, as a spec: what its signatures, functions and graphs take and give."""

from __future__ import annotations

from opspec_lint.frameworks.interface import types
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.declarations import CONCRETE, FUNCTION, GRAPH, INTERFACE, SIGNATURE
from opspec_lint.spec.interface.rendering import FUNCTION_SUFFIX
from opspec_lint.spec.interface.traces import KEYWORD, POSITIONAL, VARARGS, VARKW, format_arguments
from opspec_lint.spec.interface.types import Group, UnknownType
from opspec_lint.spec.model import Attr, Input, Op, Output, Provenance, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.model import Function, MetaGraph, Model, Parameter, Signature, Trace

_GRAPH = "model"
"""What a graph is called that has no key."""
_OWN = pattern(r"__saved_model_(?:init|train)_op")
"""The signatures that a loader calls, and nobody else."""
_PYTHON = ("pytorch",)
"""The frameworks whose signatures are called as functions of Python."""
_PASSING = {"positional": POSITIONAL, "keyword": KEYWORD, "varargs": VARARGS, "varkw": VARKW}


def spec_of(model: Model) -> Spec:
    """Return the interface of a model.

    Raises:
        InputError: the model holds weights alone, or a part of it cannot be read.
    """
    ops = {each.name: each for at, meta in enumerate(_in_order(model)) for each in _declarations(model, meta, at)}
    if not model.meta_graphs:
        problem = "holds weights and no graph, so that nothing can be called"
        raise InputError(model.file, problem, advice="name the saved model that they belong to")
    version = next((each.written_by for each in model.meta_graphs if each.written_by), None)
    return Spec(
        file=model.file,
        provenance=Provenance(framework=INTERFACE, version=version, made_by=model.framework),
        ops=dict(sorted(ops.items())),
        binding=INTERFACE,
    )


def _in_order(model: Model) -> Sequence[MetaGraph]:
    """Return the meta graphs, first the one for serving, which callers need not name."""
    return sorted(model.meta_graphs, key=lambda each: each.tags != ("serve",))


def _declarations(model: Model, meta: MetaGraph, at: int) -> Iterator[Op]:
    details = meta.details()
    suffix = f"@{','.join(meta.tags) or at}" if at else ""
    for each in meta.signatures or details.signatures:
        if not _OWN.fullmatch(each.key):
            yield _signature(model.framework, each, meta.tags, suffix)
    for function in details.functions:
        yield _function(function, suffix)


def _signature(framework: str, found: Signature, tags: tuple[str, ...], suffix: str) -> Op:
    name = (found.key or _GRAPH) + suffix
    inputs = {key: str(types.of_tensor(each)) for key, each in found.inputs.items()}
    outputs = {key: str(types.of_tensor(each)) for key, each in found.outputs.items()}
    if framework in _PYTHON:
        return _concrete(name, inputs, outputs)
    return Op(
        name=name,
        inputs=tuple(
            Input(name=key, type=each, own={**_PLAIN, "default": found.defaults.get(key)})
            for key, each in inputs.items()
        ),
        outputs=tuple(Output(name=key, type=each) for key, each in outputs.items()),
        own={
            "called_as": SIGNATURE if found.key else GRAPH,
            "tags": tags if found.key else (),
            "method": found.method or None,
            "input_signature": False,
        },
    )


_PLAIN = {"default": None, "passing": POSITIONAL}
_OF_FUNCTIONS = {"tags": (), "method": None}


def _concrete(name: str, inputs: dict[str, str], outputs: dict[str, str]) -> Op:
    """Return the signature of a function of Python that has no traces: it is one."""
    results = list(outputs.values())
    result = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return Op(
        name=name + FUNCTION_SUFFIX,
        inputs=tuple(Input(name=key, type=None, own=_PLAIN) for key in inputs),
        attrs=(Attr(name=f"({', '.join(inputs.values())})", type=result),),
        own={**_OF_FUNCTIONS, "called_as": CONCRETE, "input_signature": True},
    )


def _function(found: Function, suffix: str) -> Op:
    traces: dict[str, str] = {}
    for each in found.traces:
        traces.setdefault(_arguments(each), str(types.of_structure(each.outputs)))
    return Op(
        name=found.name + suffix + FUNCTION_SUFFIX,
        inputs=tuple(_named(found) if found.is_bare else map(_parameter, found.parameters)),
        attrs=tuple(Attr(name=name, type=result) for name, result in traces.items()),
        own={
            **_OF_FUNCTIONS,
            "called_as": CONCRETE if found.is_bare else FUNCTION,
            "input_signature": found.is_restricted or found.is_bare,
        },
    )


def _named(found: Function) -> Iterator[Input]:
    """Yield the parameters of a trace that is called without its function."""
    for trace in found.traces:
        positional = len(trace.keywords or ()) if trace.positional is None else trace.positional
        for at, name in enumerate(trace.keywords or ()):
            own = {"default": None, "passing": POSITIONAL if at < positional else KEYWORD}
            yield Input(name=name, type=None, own=own)


def _parameter(found: Parameter) -> Input:
    default = None if found.default is None else str(types.of_structure(found.default))
    return Input(name=found.name, type=None, own={"default": default, "passing": _PASSING.get(found.kind)})


def _arguments(trace: Trace) -> str:
    """Return the text of the arguments of a trace, `(?)` where nothing says them."""
    found = types.of_structure(trace.inputs)
    groups = [each for _, each in found.items] if isinstance(found, Group) else []
    if len(groups) != 2 or not all(isinstance(each, Group) for each in groups):
        return format_arguments((UnknownType(),), {})
    positional, by_name = (each.items if isinstance(each, Group) else () for each in groups)
    named = {types.identifier(key): each for key, each in by_name}
    return format_arguments(tuple(each for _, each in positional), named)
