"""Table of jobs: commands whose cost is measured, each against a baseline that needs none of our code."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Command = tuple[str, ...]
LONG = 11
"""Most repetitions of a long job: as many as its change of time needs to be significant among all jobs."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A command and its baseline, both run as whole processes.

    An argument of a command may contain `{root}`, this checkout, `{specs}`, the released specs of the first revision,
    as later ones read them too, `{data}`, the folder of prepared data, `{cache}`, the cache folder of the measured
    revision, and `{tree}`, the source tree that an environment variable names.
    `opspec-lint` and `python` are the programs of the measured revision.
    """

    name: str
    title: str
    command: Command
    baseline: Command
    baseline_title: str
    data: Command = ()
    """Arguments for `python -m benchmarks.data`, which prepares the folder `{data}` once for both revisions."""
    tree: str = ""
    """Environment variable that names the source tree. The job is skipped where it is not set."""
    warm_up: Command = ()
    """Command that fills the cache folder; each repetition starts with what it left, or else with an empty folder."""
    folder: str = "{data}"
    """Working directory."""
    is_quick: bool = False
    """Part of `--quick`: the jobs that CI compares."""
    is_long: bool = False
    """Takes seconds: it is repeated `LONG` times at most, and its instructions are not counted."""
    is_counted: bool = True
    """Instructions are counted, of two revisions at once and in the same folder."""


def split(line: str) -> Command:
    """Return a command, given as a line, whose arguments contain no spaces."""
    return tuple(line.split())


def choose(jobs: Sequence[Job], patterns: Sequence[str] = (), *, quick: bool = False) -> list[Job]:
    """Return the jobs whose names match one of the patterns (all without patterns), in the order of the table.

    Raises:
        ValueError: a pattern matches no job.
    """
    for pattern in patterns:
        if not any(fnmatchcase(job.name, pattern) for job in jobs):
            raise ValueError(f"no job matches '{pattern}'; the jobs are {', '.join(job.name for job in jobs)}")
    return [
        job
        for job in jobs
        if (job.is_quick or not quick) and (not patterns or any(fnmatchcase(job.name, pattern) for pattern in patterns))
    ]


def reason_to_skip(job: Job, environment: Mapping[str, str]) -> str:
    """Return why a job cannot run here, or an empty text."""
    if job.tree and not environment.get(job.tree):
        return f"{job.tree} does not name a source tree"
    return ""


def decoding(*files: str) -> Command:
    """Return a command that decodes some JSON files."""
    return (
        "python",
        "-c",
        "import json, sys; specs = [json.loads(open(file).read()) for file in sys.argv[1:]]",
        *files,
    )


def parsing(message: str, *patterns: str) -> Command:
    """Return a command that parses files as a protobuf message, which `{data}/descriptor` declares."""
    return ("sh", "-c", f'exec python -c "$0" "$1" "$2" {" ".join(patterns)}', _PARSE, message, "{data}/descriptor")


_PARSE = """\
import sys
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
pool = DescriptorPool()
pool.AddSerializedFile(open(sys.argv[2], "rb").read())
parse = GetMessageClass(pool.FindMessageTypeByName(sys.argv[1])).FromString
messages = [parse(open(file, "rb").read()) for file in sys.argv[3:]]
"""

_CLASSES = """\
for number in range(20):
    fields = {f"field{at}": "int" for at in range(8)}
    make(type(f"Class{number}", bases, {"__annotations__": fields}))
