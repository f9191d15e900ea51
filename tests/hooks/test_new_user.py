"""The way of a new user, with the real commands: init, the hooks installed, commits, checks.

A repository of each kind: a spec file, a source tree of Paddle, OpLists of TensorFlow, and nothing. What GitHub hosts
is, for git, a copy of this checkout, so that hook and workflow are those that one has who writes `--from https://...`.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml
from google.protobuf import text_format

from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.sources import recognise
from tests.hooks.committing import BASE, BROKEN, CONFIG, GROWN, HOST, PRE_COMMIT, ROOT
from tests.support.patience import PATIENCE
from tests.support.repositories import Repository
from tests.support.samples import sampled
from tests.support.trees.paddle_trees import BASE as TREE
from tests.support.trees.paddle_trees import CLASS, OPERATORS

ZIZMOR = Path(sys.executable).parent / "zizmor"
SETTINGS, WORKFLOW = "opspec-lint.toml", ".github/workflows/opspec-lint.yml"
MADE = {SETTINGS, CONFIG, WORKFLOW}

RELEASED = "specs/paddle-3.0.0.json"
OP = f"{OPERATORS}/f_op.cc"
MAKER = CLASS.format(name="FOpMaker", body='AddInput("X", "x"); AddAttr<int>("axis", "a").SetDefault({axis});')
SOURCE = (
    f"class FOp : public framework::OperatorWithKernel {{}};\n{MAKER}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
)
OPLIST = "tensorflow/core/ops/ops.pbtxt"
OPS_OF_A_LIST = 100
API_DEF = {
    f"tensorflow/core/api_def/base_api/api_def_{name}.pbtxt": f'op {{\n  graph_op_name: "{name}"\n  summary: "x"\n}}\n'
    for name in ("Abs", "Acos")
}
"""What is written in protobuf's text format beside it, begins as an OpList does, and is none."""
FOREIGN = "# ours\nrepos:\n- repo: local\n  hooks: [{id: mine, name: mine, entry: 'true', language: system}] # stays\n"


def paddle(axis):
    return TREE | {OP: SOURCE.replace("{axis}", str(axis))}


def released():
    return (ROOT / RELEASED).read_text(encoding="utf-8")


def swapped(text, old, new):
    assert text.count(old) == 1
    return text.replace(old, new)


@cache
def _released_ops():
    return op_lists.dump(recognise.read(str(ROOT / "specs/tensorflow-1.15.0.json")).spec)


def oplist():
    """Return an OpList of the first ops of a released TensorFlow."""
    made = op_lists.from_bytes(_released_ops(), "ops.pb")
    del made.op[OPS_OF_A_LIST:]
    return made


def without(name):
    made = oplist()
    del made.op[[op.name for op in made.op].index(name)]
    return made


def grown():
    made = oplist()
    made.op.add(name="ZzNew")
    return made


def text(made):
    return text_format.MessageToString(made)


def binary(made):
    return made.SerializeToString()


class Kind:
    """A kind of repository: its files, a change that breaks nothing, one that does, and the rule that says so."""

    def __init__(self, before, good, bad, rule, **more):
        self.files, self.good, self.bad, self.rule = before, good, bad, rule
        self.validates, self.exists = more.get("validates", True), more.get("exists", False)


def of_a_spec_file():
    before, flag, after = (
        released(),
        '{"name": "num_hash", "type": "INT", "default_value": 1}',
        '\n  "heter_listen_and_serv": {',
    )
    return Kind(
        {RELEASED: before},
        {RELEASED: swapped(before, after, f'\n  "hash_of": {{}},{after}')},
        {RELEASED: swapped(before, flag, flag.replace(": 1}", ": 2}"))},
        "attr_default_changed",
    )


