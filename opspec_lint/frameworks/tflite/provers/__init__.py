"""The provers of TFLite, each named for the loader that it calls in an interpreter with the framework."""
