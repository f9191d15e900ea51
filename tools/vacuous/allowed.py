"""Allow-list: tests that a check takes for ones that cannot fail, although they can; by file, name and check."""

from __future__ import annotations

ALLOWED = {
    ("tests/invariants/test_hostile_files.py", "test_a_seed_is_a_file", "same-value"): (
        "it fails where a file depends on anything but its seed"
    ),
    ("tests/proof/test_writers.py", "test_a_release_takes_the_models_of_its_own_ops", "same-value"): (
        "it fails where a model is written with other bytes the second time"
    ),
}
"""The reason of each."""
