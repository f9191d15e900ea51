"""Programs (ProgramDesc): read without Paddle, and checked against the ops of a release as its legacy loaders do."""
