"""Where in a tree of Paddle things stand."""

FOLDERS = ("paddle", "python/paddle/utils/code_gen")
"""The folders that hold whatever an extraction looks at."""

SUFFIXES = (".cc", ".h", ".txt", ".cmake")
"""How the files end that are looked for; any other is read by its name."""
