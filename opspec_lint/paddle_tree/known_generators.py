"""The YAML generators of Paddle whose makers have been compared with what is read here.

Each is a fingerprint (`generator.fingerprint`). A tree with another generator is read by the same rules, and the
finding `yaml_generator_unknown` says so.
"""

from __future__ import annotations

KNOWN: frozenset[str] = frozenset()
