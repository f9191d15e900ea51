"""The JSON Schemas of every file that opspec-lint reads or writes."""
