"""What git knows, without a checkout: repositories, objects, and the files of a revision, of the index or a folder."""
