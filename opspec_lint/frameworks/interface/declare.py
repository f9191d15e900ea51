"""The conversion of a model's interface to a spec: its signatures, functions and graphs become ops."""

from __future__ import annotations

from opspec_lint.frameworks.interface import types
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.declarations import CONCRETE, FUNCTION, GRAPH, INTERFACE, SIGNATURE
from opspec_lint.spec.interface.rendering import FUNCTION_SUFFIX
from opspec_lint.spec.interface.traces import KEYWORD, POSITIONAL, VARARGS, VARKW, format_arguments
from opspec_lint.spec.interface.types import GroupType, UnknownType
from opspec_lint.spec.model import Attr, Input, Op, Output, Provenance, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.model import Function, MetaGraph, Model, Parameter, Signature, Trace

_GRAPH = "model"
"""The name of a graph without a key."""
_INTERNAL = pattern(r"__saved_model_(?:init|train)_op")
"""The keys of signatures that only a loader calls."""
_PYTHON = ("pytorch",)
"""The frameworks whose signatures are called like Python functions."""
_PASSING = {"positional": POSITIONAL, "keyword": KEYWORD, "varargs": VARARGS, "varkw": VARKW}


def spec_of(model: Model) -> Spec:
    """Return the interface of a model as a spec.

    Raises InputError if the model contains only weights, or if reading a part fails.
    """
    ops = {op.name: op for at, meta in enumerate(_serving_first(model)) for op in _declarations(model, meta, at)}
    if not model.meta_graphs:
        problem = "holds weights and no graph, so that nothing can be called"
        raise InputError(model.file, problem, advice="name the saved model that they belong to")
    version = next((meta.written_by for meta in model.meta_graphs if meta.written_by), None)
    return Spec(
        file=model.file,
        provenance=Provenance(framework=INTERFACE, version=version, made_by=model.framework),
        ops=dict(sorted(ops.items())),
        binding=INTERFACE,
    )


def _serving_first(model: Model) -> Sequence[MetaGraph]:
    """Return the meta graphs, with the one for serving first, because its names get no suffix."""
    return sorted(model.meta_graphs, key=lambda meta: meta.tags != ("serve",))


def _declarations(model: Model, meta: MetaGraph, at: int) -> Iterator[Op]:
    """Yield the signatures and functions of the meta graph at index `at`; names of later meta graphs get a suffix."""
    details = meta.details()
    suffix = f"@{','.join(meta.tags) or at}" if at else ""
    for signature in meta.signatures or details.signatures:
        if not _INTERNAL.fullmatch(signature.key):
            yield _signature(model.framework, signature, meta.tags, suffix)
    for function in details.functions:
        yield _function(function, suffix)


def _signature(framework: str, signature: Signature, tags: tuple[str, ...], suffix: str) -> Op:
    """Return the declaration of a signature, or of a graph without signatures."""
    name = (signature.key or _GRAPH) + suffix
    inputs = {key: str(types.tensor_type(tensor)) for key, tensor in signature.inputs.items()}
    outputs = {key: str(types.tensor_type(tensor)) for key, tensor in signature.outputs.items()}
    if framework in _PYTHON:
        return _python_function(name, inputs, outputs)
    return Op(
        name=name,
        inputs=tuple(
            Input(name=key, type=kind, own={**_PLAIN, "default": signature.defaults.get(key)})
            for key, kind in inputs.items()
        ),
        outputs=tuple(Output(name=key, type=kind) for key, kind in outputs.items()),
        own={
            "called_as": SIGNATURE if signature.key else GRAPH,
            "tags": tags if signature.key else (),
            "method": signature.method or None,
            "input_signature": False,
        },
    )


_PLAIN = {"default": None, "passing": POSITIONAL}
"""The fields of an input that is passed by position, and has no default value."""
_OF_FUNCTIONS = {"tags": (), "method": None}
"""The fields that only signatures have, in an op that is a function."""


def _python_function(name: str, inputs: dict[str, str], outputs: dict[str, str]) -> Op:
    """Return the declaration of a signature that is called like a Python function, with one trace."""
    results = list(outputs.values())
    result = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return Op(
        name=name + FUNCTION_SUFFIX,
        inputs=tuple(Input(name=key, type=None, own=_PLAIN) for key in inputs),
        attrs=(Attr(name=f"({', '.join(inputs.values())})", type=result),),
        own={**_OF_FUNCTIONS, "called_as": CONCRETE, "input_signature": True},
    )


def _function(function: Function, suffix: str) -> Op:
    """Return the declaration of a function, with its traces as attrs."""
    traces: dict[str, str] = {}
    for trace in function.traces:
        # Of traces with equal arguments, a call uses the first one.
        traces.setdefault(_arguments(trace), str(types.structure_type(trace.outputs)))
    return Op(
        name=function.name + suffix + FUNCTION_SUFFIX,
        inputs=tuple(_trace_parameters(function) if function.is_bare else map(_parameter, function.parameters)),
        attrs=tuple(Attr(name=name, type=result) for name, result in traces.items()),
        own={
            **_OF_FUNCTIONS,
            "called_as": CONCRETE if function.is_bare else FUNCTION,
            "input_signature": function.is_restricted or function.is_bare,
        },
    )


def _trace_parameters(function: Function) -> Iterator[Input]:
    """Yield the parameters of a bare trace, which is called without the function around it."""
    for trace in function.traces:
        positional = len(trace.keywords or ()) if trace.positional is None else trace.positional
        for index, name in enumerate(trace.keywords or ()):
            own = {"default": None, "passing": POSITIONAL if index < positional else KEYWORD}
            yield Input(name=name, type=None, own=own)


def _parameter(parameter: Parameter) -> Input:
    """Return a parameter of a function as an input."""
    default = None if parameter.default is None else str(types.structure_type(parameter.default))
    return Input(name=parameter.name, type=None, own={"default": default, "passing": _PASSING.get(parameter.kind)})


def _arguments(trace: Trace) -> str:
    """Return the arguments of a trace as text, `(?)` if they are not known."""
    # TensorFlow stores them as a pair: the tuple of positional arguments, and the dict of named ones.
    arguments = types.structure_type(trace.inputs)
    groups = [group for _, group in arguments.items] if isinstance(arguments, GroupType) else []
    if len(groups) != 2 or not all(isinstance(group, GroupType) for group in groups):
        return format_arguments((UnknownType(),), {})
    positional, by_name = (group.items if isinstance(group, GroupType) else () for group in groups)
    named = {types.identifier(key): kind for key, kind in by_name}
    return format_arguments(tuple(kind for _, kind in positional), named)
