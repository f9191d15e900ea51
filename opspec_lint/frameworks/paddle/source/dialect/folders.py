"""Where in a tree of Paddle the ops of PIR's dialects stand."""

FOLDERS = ("paddle",)
"""The folders that hold whatever an extraction looks at."""

SUFFIXES = (".yaml",)
"""How the files end that are looked for; any other is read by its name."""
