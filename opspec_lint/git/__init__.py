"""Read access to git repositories without a checkout: objects, and the files of a revision, the index or a folder."""
