"""Links between notes, resolved when all documents of an import are read."""
