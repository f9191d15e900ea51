"""Files that go with a spec file of Paddle: one a module."""
