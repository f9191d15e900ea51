"""Random schemas, and random changes of a schema, in the text that PyTorch parses."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.schemas.text import parse, show
from opspec_lint.spec.model import Input, Output

TYPES = (
    *("Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "int", "int?", "int[]", "int[2]", "int[1]?", "SymInt", "SymInt[]"),
    *("float", "float?", "float[]", "bool", "bool?", "bool[3]", "str", "str?", "Scalar", "Scalar?", "Scalar[]"),
    *("ScalarType", "ScalarType?", "Layout?", "MemoryFormat?", "Device", "Device?", "Generator?", "Any", "Storage"),
    *("complex", "(int, Tensor)", "(float, Tensor?)", "(int, Tensor)[]", "t", "tVal", "t[]", "Dict(str, Tensor)"),
    *("Dict(str, int)", "Future(Tensor)", "Future(Tensor?)", "RRef(t)", "Tensor[][]", "int[][]", "Union(int, str)?"),
)
DEFAULTS = {
    **dict.fromkeys(("Tensor?", "int?", "float?", "bool?", "str?", "Scalar?", "ScalarType?", "Layout?"), ("None",)),
    **dict.fromkeys(("MemoryFormat?", "Device?", "Generator?", "int[1]?"), ("None",)),
    **dict.fromkeys(("int", "SymInt", "ScalarType"), ("0", "1", "-1", "6")),
    "float": ("0.0", "1.0", "1e-05", "1"),
    "Scalar": ("1", "1.0"),
    "bool": ("True", "False"),
    "str": ('"a"', "'b'"),
    "int[]": ("[]", "[1]", "[1, 2]"),
    "SymInt[]": ("[]", "[0]"),
    "int[2]": ("0", "[0, 0]", "1"),
    "bool[3]": ("True", "[True, False, True]"),
    "float[]": ("[]", "[1.0]"),
}
ALIASES = (None, None, None, "(a)", "(a!)", "(b!)", "(a -> *)")


def schema(rng):
    """A random schema."""
    inputs, names = [], rng.sample("abcdefghkmnpqrsuvwxyz", rng.randint(0, 6))
    first_keyword = rng.randint(0, len(names) + 2)
    for place, name in enumerate(names):
        inputs.append(_argument(rng, name, is_keyword=place >= first_keyword))
    outputs = tuple(_return(rng, place) for place in range(rng.choice((0, 1, 1, 1, 2, 3))))
    return _legal(parse("a::f() -> ()").replace(inputs=tuple(inputs), outputs=outputs))


def mutated(rng, op):
    """A schema with one or two random changes."""
    for _ in range(rng.choice((1, 1, 2))):
        op = rng.choice(CHANGES)(rng, op)
    return _legal(op)


def text(op):
    return show(op)


def _argument(rng, name, *, is_keyword=False):
    kind = rng.choice(TYPES)
    default = rng.choice(DEFAULTS[kind]) if kind in DEFAULTS and rng.random() < 0.5 else None
    alias = rng.choice(ALIASES) if kind == "Tensor" else None
    return Input(name=name, type=kind, own={"default": default, "keyword_only": is_keyword, "alias": alias})


def _return(rng, place):
    kind = rng.choice(TYPES[:24])
    alias = rng.choice(ALIASES[:5]) if kind == "Tensor" else None
    return Output(name=rng.choice((str(place), str(place), f"r{place}")), type=kind, own={"alias": alias})


def _own(item, **own):
    return item.replace(own={**item.own, **own})


def _of_single(change):
    def changed(rng, op):
        if not op.inputs:
            return op
        place = rng.randrange(len(op.inputs))
        inputs = list(op.inputs)
        inputs[place : place + 1] = change(rng, inputs[place])
        return op.replace(inputs=tuple(inputs))

    return changed


def _of_return(rng, op):
    outputs = list(op.outputs)
    place = rng.randint(0, len(outputs))
    outputs[place : place + rng.randint(0, 1)] = [_return(rng, place)] if rng.random() < 0.7 else []
    named = [output.replace(name=str(at)) if output.name.isdigit() else output for at, output in enumerate(outputs)]
    return op.replace(outputs=tuple(named))


def _added(rng, op):
    inputs = list(op.inputs)
    place = rng.choice((rng.randint(0, len(inputs)), len(inputs)))
    before = bool(place) and inputs[place - 1].get("keyword_only")
    inputs.insert(place, _argument(rng, f"new{place}", is_keyword=before or rng.random() < 0.3))
    return op.replace(inputs=tuple(inputs))


def _swapped(rng, op):
    inputs = list(op.inputs)
    rng.shuffle(inputs)
    return op.replace(inputs=tuple(inputs))


CHANGES = (
    _of_single(lambda *_: []),
    _of_single(lambda _, item: [item.replace(name=f"{item.name}2")]),
    _of_single(lambda rng, item: [item.replace(type=rng.choice(TYPES))]),
    _of_single(lambda _, item: [item.replace(type=f"{item.type}?" if item.type[-1] != "?" else item.type[:-1])]),
    _of_single(lambda rng, item: [_own(item, default=rng.choice((None, *DEFAULTS.get(item.type, ()))))]),
    _of_single(lambda _, item: [_own(item, keyword_only=not item.get("keyword_only"))]),
    _of_single(lambda rng, item: [_own(item, alias=rng.choice(ALIASES))]),
    _of_return,
    _added,
    _swapped,
)


def _legal(op):
    """A schema that PyTorch parses: what is keyword-only stands last, and no required argument behind a default."""
    inputs = sorted(op.inputs, key=lambda item: item.get("keyword_only"))
    has_default = False
    for place, argument in enumerate(inputs):
        fits = argument.get("default") if argument.get("default") in DEFAULTS.get(argument.type, ()) else None
        if has_default and fits is None and not argument.get("keyword_only") and "[" not in argument.type:
            fits = rng_free(argument.type)
        if fits is None and has_default and not argument.get("keyword_only") and "[" not in argument.type:
            inputs[place], fits = argument.replace(type="int"), "0"
        has_default = has_default or fits is not None
        kind = inputs[place].type
        alias = argument.get("alias") if "Tensor" in kind and "(" not in kind and "[" not in kind else None
        inputs[place] = _own(inputs[place], default=fits, alias=alias)
    return op.replace(inputs=tuple(inputs))


def rng_free(kind):
    """The first default of a type, None where it has none."""
    return DEFAULTS.get(kind, (None,))[0]
