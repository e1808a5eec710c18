"""One parser for each format: `parse(text) -> Parsed`; the tuple of them is in `ingest.format_detection`."""
