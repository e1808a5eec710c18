"""One parser for each format: `parse(text) -> Parsed`; the table of them is in `ingest.read`."""
