"""Text helpers: plain text from Markdown, formulas, CSV, similar names."""
