"""Search in PostgreSQL: its tables, their rows, and queries over them."""
