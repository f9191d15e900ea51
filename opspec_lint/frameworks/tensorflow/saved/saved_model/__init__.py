"""SavedModels in their folders, and the checks of their tags, variables, assets, signatures and objects."""
