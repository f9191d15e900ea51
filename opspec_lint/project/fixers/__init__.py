"""Makes the fixes of findings about the files of a project: one kind of file a module."""
