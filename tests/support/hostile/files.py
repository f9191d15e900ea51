"""Damaged files of every kind, random but the same for the same seed.

    python -m tests.support.hostile.files --count 10000 [--seed 0]

reads each in a separate process with 10 s and 1 GB, and compares what was read with the original. The
exit code is 1 if one takes more, or ends in an error of our own.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import sys
import time
from functools import cache

import yaml

from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.github import review_list
from opspec_lint.kit.errors import OpspecError
from opspec_lint.lint.check import check, report
from opspec_lint.project import config, waiver_file
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import recognise
from opspec_lint.sources.companion import COMPANIONS, companion_of
from opspec_lint.spec import canonical, values
from tests.support import limited
from tests.support.paths import SPECS

PADDLE = ("abs", "batch_norm", "conv2d", "dropout", "lookup_table_v2", "roll", "sgd", "top_k_v2")
TENSORFLOW = ("Add", "BatchMatMul", "Conv2D", "DecodeRaw", "IteratorGetNext", "ParseExample", "Where", "_Recv")
SCHEMA = """\
namespace a.b; // a comment
attribute "priority";
enum Kind : ubyte { A = 0, B = 3, C }
enum Bits : ushort (bit_flags) { X, Y = 4 }
struct Point (force_align: 8) { x:int; y:[ubyte:3]; }
table Leaf { name:string (key, required); at:Point; }
union Any { Leaf, Other:Leaf = 7 }
table Root {
  kind:Kind = B; bits:Bits = "X Y"; any:Any; many:[Leaf]; old:int (deprecated);
  raw:[ubyte] (nested_flatbuffer: "Leaf", force_align: 16); opt:long = null; ratio:float = 1e-1; on:bool = true;
}
rpc_service Store { Get(Leaf):Root; }
root_type Root;
file_identifier "ABCD";
"""
WAIVERS = """\
version: 1
waivers:
  - rule: op_removed   # a comment
    op: "abs"
    kind: op
    reason: nobody uses it
    owner: ops
    expires: '2030-01-01'
  - {fingerprint: 0123456789abcdef, old: [1, 1e-05, {float: NaN}], new: null, covers: 2, reason: "a\\tb", owner: ops}
