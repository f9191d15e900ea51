"""Writers of saved models."""
