"""Where in a tree of Paddle the ops of PIR's dialects stand."""

FOLDERS = ("paddle",)
"""The folders that hold whatever an extraction looks at."""

GENERATORS = ("paddle/fluid/pir/dialect/op_generator/op_gen.py", "paddle/fluid/ir/dialect/op_generator/op_gen.py")
"""The script that makes the ops, where it is and where it was; a tree without it has none of them."""

SUFFIXES = (".yaml",)
"""How the files end that are looked for; any other is read by its name."""
