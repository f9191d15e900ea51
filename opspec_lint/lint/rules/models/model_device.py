"""A node of a saved model cannot be placed.

Flags:
    A device that cannot be parsed or belongs to another job, or a node to be colocated with that does not exist.

Why it breaks:
    The loader refuses a device or colocation that it cannot resolve. Another job, replica or task fails at the first
    run, which is the load itself if that restores variables or initializes tables.

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
    facts={
        "op": "NoOp",
        "name": "/job:worker/task:3",
        "problem": "names a job, replica or task that a single process does not have",
    },
    flagged=(("graph.pb:\n  NoOp() -> (y)\n  device y: /job:worker/task:3", "import_graph_def: NoOp() -> ()"),),
    passes=(("graph.pb:\n  NoOp() -> (y)\n  device y: /job:localhost/device:CPU:0", "import_graph_def: NoOp() -> ()"),),
)
