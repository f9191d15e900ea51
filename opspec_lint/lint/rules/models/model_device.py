"""A node of a saved model cannot be placed.

Flags:
    A device that cannot be parsed or is of another job, or a node to stand beside that is not there.

Why it breaks:
    The loader refuses what it cannot parse; a device that the process has not fails at the first run.

Instead:
    Clear the devices when the model is exported (`clear_devices`).
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the place '{name}' {problem}",
    witness="the loader refuses the model, or the first run fails, as the node has no device",
    advice="export the model with `clear_devices=True`",
    facts={"op": "NoOp", "name": "/job:worker/task:3", "problem": "names a job that a single process does not have"},
    flagged=(("graph.pb:\n  NoOp() -> (y)\n  device y: /job:worker/task:3", "import_graph_def: NoOp() -> ()"),),
    passes=(("graph.pb:\n  NoOp() -> (y)\n  device y: /job:localhost/device:CPU:0", "import_graph_def: NoOp() -> ()"),),
)
