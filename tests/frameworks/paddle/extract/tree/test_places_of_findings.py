"""Every finding of a check of two source trees, its lines read back: they declare the thing that it names.

OPSPEC_LINT_PADDLE_TREE names a repository of Paddle with the whole history. The lines are read here by other means than
those that found them: regular expressions, PyYAML and `git grep`.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from functools import cache

import pytest
import yaml

from opspec_lint.lint.check import check
from opspec_lint.lint.profiles.strict import PROFILE
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.model import UNKNOWN

TREE = os.environ.get("OPSPEC_LINT_PADDLE_TREE")
PAIRS = [
    ("cb2ad89884", "b3d4ce374f"),
    ("b3d4ce374f", "cb2ad89884"),
    ("b3d4ce374f~4000", "b3d4ce374f"),
    ("cb2ad89884~2500", "cb2ad89884"),
    ("b3d4ce374f~11000", "b3d4ce374f~7000"),
    ("b3d4ce374f~7000", "b3d4ce374f~4000"),
]
ADDERS = {"input": "AddInput", "output": "AddOutput", "attr": "AddAttr"}
SECTIONS = {"input": "inputs", "output": "outputs", "attr": "attrs"}
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
ONLY_HEAD = {
    "attr_added_with_default",
    "attr_added_without_default",
    "input_added_dispensable",
    "input_added_not_dispensable",
    "output_added_dispensable",
    "output_added_not_dispensable",
    "op_added",
    "op_version_dropped",
    "compat_key_unread",
    "yaml_entry_wrong",
    "op_version_names_nothing",
    "op_unresolved",
    "op_still_unresolved",
}
"""The rules about what base does not have, and so has no place there."""
COMPAT = ("paddle/phi/api/yaml/op_compat.yaml", "paddle/phi/ops/yaml/op_compat.yaml")

pytestmark = [pytest.mark.wheel, pytest.mark.skipif(not TREE, reason="OPSPEC_LINT_PADDLE_TREE is not set")]


@cache
def git(*arguments):
    done = subprocess.run(["git", "-C", TREE, *arguments], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


@cache
def lines(revision, path):
    return git("show", f"{revision}:{path}").splitlines()


@cache
def text_from(revision, origin):
    """Return the text of a file from a place on."""
    own = lines(revision, origin.file)
    return "\n".join([own[origin.line - 1][(origin.column or 1) - 1 :], *own[origin.line : origin.line + 40]])


@cache
def is_value(revision, text, name):
    """Tell whether a constant or function of a name has a string as its value anywhere in the tree."""
    output = git("grep", "-h", "-A3", "-E", rf"\b{re.escape(text)}\b *(\(\)|\[\]|=|\{{|\")", revision, "--", "paddle")
    return f'"{name}"' in output


@cache
def renamed(revision):
    """Return the arguments in op_compat.yaml: pairs of the name in the other YAML files and that in programs."""
    pairs = set()
    for path in COMPAT:
        for entry in yaml.safe_load("\n".join(lines(revision, path))) or ():
            for section in SECTIONS.values():
                pairs |= set((entry.get(section) or {}).items())
            for section in ("scalar", "int_array"):
                for name, config in (entry.get(section) or {}).items():
                    pairs |= {(name, config.get(key)) for key in ("tensor_name", "tensors_name")}
    return pairs


@cache
def called(revision):
    """Return the names of ops in op_compat.yaml: pairs of the name in the other YAML files and that in programs."""
    pairs = set()
    for path in COMPAT:
        for entry in yaml.safe_load("\n".join(lines(revision, path))) or ():
            match = re.fullmatch(r"(\w+?)_?\s*\(\s*(\w+)\s*\)", entry.get("op", ""))
            pairs |= {match.groups()} if match else set()
    return pairs


def is_declared_in_yaml(revision, text, name):
    term = re.match(r"\w*", text)[0]
    spoken = {reference for own, reference in renamed(revision) if own == term} | {term}
    pascal = "".join(part[:1].upper() + part[1:] for part in term.split("_"))
    return name in spoken | {
        f"{item}{tail}" for item in (*spoken, pascal) for tail in ("Tensor", "TensorList", "Length")
    }


def is_declaration(revision, origin, kind, name):
    """Tell whether a place declares an input, output or attr."""
    text = text_from(revision, origin)
    if origin.file.endswith(".yaml"):
        return is_declared_in_yaml(revision, text, name)
    if re.match(r"[A-Z][A-Z0-9_]+\s*\(", text):
        return True  # a macro that declares the op, of which the op's own line is tested
    match = re.match(rf"{ADDERS[kind]}\s*(?:<[^;(]*>)?\s*\(\s*", text)
    if match is None:
        return False
    literal = LITERAL.match(text, match.end())
    if literal:
        return literal[1] == name
    term = re.match(r"(?:\w+::)*(\w+)", text[match.end() :])
    return term is not None and is_value(revision, term[1], name)


def is_op(revision, origin, op):
    """Tell whether a place declares an op, of any name where that is None."""
    text = text_from(revision, origin)
    if origin.file.endswith(".yaml"):
        match = re.match(r"\s*- *(?:op|api)\s*:\s*(\w+)", lines(revision, origin.file)[origin.line - 1])
        if match is None or op is None:
            return match is not None
        term = match[1].removesuffix("_")
        written = {match[1], term}
        return op in {
            *written,
            *(f"sparse_{item}" for item in written),
            *(reference for own, reference in called(revision) if own == term),
        }
    match = re.match(r"([A-Z][A-Z0-9_]+)\s*\(", text)
    if match is None or op is None:
        return match is not None
    inside = [text[: text.find(")")]]
    if match[1].startswith("FOR_EACH"):  # the ops are in the macro
        inside.append(git("grep", "-h", "-A80", f"define {match[1]}", revision, "--", "paddle"))
    return any(re.search(rf"\b{op}\b", text) for text in inside)


def is_registered(revision, origin, finding):
    """Tell whether a place is in the history of an op, at what is named or at a checkpoint."""
    own = lines(revision, origin.file)[: origin.line]
    text = text_from(revision, origin)
    heads = [re.match(r"REGISTER_OP_VERSION\((\w+)\)|\s*- *op *: *(\w+)", line) for line in own]
    last = next((match[1] or match[2] for match in reversed(heads) if match), None)
    names = {last, *(reference for own, reference in called(revision) if own == last)}
    checkpoint = "heckpoint" in text.splitlines()[0] or "REGISTER_OP_VERSION" in text.splitlines()[0]
    return finding.op in names and (checkpoint or finding.name in text)


def histories(spec):
    return {} if spec.op_versions is UNKNOWN else spec.op_versions


def is_right(revision, spec, finding, origin, name):
    plain = finding.op.partition(" [")[0]  # what is declared for one build is called `op [build]`
    op = spec.ops.get(finding.op) or spec.ops.get(plain)
    if finding.rule in ("compat_key_unread", "yaml_entry_wrong"):
        return finding.name.rpartition(".")[2] in lines(revision, origin.file)[origin.line - 1]
    if finding.rule == "op_version_dropped":
        return finding.op in text_from(revision, origin).splitlines()[0] or is_op(revision, origin, finding.op)
    if finding.kind == "registration":
        return (
            is_registered(revision, origin, finding)
            or (op is None and is_op(revision, origin, None))
            or is_op(revision, origin, plain)
        )
    if finding.kind not in SECTIONS:
        return is_op(revision, origin, plain if op else None)
    names = [] if op is None else [item.name for item in getattr(op, SECTIONS[finding.kind])]
    if name in names:
        return is_declaration(revision, origin, finding.kind, name)
    return is_op(revision, origin, plain if op else None) or any(
        is_declaration(revision, origin, finding.kind, name) for name in names
    )


@pytest.mark.parametrize(("base", "head"), PAIRS)
def test_every_finding_points_to_lines_that_declare_what_it_names(base, head):
    settings = Reading(environment=dict(os.environ), build="all")
    specs = {revision: SOURCES.load("paddle-source").spec(f"{TREE}@{revision}", settings) for revision in (base, head)}
    findings = check(specs[base], specs[head], PROFILE).findings
    seen, wrong = Counter(), []
    for finding in findings:
        if finding.op is None:
            continue
        for revision, origin, name in (
            (base, finding.base_origin, finding.name),
            (head, finding.head_origin, finding.new_name or finding.name),
        ):
            is_new = finding.op not in {*specs[base].ops, *histories(specs[base])} or finding.rule in ONLY_HEAD
            if origin is None and revision == base and is_new:
                continue
            seen[finding.kind] += 1
            if origin is None or origin.line is None or not is_right(revision, specs[revision], finding, origin, name):
                wrong.append((revision, finding.rule, finding.op, finding.kind, name, origin))
    assert wrong == []
    assert sum(seen.values()) > 200
