"""The reader of source trees: it runs in an interpreter that has opspec-lint, of this or an earlier revision.

Its arguments are a scheme and trees. It writes one line of JSON for each tree: [ops, remarks, error]. An op is a name
with [condition, place, schema], the schema of ops of PyTorch only; a remark is [event, name, op, place, reason].
"""

import json
import os
import sys

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES


def main(scheme, *trees):
    """Read the trees."""
    # Standard output is for answers only.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    source = SOURCES.load(scheme)
    for tree in trees:
        try:
            spec = source.spec(tree, Reading(environment=os.environ))
            ops = {name: _describe(scheme, spec.ops[name]) for name in spec.ops}
            answer = [ops, [_describe_remark(remark) for remark in spec.remarks], None]
        except InputError as error:
            answer = [{}, [], str(error)]
        answers.write(json.dumps(answer, default=list) + "\n")
        answers.flush()


def _describe(scheme, op):
    schema = ""
    if scheme == "pytorch-source":
        from opspec_lint.frameworks.pytorch.schemas.text import show

        schema = show(op)
    return [op.get("declared_if") or None, _place(op.origin), schema]


def _describe_remark(remark):
    reason = dict(remark.facts).get("reason", "")
    return [remark.event, remark.name, getattr(remark, "op", None), _place(remark.origin), reason]


def _place(origin):
    return "" if origin is None else f"{origin.file}:{origin.line}"


if __name__ == "__main__":
    main(*sys.argv[1:])
