"""Decoders of documents: JSON and YAML with their schemas and lines, FlatBuffers schemas, shared libraries."""
