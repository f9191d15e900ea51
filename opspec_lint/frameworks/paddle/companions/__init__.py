"""Files beside a spec file of Paddle, one module each."""
