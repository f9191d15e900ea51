"""The history of a source: facts about its ops, each with the revisions with which it came and went, in one file."""
