"""Scenes of audits: base is a saved model, head a loader and the ops of its release."""

from __future__ import annotations

import ast

from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from tests.support import per_framework
from tests.support.scenes import releases

SAVED_BY = "saved by"
SAVED_MODEL = "saved_model.pb"


LIMITS = {"pytorch": {"operator_version": 10}}
"""The limits of releases that scenes do not state."""


def is_audit(head):
    """Return whether the head of a scene is a call of a loader."""
    return any(_loader_name(key) in LOADERS.names() for key in head)


def findings(base, head, folder):
    """Write the model of base to a folder, and return the findings of the loader of head."""
    ((call, ops),) = head.items()
    loader = LOADERS.load(_loader_name(call))
    options = {"saved_by": releases.spec(base[SAVED_BY], loader.framework)} if SAVED_BY in base else {}
    files = {name: text for name, text in base.items() if name != SAVED_BY}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        _write(folder / name, text)
    path = folder if SAVED_MODEL in files else folder / next(iter(files))
    spec = releases.spec(ops, loader.spec_framework, _version(call))
    spec = spec.replace(loading={**LIMITS.get(loader.spec_framework, {}), **spec.loading})
    (result,) = audit(str(path), [("spec", spec)], [loader], LoadOptions(**options, **_arguments(call)))
    return result.findings


def _write(path, text):
    """Write a model, or a text in quotes as it is."""
    if text.startswith('"') or path.suffix == ".txt":
        path.write_text(ast.literal_eval(text), encoding="utf-8")
        return
    (write,) = [
        write
        for written in per_framework.every("WRITTEN").values()
        for end, write in written.items()
        if str(path).endswith(end)
    ]
    write(path, text)


def _loader_name(call):
    return call.partition(" of ")[0].partition("(")[0]


def _version(call):
    return call.partition(" of ")[2] or None


def _arguments(call):
    """Return the keyword arguments of a call."""
    node = ast.parse(call.partition(" of ")[0], mode="eval").body
    given = node.keywords if isinstance(node, ast.Call) else ()
    return {keyword.arg: ast.literal_eval(keyword.value) for keyword in given}
