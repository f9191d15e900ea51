"""The folders, scripts and file types of a tree that declare the ops of PIR's dialects."""

FOLDERS = ("paddle",)
"""The folders that contain all files of an extraction; their git ids are its cache key."""

GENERATORS = ("paddle/fluid/pir/dialect/op_generator/op_gen.py", "paddle/fluid/ir/dialect/op_generator/op_gen.py")
"""The script that makes the ops, at its present and its former path; a tree without it has no PIR ops."""

SUFFIXES = (".yaml",)
"""The suffixes of files that are listed; files with other suffixes are only read by name."""
