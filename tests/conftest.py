"""Its being here puts this folder on the path, so that every test finds the helpers beside it."""
