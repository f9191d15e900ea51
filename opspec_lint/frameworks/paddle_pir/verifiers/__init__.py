"""The real calls of loaders, each named for its loader: they load whole models in an interpreter of the user."""
