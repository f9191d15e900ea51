"""FlatBuffers: schemas (`.fbs`) as contracts of the files in this format."""
