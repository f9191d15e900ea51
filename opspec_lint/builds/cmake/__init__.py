"""The evaluation of CMake projects."""
