"""Decodes documents: JSON and YAML, their schemas, lines of values; FlatBuffers schemas; shared libraries."""
