"""The source that reads a file of a history."""
