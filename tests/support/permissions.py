"""The permissions of files, also for tests that run as root."""

from __future__ import annotations

import ctypes
import sys

import pytest

# From linux/capability.h: the version of the call with two 32-bit words of each set, and two bits of the first word.
VERSION_3 = 0x20080522
READ_AND_WRITE_ALL = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Set(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable"))


@pytest.fixture
def permissions_apply():
    """Drop the capabilities with which root reads and writes all files from this thread, for the time of a test."""
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(VERSION_3, 0), (_Set * 2)()
    assert libc.capget(ctypes.byref(header), sets) == 0, ctypes.get_errno()
    effective = sets[0].effective
    sets[0].effective &= ~READ_AND_WRITE_ALL
    assert libc.capset(ctypes.byref(header), sets) == 0, ctypes.get_errno()
    yield
    sets[0].effective = effective
    assert libc.capset(ctypes.byref(header), sets) == 0, ctypes.get_errno()
