"""The file formats of FlatBuffers schemas: one a module."""
