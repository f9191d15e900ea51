"""The rules that only PIR has: what becomes of saved programs, and which patches are not right; one a module."""
