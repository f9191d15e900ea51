"""The command line: what is asked for, and how the answer leaves the process."""
