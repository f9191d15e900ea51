"""TensorFlow Lite, now LiteRT: the versions of its ops, and the files of a source tree that have to agree on them."""
