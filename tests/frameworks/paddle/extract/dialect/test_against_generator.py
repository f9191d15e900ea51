"""What is read of real revisions of Paddle against what their own generator makes, where a repository is at hand.

OPSPEC_LINT_PADDLE_TREE names it: a clone with the whole history, bare or not. The generator of each revision is run.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tarfile
from collections import Counter

import pytest

from opspec_lint.frameworks.paddle.extract.dialect import calls
from opspec_lint.frameworks.paddle.extract.dialect.headers import op_classes
from opspec_lint.frameworks.paddle.extract.dialect.known_generators import KNOWN
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES

SOURCE = SOURCES.load("paddle-pir-source")

TREE = os.environ.get("OPSPEC_LINT_PADDLE_TREE")
REVISIONS = ("058b008e72", "59469192e2", "3611e26631", "0f6d78bd59", "36a3c919d2", "56d4e923d2")
"""One for each half of a season, from the first generator that calls the dialect `pd_op`."""
NEEDED = (
    *("paddle/phi/ops/yaml", "paddle/phi/api/yaml", "paddle/fluid/operators/generator", "paddle/fluid/pir/dialect"),
    *("paddle/fluid/primitive", "paddle/fluid/prim/api/auto_code_generated"),
)
ITEM = re.compile(r'Op(Input|Attribute|Output)Info\("([^"]*)", "([^"]*)",?\s*([^()]*)\)')
OPTIONS = {"with_distributed": "OFF", "op_cc_split_num": "4", "bwd_op_cc_split_num": "2"}
HELD = re.compile(r"(ScalarAttribute)<.*")

pytestmark = [pytest.mark.wheel, pytest.mark.skipif(not TREE, reason="OPSPEC_LINT_PADDLE_TREE is not set")]


def unpacked(revision, folder):
    """Write the files of a revision that its generator needs."""
    for path in NEEDED:
        done = subprocess.run(["git", "-C", TREE, "archive", revision, path], capture_output=True, check=False)
        if done.returncode == 0:
            with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
                archive.extractall(folder, filter="data")


def text_of(folder):
    return lambda path: (folder / path).read_text() if (folder / path).is_file() else None


def parsed_name(call, path):
    """Return the name of a parsed file; the generator looks at some of them."""
    if path in call.sparse or path in call.sparse_backward:
        return "sparse_ops" if path in call.sparse else "sparse_backward"
    for name in ("ops", "backward"):
        if re.fullmatch(rf"paddle/phi/(?:ops|api)/yaml/{name}\.yaml", path):
            return name
    return re.sub(r"\W", "_", path.removesuffix(".yaml"))


def generated(revision, folder):
    """Return the header and the code that the generator of a revision makes."""
    unpacked(revision, folder)
    call = calls.read(text_of(folder))
    parser = folder / "paddle/fluid/operators/generator"
    files = []
    for path in call.files:
        target = folder / f"{parsed_name(call, path)}.parsed.yaml"
        backward = ["--backward"] if re.search(r"^- backward_op", (folder / path).read_text(), re.MULTILINE) else []
        run(parser / "parse_op.py", "--op_yaml_path", folder / path, "--output_path", target, *backward)
        files.append(str(target))
    script = folder / call.folder / "op_gen.py"
    text = script.read_text()
    several = "op_def_cc_file.split" in text
    code = [folder / f"out{place}.cc" for place in range(len(files) if several else 1)]
    options = {"op_yaml_files": ",".join(files), "op_compat_yaml_file": folder / call.compat}
    options |= {"namespaces": "paddle,dialect", "dialect_name": call.dialect, "op_def_h_file": folder / "pd_op.h.tmp"}
    options |= {"op_def_cc_file": ",".join(map(str, code)), "op_info_file": folder / "info.cc"}
    options |= {"op_vjp_cc_file": folder / "vjp.cc", **OPTIONS}
    known = [(name, value) for name, value in options.items() if f"--{name}'" in text or f'--{name}"' in text]
    run(script, *(text for name, value in known for text in (f"--{name}", value)))
    made = sorted(folder.glob("out*.cc*"))
    return (folder / "pd_op.h.tmp").read_text(), "".join(path.read_text() for path in made)


def run(script, *arguments):
    command = [sys.executable, str(script), *map(str, arguments)]
    subprocess.run(command, cwd=script.parent, check=True, capture_output=True)


def made(header, code):
    """Return each op of generated code as comparable texts, and whether each attr has a default value."""
    infos = dict(re.findall(r"OpInfoTuple (\w+)::GetOpInfo\(\) \{(.*?)\n\}", code, re.DOTALL))
    result = {}
    for op_class in op_classes(header):
        sections = {"Input": [], "Attribute": [], "Output": []}
        for section, name, kind, more in ITEM.findall(infos[op_class.name]):
            flags = tuple(part.strip() == "true" for part in more.split(","))
            kept = {"Input": (flags[0], flags[2:3] == (True,)), "Output": flags[:2], "Attribute": ()}[section]
            sections[section].append((name, re.sub(r"\bir::", "pir::", kind), *kept))
        defaults = {name: parameter.default is not None for name, parameter in op_class.attrs.items()}
        result[op_class.op] = (*sections.values(), op_class.count, defaults if op_class.builds else {})
    return result


def read(op, defaults):
    """Return an op of a spec in the same way."""
    inputs = [
        (argument.name, kind(argument), argument.dispensable, argument.get("mutable_attr")) for argument in op.inputs
    ]
    outputs = [(output.name, kind(output), output.dispensable, output.get("intermediate")) for output in op.outputs]
    attrs = [(attr.name, kind(attr)) for attr in op.attrs]
    messages = {attr.name: attr.default_value is not None for attr in op.attrs if attr.name in defaults}
    messages |= {
        argument.name: argument.get("default") is not None for argument in op.inputs if argument.name in defaults
    }
    return inputs, attrs, outputs, len(op.attrs), messages


def kind(item):
    return HELD.sub(r"\1", item.type)


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_op_is_what_the_generator_makes(revision, tmp_path):
    reference = made(*generated(revision, tmp_path))
    spec = SOURCE.spec(f"{TREE}@{revision}", Reading(environment=dict(os.environ), caches=False))
    assert spec.remarks == ()
    assert len(reference) > 900
    wrong = [
        op for op, expected in reference.items() if op not in spec.ops or read(spec.ops[op], expected[4]) != expected
    ]
    assert wrong == []
    by_hand = {name for name in spec.ops if name not in reference}
    assert all(not spec.ops[name].origin.file.endswith(".yaml") for name in by_hand)


def test_three_hundred_revisions_are_read_and_what_is_not_certain_is_named():
    log = ["git", "-C", TREE, "log", "--first-parent", "--since=2023-09-02", "--until=2025-01-01", "--format=%H"]
    revisions = subprocess.run(log, capture_output=True, text=True, check=True).stdout.split()
    step = max(1, len(revisions) // 300)
    seen = Counter()
    for revision in revisions[::step]:
        spec = SOURCE.spec(f"{TREE}@{revision}", Reading(environment=dict(os.environ), caches=False))
        seen[len(list(spec.ops.values())) > 900, tuple(remark.event for remark in spec.remarks)] += 1
    assert set(seen) <= {(True, ()), (True, ("yaml_generator_unknown",))}
    assert sum(seen.values()) >= 300
    assert seen[True, ()] >= 0.95 * sum(seen.values())


def test_every_known_generator_has_a_fingerprint_of_its_own():
    assert len(KNOWN) > 30
    assert all(re.fullmatch(r"[0-9a-f]{16}", item) for item in KNOWN)
