"""What the files of one TFLite tree, or of two, have to agree on about the versions of an op."""
