"""The frameworks, a folder each: what one of them alone knows of its specs, sources, formats, rules and profiles."""
