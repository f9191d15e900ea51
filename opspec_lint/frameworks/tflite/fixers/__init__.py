"""The fixers of findings about LiteRT's source trees: one kind of file a module."""
