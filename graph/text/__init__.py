"""Text helpers: plain words out of Markdown, mathematics, similar names."""
