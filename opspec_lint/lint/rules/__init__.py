"""The rules, one a module, each named for the event that it judges."""
