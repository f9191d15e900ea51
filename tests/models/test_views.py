"""The pictures as text for other programs: escaped, and no larger than these draw."""

from __future__ import annotations

import random
import re
import shutil
import subprocess

import pytest

from tests.support.models.tensorflow_models import graph, node, placeholder, write
from tests.support.nasty import TEXTS
from tests.support.patience import PATIENCE
from tests.support.programs import run

X = placeholder()
NAMES = [text for text in TEXTS if text.encode("utf-8", "ignore").decode() == text]
"""Those that a file of protobuf can have."""
MARKUP = ('a"]; b -->|x| c', "a`b`", "a#quot;b", "end", "\\", '\\"', "<b>x</b>", "%%{init}%%")

TEXTS = [*NAMES, *MARKUP]
"""Numbered, as an id made of such a text depends on the version of Python."""


def tangled(tmp_path, count=4000, scopes=60):
    """A graph in which much is connected to much."""
    choice = random.Random(8)  # noqa: S311 - no secret
    nodes = [X]
    for at in range(count):
        takes = [choice.choice(nodes).name for _ in range(4)]
        nodes.append(
            node(f"scope_with_a_long_name_{choice.randrange(scopes)}/n{at}", f"Op{choice.randrange(99)}", *takes)
        )
    return write(tmp_path / "tangled.pb", graph(*nodes))


@pytest.mark.parametrize("text", [*NAMES, *MARKUP])
def test_names_are_no_markup(tmp_path, text):
    path = write(tmp_path / "graph.pb", graph(X, node("n", text[:2000], "x")))
    mermaid = run("show", path, "--format", "mermaid").out
    (line,) = [line for line in mermaid.splitlines() if "b0_3[" in line]
    assert re.fullmatch(r'      b0_3\["[A-Za-z0-9 _./:,()+#;<>-]*"\]', line)
    assert "<" not in line.replace("<br>", "")
    dot = run("show", path, "--format", "dot").out
    (line,) = [line for line in dot.splitlines() if line.strip().startswith("b0_3 [")]
    assert re.fullmatch(r' +b0_3 \[label="(?:[^"\\]|\\\\|\\"|\\n)*"\];', line)


def test_mermaid_draws_what_a_comment_has(tmp_path):
    text = run("show", tangled(tmp_path), "--format", "mermaid").out
    assert text.startswith("flowchart TB\n")
    assert len(text) < 50_000
    assert text.count("-->") == 400
    assert " arrows not drawn" in text.splitlines()[1]


def test_more_models_than_mermaid_draws(tmp_path):
    path = write(tmp_path / "graph.pb", graph(X))
    ran = run("show", *[path] * 900, "--format", "mermaid")
    assert ran.code == 2
    assert "show fewer models at once" in ran.err


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not installed")
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_graphviz_reads_it(tmp_path, text):
    path = write(tmp_path / "graph.pb", graph(X, node(f"{text[:200]}/n", text[:2000], "x")))
    dot = run("show", path, "--format", "dot").out
    read = subprocess.run(["dot", "-Tdot"], input=dot, text=True, check=False, capture_output=True, timeout=PATIENCE)
    assert (read.returncode, read.stderr) == (0, "")


def test_findings_are_marked(tmp_path):
    path = write(tmp_path / "graph.pb", graph(X, node("a", "DecodeWebP"), node("b", "DecodeWebP")))
    texts = ("show", path, "--against", "tensorflow@2.18.1", "--format")
    mermaid = run(*texts, "mermaid").out
    assert "  classDef marked " in mermaid
    assert "  class b0_3,b0_4 marked" in mermaid
    assert run(*texts, "dot").out.count("penwidth") == 4  # two nodes, and the graph and the model around them
    html = run(*texts, "html").out
    assert html.count("the release has no op &#39;DecodeWebP&#39;") == 1
    ran = run(*texts, "json")
    assert ran.code == 2
    assert "--against needs a picture, and json is not one" in ran.err


def test_a_node_that_cannot_be_read_is_reported_with_its_file(tmp_path):
    data = b"\x0a\x0b\x0a\x01n\x12\x02Op\x2a\x02\x0a\x7f"  # an attr of two bytes that claims 127
    (tmp_path / "graph.pb").write_bytes(data)
    ran = run("show", tmp_path / "graph.pb", "--format", "dot")
    assert ran.code == 3
    assert f"{tmp_path / 'graph.pb'}: main graph: an attr of a node: its bytes cannot be decoded" in ran.err
