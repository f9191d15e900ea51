"""Writers of saved models for `prove`."""
