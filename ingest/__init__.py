"""How text becomes nodes: a parser for each format behind one detector; citations, quotations, terms, tags."""
