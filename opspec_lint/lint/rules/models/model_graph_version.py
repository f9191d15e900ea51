"""The release cannot read the version of a saved model.

Flags:
    A graph whose producer is too old, whose `min_consumer` is newer than the release, or that names the release
    as a bad consumer.

Why it breaks:
    The loader refuses the graph before it looks at any node.

Instead:
    Load it with a release that reads the version.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the graph {problem} ({name})",
    witness="the release refuses the graph",
    advice="{remedy}",
    facts={
        "name": "min_consumer",
        "problem": "requires at least version 1400, and the release has 1395",
        "remedy": "load it with a release that reads graphs of that version",
    },
    flagged=(
        (
            'graph.pb: versions {"producer": 1395, "min_consumer": 1400}',
            'import_graph_def: versions {"producer": 1395}',
        ),
    ),
    passes=(
        ('graph.pb: versions {"producer": 1395, "min_consumer": 12}', 'import_graph_def: versions {"producer": 1395}'),
    ),
)
