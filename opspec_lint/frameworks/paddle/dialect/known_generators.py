"""The generators of the dialect whose rules have been held against what they make, by their fingerprints."""

KNOWN: frozenset[str] = frozenset()
