"""FlatBuffers schemas (`.fbs`): from text to declarations to a resolved schema, with the lines of all parts."""