"""
CONFIG = """\
profile = "paddle"
base = "origin/main"
waivers = "waivers.yaml"
against = ["specs/paddle-2.6.2.json", "v1:specs/ops.json"]
ignore = ["c_*", "abs"]
specs = [{ file = "specs/ops.json", source = "paddle-source:." }, "specs/**/*.json"]
[levels]
op_added = "error"
[reviewers]
slim = ["somebody", "another"]
"""
REVIEWS = [
    {
        "id": 1,
        "user": {"login": "somebody", "type": "User"},
        "state": "APPROVED",
        "commit_id": "0" * 40,
        "submitted_at": "2030-01-01T00:00:00Z",
        "pull_request_url": "https://api.github.com/repos/our/ops/pulls/7",
    }
]
VERSIONS = {
    "abs": {
        "version_id": 1,
        "checkpoints": [
            {
                "note": "Added an attr",
                "updates": [
                    {"type": "kNewAttr", "name": "axis", "remark": "which", "default": -1},
                    {"type": "kBugfixWithBehaviorChanged", "remark": "at last"},
                ],
            }
        ],
    }
}


def _some(release, names):
    spec = recognise.read(str(SPECS / f"{release}.json")).spec
    versions = spec.op_versions
    return spec.replace(
        ops={name: spec.ops[name] for name in names if name in spec.ops},
        op_versions={name: versions[name] for name in names if name in versions} if versions else versions,
    )


def _raw(spec):
    """Return the output of print_op_desc for a spec of Paddle."""
    types = ("INT", "FLOAT", "STRING", "INTS", "FLOATS", "STRINGS", "BOOLEAN")

    def flags(record, names):
        return {name: record.get(name) is True for name in names}

    variables = ("duplicable", "dispensable", "intermediate", "extra", "quant")
    return {
        op.name: {
            **{
                section: {argument.name: flags(argument, variables) for argument in of_op}
                for section, of_op in (("Inputs", op.inputs), ("Outputs", op.outputs))
            },
            "Attrs": {
                attr.name: {
                    "type": types.index(attr.type) if attr.type in types else 9,
                    "default_value": values.thaw(attr.default_value),
                    **flags(attr, ("generated", "extra", "quant")),
                }
                for attr in op.attrs
            },
        }
        for op in spec.ops.values()
    }


@cache
def seeds():
    """Return the undamaged bytes of a file of each kind."""
    from google.protobuf import json_format, text_format

    paddle, tensorflow = _whole("paddle"), _whole("tensorflow")
    texts = {"paddle": canonical.dumps(paddle), "tensorflow": canonical.dumps(tensorflow)}
    raw = _raw(paddle)
    binary = op_lists.dump(tensorflow)
    oplist = op_lists.from_bytes(binary, "seed")
    block = {name: yaml.safe_dump(json.loads(text), sort_keys=False) for name, text in texts.items()}
    contents = {
        **{f"{name}.json": text for name, text in texts.items()},
        **{f"{name}.yaml": text for name, text in block.items()},
        "print_op_desc.json": json.dumps(raw),
        "print_op_desc.yaml": yaml.safe_dump(raw),
        "print_op_desc-flow.yaml": yaml.safe_dump(raw, default_flow_style=True, width=10**6),
        "oplist.pb": binary,
        "oplist.pbtxt": text_format.MessageToString(oplist),
        "oplist.json": json_format.MessageToJson(oplist),
        "schema.fbs": SCHEMA,
        "op-versions.json": json.dumps(VERSIONS),
        "waivers.yaml": WAIVERS,
        "waivers.json": json.dumps(yaml.safe_load(WAIVERS)),
        "opspec-lint.toml": CONFIG,
        "opspec-lint.yaml": "base: main\nspecs:\n- file: specs/a.json\n  source: paddle-runtime\nignore: [abs]\n",
        "reviews.json": json.dumps(REVIEWS),
    }
    return {name: text if isinstance(text, bytes) else text.encode() for name, text in contents.items()}


@cache
def _whole(framework):
    return _some("paddle-3.3.1", PADDLE) if framework == "paddle" else _some("tensorflow-2.18.1", TENSORFLOW)


_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.){0,400}"|[\w.+-]+|\s+|.', re.DOTALL)
_NUMBERS = (
    b"0", b"-0", b"-0.0", b"1e999", b"-1e999", b"1e-999", b"NaN", b"Infinity", b"-Infinity", b".inf", b".nan", b"null",
    b"true", b"1e5", b"1_000", b"0x10", b"0o7", b"07", b"1.", b"9223372036854775808", b"-9223372036854775809",
    b"18446744073709551616", b"9" * 4400, b"1e-05", b"3.4028236e38", b"2147483648", b"1:30", b"~",
)  # fmt: skip
_STRINGS = (
    b'""', b'"\\ud800"', b'"\\udfff\\ud800"', b'"\\u0000"', b'"\\n"', b'" "', b'"\\u202e"', b'"\xc3\xa9"',
    b'"e\\u0301"', b'"' + b"x" * 70_000 + b'"', b'"NaN"', b'"1"', b'"\\x"', b"'", b'"', b'"\xff"', b'"\xed\xa0\x80"',
    b'"\\/"', b'"ops"', b'"op"', b'"inputs"', b'"name"', b'"type"', b'"default_value"', b'"knows"', b'"unknown"',
    b'"INTS"', b'"same_as_before"', b'"DT_INVALID"', b'"float"', b'"list(int)"', b'"2030-02-30"', b'"../../etc"',
    b'":"',
)  # fmt: skip
_TOKENS = (
    *(bytes([byte]) for byte in b"{}[]():,<>\"'\\#&*!|%@`?-\n\t\r\0 =~/"), b"\r\n", b"\n\n", b"\xef\xbb\xbf",
    b"\xff\xfe", b"\xe2\x80\xa8", b"\x85", b"&a ", b"*a", b"<<: ", b"!!python/object/apply:os.system ", b"!!binary ",
    b"!!set ", b"!!float ", b"--- ", b"\n---\n", b"\n...\n", b"? ", b"|\n", b">-\n", b"%YAML 1.1\n", b"/*", b"//",
    b"0x", b"1e", b"op {", b"name: ", b"default_value { list { i: 1 } }", b"\n\x80\x01", b"\x0a\xff\xff\xff\xff\x0f",
    b"\x12\x00",
)  # fmt: skip


def damaged(seed, kind=None):
    """Return the name and the bytes of a damaged file, of any kind or of one."""
    chance = random.Random(seed)  # noqa: S311 - the same for the same seed
    name = kind or chance.choice(sorted(seeds()))
    data = seeds()[name]
    if chance.random() < 0.6:
        data = _of_value(chance, name, data)
    if chance.random() < 0.5:
        for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
            data = chance.choice(FAULTS)(chance, data)[: 1 << 18]
    return name, data


_VALUES = (
    None, True, False, 0, -0.0, 1, -1, 17, 0.5, 1e300, 1e-320, float("nan"), float("inf"), -float("inf"), 1 << 31,
    1 << 63, 1 << 64, -(1 << 63) - 1, 10**400, "", "X", "x" * 70_000, "\ud800", "\udfff\ud800", "\0", "\n", "\x1b[31m",
    "\u202e", "e\u0301", "NaN", "Infinity", "-Infinity", "true", "1", "INT", "INTS", "FLOAT64", "LONGS", "SCALAR",
    "float", "list(int)", "func", "tensor", "DT_FLOAT", "new", "delete", "modify", "bugfix", "kNewAttr", "attr",
    "0" * 40, "name", "type", "default_value", "2030-02-30", "9999-99-99", "op_removed", "error", "a:b", "..", "/",
    "*", "**/" * 40, [], [[]], [None], [1, "1", 1.0, True], {}, {"": ""}, {"float": "NaN"}, {"float": 1},
    {"\ud800": 1}, {"bytes": "?"}, {"name": "X"}, {"type": "DT_INVALID"}, {"list": {"i": ["1", 2, 3.5]}},
    {"i": float("inf")}, {"shape": {"dim": [{}]}},
    {"tensor": {"dtype": "DT_STRING", "tensor_shape": {"unknown_rank": True}}}, {"func": {"name": "f", "attr": {}}},
)  # fmt: skip
"""What takes the place of another value."""


def _of_value(chance, name, data):
    """Return a file whose value has up to four faults, and is written as before."""
    if name.endswith((".toml", ".fbs")) or not data.strip():
        return data
    if name.startswith("oplist"):
        value = json.loads(seeds()["oplist.json"])
    else:
        value = json.loads(data) if name.endswith(".json") else yaml.safe_load(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        _damage(chance, value)
    written = json.dumps(value, indent=chance.choice((None, 1))).encode()
    if name.startswith("oplist.pb"):
        return _of_messages(name, value) or written
    if name.endswith(".yaml") and chance.random() < 0.7:
        with contextlib.suppress(RecursionError):  # deeper than PyYAML writes; as JSON it is YAML as well
            return yaml.safe_dump(value, sort_keys=False).encode("utf-8", "surrogatepass")
    return written[: 1 << 20]


def _of_messages(name, value):
    """Return the op list of its JSON mapping in another form, nothing where it is none."""
    from google.protobuf import text_format

    try:
        message = op_lists.from_json(value, name)
    except OpspecError:
        return b""
    return text_format.MessageToString(message).encode() if name.endswith("txt") else message.SerializeToString()


def _containers(value):
    if isinstance(value, (dict, list)):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _containers(item)


def _damage(chance, document):
    """Change one member of a document."""
    every = list(_containers(document))
    container = chance.choice(every)
    how = chance.choice(("replace", "replace", "replace", "remove", "rename", "add", "swap", "repeat"))
    value = chance.choice((*_VALUES, *every[: 1 + len(every) // 2])) if chance.random() < 0.9 else _deep(chance)
    value = json.loads(json.dumps(value))  # no value stands at two places
    if not container or how == "add":
        container.update({str(chance.choice(_VALUES)): value}) if isinstance(container, dict) else container.append(
            value
        )
        return
    key = chance.choice(list(container) if isinstance(container, dict) else range(len(container)))
    if how == "replace":
        container[key] = value
    elif how == "swap":
        second_key = chance.choice(list(container) if isinstance(container, dict) else range(len(container)))
        container[key], container[second_key] = container[second_key], container[key]
    elif how == "repeat" and isinstance(container, list):
        container[key:key] = [container[key]] * chance.choice((1, 70, 3000))
    else:
        taken = container.pop(key)
        if how != "remove" and isinstance(container, dict):
            container[str(chance.choice((*_VALUES, *container)))] = taken


def _deep(chance):
    value = []
    for _ in range(chance.choice((3, 62, 63, 64, 65, 200))):
        value = [value] if chance.random() < 0.8 else {"a": value}
    return value


def _cut(chance, data):
    return data[: chance.randrange(len(data) + 1)]


def _flipped(chance, data):
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 2, 20))):
        if damaged:
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def _of_tokens(change):
    """Return the damage that a change of the tokens makes."""

    def damage(chance, data):
        pieces = _TOKEN.findall(data)
        if pieces:
            change(chance, pieces)
        return b"".join(pieces)

    return damage


def _at(chance, pieces):
    return chance.randrange(len(pieces))


def _dropped(chance, pieces):
    at = _at(chance, pieces)
    del pieces[at : at + chance.choice((1, 1, 2, 5, 40))]


def _inserted(chance, pieces):
    pieces.insert(_at(chance, pieces), chance.choice((*_TOKENS, *_NUMBERS, *_STRINGS)))


def _swapped(chance, pieces):
    first, second = _at(chance, pieces), _at(chance, pieces)
    pieces[first], pieces[second] = pieces[second], pieces[first]


def _another(chance, pieces):
    """Replace a value by a hostile one of the same kind: the result is often well-formed."""
    is_text = chance.random() < 0.5
    kind = b'"' if is_text else b"0123456789-tfn"
    places = [at for at, piece in enumerate(pieces) if piece[:1] and piece[:1] in kind]
    if places:
        pieces[chance.choice(places)] = chance.choice(_STRINGS if is_text and chance.random() < 0.7 else _NUMBERS)


def _repeated(chance, pieces):
    at = _at(chance, pieces)
    part = pieces[at : at + chance.choice((1, 2, 8, 60))]
    pieces[at:at] = part * chance.choice((1, 2, 70, 3000))


def _renamed(chance, pieces):
    """Give one name the place of another, everywhere: keys come twice, and mean something else."""
    names = sorted({piece for piece in pieces if len(piece) > 2 and not piece.isspace()})
    if names:
        old, new = chance.choice(names), chance.choice(names)
        pieces[:] = [new if piece == old else piece for piece in pieces]


def _nested(chance, pieces):
    at, depth = _at(chance, pieces), chance.choice((3, 63, 64, 65, 1000, 100_000))
    opening, closing = chance.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"{a: ", b"}"), (b"- ", b""), (b"list {", b"}")))
    pieces[at:at] = [opening] * depth + [b"1"] + [closing] * depth


def _aliased(chance, pieces):
    """Insert the bomb of YAML: each alias expands to nine of the previous one."""
    levels = [b"x0: &x0 [1]\n"] + [
        b"x%d: &x%d [%s]\n" % (level, level, b",".join([b"*x%d" % (level - 1)] * 9)) for level in range(1, 12)
    ]
    pieces.insert(chance.choice((0, len(pieces))), b"".join(levels))


TOKENS = (_dropped, _inserted, _swapped, _another, _another, _another, _repeated, _renamed, _nested, _aliased)
FAULTS = (_cut, _flipped, *map(_of_tokens, TOKENS))


def read(name, data):
    """Read a file as what it once was, and do with it whatever is done with one.

    Raises:
        OpspecError: it is not in order.
    """
    if name.startswith("waivers"):
        waiver_file.parse(data, name)
    elif name.startswith("opspec-lint"):
        config.parse(data, name)
    elif name.startswith("reviews"):
        _read_reviews(data, name)
    else:
        _read_spec(name, data)


def parse(name, data):
    """Read a file as what it once was, and do nothing with it.

    Raises:
        OpspecError: it is not in order.
    """
    if name.startswith(("waivers", "opspec-lint", "reviews")):
        read(name, data)
    else:
        _spec(name, data)


def _spec(name, data):
    """Return the spec of a file, None for one beside a spec."""
    document = recognise.document_of(data, name)
    companion = companion_of(document.value)
    if companion is not None or name.startswith("op-versions"):
        companion = companion or COMPANIONS.load("op_versions")
        companion.faults(document.value)
        companion.complete(_whole("paddle"), document)
        return None
    recognised = recognise.recognise(document)
    list(recognised.faults(document.value, name))
    return recognise.spec_of(recognise.document_of(data, name))


def _read_reviews(data, name):
    from opspec_lint.documents.decode import decode

    review_list.parse(decode(data, name).value, name)


def _read_spec(name, data):
    spec = _spec(name, data)
    if spec is None:
        return
    text = canonical.dumps(spec)
    again = recognise.spec_of(recognise.document_of(text.encode("utf-8", "surrogatepass"), f"{name}.json"))
    assert canonical.dumps(again) == text, "what is written is not what was read"
    whole = spec if spec.binding == "slot" else _whole(spec.provenance.framework or "paddle")
    for base, head in ((spec, whole), (whole, spec), (spec, again)):
        try:
            comparison = check(base, head)
        except OpspecError:
            continue
        for reporter in REPORTERS.names():
            REPORTERS.load(reporter).render(report(comparison))
    assert not check(spec, again).findings, "what was written and read again has changed"


def reading_of(seed, kind=None):
    """Read a damaged file; return "", or why it cannot be read."""
    name, data = damaged(seed, kind)
    try:
        read(name, data)
    except OpspecError as error:
        return f"{name}: {error.message}"
    return ""


def main():
    """Read many; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name, data in seeds().items():  # they are in order, and what reads them is loaded once
        read(name, data)
    wrong = refused = 0
    slowest = (0.0, 0)
    for seed in range(options.seed, options.seed + options.count):
        start = time.perf_counter()
        outcome = limited.call(reading_of, seed)
        slowest = max(slowest, (time.perf_counter() - start, seed))
        refused += bool(outcome.value)
        if outcome.failure:
            wrong += 1
            print(f"seed {seed} ({damaged(seed)[0]}): {outcome.failure.strip()}", flush=True)
    took, at = slowest
    print(f"{options.count} files: {refused} refused, {wrong} wrong; {took:.1f} s at most (seed {at})")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
