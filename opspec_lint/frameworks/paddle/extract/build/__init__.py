"""The builds of Paddle, and which files each compiles."""
