"""Benchmarks (`python -m benchmarks`), and studies that hold the program against frameworks and real repositories."""
