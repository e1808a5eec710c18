"""Rendering: Markdown, annotations, figures, icons, templates."""
