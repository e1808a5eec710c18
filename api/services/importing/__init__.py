"""Importing documents: files and folders of a home, into its store."""
