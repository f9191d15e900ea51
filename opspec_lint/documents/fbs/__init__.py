"""FlatBuffers schemas (`.fbs`): text -> declarations -> a resolved schema, with the line of everything in it."""
