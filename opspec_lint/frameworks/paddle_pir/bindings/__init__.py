"""The binding of PIR programs to the arguments of ops: by position, attrs by name."""
