"""The checkout, and the settings of git for the repositories that are made and measured."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "gc.auto",  # a collection would run during a later repetition
    "GIT_CONFIG_VALUE_0": "0",
    **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
