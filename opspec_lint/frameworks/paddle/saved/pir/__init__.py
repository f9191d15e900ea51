"""PIR programs, the `.json` that Paddle 3 saves: what they say, without Paddle."""
