"""The ops of PIR's dialects: what the YAML files of a tree, its hand-written classes or a wheel's headers declare."""
