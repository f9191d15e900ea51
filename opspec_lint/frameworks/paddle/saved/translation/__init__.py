"""Programs (ProgramDesc) held against the PIR ops that Paddle 3 translates them to."""
