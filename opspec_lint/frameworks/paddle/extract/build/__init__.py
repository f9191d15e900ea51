"""Models of the builds of Paddle: macros, options, and the files that CMake compiles."""
