"""Fingerprints of the generators of PIR ops whose results have been compared with what is read here.

Each is a result of `rules.read`, with the day of a revision that has it. For each one, the ops that the generator makes
from the YAML of its revision equal the ops that are read, in every field (`test_against_generator.py`). A tree with
another generator is read by the same rules, and the finding `yaml_generator_unknown` says so.
"""

from __future__ import annotations

KNOWN: frozenset[str] = frozenset(
    {
        "e59072853876c731",  # 2023-09-19
        "078a741956614bb7",  # 2023-09-20
        "260608bf08118161",  # 2023-09-21
        "8e975170235dad90",  # 2023-09-21
        "64adef30dc51acdb",  # 2023-09-28
        "cb34a1976d6d6427",  # 2023-10-27
        "188496b3fe174cbc",  # 2023-10-30
        "44b0d54bd6684006",  # 2023-11-01
        "e7840168ae6fbfba",  # 2023-11-03
        "c0434ca5d44e6439",  # 2023-11-06
        "2b0ee9b7998fede9",  # 2023-11-09
        "b3e37d4e69807ff1",  # 2023-11-09
        "8579708f7ced58d8",  # 2023-11-10
        "2ebcb2339db11ab2",  # 2023-11-16
        "abfaab84251e11ff",  # 2023-11-20
        "50a117b3192c5cf7",  # 2023-12-13
        "c9cdf9ef94286185",  # 2023-12-13
        "1c64e99a388c299c",  # 2023-12-21
        "7fb14d1a399a4db5",  # 2023-12-27
        "a21984d8cb2fc036",  # 2024-01-10
        "0132765a4aaf184f",  # 2024-01-11
        "452dc7d39ff4435a",  # 2024-01-19
        "abd525a4c25674ca",  # 2024-01-19
        "0b58df7435599325",  # 2024-01-28
        "035d0b10301c130e",  # 2024-01-29
        "e55398acf1db0d9a",  # 2024-02-21
        "dc0c2fb49b9d385b",  # 2024-02-29
        "3c4b76d6cfd88135",  # 2024-03-08
        "4d7664e928556a07",  # 2024-04-26
        "fa1dca5f234ae29c",  # 2024-05-16
        "9712c9181972e409",  # 2024-06-21
        "4d774cd9188ff406",  # 2024-07-04
        "46c596e7f3a3efec",  # 2024-07-10
        "0b2d6fe917bc16cd",  # 2024-07-25
        "d7ffa3bb028634d9",  # 2024-08-10
        "003d6f5a629a01f6",  # 2024-08-13
        "ee7f2697d5d9ed48",  # 2024-10-24
    }
)
