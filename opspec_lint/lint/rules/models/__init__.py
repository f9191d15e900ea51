"""Rules about saved models: what of them a loader of a release stumbles over, or takes for something else."""
