"""Reads git repositories without a checkout: objects, and the files of a revision, of the index or of a folder."""
