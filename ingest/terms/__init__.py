"""Terms: their names, their senses, their mentions; and tags."""
