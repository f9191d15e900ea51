"""Writers of small saved models with a single op, for provers."""
