"""FlatBuffers: what only schemas, the contracts of any file in that format, know."""