"""
RECORDS = f"""\
from opspec_lint.kit.record import Record
bases, make = (Record,), lambda cls: cls
{_CLASSES}"""
DATACLASSES = f"""\
from dataclasses import dataclass
bases, make = (), dataclass(frozen=True, slots=True, kw_only=True)
{_CLASSES}"""

EMPTY = split("python -c pass")
ARGPARSE = ("python", "-c", "import argparse")

# Files that Paddle's tool print_op_desc wrote, canonical specs, and binary op lists of TensorFlow
PADDLE = split("{root}/tests/data/paddle/paddle-2.6.2.json {root}/tests/data/paddle/paddle-3.0.0.json")
CANONICAL = split("{specs}/paddle-2.6.2.json {specs}/paddle-3.0.0.json")
COPY = ("{root}/tests/data/paddle/paddle-2.6.2.json", "{data}/copy.json")
OP_LISTS = ("{data}/2.8.4.pb", "{data}/2.12.1.pb")
SITE = split("tflite@2.4.4 tflite@2.8.4 tflite@2.12.1 litert@2.1.2")

LARGE_GRAPHS = (
    ("many_nodes", 500_000, "500,000 small nodes"),
    ("saved_model", 500_000, "500,000 small nodes in a SavedModel"),
    ("many_attrs", 190_000, "190,000 nodes of many attrs"),
    ("unlike_constants", 140_000, "140,000 unlike constants"),
    ("large_constants", 1_000, "1,000 large constants"),
    ("loops", 50_000, "50,000 loops with a conditional"),
)
"""Graphs of some 50 MB: the function of `benchmarks/graphs.py` that makes one, its size, and what it is."""
TENSORFLOW = "{specs}/tensorflow-2.15.1.json"

MODELS = 200
"""How many graphs, of a thousand nodes each, are audited together."""
_MODELS_AUDIT = ("opspec-lint", "audit", "{data}/models", "--jobs", "1", "--results", "{cache}/models.sqlite")
AUDIT = (*_MODELS_AUDIT, "--against", "tensorflow@2.15.1")

VERSIONS = 200
"""How many commits change a spec file."""
HISTORY_FILE = split("opspec-lint history --jobs 1 specs/ops.json --output {cache}/history.sqlite")

PADDLE_TREE = "OPSPEC_LINT_PADDLE_TREE"
"""A clone of Paddle with its whole history, bare or not."""
CUT = "b3d4ce374f"
"""The revision of Paddle from which release 2.6 was cut."""
COMMITS = (
    ("op-2023", "a348a423ce", "one op in C++, 2023"),
    ("op-2024", "56d4e923d2", "one op in C++, 2024"),
    ("op-compat", "91c727b82a", "`op_compat.yaml`"),
    ("ops-yaml", "1506726441", "`ops.yaml`"),
)
"""Commits of Paddle, and what each changes."""
TIP, HISTORY = "8f96a48d56", 100
"""A commit of Paddle, and how many commits up to it are checked one by one."""
TENSORFLOW_1, TENSORFLOW_2 = "OPSPEC_LINT_TENSORFLOW_1_TREE", "OPSPEC_LINT_TENSORFLOW_2_TREE"
"""A clone of TensorFlow with its whole history up to 1.8, and one whose HEAD is 2.7; bare or not."""
TENSORFLOW_TREES = (("1.8", TENSORFLOW_1, "v1.8.0"), ("2.7", TENSORFLOW_2, "HEAD"))
SMALL_TREES = (
    ("litert", "OPSPEC_LINT_LITERT_TREE", "tflite", "LiteRT"),
    ("onnx", "OPSPEC_LINT_ONNX_TREE", "onnx", "ONNX"),
    ("extension", "OPSPEC_LINT_EXTENSION_TREE", "pytorch", "an extension of PyTorch"),
)
"""Clones whose HEAD is read: the name of the job, the variable, the framework, and what it is."""
OP_COMMIT = "229b20326b"
"""A commit of TensorFlow that changes one op in C++, and no list of ops."""
_EVERY_COMMIT = f"""\
git -C "$0" rev-list --first-parent --reverse --max-count={HISTORY + 1} {TIP} | {{
  read base
  while read head; do "$@" "paddle-source:$0@$base" "paddle-source:$0@$head"; base=$head; done
  true
}}"""


def _revisions(*revisions: str) -> Command:
    return tuple(f"paddle-source:{{tree}}@{revision}" for revision in revisions)


def _tensorflow_revisions(*revisions: str) -> Command:
    return tuple(f"tensorflow-source:{{tree}}@{revision}" for revision in revisions)


def _of_graph(maker: str, count: int, title: str, *, is_long: bool) -> list[Job]:
    """Return the jobs of one graph: `audit` and `show`. An audit that is not long is quick."""
    is_saved_model = maker == "saved_model"
    graph = "{data}/saved_model.pb" if is_saved_model else "{data}/graph.pb"
    commands = {
        "audit": ("opspec-lint", "audit", graph, "--against", TENSORFLOW),
        "show": ("opspec-lint", "show", graph),
    }
    return [
        Job(
            name=f"{command}-{maker.replace('_', '-')}-{count}",
            title=f"`{command}` of a graph of {title}",
            command=line,
            baseline=parsing("opspec.SavedModel" if is_saved_model else "opspec.GraphDef", graph),
            baseline_title="protobuf parses the graph",
            data=("graph", maker, str(count)),
            is_quick=not is_long and command == "audit",
            is_long=is_long,
        )
        for command, line in commands.items()
    ]


JOBS: tuple[Job, ...] = (
    Job(
        name="version",
        title="`--version`, started by the script that pip 26 writes",
        command=("python", "{data}/opspec-lint", "--version"),
        baseline=ARGPARSE,
        baseline_title="Python imports `argparse`",
        data=("scripts",),
        is_quick=True,
    ),
    Job(
        name="version-old-pip",
        title="`--version`, started by the script that older versions of pip write, which imports `re`",
        command=("python", "{data}/opspec-lint-re", "--version"),
        baseline=ARGPARSE,
        baseline_title="Python imports `argparse`",
        data=("scripts",),
    ),
    Job(
        name="explain",
        title="`explain` of a rule",
        command=split("opspec-lint explain attr_default_changed"),
        baseline=EMPTY,
        baseline_title="an empty Python",
    ),
    Job(
        name="check-print-op-desc",
        title="`check` of two full `print_op_desc` files, Paddle 2.6.2 and 3.0.0",
        command=("opspec-lint", "check", *PADDLE),
        baseline=decoding(*PADDLE),
        baseline_title="Python decodes the files",
        is_quick=True,
    ),
    Job(
        name="check-json-report",
        title="the same `check` with a JSON report",
        command=("opspec-lint", "check", *PADDLE, "--format", "json"),
        baseline=decoding(*PADDLE),
        baseline_title="Python decodes the files",
    ),
    Job(
        name="check-canonical",
        title="`check` of two canonical spec files, Paddle 2.6.2 and 3.0.0",
        command=("opspec-lint", "check", *CANONICAL),
        baseline=decoding(*CANONICAL),
        baseline_title="Python decodes the files",
        is_quick=True,
    ),
    Job(
        name="check-copy",
        title="`check` of a full `print_op_desc` file and its copy",
        command=("opspec-lint", "check", *COPY),
        baseline=decoding(*COPY),
        baseline_title="Python decodes the files",
        data=("copy",),
    ),
    Job(
        name="check-op-lists",
        title="`check` of two full OpLists, TensorFlow 2.8.4 and 2.12.1",
        command=("opspec-lint", "check", *OP_LISTS),
        baseline=parsing("opspec.OpList", *OP_LISTS),
        baseline_title="protobuf parses the files",
        data=("op_lists",),
        is_quick=True,
    ),
    *(
        Job(
            name=f"check-{ops}-ops",
            title=f"`check` of {ops:,} ops",
            command=split("opspec-lint check {data}/base.json {data}/head.json"),
            baseline=decoding("{data}/base.json", "{data}/head.json"),
            baseline_title="Python decodes the files",
            data=("repeated", str(ops)),
            is_long=ops > 10_000,
        )
        for ops in (1_000, 10_000, 100_000)
    ),
    Job(
        name="hook-staged",
        title="`check --staged`, one full spec file staged",
        command=split("opspec-lint check --staged"),
        baseline=decoding(*PADDLE),
        baseline_title="Python decodes both versions of the file",
        data=("staged",),
        folder="{data}/top",
        is_quick=True,
    ),
    Job(
        name="hook-nothing-staged",
        title="`check --staged`, no spec file staged",
        command=split("opspec-lint check --staged"),
        baseline=EMPTY,
        baseline_title="an empty Python",
        data=("nothing_staged",),
        folder="{data}/top",
        is_quick=True,
    ),
    Job(
        name="commit",
        title="`git commit` of a README, with our hook",
        command=("sh", "{data}/commit", "{data}/with"),
        baseline=("sh", "{data}/commit", "{data}/without"),
        baseline_title="the same commit with another hook alone",
        data=("commit",),
        warm_up=("sh", "{data}/commit", "{data}/with"),
        folder="{data}/top",
        is_counted=False,
    ),
    Job(
        name="records",
        title="twenty classes of eight fields, as `Record`",
        command=("python", "-c", RECORDS),
        baseline=("python", "-c", DATACLASSES),
        baseline_title="the same as frozen, slotted dataclasses",
    ),
    *_of_graph("many_nodes", 20_000, "20,000 small nodes", is_long=False),
    *(job for graph in LARGE_GRAPHS for job in _of_graph(*graph, is_long=True)),
    *(
        Job(
            name=f"tree-cold-{build}",
            title=f"`extract` of a Paddle source tree without a cache, `--build {build}`",
            command=("opspec-lint", "extract", *_revisions(CUT), "--build", build, "--no-cache"),
            baseline=("sh", "-c", "git -C {tree} cat-file --batch < {data}/names > /dev/null"),
            baseline_title="git streams the sources",
            data=("sources", PADDLE_TREE, CUT, "paddle"),
            tree=PADDLE_TREE,
        )
        for build in ("all", "cpu")
    ),
    *(
        Job(
            name=f"tree-commit-{name}",
            title=f"`check` of a Paddle commit that changes {change}, its parent in the cache",
            command=("opspec-lint", "check", *_revisions(f"{commit}~1", commit)),
            baseline=EMPTY,
            baseline_title="an empty Python",
            warm_up=("opspec-lint", "check", *_revisions(f"{commit}~2", f"{commit}~1")),
            tree=PADDLE_TREE,
        )
        for name, commit, change in COMMITS
    ),
    *(
        Job(
            name=f"tree-cold-tensorflow-{release}",
            title=f"`extract` of a source tree of TensorFlow {release} without a cache",
            command=("opspec-lint", "extract", f"tensorflow-source:{{tree}}@{revision}", "--no-cache"),
            baseline=("sh", "-c", "git -C {tree} cat-file --batch < {data}/names > /dev/null"),
            baseline_title="git streams the sources",
            data=("sources", tree, revision, "tensorflow"),
            tree=tree,
        )
        for release, tree, revision in TENSORFLOW_TREES
    ),
    *(
        Job(
            name=f"tree-cold-{name}",
            title=f"`extract` of a source tree of {title} without a cache",
            command=("opspec-lint", "extract", f"{framework}-source:{{tree}}@HEAD", "--no-cache"),
            baseline=("sh", "-c", "git -C {tree} cat-file --batch < {data}/names > /dev/null"),
            baseline_title="git streams the sources",
            data=("sources", variable, "HEAD", framework),
            tree=variable,
        )
        for name, variable, framework, title in SMALL_TREES
    ),
    Job(
        name="tree-commit-tensorflow",
        title="`check` of a TensorFlow commit that changes one op in C++, its parent in the cache",
        command=("opspec-lint", "check", *_tensorflow_revisions(f"{OP_COMMIT}~1", OP_COMMIT)),
        baseline=EMPTY,
        baseline_title="an empty Python",
        warm_up=("opspec-lint", "check", *_tensorflow_revisions(f"{OP_COMMIT}~2", f"{OP_COMMIT}~1")),
        tree=TENSORFLOW_1,
    ),
    Job(
        name="tree-history",
        title=f"`check` of {HISTORY} Paddle commits, one after the other",
        command=("sh", "-c", _EVERY_COMMIT, "{tree}", "opspec-lint", "check"),
        baseline=("sh", "-c", _EVERY_COMMIT, "{tree}", *EMPTY),
        baseline_title="as many times an empty Python",
        warm_up=("opspec-lint", "check", *_revisions(f"{TIP}~{HISTORY}", f"{TIP}~{HISTORY}")),
        tree=PADDLE_TREE,
        is_long=True,
    ),
    Job(
        name="site",
        title=f"`site` of {len(SITE)} releases of TensorFlow Lite",
        command=("opspec-lint", "site", "{cache}/site", *(part for name in SITE for part in ("--spec", name))),
        baseline=decoding(*(f"{{specs}}/{name.replace('@', '-')}.json" for name in SITE)),
        baseline_title="decoding their specs",
        is_long=True,
    ),
    Job(
        name="history-file",
        title=f"`history` of a spec file with {VERSIONS} commits",
        command=HISTORY_FILE,
        baseline=("sh", "-c", "git cat-file --batch < {data}/versions > /dev/null"),
        baseline_title="git streams the versions of the file",
        data=("versions", str(VERSIONS)),
        folder="{data}/top",
        is_long=True,
    ),
    Job(
        name="history-blame",
        title="`blame` of an op in this history",
        command=split("opspec-lint blame {cache}/history.sqlite matmul_v2"),
        baseline=("python", "-c", "import sqlite3"),
        baseline_title="Python imports `sqlite3`",
        data=("versions", str(VERSIONS)),
        warm_up=HISTORY_FILE,
        folder="{data}/top",
    ),
    Job(
        name="blame-tree",
        title=f"`blame` of an op of Paddle in {HISTORY} commits, without a history",
        command=("opspec-lint", "blame", *_revisions(TIP), "softmax", "--since", f"{TIP}~{HISTORY}"),
        baseline=("sh", "-c", _EVERY_COMMIT, "{tree}", *EMPTY),
        baseline_title="as many times an empty Python",
        tree=PADDLE_TREE,
        is_long=True,
    ),
    Job(
        name="history-tree",
        title=f"`history` of {HISTORY} Paddle commits",
        command=(
            *("opspec-lint", "history", *_revisions(TIP), "--since", f"{TIP}~{HISTORY}"),
            *("--jobs", "1", "--output", "{cache}/history.sqlite"),
        ),
        baseline=("sh", "-c", _EVERY_COMMIT, "{tree}", *EMPTY),
        baseline_title="as many times an empty Python",
        tree=PADDLE_TREE,
        is_long=True,
    ),
    Job(
        name="models-first",
        title=f"`audit` of {MODELS} graphs of 1,000 nodes, in one process",
        command=AUDIT,
        baseline=parsing("opspec.GraphDef", "{data}/models/*.pb"),
        baseline_title="protobuf parses the graphs",
        data=("models", str(MODELS)),
        is_long=True,
    ),
    Job(
        name="models-unchanged",
        title="the same again, the graphs unchanged",
        command=AUDIT,
        baseline=parsing("opspec.GraphDef", "{data}/models/*.pb"),
        baseline_title="protobuf parses the graphs",
        data=("models", str(MODELS)),
        warm_up=AUDIT,
        is_long=True,
    ),
    Job(
        name="models-new-spec",
        title="the same again, with another release",
        command=(*AUDIT, "--against", "tensorflow@2.18.1"),
        baseline=parsing("opspec.GraphDef", "{data}/models/*.pb"),
        baseline_title="protobuf parses the graphs",
        data=("models", str(MODELS)),
        warm_up=AUDIT,
        is_long=True,
    ),
)
