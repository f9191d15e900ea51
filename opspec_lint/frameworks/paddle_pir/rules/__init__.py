"""The rules that only PIR has: which changes break existing programs, and which patches are wrong; one a module."""
