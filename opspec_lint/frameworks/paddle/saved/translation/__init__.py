"""Programs (ProgramDesc) checked against the PIR ops that Paddle 3 translates them to."""
