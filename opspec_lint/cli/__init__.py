"""The command line: commands, their options, and the output of the process."""
