"""Rules about the versions of the graph format, and about who reads whose graphs."""
