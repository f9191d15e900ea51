"""Where specs can be extracted from, one scheme a module: `SCHEME:ARGUMENT` names a source."""
