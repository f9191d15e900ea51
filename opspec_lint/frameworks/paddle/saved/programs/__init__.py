"""Programs (ProgramDesc): read without Paddle, and held against the ops of a release as its legacy loaders do."""
