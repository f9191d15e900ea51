"""Benchmarks (`python -m benchmarks`), and studies that compare the program with frameworks and real repositories."""
