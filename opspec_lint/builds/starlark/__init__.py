"""The evaluation of Starlark, the language of Bazel's build files."""
