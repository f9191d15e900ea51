from __future__ import annotations

import pytest

from opspec_lint.diff.successors import predecessor, successor

OPS = {"Sum", "SumV2", "SumV4", "V2", "MaxV0", "ProdV02", "LSTMV2"}


@pytest.mark.parametrize(
    ("name", "after"), [("Sum", "SumV2"), ("SumV2", "SumV4"), ("SumV3", "SumV4"), ("SumV4", None), ("Max", None)]
)
def test_the_next_version_there_is(name, after):
    assert successor(name, OPS) == after


@pytest.mark.parametrize(
    ("name", "before"),
    [
        *(("SumV2", "Sum"), ("SumV3", "SumV2"), ("SumV4", "SumV2"), ("Sum", None), ("V2", None), ("LSTMV2", None)),
        *((odd, None) for odd in ("SumV999999999999999999", "SumV0", "SumV02", "Sumv2", "")),
    ],
)
def test_the_last_version_before_it(name, before):
    assert predecessor(name, OPS) == before
