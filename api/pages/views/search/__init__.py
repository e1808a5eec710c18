"""The search page, what it finds by name, and suggestions."""
