"""The check of programs (ProgramDesc) against the PIR ops that Paddle 3 translates them to."""
