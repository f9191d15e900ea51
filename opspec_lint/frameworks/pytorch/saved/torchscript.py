"""The code in a TorchScript archive: its classes, methods, and their calls of ops.

The code is Python text, which is scanned by regular expressions and never run. A call names no overload: `torch.X`
calls aten::X, `ops.NS.X` calls NS::X.

Steps: replace strings and comments by blanks; split the text at `class` and `def`; of each class, collect its
attributes and weights; of each method, its parameters and its calls.
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_WEIGHTS = 20_000
"""Weights that are listed: a few classes that are attributes of each other would have any number."""
MAX_DEPTH = 64
_LONGEST_HEAD = 1 << 16
"""Characters of the parameters of a method that are read."""
_STRINGS = pattern(r"""(["\'])(?:(?!\1)[^\\\n]|\\.)*(?:\1|$|(?=\\$))|#[^\n]*""", "m")
"""Strings and comments. Each quote begins a match, whatever follows: one that failed at the end of its line would be
tried again at each escaped quote before."""
_BLOCK = pattern(r"^ *(class|def) (\w{1,200})[(:]", "m")
_SIGN = pattern(
    r"(?:(?<![\w.])(?:torch|ops\.(\w+))\.(\w+))?\(|[\[\](){},]|(?<=[ (])(\w+)=(?!=)|[\w.]+|[^\w\s()\[\]{},]+"
)
"""The tokens that separate the arguments of calls; the first alternative opens a call, of an op if it names one."""
_FIELD = pattern(r'^  (?:(\w{1,200}) : |__annotations__\["(\w{1,200})"\] = )([^\n]*)', "m")
_LISTED = pattern(r"^  __(?:parameters|buffers)__ = \[([^\]\n]*)\]", "m")
_TYPE = pattern(r"\b__torch__(?:\.\w{1,200}){1,100}")
_FORWARD = "forward"


class Call(Record):
    """A call of an op: the number of arguments given by position, and the names of the others."""

    op: str
    positional: int = 0
    keywords: tuple[str, ...] = ()


class Method(Record):
    """A method or function: its class, "" for a function; its parameters as (name, type); and its calls."""

    owner: str
    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    returns: str = ""
    calls: tuple[Call, ...] = ()


class ScriptClass(Record):
    """A class: the types of its attributes by name, and the attributes that are weights."""

    name: str
    fields: Mapping[str, str] = {}
    weights: tuple[str, ...] = ()


class Script(Record):
    """The classes and methods that a file defines, and all types `__torch__...` that it names."""

    classes: tuple[ScriptClass, ...] = ()
    methods: tuple[Method, ...] = ()
    types: tuple[str, ...] = ()


class Code(Record):
    """The parts of an archive that `torch.jit.load` checks.

    `calls` are calls of ops: the method or function, the name of the node there, and the call. `problems` are parts for
    which the archive is refused whatever its ops are, each with the reason (`completeness.py`).
    """

    calls: tuple[tuple[str, str, Call], ...] = ()
    problems: tuple[tuple[str, str], ...] = ()


def read(text: str, module: str) -> Script:
    """Return the definitions of a file; `module` is its dotted name, such as `__torch__.torch.nn.modules.linear`."""
    # A string may contain brackets, commas or `def`, which would be read as code.
    blank = _STRINGS.sub(_blank, text)
    classes: list[ScriptClass] = []
    methods: list[Method] = []
    starts = list(_BLOCK.finditer(blank))
    ends = [*(start.start() for start in starts[1:]), len(blank)]
    for start, end in zip(starts, ends, strict=False):
        if start[1] == "class":
            # From the text with its strings, as `__parameters__` lists the weights by strings.
            classes.append(_parse_class(f"{module}.{start[2]}", text[start.end() : end]))
        else:
            is_method = start[0].startswith(" ") and bool(classes)
            owner = classes[-1].name if is_method else ""
            name = start[2] if owner else f"{module}.{start[2]}"
            methods.append(_parse_method(owner, name, blank[start.end() : end]))
    types = tuple(dict.fromkeys(_TYPE.findall(blank)))
    return Script(classes=tuple(classes), methods=tuple(methods), types=types)


def _blank(match: re.Match[str]) -> str:
    """Return blanks for a comment; for a string, a quote and blanks, as it is still an argument of a call."""
    return f'"{" " * (len(match[0]) - 1)}' if match[1] else " " * len(match[0])


def _parse_class(name: str, body: str) -> ScriptClass:
    """Return a class by the text between its name and its first method."""
    listed = " ".join(match[1] for match in _LISTED.finditer(body))
    fields = {match[1] or match[2]: match[3].strip() for match in _FIELD.finditer(body)}
    return ScriptClass(name=name, fields=fields, weights=tuple(re.findall(r'"(\w{1,200})"', listed)))


def _parse_method(owner: str, name: str, text: str) -> Method:
    """Return a method by the text behind its opening parenthesis, in which strings are blank."""
    head, body = _split_parameters(text)
    parameters = [_parse_parameter(parameter) for parameter in head]
    returns = re.match(r"\s*->\s*([^\n]*):", text[body : body + _LONGEST_HEAD])
    return Method(
        owner=owner,
        name=name,
        parameters=tuple(parameters[1:] if owner else parameters),
        returns=returns[1].strip() if returns else "",
        calls=tuple(_parse_calls(text, body)),
    )


class _OpenCall:
    """A call of an op whose bracket is open.

    `given` counts the arguments before the last comma, and `is_begun` is true once the next one has begun.
    """

    __slots__ = ("given", "is_begun", "keywords", "op", "place")

    def __init__(self, op: str, place: int) -> None:
        self.op = op
        self.place = place
        self.given = 0
        self.keywords: list[str] = []
        self.is_begun = False


def _parse_calls(text: str, begin: int) -> list[Call]:
    """Return the calls of ops in the body of a method, which starts at `begin`, in the order of the text."""
    calls: list[tuple[int, Call]] = []
    # A model calls few ops in few ways: equal calls are one object.
    made: dict[tuple[str, int, tuple[str, ...]], Call] = {}
    stack: list[_OpenCall | None] = []  # None for a bracket of anything else, of which a hostile file has millions
    for match in _SIGN.finditer(text, begin):
        sign, top = match[0], stack[-1] if stack else None
        if sign[-1] in "([{":
            if top is not None:
                top.is_begun = True
            stack.append(_OpenCall(f"{match[1] or 'aten'}::{match[2]}", match.start()) if match[2] else None)
        elif sign in ")]}":
            if stack:
                stack.pop()
            if top is not None:
                key = top.op, top.given + top.is_begun - len(top.keywords), tuple(top.keywords)
                call = made.get(key)
                if call is None:
                    call = made[key] = Call(op=key[0], positional=key[1], keywords=key[2])
                calls.append((top.place, call))
        elif top is None:
            continue
        elif sign == ",":
            top.given += top.is_begun
            top.is_begun = False
        else:
            if match[3] and not top.is_begun:
                top.keywords.append(match[3])
            top.is_begun = True
    # The code of a damaged archive may end within a call; its op is needed all the same.
    calls += ((call.place, Call(op=call.op)) for call in stack if call is not None)
    # By place, as an inner call ends, and is added, before the call around it.
    return [call for _, call in sorted(calls, key=lambda placed: placed[0])]


def _split_parameters(text: str) -> tuple[list[str], int]:
    """Return the parameters of a method, and the index behind its closing parenthesis, 0 if it is not closed."""
    parameters, depth, begin = [], 0, 0
    for at, sign in enumerate(text[:_LONGEST_HEAD]):
        if sign in "([":
            depth += 1
        elif sign in ")]" and depth:
            depth -= 1
        elif sign in "),]" and not depth:
            parameters.append(text[begin:at])
            begin = at + 1
            if sign == ")":
                return [parameter for parameter in parameters if parameter.strip()], at + 1
    return [], 0


def _parse_parameter(text: str) -> tuple[str, str]:
    """Return the name and the type of a parameter such as `x: Tensor=None`."""
    name, _, kind = text.partition(":")
    return name.strip(), kind.partition("=")[0].strip()


def describe_archive(scripts: list[Script], version: int | None) -> MetaGraph:
    """Return the graphs, signatures and weights of an archive, by the definitions in its files and its version."""
    classes = {cls.name: cls for script in scripts for cls in script.classes}
    main = _main_class(scripts, classes)
    methods = [method for script in scripts for method in script.methods]
    methods.sort(key=lambda method: not _is_main(method, main))
    return MetaGraph(
        producer=version,
        graphs=tuple(_method_graph(method, main) for method in methods),
        signatures=tuple(_signature(method) for method in methods if _is_main(method, main)),
        variables=tuple(_weights(main, classes)),
    )


def _is_main(method: Method, main: str) -> bool:
    """Return whether a method is `forward` of the class of the model."""
    return method.owner == main and method.name == _FORWARD


def _main_class(scripts: list[Script], classes: Mapping[str, ScriptClass]) -> str:
    """Return the class of the model: the only one with `forward` that is no attribute of another; "" if not one."""
    parts = {name for cls in classes.values() for kind in cls.fields.values() for name in re.findall(r"[\w.]+", kind)}
    owners = (method.owner for script in scripts for method in script.methods if method.name == _FORWARD)
    candidates = [owner for owner in owners if owner and owner not in parts]
    return candidates[0] if len(candidates) == 1 else ""


def _method_graph(method: Method, main: str) -> Graph:
    """Return the graph of a method, with a node for each call; the one of the model has no name."""
    name = f"{method.owner}.{method.name}" if method.owner else method.name
    return Graph(
        name="" if _is_main(method, main) else name, nodes=Nodes(method.calls, _call_node, lambda call: str(call.op))
    )


def _call_node(call: Call, place: int) -> Node:
    return Node(name=f"{call.op}#{place}", op=call.op)


def calls(scripts: list[Script]) -> Iterator[tuple[str, str, Call]]:
    """Yield the calls of ops: the method or function, the name of the node in it, and the call."""
    for script in scripts:
        for method in script.methods:
            graph = f"{method.owner}.{method.name}" if method.owner else method.name
            for place, call in enumerate(method.calls):
                yield graph, f"{call.op}#{place}", call


def _signature(method: Method) -> Signature:
    """Return the signature of a method, by its parameters and return type."""
    inputs = {name: Tensor(name=name, dtype=kind) for name, kind in method.parameters}
    outputs = {"": Tensor(name="", dtype=method.returns)} if method.returns else {}
    return Signature(key=method.name, inputs=inputs, outputs=outputs)


def _weights(main: str, classes: Mapping[str, ScriptClass]) -> Iterator[Tensor]:
    """Yield the weights of a model, named by their paths; types and shapes are in pickles, which are not opened."""
    waiting = [("", main, 0)]
    count = 0
    while waiting:
        path, name, depth = waiting.pop()
        cls = classes.get(name)
        if cls is None or depth > MAX_DEPTH:
            continue
        for weight in cls.weights:
            yield Tensor(name=f"{path}{weight}")
            count += 1
        if count > MAX_WEIGHTS or len(waiting) > MAX_WEIGHTS:
            return
        inner = [(f"{path}{field}.", kind, depth + 1) for field, kind in cls.fields.items() if kind in classes]
        waiting += reversed(inner)
