"""Markdown constructs that several formats share: front matter, tables, wikilinks."""
