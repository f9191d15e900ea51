"""Two specs in, changes out: what of the contract is different, and nothing of how bad that is."""
