"""The sources that the packages of a Bazel tree compile."""
