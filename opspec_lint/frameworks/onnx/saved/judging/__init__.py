"""What a release makes of a model: its versions, its names, its nodes, its types. The loaders choose from this."""
