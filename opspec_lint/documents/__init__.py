"""Decodes documents: JSON and YAML, their schemas, the line of each value; and FlatBuffers schemas."""
