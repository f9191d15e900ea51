"""The folders and file types of a Paddle tree that the extraction reads."""

FOLDERS = ("paddle", "python/paddle/utils/code_gen")
"""The folders that contain all files of an extraction; their git ids are its cache key."""

SUFFIXES = (".cc", ".h", ".inc", ".def", ".txt", ".cmake")
"""The suffixes of files that are listed; files with other suffixes are only read by name."""
