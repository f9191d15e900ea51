"""A source tree of TensorFlow or LiteRT: each module reads one of the files that speak of op versions."""
