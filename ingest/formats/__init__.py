"""One parser for each format; `ingest.format_detection` lists them."""
