"""Claims: read from YAML, compiled, evaluated, judged."""