KINDS = {
    "a spec file": of_a_spec_file,
    "an output of print_op_desc": lambda: Kind(
        {"OP_DESC.spec": BASE}, {"OP_DESC.spec": GROWN}, {"OP_DESC.spec": BROKEN}, "op_removed", exists=True
    ),
    "a source tree of Paddle": lambda: Kind(
        paddle(1), {OP: f"// a comment\n{paddle(1)[OP]}"}, {OP: paddle(2)[OP]}, "attr_default_changed", validates=False
    ),
    "an OpList as text": lambda: Kind(
        {OPLIST: text(oplist())} | API_DEF, {OPLIST: text(grown())}, {OPLIST: text(without("Acos"))}, "op_removed"
    ),
    "an OpList in binary": lambda: Kind(
        {"specs/ops.pb": binary(oplist())},
        {"specs/ops.pb": binary(grown())},
        {"specs/ops.pb": binary(without("Acos"))},
        "op_removed",
    ),
}


class User:
    """Somebody in a repository of theirs, who has never seen the program."""

    def __init__(self, folder, hooks, before):
        more = {**hooks.environment, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
        self.hooks, self.revision = hooks, Repository(hooks.source).head
        self.repository = Repository.make(folder / "top", before, **more)

    def opspec(self, *args):
        ran = self.repository.opspec(*args)
        return ran.returncode, ran.stdout, ran.stderr

    def init(self):
        return self.opspec("init", "--from", f"{HOST}@{self.revision}")

    def add_what_was_printed(self, output):
        """Add the entry of the hooks to those that are there, as the message asks."""
        entry = "".join(f"{line[7:]}\n" for line in output.splitlines() if line.startswith("       "))
        with (self.repository.top / CONFIG).open("a", encoding="utf-8") as stream:
            stream.write(entry)

    def switch_on(self):
        for texts in (("validate-config",), ("install",)):
            ran = self.repository.run(*PRE_COMMIT, *texts)
            assert ran.returncode == 0, ran.stdout + ran.stderr

    def commit(self):
        """Commit, and return git's exit code, all that is said, and the verdict of each of our hooks."""
        ran = self.repository.run("git", "commit", "-m", "x", timeout=PATIENCE)
        stdout = ran.stdout + ran.stderr
        return (
            ran.returncode,
            stdout,
            dict(re.findall(r"^(opspec-lint(?: \w+)?)\.+(?:\(.*\))?(\w+)$", stdout, re.MULTILINE)),
        )

    def look_at_what_was_written(self, kind):
        """The content of the files holds: the settings, the revision and the hooks that it has, the workflow."""
        code, out, err = self.opspec("config")
        assert (code, out, err) == (0, f"{SETTINGS} is in order\n", "")
        entry = yaml.safe_load((self.repository.top / CONFIG).read_text(encoding="utf-8"))["repos"][-1]
        manifest = Repository(self.hooks.source).git("show", f"{entry['rev']}:.pre-commit-hooks.yaml")
        texts = {"opspec-lint", "opspec-lint-validate"} if kind.validates else {"opspec-lint"}
        assert {hook["id"] for hook in entry["hooks"]} == texts
        assert texts <= {hook["id"] for hook in yaml.safe_load(manifest)}
        steps = yaml.safe_load((self.repository.top / WORKFLOW).read_text(encoding="utf-8"))["jobs"]["operators"][
            "steps"
        ]
        assert (
            f"https://github.com/{steps[-1]['uses']}" == f"{HOST}@{self.revision}" == f"{entry['repo']}@{entry['rev']}"
        )
        ran = self.repository.run(ZIZMOR, "--offline", "--quiet", "--pedantic", WORKFLOW)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def work(self, kind):
        """Commit what is there, a change that breaks nothing, and try to commit one that does."""
        self.repository.git("add", "--all")
        code, output, _ = self.commit()
        assert code == 0, output
        assert self.opspec("check")[0] == 0
        self.repository.stage(kind.good)
        assert self.opspec("check")[0] == 0
        code, output, verdicts = self.commit()
        assert (code, verdicts["opspec-lint"]) == (0, "Passed"), output
        assert verdicts.get("opspec-lint validate") == ("Passed" if kind.validates else None)
        head = self.repository.head
        self.repository.stage(kind.bad)
        code, output, verdicts = self.commit()
        assert (code, verdicts["opspec-lint"], self.repository.head) == (1, "Failed", head), output
        assert f"[{kind.rule}" in output
        code, out, err = self.opspec("check")
        assert (code, err) == (1, "")
        assert fingerprints(out) == fingerprints(output) != set()
        self.repository.git("reset", "--quiet", "--hard")
        assert self.opspec("check")[0] == 0

    def init_again(self):
        before = self.repository.state()
        code, out, err = self.init()
        assert (code, err) == (0, "")
        assert [line.split()[0] for line in out.splitlines()][-4:] == ["left", "left", "left", "next"]
        assert out.endswith("next   nothing: the setup is complete\n")
        assert self.repository.state() == before


def fingerprints(output):
    return set(re.findall(r"fingerprint: (\w+)$", output, re.MULTILINE))


@pytest.fixture
def user(tmp_path, hooks):
    """Return a function that puts a new user into a repository of some files, None for one without a commit."""
    return lambda before: User(tmp_path, hooks, before)


@pytest.mark.parametrize("kind", sampled(KINDS, ["a spec file", "a source tree of Paddle", "an OpList as text"]))
def test_from_init_to_a_refused_commit(user, kind):
    kind = KINDS[kind]()
    new = user(kind.files | ({CONFIG: FOREIGN} if kind.exists else {}))
    new.repository.git("switch", "-qc", "mine")
    code, output, err = new.init()
    assert (code, err) == (0, "")
    assert all((new.repository.top / path).is_file() for path in MADE)
    if kind.exists:
        new.add_what_was_printed(output)
        assert (new.repository.top / CONFIG).read_text(encoding="utf-8").startswith(FOREIGN)
    new.look_at_what_was_written(kind)
    new.switch_on()
    new.work(kind)
    new.init_again()


def test_before_the_first_commit_of_all(user):
    kind = KINDS["a source tree of Paddle"]()
    new = user(None)
    new.repository.write(kind.files)
    assert new.init()[0] == 0
    new.switch_on()
    new.work(kind)
    new.init_again()


@pytest.mark.parametrize("before", [None, {"README": "x\n"} | API_DEF], ids=["no commit", "no ops"])
def test_from_nothing_by_the_advice(user, before):
    new = user(before)
    state = new.repository.state() if before else None
    for command in ("init", "check"):
        code, out, err = new.opspec(command)
        assert (code, out) == (2, "")
        assert "`opspec-lint extract SOURCE --output specs/NAME.json`" in err
    if before:
        assert new.repository.state() == state
    raw = new.repository.top.parent / "raw.json"
    raw.write_text(BASE, encoding="utf-8")
    assert new.opspec("extract", raw, "--output", "specs/ours.json")[0] == 0
    assert new.init()[0] == 0
    new.switch_on()
    whole = (new.repository.top / "specs/ours.json").read_text(encoding="utf-8")
    more = swapped(whole, '  "relu": {}\n', '  "relu": {},\n  "tanh": {}\n')
    gone = swapped(whole, '  "abs": {},\n', "")
    new.work(Kind({}, {"specs/ours.json": more}, {"specs/ours.json": gone}, "op_removed"))
    new.init_again()


def test_where_there_is_no_repository_nothing_is_written(tmp_path):
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/ops.json").write_text(BASE, encoding="utf-8")
    alone = Repository(tmp_path, PYTHONPATH=str(ROOT), GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    before = alone.files()
    ran = alone.opspec("init")
    assert (ran.returncode, ran.stdout, "`git init`" in ran.stderr) == (2, "", True)
    assert alone.files() == before
