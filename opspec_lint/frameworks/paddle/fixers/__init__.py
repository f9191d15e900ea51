"""Makes the fixes of findings about Paddle's source trees: one kind of file a module."""
